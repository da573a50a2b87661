// The last line of the window: every file accounted for, or how many need attention; what is in progress; and how to open the palette. Green is
// used here and for "Copied", nowhere else.
import { Check, CircleAlert, CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLanguage } from '../hooks/use-language.tsx'
import { keyLabel } from '../state/keyboard.ts'
import { go, openPalette, useApp } from '../state/store.ts'
import { TransfersSum } from '../views/transfers/transfers-sum.tsx'
import { UsageStatus } from '../views/usage/reported-card.tsx'
import './status-bar.css'

export function StatusBar(): ReactNode {
  const { t } = useLanguage()
  const view = useApp((state) => state.view)
  return (
    <footer className="status-bar">
      {view === 'transfers' ? <TransfersSum /> : view === 'usage' ? <UsageStatus /> : <Summary />}
      <button type="button" className="status-commands small third" onClick={() => openPalette(true)}>
        {t.statusCommands(keyLabel('mod K'))}
      </button>
    </footer>
  )
}

function Summary(): ReactNode {
  const { t, f } = useLanguage()
  const counts = useApp((state) => state.snapshot?.counts)
  const offline = useApp((state) => state.snapshot?.account.state === 'offline')
  if (counts === undefined) return <span className="status-words" />
  const needs = counts.held + counts.failed
  const moving = [
    counts.uploading > 0 ? t.statusUploading(f.count(counts.uploading)) : null,
    counts.waiting + counts.queued > 0 ? t.statusWaiting(f.count(counts.waiting + counts.queued)) : null,
    counts.unknown > 0 ? t.statusChecking(f.count(counts.unknown)) : null,
    counts.settling > 0 ? t.statusSettling(f.count(counts.settling)) : null,
  ].filter((words) => words !== null)
  return (
    <span className="status-words">
      {needs > 0 ? (
        <button type="button" className="status-needs problem" onClick={() => go('transfers')}>
          <CircleAlert className="icon" aria-hidden="true" />
          {t.statusNeedsYou(needs, f.count(needs))}
        </button>
      ) : (
        <span className="status-good good">
          <Check className="icon" aria-hidden="true" />
          {t.statusAllSafe}
        </span>
      )}
      {offline ? (
        <span className="second status-offline">
          <CloudOff className="icon" aria-hidden="true" />
          <span className="cut" title={t.statusOffline}>
            {t.statusOffline}
          </span>
        </span>
      ) : null}
      <span className="second cut" title={moving.join(' · ')}>
        {moving.join(' · ')}
      </span>
    </span>
  )
}
