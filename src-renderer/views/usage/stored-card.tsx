// The card for the amount stored on the service. It shows the size, marked if the unit is only assumed to be bytes, or else the number of
// files. If both are unknown, a text says so.
import type { ReactNode } from 'react'
import type { StatsView } from '../../../src-shared/model.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import { FigureCard } from './figure-card.tsx'

export function StoredCard({ stats }: { readonly stats: StatsView | null }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const snapshot = useApp((state) => state.snapshot)
  if (snapshot === null) return <FigureCard title={words.stored} figure={null} unit="" lines={[null]} />
  const { bytes } = snapshot.stored
  const files = snapshot.stored.files ?? stats?.totalFiles ?? null
  const count = files === null ? t.unknown : t.filesCount(files, f.count(files))
  if (bytes !== null) {
    const [figure, unit] = f.bytesParts(bytes)
    return <FigureCard title={words.stored} figure={figure} unit={unit} lines={[count]} />
  }
  const plain = stats?.totalSize ?? null
  if (plain !== null) {
    const [figure, unit] = f.bytesParts(plain)
    return <FigureCard title={words.stored} figure={t.assumedBytes(figure)} unit={unit} lines={[count, words.assumed]} />
  }
  return files === null ? (
    <FigureCard title={words.stored} figure={words.none} unit="" lines={[words.storedUnknown]} />
  ) : (
    <FigureCard title={words.stored} figure={f.count(files)} unit={words.filesUnit(files)} lines={[words.storedSizeUnknown]} />
  )
}
