// Starts the app: makes sure that only one instance runs per data folder, takes the files named on the
// command line, and creates the window, the tray icon and the event handlers.
import { join } from 'node:path'
import { app, dialog } from 'electron'
import type { Boot } from '../../../src-shared/window-contract.ts'
import type { Environment } from '../../platform/account/key-and-address.ts'
import type { BusName } from '../../platform/bus/silent-bus.ts'
import { type DataPaths, dataDir, dataPaths } from '../../platform/data/paths.ts'
import { makePrivateDir } from '../../platform/data/private-dir.ts'
import { VERSION } from '../../platform/version.ts'
import { givenFiles, refusal, remoteControlRefusal } from '../intake/given-files.ts'
import { handOver } from '../intake/handed-over.ts'
import { createTray, TRAY_MS } from '../tray/tray.ts'
import { createTrayHost, type TrayHost } from '../tray/tray-presence.ts'
import { serveWindow } from '../window/page-protocol.ts'
import { builtPath, lockSession } from '../window/window.ts'
import { App } from './app.ts'
import { startOnSystem } from './autostart.ts'
import { cannotStart } from './cannot-start.ts'
import type { Defects } from './defects.ts'
import { addTextMenu } from './menu.ts'
import { canBePassedOn, startAgain, startWithoutFiles } from './next-start.ts'
import { handleQuit } from './quitting.ts'
import { handleSystemEvents } from './system-events.ts'
import { actOnTray } from './tray-actions.ts'
import { changedFiles } from './unpacked-files.ts'

const PLATFORMS: Readonly<Record<string, Boot['platform']>> = {
  darwin: 'darwin',
  win32: 'win32',
  linux: 'linux',
}
const platform = PLATFORMS[process.platform] ?? 'other'

interface Beginning {
  readonly taken: Environment
  /** Whether the environment that the app was started with contained the key. */
  readonly isKeyInherited: boolean
  /** False if a command line switch disabled Chromium's sandbox. */
  readonly hasSandbox: boolean
  /** What in the environment was ignored for safety, in English; null if nothing was. */
  readonly ignored: string | null
  /** The D-Bus buses that didn't answer and were turned off. */
  readonly silentBuses: readonly BusName[]
  readonly defects: Defects
}

export function run(beginning: Beginning): void {
  const { taken, defects } = beginning
  const first = givenFiles({
    argv: process.argv,
    cwd: process.cwd(),
    appPath: app.isPackaged ? null : app.getAppPath(),
    platform,
  })
  // Chromium opens the port only after this script has run, so nothing may be asked or shown before the end.
  const remote = app.isPackaged ? remoteControlRefusal((name) => app.commandLine.hasSwitch(name)) : null
  const refused = remote ?? (first.refused === null ? null : refusal(first.refused))
  if (refused !== null) {
    if (remote === null && process.platform !== 'linux' && !process.stderr.isTTY)
      cannotStart('Slipway', refused, 2)
    else {
      process.stderr.write(refused)
      app.exit(2)
    }
    return
  }
  const paths = dataPaths(dataDir(process.env))
  try {
    makePrivateDir(paths.dir)
    handOver(paths.root, first)
  } catch (error) {
    cannotStart('Slipway can’t start', error instanceof Error ? error.message : String(error))
    return
  }
  // Keep Chromium's files in Slipway's data folder, so that instances with different data folders are
  // independent of each other.
  app.setPath('userData', join(paths.dir, 'window'))
  if (first.files.length > 0 && !canBePassedOn(process.argv, platform)) {
    if (taken.apiKey !== null) process.env['SLIPWAY_API_KEY'] = taken.apiKey
    startWithoutFiles(process.argv)
    return
  }
  if (!app.requestSingleInstanceLock()) {
    app.exit(0)
    return
  }
  /** Files from `open-file` events that arrive before the app can upload them. */
  const early: string[] = []
  let open = (files: readonly string[]): void => {
    early.push(...files)
  }
  app.on('open-file', (event, path) => {
    event.preventDefault()
    open([path])
  })
  const whenReady = app.whenReady().then(() => {
    checkFiles()
    const { atLogin } = startOnSystem(app, platform)
    const slipway = start(taken, paths, first.hidden || atLogin)
    tellDefects(defects, slipway)
    warnOfStart(slipway, beginning)
    open = (files) => {
      if (slipway.isQuitting) startAgain(paths.root, { files, copyLink: false })
      else slipway.take(files, false)
    }
    if (early.length > 0) open(early)
    slipway.takeHandedOver()
  })
  whenReady.catch((error: unknown) => defects.thrown(error))
}

function checkFiles(): void {
  const changed = app.isPackaged ? changedFiles(join(process.resourcesPath, 'app.asar')) : []
  if (changed.length > 0)
    throw new Error(
      `Some of Slipway's files are missing or were changed: ${changed.join(', ')}. Reinstall Slipway.`,
    )
}

function start(taken: Environment, paths: DataPaths, hidden: boolean): App {
  const slipway = new App(taken, paths, platform)
  lockSession()
  // Register this before the first window opens, because the event is emitted while a window is being
  // created.
  app.on('web-contents-created', (_event, contents) => addTextMenu(contents, () => slipway.language().texts))
  serveWindow({
    dir: builtPath('renderer'),
    preview: (id, account) => slipway.filesOf(account)?.preview(id) ?? Promise.resolve(null),
  })
  // Apply the theme before the window opens, because it sets the background colour. The engine and the window
  // start before the tray, because they load in other threads and processes.
  slipway.effects.apply(slipway.settings.read(), true)
  slipway.accounts.start()
  if (!hidden) slipway.show(null)
  const host = createTrayHost(process.env)
  const tray = createTray({
    host,
    dir: builtPath('..', 'assets', 'tray'),
    act: (action) => actOnTray(slipway, action),
    onClick: () => slipway.show(null),
    onDrop: (files) => void slipway.upload(files),
    log: (event, fields) => slipway.log.warn(event, fields),
  })
  slipway.setTray(tray)
  slipway.refresh()
  void slipway.trial.tidy()
  void slipway.fileManager.refresh()
  handleSystemEvents(slipway, platform)
  handleQuit(slipway, () => {
    for (const group of slipway.gathering.end()) startAgain(paths.root, group)
    slipway.updates.close()
    tray.close()
  })
  const { message } = slipway.settings
  if (message !== null) {
    const { title, hint } = slipway.language().texts.settingsAside
    slipway.warn(title, hint)
    slipway.log.warn('settings.set-aside', { message })
  }
  void slipway.updates.start().then(() => {
    if (slipway.updates.view().updatedFrom === null) return
    const { title, hint } = slipway.language().texts.updates.updated
    slipway.say('info', title(VERSION), hint)
  })
  if (hidden) showWithoutTray(slipway, host)
  host.onChange(() => {
    if (!host.isThere) showWithoutTray(slipway, host)
  })
  return slipway
}

/** Shows the window unless a tray appears soon. Without one, the window is the only sign that Slipway runs. */
function showWithoutTray(slipway: App, host: TrayHost): void {
  void host.within(TRAY_MS).then(() => {
    const isSeen = slipway.hasTray() || slipway.window.isOpen()
    if (!isSeen && !slipway.isQuitting) slipway.show(null)
  })
}

function tellDefects(defects: Defects, slipway: App): void {
  defects.started({
    log: (event, fields) => slipway.log.error(event, fields),
    tell: () => {
      const { title, detail } = slipway.language().texts.internalError
      return dialog.showMessageBox({
        type: 'error',
        message: title,
        detail: detail(join(slipway.paths.dir, 'window.log')),
      })
    },
  })
}

/** Warns if the way the app was started weakens its security, or if a part of the desktop is missing. */
function warnOfStart(slipway: App, beginning: Beginning): void {
  const { hasSandbox, isKeyInherited, ignored, silentBuses } = beginning
  if (ignored !== null) {
    slipway.log.warn('environment.ignored', { message: ignored })
    process.stderr.write(`slipway: ${ignored}\n`)
  }
  for (const bus of silentBuses) slipway.log.warn('bus.silent', { bus })
  if (silentBuses.includes('session')) {
    const { title, hint } = slipway.language().texts.silentBus
    slipway.warn(title, hint)
  }
  if (!hasSandbox) {
    const { title, hint } = slipway.language().texts.noSandbox
    slipway.warn(title, hint)
    slipway.log.warn('sandbox.off', {})
  }
  // On Linux, Chromium's first processes are forked before any JavaScript runs, so they have inherited the
  // key. The packages' start script avoids that.
  if (isKeyInherited && platform === 'linux') {
    const message =
      'SLIPWAY_API_KEY is also in the environment of the window’s processes. Entering the key in the window avoids that.'
    slipway.log.warn('key.environment', { message })
    process.stderr.write(`slipway: ${message}\n`)
  }
}
