// The sidebar: the mark and the plan, the four views with their numbers, the watched folders, and the gauge.
// Below 760 it folds to icons.
import { ArrowUp, ChartColumn, Files, FolderPlus, FolderSync, FolderX, type LucideIcon, Settings } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { View } from '../../src-shared/app.ts'
import type { AuditSums, Folder, Snapshot } from '../../src-shared/model.ts'
import { Meter } from '../components/meter.tsx'
import { chooseSection } from '../views/settings/section-store.ts'
import { call } from './client.ts'
import { readFolderSums } from './folder-sums.ts'
import { gaugeWords } from './gauge-words.ts'
import { useLanguage } from './language.tsx'
import { Mark } from './mark.tsx'
import { go, useApp } from './store.ts'
import { useNow } from './time.ts'
import './sidebar.css'

const ICONS: Readonly<Record<View, LucideIcon>> = { files: Files, transfers: ArrowUp, usage: ChartColumn, settings: Settings }
const SUMS_MS = 2000

export function Sidebar(): ReactNode {
  const { t, f } = useLanguage()
  const view = useApp((state) => state.view)
  const snapshot = useApp((state) => state.snapshot)
  const counts = snapshot?.counts
  const open = counts === undefined ? 0 : counts.queued + counts.uploading + counts.waiting + counts.unknown + counts.settling
  const needs = counts === undefined ? 0 : counts.held + counts.failed
  const numbers: Partial<Record<View, string>> = {
    ...(snapshot?.stored.files == null ? {} : { files: f.count(snapshot.stored.files) }),
    ...(open + needs === 0 ? {} : { transfers: f.count(open + needs) }),
  }
  return (
    <aside className="sidebar">
      <div className="sidebar-brand">
        <Mark />
        <span className="sidebar-name">{t.appName}</span>
        {snapshot?.account.plan == null ? null : <span className="sidebar-plan">{planName(snapshot.account.plan)}</span>}
      </div>
      <nav aria-label={t.navigation} className="sidebar-views">
        {View.options.map((name) => {
          const Icon = ICONS[name]
          return (
            <Button
              key={name}
              className={`sidebar-view${view === name ? ' sidebar-view-now' : ''}`}
              {...(view === name ? { 'aria-current': 'page' } : {})}
              onPress={() => go(name)}
            >
              <Icon className="icon" aria-hidden="true" />
              <span className="sidebar-label">{t.views[name]}</span>
              <span className={`sidebar-number figures${name === 'transfers' ? ' sidebar-number-live' : ''}`}>{numbers[name] ?? ''}</span>
            </Button>
          )
        })}
      </nav>
      <Folders snapshot={snapshot} />
      <Gauge snapshot={snapshot} />
    </aside>
  )
}

/** `pro` as the service writes it is `Pro` for people. */
function planName(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1, 40)
}

function folderName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path
}

function Folders({ snapshot }: { readonly snapshot: Snapshot | null }): ReactNode {
  const { t } = useLanguage()
  const folders = snapshot?.folders ?? []
  const sums = useSums(folders)
  return (
    <section className="sidebar-folders" aria-label={t.watchedFolders}>
      <h2 className="small second strong sidebar-heading">{t.watchedFolders}</h2>
      <ul>
        {folders.map((folder) => (
          <li key={folder.id}>
            <FolderRow folder={folder} sums={sums.get(folder.id)} />
          </li>
        ))}
      </ul>
      <Button
        className="sidebar-view sidebar-add"
        onPress={() => {
          chooseSection('folders')
          go('settings')
        }}
        aria-label={t.addFolder}
      >
        <FolderPlus className="icon" aria-hidden="true" />
        <span className="sidebar-label">{t.addFolder}</span>
      </Button>
    </section>
  )
}

function FolderRow({ folder, sums }: { readonly folder: Folder; readonly sums: AuditSums | undefined }): ReactNode {
  const { t, f } = useLanguage()
  const now = useNow(30_000)
  const away = folder.state === 'away'
  const Icon = away ? FolderX : FolderSync
  const safe = sums === undefined ? 0 : sums.uploaded + sums.ignored
  const words = away
    ? t.folderAway
    : sums === undefined || folder.state === 'scanning'
      ? t.folderScanning
      : sums.seen === 0
        ? t.folderEmpty
        : safe === sums.seen && folder.lastScanAt !== null && sums.uploaded === 0
          ? t.folderWatching(f.ago(folder.lastScanAt, now))
          : t.folderSafe(f.count(safe), f.count(sums.seen))
  return (
    <Button
      className="sidebar-folder"
      onPress={() => void call('openFolder', { folderId: folder.id })}
      aria-label={`${folderName(folder.path)}, ${words}`}
    >
      <Icon className={`icon${away ? ' problem' : ''}`} aria-hidden="true" />
      <span className="sidebar-label sidebar-folder-text">
        <span className="strong cut" title={folder.path}>
          {folderName(folder.path)}
        </span>{' '}
        <span className={`small cut ${away ? 'problem' : 'third'}`}>{words}</span>
      </span>
    </Button>
  )
}

/** The sums of all folders, asked again when transfers move, at most every two seconds. */
function useSums(folders: readonly Folder[]): ReadonlyMap<number, AuditSums> {
  const [sums, setSums] = useState<ReadonlyMap<number, AuditSums>>(new Map())
  const version = useApp((state) => state.transfersVersion)
  const engineUp = useApp((state) => state.engineUp)
  const key = folders.map((folder) => `${folder.id} ${folder.state} ${folder.lastScanAt}`).join()
  const readAt = useRef(0)
  useEffect(() => {
    if (!engineUp || key === '') return undefined
    // From the last look on, not from the last change: while much goes on, changes come faster than that.
    const wait = Math.max(0, readAt.current + SUMS_MS - Date.now())
    const timer = setTimeout(async () => {
      readAt.current = Date.now()
      const got = await readFolderSums(folders.map((folder) => folder.id))
      if (got !== null) setSums(got)
    }, wait)
    return () => clearTimeout(timer)
    // `folders` is read fresh; what asks for a new look is in the key and the version.
  }, [key, version, engineUp])
  return sums
}

function Gauge({ snapshot }: { readonly snapshot: Snapshot | null }): ReactNode {
  const language = useLanguage()
  const { t, f } = language
  const now = useNow(1000)
  if (snapshot === null || snapshot.account.state === 'none') return <div className="gauge gauge-empty" />
  const row = (label: string, used: number, limit: number | null): ReactNode => {
    const words = limit === null ? t.limitUnknown(f.count(used)) : t.of(f.count(used), f.count(limit))
    const part = limit === null || limit === 0 ? null : used / limit
    return (
      <div className="gauge-row">
        <div className="gauge-words">
          <span className="small second">{label}</span>
          <span className="small strong figures">{limit === null ? f.count(used) : `${f.count(used)} / ${f.count(limit)}`}</span>
        </div>
        <Meter label={label} value={part} words={words} tone={part !== null && part >= 0.85 ? 'waiting' : 'accent'} />
      </div>
    )
  }
  const uploads = snapshot.dailyUploads
  return (
    <section className="gauge" aria-label={t.gauge}>
      {row(t.requestsThisMinute, snapshot.minute.used, snapshot.minute.limit)}
      {uploads.limit === null
        ? row(t.requestsToday, snapshot.day.used, snapshot.day.limit)
        : row(t.uploadsToday, uploads.used, uploads.limit)}
      <p className="small third gauge-sentence">{gaugeWords(snapshot, language, now)}</p>
    </section>
  )
}
