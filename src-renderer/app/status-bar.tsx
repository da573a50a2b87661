// The bottom line of the window, the same in every view: how many files need attention, what is in progress, a
// ready update, and how to open the palette. It counts all files, dropped ones and those of watched folders.
import { Check, CircleAlert, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { overviewOf } from '../../src-shared/overview.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { isHalted } from '../lib/causes.ts'
import { call } from '../state/client.ts'
import { keyLabel } from '../state/keyboard.ts'
import { valueOrNotice } from '../state/notices.ts'
import { go, openPalette, useApp } from '../state/store.ts'
import './status-bar.css'

export function StatusBar(): ReactNode {
  const { t } = useLanguage()
  return (
    <footer className="status-bar">
      <Summary />
      <ReadyUpdate />
      <button type="button" className="status-commands small third" onClick={() => openPalette(true)}>
        {t.statusCommands(keyLabel('mod K'))}
      </button>
    </footer>
  )
}

function Summary(): ReactNode {
  const { t, f } = useLanguage()
  const snapshot = useApp((state) => state.snapshot)
  const isStopped = useApp((state) => state.stopped !== null)
  // Without an engine, the last snapshot is out of date.
  if (isStopped) return <span className="status-words problem">{t.accountStopped}</span>
  if (snapshot === null) return <span className="status-words" />
  const { counts } = snapshot
  const { needs, waiting } = overviewOf(snapshot)
  const moving = [
    counts.uploading > 0 ? t.statusUploading(counts.uploading, f.count(counts.uploading)) : null,
    waiting > 0 ? t.statusWaiting(waiting, f.count(waiting)) : null,
    counts.unknown > 0 ? t.statusChecking(counts.unknown, f.count(counts.unknown)) : null,
    counts.settling > 0 ? t.statusSettling(counts.settling, f.count(counts.settling)) : null,
  ].filter((words) => words !== null)
  const first = needs > 0 ? t.statusNeedsYou(needs, f.count(needs)) : t.statusAllSafe
  return (
    <span className="status-words">
      {needs > 0 ? (
        <button type="button" className="status-needs problem" title={first} onClick={() => go('transfers')}>
          <CircleAlert className="icon" aria-hidden="true" />
          <span className="cut">{first}</span>
        </button>
      ) : isHalted(snapshot) && moving.length > 0 ? null : (
        <span className="status-good good" title={first}>
          <Check className="icon" aria-hidden="true" />
          <span className="cut">{first}</span>
        </span>
      )}
      <span className="second cut" title={moving.join(' · ')}>
        {moving.join(' · ')}
      </span>
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
