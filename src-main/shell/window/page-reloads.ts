// Decides when to reload a page that crashed. The first reload follows at once, later ones after increasing
// delays, so that a page that crashes on every start doesn't keep the CPU busy.

/** Delays in milliseconds after the first, second, … consecutive crash. The last one repeats. */
const DELAYS_MS = [0, 1000, 5000, 30_000] as const
/** A page that has run for this long counts as stable, and its next crash as the first. */
const SOUND_MS = 60_000

export class PageReloads {
  #crashes = 0
  #lastAt = Number.NEGATIVE_INFINITY

  /**
   * Returns the delay in milliseconds before reloading the page. `now` is the time of the crash in monotonic
   * milliseconds.
   */
  delay(now: number): number {
    // Measure from the end of the delay, because the page wasn't running during it.
    const ranSince = this.#lastAt + this.#delayBefore()
    if (now - ranSince >= SOUND_MS) this.#crashes = 0
    this.#crashes++
    this.#lastAt = now
    return this.#delayBefore()
  }

  #delayBefore(): number {
    return this.#crashes === 0 ? 0 : (DELAYS_MS[Math.min(this.#crashes, DELAYS_MS.length) - 1] ?? 0)
  }
}
