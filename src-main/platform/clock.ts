// Implements the Clock port with the system's clocks.
// Its timers never keep the process alive, and their delay may exceed Node's 32-bit limit.
import os from 'node:os'
import type { Clock } from '../engine/ports.ts'

/** Maximum delay of one timer. Beyond 2,147,483,647 ms, a Node timer fires at once. */
const LONGEST_MS = 2_000_000_000

/**
 * On Linux, reading the uptime opens a file, which took a tenth of the time for many small files. In between,
 * the process's own clock goes on, which stops while the system sleeps.
 */
const UPTIME_EVERY_MS = 500

function uptime(): number | null {
  try {
    return os.uptime() * 1000
  } catch {
    return null
  }
}

export function createClock(): Clock {
  let read: number | null = null
  let readAt = Number.NEGATIVE_INFINITY
  return {
    now: () => Date.now(),
    mono: () => performance.now(),
    uptime: () => {
      const now = performance.now()
      if (now - readAt >= UPTIME_EVERY_MS) {
        read = uptime()
        readAt = now
      }
      return read === null ? null : read + (now - readAt)
    },
    after: (ms, call) => {
      let timer: NodeJS.Timeout
      const wait = (left: number): void => {
        timer = setTimeout(
          () => (left > LONGEST_MS ? wait(left - LONGEST_MS) : call()),
          Math.min(LONGEST_MS, Math.max(0, left)),
        )
        timer.unref()
      }
      wait(ms)
      return () => clearTimeout(timer)
    },
  }
}
