// The page of figures: four that matter with a forecast in words, what happened over days and minutes, and what the service says beyond that.
// It shows what is known at once and keeps it while it asks; it counts nothing itself.
import { ChartColumn, Check, RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Button as PlainButton } from 'react-aria-components'
import { printable } from '../../../src-shared/format.ts'
import type { History, StatsView, Window } from '../../../src-shared/model.ts'
import { call } from '../../app/client.ts'
import { failureWords, useLanguage } from '../../app/language.tsx'
import { useApp } from '../../app/store.ts'
import { useNow } from '../../app/time.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { Meter } from '../../components/meter.tsx'
import { MiddleName } from '../../components/middle-name.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { ViewHead } from '../../components/view-head.tsx'
import { Segmented } from '../settings/segmented.tsx'
import { dayName, type Forecast, forecast, requestPace, uploadPace } from './forecast.ts'
import { Plot, type PlotBar } from './plot.tsx'
import { createReporter, type Reported } from './reported.ts'
import { type Bar, dayBars, type Measure, minuteBars, noonOf, storedBars, sumsOf, tickIndexes } from './series.ts'
import { loadHistory, loadOver, loadStats, useUsage } from './usage-data.ts'
import './usage.css'

const MEASURES: readonly Measure[] = ['uploads', 'bytes', 'downloads', 'requests']
const HISTORY_EVERY = 60_000

export function UsageView(): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const now = useNow(30_000)
  const snapshot = useApp((state) => state.snapshot)
  const engineUp = useApp((state) => state.engineUp)
  const { stats, statsFailure, refreshing, history, historyFailure } = useUsage((data) => data)
  const held = snapshot?.counts.held ?? null

  useEffect(() => {
    if (!engineUp) return undefined
    void loadStats().then(loadHistory)
    void loadHistory()
    const timer = setInterval(() => {
      if (!document.hidden) void loadHistory()
    }, HISTORY_EVERY)
    return () => clearInterval(timer)
  }, [engineUp])
  useEffect(() => {
    if (held !== null) void loadOver(held)
  }, [held])

  const plan = stats?.plan ?? snapshot?.account.plan ?? null
  const provedAt = snapshot?.account.provedAt ?? null
  const asOf = provedAt === null ? '' : dayName(provedAt) === dayName(now) ? f.time(provedAt) : f.clock(provedAt, now)
  const detail = [plan === null ? words.planUnknown : words.plan(planName(plan)), ...(asOf === '' ? [] : [words.asOf(asOf)])].join(' · ')
  const failed = statsFailure === null ? null : failureWords({ t, f }, statsFailure)

  return (
    <section className="usage" aria-label={words.title}>
      <ViewHead title={words.title} detail={detail}>
        <Button icon={<RefreshCw className="icon" />} isPending={refreshing} onPress={() => void loadStats().then(loadHistory)}>
          {t.refresh}
        </Button>
      </ViewHead>
      <div className="usage-body">
        {failed === null ? null : <Banner tone="waiting" title={failed.title} hint={`${failed.hint} ${words.stale}`} />}
        <div className="usage-cards">
          <StoredCard stats={stats} />
          <UploadsCard now={now} history={history} stats={stats} />
          <RequestsCard now={now} history={history} stats={stats} />
          <LargestCard stats={stats} />
        </div>
        {historyFailure === null ? null : (
          <Banner tone="info" title={words.historyFailed} hint={failureWords({ t, f }, historyFailure).hint} />
        )}
        <div className="usage-plots">
          <DaysPlot history={history} now={now} />
          <TopList history={history} />
          <MinutesPlot history={history} limit={(stats?.minute ?? snapshot?.minute)?.limit ?? null} />
          <StoredPlot history={history} now={now} />
        </div>
        <ReportedCard stats={stats} />
      </div>
    </section>
  )
}

/** One line for the status bar: what the service says beyond what Slipway understands. */
export function UsageStatus(): ReactNode {
  const { t } = useLanguage()
  const words = t.usageView
  const stats = useUsage((data) => data.stats)
  const fields = useReported(stats)
  const text = fields.length === 0 ? words.reportedNone : fields.map((field) => `${field.name} ${field.value}`).join(' · ')
  return (
    <span className="usage-status second cut" title={stats === null ? undefined : words.reportedLine(text)}>
      {stats === null ? '' : words.reportedLine(text)}
    </span>
  )
}

/** As the service wrote it, with a capital at its front. */
function planName(plan: string): string {
  const [first = '', ...rest] = printable(plan.slice(0, 40))
  return `${first.toUpperCase()}${rest.join('')}`
}

function Bone({ wide }: { readonly wide: 'figure' | 'line' }): ReactNode {
  return <span className={`usage-bone usage-bone-${wide}`} aria-hidden="true" />
}

function Card(props: {
  readonly title: string
  readonly figure: string | null
  readonly unit: string
  readonly bar?: { readonly window: Window; readonly words: string }
  readonly lines: readonly (string | null)[]
}): ReactNode {
  const { bar } = props
  const part = bar === undefined || bar.window.limit === null || bar.window.limit === 0 ? null : bar.window.used / bar.window.limit
  return (
    <div className="usage-card" role="group" aria-label={props.title}>
      <h2 className="usage-card-title">{props.title}</h2>
      <p className="usage-figure figures">
        {props.figure === null ? <Bone wide="figure" /> : props.figure}
        {props.unit === '' || props.figure === null ? null : <span className="usage-unit second"> {props.unit}</span>}
      </p>
      {bar === undefined ? null : (
        <Meter label={props.title} value={part} words={bar.words} tone={part !== null && part >= 0.8 ? 'waiting' : 'accent'} />
      )}
      <div className="usage-card-lines second">
        {props.lines.map((line, i) => (line === null ? <Bone key={`bone-${String(i)}`} wide="line" /> : <p key={line}>{line}</p>))}
      </div>
    </div>
  )
}

function StoredCard({ stats }: { readonly stats: StatsView | null }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const snapshot = useApp((state) => state.snapshot)
  if (snapshot === null) return <Card title={words.stored} figure={null} unit="" lines={[null]} />
  const { bytes } = snapshot.stored
  const files = snapshot.stored.files ?? stats?.totalFiles ?? null
  const count = files === null ? t.unknown : t.filesCount(files, f.count(files))
  if (bytes !== null) {
    const [figure, unit] = f.bytesParts(bytes)
    return <Card title={words.stored} figure={figure} unit={unit} lines={[count]} />
  }
  const plain = stats?.totalSize ?? null
  if (plain !== null) return <Card title={words.stored} figure={f.count(plain)} unit="" lines={[words.storedPlain, count]} />
  return files === null ? (
    <Card title={words.stored} figure={words.none} unit="" lines={[words.storedUnknown]} />
  ) : (
    <Card title={words.stored} figure={f.count(files)} unit={words.filesUnit(files)} lines={[words.storedSizeUnknown]} />
  )
}

function useForecastWords(): (what: Forecast, left: number, now: number) => string {
  const { t, f } = useLanguage()
  const words = t.usageView
  return (what, left, now) => {
    switch (what.kind) {
      case 'unknown':
        return words.noLimitKnown
      case 'full':
        return words.forecastFull(what.nextAt === null ? '' : f.when(what.nextAt, now))
      case 'reached':
        return words.forecastReached(f.time(what.at))
      case 'enough':
        return words.forecastEnough
      case 'quiet':
        return words.forecastLeft(f.count(left))
      default:
        return what satisfies never
    }
  }
}

interface LimitCardProps {
  readonly now: number
  readonly history: History | null
  readonly stats: StatsView | null
}

function LimitCard(props: {
  readonly title: string
  readonly window: Window | null
  readonly pace: number | null
  readonly now: number
  readonly more: readonly string[]
}): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const inWords = useForecastWords()
  const { window, now } = props
  if (window === null) return <Card title={props.title} figure={null} unit="" lines={[null, null]} />
  const { limit, used } = window
  const line = inWords(forecast({ window, pace: props.pace ?? 0, now }), (limit ?? 0) - used, now)
  return (
    <Card
      title={props.title}
      figure={f.count(used)}
      unit={limit === null ? '' : words.ofLimit(f.count(limit))}
      bar={{ window, words: limit === null ? t.limitUnknown(f.count(used)) : t.of(f.count(used), f.count(limit)) }}
      lines={[line, ...props.more]}
    />
  )
}

function useBusy(): boolean {
  return useApp((state) => {
    const counts = state.snapshot?.counts
    return counts !== undefined && counts.uploading + counts.queued + counts.settling > 0
  })
}

function UploadsCard({ now, history, stats }: LimitCardProps): ReactNode {
  const { t } = useLanguage()
  const window = useApp((state) => state.snapshot?.dailyUploads ?? null) ?? stats?.dailyUploads ?? null
  const busy = useBusy()
  return (
    <LimitCard
      title={t.uploadsToday}
      window={window}
      pace={history === null ? null : uploadPace({ history, busy, now })}
      now={now}
      more={[]}
    />
  )
}

function RequestsCard({ now, history, stats }: LimitCardProps): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const snapshot = useApp((state) => state.snapshot)
  const busy = useBusy()
  const minute = snapshot?.minute ?? stats?.minute ?? null
  const line =
    minute === null
      ? null
      : minute.limit === null
        ? words.thisMinutePlain(f.count(minute.used))
        : minute.used >= minute.limit && minute.nextAt !== null
          ? words.minuteFull(f.when(minute.nextAt, now))
          : words.thisMinute(f.count(minute.used), f.count(minute.limit))
  return (
    <LimitCard
      title={t.requestsToday}
      window={snapshot?.day ?? stats?.day ?? null}
      pace={history === null ? null : requestPace({ minutes: history.minutes, busy, now })}
      now={now}
      more={line === null ? [] : [line]}
    />
  )
}

function LargestCard({ stats }: { readonly stats: StatsView | null }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const over = useUsage((data) => data.over)
  const failed = useUsage((data) => data.statsFailure !== null)
  if (stats === null && !failed) return <Card title={words.largest} figure={null} unit="" lines={[null]} />
  const { kind, value, unit } = stats?.maxFileSize ?? { kind: 'unknown', value: null, unit: 'unknown' }
  if (kind === 'unlimited')
    return <Card title={words.largest} figure={words.largestUnlimited} unit="" lines={[words.largestUnlimitedHint]} />
  const overWords =
    over === null
      ? null
      : over.count === 0
        ? words.overNone
        : over.more
          ? words.overMore(f.count(over.count))
          : words.over(over.count, f.count(over.count))
  if (kind === 'unknown' || value === null)
    return (
      <Card
        title={words.largest}
        figure={words.largestUnknown}
        unit=""
        lines={[words.largestUnknownHint, ...(over !== null && over.count > 0 ? [overWords] : [])]}
      />
    )
  const [figure, shown] =
    unit === 'bytes' ? f.bytesParts(value) : [f.count(value), unit === 'unknown' ? words.largestUnit : printable(unit)]
  return <Card title={words.largest} figure={figure} unit={shown} lines={[overWords]} />
}

function PlotCard(props: {
  readonly className: string
  readonly title: string
  readonly note: string
  readonly tools?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className={`usage-card usage-plot-card ${props.className}`} aria-label={props.title}>
      <header className="usage-plot-head">
        <h2 className="usage-plot-title">{props.title}</h2>
        <p className="usage-plot-note second cut figures">{props.note}</p>
        {props.tools}
      </header>
      {props.children}
    </section>
  )
}

/** In the place of a plot: that it is being asked for, could not be read, or that there is nothing to show yet. */
function PlotGap({ text }: { readonly text: string | null }): ReactNode {
  const { t } = useLanguage()
  const failed = useUsage((data) => data.historyFailure !== null)
  return text === null && !failed ? (
    <div className="usage-plot-gap usage-plot-bone" aria-hidden="true" />
  ) : (
    <div className="usage-plot-gap third">
      <ChartColumn className="icon" aria-hidden="true" />
      <p>{text ?? t.usageView.notNow}</p>
    </div>
  )
}

function useDayWords(now: number): (at: number) => string {
  const { t, f } = useLanguage()
  const today = noonOf(dayName(now))
  return (at) => (at === today ? t.time.today : f.day(at))
}

function DaysPlot({ history, now }: { readonly history: History | null; readonly now: number }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const [measure, setMeasure] = useState<Measure>('uploads')
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
  const mostAt = sums.most === null ? '' : (plotBars[sums.most.index]?.at ?? '')
  const summary =
    sums.most === null
      ? words.nothingIn(title, span)
      : words.summary(
          title,
          span,
          shown(sums.total),
          shown(sums.most.value),
          mostAt,
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
          ticks={tickIndexes(bars.length, 5).map((index) => ({ index, label: plotBars[index]?.at ?? '' }))}
          table={{ at: words.tableAt, value: words.tableValue }}
          readHint={words.readHint}
          onRead={setRead}
        />
      )}
    </PlotCard>
  )
}

function MinutesPlot({ history, limit }: { readonly history: History | null; readonly limit: number | null }): ReactNode {
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

function StoredPlot({ history, now }: { readonly history: History | null; readonly now: number }): ReactNode {
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
          ticks={tickIndexes(bars.length, 3).map((index) => ({ index, label: plotBars[index]?.at ?? '' }))}
          table={{ at: words.tableAt, value: words.tableValue }}
          readHint={words.readHint}
          onRead={setRead}
        />
      )}
    </PlotCard>
  )
}

function TopList({ history }: { readonly history: History | null }): ReactNode {
  const { t } = useLanguage()
  const words = t.usageView
  return (
    <PlotCard className="usage-top" title={words.top} note={words.topSpan}>
      {history === null ? (
        <PlotGap text={null} />
      ) : history.top.length === 0 ? (
        <PlotGap text={words.topEmpty} />
      ) : (
        <ol className="usage-top-list">
          {history.top.map((row) => (
            <TopRow key={row.fileId} row={row} />
          ))}
        </ol>
      )}
    </PlotCard>
  )
}

/** A press copies the link; the answer stands where the figure was. */
function TopRow({ row }: { readonly row: History['top'][number] }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const copied = useApp((state) => state.copied?.fileIds.has(row.fileId) ?? false)
  const name = row.filename ?? words.unnamed(String(row.fileId))
  return (
    <li>
      <PlainButton className="usage-top-row" onPress={() => void call('copyLinks', { selection: { fileIds: [row.fileId] }, style: null })}>
        <span className="hidden-text">{`${printable(name)}, ${words.topGained(row.gained, f.count(row.gained))}. ${t.copyLink}`}</span>
        <span className="usage-top-shown" aria-hidden="true">
          <MiddleName name={name} className="usage-top-name" />
          <Sparkline points={row.pulse} />
          {copied ? (
            <span className="usage-top-copied good">
              <Check className="icon" />
              {t.copied}
            </span>
          ) : (
            <span className="usage-top-count second figures">{f.count(row.gained)}</span>
          )}
        </span>
      </PlainButton>
      <span className="hidden-text" role="status">
        {copied ? t.copied : ''}
      </span>
    </li>
  )
}

function useReported(stats: StatsView | null): readonly Reported[] {
  const { t, f } = useLanguage()
  const reporter = useMemo(() => createReporter(f.locale, { yes: t.usageView.yes, no: t.usageView.no, none: t.usageView.none }), [f, t])
  return useMemo(() => (stats === null ? [] : reporter(stats)), [stats, reporter])
}

function ReportedCard({ stats }: { readonly stats: StatsView | null }): ReactNode {
  const { t } = useLanguage()
  const words = t.usageView
  const fields = useReported(stats)
  if (stats === null || fields.length === 0) return null
  return (
    <section className="usage-card usage-reported" aria-label={words.reported}>
      <header className="usage-plot-head">
        <h2 className="usage-plot-title">{words.reported}</h2>
        <p className="usage-plot-note second">{words.reportedHint}</p>
      </header>
      <dl className="usage-fields">
        {fields.map((field, i) => (
          <div key={`${String(i)} ${field.name}`} className="usage-field">
            <dt className="second">{field.name}</dt>
            <dd className="figures selectable">{field.value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
