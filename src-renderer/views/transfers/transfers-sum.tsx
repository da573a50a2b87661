// The totals of all watched folders for the status bar: seen = uploaded + waiting + held + failed + ignored.
// They aren't shown without watched folders, or before the first sums have arrived.
import type { ReactNode } from 'react'
import { useFolderSums } from '../../hooks/use-folder-sums.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import { addUp, partsOf } from './folder-totals.ts'

export function TransfersSum(): ReactNode {
  const { t, f } = useLanguage()
  const own = t.transfersView.sum
  const hasFolders = useApp((state) => (state.snapshot?.folders.length ?? 0) > 0)
  const sums = useFolderSums()
  if (!hasFolders || sums.size === 0) return null
  const total = addUp([...sums.values()])
  const parts = partsOf(total).map((one) => own[one.part](one.count, f.count(one.count)))
  const words = `${own.seen(total.seen, f.count(total.seen))} = ${parts.join(' + ')}`
  return (
    <span className="figures cut" title={words}>
      {words}
    </span>
  )
}
