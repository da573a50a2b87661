// Tracks the bytes sent, and computes speed and remaining time, smoothed for display. Kept in memory only.
import type { Progress } from '../../../src-shared/model.ts'
import type { Clock } from '../ports.ts'

/**
 * Half-life of the smoothed speed: half of its weight is on the last four seconds. That is steady enough to
 * read, but follows changes quickly.
 */
const HALF_LIFE_MS = 4000
const SAMPLE_MS = 250

interface Item {
  readonly path: string
  readonly size: number
  sent: number
  meter: Meter
}

export interface Accounting {
  start(id: number, path: string, size: number): void
  progress(id: number, sent: number): void
  stop(id: number): void
  sent(id: number): number
  /**
   * Returns the figures to display. `pendingBytes`: total size of all files that are still to be sent. Active
   * files count in full.
   */
  view(pendingBytes: number): Progress
}

interface Meter {
  add(bytes: number): void
  speed(): number
}

function createMeter(clock: Clock): Meter {
  let rate = 0
  let pending = 0
  let at = clock.mono()
  const settle = (): void => {
    const now = clock.mono()
    const elapsed = now - at
    if (elapsed < SAMPLE_MS) return
    const weight = 1 - 0.5 ** (elapsed / HALF_LIFE_MS)
    rate += weight * ((pending / elapsed) * 1000 - rate)
    pending = 0
    at = now
  }
  return {
    add: (bytes) => {
      pending += bytes
      settle()
    },
    speed: () => {
      settle()
      return Math.max(0, rate)
    },
  }
}

export function createAccounting(clock: Clock): Accounting {
  const items = new Map<number, Item>()
  const all = createMeter(clock)
  let done = 0
  return {
    start: (id, path, size) => {
      items.set(id, { path, size, sent: 0, meter: createMeter(clock) })
    },
    progress: (id, sent) => {
      const item = items.get(id)
      if (item === undefined) return
      const delta = Math.max(0, sent - item.sent)
      item.sent = sent
      item.meter.add(delta)
      all.add(delta)
      done += delta
    },
    stop: (id) => {
      items.delete(id)
    },
    sent: (id) => items.get(id)?.sent ?? 0,
    view: (pendingBytes) => {
      let moving = 0
      for (const item of items.values()) moving += item.sent
      const left = Math.max(0, pendingBytes - moving)
      const speed = all.speed()
      return {
        speed,
        etaMs: left === 0 ? 0 : speed >= 1 ? Math.round((left / speed) * 1000) : null,
        sentBytes: done,
        totalBytes: done + left,
        active: [...items].map(([id, item]) => ({
          id,
          path: item.path,
          sent: item.sent,
          size: item.size,
          speed: item.meter.speed(),
        })),
      }
    },
  }
}
