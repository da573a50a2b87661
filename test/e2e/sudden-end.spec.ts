// All of the app's processes are ended at once and without notice, as when the session ends or the power
// fails: nothing is lost, nothing is uploaded twice, and the window is where it was. Also after ordinary
// restarts, so that the window doesn't creep by its frame.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixture.ts'
import { answerUploads, fileRow, liveNames, UPLOADS_UNANSWERED } from './hands.ts'
import { dropFiles, makeFiles, type Slipway } from './slipway.ts'

const PLACE = { x: 310, y: 220, width: 900, height: 640, maximized: false }

const placeOf = ({ data }: Slipway): unknown => {
  try {
    return JSON.parse(readFileSync(join(data, 'window.json'), 'utf8'))
  } catch {
    return null
  }
}

/** Whether the file says that the window is at about `PLACE`: a window manager may add the size of a frame. */
const isPlaced = (s: Slipway): boolean => {
  const { x, y, width } = (placeOf(s) ?? {}) as Partial<typeof PLACE>
  return Math.abs((x ?? 0) - PLACE.x) <= 50 && Math.abs((y ?? 0) - PLACE.y) <= 50 && width === PLACE.width
}

/** The process and everything that it started. */
function family(pid: number): readonly number[] {
  const children = readdirSync('/proc').filter((name) => {
    try {
      return readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1] === String(pid)
    } catch {
      // Not a process, or one that has ended.
      return false
    }
  })
  return [pid, ...children.flatMap((child) => family(Number(child)))]
}

async function move({ app }: Slipway): Promise<void> {
  const { maximized: _maximized, ...bounds } = PLACE
  await app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds)
}

test('the end of all processes at once loses nothing, repeats nothing and moves no window', async ({
  slipway,
}) => {
  test.skip(process.platform !== 'linux', 'finds the processes in /proc')
  const s = await slipway()
  await move(s)
  await expect.poll(() => isPlaced(s)).toBe(true)
  const before = placeOf(s)
  s.service.setFaults(UPLOADS_UNANSWERED)
  const desk = makeFiles(s.home, 'desk', { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
  await dropFiles(
    s.page,
    ['a.txt', 'b.txt', 'c.txt'].map((name) => join(desk, name)),
  )
  await expect(s.page.getByRole('progressbar', { name: 'a.txt' })).toBeVisible()
  const ended = s.app.waitForEvent('close')
  for (const pid of family(s.app.process().pid ?? 0))
    try {
      process.kill(pid, 'SIGTERM')
    } catch {
      // It has ended with one of the others.
    }
  await ended
  answerUploads(s)
  const again = await s.restart()
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await expect(fileRow(again.page, name)).toBeVisible()
  await expect.poll(() => liveNames(s).toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(placeOf(again)).toEqual(before)
})

test('restarts, full screen and maximizing leave the window in its place', async ({ slipway }) => {
  let s = await slipway({
    before: ({ data }) => writeFileSync(join(data, 'window.json'), JSON.stringify(PLACE)),
  })
  for (const state of ['FullScreen', 'Maximized'] as const) {
    const is = (): Promise<boolean | undefined> =>
      s.app.evaluate(({ BrowserWindow }, what) => BrowserWindow.getAllWindows()[0]?.[`is${what}`](), state)
    const width = (): Promise<number | undefined> =>
      s.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds().width)
    const set = (isOn: boolean): Promise<void> =>
      s.app.evaluate(
        ({ BrowserWindow }, [what, on]) => {
          const [window] = BrowserWindow.getAllWindows()
          if (what === 'FullScreen') window?.setFullScreen(on)
          else if (on) window?.maximize()
          else window?.unmaximize()
        },
        [state, isOn] as const,
      )
    await set(true)
    await expect.poll(is).toBe(true)
    // A window manager gives the window its new size, and its old one back, a little later.
    await expect.poll(width).not.toBe(PLACE.width)
    await set(false)
    await expect.poll(is).toBe(false)
    await expect.poll(width).toBe(PLACE.width)
    s = await s.restart()
    expect(placeOf(s)).toEqual(PLACE)
  }
})
