// The whole wire: every procedure and event that crosses a process, with zod schemas for both ends. The control socket of the
// command line speaks it, and so will the window. It holds no behaviour; failures are values, never thrown texts.
import { z } from 'zod'
import {
  AuditEntry,
  AuditList,
  AuditSums,
  Existing,
  FileKind,
  Folder,
  Gate,
  History,
  OnChange,
  PlanForecast,
  Progress,
  RemoteRow,
  Snapshot,
  StatsView,
  Transfer,
  TransferState,
} from './model.ts'

/** Raised when a peer of another version connects. */
export const CONTRACT_VERSION = 1

export const FailureCode = z.enum([
  'usage',
  'no-key',
  'key-refused',
  'no-api',
  'no-connection',
  'not-found',
  'waits',
  'disk',
  'keychain',
  'server',
  'closing',
  'defect',
])
/** What went wrong, for people and for code. `title` says what happened, `hint` what a person can do. */
export const Failure = z.object({ code: FailureCode, title: z.string(), hint: z.string().nullable() })
export type FailureCode = z.infer<typeof FailureCode>
export type Failure = z.infer<typeof Failure>
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

const path = z.string().min(1).max(65_536)
const id = z.number().int().nonnegative()
const none = z.object({}).strict()
const ids = z.array(id).max(100_000)

/** One thing that a person named: a path, a file_id, or a public link. */
const selector = z.string().min(1).max(65_536)

/** What an upload answers for one path: a transfer, or why there is none. */
export const UploadItem = z.object({
  path: z.string(),
  transfer: Transfer.nullable(),
  outcome: z.enum(['queued', 'already', 'ignored', 'failed']),
  reason: z.string().nullable(),
  /** A person named this very path, so that it is left out is said by name. */
  direct: z.boolean().optional(),
})
export type UploadItem = z.infer<typeof UploadItem>

const RemoteInfo = z.object({
  remote: RemoteRow.nullable(),
  transfers: z.array(Transfer),
  downloads: z.array(z.object({ at: z.number(), count: z.number() })),
})
export type RemoteInfo = z.infer<typeof RemoteInfo>

/** Of a path: every version, the newest one, or all but the newest. */
export const WhichVersions = z.enum(['all', 'latest', 'older'])
export type WhichVersions = z.infer<typeof WhichVersions>

export const RemovedItem = z.object({
  selector: z.string(),
  ok: z.boolean(),
  message: z.string(),
  outcome: z
    .enum([
      'deleted',
      'was-gone',
      'deleted-before',
      'cancelled',
      'kept',
      'queued',
      'no-such-version',
      'not-uploaded',
      'not-found',
      'failed',
    ])
    .optional(),
  fileId: id.nullable().optional(),
  /** Local files that have the same remote one: they keep it (`kept`), or lost it. */
  shared: z.array(z.string()).optional(),
  /** Why it is queued, or failed. */
  failure: Failure.optional(),
})
export type RemovedItem = z.infer<typeof RemovedItem>

export const procedures = {
  snapshot: { input: none, output: Snapshot },
  /** Tells the engine that a person is about, so that a little of the budget is kept for them. */
  presence: { input: z.object({ person: z.boolean() }), output: none },
  /** The app is here: what is due goes out, and every kept folder is watched. Asked again after a change of engines. */
  work: { input: none, output: Snapshot },
  /** How hard to work: uploads at once, and bytes a second over all of them (null: no cap). Holds until the next engine. */
  configure: {
    input: z.object({ concurrency: z.number().int().min(1).max(16), bytesPerSecond: z.number().int().min(1000).nullable() }),
    output: none,
  },
  /** Reads the key and `/stats` again, after a login or a logout by another process. */
  reloadKey: { input: none, output: Snapshot },
  upload: {
    input: z.object({
      paths: z.array(path).min(1).max(1000),
      again: z.boolean(),
      token: z.string().max(100),
      /** true: Slipway wrote these files from the clipboard, into its own data folder; nothing else there is ever uploaded. */
      pasted: z.boolean().optional(),
    }),
    output: z.object({ batch: id, items: z.array(UploadItem), next: id.nullable() }),
  },
  batchPage: {
    input: z.object({ batch: id, after: id }),
    output: z.object({ batch: id, items: z.array(UploadItem), next: id.nullable() }),
  },
  watch: {
    input: z.object({
      path,
      existing: Existing,
      onChange: OnChange,
      ignore: z.array(z.string().max(4096)).max(1000),
      keep: z.boolean(),
      /** true: these rules replace those of a watch that runs already; else that one's hold. */
      changeRules: z.boolean().optional(),
      /** When the command began (epoch milliseconds): what was there then is what `existing: skip` leaves out. Default: now. */
      since: z.number().optional(),
      /** Names the command that takes part; `unwatch` with the same name lets go of it alone. */
      watcher: z.string().max(100).optional(),
    }),
    /** `kept`: it was watched already, and its rules are as they were. `since`: where its line for existing files is drawn. */
    output: Folder.extend({ kept: z.boolean().optional(), since: z.number().optional() }),
  },
  /** Without `watcher` a person ends watching: what waits in the folder is taken back. */
  unwatch: { input: z.object({ folderId: id, watcher: z.string().max(100).optional() }), output: none },
  rescan: { input: z.object({ folderId: id }), output: none },
  transfers: {
    input: z.object({
      folderId: id.nullable(),
      states: z.array(TransferState).max(10),
      afterId: id,
      limit: z.number().int().min(1).max(500),
      /** Only names and paths that hold this text, whatever their case. */
      search: z.string().max(1000).optional(),
      /** true: only those whose link works. */
      linked: z.boolean().optional(),
      /** Newest first, ids below this one; `afterId` counts no more. */
      beforeId: id.optional(),
    }),
    output: z.array(Transfer),
  },
  /** The sums of watched folders, as old as two seconds while much is going on. */
  folderSums: {
    input: z.object({ folderIds: z.array(id).max(100) }),
    output: z.array(z.object({ folderId: id, sums: AuditSums })),
  },
  history: { input: none, output: History },
  /** Nothing of this folder is left to do, or only what waits for a person. */
  folderIdle: {
    /** `confirm`: the caller waits for this folder to be quiet, so that it is read once more when all seems done. Without it nothing is started. */
    input: z.object({ folderId: id, confirm: z.boolean().optional() }),
    output: z.object({ idle: z.boolean(), sums: AuditSums, waitsUntil: z.number().nullable(), reason: z.string().nullable() }),
  },
  catalog: {
    input: z.object({
      /** Held by the name, the local path or the link, whatever the case and the accents. */
      search: z.string().max(1000),
      kind: FileKind.optional(),
      /** Uploaded at or after this moment. */
      since: z.number().optional(),
      /** true: only files that nobody has downloaded yet. */
      unopened: z.boolean().optional(),
      sort: z.enum(['date', 'name', 'size', 'downloads', 'id']),
      descending: z.boolean(),
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(500),
      /** Reads the list from the service first: `need` waits for it, `cache` takes what is known. */
      fresh: z.enum(['cache', 'need']),
    }),
    output: z.object({ rows: z.array(RemoteRow), total: id, asOf: z.number().nullable() }),
  },
  /** `cached`: no request is spent where something is known already. */
  info: { input: z.object({ selector, cached: z.boolean().optional() }), output: RemoteInfo },
  links: {
    input: z.object({ selectors: z.array(selector).min(1).max(1000) }),
    /** `deleted`: it had a link once. */
    output: z.array(z.object({ selector: z.string(), row: RemoteRow.nullable(), deleted: z.boolean().optional() })),
  },
  /** What `remove` would delete, newest version first. It deletes nothing. */
  versions: {
    input: z.object({ selectors: z.array(selector).min(1).max(1000), which: WhichVersions.optional() }),
    output: z.array(
      z.object({
        selector: z.string(),
        /** Nothing is known of it, or its versions were deleted before. */
        found: z.enum(['versions', 'deleted', 'none']),
        versions: z.array(
          z.object({
            /** Null: it is not uploaded yet, and `remove` cancels it. */
            fileId: id.nullable(),
            name: z.string(),
            publicLink: z.string().nullable(),
            bytes: z.number().nullable(),
            at: z.number().nullable(),
            /** Other local files that the remote one serves. For a path, they keep it; for an id or a link, they lose it. */
            shared: z.array(z.string()),
          }),
        ),
      }),
    ),
  },
  /**
   * Deletes on the service: one item a version. A path ends its own versions only; an id or a link ends the file for all that it serves. What can't
   * be deleted for want of a connection stays queued and is deleted when there is one. `later`: all is queued, and nothing is waited for.
   */
  remove: {
    input: z.object({ selectors: z.array(selector).min(1).max(1000), which: WhichVersions.optional(), later: z.boolean().optional() }),
    output: z.array(RemovedItem),
  },
  /** Takes back deletions that were asked for and have not gone out. Null: all of them. */
  keepFiles: { input: z.object({ fileIds: ids.nullable() }), output: z.object({ count: id }) },
  stats: { input: none, output: StatsView },
  plan: { input: z.object({ paths: z.array(path).min(1).max(1000) }), output: PlanForecast },
  audit: {
    input: z.object({ path, rescan: z.boolean() }),
    output: z.object({ folder: Folder, sums: AuditSums }),
  },
  auditPage: {
    input: z.object({ folderId: id, list: AuditList.nullable(), after: z.string().nullable(), limit: z.number().int().min(1).max(500) }),
    output: z.object({ entries: z.array(AuditEntry), next: z.string().nullable() }),
  },
  /** `now`: breaks off the uploads under way as well; the answer comes once they have ended. */
  pause: { input: z.object({ now: z.boolean().optional() }).strict(), output: Snapshot },
  resume: { input: none, output: Snapshot },
  retry: { input: z.object({ ids: ids.nullable() }), output: z.object({ count: id }) },
  cancel: { input: z.object({ ids }), output: z.object({ count: id }) },
  /** A person says so: held files (a secret, a size) go out after all. */
  release: { input: z.object({ ids }), output: z.object({ count: id }) },
  sendNext: { input: z.object({ ids }), output: z.object({ count: id }) },
} as const

export type ProcedureName = keyof typeof procedures
export type Input<K extends ProcedureName> = z.infer<(typeof procedures)[K]['input']>
export type Output<K extends ProcedureName> = z.infer<(typeof procedures)[K]['output']>
/** A complete set: a missing or mistyped procedure is a compile error. */
export type Handlers = { readonly [K in ProcedureName]: (input: Input<K>) => Promise<Result<Output<K>>> }

/** What a notice is about. Its own title and hint are English, for the command line; a window says it in its own words. */
export const NoticeAbout = z.object({
  what: z.enum(['key-refused', 'no-api', 'watch-limit', 'watch-blind', 'first-download', 'journal', 'disk', 'not-deleted']),
  /** Of a file, where there is one. */
  name: z.string(),
  count: id,
})
export type NoticeAbout = z.infer<typeof NoticeAbout>

/** Everything the engine says unasked. `seq` counts from 1 without gaps; who sees a gap asks for a snapshot. */
export const EngineEvent = z.discriminatedUnion('kind', [
  z.object({ seq: id, kind: z.literal('transfers'), items: z.array(Transfer) }),
  z.object({ seq: id, kind: z.literal('progress'), progress: Progress }),
  z.object({ seq: id, kind: z.literal('state'), snapshot: Snapshot }),
  z.object({ seq: id, kind: z.literal('gate'), gate: Gate.nullable() }),
  z.object({ seq: id, kind: z.literal('folder'), folder: Folder }),
  z.object({ seq: id, kind: z.literal('catalog'), changed: id }),
  z.object({
    seq: id,
    kind: z.literal('notice'),
    level: z.enum(['info', 'warning', 'problem']),
    title: z.string(),
    hint: z.string().nullable(),
    about: NoticeAbout.optional(),
  }),
])
export type EngineEvent = z.infer<typeof EngineEvent>

/** One way to speak to an engine, wherever it runs. */
export interface EngineClient {
  call<K extends ProcedureName>(procedure: K, input: Input<K>): Promise<Result<Output<K>>>
  onEvent(listener: (event: EngineEvent) => void): () => void
  /** Called once when the engine is gone; never for an engine in this process until it is closed. */
  onClose(listener: () => void): () => void
  close(): Promise<void>
}
