// The state of the window: the last snapshot, the settings, the running uploads, and two version numbers that say when lists must be read again.
// The engine owns the data; nothing here outlives a reload, and no list is kept twice. Components read it with `useApp`, events.ts fills it.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { AccountInfo, Boot, Connection, ListQuery, PendingDelete, Picked, View, WindowCommand } from '../../src-shared/app.ts'
import type { Failure } from '../../src-shared/contract.ts'
import type { Snapshot, Transfer } from '../../src-shared/model.ts'
import type { AppSettings, LinkStyle, Place, SettingsPatch } from '../../src-shared/settings.ts'
import type { UpdateView } from '../../src-shared/update.ts'
import { call, setAccount } from './client.ts'
import type { NoticeCode } from './solved.ts'

export interface Notice {
  readonly id: number
  /** A newer notice of the same topic replaces this one. */
  readonly topic: string
  /** What it is about, where it leaves by itself once that is over. */
  readonly code?: NoticeCode
  readonly level: 'info' | 'good' | 'warning' | 'problem'
  readonly title: string
  readonly hint: string | null
  readonly action: { readonly label: string; readonly run: () => void } | null
}

export interface AppState {
  readonly boot: Boot | null
  readonly bootFailure: Failure | null
  readonly settings: AppSettings | null
  readonly connection: Connection | null
  readonly accounts: readonly AccountInfo[]
  readonly update: UpdateView | null
  /** Counts switches between accounts: everything that is about an account is rendered again with each. */
  readonly turn: number
  readonly snapshot: Snapshot | null
  readonly engineUp: boolean
  readonly view: View
  /** Transfers being uploaded now, by ID. */
  readonly live: ReadonlyMap<number, Transfer>
  /** File IDs of uploads that finished in the last seconds: their rows are highlighted once. */
  readonly fresh: ReadonlySet<number>
  readonly catalogVersion: number
  readonly transfersVersion: number
  readonly copied: { readonly fileIds: ReadonlySet<number>; readonly count: number; readonly asked: boolean } | null
  readonly deletes: readonly PendingDelete[]
  readonly notices: readonly Notice[]
  readonly palette: boolean
  /** A folder that was chosen to be watched, until the user has decided. */
  readonly pickedFolder: Picked | null
  /** The newest command from the menu or the tray. `n` distinguishes two equal ones. */
  readonly command:
    | { readonly name: WindowCommand; readonly n: number; readonly style?: LinkStyle }
    | { readonly name: 'sort'; readonly n: number; readonly sort: ListQuery['sort']; readonly style?: undefined }
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
  view: 'files',
  live: new Map(),
  fresh: new Set(),
  catalogVersion: 0,
  transfersVersion: 0,
  copied: null,
  deletes: [],
  notices: [],
  palette: false,
  pickedFolder: null,
  command: null,
}))

appStore.subscribe((now, before) => {
  if (now.connection !== before.connection) setAccount(now.connection?.accountId ?? null)
})

/** Renders again when the selected part of the state changes. */
export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(appStore, select)
}

const set = appStore.setState
const get = appStore.getState

/** Opens a view and closes the palette. */
export function go(view: View): void {
  set({ view, palette: false })
  // The settings are somewhere to go, not somewhere to be found again.
  if (view !== 'settings') keepPlace({ view })
}

/** Saves the view for the next start of the window. */
export function keepPlace(changed: Partial<Place>): void {
  const { settings } = get()
  if (settings === null) return
  const place = { ...settings.place, ...changed }
  if (JSON.stringify(place) !== JSON.stringify(settings.place)) void change({ place })
}

export function openPalette(open: boolean): void {
  set({ palette: open })
}

/** Sends a command to the view that is open, as the menu does. */
export function send(name: WindowCommand): void {
  set({ command: { name, n: (get().command?.n ?? 0) + 1 } })
}

/** Sorts the list of files, which must be open; by the same column again in the other direction. */
export function sortFiles(sort: ListQuery['sort']): void {
  set({ command: { name: 'sort', n: (get().command?.n ?? 0) + 1, sort } })
}

/** Changes settings: shown immediately, reverted where the shell refuses. */
export async function change(patch: SettingsPatch): Promise<void> {
  const before = get().settings
  if (before !== null) set({ settings: { ...before, ...definite(patch) } })
  const changed = await call('change', patch)
  if (changed.ok) set({ settings: changed.value })
  else if (before !== null) set({ settings: before })
}

function definite(patch: SettingsPatch): Partial<AppSettings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}
