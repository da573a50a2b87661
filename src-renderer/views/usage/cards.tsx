// The four cards of figures: what is stored, uploads and requests with their daily limits, and the file size
// limit. forecast.ts computes when a limit is reached at the current pace.
import type { ReactNode } from 'react'
import type { History, NearLimit, StatsView, Window } from '../../../src-shared/model.ts'
import { usedOf } from '../../../src-shared/overview.ts'
import { Meter } from '../../components/meter.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import { type Forecast, forecast, requestPace, uploadPace } from './limit-reached.ts'
import { useUsage } from './usage-data.ts'

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
  readonly limit: NearLimit['limit']
  readonly window: Window | null
  readonly pace: number | null
  readonly now: number
  readonly more: readonly string[]
}): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const inWords = useForecastWords()
  const { window, now } = props
  if (window === null) return <FigureCard title={props.title} figure={null} unit="" lines={[null, null]} />
  const { limit } = window
  const used = usedOf(window)
  const line = inWords(forecast({ window, pace: props.pace ?? 0, now }), (limit ?? 0) - used, now)
  return (
    <FigureCard
      title={props.title}
      figure={f.count(used)}
      unit={limit === null ? '' : words.ofLimit(f.count(limit))}
      bar={{
        limit: props.limit,
        window,
        words: limit === null ? t.limitUnknown(f.count(used)) : t.of(f.count(used), f.count(limit)),
      }}
      lines={[line, ...props.more]}
    />
  )
}

/** Whether something other than the rate of the minute holds back all uploads, so that today's pace doesn't go on. */
function useStopped(): boolean {
  return useApp(({ snapshot }) => snapshot?.gate != null && snapshot.gate.reason !== 'rate-minute')
}

function useBusy(): boolean {
  return useApp((state) => {
    const counts = state.snapshot?.counts
    return counts !== undefined && counts.uploading + counts.queued + counts.settling > 0
  })
}

export function UploadsCard({ now, history, stats }: LimitCardProps): ReactNode {
  const { t } = useLanguage()
  const window = useApp((state) => state.snapshot?.dailyUploads ?? null) ?? stats?.dailyUploads ?? null
  const [busy, isStopped] = [useBusy(), useStopped()]
  return (
    <LimitCard
      title={t.uploadsToday}
      limit="uploads"
      window={window}
      pace={history === null || isStopped ? null : uploadPace({ history, busy, now })}
      now={now}
      more={[]}
    />
  )
}

export function RequestsCard({ now, history, stats }: LimitCardProps): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const snapshot = useApp((state) => state.snapshot)
  const [busy, isStopped] = [useBusy(), useStopped()]
  const minute = snapshot?.minute ?? stats?.minute ?? null
  const line =
    minute === null
      ? null
      : minute.limit === null
        ? words.thisMinutePlain(f.count(minute.used))
        : minute.used >= minute.limit && minute.nextAt !== null
          ? words.minuteFull(f.when(minute.nextAt, now))
          : words.thisMinute(f.count(Math.min(minute.used, minute.limit)), f.count(minute.limit))
  return (
    <LimitCard
      title={t.requestsToday}
      limit="requests"
      window={snapshot?.day ?? stats?.day ?? null}
      pace={history === null || isStopped ? null : requestPace({ minutes: history.minutes, busy, now })}
      now={now}
      more={line === null ? [] : [line]}
    />
  )
}

/**
 * The card for the largest file that the plan allows, and the number of held files that exceed it. If the
 * unit of the size is unknown, bytes are assumed, and the card says so.
 */
export function LargestCard({ stats }: { readonly stats: StatsView | null }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const over = useUsage((data) => data.over)
  const failed = useUsage((data) => data.statsFailure !== null)
  if (stats === null && !failed)
    return <FigureCard title={words.largest} figure={null} unit="" lines={[null]} />
  const { kind, value, unit } = stats?.maxFileSize ?? { kind: 'unknown', value: null, unit: 'unknown' }
  if (kind === 'unlimited')
    return (
      <FigureCard
        title={words.largest}
        figure={words.largestUnlimited}
        unit=""
        lines={[words.largestUnlimitedHint]}
      />
    )
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
  if (unit === 'bytes')
    return <FigureCard title={words.largest} figure={figure} unit={shown} lines={[overWords]} />
  return <FigureCard title={words.largest} figure={figure} unit={shown} lines={[overWords, words.assumed]} />
}

/**
 * The card for the amount stored on the service. It shows the size, with a note if the unit is only assumed
 * to be bytes, or else the number of files. If both are unknown, a text says so.
 */
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
  // The size is older than the number of files if it is 0 although there are some.
  if (plain !== null && (plain > 0 || files === 0)) {
    const [figure, unit] = f.bytesParts(plain)
    const lines = plain === 0 ? [count] : [count, words.assumed]
    return <FigureCard title={words.stored} figure={figure} unit={unit} lines={lines} />
  }
  return files === null ? (
    <FigureCard title={words.stored} figure={words.none} unit="" lines={[words.storedUnknown]} />
  ) : (
    <FigureCard
      title={words.stored}
      figure={f.count(files)}
      unit={words.filesUnit(files)}
      lines={[words.storedSizeUnknown]}
    />
  )
}

// A card with one figure and its unit, below a title. An optional bar shows how much of a limit is used, and
// lines of text follow. Grey placeholders replace values that aren't known yet.

function Placeholder({ wide }: { readonly wide: 'figure' | 'line' }): ReactNode {
  return <span className={`usage-placeholder usage-placeholder-${wide}`} aria-hidden="true" />
}

function FigureCard(props: {
  readonly title: string
  /** Null if not known yet. */
  readonly figure: string | null
  readonly unit: string
  readonly bar?: { readonly limit: NearLimit['limit']; readonly window: Window; readonly words: string }
  /** A null line isn't known yet. */
  readonly lines: readonly (string | null)[]
}): ReactNode {
  const { bar } = props
  const isNear = useApp(({ snapshot }) => snapshot?.near?.some((one) => one.limit === bar?.limit) === true)
  const part =
    bar === undefined || bar.window.limit === null || bar.window.limit === 0
      ? null
      : usedOf(bar.window) / bar.window.limit
  return (
    <div className="usage-card" role="group" aria-label={props.title}>
      <h2 className="usage-card-title">{props.title}</h2>
      <p className="usage-figure figures">
        <bdi>
          {props.figure === null ? <Placeholder wide="figure" /> : props.figure}
          {props.unit === '' || props.figure === null ? null : (
            <span className="usage-unit second"> {props.unit}</span>
          )}
        </bdi>
      </p>
      {bar === undefined ? null : (
        <Meter
          label={props.title}
          value={part}
          words={bar.words}
          tone={isNear || part === 1 ? 'waiting' : 'accent'}
        />
      )}
      <div className="usage-card-lines second">
        {props.lines.map((line, i) =>
          line === null ? (
            <Placeholder key={`placeholder-${String(i)}`} wide="line" />
          ) : (
            <p key={line}>
              <bdi>{line}</bdi>
            </p>
          ),
        )}
      </div>
    </div>
  )
}
