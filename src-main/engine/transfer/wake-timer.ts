// The scheduler's only timer. It runs the next step at the earliest of the requested times.
import type { Clock } from '../ports.ts'

export class WakeTimer {
  readonly #clock: Clock
  readonly #run: () => void
  #set: { readonly at: number; readonly cancel: () => void } | null = null
  #isClosed = false

  constructor(clock: Clock, run: () => void) {
    this.#clock = clock
    this.#run = run
  }

  /** Requests a step in `ms` milliseconds. Null requests none. */
  after(ms: number | null): void {
    if (this.#isClosed || ms === null) return
    const at = this.#clock.mono() + ms
    if (this.#set !== null && this.#set.at <= at) return
    this.#set?.cancel()
    const cancel = this.#clock.after(ms, () => {
      this.#set = null
      this.#run()
    })
    this.#set = { at, cancel }
  }

  /** Requests a step at `time` (epoch milliseconds), or at once if that has passed. Null requests none. */
  at(time: number | null): void {
    if (time !== null) this.after(Math.max(1, time - this.#clock.now()))
  }

  close(): void {
    this.#isClosed = true
    this.#set?.cancel()
  }
}
