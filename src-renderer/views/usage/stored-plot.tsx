// The plot of the amount stored on the service over time, by day, or by week if the bars would be too thin.
// Plots bytes if the stored size is known in bytes for any day, otherwise the number of files.
import { type ReactNode, useMemo, useState } from 'react'
import type { History } from '../../../src-shared/model.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { Plot, type PlotBar } from './plot.tsx'
import { PlotCard, PlotGap } from './plot-card.tsx'
import { storedBars, tickIndexes } from './series.ts'
import { useDayWords } from './use-day-words.ts'

export function StoredPlot({ history, now }: { readonly history: History | null; readonly now: number }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const [read, setRead] = useState<PlotBar | null>(null)
  const dayWords = useDayWords(now)
  const { unit, bars, span: days } = useMemo(() => storedBars(history?.days ?? []), [history])
  const shown = (value: number): string => (unit === 'bytes' ? f.bytes(value) : words.values.files(value, f.count(value)))
  const plotBars: readonly PlotBar[] = bars.map(({ at, value }) => ({
    at: dayWords(at),
    value,
    words: value === null ? words.unknownValue : shown(value),
  }))
  const first = bars.find((bar) => bar.value !== null)
  const last = bars.findLast((bar) => bar.value !== null)
  const span = words.days(days)
  return (
    <PlotCard
      className="usage-stored"
      title={words.storedTitle}
      note={bars.length === 0 ? '' : read === null ? span : words.barAt(read.at, read.words)}
    >
      {history === null ? (
        <PlotGap text={null} />
      ) : first === undefined || last === undefined ? (
        <PlotGap text={words.emptyStored} />
      ) : (
        <Plot
          title={words.storedTitle}
          summary={words.summaryStored(shown(first.value ?? 0), shown(last.value ?? 0), span)}
          bars={plotBars}
          shown={unit === 'bytes' ? f.bytes : f.count}
          ticks={tickIndexes(bars.length, 3).map((index) => ({ index, label: plotBars[index]?.at ?? '' }))}
          table={{ at: words.tableAt, value: words.tableValue }}
          readHint={words.readHint}
          onRead={setRead}
        />
      )}
    </PlotCard>
  )
}
