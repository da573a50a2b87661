// The sidebar: the logo and plan, the account, the four views (files and transfers with a count), the watched
// folders, and the gauge of the plan's limits. In windows of up to 760 px (47.5 rem) it shows icons and bars
// instead of text.
import { ArrowUp, ChartColumn, Files, FolderPlus, type LucideIcon, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { VIEWS } from '../../src-shared/choices.ts'
import type { NearLimit, Snapshot, Window } from '../../src-shared/model.ts'
import { overviewOf, usedOf } from '../../src-shared/overview.ts'
import type { View } from '../../src-shared/window-contract.ts'
import { Mark } from '../components/mark.tsx'
import { Meter } from '../components/meter.tsx'
import { useFolderSums } from '../hooks/use-folder-sums.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { useNowNear } from '../hooks/use-now.ts'
import { planName } from '../lib/words.ts'
import { go, useApp } from '../state/store.ts'
import { watchFolder } from '../state/watch-folder.ts'
import { AccountMenu } from './account-menu.tsx'
import { FolderRow } from './folder-row.tsx'
import { gaugeWords, saidInView } from './gauge-words.ts'
import './sidebar.css'

const ICONS: Readonly<Record<View, LucideIcon>> = {
  files: Files,
  transfers: ArrowUp,
  usage: ChartColumn,
  settings: Settings,
}

export function Sidebar(): ReactNode {
  const { t, f } = useLanguage()
  const view = useApp((state) => state.view)
  const snapshot = useApp((state) => state.snapshot)
  const plan = planName(snapshot?.account.plan ?? null)
  const { open, needs } = snapshot === null ? { open: 0, needs: 0 } : overviewOf(snapshot)
  const numbers: Partial<Record<View, string>> = {
    ...(snapshot?.stored.files == null ? {} : { files: f.count(snapshot.stored.files) }),
    ...(open === 0 ? {} : { transfers: f.count(open) }),
  }
  return (
    <aside className="sidebar">
      <div className="sidebar-brand">
        <Mark />
        <span className="sidebar-name">{t.appName}</span>
        {snapshot?.account.state === 'no-api' ? (
          <span className="sidebar-plan sidebar-plan-none">{t.noApiShort}</span>
        ) : plan === null ? null : (
          <span className="sidebar-plan">{plan}</span>
        )}
      </div>
      <AccountMenu />
      <nav aria-label={t.navigation} className="sidebar-views">
        {VIEWS.map((name) => {
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
              <span className={`sidebar-number figures${name === 'transfers' ? ' sidebar-number-live' : ''}`}>
                {numbers[name] ?? ''}
              </span>
              {name === 'transfers' && needs > 0 ? (
                <span
                  className="sidebar-number sidebar-number-needs figures"
                  title={t.statusNeedsYou(needs, f.count(needs))}
                >
                  {f.count(needs)}
                </span>
              ) : null}
            </Button>
          )
        })}
      </nav>
      <Folders snapshot={snapshot} />
      <Gauge snapshot={snapshot} />
    </aside>
  )
}

function Folders({ snapshot }: { readonly snapshot: Snapshot | null }): ReactNode {
  const language = useLanguage()
  const { t } = language
  const folders = snapshot?.folders ?? []
  const sums = useFolderSums()
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
        onPress={() => void watchFolder(language)}
        aria-label={t.addFolder}
      >
        <FolderPlus className="icon" aria-hidden="true" />
        <span className="sidebar-label">{t.addFolder}</span>
      </Button>
    </section>
  )
}

function Gauge({ snapshot }: { readonly snapshot: Snapshot | null }): ReactNode {
  const language = useLanguage()
  const view = useApp((state) => state.view)
  const { t, f } = language
  const now = useNowNear(snapshot?.gate?.until, snapshot?.minute.nextAt, snapshot?.dailyUploads.nextAt)
  if (snapshot === null || snapshot.account.state === 'none') return <div className="gauge gauge-empty" />
  /** `short` is the label on screen; `label` is its tooltip and the name of the bar for screen readers. */
  const row = (label: string, short: string, window: Window, name: NearLimit['limit'] | null): ReactNode => {
    const { limit } = window
    const used = usedOf(window)
    const words = limit === null ? t.limitUnknown(f.count(used)) : t.of(f.count(used), f.count(limit))
    const part = limit === null || limit === 0 ? null : used / limit
    // The minute is full many times a day, and soon free again.
    const isFull = name !== null && part === 1
    return (
      <div className="gauge-row">
        <div className="gauge-words">
          <span className="small second" title={label}>
            {short}
          </span>
          <span className="small strong figures">
            <bdi>{limit === null ? f.count(used) : `${f.count(used)} / ${f.count(limit)}`}</bdi>
          </span>
        </div>
        <Meter
          label={label}
          value={part}
          words={words}
          tone={
            isFull || snapshot.near?.some(({ limit: one }) => one === name) === true ? 'waiting' : 'accent'
          }
        />
      </div>
    )
  }
  const uploads = snapshot.dailyUploads
  const shown = gaugeWords(snapshot, language, now, saidInView(snapshot, view, now))
  return (
    <section className="gauge" aria-label={t.gauge}>
      {row(
        t.requestsThisMinute,
        (snapshot.minute.limit ?? 0) >= 1000 ? t.requestsMinuteShort : t.requestsThisMinute,
        snapshot.minute,
        null,
      )}
      {uploads.limit === null
        ? row(t.requestsToday, t.requestsToday, snapshot.day, 'requests')
        : row(t.uploadsToday, t.uploadsToday, uploads, 'uploads')}
      {/* Whoever can't see the bars hears what they mean, even if the open view says it, too. */}
      <p className={shown === '' ? 'hidden-text' : 'small third gauge-sentence'}>
        {shown === '' ? gaugeWords(snapshot, language, now) : shown}
      </p>
    </section>
  )
}
