// What the system and the engine report: sleep, network, further starts, the engine's events. Each is passed to whoever shows or needs it.
// Connected once, after window, tray and settings are there.
import { app, net, powerMonitor } from 'electron'
import type { Boot } from '../../../src-shared/app.ts'
import { handedOver } from '../intake/given-files.ts'
import type { App } from './app.ts'
import { addTextMenu } from './menu.ts'

/** Electron reports no network change, so it is polled; asking costs nothing. */
const ONLINE_MS = 5000
/** Times in the tray ("resumes at 14:03") pass even if nothing happens. */
const REFRESH_MS = 30_000

export function handleSystemEvents(slipway: App, platform: Boot['platform']): void {
  const { link, store, server, notifier } = slipway
  app.on('web-contents-created', (_event, contents) => addTextMenu(contents, slipway.language().texts))
  setInterval(() => slipway.refresh(), REFRESH_MS).unref()

  powerMonitor.on('suspend', () => server.tell({ kind: 'sleep', asleep: true }))
  powerMonitor.on('resume', () => {
    server.tell({ kind: 'sleep', asleep: false })
    notifier.woke()
    // Changes during sleep went unnoticed, and connections may have died without a word.
    void link.call('retry', { ids: [] })
    for (const folder of store.snapshot()?.folders ?? []) void link.call('rescan', { folderId: folder.id })
  })

  // When a cable is plugged in again, it is tried at once, not at the end of a back-off.
  let isOnline = net.isOnline()
  setInterval(() => {
    const before = isOnline
    isOnline = net.isOnline()
    if (isOnline && !before) void link.call('retry', { ids: [] })
  }, ONLINE_MS).unref()

  // What the later start read off its own arguments: those that come with the event are Chromium's, reordered and with its switches.
  app.on('second-instance', (_event, _argv, _cwd, data) => {
    const given = handedOver(data, platform)
    if (given !== null && given.files.length > 0) void slipway.upload(given.files)
    else if (given?.hidden !== true) slipway.show(null)
  })
  app.on('activate', () => slipway.show(null))
  // The tray keeps Slipway alive; without one, closing the window quits.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && (!slipway.hasTray() || !store.settings().closeToTray)) app.quit()
  })
}

export function handleEngineEvents(slipway: App): void {
  const { link, store, server, notifier } = slipway
  link.onEvent((event) => {
    server.tell({ kind: 'engine', event })
    notifier.take(event)
  })
  link.onTell((title, hint) => {
    notifier.failure({ code: 'defect', title, hint })
    slipway.warn(title, hint)
  })
  store.onChange(() => slipway.refresh())
  store.onConnection((connection) => server.tell({ kind: 'connection', connection }))
  link.onState(({ up, failure }) => {
    if (up) {
      slipway.effects.configureEngine(store.settings())
      void link.call('presence', { person: slipway.window.isVisible() })
    }
    if (failure !== null) notifier.failure(failure)
    void link.call('snapshot', {}).then((got) => {
      server.tell({ kind: 'engine-state', up: up && got.ok, snapshot: got.ok ? got.value : null })
    })
  })
}
