// Snapshots, transfers and texts for the tests of the shell's decisions: plain values with individual fields
// changed. Times are created in local time, so that the tests are valid in every time zone.
import { createFormats, type FormatWords } from '../../../src-shared/i18n/formats.ts'
import type { Counts, Folder, Gate, Snapshot, Transfer } from '../../../src-shared/model.ts'

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

const NONE: Counts = {
  settling: 0,
  queued: 0,
  uploading: 0,
  waiting: 0,
  held: 0,
  unknown: 0,
  failed: 0,
  cancelled: 0,
  gone: 0,
  done: 0,
}

interface Changes {
  readonly counts?: Partial<Counts>
  readonly account?: Snapshot['account']['state']
  readonly gate?: Gate | null
  readonly paused?: boolean
  readonly folders?: readonly Folder[]
  readonly progress?: Partial<Snapshot['progress']>
}

export function snapshot(changes: Changes = {}): Snapshot {
  return {
    seq: 1,
    version: '0.0.0',
    account: {
      state: changes.account ?? 'ok',
      baseUrl: 'https://files.example.com/api/v1',
      plan: 'Pro',
      provedAt: NOW,
      message: null,
    },
    paused: changes.paused ?? false,
    gate: changes.gate ?? null,
    minute: { limit: 50, used: 0, nextAt: null },
    day: { limit: 10_000, used: 0, nextAt: null },
    dailyUploads: { limit: 100, used: 0, nextAt: null },
    counts: { ...NONE, ...changes.counts },
    folders: [...(changes.folders ?? [])],
    progress: { speed: 0, etaMs: null, sentBytes: 0, totalBytes: 0, active: [], ...changes.progress },
    health: [],
    stored: { files: null, bytes: null },
  }
}

export function gate(reason: Gate['reason'], until: number | null = null): Gate {
  return { reason, until, message: null }
}

export function folder(path: string, state: Folder['state'] = 'watching', id = 1): Folder {
  return {
    id,
    path,
    existing: 'upload',
    onChange: 'new-link',
    ignore: [],
    state,
    watching: 'events',
    message: null,
    lastScanAt: NOW,
  }
}

export function transfer(id: number, changes: Partial<Transfer> = {}): Transfer {
  const name = changes.name ?? `file-${id}.jpg`
  return {
    id,
    path: `/home/ada/${name}`,
    name,
    folderId: null,
    source: 'upload',
    size: 1000,
    state: 'done',
    reason: null,
    message: null,
    until: null,
    sent: 0,
    attempts: 1,
    sha256: null,
    fileId: id,
    publicLink:
      changes.state === undefined || changes.state === 'done' ? `https://files.example.com/d/${id}` : null,
    filename: null,
    adopted: false,
    createdAt: NOW,
    doneAt: NOW,
    ...changes,
  }
}
