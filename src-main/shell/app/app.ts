// The running app. Creates the parts that all accounts share, and offers operations that several of these
// parts need, such as uploading files. Each account's own parts are in its session (account-session.ts).
// system-events.ts connects system events.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app } from 'electron'
import type { ShortcutName } from '../../../src-shared/choices.ts'
import type { Result } from '../../../src-shared/engine-contract.ts'
import type { NoticeAbout } from '../../../src-shared/events.ts'
import type { Folder, Snapshot } from '../../../src-shared/model.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import { undoneWords } from '../../../src-shared/undone-words.ts'
import type { Boot, CallName, View, WindowCommand } from '../../../src-shared/window-contract.ts'
import type { Environment } from '../../platform/account/key-and-address.ts'
import type { DataPaths } from '../../platform/data/paths.ts'
import { createLog } from '../../platform/log.ts'
import { after } from '../../platform/time.ts'
import { VERSION } from '../../platform/version.ts'
import type { AccountSession } from '../accounts/account-session.ts'
import { AccountSessions } from '../accounts/account-sessions.ts'
import { callKeychain, createMainOps, ENGINE_ENTRY } from '../accounts/main-ops.ts'
import { isWayland } from '../clipboard/focus-rule.ts'
import { SystemClipboard } from '../clipboard/system-clipboard.ts'
import { UnaskedCopies } from '../clipboard/unasked-copies.ts'
import { type AppSettingsFile, createAppSettings } from '../engine/app-settings.ts'
import { createProxyLogins } from '../engine/proxy-logins.ts'
import { FileManagerMenu } from '../file-manager/file-manager-menu.ts'
import { menuSystem } from '../file-manager/menu-system.ts'
import { Gathering } from '../intake/gathering.ts'
import type { QuickAction } from '../intake/given-files.ts'
import { takeHandedOver } from '../intake/handed-over.ts'
import { KeptFiles } from '../intake/kept-files.ts'
import { tidyPasted } from '../intake/pasted-files.ts'
import { CopyOffer } from '../intake/watched-link-copies.ts'
import { electronNotifications } from '../notifications/electron-notifications.ts'
import { LinuxNotifications } from '../notifications/linux-notifications.ts'
import type { NoticeAction } from '../notifications/notice-types.ts'
import type { NotificationSystem } from '../notifications/notification-screen.ts'
import type { Notifier } from '../notifications/notifier.ts'
import type { TrayMenu } from '../tray/tray.ts'
import { trayView } from '../tray/tray-view.ts'
import { Trial } from '../trial/trial.ts'
import type { Updater } from '../updates/updater.ts'
import { createUpdates } from '../updates/updates.ts'
import type { TransferFiles } from '../window/file-handlers.ts'
import type { ShellHandlers } from '../window/handlers.ts'
import { IpcServer } from '../window/ipc-server.ts'
import { createRelease, PageReloads } from '../window/page-release.ts'
import { createShelf, type Shelf } from '../window/shelf.ts'
import { UserInput } from '../window/user-input.ts'
import { builtPath, createMainWindow, type MainWindow } from '../window/window.ts'
import { canAutostart } from './autostart.ts'
import { LINK, linkAsAdministrator, linkCommandLine } from './command-line-link.ts'
import { createDesk } from './electron-desk.ts'
import { JsonFile } from './json-file.ts'
import { type Language, languageFor, systemLocale } from './language.ts'
import { actOnMenu, setMenu } from './menu.ts'
import { uploadByKey, uploadFiles } from './outside-uploads.ts'
import { goBackQuestion } from './questions.ts'
import { mayRestart } from './quit-words.ts'
import { createPolicySender, managedSettings, SettingsEffects } from './settings-effects.ts'
import { taskbar } from './taskbar.ts'
import { watchReplacement } from './unpacked-files.ts'

type Fields = Readonly<Record<string, string | number | boolean | null>>

/** What each global shortcut does. */
const ACTIONS: Readonly<Record<ShortcutName, QuickAction>> = {
  shortcut: 'upload',
  clipboardShortcut: 'clipboard',
  regionShortcut: 'region',
  shelfShortcut: 'shelf',
}

function userInput(isShown: () => boolean): UserInput {
  return new UserInput({
    now: () => performance.now(),
    isShown,
    isAssisted: () => 'isAccessibilitySupportEnabled' in app && app.isAccessibilitySupportEnabled(),
  })
}

/** When files from another start are passed to the engine again if it was restarting. */
const HANDED_OVER_MS = 2000

export class App {
  readonly paths: DataPaths
  readonly platform: Boot['platform']
  readonly log
  readonly trial: Trial
  readonly settings: AppSettingsFile
  readonly window: MainWindow
  readonly shelf: Shelf
  readonly release = createRelease(this, app.isPackaged)
  readonly proxyLogins = createProxyLogins(callKeychain, this)
  readonly clipboard: SystemClipboard
  /** Copies links without a request from the user. */
  readonly unasked: UnaskedCopies
  readonly desk: ReturnType<typeof createDesk>
  readonly input = userInput(() => this.window.isVisible())
  readonly #shelfInput = userInput(() => this.shelf.isVisible())
  readonly notifications: NotificationSystem
  readonly accounts: AccountSessions
  readonly server
  readonly effects: SettingsEffects
  readonly updates: Updater
  readonly fileManager: FileManagerMenu
  readonly gathering: Gathering
  /**
   * Whether the app is quitting. If so, closing the window really closes it, even if it would otherwise be
   * hidden.
   */
  isQuitting = false
  readonly #locale = systemLocale()
  readonly #copyOffer: CopyOffer
  readonly #sendPolicy = createPolicySender({
    tell: (event) => this.server.tell(event),
    update: () => this.updates.view(),
  })
  readonly #isReplaced = watchReplacement(process.resourcesPath)
  #hasToldReplaced = !app.isPackaged
  #tray: TrayMenu | null = null
  /** What the menu names to be undone, as JSON; null until there is a menu. */
  #menuUndo: string | null = null

  constructor(taken: Environment, paths: DataPaths, platform: Boot['platform']) {
    this.paths = paths
    this.platform = platform
    this.log = createLog({ file: join(paths.dir, 'window.log') })
    if (taken.apiKey !== null) this.log.addSecret(taken.apiKey)
    this.notifications = platform === 'linux' ? new LinuxNotifications(process.env) : electronNotifications
    const now = Date.now
    const note = (event: string, fields: Fields): void => this.log.warn(event, fields)
    this.trial = this.#createTrial(now)
    this.settings = createAppSettings(() => this.trial.settingsFile(), now)
    this.#copyOffer = new CopyOffer(this.settings)
    this.window = this.#createWindow(note)
    this.shelf = this.#createShelf(note)
    this.clipboard = new SystemClipboard(
      platform,
      () => this.window.native(),
      () => this.show(null),
    )
    this.unasked = new UnaskedCopies(this.clipboard)
    this.desk = createDesk({
      platform,
      texts: () => this.language().texts,
      window: () => this.window.native(),
      now,
      writeText: (text) => this.clipboard.writeAsked(text),
      agreed: () => this.input.began(),
      quit: () => app.quit(),
      pasteName: () => this.settings.read().pasteName,
      asksAboutText: () => this.settings.read().askBeforeText,
      stopAskingAboutText: () =>
        this.server.tell({ kind: 'settings', settings: this.settings.change({ askBeforeText: false }) }),
      clipboardReady: () => this.clipboard.ready(),
    })
    this.updates = this.#createUpdates(note)
    const menuItem = (): string => this.language().texts.uploadAndCopyLink
    this.fileManager = new FileManagerMenu(menuSystem(platform, menuItem), note)
    this.gathering = new Gathering({
      platform,
      upload: (files, copyLink) => this.upload(files, this.accounts.shown(), copyLink),
      now: () => performance.now(),
      after,
    })
    this.accounts = this.#createAccounts(taken, now, note)
    this.effects = new SettingsEffects({
      engines: () => this.accounts.all().map((one) => ({ link: one.link, isBusy: one.open() > 0 })),
      settings: this.settings,
      showMenu: () => this.#showMenu(),
      onShortcut: (name) => this.act(ACTIONS[name]),
      app: this,
      solved: (what) => this.server.tellSoon({ kind: 'solved', what }),
      log: note,
    })
    this.server = new IpcServer({
      shown: () => {
        const session = this.accounts.shown()
        return { id: session.id(), handlers: session.shell.handlers, link: session.link }
      },
      everywhere: (procedure, isNow) => this.accounts.everywhere(procedure, isNow),
      page: () => this.window.page(),
      input: this.input,
      shelf: { page: () => this.shelf.page(), input: this.#shelfInput },
      onBoot: () => this.log.info('page.ready', { ms: Math.round(process.uptime() * 1000) }),
      log: note,
    })
    this.server.listen()
  }

  /**
   * The handlers for the account shown in the window. Don't keep a reference: the user may switch accounts.
   */
  get shell(): ShellHandlers {
    return this.accounts.shown().shell
  }

  get notifier(): Notifier {
    return this.accounts.shown().notifier
  }

  /**
   * The names and states of all accounts that have a session. A snapshot is null until the account's engine
   * has answered.
   */
  running(): readonly { readonly name: string | null; readonly snapshot: Snapshot | null }[] {
    return this.accounts.all().map((one) => ({ name: one.name(), snapshot: one.store.snapshot() }))
  }

  /**
   * The files of the account with the ID `account` ('' for an account without an ID). Null if the window
   * shows a different account.
   */
  filesOf(account: string): TransferFiles | null {
    const shown = this.accounts.shown()
    return account === (shown.id() ?? '') ? shown.shell.files : null
  }

  language(): Language {
    return languageFor(this.settings.read().language, this.#locale)
  }

  /**
   * Sets the tray that `refresh` updates. The tray is created last, because its menu depends on everything
   * else.
   */
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
    // The user chose it in a menu, which isn't part of the page.
    this.input.began()
    if (!this.window.isVisible()) this.window.show()
    this.server.tellSoon({ kind: 'command', command: name })
  }

  /**
   * Shows a notice in the window once it is open. Without `about`, title and hint must be in the user's
   * language.
   */
  say(level: 'info' | 'warning', title: string, hint: string | null, about?: NoticeAbout): void {
    const event = {
      seq: 0,
      kind: 'notice',
      level,
      title,
      hint,
      ...(about === undefined ? {} : { about }),
    } as const
    this.server.tellSoon({ kind: 'engine', event })
  }

  warn(title: string, hint: string | null, about?: NoticeAbout): void {
    this.say('warning', title, hint, about)
  }

  /**
   * Uploads files from other programs, combining those that arrive in quick succession. `copyLink`: see
   * `uploadFiles`.
   */
  take(files: readonly string[], copyLink: boolean): void {
    this.gathering.add(files, copyLink)
  }

  /**
   * Uploads the files that starts of the app have handed over, and carries out their actions. Returns false if
   * there is nothing. If the engine is restarting, tries again.
   */
  takeHandedOver(): boolean {
    const handed = takeHandedOver(this.paths.root)
    for (const { files, copyLink, action, done, failed } of handed) {
      if (action !== undefined) {
        done()
        this.act(action)
      }
      if (files.length === 0) continue
      this.gathering.add(files, copyLink, (areTaken) => {
        if (areTaken) return done()
        failed()
        setTimeout(() => !this.isQuitting && this.takeHandedOver(), HANDED_OVER_MS)
      })
    }
    return handed.length > 0
  }

  /** Uploads the files and reports the outcome to the user (see `uploadFiles`). */
  async upload(
    files: readonly string[],
    session: AccountSession = this.accounts.shown(),
    copyLink = false,
  ): Promise<boolean> {
    return uploadFiles(this, files, session, copyLink)
  }

  /**
   * Shows a notification if a request from outside the window fails. `of` names the call whose error messages
   * in the window are used.
   */
  async reportFailure(asked: Promise<Result<unknown>>, of?: CallName): Promise<void> {
    const got = await asked
    if (!got.ok) this.notifier.failure(got.failure, of)
  }

  /** On Linux, a new menu asks over D-Bus who shows it, and waits with the main thread for the answer. */
  #undoInMenu(): string {
    return this.platform === 'linux' ? '' : JSON.stringify(this.shell.undo.last())
  }

  #showMenu(): void {
    const { platform } = this
    const undo = platform === 'linux' ? 'unnamed' : this.shell.undo.last()
    this.#menuUndo = this.#undoInMenu()
    setMenu({ platform, ...this.language(), undo, act: (action) => actOnMenu(this, action) })
  }

  /** Puts the command line on PATH by linking it, and reports the outcome. */
  async linkCommandLine(): Promise<void> {
    const source = join(process.resourcesPath, 'app.asar.unpacked', 'cli', 'slipway')
    const outcome = await linkCommandLine({ source, link: LINK, asAdministrator: linkAsAdministrator }).catch(
      (error: unknown) => {
        this.log.warn('command-line.link', {
          message: error instanceof Error ? error.message : String(error),
        })
        return 'refused' as const
      },
    )
    const { title, hint } = this.language().texts.commandLine[outcome]
    this.notifier.say(`command line ${outcome}`, title, hint)
  }

  /** Makes this format the first under "Copy as" in the tray. */
  rememberStyle(style: LinkStyle): void {
    const { copyStyles } = this.settings.read()
    const settings = this.settings.change({ copyStyles: { ...copyStyles, tray: style } })
    this.server.tell({ kind: 'settings', settings })
    this.refresh()
  }

  async chooseAndUpload(): Promise<void> {
    const session = this.accounts.shown()
    const files = await this.desk.chooseFiles(false)
    if (files.length > 0) await this.upload(files, session)
  }

  /** Carries out what a global shortcut, a menu or another start of the program asks for. */
  act(action: QuickAction): void {
    switch (action) {
      case 'upload':
        void this.chooseAndUpload()
        return
      case 'clipboard':
      case 'region':
        void uploadByKey(this, action)
        return
      case 'shelf':
        this.shelf.show()
        return
      default:
        action satisfies never
    }
  }

  /**
   * Updates the tray, the menu, the taskbar, the badge, and the window's view of the policy. Informs the updater that
   * uploads may have changed.
   */
  refresh(): void {
    const { store, drops } = this.accounts.shown()
    const last = drops.last()
    this.#tray?.update(
      trayView({
        snapshot: store.snapshot(),
        isStopped: store.failure() !== null,
        recent: store.recent(),
        lastDrop: last === null ? null : { count: last.links.length },
        settings: this.settings.read(),
        connection: store.connection(),
        accounts: this.accounts.list(),
        now: Date.now(),
        platform: this.platform,
        ...this.language(),
      }),
    )
    // Not before the menu is shown for the first time, with the settings.
    if (this.#menuUndo !== null && this.#menuUndo !== this.#undoInMenu()) this.#showMenu()
    this.updates.uploadsChanged()
    this.#sendPolicy()
    const { progress, mode, badge } = taskbar(this.running().flatMap(({ snapshot }) => snapshot ?? []))
    this.window.setProgress(progress, mode)
    app.setBadgeCount(badge)
  }

  #createWindow(note: (event: string, fields: Fields) => void): MainWindow {
    const reloads = new PageReloads()
    const file = new JsonFile(join(this.paths.dir, 'window.json'), (message) =>
      note('window.state', { message }),
    )
    return createMainWindow({
      preload: builtPath('preload', 'preload.cjs'),
      icon: process.platform === 'linux' ? builtPath('..', 'assets', 'icon.png') : null,
      saved: () => file.read(),
      save: (state) => file.write(state),
      closeHides: () =>
        !this.isQuitting &&
        this.settings.read().closeToTray &&
        (this.hasTray() || process.platform === 'darwin'),
      onFocused: () => {
        void this.unasked.focused()
        void this.#tellReplaced()
      },
      onInput: (event) => this.input.take(event),
      mayOpen: () => this.input.allows('one-input'),
      onShown: (visible) => {
        void this.accounts.shown().link.call('presence', { person: visible })
        if (visible) this.accounts.windowShown()
        if (visible) this.release.shown()
      },
      onHiddenToTray: () => this.release.hidden(),
      onClosed: () => this.server.pageGone(),
      onCrash: () => {
        // The crash of a page doesn't affect the engine, so just reload the page.
        this.server.pageGone()
        setTimeout(() => this.window.page()?.reload(), reloads.delay(performance.now()))
      },
      log: note,
    })
  }

  #createShelf(note: (event: string, fields: Fields) => void): Shelf {
    const file = new JsonFile(join(this.paths.dir, 'shelf.json'), (message) =>
      note('shelf.state', { message }),
    )
    return createShelf({
      preload: builtPath('preload', 'preload.cjs'),
      icon: process.platform === 'linux' ? builtPath('..', 'assets', 'icon.png') : null,
      saved: () => file.read(),
      save: (state) => file.write(state),
      onInput: (event) => this.#shelfInput.take(event),
      mayOpen: () => false,
      onClosed: () => this.server.shelfGone(),
    })
  }

  /**
   * Reports once that a new version was installed, whose window and engine would have to get along with this
   * main process. Called when the user turns to the window.
   */
  async #tellReplaced(): Promise<void> {
    if (this.#hasToldReplaced || !(await this.#isReplaced())) return
    this.#hasToldReplaced = true
    this.log.info('app.replaced', {})
    const { title, hint } = this.language().texts.updates.replaced
    this.say('info', title, hint)
  }

  #createUpdates(note: (event: string, fields: Fields) => void): Updater {
    return createUpdates({
      dir: this.paths.dir,
      build: builtPath('updates.json'),
      proxy: () => this.settings.read().proxy,
      proxyLogins: this.proxyLogins,
      isAutomatic: () => this.settings.read().checkUpdates,
      uploading: () => this.accounts.uploading(),
      changed: (update) => this.server.tell({ kind: 'update', update }),
      found: (version) => {
        const { title, hint } = this.language().texts.updates.found
        this.say('info', title(version), hint)
      },
      askGoBack: (version, from) => this.desk.confirm(goBackQuestion(version, from, this.language().texts)),
      mayRestart: async () => {
        const state = { accounts: this.running(), isTrial: this.trial.isOn(), ...this.language() }
        const may = await mayRestart(this.desk, state)
        if (may) await this.release.saveTyped()
        return may
      },
      quitting: () => {
        this.isQuitting = true
      },
      log: note,
    })
  }

  #createTrial(now: () => number): Trial {
    return new Trial({
      root: this.paths.root,
      settingsFile: this.paths.settings,
      entry: new URL('./trial.js', import.meta.url),
      now,
      hasAccount: () =>
        this.accounts.list().length > 0 || this.accounts.shown().store.connection().baseUrl !== null,
      show: (trial, onShown) => this.accounts.showTrial(trial, onShown),
      reread: () => {
        const settings = this.settings.reread()
        this.effects.apply(settings, true)
        return [{ kind: 'settings', settings }]
      },
      onLost: () => {
        const { title, hint } = this.language().texts.trialEnded
        this.warn(title, hint)
      },
    })
  }

  #createAccounts(
    taken: Environment,
    now: () => number,
    note: (event: string, fields: Fields) => void,
  ): AccountSessions {
    const { notifications, platform } = this
    return new AccountSessions({
      taken,
      host: {
        platform: this.platform,
        entry: ENGINE_ENTRY,
        mainOps: createMainOps(this.proxyLogins),
        dataDir: this.paths.dir,
        settings: this.settings,
        unasked: this.unasked,
        handlers: {
          desk: this.desk,
          kept: new KeptFiles(this.paths.root, (message) => note('kept.state', { message })),
          trial: this.trial,
          updates: this.updates,
          proxyLogins: this.proxyLogins,
          fileManager: (on) => this.fileManager.set(on),
          shelf: this.shelf,
          managed: () => managedSettings(),
          seq: () => this.server.seq(),
          release: this.release,
          boot: {
            platform: this.platform,
            version: VERSION,
            electron: process.versions.electron,
            locale: this.#locale,
            get support() {
              return {
                notifications: notifications.isSupported(),
                autostart: canAutostart(),
                wayland: isWayland(platform),
              }
            },
            dataDir: this.paths.dir,
          },
          licences: builtPath('licences.txt'),
          readText: (file) => readFile(file, 'utf8'),
          now,
          wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
          applySettings: (settings) => {
            this.effects.apply(settings)
            this.refresh()
          },
        },
        notifications,
        language: () => this.language(),
        now,
        isWindowFocused: () => this.window.isFocused(),
        isWindowVisible: () => this.window.isVisible(),
        tell: (event) => this.server.tell(event),
        tellSoon: (event) => this.server.tellSoon(event),
        act: (session, action) => void this.#actOnNotice(session, action),
        engineUp: (session) => {
          this.effects.configureEngines(true)
          const pasted = session.link.account()?.pasted
          if (pasted !== undefined) void tidyPasted({ dir: pasted, link: session.link, now: now() })
        },
        foundFolders: (session, folders) => this.#askAboutCopies(session, folders),
        log: note,
      },
      tellSwitch: (events) => this.server.tellSwitch(events),
      changed: () => {
        this.effects.configureEngines(false)
        this.refresh()
      },
    })
  }

  #askAboutCopies(session: AccountSession, folders: readonly Folder[]): void {
    try {
      const settings = this.#copyOffer.take(session, folders)
      if (settings !== null) this.server.tell({ kind: 'settings', settings })
    } catch (error) {
      // The settings couldn't be written. If `copyAsk` has never been stored, this is retried at the next
      // start.
      this.log.warn('copies.ask', { message: error instanceof Error ? error.message : String(error) })
    }
  }

  /** Undoes an upload from outside the window, and says what becomes of it. */
  async #undoUpload({ shell, notifier }: AccountSession, transferIds: readonly number[]): Promise<void> {
    const token = shell.undo.tokenOf(transferIds)
    const undone = token === null ? { ok: true as const, value: null } : await shell.undo.undo(token)
    if (!undone.ok) return notifier.failure(undone.failure)
    const { texts, formats, window } = this.language()
    if (undone.value === null) return notifier.say('undo', texts.undo.nothing, null)
    const { deleting } = undone.value
    const span = formats.duration(this.settings.read().undoSeconds * 1000)
    const title =
      undoneWords(window, formats, undone.value) ??
      texts.notice.undoDeletes(deleting, formats.count(deleting), span)
    notifier.say('undo', title, deleting > 0 ? texts.notice.undoDeletesHint : null)
  }

  async #actOnNotice(session: AccountSession, action: NoticeAction): Promise<void> {
    if (action.kind === 'undo') await this.#undoUpload(session, action.transferIds)
    else if (action.kind === 'copy-links' || action.kind === 'retry') {
      const ids = [...action.transferIds]
      const done =
        action.kind === 'retry'
          ? await session.link.call('retry', { ids })
          : await session.shell.copies.ofTransfers(ids, action.style ?? null)
      if (!done.ok) session.notifier.failure(done.failure)
    } else {
      const used = await this.accounts.use(session.id())
      if (used.ok) this.show(action.view)
      else session.notifier.failure(used.failure)
    }
  }
}
