// The running app: the engine's thread, the store, the window, drops, notifications and handlers, created in this order, and what several
// of them ask for (show the window, upload files, refresh the tray). Events of the system are connected in system-events.ts.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, clipboard } from 'electron'
import type { Boot, View, WindowCommand } from '../../../src-shared/app.ts'
import type { Environment } from '../../platform/identity.ts'
import { createLog } from '../../platform/log.ts'
import type { DataPaths } from '../../platform/paths.ts'
import { VERSION } from '../../platform/version.ts'
import { createEngineLink } from '../engine/link.ts'
import { createShellStore } from '../engine/store.ts'
import { createDrops } from '../intake/drops.ts'
import { missingFile } from '../intake/given-files.ts'
import type { NoticeAction } from '../notifications/notice-types.ts'
import { createNotifier } from '../notifications/notifier.ts'
import type { TrayMenu } from '../tray/tray.ts'
import { trayView } from '../tray/tray-view.ts'
import type { Desk } from '../window/desk.ts'
import { createHandlers, type ShellHandlers } from '../window/handlers.ts'
import { createIpcServer } from '../window/ipc-server.ts'
import { builtPath, createMainWindow, type MainWindow } from '../window/window.ts'
import { createDesk } from './desk.ts'
import { type Language, languageFor, systemLocale } from './language.ts'
import { setMenu } from './menu.ts'
import { actOnMenu } from './menu-actions.ts'
import { SettingsEffects } from './settings-effects.ts'
import { taskbar } from './taskbar.ts'
import { WindowFile } from './window-file.ts'

type Fields = Readonly<Record<string, string | number | boolean | null>>

export class App {
  readonly paths: DataPaths
  readonly platform: Boot['platform']
  readonly log
  readonly link
  readonly store
  readonly window: MainWindow
  readonly desk: Desk
  readonly drops
  readonly shell: ShellHandlers
  readonly server
  readonly notifier
  readonly effects: SettingsEffects
  /** Set once the person agreed to quit; from then on closing the window ends it. */
  isQuitting = false
  readonly #locale = systemLocale()
  #tray: TrayMenu | null = null

  constructor(taken: Environment, paths: DataPaths, platform: Boot['platform']) {
    this.paths = paths
    this.platform = platform
    this.log = createLog({ file: join(paths.dir, 'window.log') })
    if (taken.apiKey !== null) this.log.addSecret(taken.apiKey)
    const now = Date.now
    const note = (event: string, fields: Fields): void => this.log.warn(event, fields)
    this.link = createEngineLink({
      entry: new URL('./engine.js', import.meta.url),
      startWith: () => ({
        slipwayRole: 'engine',
        dataDir: paths.dir,
        env: { ...process.env },
        apiKey: taken.apiKey,
        baseUrl: taken.baseUrl,
        proxy: this.store.settings().proxy,
      }),
      log: note,
    })
    this.store = createShellStore({ link: this.link, file: paths.settings, now })
    this.window = this.#createWindow(note)
    this.desk = createDesk({
      platform,
      texts: () => this.language().texts,
      window: () => this.window.native(),
      pastedDir: paths.pasted,
      now,
      quit: () => app.quit(),
    })
    this.drops = createDrops({
      link: this.link,
      readClipboard: () => clipboard.readText(),
      onEnd: (end) => {
        if (this.store.settings().copyAfterDrop && end.links.length > 0 && end.clipboardFree) this.shell.copies.ofEndedDrop(end.links)
        this.refresh()
      },
      onStart: (batch, items) => this.notifier.batch(batch, items),
    })
    this.effects = new SettingsEffects({
      link: this.link,
      store: this.store,
      showMenu: () => setMenu({ platform, texts: this.language().texts, act: (action) => actOnMenu(this, action) }),
      onShortcut: () => void this.chooseAndUpload(),
      log: note,
    })
    this.shell = this.#createHandlers(now)
    this.server = createIpcServer({ handlers: this.shell.handlers, link: this.link, page: () => this.window.page(), log: note })
    this.notifier = createNotifier({
      platform,
      language: () => this.language(),
      settings: () => this.store.settings(),
      focused: () => this.window.isFocused(),
      now,
      act: (action) => this.#actOnNotice(action),
    })
  }

  language(): Language {
    return languageFor(this.store.settings().language, this.#locale)
  }

  /** The tray menu is created last, since it is filled from everything else. */
  setTray(tray: TrayMenu): void {
    this.#tray = tray
  }

  hasTray(): boolean {
    return this.#tray?.there ?? false
  }

  show(view: View | null): void {
    this.window.show()
    if (view !== null) this.server.tellSoon({ kind: 'go', view })
  }

  command(name: WindowCommand): void {
    if (!this.window.isVisible()) this.window.show()
    this.server.tellSoon({ kind: 'command', command: name })
  }

  /** A warning that the window shows once there is one. */
  warn(title: string, hint: string | null): void {
    this.server.tellSoon({ kind: 'engine', event: { seq: 0, kind: 'notice', level: 'warning', title, hint } })
  }

  async upload(files: readonly string[]): Promise<void> {
    const missing = await missingFile(files)
    if (missing !== null) {
      const { title, hint } = this.language().texts.missingFile
      this.notifier.failure({ code: 'not-found', title: title(missing), hint })
      return
    }
    const batch = await this.shell.uploadPaths(files)
    if (batch.ok) this.server.tell({ kind: 'batch', batch: batch.value })
    else this.notifier.failure(batch.failure)
  }

  async chooseAndUpload(): Promise<void> {
    const files = await this.desk.chooseFiles(false)
    if (files.length > 0) await this.upload(files)
  }

  /** Brings tray, taskbar and badge up to date. */
  refresh(): void {
    const snapshot = this.store.snapshot()
    const last = this.drops.last()
    this.#tray?.update(
      trayView({
        snapshot,
        recent: this.store.recent(),
        lastDrop: last === null ? null : { count: last.links.length },
        settings: this.store.settings(),
        connection: this.store.connection(),
        now: Date.now(),
        platform: this.platform,
        ...this.language(),
      }),
    )
    const { progress, mode, badge } = taskbar(snapshot)
    this.window.setProgress(progress, mode)
    app.setBadgeCount(badge)
  }

  #createWindow(note: (event: string, fields: Fields) => void): MainWindow {
    const file = new WindowFile(join(this.paths.dir, 'window.json'), (message) => note('window.state', { message }))
    return createMainWindow({
      preload: builtPath('preload', 'preload.cjs'),
      icon: process.platform === 'linux' ? builtPath('..', 'assets', 'icon.png') : null,
      saved: () => file.read(),
      save: (state) => file.write(state),
      closeHides: () => !this.isQuitting && this.store.settings().closeToTray && (this.hasTray() || process.platform === 'darwin'),
      onShown: (visible) => void this.link.call('presence', { person: visible }),
      onClosed: () => this.server.pageGone(),
      onCrash: () => {
        // The engine is not affected by a page that crashed; the page is loaded again.
        this.server.pageGone()
        this.window.page()?.reload()
      },
      log: note,
    })
  }

  #createHandlers(now: () => number): ShellHandlers {
    return createHandlers({
      link: this.link,
      store: this.store,
      drops: this.drops,
      desk: this.desk,
      tell: (event) => this.server.tell(event),
      seq: () => this.server.seq(),
      boot: {
        platform: this.platform,
        version: VERSION,
        electron: process.versions.electron,
        locale: this.#locale,
        dataDir: this.paths.dir,
      },
      paths: { log: this.paths.log, licences: builtPath('licences.txt') },
      readText: (file) => readFile(file, 'utf8'),
      language: () => this.language(),
      now,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      applySettings: (settings) => {
        this.effects.apply(settings)
        this.refresh()
      },
    })
  }

  #actOnNotice(action: NoticeAction): void {
    if (action.kind === 'copy-links') void this.shell.copies.ofTransfers(action.transferIds, null)
    else if (action.kind === 'retry') void this.link.call('retry', { ids: [...action.transferIds] })
    else this.show(action.view)
  }
}
