// Exceptions of the main thread that nothing catches. Electron would show their stack in a dialog; here they go to the log, and the user reads a
// sentence. The app goes on, because uploads are in another thread; before its start is complete there is nothing to go on with, so it ends.

/** A defect that repeats must not bury the user in dialogs. */
const TELL_EVERY_MS = 10 * 60_000

interface Running {
  readonly log: (event: string, fields: { readonly message: string }) => void
  /** Shows the sentence; resolves when the user has read it. */
  readonly tell: () => Promise<unknown>
}

export class Defects {
  readonly #fail: (message: string) => void
  readonly #now: () => number
  #running: Running | null = null
  #toldAt: number | null = null
  #isTelling = false

  /** `fail`: shows the message and ends the app, which hasn't started. `now`: milliseconds of a monotonic clock. */
  constructor(fail: (message: string) => void, now: () => number) {
    this.#fail = fail
    this.#now = now
  }

  /** Call once the app runs. */
  started(running: Running): void {
    this.#running = running
  }

  thrown(error: unknown): void {
    const running = this.#running
    if (running === null) {
      this.#fail(error instanceof Error ? error.message : String(error))
      return
    }
    running.log('main.defect', { message: textOf(error) })
    const now = this.#now()
    if (this.#isTelling || (this.#toldAt !== null && now - this.#toldAt < TELL_EVERY_MS)) return
    this.#toldAt = now
    void this.#tell(running)
  }

  /** Something failed that nobody waited for. Its result is missing, but nothing was interrupted. */
  rejected(reason: unknown): void {
    this.#running?.log('main.rejection', { message: textOf(reason) })
  }

  async #tell({ tell }: Running): Promise<void> {
    this.#isTelling = true
    try {
      await tell()
    } finally {
      this.#isTelling = false
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
