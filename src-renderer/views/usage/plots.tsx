// The three plots: the last 30 days, the last hour, and how what is stored has grown. What isn't known stays
// empty.
import { type ReactNode, useMemo, useState } from 'react'
import type { History } from '../../../src-shared/model.ts'
import { Segmented } from '../../components/segmented.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { usePlace } from '../../state/place.ts'
import { dayName } from './forecast.ts'
import { Plot, type PlotBar } from './plot.tsx'
import { PlotCard, PlotGap } from './plot-card.tsx'
import {
  type Bar,
  dayBars,
  type Measure,
  minuteBars,
  noonOf,
  storedBars,
  sumsOf,
  tickIndexes,
} from './series.ts'

const MEASURES: readonly Measure[] = ['uploads', 'bytes', 'downloads', 'requests']

/** Uploads, bytes, downloads or requests per day. */
export function DaysPlot({
  history,
  now,
}: {
  readonly history: History | null
  readonly now: number
}): ReactNode {
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
    read !== null
      ? words.barAt(read.at, read.words)
      : sums.most === null
        ? span
        : `${span} · ${words.mostAt(shown(sums.most.value))}`
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

/**
 * The plot of the last hour: requests per minute, with a line for the limit. It shows only the requests
 * counted on this computer.
 */
export function MinutesPlot({
  history,
  limit,
}: {
  readonly history: History | null
  readonly limit: number | null
}): ReactNode {
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
    most === null
      ? words.emptyMinutes
      : words.summaryMinutes(f.count(sums.total), f.count(most.value), plotBars[most.index]?.at ?? ''),
    ...(limit === null ? [] : [words.summaryLimit(f.count(limit))]),
  ].join(' ')
  return (
    <PlotCard
      className="usage-minutes"
      title={words.minutesTitle}
      note={read === null ? span : words.barAt(read.at, read.words)}
    >
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

/**
 * The plot of the amount stored on the service over time, by day, or by week if the bars would be too thin.
 * Plots bytes if the stored size is known in bytes for any day, otherwise the number of files.
 */
export function StoredPlot({
  history,
  now,
}: {
  readonly history: History | null
  readonly now: number
}): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const [read, setRead] = useState<PlotBar | null>(null)
  const dayWords = useDayWords(now)
  const { unit, bars, span: days } = useMemo(() => storedBars(history?.days ?? []), [history])
  const shown = (value: number): string =>
    unit === 'bytes' ? f.bytes(value) : words.values.files(value, f.count(value))
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

// Names the local days in the plots: "Today", or the date.
function useDayWords(now: number): (at: number) => string {
  const { t, f } = useLanguage()
  const today = noonOf(dayName(now))
  return (at) => (at === today ? t.time.today : f.day(at))
}
