// `app`: life cycle and names of the program. Readiness, quitting and the single-instance lock work as in
// Electron. Calls that need a real desktop (login items, badges, recent documents) are only recorded.
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { allowed, desk, note } from './desk.ts'
import { type SecondStart, takeInstanceLock } from './instance-lock.ts'
import { strict, strictClass } from './strict.ts'

const FOLDERS: Readonly<Record<string, string>> = {
  desktop: 'Desktop',
  documents: 'Documents',
  downloads: 'Downloads',
  music: 'Music',
  pictures: 'Pictures',
  videos: 'Videos',
}

class App extends EventEmitter {
  readonly #whenReady = Promise.withResolvers<void>()
  readonly #paths = new Map<string, string>()
  readonly #seconds: SecondStart[] = []
  #lock: { readonly release: () => void } | null = null
  #loginItem: Electron.Settings = { openAtLogin: false }
  #badge = 0
  #quitting = false

  readonly isPackaged = false
  /** Only macOS has a dock, and the stand-in doesn't simulate it. */
  readonly dock = undefined
  name = ''
  readonly commandLine = strict('app.commandLine', {
    appendSwitch: (name: string, value = ''): void => {
      desk.switches.set(name.toLowerCase(), value)
    },
    appendArgument: note('app.commandLine.appendArgument'),
    hasSwitch: (name: string): boolean => desk.switches.has(name),
    getSwitchValue: (name: string): string => desk.switches.get(name) ?? '',
    removeSwitch: (name: string): void => {
      desk.switches.delete(name)
    },
  })

  whenReady(): Promise<void> {
    return this.#whenReady.promise
  }

  isReady(): boolean {
    return desk.ready
  }

  isAccessibilitySupportEnabled(): boolean {
    return false
  }

  getName(): string {
    return this.name !== '' ? this.name : (desk.package.productName ?? desk.package.name ?? 'Electron')
  }

  setName(name: string): void {
    this.name = name
  }

  getVersion(): string {
    return desk.package.version ?? process.versions['electron'] ?? ''
  }

  getAppPath(): string {
    return desk.appPath
  }

  getLocale(): string {
    return desk.ready ? language() : ''
  }

  getSystemLocale(): string {
    return systemLanguage()
  }

  getPreferredSystemLanguages(): string[] {
    return [systemLanguage()]
  }

  getLocaleCountryCode(): string {
    return systemLanguage().split('-')[1] ?? ''
  }

  getPath(name: string): string {
    const set = this.#paths.get(name)
    if (set !== undefined) return set
    const inHome = FOLDERS[name]
    if (inHome !== undefined) return join(homedir(), inHome)
    switch (name) {
      case 'home':
        return homedir()
      case 'appData':
        return process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
      case 'userData':
        return desk.switches.get('user-data-dir') ?? join(this.getPath('appData'), this.getName())
      case 'sessionData':
        return this.getPath('userData')
      case 'logs':
      case 'crashDumps':
        return join(this.getPath('userData'), name === 'logs' ? 'logs' : 'Crashpad')
      case 'temp':
        return tmpdir()
      case 'exe':
        return process.execPath
      case 'assets':
      case 'module':
        return process.resourcesPath
      default:
        throw new Error(`Failed to get '${name}' path`)
    }
  }

  setPath(name: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute')
    mkdirSync(path, { recursive: true })
    this.#paths.set(name, path)
  }

  setAppLogsPath(path?: string): void {
    this.setPath('logs', path ?? join(this.getPath('userData'), 'logs'))
  }

  requestSingleInstanceLock(additionalData?: Readonly<Record<string, unknown>>): boolean {
    if (this.#lock !== null) return true
    const start = { argv: process.argv, cwd: process.cwd(), data: additionalData ?? null }
    this.#lock = takeInstanceLock({
      folder: this.getPath('userData'),
      start,
      onSecond: (second) => this.#onSecond(second),
    })
    return this.#lock !== null
  }

  hasSingleInstanceLock(): boolean {
    return this.#lock !== null
  }

  releaseSingleInstanceLock(): void {
    this.#lock?.release()
    this.#lock = null
  }

  /** Electron keeps the arguments of a second instance until the app is ready. */
  #onSecond(second: SecondStart): void {
    if (desk.ready) this.emit('second-instance', {}, [...second.argv], second.cwd, second.data)
    else this.#seconds.push(second)
  }

  setLoginItemSettings(settings: Electron.Settings): void {
    this.#loginItem = { ...settings }
    desk.calls.push({ api: 'app.setLoginItemSettings', args: [settings] })
  }

  getLoginItemSettings(): Electron.LoginItemSettings {
    const openAtLogin = this.#loginItem.openAtLogin ?? false
    return {
      openAtLogin,
      wasOpenedAtLogin: false,
      status: openAtLogin ? 'enabled' : 'not-registered',
      executableWillLaunchAtLogin: openAtLogin,
      launchItems: [],
    }
  }

  setBadgeCount(count = 0): boolean {
    this.#badge = count
    return true
  }

  getBadgeCount(): number {
    return this.#badge
  }

  readonly setAppUserModelId = note('app.setAppUserModelId')
  readonly setDesktopName = note('app.setDesktopName')
  /** Like Electron, removes `no-sandbox`, so that this call wins over the command line. */
  enableSandbox(): void {
    if (desk.ready) throw new Error('app.enableSandbox() can only be called before app is ready')
    desk.switches.delete('no-sandbox')
    desk.switches.set('enable-sandbox', '')
  }
  disableHardwareAcceleration(): void {
    if (desk.ready)
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready')
    desk.calls.push({ api: 'app.disableHardwareAcceleration', args: [] })
  }
  readonly addRecentDocument = note('app.addRecentDocument')
  readonly clearRecentDocuments = note('app.clearRecentDocuments')
  readonly setAboutPanelOptions = note('app.setAboutPanelOptions')
  readonly showAboutPanel = note('app.showAboutPanel')
  readonly setJumpList = note('app.setJumpList', 'ok' as const)
  readonly setUserTasks = note('app.setUserTasks', true)
  readonly focus = note('app.focus')
  readonly hide = note('app.hide')
  readonly show = note('app.show')
  /** Only recorded. A test starts the next run itself. */
  /** As in Electron, the new process starts once this one has ended. */
  relaunch({ args = process.argv.slice(1) }: Electron.RelaunchOptions = {}): void {
    process.once('exit', () => {
      spawn(join(import.meta.dirname, 'bin/electron'), args, { detached: true, stdio: 'ignore' }).unref()
    })
  }

  /**
   * Electron's steps: before-quit, closing every window, will-quit, quit. All but the last can be prevented.
   */
  quit(): void {
    if (this.#quitting) return
    if (!allowed(this, 'before-quit')) return
    this.#quitting = true
    for (const window of desk.windows.values()) {
      window.close()
      if (!window.isDestroyed()) {
        this.#quitting = false
        return
      }
    }
    this.#leave()
  }

  /** Electron quits when the last window is closed and there is no listener. */
  windowGone(): void {
    if (desk.windows.size > 0 || this.#quitting) return
    if (!this.emit('window-all-closed')) this.quit()
  }

  #leave(): void {
    if (!allowed(this, 'will-quit')) {
      this.#quitting = false
      return
    }
    this.exit(0)
  }

  exit(code = 0): void {
    for (const window of desk.windows.values()) window.destroy()
    this.emit('quit', {}, code)
    this.releaseSingleInstanceLock()
    desk.stop(code)
  }

  /** As in Electron, called by the launcher only after the main module has been evaluated. */
  becomeReady(): void {
    desk.ready = true
    this.emit('will-finish-launching')
    this.emit('ready', {}, {})
    this.#whenReady.resolve()
    for (const second of this.#seconds.splice(0)) this.#onSecond(second)
  }
}
strictClass('app', App)

/** The language of Chromium's own texts: the value of `--lang`, or else the system's. */
export function language(): string {
  return desk.switches.get('lang') || systemLanguage()
}

/** The environment's language in Chromium's format. As in Electron, `--lang` doesn't change it. */
function systemLanguage(): string {
  const [set = ''] = (process.env['LC_ALL'] ?? process.env['LANG'] ?? '').split('.')
  return /^[a-z]{2}(_[A-Z]{2})?$/.test(set) ? set.replace('_', '-') : 'en-US'
}

export const app = new App()
