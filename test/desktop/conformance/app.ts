// Facts about an app's life: its start, its second start, its end.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ELECTRON, expect, fact, from, kept, LAB } from './fact.ts'

fact('a start: will-finish-launching, ready, whenReady, the first page, its window', async ({ app }) => {
  expect(((await kept(app, 'started')) as string[]).slice(0, 5)).toEqual([
    'will-finish-launching',
    'ready',
    'whenReady',
    'web-contents-created',
    'browser-window-created',
  ])
})

fact('what needs readiness is refused before it', async ({ app }) => {
  expect(await kept(app, 'early')).toEqual({
    isReady: false,
    window: 'Error: Cannot create BrowserWindow before app is ready',
    session: expect.stringMatching(/Error: Session can only be received when app is ready$/),
    shortcut: 'Error: globalShortcut cannot be used before the app is ready',
  })
})

fact('what must come before readiness is refused afterwards', async ({ app }) => {
  const got = await app.evaluate(({ app: main, protocol }) => [
    lab.attempt(() => protocol.registerSchemesAsPrivileged([{ scheme: 'late' }])),
    lab.attempt(() => main.enableSandbox()),
    lab.attempt(() => main.disableHardwareAcceleration()),
  ])
  expect(got).toEqual([
    'Error: protocol.registerSchemesAsPrivileged should be called before app is ready',
    'Error: app.enableSandbox() can only be called before app is ready',
    'Error: app.disableHardwareAcceleration() can only be called before app is ready',
  ])
})

fact('a main module that awaits ready at its top level waits forever', from(28), async ({ start }) => {
  const app = await start({ main: 'waits.mjs' })
  await expect(app.firstWindow({ timeout: 1000 })).rejects.toThrow(/Timeout/)
  expect(await kept(app, 'state')).toBe('waiting')
})

fact('the process of an app names itself, its program and its arguments', async ({ app, data }) => {
  const got = await app.evaluate(({ app: main }) => ({
    type: process.type,
    isPackaged: main.isPackaged,
    isDefault: process.defaultApp,
    resources: typeof process.resourcesPath,
    isExe: process.argv[0] === process.execPath && main.getPath('exe') === process.execPath,
    argv: process.argv.slice(1),
    data: main.commandLine.getSwitchValue('user-data-dir'),
    has: [main.commandLine.hasSwitch('user-data-dir'), main.commandLine.hasSwitch('nothing')],
  }))
  expect(got).toEqual({
    type: 'browser',
    isPackaged: false,
    isDefault: true,
    resources: 'string',
    isExe: true,
    argv: expect.arrayContaining([join(LAB, ''), `--user-data-dir=${data}`]),
    data,
    has: [true, false],
  })
})

fact('an app has the name, version and folder of its package', async ({ app, data }) => {
  const got = await app.evaluate(({ app: main }) => [
    main.getName(),
    main.getVersion(),
    main.getAppPath(),
    main.getPath('userData'),
    main.getPath('sessionData'),
    main.getPath('logs'),
    lab.attempt(() => main.getPath('nowhere' as 'home')),
    lab.attempt(() => main.setPath('userData', 'relative')),
  ])
  expect(got).toEqual([
    'lab',
    '1.2.3',
    LAB,
    data,
    data,
    join(data, 'logs'),
    "Error: Failed to get 'nowhere' path",
    'Error: Path must be absolute',
  ])
})

fact('work runs in a thread of its own', async ({ app }) => {
  const got = await app.evaluate(
    () =>
      new Promise((done) => {
        const { Worker } = lab.require('node:worker_threads') as typeof import('node:worker_threads')
        new Worker("require('node:worker_threads').parentPort.postMessage(process.version)", {
          eval: true,
        }).once('message', (version) => done(version === process.version))
      }),
  )
  expect(got).toBe(true)
})

fact('a second start is reported to the first with its data, and ends with 0', async ({ app, data }) => {
  const second = spawn(ELECTRON, [LAB, `--user-data-dir=${data}`, 'file to upload.txt'], {
    cwd: tmpdir(),
    stdio: 'ignore',
  })
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0)
  await expect.poll(() => kept(app, 'seconds')).toHaveLength(1)
  expect(await kept(app, 'seconds')).toEqual([
    {
      argv: expect.arrayContaining([`--user-data-dir=${data}`, 'file to upload.txt']),
      cwd: tmpdir(),
      data: { from: 'file to upload.txt' },
    },
  ])
  expect(await app.evaluate(({ app: main }) => main.hasSingleInstanceLock())).toBe(true)
})

fact(
  'quit: before-quit, close, closed, will-quit, quit; each but the last can be prevented',
  async ({ start, scratch }) => {
    const log = join(scratch, 'log')
    const app = await start({ env: { LAB_LOG: log } })
    await app.firstWindow()
    const steps = (): string[] => readFileSync(log, 'utf8').trim().split('\n')
    const prevented = await app.evaluate(async ({ app: main, BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows()
      const seen = lab.follow(main, ['before-quit', 'will-quit'])
      lab.follow(window, ['close', 'closed'], seen)
      main.once('before-quit', (event) => event.preventDefault())
      main.quit()
      window?.once('close', (event) => event.preventDefault())
      main.quit()
      await new Promise((done) => setTimeout(done, 100))
      return seen
    })
    expect(prevented).toEqual(['before-quit', 'before-quit', 'close'])
    const gone = new Promise((resolve) => app.process().once('exit', resolve))
    await app.evaluate(({ app: main }) => {
      main.once('will-quit', (event) => {
        event.preventDefault()
        setTimeout(() => main.quit(), 10)
      })
      setTimeout(() => main.quit(), 10)
    })
    expect(await gone).toBe(0)
    expect(steps().slice(3)).toEqual([
      'before-quit',
      'close',
      'closed',
      'will-quit',
      'before-quit',
      'will-quit',
      'quit 0',
    ])
  },
)

fact('an app without a listener for it quits when its last window is closed', async ({ start, scratch }) => {
  const log = join(scratch, 'log')
  const app = await start({ env: { LAB_LOG: log, LAB_QUITS: '1' } })
  await app.firstWindow()
  const gone = new Promise((resolve) => app.process().once('exit', resolve))
  await app.evaluate(({ BrowserWindow }) =>
    setTimeout(() => BrowserWindow.getAllWindows()[0]?.close(), 10).hasRef(),
  )
  expect(await gone).toBe(0)
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
    'close',
    'closed',
    'before-quit',
    'will-quit',
    'quit 0',
  ])
})

fact(
  'exit ends at once with its code: no before-quit, no close, no will-quit',
  async ({ start, scratch }) => {
    const log = join(scratch, 'log')
    const app = await start({ env: { LAB_LOG: log } })
    await app.firstWindow()
    const gone = new Promise((resolve) => app.process().once('exit', resolve))
    await app.evaluate(({ app: main }) => setTimeout(() => main.exit(3), 10).hasRef())
    expect(await gone).toBe(3)
    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(['closed', 'quit 3'])
  },
)
