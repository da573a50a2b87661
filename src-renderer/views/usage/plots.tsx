// The three plots: the last 30 days, the last hour, and how what is stored has grown. What isn't known stays
// empty.
import { type ReactNode, useMemo, useState } from 'react'
import type { History } from '../../../src-shared/model.ts'
import { Segmented } from '../../components/segmented.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { usePlace } from '../../state/saved-place.ts'
import { dayName } from './limit-reached.ts'
import { Plot, type PlotBar, type PlotProps } from './plot.tsx'
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
  const dayWords = useDayWords(now)
  const title = words.perDay[measure]
  const shown = (value: number): string => (measure === 'bytes' ? f.bytes(value) : f.count(value))
  const bars = history === null ? [] : dayBars(history.days, measure)
  const { total, last, most } = sumsOf(bars)
  const span = words.days(bars.length)
  return (
    <HistoryPlot
      className="usage-days"
      title={title}
      note={history === null || most === null ? span : `${span} · ${words.mostAt(shown(most.value))}`}
      tools={
        <Segmented
          label={words.measure}
          value={measure}
          onChange={setMeasure}
          options={MEASURES.map((value) => ({ value, label: words.measures[value] }))}
        />
      }
      history={history}
      empty={most === null ? words.emptyDays[measure] : null}
      summary={
        most === null
          ? words.nothingIn(title, span)
          : words.summary(
              title,
              span,
              shown(total),
              shown(most.value),
              f.day(bars[most.index]?.at ?? 0),
              last === null ? words.unknownValue : shown(last),
            )
      }
      bars={bars.map(({ at, value }) => ({
        at: dayWords(at),
        value,
        words: value === null ? words.unknownValue : words.values[measure](value, shown(value)),
      }))}
      shown={shown}
      ticks={5}
    />
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
  const bars: readonly Bar[] = history === null ? [] : minuteBars(history.minutes)
  const { total, most } = sumsOf(bars)
  const plotBars: readonly PlotBar[] = bars.map(({ at, value }) => ({
    at: f.time(at),
    value,
    words: value === null ? words.unknownValue : words.values.requests(value, f.count(value)),
  }))
  const summary = [
    most === null
      ? words.emptyMinutes
      : words.summaryMinutes(f.count(total), f.count(most.value), plotBars[most.index]?.at ?? ''),
    ...(limit === null ? [] : [words.summaryLimit(f.count(limit))]),
  ].join(' ')
  return (
    <HistoryPlot
      className="usage-minutes"
      title={words.minutesTitle}
      note={limit === null ? words.lastHour : words.lastHourLimit(f.count(limit))}
      history={history}
      empty={most === null ? words.emptyMinutes : null}
      summary={summary}
      bars={plotBars}
      shown={f.count}
      limit={limit}
      ticks={3}
    />
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
  const dayWords = useDayWords(now)
  const { unit, bars, span: days } = useMemo(() => storedBars(history?.days ?? []), [history])
  const shown = (value: number): string =>
    unit === 'bytes' ? f.bytes(value) : words.values.files(value, f.count(value))
  const first = bars.find((bar) => bar.value !== null)?.value ?? 0
  const last = bars.findLast((bar) => bar.value !== null)?.value ?? 0
  const span = words.days(days)
  return (
    <HistoryPlot
      className="usage-stored"
      title={words.storedTitle}
      note={bars.length === 0 ? '' : span}
      history={history}
      empty={bars.some(({ value }) => value !== null && value > 0) ? null : words.emptyStored}
      summary={words.summaryStored(shown(first), shown(last), span)}
      bars={bars.map(({ at, value }) => ({
        at: dayWords(at),
        value,
        words: value === null ? words.unknownValue : shown(value),
      }))}
      shown={unit === 'bytes' ? f.bytes : f.count}
      // A single day is no line, but a bar from zero.
      isLine={bars.length > 1}
      ticks={3}
    />
  )
}

/** The frame of the plots: a card with the plot, or with what it says while there is nothing to plot. */
function HistoryPlot({
  className,
  title,
  note,
  tools,
  history,
  empty,
  ticks,
  ...plot
}: Pick<PlotProps, 'title' | 'summary' | 'bars' | 'shown' | 'limit' | 'isLine'> & {
  readonly className: string
  /** Shown beside the title while no bar is read. */
  readonly note: string
  readonly tools?: ReactNode
  readonly history: History | null
  /** Replaces the plot; null if there is something to plot. */
  readonly empty: string | null
  /** The maximum number of labels below the bars. */
  readonly ticks: number
}): ReactNode {
  const words = useLanguage().t.usageView
  const [read, setRead] = useState<PlotBar | null>(null)
  const shownNote = read === null ? note : words.barAt(read.at, read.words)
  return (
    <PlotCard className={className} title={title} note={history === null ? '' : shownNote} tools={tools}>
      {history === null || empty !== null ? (
        <PlotGap text={history === null ? null : empty} />
      ) : (
        <Plot
          {...plot}
          title={title}
          ticks={tickIndexes(plot.bars.length, ticks).map((index) => ({
            index,
            label: plot.bars[index]?.at ?? '',
          }))}
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
