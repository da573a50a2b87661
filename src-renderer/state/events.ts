// Keeps the store in sync with the shell and the engine. It boots the store from one response, then applies
// numbered events in order. A gap in the numbers means that events were missed, so the window boots again.

import { assertNever } from '../../src-shared/assert.ts'
import type { EngineEvent } from '../../src-shared/events.ts'
import { printable } from '../../src-shared/format.ts'
import { createFormats } from '../../src-shared/i18n/formats.ts'
import { languageOf } from '../../src-shared/i18n/language.ts'
import type { FileId, Transfer } from '../../src-shared/model.ts'
import type { Boot, Numbered, WindowEvent } from '../../src-shared/window-contract.ts'
import { IS_SHELF } from '../lib/page.ts'
import { RecentIds } from '../lib/recent-ids.ts'
import type { Words } from '../lib/words.ts'
import { forgetAccount, onAccountSwitch } from './account-switch.ts'
import { call, leaveAccount, onEvent } from './client.ts'
import { isBehindDialog } from './keyboard.ts'
import { closeNoticesAbout, closeSolvedNotices, notify, notifyIn } from './notices.ts'
import { answerLetGo, answerSaveTyped } from './page-release.ts'
import { putPlace } from './saved-place.ts'
import { appStore, go, openPalette, send, withPendingChanges } from './store.ts'
import { loadTexts, textsStore } from './texts.ts'
import { notifyUndone } from './undo.ts'
import { notifyUnseen } from './uploads.ts'

const FRESH_MS = 2400
const COPIED_MS = 2000
/** An upload that was never seen in progress counts as new if it finished less than this long ago. */
const NEW_MS = 10_000
/**
 * When the last upload ends, the snapshot without uploads arrives before the ended transfer, which is sent
 * only after it is saved. Uploads that are still in `live` this long after that snapshot are strays: their
 * transfers no longer exist.
 */
const STRAY_MS = 1000
/** Delay before another attempt to boot a window that missed events. */
const BOOT_RETRY_MS = 2000

const IN_BANNERS: ReadonlySet<string | undefined> = new Set(['key-refused', 'no-api', 'disk'])

const set = appStore.setState
const get = appStore.getState

let copiedTimer: ReturnType<typeof setTimeout> | undefined
let strayTimer: ReturnType<typeof setTimeout> | undefined

function stopStrayTimer(): void {
  clearTimeout(strayTimer)
  strayTimer = undefined
}

/**
 * Removes strays after `STRAY_MS`. Further snapshots don't restart the timer, because a scan sends several
 * per second.
 */
function startStrayTimer(): void {
  strayTimer ??= setTimeout(() => {
    strayTimer = undefined
    set({ live: new Map() })
  }, STRAY_MS)
}

function markCopied({ fileIds, count, asked, file, undo }: Extract<WindowEvent, { kind: 'copied' }>): void {
  clearTimeout(copiedTimer)
  set({ copied: { fileIds: new Set(fileIds), count, asked, file, undo } })
  copiedTimer = setTimeout(() => set({ copied: null }), COPIED_MS)
}

/**
 * IDs of the transfers that were reported as done within `NEW_MS`. A later change to one of them must not
 * highlight its row again.
 */
const lit = new RecentIds(NEW_MS)
onAccountSwitch(() => {
  lit.clear()
  clearTimeout(copiedTimer)
  stopStrayTimer()
})

function takeTransfers(items: readonly Transfer[]): void {
  const live = new Map(get().live)
  const done: FileId[] = []
  for (const item of items) {
    if (item.state === 'uploading') {
      stopStrayTimer()
      live.set(item.id, item)
    } else {
      // A small file may be finished before it is ever shown as uploading.
      const isNew =
        live.has(item.id) || (item.doneAt !== null && Date.now() - item.doneAt < NEW_MS && !lit.has(item.id))
      if (item.state === 'done' && item.ended === undefined && isNew) done.push(item.fileId ?? -item.id)
      if (item.state === 'done') lit.add(item.id, Date.now())
      live.delete(item.id)
    }
  }
  set({ live, changedTransfers: items, transfersVersion: get().transfersVersion + 1 })
  if (done.length === 0) return
  set({ fresh: new Set([...get().fresh, ...done]) })
  setTimeout(() => {
    const fresh = new Set(get().fresh)
    for (const id of done) fresh.delete(id)
    set({ fresh })
  }, FRESH_MS)
}

/**
 * Calls `run` with the texts and formats of the window's language as soon as the texts are loaded. Never
 * calls it if they can't be loaded.
 */
function withWords(run: (words: Words) => void): void {
  const { settings, boot: first } = get()
  const locale = first?.locale ?? 'en'
  const code = languageOf(settings?.language ?? 'system', locale)
  const t = textsStore.getState()[code]
  if (t === undefined)
    void loadTexts(code).then(
      () => withWords(run),
      () => undefined,
    )
  else run({ t, f: createFormats(locale.toLowerCase().startsWith(code) ? locale : code, t.time) })
}

/** Translates a notice from the engine into the window's language. */
function noticeWords(
  event: Extract<EngineEvent, { kind: 'notice' }>,
  { noticeTitles, noticeHints }: Words['t'],
): { readonly title: string; readonly hint: string | null } {
  const { about } = event
  if (about === undefined) return { title: event.title, hint: event.hint }
  const name = printable(about.name)
  const hint = noticeHints[about.what](name, about.count)
  return { title: noticeTitles[about.what](name, about.count), hint: hint === '' ? null : hint }
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
      set({ snapshot: event.snapshot })
      if (event.snapshot.counts.uploading > 0) stopStrayTimer()
      else if (get().live.size > 0) startStrayTimer()
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
      // Banners show these for as long as they last.
      if (IN_BANNERS.has(event.about?.what)) return
      withWords((words) =>
        notifyIn(
          words,
          {
            level: event.level,
            ...(event.about === undefined ? {} : { code: event.about.what, about: event.about.name }),
          },
          ({ t }) => noticeWords(event, t),
        ),
      )
      return
    default:
      assertNever(event)
  }
}

let seq = 0
let booting = false
/**
 * Whether to boot again after the current boot, whose response may be out of date because events were missed
 * or the account changed.
 */
let bootAgain = false

/** Handles the switch to another account: discards everything about the previous one. */
function takeSwitch({
  connection,
  snapshot,
  stopped,
  left,
}: Extract<WindowEvent, { kind: 'switched' }>): void {
  leaveAccount()
  forgetAccount()
  // The response of a boot in progress is about the previous account.
  if (booting) bootAgain = true
  set({
    turn: get().turn + 1,
    connection,
    snapshot,
    engineUp: snapshot !== null,
    stopped,
    live: new Map(),
    fresh: new Set(),
    copied: null,
    undo: null,
    deletes: [],
    notices: [],
    stuckDrops: [],
    pickedFolder: null,
    palette: false,
    command: null,
    catalogVersion: get().catalogVersion + 1,
    transfersVersion: get().transfersVersion + 1,
  })
  const { account } = connection
  // No notice is needed: without an account the welcome screen appears, and a trial has a banner.
  if (account == null || connection.trial === true) return
  const name = printable(left?.name ?? '')
  withWords(({ t, f }) => {
    const hint =
      left === null || left.open === 0
        ? null
        : (left.goesOn ? t.leftContinues : t.leftWaits)(left.open, f.count(left.open), name)
    notify({ topic: 'account', level: 'info', title: t.switchedTo(printable(account)), hint })
  })
  void readLive()
}

/** Reads the uploads in progress. They may have started before this page received events. */
async function readLive(): Promise<void> {
  if ((get().snapshot?.counts.uploading ?? 0) === 0) return
  const page = await call('transfers', { folderId: null, states: ['uploading'], afterId: 0, limit: 100 })
  if (page.ok) takeTransfers(page.value)
}

/**
 * Restores what the previous page left. If there was no previous page, opens the view that was open last in
 * the previous session.
 */
function takeOver({ settings, connection, place }: Boot): void {
  const { view } = get()
  set({ view: settings.place.view })
  if (place !== null) {
    putPlace(place)
    // The account was switched while there was no page, for example in the tray.
    if (get().connection?.accountId !== connection.accountId) {
      forgetAccount()
      set({ notices: [], snapshot: null })
    }
  }
  // The shell opened another view while this page was loading.
  if (view !== 'files') set({ view })
}

async function boot(): Promise<void> {
  if (booting) {
    bootAgain = true
    return
  }
  booting = true
  const got = await call('boot', IS_SHELF ? { shelf: true } : {})
  booting = false
  if (bootAgain) {
    bootAgain = false
    void boot()
    return
  }
  if (!got.ok) {
    // A window that has booted before keeps showing its state, and boots again after a delay.
    if (get().boot === null) set({ bootFailure: got.failure })
    else setTimeout(() => void boot(), BOOT_RETRY_MS)
    return
  }
  seq = Math.max(seq, got.value.seq)
  if (get().boot === null) takeOver(got.value)
  set({
    boot: got.value,
    bootFailure: null,
    settings: withPendingChanges(got.value.settings),
    connection: got.value.connection,
    accounts: got.value.accounts,
    update: got.value.update,
    snapshot: got.value.snapshot,
    engineUp: got.value.snapshot !== null,
    stopped: got.value.stopped,
    live: new Map(),
    catalogVersion: get().catalogVersion + 1,
    transfersVersion: get().transfersVersion + 1,
  })
  await readLive()
}

function takeAll({ seq: at, events }: Numbered): void {
  // After a gap, boot again, but still handle this message, because it may contain a menu command.
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
      set({
        engineUp: event.up,
        stopped: event.stopped,
        ...(event.snapshot === null ? {} : { snapshot: event.snapshot }),
      })
      if (!event.up) return
      set({
        live: new Map(),
        catalogVersion: get().catalogVersion + 1,
        transfersVersion: get().transfersVersion + 1,
      })
      void readLive()
      return
    case 'settings':
      set({ settings: withPendingChanges(event.settings) })
      return
    case 'connection':
      set({ connection: event.connection })
      return
    case 'accounts':
      set({ accounts: event.accounts })
      return
    case 'switched':
      takeSwitch(event)
      return
    case 'solved':
      closeNoticesAbout(event.what)
      return
    case 'go':
      go(event.view)
      return
    case 'command':
      if (event.command !== 'palette') send(event.command)
      else if (!isBehindDialog()) openPalette(true)
      return
    case 'copied':
      markCopied(event)
      return
    case 'undo':
      set({ undo: event.last })
      return
    case 'undone':
      withWords((words) => notifyUndone(words, event.undone))
      return
    case 'deletes':
      set({ deletes: event.pending })
      return
    case 'update':
      set({ update: event.update })
      return
    case 'keychain': {
      const { boot: booted } = get()
      if (booted !== null) set({ boot: { ...booted, keychain: event.keychain } })
      return
    }
    case 'managed': {
      const { boot: booted } = get()
      if (booted !== null) set({ boot: { ...booted, managed: event.managed } })
      return
    }
    case 'proxy-login': {
      const { boot: booted } = get()
      if (booted !== null) set({ boot: { ...booted, proxyLogin: event.proxyLogin } })
      return
    }
    case 'let-go':
      answerLetGo(seq)
      return
    case 'save-typed':
      answerSaveTyped()
      return
    case 'batch':
      withWords((words) => notifyUnseen(words, event.batch))
      return
    default:
      assertNever(event)
  }
}

/** Subscribes to the events and boots the store. Call once, before the first render. */
export function start(): void {
  closeSolvedNotices()
  onEvent(takeAll)
  void boot()
}
