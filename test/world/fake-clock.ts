// A clock that a test advances: a wall clock that can jump and a monotonic one that can't. Due timers run in
// order, and everything that they start (promises, immediates) runs before the time advances further.
import type { Clock } from '../../src-main/engine/ports.ts'

export interface FakeClock extends Clock {
  advance(ms: number): Promise<void>
  /** When the earliest timer is due on the monotonic clock; null if there is none. */
  next(): number | null
  /** Moves the wall clock by `ms`, forwards or backwards; no time passes. */
  jumpWall(ms: number): void
  /** Restarts the system: `uptime` begins again at `ms`. */
  reboot(ms: number): void
}

/** Event loop rounds between two timers: enough for a chain of awaited disk and journal calls. */
const ROUNDS = 12
/** Enough rounds for everything between a response and the next request. */
const STEADY_ROUNDS = 60
/** Calls that never end stop time only for this many rounds. */
const BUSY_ROUNDS = 5000

async function settle(isBusy: (() => boolean) | null): Promise<void> {
  const rounds = isBusy === null ? ROUNDS : STEADY_ROUNDS
  for (let i = 0, busy = 0; i < rounds; i++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    if (isBusy === null || busy === BUSY_ROUNDS || !isBusy()) continue
    i = 0
    busy++
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** Time doesn't advance while `isBusy` returns true. If it is null, nothing stops time. */
export function createFakeClock(
  start = Date.UTC(2026, 10, 20, 12, 0, 0),
  isBusy: (() => boolean) | null = null,
): FakeClock {
  let mono = 1000
  let offset = start - mono
  let startedAt = -3_600_000
  let nextId = 0
  const timers = new Map<number, { readonly at: number; readonly call: () => void }>()
  return {
    now: () => mono + offset,
    mono: () => mono,
    uptime: () => mono - startedAt,
    after: (ms, call) => {
      const id = nextId++
      timers.set(id, { at: mono + Math.max(0, ms), call })
      return () => timers.delete(id)
    },
    next: () => (timers.size === 0 ? null : Math.min(...[...timers.values()].map((timer) => timer.at))),
    jumpWall: (ms) => {
      offset += ms
    },
    reboot: (ms) => {
      startedAt = mono - ms
    },
    advance: async (ms) => {
      const end = mono + ms
      await settle(isBusy)
      for (;;) {
        const due = [...timers]
          .filter(([, timer]) => timer.at <= end)
          .toSorted(([a, x], [b, y]) => x.at - y.at || a - b)[0]
        if (due === undefined) break
        const [id, timer] = due
        timers.delete(id)
        mono = Math.max(mono, timer.at)
        timer.call()
        await settle(isBusy)
      }
      mono = end
    },
  }
}
