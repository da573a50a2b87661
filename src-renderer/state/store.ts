// The state of the window, such as the last snapshot, the settings and the running uploads. The engine owns
// the lists of files and transfers; a version number for each changes when the list must be read again.
// Components read the state with `useApp`; events.ts keeps it up to date. When the page is unloaded, saved-place.ts
// hands part of the state over to the next page.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Failure } from '../../src-shared/engine-contract.ts'
import { mayHaveKey } from '../../src-shared/key-state.ts'
import type { FileId, Snapshot, Transfer } from '../../src-shared/model.ts'
import type { AppSettings, LinkStyle, Place, SettingsPatch } from '../../src-shared/settings.ts'
import type { NoticeCode } from '../../src-shared/solved.ts'
import type { UpdateView } from '../../src-shared/update.ts'
import type {
  AccountInfo,
  Boot,
  Connection,
  ListQuery,
  PendingDelete,
  Picked,
  Undoable,
  View,
  WindowCommand,
  WindowEvent,
} from '../../src-shared/window-contract.ts'
import type { Words } from '../lib/words.ts'
import { call, setAccount } from './client.ts'
import { keepInPlace } from './saved-place.ts'

/** What a notice about files shows and offers. */
export interface NoticeCard {
  /** The first file or folder. */
  readonly name: string
  readonly count: number
  readonly fileId: FileId | null
  /** The transfer whose original provides the picture; null if there is none. */
  readonly transferId: number | null
  /** The files whose links "Copy as" copies; empty if it isn't offered. */
  readonly fileIds: readonly FileId[]
  /** The token with which it can be undone; null if it can't. */
  readonly undo: string | null
}

export interface Notice {
  readonly id: number
  /** A newer notice with the same topic replaces this one. */
  readonly topic: string
  /** The problem that the notice is about. Set if the notice should disappear once the problem is solved. */
  readonly code?: NoticeCode
  /** What of that kind has the problem, such as a folder. */
  readonly about?: string
  /**
   * `good`: links were copied. Only the newest of these notices is shown, because the clipboard contains only
   * its links.
   */
  readonly level: 'info' | 'good' | 'warning' | 'problem'
  readonly title: string
  readonly hint: string | null
  /**
   * Returns title and hint in any language. Without it, a notice isn't translated when the window's language
   * changes.
   */
  readonly say?: (words: Words) => Pick<Notice, 'title' | 'hint'>
  readonly action: { readonly label: string; readonly run: () => void } | null
  /** Set if the notice is about files that can be acted on. Its title then says what happened to them. */
  readonly card?: NoticeCard
}

/** A file to select in the list; `name` finds it if its row isn't in memory. */
export interface RevealedFile {
  readonly fileId: FileId
  readonly name: string
}

export interface AppState {
  readonly boot: Boot | null
  readonly bootFailure: Failure | null
  readonly settings: AppSettings | null
  readonly connection: Connection | null
  readonly accounts: readonly AccountInfo[]
  readonly update: UpdateView | null
  /**
   * Incremented with each account switch. Used as a React key, so that no view keeps the state of the
   * previous account.
   */
  readonly turn: number
  readonly snapshot: Snapshot | null
  readonly engineUp: boolean
  /** Why no engine could be started; null if one is running, starting or restarting. */
  readonly stopped: Failure | null
  readonly view: View
  /** Transfers that are being uploaded now, by ID. */
  readonly live: ReadonlyMap<number, Transfer>
  /**
   * File IDs of uploads that have just finished, to highlight their rows once. Without a file ID: the
   * transfer's ID, negated.
   */
  readonly fresh: ReadonlySet<FileId>
  readonly catalogVersion: number
  readonly transfersVersion: number
  /**
   * The transfers in the last `transfers` event. If `transfersVersion` changes but this array doesn't, it
   * isn't known which transfers changed.
   */
  readonly changedTransfers: readonly Transfer[]
  readonly copied: {
    readonly fileIds: ReadonlySet<FileId>
    readonly count: number
    readonly asked: boolean
    readonly file: Extract<WindowEvent, { kind: 'copied' }>['file']
    readonly undo: string | null
  } | null
  /** What Ctrl+Z undoes; null if there is nothing. */
  readonly undo: Undoable | null
  readonly deletes: readonly PendingDelete[]
  readonly notices: readonly Notice[]
  /**
   * A text that screen readers announce but that isn't shown as a notice. `id` distinguishes two identical
   * texts.
   */
  readonly announcement: { readonly id: number; readonly text: string } | null
  readonly palette: boolean
  /** Whether the dialog for the proxy settings is open. */
  readonly proxyDialog: boolean
  /** Whether the dialog for the custom format of copied links is open. */
  readonly templateDialog: boolean
  /** Whether the list of shortcuts is open. */
  readonly shortcutsDialog: boolean
  /** Drops that couldn't be recorded because of the disk, and are tried again; see drop-overlay.tsx. */
  readonly stuckDrops: readonly Picked[]
  /** The ID of the watched folder whose rules are shown in a dialog; null if none are. */
  readonly rulesOf: number | null
  /** The folder that the user has chosen to watch, until the choice is confirmed or cancelled. */
  readonly pickedFolder: Picked | null
  /**
   * The latest command from the menu, the tray, the palette or a shortcut. `n` distinguishes two identical
   * ones.
   */
  readonly command:
    | { readonly name: WindowCommand; readonly n: number; readonly style?: LinkStyle }
    | {
        readonly name: 'sort'
        readonly n: number
        readonly sort: ListQuery['sort']
        readonly style?: undefined
      }
    | {
        readonly name: 'reveal'
        readonly n: number
        readonly file: RevealedFile
        readonly style?: undefined
      }
    | {
        readonly name: 'find'
        readonly n: number
        readonly search: string
        readonly style?: undefined
      }
    | null
}

export const appStore = createStore<AppState>(() => ({
  boot: null,
  bootFailure: null,
  settings: null,
  connection: null,
  accounts: [],
  update: null,
  turn: 0,
  snapshot: null,
  engineUp: false,
  stopped: null,
  view: 'files',
  live: new Map(),
  fresh: new Set(),
  catalogVersion: 0,
  transfersVersion: 0,
  changedTransfers: [],
  copied: null,
  undo: null,
  deletes: [],
  notices: [],
  announcement: null,
  palette: false,
  proxyDialog: false,
  templateDialog: false,
  shortcutsDialog: false,
  stuckDrops: [],
  rulesOf: null,
  pickedFolder: null,
  command: null,
}))

appStore.subscribe((now, before) => {
  if (now.connection !== before.connection) setAccount(now.connection?.accountId ?? null)
})

/** Subscribes to the selected part of the state. */
export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(appStore, select)
}

export function isConnected({ connection, settings }: AppState): boolean {
  return connection !== null && mayHaveKey(connection, settings?.welcomed === true)
}

const set = appStore.setState
const get = appStore.getState

// The next page compares this snapshot with its first new one, to close notices whose cause was solved in the
// meantime.
keepInPlace('window', {
  take: () => ({ view: get().view, connection: get().connection, snapshot: get().snapshot }),
  put: (left) => set(left),
})

/** Opens a view and closes the palette. */
export function go(view: View): void {
  set({ view, palette: false })
  // The settings view isn't restored at the next start.
  if (view !== 'settings') keepPlace({ view })
}

/**
 * Changes these fields of the saved place (`settings.place`), which the window restores at the next start.
 */
export function keepPlace(changed: Partial<Place>): void {
  const { settings } = get()
  if (settings === null) return
  const place = { ...settings.place, ...changed }
  if (JSON.stringify(place) !== JSON.stringify(settings.place)) void change({ place })
}

export function openPalette(open: boolean): void {
  set({ palette: open })
}

export function openProxyDialog(open: boolean): void {
  set({ proxyDialog: open })
}

export function openShortcuts(open: boolean): void {
  set({ shortcutsDialog: open })
}

/** Opens the dialog with the rules of this folder; null closes it. */
export function openFolderRules(rulesOf: number | null): void {
  set({ rulesOf })
}

export function openTemplateDialog(open: boolean): void {
  set({ templateDialog: open })
}

/**
 * Sends a command to the current view, as the menu does. `style`: the style of copied links, if it isn't the
 * one from the settings.
 */
export function send(name: WindowCommand, style?: LinkStyle): void {
  set({ command: { name, n: (get().command?.n ?? 0) + 1, ...(style === undefined ? {} : { style }) } })
}

/** Sorts the list of files, which must be open. Sorting by the same column again reverses the order. */
export function sortFiles(sort: ListQuery['sort']): void {
  set({ command: { name: 'sort', n: (get().command?.n ?? 0) + 1, sort } })
}

/** Opens the list of files, selects this file and shows its details. */
export function revealFile(file: RevealedFile): void {
  go('files')
  // The view must be mounted before it can receive the command.
  setTimeout(() => set({ command: { name: 'reveal', n: (get().command?.n ?? 0) + 1, file } }))
}

/** Opens the list of files with this search. */
export function showInFiles(search: string): void {
  go('files')
  setTimeout(() => set({ command: { name: 'find', n: (get().command?.n ?? 0) + 1, search } }))
}

/** Makes this format the first under "Copy as" for this number of files. */
export function rememberStyle(count: number, style: LinkStyle): void {
  const { settings } = get()
  if (settings === null) return
  void change({ copyStyles: { ...settings.copyStyles, [count === 1 ? 'row' : 'selection']: style } })
}

/** Changes to the settings that are in flight to the shell, in order. */
const pendingChanges = new Set<Partial<AppSettings>>()
/** The settings that the shell reported last. */
let confirmed: AppSettings | null = null

/**
 * Returns `settings`, as the shell reported them, with the changes that are still in flight. Without these,
 * the result of one change would undo a later change in the window.
 */
export function withPendingChanges(settings: AppSettings): AppSettings {
  confirmed = settings
  return Object.assign({ ...settings }, ...pendingChanges)
}

/**
 * Changes settings. The window shows the change immediately and reverts it if the shell refuses. Resolves to
 * the settings as the shell reported them, without later changes; null if none are known.
 */
export async function change(patch: SettingsPatch): Promise<AppSettings | null> {
  const changing = carryOutChange(patch)
  lastChange = changing
  return changing
}

let lastChange: Promise<unknown> = Promise.resolve()

/**
 * Resolves once the shell has carried out or refused all changes so far, about some of which it asks in a
 * system dialog.
 */
export async function changesSettled(): Promise<void> {
  await lastChange
}

async function carryOutChange(patch: SettingsPatch): Promise<AppSettings | null> {
  const mine = definite(patch)
  const { settings } = get()
  confirmed ??= settings
  pendingChanges.add(mine)
  if (settings !== null) set({ settings: { ...settings, ...mine } })
  const changed = await call('change', patch)
  pendingChanges.delete(mine)
  const now = changed.ok ? changed.value : confirmed
  if (now !== null) set({ settings: withPendingChanges(now) })
  return now
}

function definite(patch: SettingsPatch): Partial<AppSettings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}
