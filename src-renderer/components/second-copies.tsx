// A banner about files that have a duplicate on the service. It isn't shown if there are none. Its button
// deletes the duplicates, at most DELETED_MOST at a time. Like other deletions, this can be undone for the
// time chosen in the settings.
import type { ReactNode } from 'react'
import { printable } from '../../src-shared/format.ts'
import { useAsk } from '../hooks/use-ask.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import type { SecondCopy } from '../hooks/use-second-copies.ts'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

const NAMED_MOST = 3
/** Maximum number of IDs per selection (app.ts, `Selection`). */
const DELETED_MOST = 1000

export function SecondCopies({
  copies,
  onClose,
}: {
  readonly copies: readonly SecondCopy[]
  /** Without this, the banner can't be dismissed. */
  readonly onClose?: () => void
}): ReactNode {
  const { t, f } = useLanguage()
  const ask = useAsk()
  const count = copies.length
  if (count === 0) return null
  const names = copies.slice(0, NAMED_MOST).map((one) => printable(one.name))
  const more = count - names.length
  const fileIds = copies.slice(0, DELETED_MOST).map((one) => one.fileId)
  return (
    <Banner
      tone="info"
      title={t.secondCopies(count, f.count(count), t.deleteNames(names, more, f.count(more)))}
      hint={t.secondCopiesHint(count)}
      action={
        <Button size="small" onPress={() => void ask('deleteFiles', { selection: { fileIds } })}>
          {t.secondCopiesDelete(count)}
        </Button>
      }
      {...(onClose === undefined ? {} : { onClose: { label: t.closeNotice, run: onClose } })}
    />
  )
}
