// The bottom line of the window: how many files need attention, what is in progress, a ready update, and how to
// open the palette. In the transfers view, if folders are watched, the sum of their files replaces the first two.
import { Check, CircleAlert, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditSums } from '../../src-shared/model.ts'
import { overviewOf } from '../../src-shared/overview.ts'
import { useFolderSums } from '../hooks/use-folder-sums.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { isHalted } from '../lib/causes.ts'
import type { Words } from '../lib/words.ts'
import { call } from '../state/client.ts'
import { firstKey } from '../state/keyboard.ts'
import { valueOrNotice } from '../state/notices.ts'
import { go, openPalette, useApp } from '../state/store.ts'
import { release } from '../views/transfers/run-actions.ts'
import './status-bar.css'

export function StatusBar(): ReactNode {
  const { t } = useLanguage()
  const view = useApp((state) => state.view)
  const hasFolders = useApp((state) => (state.snapshot?.folders.length ?? 0) > 0)
  return (
    <footer className="status-bar">
      {view === 'transfers' && hasFolders ? <TransfersSum /> : <Summary />}
      <ReadyUpdate />
      <button type="button" className="status-commands small third" onClick={() => openPalette(true)}>
        {t.statusCommands(firstKey('palette'))}
      </button>
    </footer>
  )
}

/** As many as the system dialog lists. */
const REVIEWED_MOST = 10

/** Asks in one system dialog about all held files; it shows path, rule and matched line of each. */
async function reviewHeld(words: Words): Promise<void> {
  const held = { folderId: null, states: ['held' as const], afterId: 0, limit: REVIEWED_MOST }
  const rows = await valueOrNotice(words, call('transfers', held), 'transfers')
  if (rows !== null)
    await release(
      words,
      rows.map(({ id }) => id),
    )
}

function Summary(): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const snapshot = useApp((state) => state.snapshot)
  const isStopped = useApp((state) => state.stopped !== null)
  const isStuck = useApp((state) => state.stuckDrops.length > 0)
  // Without an engine, the last snapshot is out of date.
  if (isStopped) return <span className="status-words problem">{t.accountStopped}</span>
  if (snapshot === null) return <span className="status-words" />
  const { counts } = snapshot
  const { needs, waiting, paused } = overviewOf(snapshot)
  const moving = [
    counts.uploading > 0 ? t.statusUploading(counts.uploading, f.count(counts.uploading)) : null,
    waiting > 0 ? t.statusWaiting(waiting, f.count(waiting)) : null,
    paused > 0 ? t.statusPaused(paused, f.count(paused)) : null,
    counts.unknown > 0 ? t.statusChecking(counts.unknown, f.count(counts.unknown)) : null,
    counts.settling > 0 ? t.statusSettling(counts.settling, f.count(counts.settling)) : null,
  ].filter((part) => part !== null)
  const first = needs > 0 ? t.statusNeedsYou(needs, f.count(needs)) : t.statusAllSafe
  return (
    <span className="status-words">
      {needs > 0 ? (
        <button type="button" className="status-needs problem" title={first} onClick={() => go('transfers')}>
          <CircleAlert className="icon" aria-hidden="true" />
          <span className="cut">
            <bdi>{first}</bdi>
          </span>
        </button>
      ) : isStuck || (isHalted(snapshot) && moving.length > 0) ? null : (
        <span className="status-good good" title={first}>
          <Check className="icon" aria-hidden="true" />
          <span className="cut">
            <bdi>{first}</bdi>
          </span>
        </span>
      )}
      {counts.failed > 0 || counts.held === 0 || counts.held > REVIEWED_MOST ? null : (
        <button type="button" className="status-review" onClick={() => void reviewHeld(words)}>
          {t.transfersView.review}
        </button>
      )}
      <span className="second cut" title={moving.join(' · ')}>
        <bdi>{moving.join(' · ')}</bdi>
      </span>
    </span>
  )
}

export const SUM_PARTS = ['uploaded', 'waiting', 'held', 'failed', 'ignored'] as const
export type SumPart = (typeof SUM_PARTS)[number]

/** Adds up the sums of all folders. */
export function addUp(sums: readonly AuditSums[]): AuditSums {
  const total = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }
  for (const one of sums) {
    total.seen += one.seen
    for (const part of SUM_PARTS) total[part] += one[part]
  }
  return total
}

/** Returns the parts to show: all that aren't zero, and always `uploaded`. */
export function partsOf(sums: AuditSums): readonly { readonly part: SumPart; readonly count: number }[] {
  return SUM_PARTS.flatMap((part) =>
    sums[part] > 0 || part === 'uploaded' ? [{ part, count: sums[part] }] : [],
  )
}

function TransfersSum(): ReactNode {
  const { t, f } = useLanguage()
  const own = t.transfersView.sum
  const sums = useFolderSums()
  if (sums.size === 0) return null
  const total = addUp([...sums.values()])
  const parts = partsOf(total).map((one) => own[one.part](one.count, f.count(one.count)))
  const words = `${own.seen(total.seen, f.count(total.seen))} = ${parts.join(' + ')}`
  return (
    <span className="figures cut" title={words}>
      <bdi>{words}</bdi>
    </span>
  )
}

/** The quiet sign that an update only needs a restart. The settings have a button for it. */
function ReadyUpdate(): ReactNode {
  const words = useLanguage()
  const { t } = words
  const step = useApp((state) => state.update?.step)
  const isInSettings = useApp((state) => state.view === 'settings')
  if (step?.at !== 'ready' || step.waits || isInSettings) return null
  const install = (): void => void valueOrNotice(words, call('update', { action: 'install' }), 'update')
  return (
    <button
      type="button"
      className="status-update small"
      title={t.settingsView.update.ready(step.version)}
      onClick={install}
    >
      <RefreshCw className="icon" aria-hidden="true" />
      <span className="cut">{t.restartToUpdate}</span>
    </button>
  )
}
