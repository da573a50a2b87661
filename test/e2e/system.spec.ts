// What the system expects of the app: a window that is restored maximized and never blank, an orderly end if
// the machine shuts down or a keychain hangs, and no window that hides where the user couldn't bring it back.
// With the stand-in, the test emits the system's events.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appFolder } from '../desktop/choose.ts'
import { serveSessionBus } from '../desktop/session-bus.ts'
import {
  callsOf,
  closeWindow,
  hasRecords,
  isStandIn,
  isVisible,
  shutDown,
  signOut,
  trayMenu,
} from './desk.ts'
import { expect, test } from './fixture.ts'
import { fileRow, logOf, logPath, UPLOADS_UNANSWERED } from './hands.ts'
import { HURRIED, hurry } from './hurry.ts'
import { dropFiles, makeFiles, type Slipway, START_MS, type Start } from './slipway.ts'

/** How long quitting may take at most, including the time that the app gives its engine. */
const QUIT_MS = 20_000

test('a maximized window is restored as maximized, but only once its page has loaded', async ({
  slipway,
}) => {
  const state = { x: 40, y: 40, width: 900, height: 640, maximized: true }
  const { app } = await slipway({
    before: ({ data }) => writeFileSync(join(data, 'window.json'), JSON.stringify(state)),
  })
  await expect
    .poll(() =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((one) => [one.isVisible(), one.isMaximized()]),
      ),
    )
    .toEqual([[true, true]])
  expect(await callsOf(app, 'BrowserWindow.shownBlank')).toEqual([])
  if (hasRecords)
    await test.step('uploading nothing, the app doesn’t delay signing out of Windows', async () => {
      const ended = app.waitForEvent('close')
      expect(await signOut(app)).toBe(false)
      await ended
    })
})

test('the first window has a context menu, so that the key can be pasted with the mouse', async ({
  slipway,
}) => {
  const { app, page } = await slipway({ as: 'fresh' })
  await app.evaluate(({ Menu }) => {
    Menu.prototype.popup = function popup(this: Electron.Menu) {
      Reflect.set(
        globalThis,
        'shownMenu',
        this.items.filter(({ type }) => type !== 'separator').map(({ label }) => label),
      )
    }
  })
  await page.getByLabel('API key', { exact: true }).click({ button: 'right' })
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, 'shownMenu') as unknown))
    .toEqual(['Cut', 'Copy', 'Paste', 'Select all'])
})

test('an uncaught exception is logged and reported in one sentence, and uploads continue until the system shuts down', async ({
  slipway,
}) => {
  const s = await slipway()
  const told = await s.app.evaluate(
    ({ dialog }) =>
      new Promise<string>((resolve) => {
        dialog.showMessageBox = (async (box: Electron.MessageBoxOptions) => {
          resolve(`${box.message}|${box.detail}`)
          return { response: 0, checkboxChecked: false }
        }) as never
        setTimeout(() => {
          throw new Error('thrown by the test')
        })
      }),
  )
  const log = logPath(s)
  expect(told).toMatch(/^Slipway has run into an internal error\.\|Uploads continue\./)
  expect(told).toContain(log)
  expect(told).not.toContain('thrown by the test')
  await expect.poll(() => logOf(s)).toContain('thrown by the test')
  if (hasRecords) expect(await callsOf(s.app, 'dialog.showErrorBox')).toEqual([])
  const desk = makeFiles(s.home, 'desk', {
    'a.txt': 'a',
    'bogus.asar': 'not an archive',
    'plain.txt': 'plain',
  })
  await dropFiles(s.page, [join(desk, 'a.txt')])
  await expect(fileRow(s.page, 'a.txt')).toBeVisible()
  await test.step('a file named .asar is uploaded like any other file', async () => {
    await dropFiles(s.page, [join(desk, 'bogus.asar'), join(desk, 'plain.txt')])
    await expect(fileRow(s.page, 'plain.txt')).toBeVisible()
    await expect(fileRow(s.page, 'bogus.asar')).toBeVisible()
  })
  if (hasRecords)
    await test.step('the system is asked to wait when it shuts down, and the app quits by itself', async () => {
      const ended = s.app.waitForEvent('close')
      expect(await shutDown(s.app)).toBe(true)
      await ended
    })
})

test('the window says that Slipway was started without the sandbox', async ({ slipway }) => {
  const { page } = await slipway({ args: ['--no-sandbox'] })
  await expect(page.getByText('Slipway is running without Chromium’s sandbox.')).toBeVisible()
})

/**
 * Starts an app with an upload in progress, and answers the question before quitting with the button of this
 * index, once it is asked.
 */
async function whileUploading(
  slipway: (start?: Start) => Promise<Slipway>,
  start: Start,
  response: number,
): Promise<Slipway> {
  const s = await slipway(start)
  s.service.setFaults(UPLOADS_UNANSWERED)
  await s.app.evaluate(({ dialog }, answer) => {
    Reflect.set(globalThis, 'asked', 0)
    dialog.showMessageBox = async () => {
      Reflect.set(globalThis, 'asked', Number(Reflect.get(globalThis, 'asked')) + 1)
      return { response: answer, checkboxChecked: false }
    }
  }, response)
  await dropFiles(s.page, [join(makeFiles(s.home, 'desk', { 'a.txt': 'a' }), 'a.txt')])
  await expect(s.page.getByRole('progressbar', { name: 'a.txt' })).toBeVisible()
  return s
}

if (hasRecords) {
  test('signing out of Windows waits for an upload, and the app quits without asking', async ({
    slipway,
  }) => {
    const { app } = await whileUploading(slipway, {}, 1)
    const ended = app.waitForEvent('close')
    expect(await signOut(app)).toBe(true)
    await ended
  })
}

if (process.platform !== 'win32')
  test('a signal quits the app without asking, even during an upload', async ({ slipway }) => {
    // The answer would keep the app running.
    const { app } = await whileUploading(slipway, {}, 1)
    const ended = app.waitForEvent('close')
    app.process().kill('SIGTERM')
    await ended
  })

if (process.platform === 'linux')
  // The stand-in answers the dialog at once, so there the app ends without a signal.
  test('a signal ends an app that can’t start, while its message is open', async () => {
    const home = mkdtempSync(join(tmpdir(), 'slipway-cannot-start-'))
    mkdirSync(join(home, 'data/settings.json'), { recursive: true, mode: 0o700 })
    const program = createRequire(import.meta.url)('electron') as string
    const app = spawn(program, [appFolder()], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, SLIPWAY_DATA_DIR: join(home, 'data'), XDG_CONFIG_HOME: home },
    })
    const ended = once(app, 'exit')
    let told = ''
    app.stderr.setEncoding('utf8').on('data', (text: string) => {
      told += text
    })
    await expect.poll(() => told, { timeout: START_MS }).toContain("isn't a regular file")
    app.kill('SIGTERM')
    const late = new Promise((tell) => setTimeout(tell, QUIT_MS, ['still running', null]).unref())
    const how = await Promise.race([ended, late])
    app.kill('SIGKILL')
    expect(how).not.toEqual(['still running', null])
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })

if (hasRecords && process.platform === 'linux') {
  // Started without the test tool, which would end the app itself once its window is gone.
  test('a keychain that never responds prevents the app neither from quitting nor from starting again', async () => {
    test.setTimeout(2 * (START_MS + QUIT_MS))
    const home = mkdtempSync(join(tmpdir(), 'slipway-hung-'))
    const bus = await serveSessionBus('hung-keychain')
    const settings = { baseUrl: 'http://127.0.0.1:1/api/v1', app: { welcomed: true } }
    mkdirSync(join(home, 'data'), { mode: 0o700 })
    writeFileSync(join(home, 'data/settings.json'), JSON.stringify(settings), { mode: 0o600 })
    const env = {
      ...process.env,
      SLIPWAY_DATA_DIR: join(home, 'data'),
      XDG_CONFIG_HOME: home,
      DBUS_SESSION_BUS_ADDRESS: bus.address,
    }
    const program = createRequire(import.meta.url)('electron') as string
    for (const start of [1, 2]) {
      const before = bus.connections()
      const app = spawn(program, [appFolder()], { stdio: 'ignore', env })
      const exited = once(app, 'exit').then(() => 'ended')
      // The first look at the bus, the tray, the notifications, and the key.
      await expect.poll(() => bus.connections() - before, { timeout: START_MS }).toBeGreaterThan(3)
      app.kill('SIGTERM')
      const late = new Promise((tell) => setTimeout(tell, QUIT_MS, 'still running').unref())
      const how = await Promise.race([exited, late])
      app.kill('SIGKILL')
      expect(how, `start ${start}`).toBe('ended')
    }
    bus.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })

  test('a session bus that never responds is turned off, which the window says', async ({ slipway }) => {
    test.skip(!isStandIn, 'the app starts itself again, and a driver follows only the first process')
    const { app, page, data } = await slipway({ bus: 'silent' })
    await expect(page.getByText('The desktop’s session bus doesn’t respond.')).toBeVisible()
    expect(readFileSync(join(data, 'window.log'), 'utf8')).toContain('bus.silent')
    const ended = app.waitForEvent('close')
    app.process().kill('SIGTERM')
    await ended
  })

  for (const bus of ['none', 'watcher'] as const)
    test(`a start in the background opens the window after all if the desktop shows no tray, and closing it quits (${bus})`, async ({
      slipway,
    }) => {
      const { app } = await slipway({ bus, args: ['--hidden'] })
      await expect.poll(() => isVisible(app)).toBe(true)
      const ended = app.waitForEvent('close')
      await closeWindow(app)
      await ended
    })

  test('closing the window during an upload reopens it if the user stays and there is no tray', async ({
    slipway,
  }) => {
    const { app } = await whileUploading(slipway, { bus: 'none' }, 1)
    const count = (): Promise<number> =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
    const opened = app.waitForEvent('window')
    await closeWindow(app)
    await opened
    await expect.poll(() => isVisible(app)).toBe(true)
    expect([await count(), await app.evaluate(() => Reflect.get(globalThis, 'asked') as unknown)]).toEqual([
      1, 1,
    ])
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false })
    })
  })

  test('a tray that appears is used, closing then hides the window, and losing the tray shows it again', async ({
    slipway,
  }) => {
    const started = await slipway({ bus: 'none', env: HURRIED })
    const { app, bus } = started
    expect(await trayMenu(app)).toEqual([])
    bus().setTray('host')
    await expect.poll(() => trayMenu(app)).toContain('Quit')
    await closeWindow(app)
    await expect.poll(() => isVisible(app)).toBe(false)
    expect(app.process().exitCode).toBe(null)

    bus().setTray('none')
    await hurry(started, expect.poll(() => isVisible(app), { timeout: 30_000 }).toBe(true))
  })
}
