// Slipway among a desktop's real services: the tray's menu over D-Bus, logind, a file chooser portal, a drag from
// another program, X's two selections, screens and scale factors, the start at login. Only on a real Electron.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onPath } from '../electron/session.ts'
import { isStandIn, startAgain } from './desk.ts'
import { test as base, expect } from './fixture.ts'
import { command, fileRow, liveNames } from './hands.ts'
import {
  type Desktop,
  dragSource,
  dropTarget,
  lackingServices,
  select,
  startDesktop,
  startScreen,
  windowsNamed,
  x,
} from './services/services.ts'
import { clipboardText, dropFiles, makeFiles, type Slipway } from './slipway.ts'
import { watchStalls } from './stalls.ts'

/** Far above what a busy machine takes, and far below the 25 seconds that a D-Bus call is waited for. */
const STALL_MAX_MS = 10_000

const isVisible = (s: Slipway): Promise<boolean> =>
  s.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((one) => one.isVisible()))

const bounds = (s: Slipway): Promise<Electron.Rectangle | undefined> =>
  s.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())

const entryOf = (s: Slipway): string => readFileSync(join(s.home, 'config/autostart/slipway.desktop'), 'utf8')

const closed = (s: Slipway): Promise<void> =>
  s.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())

const test = base.extend<{ readonly desktop: Desktop }>({
  desktop: async ({ browserName: _none }, use, info) => {
    const lacking = lackingServices()
    info.skip(lacking.length > 0, `lacks ${lacking.join(', ')}`)
    const desktop = await startDesktop()
    await use(desktop)
    await desktop.end()
  },
})

if (process.platform === 'linux' && !isStandIn) {
  test('the tray’s menu is read and clicked over D-Bus, and its icon brings the window back', async ({
    slipway,
    desktop,
  }) => {
    const s = await slipway({ env: desktop.env })
    await expect.poll(() => desktop.menu()).toContain('(Every file accounted for)')
    await closed(s)
    await expect.poll(() => isVisible(s)).toBe(false)
    desktop.tell({ do: 'activate' })
    await expect.poll(() => isVisible(s)).toBe(true)
    await closed(s)
    await expect.poll(() => isVisible(s)).toBe(false)
    desktop.tell({ do: 'click', label: 'Open Slipway' })
    await expect.poll(() => isVisible(s)).toBe(true)
    // As a person would: again, if the menu was replaced just then.
    await expect
      .poll(async () => {
        desktop.tell({ do: 'click', label: 'Pause' })
        return await desktop.menu()
      })
      .toEqual(expect.arrayContaining(['(Paused)', 'Resume']))
  })

  test('dunst shows that a file was uploaded, and a click on the notification opens the window', async ({
    slipway,
    desktop,
  }) => {
    test.skip(!onPath('dunst'), 'lacks dunst')
    const dunst = spawn('dunst', ['-conf', '/dev/null'], {
      stdio: 'ignore',
      env: { ...process.env, ...desktop.env },
    })
    try {
      await expect.poll(() => spawnSync('dunstctl', ['count', 'displayed']).status).toBe(0)
      const s = await slipway({ env: desktop.env })
      await expect.poll(() => desktop.menu()).toContain('Open Slipway')
      await closed(s)
      await expect.poll(() => isVisible(s)).toBe(false)
      const dir = makeFiles(s.home, 'desk', { 'a.txt': 'a' })
      expect(await startAgain(s, [join(dir, 'a.txt')])).toBe(0)
      await expect.poll(() => x('dunstctl', 'count', 'displayed')).toBe('1')
      x('dunstctl', 'action')
      await expect.poll(() => isVisible(s)).toBe(true)
      x('dunstctl', 'close-all')
      await expect.poll(() => x('dunstctl', 'history')).toContain('a.txt')
    } finally {
      dunst.kill()
    }
  })

  test('logind waits for the app when the machine shuts down, and the app quits', async ({
    slipway,
    desktop,
  }) => {
    const s = await slipway({ env: desktop.env })
    await expect
      .poll(() => desktop.happened('inhibit'))
      .toContainEqual(expect.objectContaining({ what: 'shutdown', mode: 'delay' }))
    const ended = s.app.waitForEvent('close')
    desktop.tell({ do: 'shutdown' })
    await ended
    await expect.poll(() => desktop.happened('released').map(({ what }) => what)).toContain('shutdown')
  })

  test('sleep and the end of it reach the app from logind', async ({ slipway, desktop }) => {
    const s = await slipway({ env: desktop.env })
    await s.app.evaluate(({ powerMonitor }) => {
      Reflect.set(globalThis, 'power', [])
      for (const name of ['suspend', 'resume'] as const)
        powerMonitor.on(name as 'resume', () => (Reflect.get(globalThis, 'power') as string[]).push(name))
    })
    desktop.tell({ do: 'sleep', starts: true })
    desktop.tell({ do: 'sleep', starts: false })
    await expect
      .poll(() => s.app.evaluate(() => Reflect.get(globalThis, 'power') as string[]))
      .toEqual(expect.arrayContaining(['suspend', 'resume']))
  })

  test('a portal is asked for files, and nothing waits until it answers', async ({ slipway, desktop }) => {
    const s = await slipway({ env: { ...desktop.env, GTK_USE_PORTAL: '1' } })
    await s.page.getByRole('button', { name: 'Upload', exact: true }).click()
    await expect
      .poll(() => desktop.happened('chooser'))
      .toEqual([expect.objectContaining({ multiple: true })])
    const dir = makeFiles(s.home, 'desk', { 'meanwhile.txt': 'meanwhile' })
    await dropFiles(s.page, [join(dir, 'meanwhile.txt')])
    await expect.poll(() => liveNames(s)).toEqual(['meanwhile.txt'])
  })

  test('files are dragged from another program onto the window', async ({ slipway, desktop: _desktop }) => {
    const s = await slipway()
    const dir = makeFiles(s.home, 'desk', { 'a b.txt': 'a', 'Příliš.txt': 'b' })
    await s.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 200, y: 100, width: 900, height: 640 }),
    )
    const source = await dragSource([join(dir, 'a b.txt'), join(dir, 'Příliš.txt')])
    try {
      const steps = [10, 80, 150, 300, 400, 500, 600, 610, 620].flatMap((at) => [
        'mousemove',
        `${at}`,
        `${at / 2 + 90}`,
        'sleep',
        '0.1',
      ])
      x('xdotool', 'mousemove', '30', '30', 'mousedown', '1', 'sleep', '0.2', ...steps, 'mouseup', '1')
      await expect.poll(() => liveNames(s).toSorted()).toEqual(['Příliš.txt', 'a b.txt'])
      expect(source.said).not.toContain('failed')
    } finally {
      await source.end()
    }
  })

  test('rows are dragged to another program, as a file or as a link', async ({
    slipway,
    desktop: _desktop,
  }) => {
    const s = await slipway({
      before: ({ service }) => void service.plant({ filename: 'elsewhere.txt', size: 5 }),
    })
    const dir = makeFiles(s.home, 'desk', { 'a b.txt': 'a' })
    await dropFiles(s.page, [join(dir, 'a b.txt')])
    await expect(fileRow(s.page, 'a b.txt')).toBeVisible()
    await command(s.page, 'Refresh')
    await expect(fileRow(s.page, 'elsewhere.txt')).toBeVisible()
    await s.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 200, y: 100, width: 900, height: 640 }),
    )
    const target = await dropTarget()
    const drag = async (name: string): Promise<void> => {
      const row = await fileRow(s.page, name).boundingBox()
      const inside = await s.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.getContentBounds(),
      )
      const [left, top] = [(inside?.x ?? 0) + (row?.x ?? 0) + 80, (inside?.y ?? 0) + (row?.y ?? 0) + 20]
      const steps = [0, 0.02, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1].flatMap((part) => [
        'mousemove',
        `${Math.round(left + (30 - left) * part)}`,
        `${Math.round(top + (30 - top) * part)}`,
        'sleep',
        part === 0 ? '0' : '0.15',
        ...(part === 0 ? ['mousedown', '1', 'sleep', '0.3'] : []),
      ])
      x('xdotool', ...steps, 'mouseup', '1')
    }
    try {
      await drag('a b.txt')
      await expect.poll(() => target.said.at(-1)).toBe(pathToFileURL(join(dir, 'a b.txt')).href)
      await drag('elsewhere.txt')
      await expect.poll(() => target.said.at(-1)).toMatch(/^http.*\/d/)
      expect([...liveNames(s)].toSorted()).toEqual(['a b.txt', 'elsewhere.txt'])
    } finally {
      await target.end()
    }
  })

  test('a middle click pastes what is selected elsewhere, and copying a link leaves it alone', async ({
    slipway,
    desktop: _desktop,
  }) => {
    const s = await slipway()
    select('primary', 'selected elsewhere')
    select('clipboard', 'copied elsewhere')
    const search = s.page.getByRole('searchbox').first()
    await search.click({ button: 'middle' })
    await expect(search).toHaveValue('selected elsewhere')
    expect(await clipboardText(s.app)).toBe('copied elsewhere')
    expect(x('xclip', '-selection', 'primary', '-out')).toBe('selected elsewhere')
  })

  for (const scale of ['1.25', '2', '3'])
    test(`at a scale of ${scale}, the window is drawn at it, and fits the screen`, async ({
      slipway,
      desktop: _desktop,
    }) => {
      const screen = await startScreen(['-screen', '0', '2560x1600x24'])
      try {
        const s = await slipway({
          args: [`--force-device-scale-factor=${scale}`],
          env: { DISPLAY: screen.display },
        })
        const { workArea, factor } = await s.app.evaluate(({ screen: all }) => {
          const { workArea: area, scaleFactor } = all.getPrimaryDisplay()
          return { workArea: area, factor: scaleFactor }
        })
        expect(factor).toBe(Number(scale))
        const at = await bounds(s)
        expect(at?.x).toBeGreaterThanOrEqual(workArea.x)
        expect(at?.y).toBeGreaterThanOrEqual(workArea.y)
        expect((at?.x ?? 0) + (at?.width ?? 0)).toBeLessThanOrEqual(workArea.x + workArea.width)
        expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThanOrEqual(workArea.y + workArea.height)
      } finally {
        await screen.end()
      }
    })

  test('a window that was left on a screen which is gone opens on the one that is there', async ({
    slipway,
    desktop: _desktop,
  }) => {
    const state = { x: 5000, y: 3000, width: 900, height: 640, maximized: false }
    const s = await slipway({
      before: ({ data }) => writeFileSync(join(data, 'window.json'), JSON.stringify(state)),
    })
    const { x: left, y: top } = (await bounds(s)) ?? { x: -1, y: -1 }
    expect([left >= 0 && left < 1920, top >= 0 && top < 1080]).toEqual([true, true])
  })

  test('at login, the app starts as its autostart entry says: in the tray, without a window', async ({
    slipway,
    desktop,
  }) => {
    const s = await slipway({ env: desktop.env, settings: { openAtLogin: true } })
    await expect.poll(() => desktop.happened('icon').length).toBe(1)
    const [, line = ''] = /^Exec=(.+)$/m.exec(entryOf(s)) ?? []
    const env = await s.app.evaluate(() => ({ ...process.env }))
    await s.app.close()
    const login = spawn('sh', ['-c', `exec ${line}`], { env, stdio: 'ignore' })
    try {
      await expect.poll(() => desktop.happened('icon').length).toBe(2)
      await expect.poll(() => desktop.menu()).toContain('Open Slipway')
      expect(windowsNamed('Slipway')).toEqual([])
      desktop.tell({ do: 'activate' })
      await expect.poll(() => windowsNamed('Slipway').length).toBe(1)
    } finally {
      login.kill()
    }
  })

  for (const frozen of ['tray', 'portal', 'logind'] as const)
    for (const isBefore of [true, false])
      test(`a frozen ${frozen} (${isBefore ? 'at the start' : 'later'}) keeps neither the main thread nor uploads`, async ({
        slipway,
      }) => {
        const service = await startDesktop(frozen)
        try {
          if (isBefore) service.freeze(true)
          const from = performance.now()
          const s = await slipway({ env: { ...service.env, GTK_USE_PORTAL: '1' } })
          const startMs = performance.now() - from
          if (!isBefore) service.freeze(true)
          const longest = await watchStalls(s.app)
          await s.page.getByRole('button', { name: 'Upload', exact: true }).click()
          const dir = makeFiles(s.home, 'desk', { 'a.txt': 'a' })
          await dropFiles(s.page, [join(dir, 'a.txt')])
          await expect.poll(() => liveNames(s)).toEqual(['a.txt'])
          const stall = await longest()
          const toldToEnd = performance.now()
          const ended = s.app.waitForEvent('close')
          s.app.process().kill('SIGTERM')
          await ended
          const endMs = performance.now() - toldToEnd
          test.info().annotations.push({
            type: 'longest stall',
            description: `${Math.round(stall)} ms; start ${Math.round(startMs)} ms, end ${Math.round(endMs)} ms`,
          })
          expect(Math.max(stall, endMs)).toBeLessThan(STALL_MAX_MS)
        } finally {
          await service.end()
        }
      })
}
