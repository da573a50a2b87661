// The contract between the window and the shell: the shell's own procedures, the engine procedures that a
// page may call, and one numbered stream of events. A page can't send a path to upload or watch; it refers to
// files and folders by token or ID.
import { z } from 'zod/mini'
import { AccountInfo, Connection } from './account.ts'
import { KEY_LENGTH_MAX } from './api-key.ts'
import { APP_WIDE, DRAG_MOST, DROPPED_CONTENTS_MOST, VIEWS } from './choices.ts'
import { FileManagerView, ManagedEvent, ManagedSettings, ProxyLoginView, SystemSupport } from './computer.ts'
import {
  Failure,
  FailureCode,
  type Input,
  MOST_PATHS,
  type Output,
  type ProcedureName,
  procedures,
  type Result,
} from './engine-contract.ts'
import { EngineEvent, NoticeAbout } from './events.ts'
import {
  Existing,
  FileId,
  FileKind,
  Folder,
  FolderRules,
  PlanForecast,
  RemoteRow,
  Snapshot,
  StatsView,
  Transfer,
} from './model.ts'
import { AppSettings, LinkStyle, SettingsPatch } from './settings.ts'
import { UpdateAction, UpdateView } from './update.ts'

export { AccountInfo, Connection } from './account.ts'

// How the window refers to remote files when it calls the shell: by their IDs, or by ranges of rows in the
// list that a query returns. The shell reads the rows of such a range with the same query.

const id = z.int().check(z.nonnegative())

/**
 * How the list of files is filtered and sorted. Copying and deleting a whole selection use the same query.
 */
export const ListQuery = z.object({
  search: z.string().check(z.maxLength(1000)),
  kind: z.nullable(FileKind),
  since: z.nullable(z.number()),
  until: z.optional(z.number()),
  unopened: z.boolean(),
  folderId: z.nullable(id),
  sort: z.enum(['date', 'name', 'size', 'downloads', 'id']),
  descending: z.boolean(),
})
export type ListQuery = z.infer<typeof ListQuery>

/**
 * Rows by ID in the given order, or index ranges of a query (inclusive), so that 100,000 selected rows are a
 * single range. Ranges apply to the list with this `revision` (see `catalog`); an empty revision is never
 * current. If the list has changed, calls fail with `usage`, except that `copyLinks` copies the links of all
 * files that are in the list now if the user selected all (`isAll`).
 */
export const Selection = z.union([
  z.object({ fileIds: z.array(FileId).check(z.minLength(1), z.maxLength(1000)) }),
  z.object({
    query: ListQuery,
    ranges: z.array(z.tuple([id, id])).check(z.minLength(1), z.maxLength(1000)),
    isAll: z.boolean(),
    revision: z.string().check(z.maxLength(200)),
  }),
])
export type Selection = z.infer<typeof Selection>

/** Engine procedures that a page may call directly: none of them takes a path or a key. */
export const WINDOW_ENGINE_PROCEDURES = [
  'snapshot',
  'transfers',
  'folderSums',
  'auditSearch',
  'catalog',
  'stats',
  'history',
  'pause',
  'resume',
  'retry',
  'pauseFiles',
  'resumeFiles',
  'sendNext',
  'keepFiles',
  'rescan',
  'pauseFolder',
] as const satisfies readonly ProcedureName[]
export type WindowEngineProcedure = (typeof WINDOW_ENGINE_PROCEDURES)[number]

const none = z.strictObject({})
const token = z.string().check(z.minLength(1), z.maxLength(100))

export const Boot = z.object({
  platform: z.enum(['darwin', 'win32', 'linux', 'other']),
  version: z.string(),
  electron: z.string(),
  /** The system's locale, BCP 47. */
  locale: z.string(),
  settings: AppSettings,
  connection: Connection,
  accounts: z.array(AccountInfo),
  /** Null until the engine first responds, and while it is restarting. */
  snapshot: z.nullable(Snapshot),
  /** Why no engine could be started; null if one is running, starting or restarting. */
  stopped: z.nullable(Failure),
  /** Whether a keychain is available; if not, `message` says why, in English. */
  keychain: z.object({ ok: z.boolean(), message: z.nullable(z.string()) }),
  support: SystemSupport,
  update: UpdateView,
  proxyLogin: ProxyLoginView,
  dataDir: z.string(),
  managed: ManagedSettings,
  /** The view state that the previous page passed to `letGo`; null if there was none. */
  place: z.nullable(z.string()),
  seq: id,
})
export type Boot = z.infer<typeof Boot>

/**
 * A folder or dropped files that the user has picked but not yet uploaded, with a forecast under the plan's
 * limits. `token` refers to the paths.
 */
export const Picked = z.object({
  token,
  name: z.string(),
  paths: id,
  forecast: z.nullable(PlanForecast),
  /** What was dropped but is neither a file nor a picture or text. */
  unread: z.optional(z.array(z.string())),
  /**
   * Set for the folder in which the system saves screenshots. `ignore`: rules that exclude everything else;
   * empty if the folder is meant only for screenshots.
   */
  screenshots: z.optional(z.object({ ignore: z.array(z.string()) })),
})
export type Picked = z.infer<typeof Picked>

/**
 * A deletion that can be undone until `at` (epoch ms), when it is passed to the engine. `name`: the name of the
 * first file; empty if it is unknown.
 */
export const PendingDelete = z.object({
  token,
  fileIds: z.array(FileId),
  count: id,
  at: z.number(),
  name: z.string(),
})
export type PendingDelete = z.infer<typeof PendingDelete>

const undoable = {
  /**
   * `upload`: files that the user dropped, pasted or chose. `unwatch`: a folder that is no longer watched.
   * `put-away`: uploaded files that were moved. `cancel`: cancelled uploads.
   */
  what: z.enum(['delete', 'upload', 'unwatch', 'put-away', 'cancel']),
  /** The name of the first file, or of the folder. */
  name: z.string(),
  count: id,
}
/** Something that the user can undo. */
export const Undoable = z.object({ token, ...undoable })
export type Undoable = z.infer<typeof Undoable>
/**
 * What was undone, and what became of each file of an upload. `cancelled`: not sent. `checking`: perhaps sent;
 * an event `undone` says later what came of it. `deleting`: sent, and deleted after an undo period of its own.
 * `deleted`: found only after it was cancelled, and deleted. `kept`: still public, because the user declined to
 * delete it, another upload has the same link, or its ID isn't known. `redo`: the token with which this is undone
 * in turn.
 */
export const Undone = z.object({
  ...undoable,
  cancelled: id,
  checking: id,
  deleting: id,
  deleted: id,
  kept: id,
  redo: z.optional(z.nullable(token)),
})
export type Undone = z.infer<typeof Undone>

export const Batch = z.object({
  /** File counts. `queued`: added to the queue; `already`: uploaded before. */
  queued: id,
  already: id,
  held: id,
  failed: id,
  ignored: id,
  /** The first of the held files. */
  firstHeld: z.optional(Transfer),
  /** Number of links that were available immediately. */
  links: id,
  /**
   * Set if the engine failed midway. `count`: the number of paths that it hadn't confirmed, some of which may
   * be queued. `code`: why it failed.
   */
  rest: z.optional(z.object({ count: id, code: FailureCode })),
  /** Set if the user was asked about many files, and declined. All counts are 0. */
  isDeclined: z.optional(z.boolean()),
  /** Set if the queued files wait until the user resumes them. */
  isPaused: z.optional(z.boolean()),
  /** The dropped folder, if it is one that isn't watched: `watchPicked` takes its token. */
  folder: z.optional(z.object({ token, name: z.string() })),
  /** How many files aren't added yet, because they wait until the user has answered another question. */
  awaits: z.optional(id),
})
export type Batch = z.infer<typeof Batch>

/**
 * Pastes and drops that are kept until there is an API key: the number of files, and the names of the first
 * few.
 */
export const Kept = z.object({ count: id, names: z.array(z.string()).check(z.maxLength(10)) })
export type Kept = z.infer<typeof Kept>

/** Something dropped that isn't a file on this computer, such as a picture dragged out of a web page. */
const DroppedContent = z.discriminatedUnion('what', [
  z.object({ what: z.literal('text'), text: z.string() }),
  z.object({
    what: z.literal('picture'),
    name: z.string().check(z.maxLength(1000)),
    bytes: z.instanceof(Uint8Array),
  }),
])
export type DroppedContent = z.infer<typeof DroppedContent>

const Paths = z.array(z.string().check(z.minLength(1), z.maxLength(65_536))).check(z.maxLength(MOST_PATHS))
const Dropped = z.object({
  paths: Paths,
  contents: z.optional(z.array(DroppedContent).check(z.maxLength(DROPPED_CONTENTS_MOST))),
  /** The token of the same drop's earlier paths, from `dropPart`. */
  earlier: z.optional(token),
})

export const appProcedures = {
  /** `shelf`: the page of the shelf, which leaves the main window's place alone. */
  boot: { input: z.strictObject({ shelf: z.optional(z.literal(true)) }), output: Boot },
  /**
   * Replies to the event `let-go`: the page can be unloaded. `place`: the view state for the next page to
   * restore, opaque to the shell. `seq`: the number of the last event message that `place` reflects.
   */
  typedSaved: { input: none, output: none },
  letGo: { input: z.object({ seq: id, place: z.string().check(z.maxLength(4_000_000)) }), output: none },
  change: { input: SettingsPatch, output: AppSettings },
  /**
   * Checks the address and key with a request to `/stats`; saves nothing. `token` refers to both in `adopt`.
   * Before a service that no account of this computer uses gets the request, the shell asks in a system
   * dialog, unless there is no account yet; null if the user declines.
   */
  connect: {
    input: z.object({
      address: z.string().check(z.minLength(1), z.maxLength(4096)),
      key: z.string().check(z.minLength(1), z.maxLength(KEY_LENGTH_MAX)),
      plainHttp: z.boolean(),
    }),
    output: z.nullable(z.object({ token, host: z.string(), baseUrl: z.string(), stats: StatsView })),
  },
  /**
   * Adopts the connection that `connect` checked. Before changing to another service or account, the shell
   * asks in a system dialog, and returns null if the user declines. If `save` is false, the key stays in
   * memory until Slipway quits.
   */
  adopt: {
    input: z.object({ token, save: z.boolean() }),
    output: z.nullable(z.object({ connection: Connection, snapshot: Snapshot })),
  },
  /**
   * Starts a trial with a service on this computer. Fails if an account is already connected, or if a policy
   * rules it out.
   */
  startTrial: { input: none, output: none },
  /**
   * Ends the trial, after the user has confirmed in a system dialog: its links stop working, and its copies
   * of the uploaded files are deleted. `ended`: false if they decline.
   */
  endTrial: { input: none, output: z.object({ ended: z.boolean() }) },
  /** Uploads held files, after the user has confirmed in a system dialog; `count` is 0 if they decline. */
  release: {
    input: z.object({ ids: z.array(id).check(z.maxLength(100_000)) }),
    output: z.object({ count: id }),
  },
  /**
   * Removes an account's key from the keychain and from memory, so that its uploads wait, after the user has
   * confirmed in a system dialog. `account`: null for the account in the window. During a trial, this call
   * ends the trial instead. Returns null if the user declines.
   */
  signOut: {
    input: z.object({ account: z.nullable(z.string().check(z.maxLength(200))) }),
    output: z.nullable(Connection),
  },
  /**
   * Reads the key from the keychain again. The keychain may ask the user to unlock it. Fails if it still
   * can't be read.
   */
  readKeyAgain: { input: none, output: Connection },
  /** Reads the list of accounts again, because the command line may have changed it. */
  accounts: { input: none, output: z.array(AccountInfo) },
  /**
   * Shows this account in the window. The previous account's uploads continue in the background if it has a
   * key.
   */
  useAccount: { input: z.object({ account: z.string().check(z.maxLength(200)) }), output: none },
  renameAccount: {
    input: z.object({
      account: z.string().check(z.maxLength(200)),
      name: z.string().check(z.maxLength(300)),
    }),
    output: none,
  },
  /**
   * Deletes an account's key and its data on this computer, after the user has confirmed in a system dialog.
   * `removed`: false if they decline.
   */
  removeAccount: {
    input: z.object({ account: z.string().check(z.maxLength(200)) }),
    output: z.object({ removed: z.boolean() }),
  },

  /** Asks for a folder in a system dialog. Returns null if the user cancels. */
  chooseFolder: { input: none, output: z.nullable(Picked) },
  /** Picks the folder in which the system saves screenshots. Returns null if there is none. */
  pickScreenshots: { input: none, output: z.nullable(Picked) },
  /**
   * Repeats the forecast of a picked folder, without the files that these rules ignore. Null if it can't be
   * made.
   */
  planPicked: {
    input: z.extend(z.omit(FolderRules, { onChange: true }), { token }),
    output: z.nullable(PlanForecast),
  },
  /**
   * Watches a picked folder. `copy`: whether the link of each file saved in it is copied (settings,
   * `copyFolders`). The shell asks in a system dialog if the user didn't choose the folder in one, or if
   * `ignore` lacks rules of the settings. Returns null if the user declines.
   */
  watchPicked: {
    input: z.extend(FolderRules, { token, existing: Existing, copy: z.boolean() }),
    output: z.nullable(Folder),
  },
  /**
   * If the new rules may let more files be uploaded, or links may stop working, the shell asks in a system
   * dialog, and returns the folder unchanged if the user declines. `watchPicked` does the same if the folder
   * is already watched.
   */
  changeFolder: {
    input: z.extend(FolderRules, { folderId: id }),
    output: Folder,
  },
  /** Asks for the folder to which uploaded files move, in a system dialog. Returns null if the user cancels. */
  chooseTarget: { input: none, output: z.nullable(z.string()) },
  copyFromFolder: { input: z.object({ folderId: id, copy: z.boolean() }), output: none },
  /**
   * Sets whether links of saved files are copied, for all of the account's folders in `copyAsk` (settings).
   */
  answerCopies: { input: z.object({ copy: z.boolean() }), output: none },
  openFolder: { input: z.object({ folderId: id }), output: none },
  /** The rules by which files are ignored in every folder, with the reason, in English. */
  defaultRules: { input: none, output: z.array(z.object({ pattern: z.string(), why: z.string() })) },
  /** As the engine's. `undo`: the token with which the folder is watched again; null if it can't be. */
  unwatch: { input: procedures.unwatch.input, output: z.object({ undo: z.nullable(token) }) },

  /**
   * Asks for files (or, with `folders`, for folders) in a system dialog and uploads them. Returns null if the
   * user cancels.
   */
  uploadChosen: { input: z.object({ folders: z.boolean() }), output: z.nullable(Batch) },
  /**
   * Uploads the clipboard's content: files, a picture or text. With `asksForText`, the shell asks in a system
   * dialog before it uploads text. Returns null if there is none of these, or if the user declines.
   */
  uploadClipboard: { input: z.object({ asksForText: z.optional(z.boolean()) }), output: z.nullable(Batch) },
  /**
   * Lets the user take a picture of a part of the screen with the system's own tool, uploads it and copies its
   * link. Returns null if the user cancels.
   */
  takeRegion: { input: none, output: z.nullable(Batch) },
  /** Shows the shelf, a small window to drop files on, or closes it. */
  shelf: { input: z.object({ open: z.boolean() }), output: none },
  /** The newest drop, for the shelf: the first of its files, and the number of all, and of their links. */
  lastDrop: {
    input: none,
    output: z.object({ items: z.array(Transfer), count: id, links: id }),
  },
  /** Keeps the clipboard's content until there is an API key, and returns everything kept so far. */
  keepClipboard: { input: none, output: Kept },
  /**
   * Keeps dropped files until there is an API key, and returns everything kept so far. The paths come from
   * the preload script.
   */
  keepDrop: { input: Dropped, output: Kept },
  /**
   * Returns everything kept so far, including in earlier runs, except what the current trial has already
   * uploaded.
   */
  kept: { input: none, output: Kept },
  /**
   * Uploads the kept pastes. Returns null if there are none. Pastes uploaded during a trial stay kept for the
   * first account.
   */
  uploadKept: { input: none, output: z.nullable(Batch) },
  /**
   * Picks the kept drops. They stay kept until `uploadPicked` or `forgetPicked` is called. Returns null if
   * there are none.
   */
  pickKept: { input: none, output: z.nullable(Picked) },
  /**
   * Discards all kept pastes and drops, and deletes the files that Slipway wrote for the pastes, after the
   * user has confirmed in a system dialog. Returns what is still kept.
   */
  discardKept: { input: none, output: Kept },
  /**
   * Takes some paths of a drop that is too large for one message. `drop` or `keepDrop` takes the last ones
   * and handles the whole drop.
   */
  dropPart: { input: z.omit(Dropped, { contents: true }), output: z.object({ token }) },
  /**
   * Returns the forecast of a drop; `uploadPicked` uploads the files. A page can't read paths from a File,
   * but the preload script can. The shell asks in a system dialog about text, and about paths that people
   * hardly ever drag, such as hidden ones; null if the user declines, or if nothing can be uploaded.
   */
  drop: { input: Dropped, output: z.nullable(Picked) },
  /** Uploads dropped files. A folder that was picked for watching isn't uploaded. */
  uploadPicked: { input: z.object({ token, again: z.boolean() }), output: Batch },
  /**
   * Discards picked files that the user doesn't want to upload, including kept drops that `pickKept`
   * returned.
   */
  forgetPicked: { input: z.object({ token }), output: none },

  /**
   * Writes the links to the clipboard. `count`: the number of links; `missing`: the number of selected files
   * without one.
   */
  copyLinks: {
    input: z.object({ selection: Selection, style: z.nullable(LinkStyle) }),
    output: z.object({ count: id, missing: id, text: z.string().check(z.maxLength(2000)) }),
  },
  /** Copies the links of the last drop that are already available. */
  copyLastDrop: {
    input: z.object({ style: z.nullable(LinkStyle) }),
    output: z.object({ count: id, missing: id, text: z.string().check(z.maxLength(2000)) }),
  },
  copyTransferLinks: {
    input: z.object({
      ids: z.array(id).check(z.minLength(1), z.maxLength(100_000)),
      style: z.nullable(LinkStyle),
    }),
    output: z.object({ count: id, missing: id, text: z.string().check(z.maxLength(2000)) }),
  },
  openLink: { input: z.object({ fileId: FileId }), output: none },
  /**
   * Copies the QR code of the file's link as a picture, or saves it in a file that the user chooses in a system
   * dialog. `done`: false if they cancel.
   */
  qrPicture: {
    input: z.object({ fileId: FileId, to: z.enum(['clipboard', 'file']) }),
    output: z.object({ done: z.boolean() }),
  },
  /**
   * Returns everything known about one file, and the state of its original on disk. `fresh` asks the service,
   * which costs a request.
   */
  file: {
    input: z.object({ fileId: FileId, fresh: z.boolean() }),
    output: z.object({
      row: z.nullable(RemoteRow),
      transfers: z.array(Transfer),
      downloads: z.array(z.object({ at: z.number(), count: z.number() })),
      /**
       * `changed`: the file at the path has changed since its upload. `original` is null if the file wasn't
       * uploaded from this computer.
       */
      original: z.nullable(z.enum(['same', 'changed', 'gone'])),
      /** Whether a picture of the file is available at `preview/<transferId>` on the page's origin. */
      preview: z.boolean(),
      /** Whether the values are the last known ones because the request to the service failed. */
      stale: z.boolean(),
    }),
  },
  showInFolder: { input: z.object({ transferId: id }), output: none },
  /**
   * Drags the files of these transfers out of the window, those that are still on this computer as they were
   * uploaded. Call while the user drags. `missing`: the number of the others. Fails if there is none to drag.
   */
  dragFiles: {
    input: z.object({ transferIds: z.array(id).check(z.minLength(1), z.maxLength(DRAG_MOST)) }),
    output: z.object({ missing: id }),
  },
  /**
   * Deletes files after `undoSeconds` (settings), or when Slipway quits if that is earlier, unless the
   * deletion is undone. If many files are deleted at once or within a minute, the shell asks in a system
   * dialog. Returns null if the user declines, or if there is nothing to delete.
   */
  deleteFiles: { input: z.object({ selection: Selection }), output: z.nullable(PendingDelete) },
  /**
   * Undoes what the token refers to, or what can be undone and happened last if it is null. If an upload has
   * been sent, its files are deleted as by `deleteFiles`, unless the user declines. Returns null if there is
   * nothing to undo.
   */
  undo: { input: z.object({ token: z.nullable(token) }), output: z.nullable(Undone) },
  /**
   * Cancels uploads. `undone`: what became of them, and how that is undone; null if all had ended. `uploaded`: the
   * number of those that had been uploaded by then.
   */
  cancel: {
    input: z.object({ ids: z.array(id).check(z.maxLength(100_000)) }),
    output: z.object({ uploaded: id, undone: z.nullable(Undone) }),
  },
  /**
   * Lists duplicates of Slipway's own uploads that were left on the service, because another client writes to
   * this account too. Reads only the journal. `folderId`: the watched folder that the file belongs to; null
   * if it was uploaded directly, or if its folder is no longer watched.
   */
  secondCopies: {
    input: none,
    output: z.array(
      z.object({
        folderId: z.nullable(id),
        fileId: FileId,
        name: z.string(),
        publicLink: z.nullable(z.string()),
      }),
    ),
  },

  /** Snoozes notifications for this many minutes; 0 ends the snooze. */
  snooze: { input: z.object({ minutes: z.int().check(z.minimum(0), z.maximum(1440)) }), output: AppSettings },
  /**
   * Performs an update action; `update` events report progress. A page can't choose the version, the address
   * or a file.
   */
  update: { input: z.object({ action: UpdateAction }), output: UpdateView },
  /**
   * Stores the login for a proxy in the keychain, or in memory if that fails; an empty name and password
   * remove it.
   */
  proxyLogin: {
    input: z.object({
      proxy: z.string().check(z.minLength(1), z.maxLength(2000)),
      name: z.string().check(z.maxLength(255)),
      password: z.string().check(z.maxLength(255)),
    }),
    output: ProxyLoginView,
  },
  /** Adds "Upload and copy link" to the file managers' menus, or removes it; null only reads the state. */
  fileManager: { input: z.object({ on: z.nullable(z.boolean()) }), output: FileManagerView },
  openLog: { input: none, output: none },
  openData: { input: none, output: none },
  openWebsite: { input: none, output: none },
  licences: { input: none, output: z.object({ text: z.string() }) },
  /** A report for a request for help, without the key, links or the content of files. */
  diagnostics: { input: none, output: z.object({ text: z.string() }) },
  /** Saves the report that `diagnostics` returned last, where the user chooses. False if they decline. */
  saveDiagnostics: { input: none, output: z.object({ saved: z.boolean() }) },
  quit: { input: none, output: none },
} as const

export type AppProcedureName = keyof typeof appProcedures

// Compiles only if all names in APP_WIDE are procedures of the shell.
APP_WIDE satisfies readonly AppProcedureName[]
export type AppInput<K extends AppProcedureName> = z.infer<(typeof appProcedures)[K]['input']>
export type AppOutput<K extends AppProcedureName> = z.infer<(typeof appProcedures)[K]['output']>
/** A complete set: a missing or mistyped procedure is a compile error. */
export type AppHandlers = {
  readonly [K in AppProcedureName]: (input: AppInput<K>) => Promise<Result<AppOutput<K>>>
}

export const View = z.enum(VIEWS)
export type View = z.infer<typeof View>

/** Commands that the menu, the tray or a keyboard shortcut sends to the window. */
export const WindowCommand = z.enum([
  'search',
  'palette',
  'upload',
  'upload-folder',
  'paste',
  'copy',
  'open',
  'select-all',
  'delete',
  'undo',
  'details',
  'refresh',
  'add-account',
  'manage-accounts',
  'updates',
  'shortcuts',
])
export type WindowCommand = z.infer<typeof WindowCommand>

export const WindowEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('engine'), event: EngineEvent }),
  /**
   * `up`: true if a new engine is running, so that the page must fetch everything again; false if the engine
   * has stopped. In that case, either the shell is restarting the engine, or `stopped` says why it couldn't
   * be started.
   */
  z.object({
    kind: z.literal('engine-state'),
    up: z.boolean(),
    snapshot: z.nullable(Snapshot),
    stopped: Boot.shape.stopped,
  }),
  z.object({ kind: z.literal('settings'), settings: AppSettings }),
  z.object({ kind: z.literal('connection'), connection: Connection }),
  z.object({ kind: z.literal('accounts'), accounts: z.array(AccountInfo) }),
  /**
   * The window now shows another account; earlier events were about the previous one. `left`: the previous
   * account's name and its number of open files, which continue in the background if it goes on; null if no
   * account was shown.
   */
  z.object({
    kind: z.literal('switched'),
    connection: Connection,
    snapshot: z.nullable(Snapshot),
    stopped: Boot.shape.stopped,
    left: z.nullable(z.object({ name: z.string(), open: id, goesOn: z.boolean() })),
  }),
  /** A problem that doesn't show in snapshots has been solved. The page closes the notice about it. */
  z.object({ kind: z.literal('solved'), what: NoticeAbout.shape.what }),
  z.object({ kind: z.literal('go'), view: View }),
  z.object({ kind: z.literal('command'), command: WindowCommand }),
  /** Files were added from outside this page, for example by the tray, the dock or a file manager. */
  z.object({ kind: z.literal('batch'), batch: Batch }),
  /**
   * `asked`: false if the links were copied automatically (after a drop, or for files saved in a watched
   * folder) and not on request. `file`: the first one. `undo`: the token with which the upload of these files
   * can be undone; null if it can't, or if the links were copied on request.
   */
  z.object({
    kind: z.literal('copied'),
    count: id,
    fileIds: z.array(FileId).check(z.maxLength(500)),
    asked: z.boolean(),
    file: z.object({ fileId: z.nullable(FileId), transferId: z.nullable(id), name: z.string() }),
    undo: z.nullable(token),
  }),
  /** What `undo` undoes next; null if there is nothing. */
  z.object({ kind: z.literal('undo'), last: z.nullable(Undoable) }),
  /** What came of files of which it wasn't known whether they had been sent when their upload was undone. */
  z.object({ kind: z.literal('undone'), undone: Undone }),
  z.object({ kind: z.literal('deletes'), pending: z.array(PendingDelete) }),
  /** The window has been hidden for a while. If the page can be unloaded, it calls `letGo`. */
  z.object({ kind: z.literal('let-go') }),
  /** Slipway is about to quit. The page saves what is being typed, and then calls `typedSaved`. */
  z.object({ kind: z.literal('save-typed') }),
  z.object({ kind: z.literal('update'), update: UpdateView }),
  z.object({ kind: z.literal('keychain'), keychain: Boot.shape.keychain }),
  ManagedEvent,
  z.object({ kind: z.literal('proxy-login'), proxyLogin: ProxyLoginView }),
])
export type WindowEvent = z.infer<typeof WindowEvent>
/**
 * Events since the last message, in order. `seq` counts the app's messages to all of its pages without gaps.
 * A page starts at the number in `Boot`; after a gap, it calls `boot` again.
 */
export const Numbered = z.object({ seq: id, events: z.array(WindowEvent).check(z.minLength(1)) })
export type Numbered = z.infer<typeof Numbered>

/** The only channels between the main process and the preload script. */
export const CHANNEL = { call: 'slipway:call', event: 'slipway:event' } as const

export type CallName = AppProcedureName | WindowEngineProcedure
export type CallInput<K extends CallName> = K extends AppProcedureName
  ? AppInput<K>
  : K extends WindowEngineProcedure
    ? Input<K>
    : never
export type CallOutput<K extends CallName> = K extends AppProcedureName
  ? AppOutput<K>
  : K extends WindowEngineProcedure
    ? Output<K>
    : never

/** The page's only access to Slipway: four functions under `window.slipway`. */
export interface Bridge {
  /**
   * Never rejects: errors are returned as failures. `account`: ID of the account that the page shows, null if
   * none is known. Calls with the ID of an account that is no longer in the window are refused, except those
   * in APP_WIDE.
   */
  call(name: string, input: unknown, account: string | null): Promise<Result<unknown>>
  onEvent(listener: (numbered: unknown) => void): () => void
  /**
   * Reads the paths of dropped files, and the content of those without one, and resolves to the drop's
   * forecast, a `Picked`. `text`: what was dropped instead of files.
   */
  drop(files: readonly unknown[], text?: string): Promise<Result<unknown>>
  /** Keeps what was dropped until there is an API key, and resolves to everything kept so far, a `Kept`. */
  keep(files: readonly unknown[], text?: string): Promise<Result<unknown>>
}
