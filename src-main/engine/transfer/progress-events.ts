// Tells speed and time left twice a second, and only while something moves: an idle engine has no timer for it. What the figures are is
// counted in progress.ts.
import type { Clock } from '../ports.ts'

const EVERY_MS = 500

export interface ProgressEventsOptions {
  readonly clock: Clock
  readonly isActive: () => boolean
  readonly emit: () => void
}

export class ProgressEvents {
  readonly #options: ProgressEventsOptions
  #cancel: (() => void) | null = null

  constructor(options: ProgressEventsOptions) {
    this.#options = options
  }

  /** Goes on until nothing is active; asked again, nothing happens. */
  start(): void {
    this.#cancel ??= this.#options.clock.after(EVERY_MS, () => {
      this.#cancel = null
      if (!this.#options.isActive()) return
      this.#options.emit()
      this.start()
    })
  }

  close(): void {
    this.#cancel?.()
  }
}
