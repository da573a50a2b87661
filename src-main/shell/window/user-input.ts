// Remembers when the user last pressed a key or a button in the window, as reported by the browser process,
// which a page can't imitate. Calls that open programs, publish or delete are carried out only shortly after
// that (src-shared/page-calls.ts).
import type { Proof } from '../../../src-shared/page-calls.ts'

/** How long one input allows calls. Long, because a busy computer takes seconds from a click to the call. */
const FRESH_MS = 30_000
/**
 * Maximum number of `one-input` calls within `RATE_MS`, whatever the input. A screen reader's click isn't an
 * input event.
 */
const RATE_MOST = 20
const RATE_MS = 60_000

const BEGINS: ReadonlySet<string> = new Set([
  'mouseDown',
  'rawKeyDown',
  'keyDown',
  'touchStart',
  'gestureTap',
])
const ENDS: ReadonlySet<string> = new Set(['mouseUp', 'keyUp', 'touchEnd'])

interface UserInputOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly isShown: () => boolean
  /**
   * Whether a screen reader, or another assistive program, may be acting for the user, without input events.
   */
  readonly isAssisted: () => boolean
}

export class UserInput {
  readonly #options: UserInputOptions
  #at = Number.NEGATIVE_INFINITY
  /** Whether a `one-input` call has used up the last input. */
  #isUsed = true
  #taken: number[] = []

  constructor(options: UserInputOptions) {
    this.#options = options
  }

  /** Takes an input event of the window (Electron's `input-event`). */
  take({
    type,
    modifiers,
  }: {
    readonly type: string
    readonly modifiers?: readonly string[] | undefined
  }): void {
    if (ENDS.has(type)) this.#at = this.#options.now()
    // Holding a key down counts once.
    else if (BEGINS.has(type) && modifiers?.includes('isautorepeat') !== true) this.began()
  }

  /**
   * Call when the user has acted outside the page for it: with a command of the menu, or in a system dialog.
   */
  began(): void {
    this.#at = this.#options.now()
    this.#isUsed = false
  }

  /**
   * Whether a call that needs this proof may be carried out now. Uses up the input if the proof is
   * `one-input`.
   */
  allows(needs: Proof): boolean {
    if (needs === 'input') return this.#isFresh()
    if (needs === 'one-input') return this.#takeOne()
    return needs !== 'shown' || this.#options.isShown()
  }

  #isFresh(): boolean {
    return this.#options.isAssisted() || this.#options.now() - this.#at < FRESH_MS
  }

  #takeOne(): boolean {
    const now = this.#options.now()
    this.#taken = this.#taken.filter((at) => now - at < RATE_MS)
    if (!this.#isFresh() || (this.#isUsed && !this.#options.isAssisted()) || this.#taken.length >= RATE_MOST)
      return false
    this.#isUsed = true
    this.#taken.push(now)
    return true
  }
}
