// The plot of the last hour: requests per minute, with a line for the limit.
// It shows only the requests counted on this computer.
import { type ReactNode, useState } from 'react'
import type { History } from '../../../src-shared/model.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { Plot, type PlotBar } from './plot.tsx'
import { PlotCard, PlotGap } from './plot-card.tsx'
import { type Bar, minuteBars, sumsOf, tickIndexes } from './series.ts'

export function MinutesPlot({ history, limit }: { readonly history: History | null; readonly limit: number | null }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const [read, setRead] = useState<PlotBar | null>(null)
  const bars: readonly Bar[] = history === null ? [] : minuteBars(history.minutes)
  const sums = sumsOf(bars)
  const plotBars: readonly PlotBar[] = bars.map(({ at, value }) => ({
    at: f.time(at),
    value,
    words: value === null ? words.unknownValue : words.values.requests(value, f.count(value)),
  }))
  const span = limit === null ? words.lastHour : words.lastHourLimit(f.count(limit))
  const most = sums.most
  const summary = [
    most === null ? words.emptyMinutes : words.summaryMinutes(f.count(sums.total), f.count(most.value), plotBars[most.index]?.at ?? ''),
    ...(limit === null ? [] : [words.summaryLimit(f.count(limit))]),
  ].join(' ')
  return (
    <PlotCard className="usage-minutes" title={words.minutesTitle} note={read === null ? span : words.barAt(read.at, read.words)}>
      {history === null ? (
        <PlotGap text={null} />
      ) : most === null ? (
        <PlotGap text={words.emptyMinutes} />
      ) : (
        <Plot
          title={words.minutesTitle}
          summary={summary}
          bars={plotBars}
          shown={f.count}
          limit={limit}
          ticks={tickIndexes(bars.length, 3).map((index) => ({ index, label: plotBars[index]?.at ?? '' }))}
          table={{ at: words.tableAt, value: words.tableValue }}
          readHint={words.readHint}
          onRead={setRead}
        />
      )}
    </PlotCard>
  )
}
