// Records on a real Electron what specs ask the stand-in about (stand-in.ts), under the same name and of the same
// type. Trays, menus, notifications and calls are real; functions of Electron's classes are only watched. Loaded
// with `-r` before the app.
import { execFile } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type { Call } from './desk.ts'
import type { Records, SeenTray } from './records.ts'

// The object itself, and no copy of it: `standIn` is added to it.
const electron = createRequire(import.meta.url)('electron') as typeof Electron.CrossProcessExports

const calls: Call[] = []
const notifications: Electron.Notification[] = []
const shortcuts = new Map<string, () => void>()
const trays = new Map<
  Electron.Tray,
  { image: Electron.NativeImage; toolTip: string; menu: Electron.Menu | null }
>()

/** Calls `before` ahead of each call of these functions. */
function watch(
  holder: object,
  names: readonly string[],
  before: (self: unknown, name: string, args: readonly unknown[]) => void,
) {
  for (const name of names) {
    const real = Reflect.get(holder, name) as ((...args: readonly unknown[]) => unknown) | undefined
    // Some exist on one system only.
    if (real === undefined) continue
    Reflect.set(holder, name, function (this: unknown, ...args: readonly unknown[]) {
      before(this, name, args)
      return Reflect.apply(real, this, args)
    })
  }
}

const record =
  (prefix: string) =>
  (_self: unknown, name: string, args: readonly unknown[]): void => {
    calls.push({ api: `${prefix}.${name}`, args })
  }

/** A tray is known from the first time that the app sets one of these. Slipway does so when it creates it. */
function watchTrays(): void {
  const known = (self: unknown) => {
    const tray = self as Electron.Tray
    const seen = trays.get(tray) ?? { image: electron.nativeImage.createEmpty(), toolTip: '', menu: null }
    trays.set(tray, seen)
    return seen
  }
  watch(electron.Tray.prototype, ['setImage'], (self, _name, [image]) => {
    known(self).image =
      typeof image === 'string' ? electron.nativeImage.createFromPath(image) : (image as Electron.NativeImage)
  })
  watch(electron.Tray.prototype, ['setToolTip'], (self, _name, [text]) => {
    known(self).toolTip = String(text)
  })
  watch(electron.Tray.prototype, ['setContextMenu'], (self, _name, [menu]) => {
    known(self).menu = menu as Electron.Menu | null
  })
}

function seenTrays(): SeenTray[] {
  for (const tray of trays.keys()) if (tray.isDestroyed()) trays.delete(tray)
  return [...trays].map(([tray, seen]) => ({ ...seen, emit: tray.emit.bind(tray) }) as unknown as SeenTray)
}

/** Emits an event that a listener may prevent. Returns true if it was prevented. */
function isPrevented(target: EventEmitter, event: string, extra: object = {}): boolean {
  let prevented = false
  const carrier = {
    ...extra,
    preventDefault: () => {
      prevented = true
    },
  }
  Object.defineProperty(carrier, 'defaultPrevented', { get: () => prevented })
  target.emit(event, carrier)
  return prevented
}

/** X11's clipboard as another program reads it; elsewhere as the app does. */
function systemText(): Promise<string> {
  if (process.platform !== 'linux') return Promise.resolve(electron.clipboard.readText())
  return new Promise((resolve) => {
    execFile('xclip', ['-selection', 'clipboard', '-out'], { timeout: 3000 }, (_error, text) => resolve(text))
  })
}

const standIn = {
  calls,
  callsOf: (api: string): readonly Call[] => calls.filter((one) => one.api === api),
  get trays() {
    return seenTrays()
  },
  tray: (): SeenTray | undefined => seenTrays().at(-1),
  notifications,
  systemClipboard: { text: systemText },
  pressShortcut: (accelerator: string): boolean => {
    const run = shortcuts.get(accelerator)
    run?.()
    return run !== undefined
  },
  shutDown: (): boolean => isPrevented(electron.powerMonitor, 'shutdown'),
  endSession: (...reasons: Electron.WindowSessionEndEvent['reasons']): boolean => {
    const windows = electron.BrowserWindow.getAllWindows()
    if (windows.map((one) => isPrevented(one, 'query-session-end', { reasons })).includes(true)) return true
    for (const one of windows) if (!one.isDestroyed()) isPrevented(one, 'session-end', { reasons })
    return false
  },
} satisfies Records

watchTrays()
watch(
  electron.Notification.prototype,
  ['show'],
  (self) => void notifications.push(self as Electron.Notification),
)
watch(electron.shell, ['openExternal', 'openPath', 'showItemInFolder', 'trashItem', 'beep'], record('shell'))
watch(
  electron.app,
  ['setLoginItemSettings', 'setBadgeCount', 'setAppUserModelId', 'setDesktopName'],
  record('app'),
)
watch(
  electron.BrowserWindow.prototype,
  [
    'maximize',
    'minimize',
    'restore',
    'show',
    'hide',
    'focus',
    'setProgressBar',
    'flashFrame',
    'setOverlayIcon',
  ],
  record('BrowserWindow'),
)
// It would wait for somebody to click it.
Reflect.set(electron.dialog, 'showErrorBox', (...args: readonly unknown[]) => {
  calls.push({ api: 'dialog.showErrorBox', args })
})
electron.app.once('ready', () => {
  const { register } = electron.globalShortcut
  electron.globalShortcut.register = (accelerator, run) => {
    const isRegistered = register.call(electron.globalShortcut, accelerator, run)
    if (isRegistered) shortcuts.set(accelerator, run)
    return isRegistered
  }
})

Object.defineProperty(electron, 'standIn', { value: standIn, enumerable: true })
// The app reads its own arguments, and this file is none of them.
const at = process.argv.indexOf(import.meta.filename)
if (at > 0) process.argv.splice(at - 1, 2)
