// Programs on the session bus that stop answering while the app uses them. The main thread never waits for
// them: its longest stall is measured, and is in the report of the run. Electron's own calls would wait for 25
// seconds, and its end without a time limit.
import { join } from 'node:path'
import { closeWindow, hasRecords, isVisible, notifications, startAgain, trayMenu } from './desk.ts'
import { expect, test } from './fixture.ts'
import { liveNames } from './hands.ts'
import { ask, makeFiles, notificationServers } from './slipway.ts'
import { watchStalls } from './stalls.ts'

/** Far above what a busy machine takes, and far below the time limit of a D-Bus call. */
const STALL_MAX_MS = 5000

if (hasRecords && process.platform === 'linux')
  for (const frozen of ['nothing', 'the notification server', 'the file manager', 'the session bus'] as const)
    test(`with ${frozen} frozen, files are uploaded, and the main thread goes on`, async ({ slipway }) => {
      const s = await slipway()
      await expect.poll(() => trayMenu(s.app)).toContain('Open Slipway')
      const { server } = notificationServers.get(s.app) ?? {}
      if (frozen === 'the notification server') server?.set('hung')
      const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b' })
      await closeWindow(s.app)
      await expect.poll(() => isVisible(s.app)).toBe(false)
      const longest = await watchStalls(s.app)
      if (frozen === 'the file manager') s.bus().setFileManager('silent')
      if (frozen === 'the session bus') s.bus().setTray('silent')
      expect(await startAgain(s, [join(desk, 'a.txt')])).toBe(0)
      await expect.poll(() => liveNames(s)).toEqual(['a.txt'])
      if (frozen !== 'the session bus') await expect.poll(() => server?.asked).toBe(1)
      expect(await ask(s.page, 'showInFolder', { transferId: 1 })).toMatchObject({ ok: true })
      expect(await startAgain(s, [join(desk, 'b.txt')])).toBe(0)
      await expect.poll(() => liveNames(s)).toEqual(['a.txt', 'b.txt'])
      const stall = await longest()
      test.info().annotations.push({ type: 'longest stall', description: `${stall.toFixed(0)} ms` })
      expect(stall).toBeLessThan(STALL_MAX_MS)
      // What had to wait is shown once it can be.
      server?.set('there')
      if (frozen !== 'the session bus') await expect.poll(() => notifications(s.app)).toHaveLength(2)
      const ended = s.app.waitForEvent('close')
      s.app.process().kill('SIGTERM')
      await ended
    })
