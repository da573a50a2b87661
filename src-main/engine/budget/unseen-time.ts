// Handles gaps: time that may have passed unobserved, because the computer slept or the process wasn't running. A fence in the windows
// separates the requests before a gap from later ones. Once a Date header shows how long the gap was, the timeline and the later requests
// move forward by that length. Before that, the gap counts as empty, so that no request leaves a window too early.
import type { PacerStore } from '../journal/pacer-store.ts'
import type { Step, Timebase } from './server-clock.ts'
import type { WindowBudget } from './window-budget.ts'

/**
 * Delay before a probe after start-up. A probe is one request for the service's Date, sent although the budget looks full, because
 * unobserved time may have made room. It isn't sent if another response brings a Date first.
 */
const START_PATIENCE_MS = 2_000
/**
 * Like `START_PATIENCE_MS`, after a jump of the clock during a run. A full minute window empties within this time, so a probe is sent only
 * if the day's requests are used up.
 */
const JUMP_PATIENCE_MS = 65_000
/** A shorter gap isn't worth a request. */
const GAP_WORTH_MS = 2_000
/** Number of Date headers at the start of a run that are saved at once, because the next run measures its gap against them. */
const FIRST_DATES = 3

export class UnseenTime {
  readonly #time: Timebase
  readonly #windows: readonly WindowBudget[]
  readonly #store: Pick<PacerStore, 'settleRequest'>
  /** Where the open gap begins on the timeline, once the windows have been fenced there; null if no gap is open. */
  #fencedSince: number | null = null
  /** When a request was first blocked only because unobserved time doesn't count yet; null if none was. */
  #probeWantedAt: number | null = null
  /** Rows settled since the open gap was noticed. Once the gap's length is known, their times are moved by it. */
  #settledInGap: { readonly id: number; readonly at: number }[] = []
  #datesSeen = 0

  constructor(time: Timebase, windows: readonly WindowBudget[], store: Pick<PacerStore, 'settleRequest'>) {
    this.#time = time
    this.#windows = windows
    this.#store = store
  }

  /** The current time on the timeline. If a gap has opened since the last call, fences the windows. */
  now(): number {
    const t = this.#time.now()
    this.watch()
    return t
  }

  watch(): void {
    const since = this.#time.gap()?.since ?? null
    if (since === this.#fencedSince) return
    this.#close()
    this.#fencedSince = since
    if (since !== null) for (const budget of this.#windows) budget.window.fence()
  }

  fencedSince(): number | null {
    return this.#fencedSince
  }

  /** Remembers a row that was settled at `at` while a gap is open. Its time is moved once the gap's length is known. */
  settled(id: number, at: number): void {
    if (this.#fencedSince !== null) this.#settledInGap.push({ id, at })
  }

  /**
   * Evaluates a Date header from the service, for a request sent at `sentAt`. Returns `decided` if it closed the open gap, `first` if it is
   * one of the first Dates of the run, which are saved at once, and `noted` otherwise.
   */
  observe(sentAt: number, serverDate: number): 'decided' | 'first' | 'noted' {
    const step: Step | null = this.#time.observe({ sentAt, serverDate })
    if (step === null) {
      this.#datesSeen += 1
      return this.#datesSeen <= FIRST_DATES ? 'first' : 'noted'
    }
    if (step.by > 0) {
      for (const budget of this.#windows) budget.window.shift(step.by)
      for (const row of this.#settledInGap) this.#store.settleRequest(row.id, row.at + step.by)
    }
    this.#close()
    return 'decided'
  }

  /** Closes an open gap as empty, so that only monotonic time counts as passed. Call after the service refused a request. */
  drop(): void {
    if (this.#time.gap() === null) return
    this.#time.dropGap()
    this.watch()
  }

  /**
   * When one request may be sent to get the service's Date although the budget is full. `no`: no gap is open, it is too short, or there
   * would be no room even after a gap as long as the wall clock shows. `after-answer`: a pending response will bring a Date.
   */
  probeFrom(hasCapacityIfOlder: (byMs: number) => boolean, isIdle: boolean, now: number): number | 'no' | 'after-answer' {
    const gap = this.#time.gap()
    if (gap === null || gap.wallMs < GAP_WORTH_MS || !hasCapacityIfOlder(gap.wallMs)) return 'no'
    if (!isIdle) return 'after-answer'
    this.#probeWantedAt ??= now
    return this.#probeWantedAt + (gap.kind === 'start' ? START_PATIENCE_MS : JUMP_PATIENCE_MS)
  }

  #close(): void {
    this.#fencedSince = null
    this.#probeWantedAt = null
    this.#settledInGap = []
  }
}
