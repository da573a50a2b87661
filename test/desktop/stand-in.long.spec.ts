// Tests of what only the stand-in has: it refuses what it lacks, keeps records, works without the debugger, and
// leaves nothing behind. What Electron does is in conformance/.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ElectronApplication } from '@playwright/test'
import { expect, kept, scriptsHaveRun, fact as test } from './conformance/fact.ts'
import type { StandIn } from './stand-in.ts'

test('throws for members that it lacks and for settings that the project never uses', async ({ app }) => {
  const { missing, unsafe } = await app.evaluate(({ app: main, safeStorage, shell }) => ({
    missing: [
      lab.attempt(() => safeStorage.isEncryptionAvailable()),
      lab.attempt(() => shell.readShortcutLink('x')),
      lab.attempt(() => main.importCertificate({ certificate: '', password: '' }, () => undefined)),
    ],
    unsafe: [
      { sandbox: false },
      { contextIsolation: false },
      { nodeIntegration: true },
      { preload: 'preload.cjs' },
    ].map((webPreferences) => lab.attempt(() => lab.make({ webPreferences }))),
  }))
  expect(missing).toEqual(
    ['safeStorage.isEncryptionAvailable', 'shell.readShortcutLink', 'app.importCertificate'].map(
      (name) => `Error: stand-in: electron.${name} is not implemented`,
    ),
  )
  expect(
    unsafe.map((message) => /sandbox|contextIsolation|nodeIntegration|absolute/.exec(message)?.[0]),
  ).toEqual(['sandbox', 'contextIsolation', 'nodeIntegration', 'absolute'])
})

test('records what was requested from the desktop', async ({ start }) => {
  const app = await start()
  await app.firstWindow()
  await app.evaluate(
    async ({
      app: main,
      dialog,
      globalShortcut,
      nativeImage,
      Notification,
      powerSaveBlocker,
      shell,
      Tray,
    }) => {
      await shell.openExternal('https://files.example.com/a')
      main.setLoginItemSettings({ openAtLogin: true })
      main.setBadgeCount(3)
      dialog.showErrorBox('Title', 'Content')
      const tray = new Tray(
        nativeImage.createFromBuffer(Buffer.from('89504e470d0a1a0a0000000d494844520000001600000016', 'hex')),
      )
      tray.setToolTip('Slipway')
      const notification = new Notification({ title: 'Done', body: 'a.txt' })
      notification.on('click', () => {
        lab['clicked'] = true
      })
      notification.show()
      powerSaveBlocker.start('prevent-app-suspension')
      globalShortcut.register('CommandOrControl+Shift+U', () => {
        lab['pressed'] = true
      })
    },
  )
  const seen = await app.evaluate((electron) => {
    const { standIn } = electron as typeof electron & { standIn: StandIn }
    standIn.notifications[0]?.emit('click', {})
    return {
      opened: standIn.callsOf('shell.openExternal').map((call) => call.args[0]),
      errors: standIn.callsOf('dialog.showErrorBox').map((call) => call.args),
      tray: [standIn.tray()?.toolTip, standIn.tray()?.image.getSize()],
      title: standIn.notifications[0]?.title,
      pressed: [standIn.pressShortcut('CommandOrControl+Shift+U'), standIn.pressShortcut('F1')],
      badge: electron.app.getBadgeCount(),
      login: electron.app.getLoginItemSettings().openAtLogin,
    }
  })
  expect(seen).toEqual({
    opened: ['https://files.example.com/a'],
    errors: [['Title', 'Content']],
    tray: ['Slipway', { width: 22, height: 22 }],
    title: 'Done',
    pressed: [true, false],
    badge: 3,
    login: true,
  })
  expect([await kept(app, 'clicked'), await kept(app, 'pressed')]).toEqual([true, true])
})

test('answers without the debugger, but without a path', async ({ start, scratch }) => {
  const page = await (await start({ env: { SLIPWAY_NO_DEBUGGER: '1' } })).firstWindow()
  await scriptsHaveRun(page)
  const file = join(scratch, 'a.txt')
  writeFileSync(file, 'x')
  await page.locator('output').evaluate((one) => {
    one.textContent = 'before'
  })
  await page.locator('input').setInputFiles(file)
  await expect(page.locator('output')).toHaveText('')
})

const PROFILE = 'slipway-desktop-profile-'

test('starts although a killed run’s Chromium is still writing to its profile', async ({ start }) => {
  const { pid } = spawnSync('true')
  const profile = join(tmpdir(), `${PROFILE}${pid}-written`)
  const write =
    'i=0; while mkdir -p "$0"; do for _ in 1 2 3 4 5 6 7 8; do i=$((i+1)); : >"$0/$i"; done; done 2>/dev/null'
  const writer = spawn('sh', ['-c', write, profile], { stdio: 'ignore' })
  try {
    await expect.poll(() => existsSync(profile)).toBe(true)
    await scriptsHaveRun(await (await start()).firstWindow())
  } finally {
    writer.kill('SIGKILL')
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
})

test('leaves behind no process or profile, however it ends', async ({ start }) => {
  const run = promisify(execFile)
  const open = async (): Promise<ElectronApplication> => {
    const app = await start()
    await app.firstWindow()
    return app
  }
  const ofRun = async (pid: number | undefined): Promise<number> => {
    const { stdout } = await run('ps', ['-eo', 'args'])
    return stdout.split('\n').filter((line) => line.includes(`${PROFILE}${pid}-`)).length
  }
  const profiles = (pid: number | undefined): string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`${PROFILE}${pid}-`))

  const closed = await open()
  const { pid } = closed.process()
  expect(await ofRun(pid)).toBeGreaterThan(0)
  await closed.close()
  expect(profiles(pid)).toEqual([])
  await expect.poll(() => ofRun(pid)).toBe(0)

  const killed = await open()
  const victim = killed.process()
  victim.kill('SIGKILL')
  await expect.poll(() => ofRun(victim.pid)).toBe(0)
  // The profile was left behind; the next start deletes it.
  await open()
  expect(profiles(victim.pid)).toEqual([])
})
