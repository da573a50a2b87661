// Lets the page go while the window is closed to the tray, since a page costs more memory than the rest of Slipway: after a while the page is
// asked, and one that nothing holds (no dialog, no half-typed text, no request) answers with its place, which the next page gets.
import type { WindowEvent } from '../../../src-shared/app.ts'

/** How long the window stays hidden before its page is asked, and between two questions. */
const HIDDEN_MS = 60_000

export class PageRelease {
  readonly #parts: PageReleaseParts
  #isHidden = false
  #isAsked = false
  #place: string | null = null
  #cancel: (() => void) | null = null

  constructor(parts: PageReleaseParts) {
    this.#parts = parts
  }

  /**
   * The window was closed to the tray. Not to be called on Electron's `hide`, which macOS also sends for a window behind another one.
   */
  hidden(): void {
    this.#isHidden = true
    this.#wait()
  }

  shown(): void {
    this.#isHidden = false
    this.#isAsked = false
    this.#cancel?.()
    this.#cancel = null
  }

  /**
   * The page's answer: its place, and the number of the last message of events that is in it. If another one was sent since, what it says would
   * be lost with the page, which is asked again later.
   */
  offer({ seq, place }: { readonly seq: number; readonly place: string }): void {
    // Not now: the page's own request is still being answered.
    this.#parts.soon(() => {
      if (!this.#isAsked || seq !== this.#parts.seq() || !this.#parts.isFree()) return
      this.shown()
      this.#place = place
      this.#parts.release()
    })
  }

  /** The place that a page left, for the next one; null for all that follow. */
  takePlace(): string | null {
    const place = this.#place
    this.#place = null
    return place
  }

  #wait(): void {
    this.#cancel?.()
    this.#cancel = this.#parts.after(this.#parts.delayMs, () => {
      if (!this.#isHidden) return
      this.#isAsked = this.#parts.isFree()
      if (this.#isAsked) this.#parts.ask()
      this.#wait()
    })
  }
}

interface PageReleaseParts {
  readonly delayMs: number
  /** Returns a function that cancels it. */
  readonly after: (ms: number, run: () => void) => () => void
  readonly soon: (run: () => void) => void
  /** Asks the page. */
  readonly ask: () => void
  /** The number of the last message of events to the page. */
  readonly seq: () => number
  /** Whether nothing but the page needs the window. */
  readonly isFree: () => boolean
  /** Ends the page. */
  readonly release: () => void
}

/** The parts of the app that it needs; read when they are used, because some are created later. */
interface ReleaseApp {
  readonly window: { isFree(): boolean; letGo(): void }
  readonly desk: { isAsking(): boolean }
  readonly server: { tell(event: WindowEvent): void; seq(): number }
}

export function createRelease(slipway: ReleaseApp): PageRelease {
  return new PageRelease({
    delayMs: Number(process.env['SLIPWAY_LET_GO_MS'] ?? HIDDEN_MS),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    soon: setImmediate,
    ask: () => slipway.server.tell({ kind: 'let-go' }),
    seq: () => slipway.server.seq(),
    isFree: () => slipway.window.isFree() && !slipway.desk.isAsking(),
    release: () => slipway.window.letGo(),
  })
}
