// The nouns that cross a process: transfers, budgets, folders, remote files, as zod schemas and the types read off them.
// Values only, no behaviour; every time is an epoch time in milliseconds unless its name says otherwise.
import { z } from 'zod'

const count = z.number().int().nonnegative()
const time = z.number()

/** Life of one version of one file. See design.md, "States of a transfer". */
export const TransferState = z.enum([
  'settling',
  'queued',
  'uploading',
  'waiting',
  'held',
  'unknown',
  'failed',
  'cancelled',
  'gone',
  'done',
])
export type TransferState = z.infer<typeof TransferState>

/** Why something waits, for code; people get a sentence (format.ts). */
export const WaitReason = z.enum([
  'rate-minute',
  'rate-day',
  'server-pause',
  'daily-uploads',
  'limit',
  'storage-full',
  'backoff',
  'offline',
  'account',
  'paused',
  'settling',
  'folder-away',
  /** Its folder is not watched at the moment. */
  'not-watched',
  'checking',
  'redirected',
  /** The journal can't be written to. */
  'disk',
])
export type WaitReason = z.infer<typeof WaitReason>

export const HeldReason = z.enum(['secret', 'too-big', 'ambiguous'])
export type HeldReason = z.infer<typeof HeldReason>

export const FailedReason = z.enum(['unreadable', 'bad-request', 'refused', 'keeps-changing', 'not-a-file', 'missing'])
export type FailedReason = z.infer<typeof FailedReason>

export const Reason = z.union([WaitReason, HeldReason, FailedReason])
export type Reason = z.infer<typeof Reason>

export const OnChange = z.enum(['new-link', 'replace', 'ignore'])
export type OnChange = z.infer<typeof OnChange>

export const Existing = z.enum(['upload', 'skip'])
export type Existing = z.infer<typeof Existing>

/** How a version lost its remote file: a newer version took its place, a person deleted it, or the service has it no more. */
export const Ended = z.enum(['replaced', 'deleted', 'gone'])
export type Ended = z.infer<typeof Ended>

/** One journal row as the outside sees it. `reason` and `until` include what holds back the whole account. */
export const Transfer = z.object({
  id: count,
  path: z.string(),
  name: z.string(),
  folderId: count.nullable(),
  source: z.enum(['watch', 'upload']),
  size: count,
  state: TransferState,
  reason: Reason.nullable(),
  /** Evidence or detail in words, e.g. the rule that caught a secret. */
  message: z.string().nullable(),
  until: time.nullable(),
  sent: count,
  attempts: count,
  sha256: z.string().nullable(),
  fileId: count.nullable(),
  publicLink: z.string().nullable(),
  filename: z.string().nullable(),
  /** Found already stored after a lost answer. */
  adopted: z.boolean(),
  createdAt: time,
  doneAt: time.nullable(),
  /** Absent while its link works. An ended version has no link to show any more. */
  ended: Ended.optional(),
})
export type Transfer = z.infer<typeof Transfer>

export const Window = z.object({
  /** Requests or uploads allowed in the window; null: not known or not limited. */
  limit: count.nullable(),
  used: count,
  /** When the next place becomes free, null if one is free now. */
  nextAt: time.nullable(),
})
export type Window = z.infer<typeof Window>

export const Account = z.object({
  state: z.enum(['none', 'unproved', 'ok', 'key-refused', 'no-api', 'offline']),
  baseUrl: z.string().nullable(),
  plan: z.string().nullable(),
  /** When `/stats` was last read. */
  provedAt: time.nullable(),
  /** In words, where something is wrong. */
  message: z.string().nullable(),
})
export type Account = z.infer<typeof Account>

export const Gate = z.object({ reason: WaitReason, until: time.nullable(), message: z.string().nullable() })
/** What holds back the whole account right now. */
export type Gate = z.infer<typeof Gate>

export const Folder = z.object({
  id: count,
  path: z.string(),
  existing: Existing,
  onChange: OnChange,
  ignore: z.array(z.string()),
  state: z.enum(['idle', 'scanning', 'watching', 'away']),
  /** How changes are noticed: by events, or by rescans alone (`message` says why). */
  watching: z.enum(['events', 'rescans', 'off']),
  message: z.string().nullable(),
  lastScanAt: time.nullable(),
})
export type Folder = z.infer<typeof Folder>

export const Counts = z.object({
  settling: count,
  queued: count,
  uploading: count,
  waiting: count,
  held: count,
  unknown: count,
  failed: count,
  cancelled: count,
  gone: count,
  done: count,
})
export type Counts = z.infer<typeof Counts>

export const AuditList = z.enum(['uploaded', 'waiting', 'held', 'failed', 'ignored'])
export type AuditList = z.infer<typeof AuditList>

/** seen = uploaded + waiting + held + failed + ignored, always. */
export const AuditSums = z.object({ seen: count, uploaded: count, waiting: count, held: count, failed: count, ignored: count })
export type AuditSums = z.infer<typeof AuditSums>

export const AuditEntry = z.object({
  path: z.string(),
  list: AuditList,
  reason: z.string().nullable(),
  until: time.nullable(),
  publicLink: z.string().nullable(),
  /** Above 1 for an ignored directory that stands for all files below it. */
  count: count,
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** What a file is for a person, read off its name (file-kind.ts). */
export const FileKind = z.enum(['picture', 'document', 'video', 'audio', 'archive', 'code', 'other'])
export type FileKind = z.infer<typeof FileKind>

/** One row of the catalog. Null: the service has not said it (yet). */
export const RemoteRow = z.object({
  fileId: count,
  filename: z.string().nullable(),
  /** As the service wrote it; `bytes` is the same in bytes where the unit is known. */
  size: z.number().nullable(),
  bytes: z.number().nullable(),
  uploadDate: z.string().nullable(),
  /** The upload date as a moment, where the service's time zone is known. */
  uploadedAt: time.nullable(),
  downloadCount: z.number().nullable(),
  publicLink: z.string().nullable(),
  /** Where it came from on this machine. */
  localPath: z.string().nullable(),
  sha256: z.string().nullable(),
  kind: FileKind,
  /** The transfer that made it, and how; null: another device, or before the journal. */
  transferId: count.nullable(),
  source: z.enum(['watch', 'upload']).nullable(),
  /** The original on this machine as last seen: where it was, or moved or deleted. Null: never here, or not known. */
  original: z.enum(['there', 'gone']).nullable(),
  /** The last known download counts, oldest first, at most eight: what a small line in a row shows. */
  pulse: z.array(z.number()),
  /** Its deletion is queued, so its link is not shown any more. Absent: no. */
  deleting: z.boolean().optional(),
})
export type RemoteRow = z.infer<typeof RemoteRow>

export const Progress = z.object({
  /** Bytes per second, smoothed; 0 when nothing moves. */
  speed: z.number().nonnegative(),
  /** Milliseconds until all that can go now has gone; null while unknown. */
  etaMs: z.number().nonnegative().nullable(),
  sentBytes: count,
  totalBytes: count,
  active: z.array(z.object({ id: count, path: z.string(), sent: count, size: count, speed: z.number().nonnegative() })),
})
export type Progress = z.infer<typeof Progress>

export const Health = z.object({ what: z.string(), message: z.string() })
export type Health = z.infer<typeof Health>

export const Snapshot = z.object({
  seq: count,
  version: z.string(),
  account: Account,
  paused: z.boolean(),
  gate: Gate.nullable(),
  minute: Window,
  day: Window,
  dailyUploads: Window,
  counts: Counts,
  folders: z.array(Folder),
  progress: Progress,
  health: z.array(Health),
  /** What the service holds, by `/stats` or by the last whole list, whichever is newer; null: not known yet. `bytes` only where the unit is known. */
  stored: z.object({ files: count.nullable(), bytes: z.number().nullable() }),
  /** Deletions that a person asked for and that have not gone out; absent: none. At most a thousand ids, and the first names. */
  deleting: z.object({ count, fileIds: z.array(count), names: z.array(z.string()), until: time.nullable() }).optional(),
})
export type Snapshot = z.infer<typeof Snapshot>

/** `/stats` for people: the parts Slipway understands, and all others by their name. */
export const StatsView = z.object({
  plan: z.string().nullable(),
  totalFiles: z.number().nullable(),
  totalSize: z.number().nullable(),
  stats: z.record(z.string(), z.unknown()),
  limits: z.record(z.string(), z.unknown()),
  /** In bytes where the unit is known or told. */
  maxFileSize: z.object({ kind: z.enum(['limited', 'unlimited', 'unknown']), value: z.number().nullable(), unit: z.string() }),
  minute: Window,
  day: Window,
  dailyUploads: Window,
})
export type StatsView = z.infer<typeof StatsView>

/** What was used when, by this machine's own ledger. Days are local calendar days, `YYYY-MM-DD`, without gaps, oldest first. */
export const History = z.object({
  /** At most 90 days up to today. `stored` is the last figure of `/stats` on that day, in bytes where known. */
  days: z.array(
    z.object({
      day: z.string(),
      uploads: count,
      bytes: count,
      requests: count,
      downloads: count,
      storedFiles: z.number().nullable(),
      storedBytes: z.number().nullable(),
    }),
  ),
  /** Requests of each of the last 60 minutes, oldest first; `at` is the start of the minute. */
  minutes: z.array(z.object({ at: time, requests: count })),
  /** Most downloaded of the last 7 days, at most 5; `gained` = downloads in that time, `pulse` as in RemoteRow. */
  top: z.array(
    z.object({ fileId: count, filename: z.string().nullable(), gained: count, total: z.number().nullable(), pulse: z.array(z.number()) }),
  ),
})
export type History = z.infer<typeof History>

export const PlanForecast = z.object({
  files: count,
  bytes: count,
  /** Already up: no upload needed. */
  already: count,
  /**
   * On the service there is a file of this name and size that the journal has no upload for. The bytes are compared before anything is sent,
   * and an equal file is adopted. Counted in none of the other figures but `files`.
   */
  compared: count.optional(),
  now: count,
  later: count,
  tooBig: count,
  held: count,
  ignored: count,
  /** Missing, or not to be read. */
  failed: count.optional(),
  /** When the last one would be up; null: not known (no limit known, nothing to do). */
  doneAt: time.nullable(),
  steps: z.array(z.object({ at: time, count: count })),
  /** What limits it, in words. */
  limitedBy: z.string().nullable(),
})
export type PlanForecast = z.infer<typeof PlanForecast>
