// The engine's contract: the procedures that clients can call, with zod schemas for inputs and outputs. The
// command line and the shell call them in their own process or over the control socket; the window calls them
// through the shell. Failures are returned, never thrown.
import { z } from 'zod/mini'
import { UPLOAD_ORDERS } from './choices.ts'
import type { EngineEvent } from './events.ts'
import { Failure } from './failure.ts'
import {
  AfterUpload,
  AuditEntry,
  AuditList,
  AuditSums,
  Ended,
  Existing,
  FileId,
  FileKind,
  FileLimits,
  Folder,
  Grace,
  History,
  IgnoreRules,
  ListProgress,
  OnChange,
  PlanForecast,
  RemoteRow,
  Snapshot,
  StatsView,
  Transfer,
  TransferState,
} from './model.ts'

export { Failure, FailureCode, FolderRefusal } from './failure.ts'

/**
 * Increment with each incompatible change, such as a new value in an answer. Clients and engines with
 * different versions refuse to connect to each other.
 */
export const CONTRACT_VERSION = 2

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

const path = z.string().check(z.minLength(1), z.maxLength(65_536))
/**
 * Maximum number of paths in one call; a folder counts as one. It limits the size of the message, not the
 * number of files uploaded.
 */
export const MOST_PATHS = 20_000
const paths = z.array(path).check(z.minLength(1), z.maxLength(MOST_PATHS))
const id = z.int().check(z.nonnegative())
const none = z.strictObject({})
const token = z.string().check(z.maxLength(100))
const ids = z.array(id).check(z.maxLength(100_000))
const PlanParts = z.object({ token, count: id })

/** A file as the user names it: a path, a file ID or a public link. */
const selector = z.string().check(z.minLength(1), z.maxLength(65_536))

/** A held file as it was shown to the user. */
const HeldFile = z.pick(Transfer, {
  id: true,
  path: true,
  size: true,
  mtime: true,
  reason: true,
  message: true,
})
export type HeldFile = z.infer<typeof HeldFile>

/** Leaves out everything else that a transfer has, so that the message stays small. */
export function heldFile({ size, mtime, reason, message, ...row }: HeldFile): HeldFile {
  return { id: row.id, path: row.path, size, mtime, reason, message }
}

/** The outcome of an upload for one path: a transfer, or why there is none. */
export const UploadItem = z.object({
  path: z.string(),
  /** The path as the user named it, if `path` was reached from there through a symbolic link. */
  typed: z.optional(z.string()),
  transfer: z.nullable(Transfer),
  outcome: z.enum(['queued', 'already', 'ignored', 'failed']),
  reason: z.nullable(z.string()),
  /**
   * Whether the user named exactly this path. Set only for paths without a transfer. If such a path is
   * ignored, the command line says so and exits with code 4.
   */
  direct: z.optional(z.boolean()),
})
export type UploadItem = z.infer<typeof UploadItem>
const BatchPage = z.object({ batch: id, items: z.array(UploadItem), next: z.nullable(id) })
/** A number of files, and their total size. */
const Amount = z.object({ files: id, bytes: id })

const RemoteInfo = z.object({
  remote: z.nullable(RemoteRow),
  transfers: z.array(Transfer),
  downloads: z.array(z.object({ at: z.number(), count: z.number() })),
  /**
   * Set if the service has just reported that it can't find the file. This doesn't prove that the file is
   * gone (engine/remote/known-files.ts).
   */
  unfound: z.optional(z.boolean()),
})
export type RemoteInfo = z.infer<typeof RemoteInfo>

/** Which versions of a path are meant: all of them, the newest, or all but the newest. */
export const WhichVersions = z.enum(['all', 'latest', 'older'])
export type WhichVersions = z.infer<typeof WhichVersions>

export const RemovedItem = z.object({
  selector: z.string(),
  ok: z.boolean(),
  message: z.string(),
  outcome: z.optional(
    z.enum([
      'deleted',
      'was-gone',
      'deleted-before',
      'cancelled',
      /**
       * The upload was cancelled, but may have arrived. The engine looks for the file and deletes it once
       * found.
       */
      'unconfirmed',
      'kept',
      'queued',
      'no-such-version',
      'not-uploaded',
      'not-found',
      'failed',
    ]),
  ),
  fileId: z.optional(z.nullable(FileId)),
  /**
   * The other local files that share the remote file (all local files if the selector is an ID or a link).
   * They lose that file once the deletion is carried out; if `outcome` is `kept` or `failed`, they still have
   * it.
   */
  shared: z.optional(z.array(z.string())),
  /** Why the deletion is queued or has failed. */
  failure: z.optional(Failure),
})
export type RemovedItem = z.infer<typeof RemovedItem>

export const procedures = {
  snapshot: { input: none, output: Snapshot },
  /**
   * Sets whether someone is using Slipway right now. If so, the engine reserves a small part of the rate
   * limit for their requests.
   */
  presence: { input: z.object({ person: z.boolean() }), output: none },
  /**
   * Starts uploads and watches saved folders. The app calls it at startup, and again for each new engine that
   * it connects to.
   */
  work: { input: none, output: Snapshot },
  /**
   * Limits the number of simultaneous uploads, and their combined speed in bytes per second (null:
   * unlimited). Applies until this engine ends.
   */
  configure: {
    input: z.object({
      concurrency: z.int().check(z.minimum(1), z.maximum(16)),
      bytesPerSecond: z.nullable(z.int().check(z.minimum(1000))),
    }),
    output: none,
  },
  /**
   * Reloads the key and `/stats`. Call after the stored key has changed, for example by a login in another
   * process.
   */
  reloadKey: { input: none, output: Snapshot },
  upload: {
    input: z.object({
      paths,
      again: z.boolean(),
      token,
      /**
       * Set if Slipway wrote these files (pasted or piped content) to its data folder, from which nothing
       * else may be uploaded.
       */
      pasted: z.optional(z.boolean()),
      /** Whether the new transfers are paused, as by `pauseFiles`. */
      paused: z.optional(z.boolean()),
      /**
       * Whether to register the files without making the engine start its work (see `work`). If the engine is
       * already working, it uploads them as usual.
       */
      later: z.optional(z.boolean()),
      /** Registers nothing, and returns `many`, if more files or bytes than this aren't uploaded yet. */
      most: z.optional(Amount),
      /** The order in which the new transfers are uploaded; by default, that of the items. */
      order: z.optional(z.enum(UPLOAD_ORDERS)),
      /** Further paths, already sent with `planPart`. They precede `paths`. */
      parts: z.optional(PlanParts),
    }),
    output: z.extend(BatchPage, { many: z.optional(Amount) }),
  },
  batchPage: { input: z.object({ batch: id, after: id }), output: BatchPage },
  watch: {
    input: z.object({
      path,
      existing: Existing,
      onChange: OnChange,
      ignore: IgnoreRules,
      /** If absent, a folder keeps its own. */
      graceSeconds: z.optional(Grace),
      /** If absent, a folder that is watched keeps its own, and in another one, uploaded files stay. */
      after: z.optional(AfterUpload),
      /** If absent, a folder that is already watched keeps its own, and another one has none. */
      limits: z.optional(FileLimits),
      /** Whether a folder that isn't watched yet is paused (`pauseFolder`). */
      paused: z.optional(z.boolean()),
      keep: z.boolean(),
      /**
       * If true, `existing`, `onChange` and `ignore` replace those of a folder that is already watched;
       * otherwise it keeps its own.
       */
      changeRules: z.optional(z.boolean()),
      /**
       * When the command began (epoch milliseconds; default: now). With `existing: skip`, files that existed
       * at that time are skipped.
       */
      since: z.optional(z.number()),
      /**
       * Identifies one of several commands that watch the folder. `unwatch` with the same `watcher` ends only
       * that command's watch.
       */
      watcher: z.optional(z.string().check(z.maxLength(100))),
      /**
       * Continues a watch begun with an earlier engine. Refused (`unwatched`) if the user has ended the watch
       * since.
       */
      continued: z.optional(z.boolean()),
    }),
    /**
     * `kept`: the folder was already being watched and keeps its rules (see `changeRules`). `since`: files up
     * to this time (epoch milliseconds) count as existing.
     */
    output: z.extend(Folder, { kept: z.optional(z.boolean()), since: z.optional(z.number()) }),
  },
  /** Whether `watch` would refuse the folder, or what is to happen to its files after their upload. */
  checkWatch: { input: z.object({ path, after: z.optional(AfterUpload) }), output: none },
  /**
   * Stops watching a folder and cancels its waiting uploads. With `watcher`, ends only the watch of that
   * command.
   */
  unwatch: {
    input: z.object({ folderId: id, watcher: z.optional(z.string().check(z.maxLength(100))) }),
    output: none,
  },
  rescan: { input: z.object({ folderId: id }), output: none },
  /**
   * Brings files back that were moved after their upload, and leaves them there from then on. `count`: how many
   * are back. The others are no longer where they were put, or can't be moved.
   */
  bringBack: {
    input: z.object({ ids: z.array(id).check(z.maxLength(1000)) }),
    output: z.object({ count: id }),
  },
  /**
   * Sets whether nothing in this folder is sent, also after a restart. Uploads in flight continue; the folder is
   * still scanned.
   */
  pauseFolder: { input: z.object({ folderId: id, paused: z.boolean() }), output: none },
  transfers: {
    input: z.object({
      folderId: z.nullable(id),
      states: z.array(TransferState).check(z.maxLength(10)),
      afterId: id,
      limit: z.int().check(z.minimum(1), z.maximum(500)),
      /** Returns only transfers whose path contains this text, ignoring case and accents. */
      search: z.optional(z.string().check(z.maxLength(1000))),
      /** Returns only transfers whose link works. */
      linked: z.optional(z.boolean()),
      /** Returns only transfers that the user has paused, themselves or with their folder, or only the others. */
      paused: z.optional(z.boolean()),
      /** If set, returns transfers with IDs below this one, newest first, and ignores `afterId`. */
      beforeId: z.optional(id),
      /** If true, the result contains `mtime` for all transfers, not only for held ones. */
      mtimes: z.optional(z.boolean()),
    }),
    output: z.array(Transfer),
  },
  /** The number of files by state, for each of these watched folders. May be up to two seconds old. */
  folderSums: {
    input: z.object({ folderIds: z.array(id).check(z.maxLength(100)) }),
    output: z.array(z.object({ folderId: id, sums: AuditSums })),
  },
  history: { input: none, output: History },
  /** Whether the folder has nothing left to do, apart from files that need the user's attention. */
  folderIdle: {
    /**
     * `confirm`: scans the folder once more when it seems idle, for callers that wait until it is idle.
     * Without it, nothing is scanned.
     */
    input: z.object({ folderId: id, confirm: z.optional(z.boolean()) }),
    output: z.object({
      idle: z.boolean(),
      sums: AuditSums,
      waitsUntil: z.nullable(z.number()),
      reason: z.nullable(z.string()),
    }),
  },
  catalog: {
    input: z.object({
      /** Matches the name, the local path or the link, ignoring case and accents. */
      search: z.string().check(z.maxLength(1000)),
      kind: z.optional(FileKind),
      /** Returns only files uploaded at or after this time (epoch milliseconds). */
      since: z.optional(z.number()),
      /** Returns only files uploaded before this time (epoch milliseconds). */
      until: z.optional(z.number()),
      /** Returns only files without downloads. */
      unopened: z.optional(z.boolean()),
      /** Returns only files that were uploaded from this watched folder. */
      folderId: z.optional(id),
      sort: z.enum(['date', 'name', 'size', 'downloads', 'id']),
      descending: z.boolean(),
      offset: z.int().check(z.minimum(0)),
      limit: z.int().check(z.minimum(1), z.maximum(500)),
      /**
       * `need` reads the list from the service first. `cache` uses the last known list, and asks the service
       * only if there is none.
       */
      fresh: z.enum(['cache', 'need']),
    }),
    /**
     * `reading`: set while the list hasn't been read completely, so files may be missing. `revision`: two
     * results of the same query with the same revision have the same files at the same offsets. Older engines
     * don't return it. `unnumbered`: the number of files on the service that aren't listed, because they have
     * no usable ID.
     */
    output: z.object({
      rows: z.array(RemoteRow),
      total: id,
      asOf: z.nullable(z.number()),
      reading: z.optional(ListProgress),
      revision: z.optional(z.string()),
      unnumbered: z.optional(id),
    }),
  },
  /** If `cached` is true, sends a request only if nothing is known about the file. */
  info: { input: z.object({ selector, cached: z.optional(z.boolean()) }), output: RemoteInfo },
  links: {
    /**
     * `confirm`: first asks the service whether the files exist, for a second at most and only if the rate
     * limit allows it at once.
     */
    input: z.object({
      selectors: z.array(selector).check(z.minLength(1), z.maxLength(1000)),
      confirm: z.optional(z.boolean()),
    }),
    /** `ended`: how the file lost its link. */
    output: z.array(z.object({ selector: z.string(), row: z.nullable(RemoteRow), ended: z.optional(Ended) })),
  },
  /**
   * What `remove` would delete, newest version first. Deletes nothing. `known`: doesn't ask the service about
   * an unknown file.
   */
  versions: {
    input: z.object({
      selectors: z.array(selector).check(z.minLength(1), z.maxLength(1000)),
      which: z.optional(WhichVersions),
      known: z.optional(z.boolean()),
    }),
    output: z.array(
      z.object({
        selector: z.string(),
        /** `deleted`: all versions were deleted earlier. `none`: nothing is known about the selector. */
        found: z.enum(['versions', 'deleted', 'none']),
        versions: z.array(
          z.object({
            /** Null if the version hasn't been uploaded yet; `remove` then cancels its upload. */
            fileId: z.nullable(FileId),
            /** Set if the version's upload has begun, but it isn't known whether the file arrived. */
            unconfirmed: z.optional(z.boolean()),
            name: z.string(),
            publicLink: z.nullable(z.string()),
            bytes: z.nullable(z.number()),
            at: z.nullable(z.number()),
            /**
             * Other local files that share the remote file. Removing a path keeps the remote file for them;
             * removing an ID or a link deletes it.
             */
            shared: z.array(z.string()),
          }),
        ),
      }),
    ),
  },
  /**
   * Deletes files from the service, with one item per version. A path removes only its own versions; an ID or
   * a link removes the file for all paths that have it. Without a connection the deletion remains queued.
   * `later`: queues everything and returns immediately.
   */
  remove: {
    input: z.object({
      selectors: z.array(selector).check(z.minLength(1), z.maxLength(1000)),
      which: z.optional(WhichVersions),
      later: z.optional(z.boolean()),
    }),
    output: z.array(RemovedItem),
  },
  /**
   * Undoes these queued deletions (null for all of them). `late`: the number of deletions that can't be
   * undone, because their request is in flight or may already have been carried out.
   */
  keepFiles: {
    input: z.object({ fileIds: z.nullable(z.array(FileId)) }),
    output: z.object({ count: id, late: id }),
  },
  stats: { input: none, output: StatsView },
  /**
   * `ignore`, `limits`: the rules that a named folder would be watched with. `parts`: further paths, already
   * sent with `planPart`. `quick`: judges files by name and size only, without reading them. `pasted`: see
   * `upload`.
   */
  plan: {
    input: z.object({
      paths,
      ignore: z.optional(IgnoreRules),
      limits: z.optional(FileLimits),
      parts: z.optional(PlanParts),
      quick: z.optional(z.boolean()),
      pasted: z.optional(z.boolean()),
    }),
    output: PlanForecast,
  },
  /**
   * Sends some of the paths for a forecast or an upload that has too many for one call. The engine keeps such
   * paths for only a few of them.
   */
  planPart: { input: z.object({ token, paths }), output: none },
  audit: {
    input: z.object({ path, rescan: z.boolean() }),
    /**
     * `look`: set after a rescan of a folder that isn't watched (whose `id` may be 0). Pass `look` to
     * `auditPage` to get the entries.
     */
    output: z.object({
      folder: Folder,
      sums: AuditSums,
      look: z.optional(id),
      /**
       * Duplicates of this folder's files that were left on the service, because another client writes to
       * this account too. Absent if there are none.
       */
      twins: z.optional(
        z.array(z.object({ fileId: FileId, path: z.string(), publicLink: z.nullable(z.string()) })),
      ),
    }),
  },
  /**
   * Lists duplicates of Slipway's own uploads that were left on the service, because another client writes to
   * this account too. Covers watched folders and files that were uploaded directly (no folder).
   */
  secondCopies: {
    input: none,
    output: z.array(
      z.object({
        fileId: FileId,
        path: z.string(),
        folderId: z.nullable(id),
        publicLink: z.nullable(z.string()),
      }),
    ),
  },
  auditPage: {
    input: z.object({
      folderId: id,
      list: z.nullable(AuditList),
      after: z.nullable(z.string()),
      limit: z.int().check(z.minimum(1), z.maximum(500)),
      look: z.optional(id),
    }),
    output: z.object({ entries: z.array(AuditEntry), next: z.nullable(z.string()) }),
  },
  /**
   * Returns files of the watched folders that aren't uploaded and whose path in the folder contains this
   * text, ignoring case and accents. A newer search ends an earlier one, which then returns what it has found.
   */
  auditSearch: {
    input: z.object({
      search: z.string().check(z.maxLength(1000)),
      limit: z.int().check(z.minimum(1), z.maximum(500)),
    }),
    output: z.array(z.extend(AuditEntry, { folderId: id })),
  },
  /**
   * Stops new uploads from starting. `now`: also aborts those in progress, and resolves once they have ended.
   */
  pause: { input: z.strictObject({ now: z.optional(z.boolean()) }), output: Snapshot },
  resume: { input: none, output: Snapshot },
  /**
   * Requeues failed and waiting transfers, and ends waits caused by the connection, the account, the plan or
   * lost responses. `ids`: the transfers to requeue, even if paused; an unconfirmed one is sent again,
   * although its file may already be on the service. Empty requeues none. Null requeues all except those
   * paused individually, and also ends the wait for the rate limit. `automatic`: the user didn't ask for
   * this, so a key that the service has refused isn't retried.
   */
  retry: {
    input: z.object({ ids: z.nullable(ids), automatic: z.optional(z.boolean()) }),
    output: z.object({ count: id }),
  },
  /**
   * `confirm`: looks for uploads that may have arrived, for up to 20 seconds, and deletes them.
   * `unconfirmed`: transfers whose file may still be on the service after that, and why. `unproved`:
   * transfers whose file may be on the service, but whose search ended without a result. `published`:
   * transfers whose file is on the service and can't be deleted, because the service never sent its ID.
   * `uploaded`: the number of `ids` that had already been uploaded; omitted if 0.
   */
  cancel: {
    input: z.object({ ids, confirm: z.optional(z.boolean()) }),
    output: z.object({
      count: id,
      uploaded: z.optional(id),
      unconfirmed: z.optional(z.object({ ids, failure: Failure })),
      unproved: z.optional(z.object({ ids, failure: Failure })),
      published: z.optional(z.array(z.object({ id, message: z.string() }))),
    }),
  },
  /**
   * Takes back `cancel`: these transfers are queued again. `count`: how many are; not those whose files have been
   * found again since, or may have been published.
   */
  restore: { input: z.object({ ids }), output: z.object({ count: id }) },
  /**
   * Uploads held files that the user has approved. `shown`: the files as `transfers` returned them when the
   * user decided. If `shown` is given, a file that isn't in `shown`, or whose name, version or reason has
   * changed since, stays held. `replace`: a changed file replaces its previous version, whose link stops
   * working.
   */
  release: {
    input: z.object({
      ids,
      shown: z.optional(z.array(HeldFile).check(z.maxLength(100_000))),
      replace: z.optional(z.boolean()),
    }),
    output: z.object({ count: id }),
  },
  /**
   * Why these transfers are held as secrets: by a file's name, or by its content, with the line that matched.
   * Nothing that may be the secret is returned. Skips files that have changed since, and those held for another
   * reason.
   */
  heldLines: {
    input: z.object({ ids: z.array(id).check(z.maxLength(20)) }),
    output: z.array(
      z.object({
        id,
        by: z.enum(['name', 'content']),
        /** The name of an archive's entry that contains it. */
        inside: z.optional(z.string()),
        line: z.optional(z.object({ number: id, text: z.string() })),
      }),
    ),
  },
  /** Pauses only these transfers until `resumeFiles`, even across restarts, and aborts those in flight. */
  pauseFiles: { input: z.object({ ids }), output: z.object({ count: id }) },
  resumeFiles: { input: z.object({ ids }), output: z.object({ count: id }) },
  sendNext: { input: z.object({ ids }), output: z.object({ count: id }) },
} as const

export type ProcedureName = keyof typeof procedures
export type Input<K extends ProcedureName> = z.infer<(typeof procedures)[K]['input']>
export type Output<K extends ProcedureName> = z.infer<(typeof procedures)[K]['output']>
/** A complete set: a missing or mistyped procedure is a compile error. */
export type Handlers = { readonly [K in ProcedureName]: (input: Input<K>) => Promise<Result<Output<K>>> }

/** A connection to an engine, in this process or another. */
export interface EngineClient {
  call<K extends ProcedureName>(procedure: K, input: Input<K>): Promise<Result<Output<K>>>
  onEvent(listener: (event: EngineEvent) => void): () => void
  /** The listener is called once, when the connection is lost or closed. */
  onClose(listener: () => void): () => void
  close(): Promise<void>
}
