// The desktop around the window: the tray with its menu, notifications, a second start. Needs the records of
// the stand-in or of the recorder (test/desktop/records.ts). Contains no expectations.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { appFolder, hasRecords as areRecordsAvailable, isStandInChosen } from '../desktop/choose.ts'
import type { Records } from '../desktop/records.ts'
import { KEY, notificationServers, type Slipway } from './slipway.ts'

export const isStandIn = isStandInChosen()
/** Without them, nothing here can be asked. */
export const hasRecords = areRecordsAvailable()

interface WithStandIn {
  readonly standIn: Records
}

/**
 * All lines of the tray's menu, those of submenus after a `>`, lines that can't be clicked in parentheses.
 */
export function trayMenu(app: ElectronApplication): Promise<readonly string[]> {
  return app.evaluate((electron) => {
    const { standIn } = electron as unknown as WithStandIn
    type Items = NonNullable<NonNullable<ReturnType<Records['tray']>>['menu']>['items']
    const lines = (items: Items, before: string): string[] =>
      items
        .filter((item) => item.type !== 'separator')
        .flatMap((item) => {
          const line = `${before}${item.label}`
          return [item.enabled ? line : `(${line})`, ...lines(item.submenu?.items ?? [], `${line} > `)]
        })
    return lines(standIn.tray()?.menu?.items ?? [], '')
  })
}

export function trayToolTip(app: ElectronApplication): Promise<string> {
  return app.evaluate((electron) => (electron as unknown as WithStandIn).standIn.tray()?.toolTip ?? '')
}

/** Time limit in milliseconds for a line to appear, because the menu is rebuilt when things change. */
const LINE_MS = 20_000

/** Clicks the line with these labels (from top to bottom level) once it exists and is enabled. */
export async function clickTray(app: ElectronApplication, ...labels: readonly string[]): Promise<void> {
  for (const end = Date.now() + LINE_MS; ; ) {
    const missing = await app.evaluate((electron, path) => {
      let items = (electron as unknown as WithStandIn).standIn.tray()?.menu?.items
      for (const [at, label] of path.entries()) {
        const item = items?.find((one) => one.label === label)
        const isLast = at === path.length - 1
        if (item === undefined || (isLast && !item.enabled)) return path.slice(0, at + 1).join(' > ')
        if (isLast) item.click()
        items = item.submenu?.items
      }
      return null
    }, labels)
    if (missing === null) return
    if (Date.now() > end) throw new Error(`The tray has no ${missing}.`)
    await new Promise((done) => setTimeout(done, 100))
  }
}

export interface Shown {
  readonly title: string
  readonly body: string
  readonly actions: readonly string[]
}

/** Notifications in the order in which they were shown, as the person reads them. */
export async function notifications(app: ElectronApplication): Promise<readonly Shown[]> {
  const own = notificationServers.get(app)
  if (own !== undefined)
    return own.server.shown.slice(own.before).map(({ title, body, actions }) => ({
      title,
      body: body.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
      actions: actions.filter(([key]) => key !== 'default').map(([, label]) => label),
    }))
  return app.evaluate((electron) =>
    (electron as unknown as WithStandIn).standIn.notifications.map(({ title, body, actions }) => ({
      title,
      body,
      actions: actions.map((one) => one.text ?? ''),
    })),
  )
}

/**
 * Watches the timer after which uploads outside a drop are reported together. The returned function says
 * whether the latest one has run, so that whatever is to be reported has been.
 */
export async function watchQuietTimer(app: ElectronApplication): Promise<() => Promise<boolean>> {
  await app.evaluate(() => {
    const latest = { hasRun: false }
    Reflect.set(globalThis, 'quietTimer', latest)
    const start = globalThis.setTimeout
    let count = 0
    const watched = (
      run: (...args: readonly unknown[]) => void,
      ms?: number,
      ...args: readonly unknown[]
    ): unknown => {
      if (ms === undefined || ms < 1000 || ms > 3000) return start(run, ms, ...args)
      const own = ++count
      latest.hasRun = false
      return start(() => {
        run(...args)
        latest.hasRun = own === count
      }, ms)
    }
    Object.assign(globalThis, { setTimeout: watched })
  })
  return () =>
    app.evaluate(() => (Reflect.get(globalThis, 'quietTimer') as { readonly hasRun: boolean }).hasRun)
}

/** `action` is the index of a button, or null for a click on the notification itself. */
export async function clickNotification(
  app: ElectronApplication,
  index: number,
  action: number | null,
): Promise<void> {
  const own = notificationServers.get(app)
  if (own !== undefined) {
    const id = own.server.shown[own.before + index]?.id ?? 0
    own.server.invoke(id, action === null ? 'default' : String(action))
    return
  }
  await app.evaluate(
    (electron, [at, button]) => {
      const one = (electron as unknown as WithStandIn).standIn.notifications[at]
      if (button === null) one?.emit('click', {})
      else one?.emit('action', { actionIndex: button })
    },
    [index, action] as const,
  )
}

/** Takes away the system's notifications. */
export async function withoutNotifications(app: ElectronApplication): Promise<void> {
  notificationServers.get(app)?.server.set('gone')
  await app.evaluate(({ Notification }) => {
    Notification.isSupported = () => false
  })
}

/** What another program would paste. On Wayland this can differ from what the app reads. */
export function pastedText(app: ElectronApplication): Promise<string> {
  return app.evaluate((electron) => (electron as unknown as WithStandIn).standIn.systemClipboard.text())
}

/** The recorded calls of an Electron function, for example `shell.openExternal`. */
export function callsOf(app: ElectronApplication, api: string): Promise<readonly (readonly unknown[])[]> {
  return app.evaluate(
    (electron, name) => (electron as unknown as WithStandIn).standIn.callsOf(name).map((call) => call.args),
    api,
  )
}

export function pressShortcut(app: ElectronApplication, accelerator: string): Promise<boolean> {
  return app.evaluate(
    (electron, keys) => (electron as unknown as WithStandIn).standIn.pressShortcut(keys),
    accelerator,
  )
}

/** Returns true if the app asked the system to wait. */
export function shutDown(app: ElectronApplication): Promise<boolean> {
  return app.evaluate((electron) => (electron as unknown as WithStandIn).standIn.shutDown())
}

/** Ends the session as Windows does at a sign-out. Returns true if the app asked Windows to wait. */
export function signOut(app: ElectronApplication): Promise<boolean> {
  return app.evaluate((electron) => (electron as unknown as WithStandIn).standIn.endSession('logoff'))
}

export function isVisible(app: ElectronApplication): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true)
}

/** Closes the window as the button in its frame does. */
export async function closeWindow(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
}

/** Starts the program again on the same data, for example with files. Resolves to its exit code. */
export async function startAgain(
  s: Slipway,
  args: readonly string[],
  cwd: string = tmpdir(),
): Promise<number | null> {
  const program = createRequire(import.meta.url)('electron') as string
  const second = spawn(program, [appFolder(), '--lang=en-GB', ...args], {
    cwd,
    stdio: 'ignore',
    env: {
      ...process.env,
      SLIPWAY_DATA_DIR: s.data,
      XDG_CONFIG_HOME: join(s.home, 'config'),
      SLIPWAY_API_KEY: KEY,
    },
  })
  return new Promise((end) => second.once('exit', end))
}
