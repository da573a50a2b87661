// A card for a watched folder: its state, the numbers of files by state (the sums) and the actions. Stopping
// asks for confirmation; the rules open in a dialog (app/folder-rules-dialog.tsx).
import { FolderOpen, FolderX, Pause, Play, RefreshCw, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { printable } from '../../../src-shared/format.ts'
import type { AuditSums, Folder } from '../../../src-shared/model.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { MiddleName } from '../../components/middle-name.tsx'
import { SecondCopies } from '../../components/second-copies.tsx'
import { useFolderActions } from '../../hooks/use-folder-actions.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import type { SecondCopy } from '../../hooks/use-second-copies.ts'
import { folderName } from '../../lib/path-names.ts'
import './folder-card.css'

export function FolderCard({
  folder,
  sums,
  copies: secondCopies,
}: {
  readonly folder: Folder
  readonly sums: AuditSums | null
  readonly copies: readonly SecondCopy[]
}): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const now = useNow(30_000)
  const actions = useFolderActions(folder)
  const name = folderName(folder.path)
  const own = t.folderMenu
  const isPaused = folder.paused === true
  const pauseIcon = isPaused ? <Play className="icon" /> : <Pause className="icon" />
  const tools: readonly {
    readonly label: string
    readonly icon: ReactNode
    readonly run: () => void
    readonly isDanger?: boolean
  }[] = [
    { label: own.open, icon: <FolderOpen className="icon" />, run: actions.open },
    { label: own.scan, icon: <RefreshCw className="icon" />, run: actions.scan },
    { label: own.rules, icon: <SlidersHorizontal className="icon" />, run: actions.rules },
    { label: isPaused ? own.resume : own.pause, icon: pauseIcon, run: actions.togglePause },
    { label: own.stop, icon: <FolderX className="icon" />, run: actions.stop, isDanger: true },
  ]
  const state =
    isPaused && folder.state !== 'away'
      ? t.folderPaused
      : folder.state === 'watching' && folder.lastScanAt !== null
        ? `${words.folderStates.watching} · ${words.folderScanned(f.agoInside(folder.lastScanAt, now))}`
        : folder.silent === true
          ? words.folderSilent
          : words.folderStates[folder.state]
  return (
    <li className="settings-folder">
      <div className="settings-folder-head">
        <div className="settings-folder-words">
          <p className="strong">
            <MiddleName name={name} />
          </p>
          <p className="settings-row-hint settings-path selectable" dir="ltr">
            {printable(folder.path)}
          </p>
        </div>
        <span
          className={
            folder.state === 'away' ? 'settings-folder-state waiting' : 'settings-folder-state second'
          }
        >
          {state}
        </span>
      </div>
      {folder.message === null ? null : (
        <p className="settings-row-hint waiting">
          {folder.silent === true
            ? words.folderSilentHint
            : words.folderTrouble(printable(folder.message), folder.state === 'away')}
        </p>
      )}
      {folder.watching === 'rescans' ? <p className="settings-row-hint">{words.folderRescans}</p> : null}
      <p className="settings-sums figures">{sums === null ? null : <Sums sums={sums} />}</p>
      <SecondCopies copies={secondCopies} />
      <div className="settings-folder-tools">
        {tools.map(({ label, icon, run, isDanger }) => (
          <Button
            key={label}
            size="small"
            {...(isDanger === true ? { variant: 'danger' } : {})}
            aria-label={`${label}, ${name}`}
            icon={icon}
            onPress={run}
          >
            {label}
          </Button>
        ))}
      </div>
      <ConfirmDialog question={actions.question} onClose={actions.closeQuestion} />
    </li>
  )
}

/**
 * Shows the sums as an equation, seen = uploaded + waiting + held + failed + ignored, without the parts that
 * are zero.
 */
function Sums({ sums }: { readonly sums: AuditSums }): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const parts = [
    { n: sums.uploaded, text: words.sumUploaded(f.count(sums.uploaded)), tone: '' },
    { n: sums.waiting, text: words.sumWaiting(sums.waiting, f.count(sums.waiting)), tone: '' },
    { n: sums.held, text: words.sumHeld(f.count(sums.held)), tone: 'waiting' },
    { n: sums.failed, text: words.sumFailed(f.count(sums.failed)), tone: 'problem' },
    { n: sums.ignored, text: words.sumIgnored(f.count(sums.ignored)), tone: '' },
  ].filter((part) => part.n > 0)
  return (
    <>
      {words.folderSums(f.count(sums.seen))}
      {parts.map((part, i) => (
        <span key={part.text} className={part.tone}>
          {i === 0 ? ' = ' : ' + '}
          {part.text}
        </span>
      ))}
    </>
  )
}
