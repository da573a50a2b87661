// The data that crosses process boundaries (transfers, limits, folders, remote files), as zod schemas and the
// types derived from them. All times are epoch milliseconds unless the name says otherwise.
import { z } from 'zod/mini'
import { GRACE_SECONDS, NEAR_LIMITS, ON_CHANGE } from './choices.ts'
import { Failure } from './failure.ts'
import { WatchLimit } from './watch-limits.ts'

const count = z.int().check(z.nonnegative())
const time = z.number()

/** A file's ID on the service, as the service sent it: an integer below 2^53, or any other text. */
export const FileId = z.union([count, z.string().check(z.minLength(1), z.maxLength(200))])
export type FileId = z.infer<typeof FileId>

/** The states of a transfer (the upload of one version of a file). */
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

/** Why a transfer waits. The sentences are in i18n/en/reasons.ts and i18n/de/reasons.ts. */
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
  /** The file changed during, or shortly after, each of its recent uploads. */
  'changing',
  /** The file is new in a watched folder whose files can be cancelled for a while before they are uploaded. */
  'grace',
  'folder-away',
  /**
   * A drive isn't responding: the one with this file or, if the message says so, the one with another file
   * that may have the same content.
   */
  'drive-silent',
  /** The transfer's folder isn't being watched at the moment. */
  'not-watched',
  /** The user paused the transfer's folder. */
  'folder-paused',
  /** The service is asked whether the upload arrived. */
  'checking',
  /** Files on the service are compared with this one, which hasn't been sent. */
  'comparing',
  /**
   * The file hasn't been sent. First, the service is asked whether an earlier upload arrived that may be the
   * same.
   */
  'earlier-upload',
  /** Something else answers in place of the service, or perhaps does. */
  'foreign',
  /** The service answers that it can't answer for now, as during maintenance. */
  'unavailable',
  'redirected',
  /** The responses to several uploads in a row were lost. */
  'answers-lost',
  /** Several uploads in a row were refused, so the cause isn't a single file. */
  'uploads-refused',
  /** The journal can't be written to. */
  'disk',
  /** The administrators' policy can't be used. */
  'policy',
])
export type WaitReason = z.infer<typeof WaitReason>

export const HeldReason = z.enum([
  'secret',
  'unsearched',
  'too-big',
  'ambiguous',
  'unconfirmed',
  'emptied',
  /** The file has changed since its upload, and its folder asks what to do then. */
  'changed',
])
export type HeldReason = z.infer<typeof HeldReason>

export const FailedReason = z.enum([
  'unreadable',
  'bad-request',
  'refused',
  'keeps-changing',
  'not-a-file',
  'missing',
])
export type FailedReason = z.infer<typeof FailedReason>

export const Reason = z.union([WaitReason, HeldReason, FailedReason])
export type Reason = z.infer<typeof Reason>

/** Rules in the syntax of .gitignore that exclude files of a watched folder. */
export const IgnoreRules = z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(1000))

export const OnChange = z.enum(ON_CHANGE)
export type OnChange = z.infer<typeof OnChange>

/** How long new files of a watched folder wait before they are uploaded; 0: not at all. */
export const Grace = z.literal(GRACE_SECONDS)

/**
 * What happens to a file of a watched folder once it is uploaded: it stays, moves to the system's bin, or to this
 * folder.
 */
export const AfterUpload = z.union([
  z.enum(['keep', 'bin']),
  z.object({ folder: z.string().check(z.minLength(1), z.maxLength(4096)) }),
])
export type AfterUpload = z.infer<typeof AfterUpload>

/** Where a file was moved after its upload. `path`: null if it is in the bin and only the system knows where. */
export const PutAway = z.object({ where: z.enum(['bin', 'folder']), path: z.nullable(z.string()), at: time })
export type PutAway = z.infer<typeof PutAway>

const FileTypes = z.array(z.string().check(z.minLength(1), z.maxLength(50))).check(z.maxLength(200))

/** Which files of a watched folder are ignored because of their size or type. */
export const FileLimits = z.object({
  /** Larger files are ignored; null for no limit. */
  maxBytes: z.nullable(z.int().check(z.positive())),
  /** Lowercase extensions without the dot. Files of other types are ignored, unless this is empty. */
  onlyTypes: FileTypes,
  notTypes: FileTypes,
})
export type FileLimits = z.infer<typeof FileLimits>

/** What the user can set for a watched folder. The window has one form for it (components/folder-form.tsx). */
export const FolderRules = z.object({
  onChange: OnChange,
  ignore: IgnoreRules,
  limits: FileLimits,
  /** If absent, the folder keeps its own, as with `after`. */
  graceSeconds: z.optional(Grace),
  after: z.optional(AfterUpload),
})
export type FolderRules = z.infer<typeof FolderRules>

export const Existing = z.enum(['upload', 'skip'])
export type Existing = z.infer<typeof Existing>

/**
 * How a version lost its remote file: a newer version replaced it, the user deleted it, or the service no
 * longer has it. `deleting`: the user deleted or replaced it, but the service still has it. `kept`: the user
 * deleted it, but it stays on the service, because another local file has the same link.
 */
export const Ended = z.enum(['replaced', 'deleted', 'gone', 'deleting', 'kept'])
export type Ended = z.infer<typeof Ended>

/**
 * A transfer. A queued transfer is reported as `waiting` if it is held back by a gate (a block on the whole
 * account), a comparison or an unwatched folder.
 */
export const Transfer = z.object({
  id: count,
  path: z.string(),
  name: z.string(),
  folderId: z.nullable(count),
  source: z.enum(['watch', 'upload']),
  size: count,
  state: TransferState,
  reason: z.nullable(Reason),
  /** A detail in English, such as the rule that matched a secret. */
  message: z.nullable(z.string()),
  until: z.nullable(time),
  sent: count,
  attempts: count,
  sha256: z.nullable(z.string()),
  fileId: z.nullable(FileId),
  publicLink: z.nullable(z.string()),
  filename: z.nullable(z.string()),
  /**
   * Whether the file was found on the service: after the response to its upload was lost or, if `unsent` is
   * set, before anything was sent.
   */
  adopted: z.boolean(),
  createdAt: time,
  doneAt: z.nullable(time),
  /** Set once the version has lost its remote file, so that its link is no longer shown. */
  ended: z.optional(Ended),
  /** Set if the transfer is done without an upload, because the service already had the content. */
  unsent: z.optional(z.boolean()),
  /**
   * Set if the transfer was cancelled, but its file was published under an unknown ID. The message names the
   * link if it is known.
   */
  leftPublic: z.optional(z.boolean()),
  /**
   * The link of a file that the transfer has published and that only the user can delete, because its ID
   * isn't known.
   */
  leftLink: z.optional(z.string()),
  /**
   * When the file was last modified, with fractions of a millisecond. Set only in the result of `transfers`:
   * for held files, because `release` sends it back, and for others on request (`mtimes`).
   */
  mtime: z.optional(time),
  /** Set while the file is where it was moved after its upload. */
  putAway: z.optional(PutAway),
})
export type Transfer = z.infer<typeof Transfer>

export const Window = z.object({
  /** Requests or uploads allowed in the window, or null if unknown or unlimited. */
  limit: z.nullable(count),
  used: count,
  /**
   * When the next request or upload is possible; null if it is possible now, or if that depends on requests
   * in flight.
   */
  nextAt: z.nullable(time),
})
export type Window = z.infer<typeof Window>

export const Account = z.object({
  state: z.enum(['none', 'unproved', 'ok', 'key-refused', 'no-api', 'offline']),
  baseUrl: z.nullable(z.string()),
  plan: z.nullable(z.string()),
  /** When `/stats` was last read. */
  provedAt: z.nullable(time),
  /** What is wrong, in English. */
  message: z.nullable(z.string()),
  /**
   * Set if the service refused this key in an earlier process, and no request has succeeded since. Slipway
   * still tries the key.
   */
  refused: z.optional(z.enum(['key-refused', 'no-api'])),
  /**
   * Set while a key that worked before is refused. It is tried again from time to time, because the refusal
   * may not be the service's own.
   */
  doubted: z.optional(z.boolean()),
})
export type Account = z.infer<typeof Account>

export const DiskFault = z.enum(['full', 'read-only', 'failing', 'locked'])
export type DiskFault = z.infer<typeof DiskFault>

export const Gate = z.object({
  reason: WaitReason,
  until: z.nullable(time),
  message: z.nullable(z.string()),
  /** What is wrong with the disk, and the folder that can't be written to, if the reason is `disk`. */
  disk: z.optional(z.object({ fault: DiskFault, folder: z.string() })),
})
/** Why none of the account's uploads can start right now. */
export type Gate = z.infer<typeof Gate>

export const Folder = z.object({
  id: count,
  path: z.string(),
  existing: Existing,
  onChange: OnChange,
  ignore: z.array(z.string()),
  /** Absent if it is 0. */
  graceSeconds: z.optional(Grace),
  /** Absent if uploaded files stay. */
  after: z.optional(AfterUpload),
  /** Absent if no file is ignored because of its size or type. */
  limits: z.optional(FileLimits),
  /** Set while the user has paused the folder. It is still scanned, but nothing in it is sent. */
  paused: z.optional(z.boolean()),
  state: z.enum(['idle', 'scanning', 'watching', 'away']),
  /**
   * How changes are detected: by events, by scans alone, or not at all while the folder isn't watched
   * (`off`).
   */
  watching: z.enum(['events', 'rescans', 'off']),
  /** The system's limit because of which there are no events. */
  watchLimit: z.optional(WatchLimit),
  message: z.nullable(z.string()),
  /** Set if the folder is `away` because its drive isn't responding. */
  silent: z.optional(z.boolean()),
  lastScanAt: z.nullable(time),
})
export type Folder = z.infer<typeof Folder>

export const Counts = z.object({
  settling: count,
  queued: count,
  uploading: count,
  waiting: count,
  /** Queued or waiting, but paused by the user, themselves or with their folder; not in the counts above. */
  paused: count,
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

/** Always satisfies seen = uploaded + waiting + held + failed + ignored. */
export const AuditSums = z.object({
  seen: count,
  uploaded: count,
  waiting: count,
  held: count,
  failed: count,
  ignored: count,
})
export type AuditSums = z.infer<typeof AuditSums>

export const AuditEntry = z.object({
  path: z.string(),
  list: AuditList,
  reason: z.nullable(z.string()),
  until: z.nullable(time),
  publicLink: z.nullable(z.string()),
  /**
   * Number of files. May be greater than 1 for an ignored directory, which is a single entry for the files in
   * it.
   */
  count: count,
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** The kind of a file by its extension (file-kind.ts). */
export const FileKind = z.enum(['picture', 'document', 'video', 'audio', 'archive', 'code', 'other'])
export type FileKind = z.infer<typeof FileKind>

/** One row of the catalog, the list of remote files. Unknown fields are null. */
export const RemoteRow = z.object({
  /** 0 if the ID of our own upload isn't known, because the service sent none. */
  fileId: FileId,
  filename: z.nullable(z.string()),
  /**
   * The size as the service reports it, in a unit that may be unknown. `bytes`: the size in bytes if the unit
   * is known, otherwise the size of our own upload.
   */
  size: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  uploadDate: z.nullable(z.string()),
  /** The upload date if its time zone is known, otherwise the time of our own upload. */
  uploadedAt: z.nullable(time),
  downloadCount: z.nullable(z.number()),
  publicLink: z.nullable(z.string()),
  /** The path on this computer that the file was uploaded from. */
  localPath: z.nullable(z.string()),
  sha256: z.nullable(z.string()),
  kind: FileKind,
  /**
   * The newest transfer of this file; null if another device uploaded it, or if it was uploaded before the
   * journal existed.
   */
  transferId: z.nullable(count),
  source: z.nullable(z.enum(['watch', 'upload'])),
  /**
   * Whether the original still existed when last checked; `gone`: moved or deleted. Null if unknown, or if
   * the file wasn't uploaded from this computer.
   */
  original: z.nullable(z.enum(['there', 'gone'])),
  /** As for the transfer. */
  putAway: z.optional(PutAway),
  /** The last known download counts for the sparkline, at most eight, oldest first. */
  pulse: z.array(z.number()),
  /** Set while the file's deletion is queued. During that time, its link isn't shown. */
  deleting: z.optional(z.boolean()),
})
export type RemoteRow = z.infer<typeof RemoteRow>

export const Progress = z.object({
  /** Bytes per second, smoothed; 0 if nothing is being uploaded. */
  speed: z.number().check(z.nonnegative()),
  /** Milliseconds until everything that can be uploaded now is done, or null if unknown. */
  etaMs: z.nullable(z.number().check(z.nonnegative())),
  sentBytes: count,
  totalBytes: count,
  active: z.array(
    z.object({
      id: count,
      path: z.string(),
      sent: count,
      size: count,
      speed: z.number().check(z.nonnegative()),
    }),
  ),
})
export type Progress = z.infer<typeof Progress>

export const Health = z.object({ what: z.string(), message: z.string() })
export type Health = z.infer<typeof Health>

/**
 * Progress of reading the service's file list. `read`: the number of files read so far; `total`: null if the
 * service doesn't report it.
 */
export const ListProgress = z.object({ read: count, total: z.nullable(count) })
export type ListProgress = z.infer<typeof ListProgress>

/** A limit of which little is left (budget/near-limits.ts decides that). `percent`: how much is used. */
export const NearLimit = z.object({ limit: z.enum(NEAR_LIMITS), percent: count })
export type NearLimit = z.infer<typeof NearLimit>

export const Snapshot = z.object({
  seq: count,
  version: z.string(),
  account: Account,
  paused: z.boolean(),
  gate: z.nullable(Gate),
  minute: Window,
  day: Window,
  dailyUploads: Window,
  /** Absent if there is enough left of every limit. */
  near: z.optional(z.array(NearLimit)),
  counts: Counts,
  /** The new files that can still be cancelled before they go up, and when the next goes; absent if there are none. */
  grace: z.optional(z.object({ count, until: time })),
  /** The folders to which uploaded files can't be moved now; empty for the bin. Absent if there are none. */
  notMoved: z.optional(z.array(z.string())),
  folders: z.array(Folder),
  progress: Progress,
  health: z.array(Health),
  /**
   * What the service stores, from `/stats` or the last complete list, whichever is newer, adjusted by what
   * this engine process has uploaded and deleted since. Fields are null if unknown; `bytes` is also null if
   * the unit of sizes in `/stats` is unknown.
   */
  stored: z.object({ files: z.nullable(count), bytes: z.nullable(z.number()) }),
  /** Set while the whole list is read for the first time. */
  listing: z.optional(ListProgress),
  /**
   * What is wrong with the service's answers at the moment, as a sentence in English. Absent if nothing is.
   */
  trouble: z.optional(z.string()),
  /**
   * For how long no request has got a usable answer (epoch milliseconds). `since`: when the first of these was
   * sent; `until`: when the last one failed, or now if one is still waiting. Absent if the last answer was usable.
   */
  unanswered: z.optional(z.object({ since: time, until: time })),
  /**
   * How many uploaded versions were sent again although their first upload may still turn up soon, and until
   * when (epoch milliseconds) that is looked for before a command ends. Absent if there are none.
   */
  resent: z.optional(z.object({ count, until: time })),
  /**
   * The same for replaced versions that are still on the service, because their deletion isn't done. `next`:
   * when it is tried next, if not now. That is up to an hour away while their links are in use.
   */
  replacing: z.optional(z.object({ count, until: time, next: z.nullable(time) })),
  /**
   * Queued deletions that the service hasn't confirmed, whether or not they have been sent: at most 1,000
   * IDs, and the names of the first files. Absent if there are none.
   */
  deleting: z.optional(
    z.object({ count, fileIds: z.array(FileId), names: z.array(z.string()), until: z.nullable(time) }),
  ),
})
export type Snapshot = z.infer<typeof Snapshot>

/**
 * `/stats`: the values that Slipway understands, and all fields under the service's own names (`stats`,
 * `limits`).
 */
export const StatsView = z.object({
  plan: z.nullable(z.string()),
  totalFiles: z.nullable(z.number()),
  totalSize: z.nullable(z.number()),
  stats: z.record(z.string(), z.unknown()),
  limits: z.record(z.string(), z.unknown()),
  /** `value` is in bytes if the unit is known. */
  maxFileSize: z.object({
    kind: z.enum(['limited', 'unlimited', 'unknown']),
    value: z.nullable(z.number()),
    unit: z.string(),
  }),
  minute: Window,
  day: Window,
  dailyUploads: Window,
  /**
   * The figures of the service are from an earlier read (`at`; null if unknown), because it couldn't be asked
   * now.
   */
  stale: z.optional(z.object({ at: z.nullable(time), failure: Failure })),
})
export type StatsView = z.infer<typeof StatsView>

/** Usage over time as counted on this computer. Days are local, `YYYY-MM-DD`, without gaps, oldest first. */
export const History = z.object({
  /**
   * The 90 days up to today. `storedFiles` and `storedBytes` are the last values that `/stats` returned on
   * that day.
   */
  days: z.array(
    z.object({
      day: z.string(),
      uploads: count,
      bytes: count,
      requests: count,
      downloads: count,
      storedFiles: z.nullable(z.number()),
      storedBytes: z.nullable(z.number()),
    }),
  ),
  /** Requests of each of the last 60 minutes, oldest first; `at` is the start of the minute. */
  minutes: z.array(z.object({ at: time, requests: count })),
  /**
   * The most downloaded files of the last 7 days, at most 5; `gained`: downloads in that time; `pulse` as in
   * RemoteRow.
   */
  top: z.array(
    z.object({
      fileId: FileId,
      filename: z.nullable(z.string()),
      gained: count,
      total: z.nullable(z.number()),
      pulse: z.array(z.number()),
    }),
  ),
})
export type History = z.infer<typeof History>

export const PlanForecast = z.object({
  files: count,
  bytes: count,
  /** Files that were uploaded before, so that no upload is needed. */
  already: count,
  /**
   * Files with the same name and size as a file on the service whose upload isn't in the journal. Their
   * content is compared before anything is sent, and an identical file is adopted. Counted only here and in
   * `files`.
   */
  compared: z.optional(count),
  now: count,
  /** Of `now`, the files that don't have to wait for the per-minute rate limit. */
  atOnce: z.optional(count),
  /** When the last of the `now` files starts uploading; null if `now` is 0. */
  nowUntil: z.optional(z.nullable(time)),
  later: count,
  tooBig: count,
  held: count,
  ignored: count,
  /** Paths that are missing, unreadable, or neither a file nor a folder. */
  failed: z.optional(count),
  /** When the last file will be uploaded, or null if unknown, or if there is nothing to do. */
  doneAt: z.nullable(time),
  steps: z.array(z.object({ at: time, count: count })),
  /** The limit that determines `doneAt`, in English. */
  limitedBy: z.nullable(z.string()),
})
export type PlanForecast = z.infer<typeof PlanForecast>
