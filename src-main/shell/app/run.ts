// The start of the app: one instance per data folder, files that were given at the start, then window, tray and events.
// Everything that runs afterwards is in app.ts.
import { join } from 'node:path'
import { app, dialog } from 'electron'
import type { Boot } from '../../../src-shared/app.ts'
import type { Environment } from '../../platform/identity.ts'
import { type DataPaths, dataDir, dataPaths } from '../../platform/paths.ts'
import { makePrivateDir } from '../../platform/private-dir.ts'
import { givenFiles, refusal } from '../intake/given-files.ts'
import { createTray } from '../tray/tray.ts'
import { serveWindow } from '../window/page-protocol.ts'
import { builtPath, lockSession } from '../window/window.ts'
import { App } from './app.ts'
import { tidyPasted } from './desk.ts'
import { handleQuit } from './quitting.ts'
import { handleEngineEvents, handleSystemEvents } from './system-events.ts'
import { actOnTray } from './tray-actions.ts'

const PLATFORMS: Readonly<Record<string, Boot['platform']>> = { darwin: 'darwin', win32: 'win32', linux: 'linux' }
const platform = PLATFORMS[process.platform] ?? 'other'

export function run(taken: Environment): void {
  const first = givenFiles({ argv: process.argv, cwd: process.cwd(), appPath: app.isPackaged ? null : app.getAppPath(), platform })
  if (first.refused !== null) {
    process.stderr.write(refusal(first.refused))
    if (process.platform !== 'linux' && !process.stderr.isTTY) dialog.showErrorBox('Slipway', refusal(first.refused))
    app.exit(2)
    return
  }
  const paths = dataPaths(dataDir(process.env))
  try {
    makePrivateDir(paths.dir)
  } catch (error) {
    dialog.showErrorBox('Slipway can’t start', error instanceof Error ? error.message : String(error))
    app.exit(1)
    return
  }
  // Chromium's caches lie beside Slipway's own files, so that two data folders are two independent apps.
  app.setPath('userData', join(paths.dir, 'window'))
  if (!app.requestSingleInstanceLock({ files: first.files, hidden: first.hidden })) {
    app.exit(0)
    return
  }
  /** Files that came before the app was ready to take them. */
  const early: string[] = [...first.files]
  let open = (files: readonly string[]): void => {
    early.push(...files)
  }
  app.on('open-file', (event, path) => {
    event.preventDefault()
    open([path])
  })
  void app.whenReady().then(() => {
    const slipway = start(taken, paths, first.hidden)
    open = (files) => void slipway.upload(files)
    if (early.length > 0) open(early)
  })
}

function start(taken: Environment, paths: DataPaths, hidden: boolean): App {
  const slipway = new App(taken, paths, platform)
  const { link, store, shell } = slipway
  lockSession()
  serveWindow({ dir: builtPath('renderer'), preview: (id) => shell.files.preview(id) })
  const tray = createTray({
    dir: builtPath('..', 'assets', 'tray'),
    act: (action) => actOnTray(slipway, action),
    onClick: () => slipway.show(null),
    onDrop: (files) => void slipway.upload(files),
    now: Date.now,
    log: (event, fields) => slipway.log.warn(event, fields),
  })
  slipway.setTray(tray)
  handleEngineEvents(slipway)
  slipway.effects.apply(store.settings())
  slipway.refresh()
  void tidyPasted(paths.pasted, Date.now())
  handleSystemEvents(slipway, platform)
  handleQuit(slipway, () => {
    shell.deletes.close()
    slipway.notifier.close()
    tray.close()
  })
  if (store.settingsMessage !== null) {
    const { title, hint } = slipway.language().texts.settingsAside
    slipway.warn(title, hint)
    slipway.log.warn('settings.set-aside', { message: store.settingsMessage })
  }
  link.start()
  if (!hidden || !slipway.hasTray()) slipway.show(null)
  return slipway
}
