// Forwards system events, such as sleep, network changes and second instances, to the parts that need them.
// `handleSystemEvents` is called once, after the window, tray and settings exist. Events of an engine go
// through its account's session (../accounts/account-session.ts).
import { app, net, powerMonitor } from 'electron'
import type { WaitReason } from '../../../src-shared/model.ts'
import type { Boot } from '../../../src-shared/window-contract.ts'
import { givenFiles } from '../intake/given-files.ts'
import type { App } from './app.ts'
import { startAgain } from './next-start.ts'

/**
 * Interval between checks of whether the network is available. Electron has no event for that, and each check
 * is cheap.
 */
const ONLINE_MS = 5000
/**
 * Interval at which the tray is refreshed, because times in it ("resumes at 14:03") become outdated even if
 * no event occurs.
 */
const REFRESH_MS = 30_000
/**
 * Interval between checks for keys that couldn't be read. patient-keychain.ts decides whether a check reads
 * the keychain again.
 */
const KEYS_MS = 60_000

/** Shortest interval between two checks when the user returns to the window, because each costs some requests. */
const RETURN_MS = 60_000
/** Waits that the user may have ended in the browser: freed space, another plan, the key made valid again. */
const RETURN_REASONS: ReadonlySet<WaitReason | undefined> = new Set<WaitReason>([
  'storage-full',
  'daily-uploads',
  'account',
])

export function handleSystemEvents(slipway: App, platform: Boot['platform']): void {
  const { accounts, settings } = slipway
  setInterval(() => slipway.refresh(), REFRESH_MS).unref()

  setInterval(() => void accounts.readKeysAgain('timer'), KEYS_MS).unref()
  // Unlocking the screen may unlock the keychain too. If it doesn't, the user is there to answer a dialog.
  // Linux has no such event.
  powerMonitor.on('unlock-screen', () => void accounts.readKeysAgain('event'))
  powerMonitor.on('resume', () => {
    void accounts.readKeysAgain('event')
    // During sleep, file changes may have gone unnoticed and connections may have died silently.
    for (const { link, store, notifier } of accounts.all()) {
      notifier.woke()
      void link.call('retry', { ids: [], automatic: true })
      for (const folder of store.snapshot()?.folders ?? []) void link.call('rescan', { folderId: folder.id })
    }
  })

  // Once the network is back, retry at once instead of waiting for the back-off to end.
  let isOnline = net.isOnline()
  setInterval(() => {
    const before = isOnline
    isOnline = net.isOnline()
    if (isOnline && !before)
      for (const { link } of accounts.all()) void link.call('retry', { ids: [], automatic: true })
  }, ONLINE_MS).unref()

  let returnedAt = Number.NEGATIVE_INFINITY
  app.on('browser-window-focus', () => {
    const now = performance.now()
    if (now - returnedAt < RETURN_MS) return
    for (const { link, store } of accounts.all()) {
      if (!RETURN_REASONS.has(store.snapshot()?.gate?.reason)) continue
      returnedAt = now
      void link.call('retry', { ids: [], automatic: true })
    }
  })

  app.on('second-instance', (_event, argv, cwd) => {
    const appPath = app.isPackaged ? null : app.getAppPath()
    const { files, hidden, action } = givenFiles({ argv, cwd, appPath, platform })
    if (slipway.isQuitting) {
      if (!hidden || files.length > 0) startAgain(slipway.paths.root)
      return
    }
    // Of several starts at once, the first may have taken everything.
    const asksForNothing = !slipway.takeHandedOver() && files.length === 0 && action === undefined
    if (asksForNothing && !hidden) slipway.show(null)
  })
  app.on('activate', () => {
    if (slipway.isQuitting) startAgain(slipway.paths.root)
    else slipway.show(null)
  })
  // On macOS, apps keep running without a window. Elsewhere, closing the window quits the app unless there is
  // a tray icon and the user wants Slipway to keep running in it.
  app.on('window-all-closed', () => {
    if (slipway.window.isLetGo()) return
    if (process.platform !== 'darwin' && (!slipway.hasTray() || !settings.read().closeToTray)) app.quit()
  })
}
