// What the window knows: the last snapshot, settings, what moves right now, and two numbers that say when lists must be asked again. The
// engine is the truth; nothing here outlives a reload, and no list is kept twice. Views read it with `useApp`.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Boot, Connection, ListQuery, Numbered, PendingDelete, View, WindowCommand, WindowEvent } from '../../src-shared/app.ts'
import { assertNever } from '../../src-shared/assert.ts'
import type { EngineEvent, Failure } from '../../src-shared/contract.ts'
import { languageOf, textsOf } from '../../src-shared/i18n/texts.ts'
import type { Snapshot, Transfer } from '../../src-shared/model.ts'
import type { AppSettings, LinkStyle, SettingsPatch } from '../../src-shared/settings.ts'
import { call, onEvent } from './client.ts'

export interface Notice {
  readonly id: number
  /** A newer notice of the same topic takes the place of this one. */
  readonly topic: string
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
  readonly snapshot: Snapshot | null
  readonly engineUp: boolean
  readonly view: View
  /** Transfers on their way now, by id. */
  readonly live: ReadonlyMap<number, Transfer>
  /** Uploads that ended in the last seconds: their rows are lit once. */
  readonly fresh: ReadonlySet<number>
  readonly catalogVersion: number
  readonly transfersVersion: number
  readonly copied: { readonly fileIds: ReadonlySet<number>; readonly count: number; readonly asked: boolean } | null
  readonly deletes: readonly PendingDelete[]
  readonly notices: readonly Notice[]
  readonly palette: boolean
  /** The newest command from the menu or the tray, with a number so that the same one twice is two. */
  readonly command:
    | { readonly name: WindowCommand; readonly n: number; readonly style?: LinkStyle }
    | { readonly name: 'sort'; readonly n: number; readonly sort: ListQuery['sort']; readonly style?: undefined }
    | null
}

const FRESH_MS = 2400
const COPIED_MS = 2000
const NOTICES_MOST = 4

export const appStore = createStore<AppState>(() => ({
  boot: null,
  bootFailure: null,
  settings: null,
  connection: null,
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
  command: null,
}))

export function useApp<T>(select: (state: AppState) => T): T {
  return useStore(appStore, select)
}

const set = appStore.setState
const get = appStore.getState

let nextNotice = 1

/** A message in words; it stays until it is closed, `info` and `good` leave by themselves. */
export function notify(
  notice: Omit<Notice, 'id' | 'action' | 'topic'> & { readonly action?: Notice['action']; readonly topic?: string },
): void {
  const id = nextNotice++
  const topic = notice.topic ?? notice.title
  const others = get().notices.filter((one) => one.topic !== topic)
  set({ notices: [...others, { ...notice, topic, action: notice.action ?? null, id }].slice(-NOTICES_MOST) })
  if (notice.level === 'info' || notice.level === 'good') setTimeout(() => closeNotice(id), 6000)
}

export function closeNotice(id: number): void {
  set({ notices: get().notices.filter((one) => one.id !== id) })
}

export function go(view: View): void {
  set({ view, palette: false })
}

export function openPalette(open: boolean): void {
  set({ palette: open })
}

export function send(name: WindowCommand): void {
  set({ command: { name, n: (get().command?.n ?? 0) + 1 } })
}

/** Orders the list of files, which must be in sight; by the same column again the other way round. */
export function sortFiles(sort: ListQuery['sort']): void {
  set({ command: { name: 'sort', n: (get().command?.n ?? 0) + 1, sort } })
}

export async function change(patch: SettingsPatch): Promise<void> {
  const before = get().settings
  // Shown at once; a refusal puts the old value back.
  if (before !== null) set({ settings: { ...before, ...definite(patch) } })
  const changed = await call('change', patch)
  if (changed.ok) set({ settings: changed.value })
  else if (before !== null) set({ settings: before })
}

function definite(patch: SettingsPatch): Partial<AppSettings> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

let copiedTimer: ReturnType<typeof setTimeout> | undefined

function markCopied(fileIds: readonly number[], count: number, asked: boolean): void {
  clearTimeout(copiedTimer)
  set({ copied: { fileIds: new Set(fileIds), count, asked } })
  copiedTimer = setTimeout(() => set({ copied: null }), COPIED_MS)
}

function takeTransfers(items: readonly Transfer[]): void {
  const live = new Map(get().live)
  const done: number[] = []
  for (const item of items) {
    if (item.state === 'uploading') live.set(item.id, item)
    else {
      if (item.state === 'done' && live.has(item.id)) done.push(item.fileId ?? -item.id)
      live.delete(item.id)
    }
  }
  set({ live, transfersVersion: get().transfersVersion + 1 })
  if (done.length === 0) return
  set({ fresh: new Set([...get().fresh, ...done]) })
  setTimeout(() => {
    const fresh = new Set(get().fresh)
    for (const id of done) fresh.delete(id)
    set({ fresh })
  }, FRESH_MS)
}

/** A notice in the language of the window. */
function noticeWords(event: Extract<EngineEvent, { kind: 'notice' }>): { readonly title: string; readonly hint: string | null } {
  const { about } = event
  if (about === undefined) return { title: event.title, hint: event.hint }
  const { settings, boot: first } = get()
  const code = languageOf(settings?.language ?? 'system', first?.locale ?? 'en')
  const { noticeTitles, noticeHints } = textsOf(code)
  const hint = noticeHints[about.what](about.name, about.count)
  return { title: noticeTitles[about.what](about.name, about.count), hint: hint === '' ? null : hint }
}

function takeEngine(event: EngineEvent): void {
  const { snapshot } = get()
  switch (event.kind) {
    case 'transfers':
      takeTransfers(event.items)
      return
    case 'progress': {
      const live = new Map(get().live)
      for (const one of event.progress.active) {
        const had = live.get(one.id)
        if (had !== undefined) live.set(one.id, { ...had, sent: one.sent })
      }
      set({ live, ...(snapshot === null ? {} : { snapshot: { ...snapshot, progress: event.progress } }) })
      return
    }
    case 'state':
      set({ snapshot: event.snapshot, ...(event.snapshot.counts.uploading === 0 && get().live.size > 0 ? { live: new Map() } : {}) })
      return
    case 'gate':
      if (snapshot !== null) set({ snapshot: { ...snapshot, gate: event.gate } })
      return
    case 'folder':
      if (snapshot !== null)
        set({
          snapshot: {
            ...snapshot,
            folders: snapshot.folders.some((one) => one.id === event.folder.id)
              ? snapshot.folders.map((one) => (one.id === event.folder.id ? event.folder : one))
              : [...snapshot.folders, event.folder],
          },
        })
      return
    case 'catalog':
      set({ catalogVersion: get().catalogVersion + 1 })
      return
    case 'notice':
      notify({ level: event.level, ...noticeWords(event) })
      return
    default:
      assertNever(event)
  }
}

let seq = 0
let booting = false
/** Something was missed while an answer was on its way, which may not hold it. */
let bootAgain = false

async function boot(): Promise<void> {
  if (booting) {
    bootAgain = true
    return
  }
  booting = true
  const got = await call('boot', {})
  booting = false
  if (bootAgain) {
    bootAgain = false
    void boot()
    return
  }
  if (!got.ok) {
    set({ bootFailure: got.failure })
    return
  }
  seq = Math.max(seq, got.value.seq)
  set({
    boot: got.value,
    bootFailure: null,
    settings: got.value.settings,
    connection: got.value.connection,
    snapshot: got.value.snapshot,
    engineUp: got.value.snapshot !== null,
    live: new Map(),
    catalogVersion: get().catalogVersion + 1,
    transfersVersion: get().transfersVersion + 1,
  })
  if (got.value.snapshot !== null && got.value.snapshot.counts.uploading > 0) {
    const page = await call('transfers', { folderId: null, states: ['uploading'], afterId: 0, limit: 100 })
    if (page.ok) takeTransfers(page.value)
  }
}

function takeAll({ seq: at, events }: Numbered): void {
  // What came before this one was missed; this one was not, and a command of the menu in it is carried out.
  if (seq > 0 && at !== seq + 1) void boot()
  seq = at
  for (const event of events) take(event)
}

function take(event: WindowEvent): void {
  switch (event.kind) {
    case 'engine':
      takeEngine(event.event)
      return
    case 'engine-state':
      set({ engineUp: event.up, ...(event.snapshot === null ? {} : { snapshot: event.snapshot }) })
      if (event.up) set({ live: new Map(), catalogVersion: get().catalogVersion + 1, transfersVersion: get().transfersVersion + 1 })
      return
    case 'settings':
      set({ settings: event.settings })
      return
    case 'connection':
      set({ connection: event.connection })
      return
    case 'go':
      go(event.view)
      return
    case 'command':
      if (event.command === 'palette') openPalette(true)
      else send(event.command)
      return
    case 'copied':
      markCopied(event.fileIds, event.count, event.asked)
      return
    case 'deletes':
      set({ deletes: event.pending })
      return
    case 'batch':
    case 'sleep':
      return
    default:
      assertNever(event)
  }
}

/** Called once, before the first render. */
export function start(): void {
  onEvent(takeAll)
  void boot()
}
