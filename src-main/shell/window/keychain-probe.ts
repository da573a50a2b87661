// Checks whether the keychain is usable, and informs the page when that changes. A failed check is repeated
// whenever the keychain may have become usable, because a key that is entered while the keychain is unusable
// is lost when the app quits.
import type { Boot } from '../../../src-shared/window-contract.ts'
import type { Occasion } from '../engine/patient-keychain.ts'
import type { HandlerParts } from './handler-parts.ts'

type KeychainState = Boot['keychain']

export class KeychainProbe {
  readonly #parts: Pick<HandlerParts, 'link' | 'tell'>
  /** Null until the keychain has been checked for this account. */
  #state: KeychainState | null = null
  #probing: Promise<void> | null = null

  constructor(parts: Pick<HandlerParts, 'link' | 'store' | 'tell'>) {
    this.#parts = parts
    parts.store.onConnection(({ unread }) => {
      // The keychain may just have been read successfully. In that case, an earlier failed check is out of
      // date.
      if (unread === undefined) void this.repeat(null)
    })
  }

  state(): KeychainState {
    return this.#state ?? { ok: true, message: null }
  }

  /**
   * Checks the keychain, unless it has been checked before. Call when a page boots, because the engine thread
   * is running by then. If the thread fails during the check, the next page repeats the check.
   */
  probe(): Promise<void> {
    this.#probing ??= this.#ask(null)
    return this.#probing
  }

  /**
   * Repeats a failed check, if the occasion justifies another system dialog. If `occasion` is null, the check
   * must not open a dialog.
   */
  async repeat(occasion: Occasion | null): Promise<void> {
    if (this.#state?.ok === false) await this.#ask(occasion)
  }

  /**
   * Call when the user enters a key. If a page that was already open has switched to this account, for
   * example after a trial, the keychain hasn't been checked for the account yet.
   */
  keyEntered(): Promise<void> {
    return this.#state === null ? this.probe() : this.repeat('person')
  }

  async #ask(occasion: Occasion | null): Promise<void> {
    const got = await this.#parts.link.op('keychain', { occasion })
    if (!got.ok) {
      this.#probing = null
      return
    }
    if (got.value === null) return
    const { ok, message } = got.value
    if (ok === this.#state?.ok && message === this.#state.message) return
    this.#state = { ok, message }
    this.#parts.tell({ kind: 'keychain', keychain: this.#state })
  }
}
