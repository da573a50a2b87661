// The card for the largest file that the plan allows, and the number of held files that exceed it.
// If the unit of the size is unknown, bytes are assumed, and the card says so.
import type { ReactNode } from 'react'
import type { StatsView } from '../../../src-shared/model.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { FigureCard } from './figure-card.tsx'
import { useUsage } from './usage-data.ts'

export function LargestCard({ stats }: { readonly stats: StatsView | null }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const over = useUsage((data) => data.over)
  const failed = useUsage((data) => data.statsFailure !== null)
  if (stats === null && !failed) return <FigureCard title={words.largest} figure={null} unit="" lines={[null]} />
  const { kind, value, unit } = stats?.maxFileSize ?? { kind: 'unknown', value: null, unit: 'unknown' }
  if (kind === 'unlimited')
    return <FigureCard title={words.largest} figure={words.largestUnlimited} unit="" lines={[words.largestUnlimitedHint]} />
  const overWords =
    over === null
      ? null
      : over.count === 0
        ? words.overNone
        : over.more
          ? words.overMore(over.count, f.count(over.count))
          : words.over(over.count, f.count(over.count))
  if (kind === 'unknown' || value === null)
    return (
      <FigureCard
        title={words.largest}
        figure={words.largestUnknown}
        unit=""
        lines={[words.largestUnknownHint, ...(over !== null && over.count > 0 ? [overWords] : [])]}
      />
    )
  const [figure, shown] = f.bytesParts(value)
  if (unit === 'bytes') return <FigureCard title={words.largest} figure={figure} unit={shown} lines={[overWords]} />
  return <FigureCard title={words.largest} figure={t.assumedBytes(figure)} unit={shown} lines={[overWords, words.assumed]} />
}
