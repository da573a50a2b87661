// Connects the updater to Electron: determines who updates this installation, passes on the app's proxy, and
// starts the installer, or the new or previous version, once this process has quit. The network part is
// loaded for the first check, not at start-up.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, autoUpdater } from 'electron'
import type { UpdateView } from '../../../src-shared/update.ts'
import type { ProxyLoginSource } from '../../api/types.ts'
import { currentPolicy } from '../../platform/data/policy.ts'
import { after } from '../../platform/time.ts'
import { VERSION } from '../../platform/version.ts'
import { JsonFile } from '../app/json-file.ts'
import { systemSession } from '../window/window.ts'
import { runProgram } from './authenticode.ts'
import { createInstaller } from './installer.ts'
import { leaveToInstaller, startAtEnd, startProgram } from './restart.ts'
import { UpdateMemory } from './saved-state.ts'
import { whoUpdates } from './source.ts'
import { REAL_DISK } from './update-disk.ts'
import { Updater } from './updater.ts'

/** Where Homebrew records what it has installed. */
const CASKS = ['/opt/homebrew/Caskroom/slipway', '/usr/local/Caskroom/slipway']

export function createUpdates(options: {
  /** The data folder. */
  readonly dir: string
  /** Path of the file with the build's update settings. */
  readonly build: string
  readonly proxy: () => string
  readonly proxyLogins: ProxyLoginSource
  readonly isAutomatic: () => boolean
  readonly uploading: () => Promise<number>
  readonly changed: (view: UpdateView) => void
  readonly found: (version: string) => void
  readonly askGoBack: (version: string, from: string) => Promise<boolean>
  readonly mayRestart: () => Promise<boolean | null>
  /** Called before quitting; from then on the app quits without asking. */
  readonly quitting: () => void
  readonly log: (event: string, fields: Readonly<Record<string, string>>) => void
}): Updater {
  const { dir, log, quitting } = options
  // Used only if the app isn't packaged: an environment variable must not give a packaged app another key.
  const named = process.env['SLIPWAY_UPDATE_SOURCE']
  const who = whoUpdates({
    platform: process.platform,
    isPackaged: app.isPackaged,
    env: process.env,
    program: process.execPath,
    packageType: app.isPackaged ? read(join(process.resourcesPath, 'package-type')) : null,
    hasCask: process.platform === 'darwin' && CASKS.some((path) => existsSync(path)),
    build: parsed(read(app.isPackaged ? options.build : (named ?? ''))),
  })
  const quitAndStart = (program: string, args: readonly string[]): void => {
    quitting()
    startAtEnd(() => startProgram(program, args))
    app.quit()
  }
  return new Updater({
    ...options,
    version: VERSION,
    arch: process.arch,
    who,
    isAllowed: () => currentPolicy().updates,
    memory: new UpdateMemory(
      new JsonFile(join(dir, 'updates.json'), (message) => log('update.state', { message })),
    ),
    dir: join(dir, 'updates'),
    disk: REAL_DISK,
    fetch: async () => {
      const { openNetwork } = await import('./network.ts')
      return openNetwork(options.proxy(), {
        system: (url) => systemSession().resolveProxy(url),
        logins: options.proxyLogins,
      })
    },
    installer: ({ way }) =>
      createInstaller(way, {
        disk: REAL_DISK,
        quitAndStart,
        leaveToInstaller,
        quitting,
        run: runProgram,
        native: () => autoUpdater,
      }),
    now: Date.now,
    random: Math.random,
    after,
  })
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
