// The contract between the window and the shell: the procedures that the shell adds to the engine's, the engine's procedures that a page may
// call, and one numbered stream of events. A page never passes a path of its own choice: files come from a dialog, a drop or the clipboard,
// and are referred to by token or ID from then on.
import { z } from 'zod'
import { EngineEvent, type Input, type Output, type ProcedureName, type Result } from './contract.ts'
import { Existing, FileKind, Folder, OnChange, PlanForecast, RemoteRow, Snapshot, StatsView, Transfer } from './model.ts'
import { AppSettings, LinkStyle, SettingsPatch } from './settings.ts'

/** Engine procedures that a page may call directly: none of them takes a path or a key. */
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

/** How the list of files is filtered and sorted. Copying and deleting "all of these" use the same query as the list. */
export const ListQuery = z.object({
  search: z.string().max(1000),
  kind: FileKind.nullable(),
  since: z.number().nullable(),
  unopened: z.boolean(),
  sort: z.enum(['date', 'name', 'size', 'downloads', 'id']),
  descending: z.boolean(),
})
export type ListQuery = z.infer<typeof ListQuery>

/** Rows by ID, in the order given, or index ranges of a query (both ends included), so that 100,000 selected rows are one range. */
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
  /** `host:port` of the service. Null: not known. */
  host: z.string().nullable(),
  baseUrl: z.string().nullable(),
  /** Where the API key is kept. `session`: in memory until Slipway quits. `environment`: in an environment variable. Null: no key. */
  key: z.enum(['keychain', 'session', 'environment']).nullable(),
})
export type Connection = z.infer<typeof Connection>

export const Boot = z.object({
  platform: z.enum(['darwin', 'win32', 'linux', 'other']),
  version: z.string(),
  electron: z.string(),
  /** The system's locale, BCP 47. */
  locale: z.string(),
  settings: AppSettings,
  connection: Connection,
  /** Null until the engine's first answer. */
  snapshot: Snapshot.nullable(),
  /** Whether a keychain is available; where it isn't, `message` says why, in English. */
  keychain: z.object({ ok: z.boolean(), message: z.string().nullable() }),
  dataDir: z.string(),
  seq: id,
})
export type Boot = z.infer<typeof Boot>

/** A chosen folder or a drop, with its forecast on this plan, before anything is sent. `token` refers to its paths. */
export const Picked = z.object({ token, name: z.string(), paths: id, forecast: PlanForecast.nullable() })
export type Picked = z.infer<typeof Picked>

/** A deletion that can still be undone; it is carried out at `at` (epoch ms). */
export const PendingDelete = z.object({ token, fileIds: z.array(id), count: id, at: z.number() })
export type PendingDelete = z.infer<typeof PendingDelete>

export const Batch = z.object({
  /** New in the queue; `already`: uploaded before. */
  queued: id,
  already: id,
  held: id,
  failed: id,
  ignored: id,
  /** How many links were available immediately. */
  links: id,
})
export type Batch = z.infer<typeof Batch>

export const appProcedures = {
  boot: { input: none, output: Boot },
  change: { input: SettingsPatch, output: AppSettings },
  /** Checks address and key with a request for `/stats`; saves nothing. `token` refers to the two in `adopt`. */
  connect: {
    input: z.object({ address: z.string().min(1).max(4096), key: z.string().min(1).max(4096), plainHttp: z.boolean() }),
    output: z.object({ token, host: z.string(), baseUrl: z.string(), stats: StatsView }),
  },
  /**
   * Adopts the connection that `connect` checked. The shell confirms a change of service in a system dialog and returns null if the user
   * declines. If `save` is false, the key stays in memory until Slipway quits.
   */
  adopt: {
    input: z.object({ token, save: z.boolean() }),
    output: z.object({ connection: Connection, snapshot: Snapshot }).nullable(),
  },
  /** Uploads held files, after the user has agreed in a system dialog; `count` is 0 where they decline. */
  release: { input: z.object({ ids: z.array(id).max(100_000) }), output: z.object({ count: id }) },
  /** Removes the key from the keychain and from memory. Uploads wait; nothing is deleted. */
  signOut: { input: none, output: Connection },

  /** Asks for a folder with the system's dialog. Null: cancelled. */
  chooseFolder: { input: none, output: Picked.nullable() },
  watchPicked: {
    input: z.object({ token, existing: Existing, onChange: OnChange, ignore: z.array(z.string().max(4096)).max(1000) }),
    output: Folder,
  },
  changeFolder: { input: z.object({ folderId: id, onChange: OnChange, ignore: z.array(z.string().max(4096)).max(1000) }), output: Folder },
  openFolder: { input: z.object({ folderId: id }), output: none },

  /** Asks for files with the system's dialog and uploads them. Null: cancelled. */
  uploadChosen: { input: z.object({ folders: z.boolean() }), output: Batch.nullable() },
  /** Uploads the content of the clipboard: files, a picture or a text. Null: none of these. */
  uploadClipboard: { input: none, output: Batch.nullable() },
  /** The forecast of a drop; `uploadPicked` uploads it. The paths come from the preload script, since a page can't read them from a File. */
  drop: { input: z.object({ paths: z.array(z.string().min(1).max(65_536)).min(1).max(1000) }), output: Picked },
  uploadPicked: { input: z.object({ token, again: z.boolean() }), output: Batch },

  /** Writes the links to the clipboard. `count`: how many; `missing`: rows that have no link yet. */
  copyLinks: {
    input: z.object({ selection: Selection, style: LinkStyle.nullable() }),
    output: z.object({ count: id, missing: id, text: z.string().max(2000) }),
  },
  /** Copies the links of the last drop that are available. */
  copyLastDrop: {
    input: z.object({ style: LinkStyle.nullable() }),
    output: z.object({ count: id, missing: id, text: z.string().max(2000) }),
  },
  copyTransferLinks: {
    input: z.object({ ids: z.array(id).min(1).max(1000), style: LinkStyle.nullable() }),
    output: z.object({ count: id, missing: id, text: z.string().max(2000) }),
  },
  openLink: { input: z.object({ fileId: id }), output: none },
  /** Everything known of one file, and the state of its original on disk. `fresh` asks the service, which costs a request. */
  file: {
    input: z.object({ fileId: id, fresh: z.boolean() }),
    output: z.object({
      row: RemoteRow.nullable(),
      transfers: z.array(Transfer),
      downloads: z.array(z.object({ at: z.number(), count: z.number() })),
      /** `changed`: the path has another version now. Null: not uploaded from this computer. */
      original: z.enum(['same', 'changed', 'gone']).nullable(),
      /** Whether `preview/<transferId>` of this origin shows it. */
      preview: z.boolean(),
      asOf: z.number().nullable(),
      /** True where the service could not be asked; the values are the last known ones. */
      stale: z.boolean(),
    }),
  },
  showInFolder: { input: z.object({ transferId: id }), output: none },
  /**
   * Deletes after `undoSeconds`, unless undone; quitting before that deletes nothing. Before many deletions at once, or within a minute, the shell
   * asks in a system dialog. Null: declined.
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

/** A command of the menu, the tray or a shortcut that the window carries out. */
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
  /** A new engine runs, so everything shown has to be read again. `up` false: it stopped and is being restarted. */
  z.object({ kind: z.literal('engine-state'), up: z.boolean(), snapshot: Snapshot.nullable() }),
  z.object({ kind: z.literal('settings'), settings: AppSettings }),
  z.object({ kind: z.literal('connection'), connection: Connection }),
  z.object({ kind: z.literal('go'), view: View }),
  z.object({ kind: z.literal('command'), command: WindowCommand }),
  /** Files were added elsewhere than in this page: the dock, the tray, the command line. */
  z.object({ kind: z.literal('batch'), batch: Batch }),
  /** `asked` false: copied automatically at the end of a drop, not by a click. */
  z.object({ kind: z.literal('copied'), count: id, fileIds: z.array(id).max(500), asked: z.boolean() }),
  z.object({ kind: z.literal('deletes'), pending: z.array(PendingDelete) }),
  z.object({ kind: z.literal('sleep'), asleep: z.boolean() }),
])
export type WindowEvent = z.infer<typeof WindowEvent>
/** Events since the last message, in order. `seq` counts messages from 1 without gaps for each page; after a gap the page boots again. */
export const Numbered = z.object({ seq: id, events: z.array(WindowEvent).min(1) })
export type Numbered = z.infer<typeof Numbered>

/** The only channels between the main process and the preload script. */
export const CHANNEL = { call: 'slipway:call', event: 'slipway:event' } as const

export type CallName = AppProcedureName | WindowEngineProcedure
export type CallInput<K extends CallName> = K extends AppProcedureName ? AppInput<K> : K extends WindowEngineProcedure ? Input<K> : never
export type CallOutput<K extends CallName> = K extends AppProcedureName ? AppOutput<K> : K extends WindowEngineProcedure ? Output<K> : never

/** The page's whole access to Slipway: three functions under `window.slipway`. */
export interface Bridge {
  /** Never rejects: errors are failures in the result. */
  call(name: string, input: unknown): Promise<Result<unknown>>
  onEvent(listener: (numbered: unknown) => void): () => void
  /** Reads the paths of dropped files and resolves to their forecast, a `Picked`. */
  drop(files: readonly unknown[]): Promise<Result<unknown>>
}
