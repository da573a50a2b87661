// The wire between the window and the shell: what the shell adds to the engine's contract, which of the engine's procedures a page may call
// at all, and the one numbered stream of events. A page never names a free path: files come from a dialog, a drop or the clipboard, and
// are spoken of by token or id afterwards. It holds no behaviour.
import { z } from 'zod'
import { EngineEvent, type Input, type Output, type ProcedureName, type Result } from './contract.ts'
import { Existing, FileKind, Folder, OnChange, PlanForecast, RemoteRow, Snapshot, StatsView, Transfer } from './model.ts'
import { AppSettings, LinkStyle, SettingsPatch } from './settings.ts'

/** Engine procedures that a page may call as they are: none of them takes a path or a key. */
export const WINDOW_ENGINE_PROCEDURES = [
  'snapshot',
  'presence',
  'transfers',
  'folderSums',
  'catalog',
  'stats',
  'history',
  'auditPage',
  'pause',
  'resume',
  'retry',
  'cancel',
  'sendNext',
  'keepFiles',
  'rescan',
  'unwatch',
] as const satisfies readonly ProcedureName[]
export type WindowEngineProcedure = (typeof WINDOW_ENGINE_PROCEDURES)[number]

const none = z.object({}).strict()
const token = z.string().min(1).max(100)
const id = z.number().int().nonnegative()

/** How the list is cut and ordered; the same for the grid, for copying and for deleting "all of these". */
export const ListQuery = z.object({
  search: z.string().max(1000),
  kind: FileKind.nullable(),
  since: z.number().nullable(),
  unopened: z.boolean(),
  sort: z.enum(['date', 'name', 'size', 'downloads', 'id']),
  descending: z.boolean(),
})
export type ListQuery = z.infer<typeof ListQuery>

/** Rows by id, in the order given, or index ranges of a query (both ends included). 100,000 selected rows cost one range. */
export const Selection = z.union([
  z.object({ fileIds: z.array(id).min(1).max(1000) }),
  z.object({
    query: ListQuery,
    ranges: z
      .array(z.tuple([id, id]))
      .min(1)
      .max(1000),
  }),
])
export type Selection = z.infer<typeof Selection>

export const Connection = z.object({
  /** host:port of the service; null: none known. */
  host: z.string().nullable(),
  baseUrl: z.string().nullable(),
  /** Where the key lives: `session` = in memory until Slipway quits, `environment` = given to this process; null: no key. */
  key: z.enum(['keychain', 'session', 'environment']).nullable(),
})
export type Connection = z.infer<typeof Connection>

export const Boot = z.object({
  platform: z.enum(['darwin', 'win32', 'linux', 'other']),
  version: z.string(),
  electron: z.string(),
  /** BCP 47, of the system. */
  locale: z.string(),
  settings: AppSettings,
  connection: Connection,
  /** Null until the engine answers. */
  snapshot: Snapshot.nullable(),
  /** Whether this system keeps keys; else a sentence on why not. */
  keychain: z.object({ ok: z.boolean(), message: z.string().nullable() }),
  dataDir: z.string(),
  seq: id,
})
export type Boot = z.infer<typeof Boot>

/** What a folder or a drop would mean on this plan, before anything is sent. `token` stands for its paths. */
export const Picked = z.object({ token, name: z.string(), paths: id, forecast: PlanForecast.nullable() })
export type Picked = z.infer<typeof Picked>

/** A deletion that waits for its end or for an undo. */
export const PendingDelete = z.object({ token, fileIds: z.array(id), count: id, at: z.number() })
export type PendingDelete = z.infer<typeof PendingDelete>

export const Batch = z.object({
  /** Files that were taken in: queued, and those that were up already. */
  queued: id,
  already: id,
  held: id,
  failed: id,
  ignored: id,
  /** Links that were there at once, in the order of the drop. */
  links: id,
})
export type Batch = z.infer<typeof Batch>

export const appProcedures = {
  boot: { input: none, output: Boot },
  change: { input: SettingsPatch, output: AppSettings },
  /** Proves address and key with `/stats`; saves nothing. `token` stands for the two in `adopt`. */
  connect: {
    input: z.object({ address: z.string().min(1).max(4096), key: z.string().min(1).max(4096), plainHttp: z.boolean() }),
    output: z.object({ token, host: z.string(), baseUrl: z.string(), stats: StatsView }),
  },
  /**
   * Uses what `connect` proved. Where it is another service than now, the shell asks the person first, in a dialog of the system; null: they
   * stay with the present one. `save` false: the key is kept in memory until Slipway quits.
   */
  adopt: {
    input: z.object({ token, save: z.boolean() }),
    output: z.object({ connection: Connection, snapshot: Snapshot }).nullable(),
  },
  /** Uploads held files after all. The shell asks the person first, in a dialog of the system; `count` is 0 where they decline. */
  release: { input: z.object({ ids: z.array(id).max(100_000) }), output: z.object({ count: id }) },
  /** Takes the key out of the keychain and out of memory. Uploads wait; nothing is deleted. */
  signOut: { input: none, output: Connection },

  /** Asks for a folder with the system's dialog. Null: the person thought better of it. */
  chooseFolder: { input: none, output: Picked.nullable() },
  watchPicked: {
    input: z.object({ token, existing: Existing, onChange: OnChange, ignore: z.array(z.string().max(4096)).max(1000) }),
    output: Folder,
  },
  changeFolder: { input: z.object({ folderId: id, onChange: OnChange, ignore: z.array(z.string().max(4096)).max(1000) }), output: Folder },
  openFolder: { input: z.object({ folderId: id }), output: none },

  /** Asks for files with the system's dialog and uploads them. Null: none were chosen. */
  uploadChosen: { input: z.object({ folders: z.boolean() }), output: Batch.nullable() },
  /** Uploads what is on the clipboard: files, a picture, or a text. Null: there is nothing that can be uploaded. */
  uploadClipboard: { input: none, output: Batch.nullable() },
  /** What a drop means; `uploadPicked` sends it. The paths come from the preload script, which alone can read them off a File. */
  drop: { input: z.object({ paths: z.array(z.string().min(1).max(65_536)).min(1).max(1000) }), output: Picked },
  uploadPicked: { input: z.object({ token, again: z.boolean() }), output: Batch },

  /** Writes the clipboard once. `count` links were written; `missing` rows have none yet. */
  copyLinks: {
    input: z.object({ selection: Selection, style: LinkStyle.nullable() }),
    output: z.object({ count: id, missing: id, text: z.string().max(2000) }),
  },
  /** The links of the last drop, as far as they are there. */
  copyLastDrop: {
    input: z.object({ style: LinkStyle.nullable() }),
    output: z.object({ count: id, missing: id, text: z.string().max(2000) }),
  },
  copyTransferLinks: {
    input: z.object({ ids: z.array(id).min(1).max(1000), style: LinkStyle.nullable() }),
    output: z.object({ count: id, missing: id, text: z.string().max(2000) }),
  },
  openLink: { input: z.object({ fileId: id }), output: none },
  /** All of one file, and its original looked at on the disk. `fresh` asks the service, which costs a request; else what is known serves. */
  file: {
    input: z.object({ fileId: id, fresh: z.boolean() }),
    output: z.object({
      row: RemoteRow.nullable(),
      transfers: z.array(Transfer),
      downloads: z.array(z.object({ at: z.number(), count: z.number() })),
      /** `changed`: another version stands there now. Null: it never came from here. */
      original: z.enum(['same', 'changed', 'gone']).nullable(),
      /** Can be shown as `preview/<transferId>` of this origin. */
      preview: z.boolean(),
      asOf: z.number().nullable(),
      /** The service could not be asked just now; what is shown is what was known. */
      stale: z.boolean(),
    }),
  },
  showInFolder: { input: z.object({ transferId: id }), output: none },
  /**
   * Deletes after `undoSeconds`, unless undone. A quit meanwhile deletes nothing. More than a handful at once, or within a minute, are asked about in
   * a dialog of the system first. Null: the person thought better of it.
   */
  deleteFiles: { input: z.object({ selection: Selection }), output: PendingDelete.nullable() },
  undoDelete: { input: z.object({ token }), output: none },

  /** Minutes; 0 ends it. */
  snooze: { input: z.object({ minutes: z.number().int().min(0).max(1440) }), output: AppSettings },
  openLog: { input: none, output: none },
  openData: { input: none, output: none },
  openWebsite: { input: none, output: none },
  licences: { input: none, output: z.object({ text: z.string() }) },
  quit: { input: none, output: none },
} as const

export type AppProcedureName = keyof typeof appProcedures
export type AppInput<K extends AppProcedureName> = z.infer<(typeof appProcedures)[K]['input']>
export type AppOutput<K extends AppProcedureName> = z.infer<(typeof appProcedures)[K]['output']>
/** A complete set: a missing or mistyped procedure is a compile error. */
export type AppHandlers = { readonly [K in AppProcedureName]: (input: AppInput<K>) => Promise<Result<AppOutput<K>>> }

export const View = z.enum(['files', 'transfers', 'usage', 'settings'])
export type View = z.infer<typeof View>

/** What the menu, the tray or a shortcut asks the window to do. */
export const WindowCommand = z.enum([
  'search',
  'palette',
  'upload',
  'upload-folder',
  'paste',
  'copy',
  'select-all',
  'delete',
  'details',
  'refresh',
])
export type WindowCommand = z.infer<typeof WindowCommand>

export const WindowEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('engine'), event: EngineEvent }),
  /** The engine is another one now, or the first one: everything shown is to be asked again. `up` false: it went away and is started anew. */
  z.object({ kind: z.literal('engine-state'), up: z.boolean(), snapshot: Snapshot.nullable() }),
  z.object({ kind: z.literal('settings'), settings: AppSettings }),
  z.object({ kind: z.literal('connection'), connection: Connection }),
  z.object({ kind: z.literal('go'), view: View }),
  z.object({ kind: z.literal('command'), command: WindowCommand }),
  /** Files came in by another way than this page: the dock, the tray, the command line. */
  z.object({ kind: z.literal('batch'), batch: Batch }),
  /** `asked` false: nobody clicked; a drop came to its end. */
  z.object({ kind: z.literal('copied'), count: id, fileIds: z.array(id).max(500), asked: z.boolean() }),
  z.object({ kind: z.literal('deletes'), pending: z.array(PendingDelete) }),
  z.object({ kind: z.literal('sleep'), asleep: z.boolean() }),
])
export type WindowEvent = z.infer<typeof WindowEvent>
/** What happened since the last message, in its order. `seq` counts messages from 1 without gaps for each page; who sees a gap boots again. */
export const Numbered = z.object({ seq: id, events: z.array(WindowEvent).min(1) })
export type Numbered = z.infer<typeof Numbered>

/** The channels; main and preload know no other. */
export const CHANNEL = { call: 'slipway:call', event: 'slipway:event' } as const

export type CallName = AppProcedureName | WindowEngineProcedure
export type CallInput<K extends CallName> = K extends AppProcedureName ? AppInput<K> : K extends WindowEngineProcedure ? Input<K> : never
export type CallOutput<K extends CallName> = K extends AppProcedureName ? AppOutput<K> : K extends WindowEngineProcedure ? Output<K> : never

/** All that a page sees of Slipway: three functions under `window.slipway`. */
export interface Bridge {
  /** Never rejects: what goes wrong is a failure in the result. */
  call(name: string, input: unknown): Promise<Result<unknown>>
  onEvent(listener: (numbered: unknown) => void): () => void
  /** Reads the paths off the files that a person dropped and asks what they mean on this plan. */
  drop(files: readonly unknown[]): Promise<Result<unknown>>
}
