// The app from its first moment to its last: the instance lock, the engine's thread, window, tray, menu, notifications, power and quitting, put
// together. Decisions stand in rooms of their own; here is only who speaks to whom.
import { readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { app, clipboard, dialog, globalShortcut, nativeTheme, net, powerMonitor } from 'electron'
import type { Boot, View, WindowCommand } from '../../../src-shared/app.ts'
import { shell as german } from '../../../src-shared/i18n/de/shell.ts'
import { shell as english, type ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import { createFormats, type Formats } from '../../../src-shared/i18n/formats.ts'
import { languageOf, textsOf } from '../../../src-shared/i18n/texts.ts'
import type { AppSettings } from '../../../src-shared/settings.ts'
import type { Environment } from '../../platform/identity.ts'
import { createLog } from '../../platform/log.ts'
import { dataDir, dataPaths } from '../../platform/paths.ts'
import { makePrivateDir } from '../../platform/private-dir.ts'
import { VERSION } from '../../platform/version.ts'
import { createEngineLink } from '../engine/link.ts'
import type { EngineStart } from '../engine/protocol.ts'
import { createShellStore } from '../engine/store.ts'
import { createDrops } from '../intake/drops.ts'
import { givenFiles, handedOver, missingFile, refusal } from '../intake/given-files.ts'
import { createNotifier } from '../notifications/notifier.ts'
import { createTray, type TrayRoom } from '../tray/tray.ts'
import { type TrayAction, trayView } from '../tray/tray-view.ts'
import { createHandlers } from '../window/handlers.ts'
import { createIpcServer } from '../window/ipc-server.ts'
import { serveWindow } from '../window/page-protocol.ts'
import { builtPath, createMainWindow, lockSession } from '../window/window.ts'
import { setAutostart } from './autostart.ts'
import { createDesk, tidyPasted } from './desk.ts'
import { addTextMenu, setMenu } from './menu.ts'
import type { MenuCommand } from './menu-template.ts'
import { quitWords } from './quit-words.ts'
import { taskbar } from './taskbar.ts'

const PLATFORMS: Readonly<Record<string, Boot['platform']>> = { darwin: 'darwin', win32: 'win32', linux: 'linux' }
const platform = PLATFORMS[process.platform] ?? 'other'
/** Uploads under way get this long to end when Slipway quits; what is cut off is looked up at the next start. */
const GRACE_MS = 3000
/** Electron tells of no network change, so it is asked; the question costs nothing. */
const ONLINE_MS = 5000

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
  // The window's own data (caches) stands beside Slipway's, so that two data folders are two Slipways.
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
    open = start({ taken, paths, hidden: first.hidden })
    if (early.length > 0) open(early)
  })
}

function start({
  taken,
  paths,
  hidden,
}: {
  readonly taken: Environment
  readonly paths: ReturnType<typeof dataPaths>
  readonly hidden: boolean
}): (files: readonly string[]) => void {
  const log = createLog({ file: join(paths.dir, 'window.log') })
  if (taken.apiKey !== null) log.addSecret(taken.apiKey)
  const note = (event: string, fields: Readonly<Record<string, string | number | boolean | null>>): void => log.warn(event, fields)
  const now = (): number => Date.now()
  const icon = builtPath('..', 'assets', 'icon.png')
  let quitting = false
  let tray: TrayRoom | null = null
  const hasTray = (): boolean => tray?.there ?? false

  const settingsNow = (): AppSettings => store.settings()
  const link = createEngineLink({
    entry: new URL('./engine.js', import.meta.url),
    startWith: (): Omit<EngineStart, 'held'> => ({
      slipwayRole: 'engine',
      dataDir: paths.dir,
      env: { ...process.env },
      apiKey: taken.apiKey,
      baseUrl: taken.baseUrl,
      proxy: settingsNow().proxy,
    }),
    log: note,
  })
  const store = createShellStore({ link, file: paths.settings, now })

  const locale = app.getPreferredSystemLanguages()[0] ?? app.getLocale()
  const language = (): { readonly texts: ShellTexts; readonly formats: Formats } => {
    const code = languageOf(settingsNow().language, locale)
    return {
      texts: code === 'de' ? german : english,
      formats: createFormats(locale.toLowerCase().startsWith(code) ? locale : code, textsOf(code).time),
    }
  }

  const stateFile = join(paths.dir, 'window.json')
  const window = createMainWindow({
    preload: builtPath('preload', 'preload.cjs'),
    icon: process.platform === 'linux' ? icon : null,
    saved: () => {
      try {
        return JSON.parse(readFileSync(stateFile, 'utf8'))
      } catch {
        return null
      }
    },
    save: (state) => {
      try {
        writeFileSync(stateFile, JSON.stringify(state), { mode: 0o600 })
      } catch (error) {
        note('window.state', { message: error instanceof Error ? error.message : String(error) })
      }
    },
    closeHides: () => !quitting && settingsNow().closeToTray && (hasTray() || process.platform === 'darwin'),
    onShown: (visible) => void link.call('presence', { person: visible }),
    onClosed: () => server.pageGone(),
    onCrash: () => {
      // The engine is not touched by a page that fell; the page comes again.
      server.pageGone()
      window.page()?.reload()
    },
    log: note,
  })

  const desk = createDesk({
    platform,
    texts: () => language().texts,
    window: () => window.native(),
    pastedDir: paths.pasted,
    now,
    quit: () => app.quit(),
  })
  const drops = createDrops({
    link,
    readClipboard: () => clipboard.readText(),
    onEnd: (end) => {
      const copied = settingsNow().copyAfterDrop && end.links.length > 0 && end.clipboardFree
      if (copied) shellHandlers.copyEndedDrop(end.links)
      refresh()
    },
    onStart: (batch, items) => notifier.batch(batch, items),
  })
  const shellHandlers = createHandlers({
    link,
    store,
    drops,
    desk,
    tell: (event) => server.tell(event),
    seq: () => server.seq(),
    boot: { platform, version: VERSION, electron: process.versions.electron, locale, dataDir: paths.dir },
    paths: { log: paths.log, licences: builtPath('licences.txt') },
    readText: (file) => readFile(file, 'utf8'),
    language,
    now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    applySettings: (settings) => apply(settings),
  })
  const server = createIpcServer({ handlers: shellHandlers.handlers, link, page: () => window.page(), log: note })
  const notifier = createNotifier({
    platform,
    language,
    settings: settingsNow,
    focused: () => window.isFocused(),
    now,
    act: (action) => {
      if (action.kind === 'copy-links') void shellHandlers.copyTransfers(action.transferIds, null)
      else if (action.kind === 'retry') void link.call('retry', { ids: [...action.transferIds] })
      else show(action.view)
    },
  })

  const show = (view: View | null): void => {
    window.show()
    if (view !== null) server.tellSoon({ kind: 'go', view })
  }
  const command = (name: WindowCommand): void => {
    if (!window.isVisible()) window.show()
    server.tellSoon({ kind: 'command', command: name })
  }
  const upload = async (files: readonly string[]): Promise<void> => {
    const missing = await missingFile(files)
    if (missing !== null) {
      const { title, hint } = language().texts.missingFile
      notifier.failure({ code: 'not-found', title: title(missing), hint })
      return
    }
    const batch = await shellHandlers.uploadPaths(files)
    if (batch.ok) server.tell({ kind: 'batch', batch: batch.value })
    else notifier.failure(batch.failure)
  }
  const chooseAndUpload = async (): Promise<void> => {
    const files = await desk.chooseFiles(false)
    if (files.length > 0) await upload(files)
  }

  const actTray = (action: TrayAction): void => {
    switch (action.kind) {
      case 'copy-link':
        void shellHandlers.copyTransfers([action.transferId], null)
        return
      case 'open-link':
        void shellHandlers.openTransferLink(action.transferId)
        return
      case 'show-file':
        void shellHandlers.showTransfer(action.transferId)
        return
      case 'copy-last-drop':
        shellHandlers.copyLastDrop(null)
        return
      case 'upload-files':
        void chooseAndUpload()
        return
      case 'upload-clipboard':
        void shellHandlers.uploadClipboard()
        return
      case 'pause':
        void link.call('pause', {})
        return
      case 'resume':
        void link.call('resume', {})
        return
      case 'snooze':
        void shellHandlers.handlers.snooze({ minutes: action.minutes }).then(refresh)
        return
      case 'show-problems':
        show('transfers')
        return
      case 'open':
        show(null)
        return
      case 'quit':
        app.quit()
        return
      default:
        action satisfies never
    }
  }
  const actMenu = (action: MenuCommand): void => {
    switch (action.kind) {
      case 'window':
        command(action.command)
        return
      case 'go':
        show(action.view)
        return
      case 'open-log':
        desk.showInFolder(paths.log)
        return
      case 'open-data':
        void desk.openPath(paths.dir)
        return
      case 'open-website':
        void shellHandlers.handlers.openWebsite({})
        return
      case 'licences':
        void desk.openPath(builtPath('licences.txt'))
        return
      default:
        action satisfies never
    }
  }

  const refresh = (): void => {
    const snapshot = store.snapshot()
    const { texts, formats } = language()
    const last = drops.last()
    tray?.update(
      trayView({
        snapshot,
        recent: store.recent(),
        lastDrop: last === null ? null : { count: last.links.length },
        settings: settingsNow(),
        connection: store.connection(),
        now: now(),
        platform,
        texts,
        formats,
      }),
    )
    const { progress, mode, badge } = taskbar(snapshot)
    window.setProgress(progress, mode)
    app.setBadgeCount(badge)
  }

  const registerShortcut = (keys: string): boolean => {
    try {
      return globalShortcut.register(keys, () => void chooseAndUpload())
    } catch (error) {
      note('shortcut.refused', { message: error instanceof Error ? error.message : String(error) })
      return false
    }
  }
  let shown: AppSettings | null = null
  const apply = (settings: AppSettings): void => {
    nativeTheme.themeSource = settings.theme
    if (shown?.openAtLogin !== settings.openAtLogin) setAutostart(settings.openAtLogin)
    if (shown?.language !== settings.language) setMenu({ platform, texts: language().texts, act: actMenu })
    if (shown?.shortcut !== settings.shortcut) {
      globalShortcut.unregisterAll()
      if (settings.shortcut !== null && !registerShortcut(settings.shortcut)) {
        // Another program holds these keys, or they are none: what does not work must not stand in the settings.
        const had = shown?.shortcut ?? null
        if (had !== null) registerShortcut(had)
        store.change({ shortcut: had })
      }
    }
    if (shown?.concurrency !== settings.concurrency || shown.bytesPerSecond !== settings.bytesPerSecond)
      void link.call('configure', { concurrency: settings.concurrency, bytesPerSecond: settings.bytesPerSecond })
    if (shown !== null && shown.proxy !== settings.proxy) void link.op('proxy', { proxy: settings.proxy })
    shown = store.settings()
    refresh()
  }

  lockSession()
  serveWindow({ dir: builtPath('renderer'), preview: shellHandlers.previewOf })
  tray = createTray({
    dir: builtPath('..', 'assets', 'tray'),
    act: actTray,
    onClick: () => show(null),
    onDrop: (files) => void upload(files),
    now,
    log: note,
  })
  app.on('web-contents-created', (_event, contents) => addTextMenu(contents, language().texts))
  link.onEvent((event) => {
    server.tell({ kind: 'engine', event })
    notifier.take(event)
  })
  link.onTell((title, hint) => {
    notifier.failure({ code: 'defect', title, hint })
    server.tellSoon({ kind: 'engine', event: { seq: 0, kind: 'notice', level: 'warning', title, hint } })
  })
  store.onChange(refresh)
  store.onConnection((connection) => server.tell({ kind: 'connection', connection }))
  link.onState(({ up, failure }) => {
    if (up) {
      const settings = settingsNow()
      void link.call('configure', { concurrency: settings.concurrency, bytesPerSecond: settings.bytesPerSecond })
      void link.call('presence', { person: window.isVisible() })
    }
    if (failure !== null) notifier.failure(failure)
    void link.call('snapshot', {}).then((got) => {
      server.tell({ kind: 'engine-state', up: up && got.ok, snapshot: got.ok ? got.value : null })
    })
  })
  apply(settingsNow())
  void tidyPasted(paths.pasted, now())
  // Times in the tray ("next at 14:03") pass even where nothing happens.
  setInterval(refresh, 30_000).unref()

  powerMonitor.on('suspend', () => server.tell({ kind: 'sleep', asleep: true }))
  powerMonitor.on('resume', () => {
    server.tell({ kind: 'sleep', asleep: false })
    notifier.woke()
    // What changed while the machine slept was heard by nobody, and a connection may have died unnoticed.
    void link.call('retry', { ids: [] })
    for (const folder of store.snapshot()?.folders ?? []) void link.call('rescan', { folderId: folder.id })
  })

  // A cable that was plugged in again is tried at once, not at the end of a back-off.
  let online = net.isOnline()
  setInterval(() => {
    const before = online
    online = net.isOnline()
    if (online && !before) void link.call('retry', { ids: [] })
  }, ONLINE_MS).unref()

  // What the later start read off its own arguments: those that come with the event are Chromium's, moved about and with its switches.
  app.on('second-instance', (_event, _argv, _cwd, data) => {
    const given = handedOver(data, platform)
    if (given !== null && given.files.length > 0) void upload(given.files)
    else if (given?.hidden !== true) show(null)
  })
  app.on('activate', () => show(null))
  // The tray keeps Slipway alive; without one, a closed window is the end.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && (!hasTray() || !settingsNow().closeToTray)) app.quit()
  })
  let asked = false
  app.on('before-quit', (event) => {
    if (quitting) return
    const { texts, formats } = language()
    const words = asked ? null : quitWords({ snapshot: store.snapshot(), by: 'person', texts, formats })
    if (words === null) {
      quitting = true
      return
    }
    event.preventDefault()
    asked = true
    void dialog
      .showMessageBox({
        type: 'question',
        message: words.title,
        detail: words.detail,
        buttons: [words.quit, words.stay],
        defaultId: 0,
        cancelId: 1,
      })
      .then(({ response }) => {
        asked = response === 0
        if (response === 0) app.quit()
      })
  })
  let ended = false
  app.on('will-quit', (event) => {
    if (ended) return
    event.preventDefault()
    globalShortcut.unregisterAll()
    shellHandlers.deletes.close()
    notifier.close()
    tray?.close()
    void link.close(GRACE_MS).then(() => {
      ended = true
      log.close()
      app.quit()
    })
  })
  powerMonitor.on('shutdown', () => {
    quitting = true
    app.quit()
  })

  if (store.settingsMessage !== null) {
    const { title, hint } = language().texts.settingsAside
    server.tellSoon({ kind: 'engine', event: { seq: 0, kind: 'notice', level: 'warning', title, hint } })
    note('settings.set-aside', { message: store.settingsMessage })
  }
  link.start()
  if (!hidden || !hasTray()) show(null)
  return (files) => void upload(files)
}
