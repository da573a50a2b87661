// Unloads the page while the window is closed to the tray, because a page uses more memory than the rest of
// Slipway. After a while, the page is asked whether it can be unloaded. If nothing would be lost, such as
// half-typed text, the page answers with its "place": the state from which the next page restores the same
// view.
import type { WindowEvent } from '../../../src-shared/window-contract.ts'
import { after, within } from '../../platform/time.ts'

/**
 * How long the window is hidden before its page is asked whether it can be unloaded, and the interval between
 * further requests.
 */
const HIDDEN_MS = 60_000
const LEAST_MS = 100
/** How long quitting waits for a page that doesn't answer. */
const SAVE_MS = 500

export class PageRelease {
  readonly #parts: PageReleaseParts
  #isHidden = false
  #isAsked = false
  #place: string | null = null
  #cancel: (() => void) | null = null
  #typedSaved: () => void = () => undefined

  constructor(parts: PageReleaseParts) {
    this.#parts = parts
  }

  /**
   * Starts the wait after which the page is asked whether it can be unloaded. Call when the window is closed
   * to the tray. Don't call it on Electron's `hide`, which macOS also emits for a covered window.
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
   * Takes the page's answer: its place, and the number of the last event message that it received. If another
   * message was sent since, its events would be lost with the page, so the page stays and is asked again
   * later.
   */
  offer({ seq, place }: { readonly seq: number; readonly place: string }): void {
    // Deferred, because the page's own request is still being answered.
    this.#parts.soon(() => {
      if (!this.#isAsked || seq !== this.#parts.seq() || !this.#parts.isFree()) return
      this.shown()
      this.#place = place
      this.#parts.release()
    })
  }

  /** Returns the place that the previous page left, and forgets it. Null if there is none. */
  takePlace(): string | null {
    const place = this.#place
    this.#place = null
    return place
  }

  /** Makes the page save what is being typed. Resolves once it has, or doesn't answer in time. */
  async saveTyped(): Promise<void> {
    const saved = Promise.withResolvers<void>()
    this.#typedSaved = saved.resolve
    if (this.#parts.save()) await within(SAVE_MS, saved.promise)
  }

  typedSaved(): void {
    this.#typedSaved()
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
  /** Returns a function that cancels the timer. */
  readonly after: (ms: number, run: () => void) => () => void
  readonly soon: (run: () => void) => void
  /** Asks the page whether it can be unloaded. */
  readonly ask: () => void
  /** Makes the page save what is being typed, and then call `typedSaved`. Returns false if there is no page. */
  readonly save: () => boolean
  /** Number of the last event message sent to the page. */
  readonly seq: () => number
  /**
   * Whether the window can be destroyed: it has no open dialog, shows no upload progress, and isn't in full
   * screen.
   */
  readonly isFree: () => boolean
  /** Unloads the page. */
  readonly release: () => void
}

/**
 * How long the window is hidden before its page is asked. If the app isn't packaged, tests and measurements
 * can set SLIPWAY_LET_GO_MS to another time, at least 100 ms. Invalid and smaller values are ignored, because
 * a page that can't be unloaded is asked at this interval for as long as the window is hidden.
 */
export function hiddenMs(env: Readonly<Record<string, string | undefined>>, isPackaged: boolean): number {
  const named = isPackaged ? '' : (env['SLIPWAY_LET_GO_MS'] ?? '')
  const ms = /^\d{3,8}$/.test(named) ? Number(named) : 0
  return ms >= LEAST_MS ? ms : HIDDEN_MS
}

/**
 * The parts of the app that unloading needs. Read them only when they are used, because some are created
 * later.
 */
interface ReleaseApp {
  readonly window: { isFree(): boolean; letGo(): void; page(): object | null }
  readonly desk: { isAsking(): boolean }
  readonly server: { tell(event: WindowEvent): void; seq(): number }
}

export function createRelease(slipway: ReleaseApp, isPackaged: boolean): PageRelease {
  return new PageRelease({
    delayMs: hiddenMs(process.env, isPackaged),
    after,
    soon: setImmediate,
    save: () => {
      slipway.server.tell({ kind: 'save-typed' })
      return slipway.window.page() !== null
    },
    ask: () => slipway.server.tell({ kind: 'let-go' }),
    seq: () => slipway.server.seq(),
    isFree: () => slipway.window.isFree() && !slipway.desk.isAsking(),
    release: () => slipway.window.letGo(),
  })
}

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
