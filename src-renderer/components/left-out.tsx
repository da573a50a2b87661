// Says why files that a search finds neither on the service nor in Transfers aren't uploaded, such as ignored
// ones: a search never claims that an existing file doesn't exist.
import { FileX } from 'lucide-react'
import type { ReactNode } from 'react'
import { printable } from '../../src-shared/format.ts'
import { useFound, useLastFound } from '../hooks/use-found.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { useNow } from '../hooks/use-now.ts'
import { folderName } from '../lib/path-names.ts'
import { leftOutReason } from '../lib/words.ts'
import { call } from '../state/client.ts'
import { openFolderRules } from '../state/store.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'

const FOUND_MAX = 100
const SHOWN_MAX = 3

/** Returns the files of watched folders that match the text and aren't uploaded; see `useLastFound`. */
export function useLeftOut(search: string) {
  const found = useFound(search, async (text) => {
    const got = await call('auditSearch', { search: text, limit: FOUND_MAX })
    return got.ok ? got.value : []
  })
  return useLastFound(search, found)
}

type Found = NonNullable<ReturnType<typeof useLeftOut>>

/** The first files, each with the reason why it isn't uploaded. */
export function LeftOutLines({ found }: { readonly found: Found }): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const now = useNow(30_000)
  const more = found.length - SHOWN_MAX
  return (
    <>
      {found.slice(0, SHOWN_MAX).map((entry) => (
        <span key={entry.path} className="left-out" title={printable(entry.path)}>
          <bdi className="strong">{folderName(entry.path)}</bdi>: {leftOutReason(words, entry, now).text}
        </span>
      ))}
      {more > 0 ? (
        <span className="left-out">
          {t.andMore(found.length < FOUND_MAX ? f.count(more) : `${f.count(more)}+`)}
        </span>
      ) : null}
    </>
  )
}

/** Replaces a list in which a search finds nothing. `action`: what the list offers then. */
export function LeftOut({
  found,
  action,
}: {
  readonly found: Found
  readonly action?: ReactNode
}): ReactNode {
  const words = useLanguage()
  const { t } = words
  const ignored = found.find((entry) => leftOutReason(words, entry, 0).isRule)
  return (
    <Empty
      icon={<FileX className="icon" />}
      title={t.transfersView.leftOut}
      hint={<LeftOutLines found={found} />}
      action={
        <>
          {ignored === undefined ? null : (
            <Button onPress={() => openFolderRules(ignored.folderId)}>{t.folderMenu.rules}</Button>
          )}
          {action}
        </>
      }
    />
  )
}
