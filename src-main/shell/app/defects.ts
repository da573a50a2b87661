// Handles uncaught exceptions in the main thread. Electron would show a stack trace in a dialog. Instead, the
// stack goes to the log and the user sees a short message. The app keeps running, because uploads run in
// another thread. An exception during start-up ends the app.

/** Minimum interval between two dialogs, so that a recurring defect doesn't flood the user with dialogs. */
const TELL_EVERY_MS = 10 * 60_000

interface Running {
  readonly log: (event: string, fields: { readonly message: string }) => void
  /** Shows the message; resolves when the user has closed it. */
  readonly tell: () => Promise<unknown>
}

export class Defects {
  readonly #fail: (message: string) => void
  readonly #now: () => number
  #running: Running | null = null
  /** Rejections before `started`, when there is no log yet. */
  #early: string[] = []
  #toldAt: number | null = null
  #isTelling = false

  /**
   * `fail` shows a message and ends the app; it is called for an exception before `started`. `now` returns
   * monotonic milliseconds.
   */
  constructor(fail: (message: string) => void, now: () => number) {
    this.#fail = fail
    this.#now = now
  }

  /**
   * Call once the app has started. From then on, exceptions are logged and shown instead of ending the app.
   */
  started(running: Running): void {
    this.#running = running
    for (const message of this.#early.splice(0)) running.log('main.rejection', { message })
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

  /**
   * Logs an unhandled promise rejection without notifying the user. Rejections before `started` are logged
   * when `started` is called.
   */
  rejected(reason: unknown): void {
    const message = textOf(reason)
    if (this.#running === null) this.#early.push(message)
    else this.#running.log('main.rejection', { message })
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
