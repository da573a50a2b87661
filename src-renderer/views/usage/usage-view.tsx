// The usage view shows current figures with a forecast, and plots by day and by minute. Known data is shown
// immediately and stays visible while newer data loads.
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { ViewHead } from '../../components/view-head.tsx'
import { useDebounced } from '../../hooks/use-debounced.ts'
import { HOME } from '../../hooks/use-focus-home.ts'
import { useKeptScroll } from '../../hooks/use-kept-scroll.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { useWindowCommand } from '../../hooks/use-window-command.ts'
import { isHalted } from '../../lib/causes.ts'
import { planName } from '../../lib/words.ts'
import { failureNow } from '../../state/failures.ts'
import { useApp } from '../../state/store.ts'
import { LargestCard, RequestsCard, StoredCard, UploadsCard } from './cards.tsx'
import { dayName } from './limit-reached.ts'
import { DaysPlot, MinutesPlot, StoredPlot } from './plots.tsx'
import { TopList } from './top-list.tsx'
import { loadHistory, loadOver, loadStats, reloadFailedStats, useUsage } from './usage-data.ts'
import './usage.css'

const HISTORY_EVERY_MS = 60_000
const HISTORY_PAUSE_MS = 500

export function UsageView(): ReactNode {
  const { t, f } = useLanguage()
  const words = t.usageView
  const now = useNow(30_000)
  const snapshot = useApp((state) => state.snapshot)
  const engineUp = useApp((state) => state.engineUp)
  const { stats, statsFailure, refreshing, history, historyFailure } = useUsage((data) => data)
  const body = useRef<HTMLDivElement>(null)
  useKeptScroll(body, 'usage', history !== null)
  const held = snapshot?.counts.held ?? null

  const refresh = (): void => void loadStats().then(loadHistory)
  useWindowCommand(({ name }) => {
    if (name === 'refresh') refresh()
  })
  useEffect(() => {
    if (!engineUp) return undefined
    void loadStats().then(loadHistory)
    const timer = setInterval(() => {
      if (!document.hidden) void loadHistory()
    }, HISTORY_EVERY_MS)
    return () => clearInterval(timer)
  }, [engineUp])
  // What is uploaded meanwhile appears in the plots at once.
  const uploaded = useDebounced(snapshot?.dailyUploads.used ?? null, HISTORY_PAUSE_MS)
  useEffect(() => {
    if (uploaded !== null) void loadHistory()
  }, [uploaded])
  useEffect(() => {
    if (held !== null) void loadOver(held)
  }, [held])

  const plan = planName(stats?.plan ?? snapshot?.account.plan ?? null)
  const provedAt = snapshot?.account.provedAt ?? null
  const asOf =
    provedAt === null ? '' : dayName(provedAt) === dayName(now) ? f.time(provedAt) : f.clock(provedAt, now)
  const detail = [
    plan === null ? words.planUnknown : words.plan(plan),
    ...(asOf === '' ? [] : [words.asOf(asOf)]),
  ].join(' · ')
  // A cause that the window's banner names is not said again here, in other words.
  const isNamed = snapshot !== null && isHalted(snapshot)
  useEffect(() => {
    if (!isNamed) void reloadFailedStats()
  }, [isNamed])
  const failed = statsFailure === null || isNamed ? null : failureNow({ t, f }, statsFailure)

  return (
    <section className="usage" aria-label={words.title}>
      <ViewHead title={words.title} detail={detail}>
        <Button icon={<RefreshCw className="icon" />} isPending={refreshing} onPress={refresh}>
          {t.refresh}
        </Button>
      </ViewHead>
      <div {...HOME} ref={body} className="usage-body" tabIndex={-1}>
        {failed === null ? null : (
          <Banner tone="waiting" title={failed.title} hint={`${failed.hint} ${words.stale}`} />
        )}
        <div className="usage-cards">
          <StoredCard stats={stats} />
          <UploadsCard now={now} history={history} stats={stats} />
          <RequestsCard now={now} history={history} stats={stats} />
          <LargestCard stats={stats} />
        </div>
        {historyFailure === null ? null : (
          <Banner tone="info" title={words.historyFailed} hint={failureNow({ t, f }, historyFailure).hint} />
        )}
        <div className="usage-plots">
          <DaysPlot history={history} now={now} />
          <TopList history={history} />
          <MinutesPlot history={history} limit={(stats?.minute ?? snapshot?.minute)?.limit ?? null} />
          <StoredPlot history={history} now={now} />
        </div>
      </div>
    </section>
  )
}
