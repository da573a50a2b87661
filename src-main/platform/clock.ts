// Real time. Timers never keep the process alive by themselves, and may be longer than what one timer of Node can hold.
// What a jump of the clock means is not decided here.
import type { Clock } from '../engine/ports.ts'

/** A longer delay would fire at once (a 32-bit limit of the timers). */
const LONGEST_MS = 2_000_000_000

export function createClock(): Clock {
  return {
    now: () => Date.now(),
    mono: () => performance.now(),
    after: (ms, call) => {
      let timer: NodeJS.Timeout
      const wait = (left: number): void => {
        timer = setTimeout(() => (left > LONGEST_MS ? wait(left - LONGEST_MS) : call()), Math.min(LONGEST_MS, Math.max(0, left)))
        timer.unref()
      }
      wait(ms)
      return () => clearTimeout(timer)
    },
  }
}
