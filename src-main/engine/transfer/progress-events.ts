// Emits speed and remaining time twice a second while files are being sent. In an idle engine, no timer runs. The figures come from
// progress.ts.
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

  /** Emits until no upload is active. Has no effect while already emitting. */
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
