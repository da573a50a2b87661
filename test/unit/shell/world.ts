// Snapshots, transfers and texts for the tests of the shell's decisions: plain values with individual fields
// changed. Times are created in local time, so that the tests are valid in every time zone.
import { createFormats, type FormatWords } from '../../../src-shared/i18n/formats.ts'
import type { Counts, Folder, Gate, Snapshot, Transfer } from '../../../src-shared/model.ts'
import { folderView, NO_COUNTS, snapshotView, transferView } from '../views.ts'

export const at = (hour = 14, minute = 3, second = 20, day = 20): number =>
  new Date(2026, 10, day, hour, minute, second).getTime()
export const NOW = at(14, 0, 0)

const WORDS: FormatWords = {
  justNow: 'just now',
  ago: (span: string) => `${span} ago`,
  units: { second: 's', minute: 'min', hour: 'h', day: 'd' },
  yesterday: 'Yesterday',
  yesterdayInside: 'yesterday',
  today: 'Today',
  tomorrowAt: (clock) => `tomorrow at ${clock}`,
  dayAt: (day, clock) => `on ${day} at ${clock}`,
  todayAt: (clock) => `at ${clock}`,
}
export const FORMATS = createFormats('en-GB', WORDS)

interface Changes {
  readonly counts?: Partial<Counts>
  readonly account?: Snapshot['account']['state']
  readonly gate?: Gate | null
  readonly paused?: boolean
  readonly folders?: readonly Folder[]
  readonly progress?: Partial<Snapshot['progress']>
}

export function snapshot(changes: Changes = {}): Snapshot {
  const { account = 'ok', counts, progress, folders = [], ...rest } = changes
  const shown = snapshotView(accountView(account), rest)
  return {
    ...shown,
    folders: [...folders],
    counts: { ...NO_COUNTS, ...counts },
    progress: { ...shown.progress, ...progress },
  }
}

const accountView = (state: Snapshot['account']['state']): Snapshot['account'] => ({
  state,
  baseUrl: 'https://files.example.com/api/v1',
  plan: 'Pro',
  provedAt: NOW,
  message: null,
})

export function gate(reason: Gate['reason'], until: number | null = null): Gate {
  return { reason, until, message: null }
}

export function folder(path: string, state: Folder['state'] = 'watching', id = 1): Folder {
  return folderView({ id, path, state, lastScanAt: NOW })
}

export function transfer(id: number, changes: Partial<Transfer> = {}): Transfer {
  const { name = `file-${id}.jpg`, state = 'done' } = changes
  return transferView({
    id,
    path: `/home/ada/${name}`,
    name,
    state,
    attempts: 1,
    fileId: id,
    publicLink: state === 'done' ? `https://files.example.com/d/${id}` : null,
    createdAt: NOW,
    doneAt: NOW,
    ...changes,
  })
}
