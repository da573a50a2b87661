// The plot of the last 30 days: uploads, bytes, downloads or requests per day.
// Days without data stay empty.
import { type ReactNode, useState } from 'react'
import type { History } from '../../../src-shared/model.ts'
import { Segmented } from '../../components/segmented.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { usePlace } from '../../state/place.ts'
import { Plot, type PlotBar } from './plot.tsx'
import { PlotCard, PlotGap } from './plot-card.tsx'
import { dayBars, type Measure, sumsOf, tickIndexes } from './series.ts'
import { useDayWords } from './use-day-words.ts'

const MEASURES: readonly Measure[] = ['uploads', 'bytes', 'downloads', 'requests']

export function DaysPlot({ history, now }: { readonly history: History | null; readonly now: number }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const [measure, setMeasure] = usePlace<Measure>('usage days', 'uploads')
  const [read, setRead] = useState<PlotBar | null>(null)
  const dayWords = useDayWords(now)
  const title = words.perDay[measure]
  const shown = (value: number): string => (measure === 'bytes' ? f.bytes(value) : f.count(value))
  const bars = history === null ? [] : dayBars(history.days, measure)
  const sums = sumsOf(bars)
  const span = words.days(bars.length)
  const plotBars: readonly PlotBar[] = bars.map(({ at, value }) => ({
    at: dayWords(at),
    value,
    words: value === null ? words.unknownValue : words.values[measure](value, shown(value)),
  }))
  const most = sums.most === null ? undefined : bars[sums.most.index]
  const summary =
    sums.most === null
      ? words.nothingIn(title, span)
      : words.summary(
          title,
          span,
          shown(sums.total),
          shown(sums.most.value),
          most === undefined ? '' : f.day(most.at),
          sums.last === null ? words.unknownValue : shown(sums.last),
        )
  const note =
    read !== null ? words.barAt(read.at, read.words) : sums.most === null ? span : `${span} · ${words.mostAt(shown(sums.most.value))}`
  return (
    <PlotCard
      className="usage-days"
      title={title}
      note={history === null ? '' : note}
      tools={
        <Segmented
          label={words.measure}
          value={measure}
          onChange={(chosen) => {
            setMeasure(chosen)
            setRead(null)
          }}
          options={MEASURES.map((value) => ({ value, label: words.measures[value] }))}
        />
      }
    >
      {history === null ? (
        <PlotGap text={null} />
      ) : sums.most === null ? (
        <PlotGap text={words.emptyDays[measure]} />
      ) : (
        <Plot
          title={title}
          summary={summary}
          bars={plotBars}
          shown={shown}
          ticks={tickIndexes(bars.length, 5).map((index) => ({ index, label: plotBars[index]?.at ?? '' }))}
          table={{ at: words.tableAt, value: words.tableValue }}
          readHint={words.readHint}
          onRead={setRead}
        />
      )}
    </PlotCard>
  )
}
