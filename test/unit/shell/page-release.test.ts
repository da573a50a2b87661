// When the page of a hidden window is unloaded, with a fake clock: not before the window has been hidden for
// a while, not while anything needs it, and not if an event was sent after the page answered.
import { expect, it, vi } from 'vitest'
import { hiddenMs, PageRelease } from '../../../src-main/shell/window/page-release.ts'

const DELAY = 60_000

function world() {
  let now = 0
  const timers: { at: number; run: () => void }[] = []
  const later: (() => void)[] = []
  const state = { seq: 7, isFree: true, asked: 0, released: 0, hasPage: true }
  const release = new PageRelease({
    delayMs: DELAY,
    after: (ms, run) => {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0)
    },
    soon: (run) => void later.push(run),
    ask: () => {
      state.asked++
      state.seq++
    },
    save: () => state.hasPage,
    seq: () => state.seq,
    isFree: () => state.isFree,
    release: () => void state.released++,
  })
  const pass = (ms: number): void => {
    now += ms
    for (const timer of timers.splice(0)) {
      if (timer.at <= now) timer.run()
      else timers.push(timer)
    }
  }
  const settle = (): void => {
    for (const run of later.splice(0)) run()
  }
  return { release, state, pass, settle, timers }
}

it('asks a page that was hidden for the whole time, and lets it go at its answer', () => {
  const { release, state, pass, settle, timers } = world()
  release.hidden()
  pass(DELAY - 1)
  expect(state.asked).toBe(0)
  pass(1)
  expect(state.asked).toBe(1)
  release.offer({ seq: 8, place: 'there' })
  expect(state.released).toBe(0)
  settle()
  expect(state.released).toBe(1)
  expect(timers).toEqual([])
  expect([release.takePlace(), release.takePlace()]).toEqual(['there', null])
})

it('asks nobody while the window is seen, and waits the whole time again once it is hidden', () => {
  const { release, state, pass, timers } = world()
  release.hidden()
  pass(DELAY - 1)
  release.shown()
  expect(timers).toEqual([])
  release.hidden()
  pass(DELAY - 1)
  expect(state.asked).toBe(0)
  pass(1)
  expect(state.asked).toBe(1)
})

it.each<[string, (at: ReturnType<typeof world>) => void]>([
  ['the window is shown', ({ release }) => release.shown()],
  ['something is said', ({ state }) => void state.seq++],
  ['a dialog is opened', ({ state }) => void (state.isFree = false)],
])('keeps the page if %s before its answer counts', (_what, happens) => {
  const at = world()
  at.release.hidden()
  at.pass(DELAY)
  at.release.offer({ seq: at.state.seq, place: 'there' })
  happens(at)
  at.settle()
  expect(at.state.released).toBe(0)
  expect(at.release.takePlace()).toBeNull()
})

it('keeps a page that offers its place unasked', () => {
  const { release, state, settle } = world()
  release.offer({ seq: 7, place: 'there' })
  settle()
  expect(state.released).toBe(0)
})

it('asks again and again while the page is held', () => {
  const { release, state, pass, settle } = world()
  state.isFree = false
  release.hidden()
  pass(DELAY)
  expect(state.asked).toBe(0)
  state.isFree = true
  pass(DELAY)
  pass(DELAY)
  expect(state.asked).toBe(2)
  release.offer({ seq: state.seq, place: 'there' })
  settle()
  expect(state.released).toBe(1)
})

it.each([
  [undefined, DELAY],
  ['1000', 1000],
  // Each of these would ask a page that stays several hundred times a second.
  ['', DELAY],
  ['0', DELAY],
  ['50', DELAY],
  ['a minute', DELAY],
  ['-1000', DELAY],
  ['1e9999', DELAY],
])('a copy that isn’t packaged waits as long as it is told: %j', (value, ms) => {
  expect(hiddenMs({ SLIPWAY_LET_GO_MS: value }, false)).toBe(ms)
})

it('a packaged app waits its full time, whatever the environment contains', () => {
  expect(hiddenMs({ SLIPWAY_LET_GO_MS: '1000' }, true)).toBe(DELAY)
})

it('waits until the page has saved what is being typed, but not without a page', async () => {
  const { release, state } = world()
  let isOver = false
  const saving = release.saveTyped().then(() => {
    isOver = true
  })
  await Promise.resolve()
  expect(isOver).toBe(false)
  release.typedSaved()
  await saving
  state.hasPage = false
  await release.saveTyped()
})

it('does not wait for good for a page that hangs', async () => {
  vi.useFakeTimers()
  let isOver = false
  void world()
    .release.saveTyped()
    .then(() => {
      isOver = true
    })
  await vi.advanceTimersByTimeAsync(500)
  vi.useRealTimers()
  expect(isOver).toBe(true)
})
