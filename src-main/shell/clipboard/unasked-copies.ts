// Copies links automatically, without a request from the user. This never replaces anything that the user
// copied after the upload began: the clipboard must be empty, unchanged since then, or contain links that
// were copied automatically. If the system refuses the write, the write is retried when the window gets the
// focus.
export type CopyOutcome =
  /** The links are on the clipboard. */
  | 'copied'
  /** Something else has been copied since the mark, or this can't be ruled out. */
  | 'changed'
  /** The system refused the write, most likely because the program doesn't have the focus. */
  | 'refused'

/**
 * A digest of the clipboard at some point in time. Null means that the clipboard couldn't be read. In that
 * case, only an empty clipboard or automatically copied links are replaced.
 */
export type ClipboardMark = string | null

export interface ClipboardPort {
  /** Returns a digest of all formats: '' for an empty clipboard, null if it can't be read. */
  digest(): Promise<string | null>
  /** Resolves to false if the system refuses the write. */
  write(text: string): Promise<boolean>
}

interface Refused {
  readonly text: string
  readonly mark: ClipboardMark
  readonly onCopied: () => void
}

export class UnaskedCopies {
  readonly #port: ClipboardPort
  /** The text that was last copied automatically, and the clipboard's digest afterwards. */
  #own: { readonly text: string; readonly digest: string } | null = null
  #refused: Refused | null = null
  #turn: Promise<unknown> = Promise.resolve()

  constructor(port: ClipboardPort) {
    this.#port = port
  }

  mark(): Promise<ClipboardMark> {
    return this.#port.digest()
  }

  /**
   * Copies `text` if the user hasn't copied anything since `mark`. `onCopied` is called if a refused copy
   * succeeds later.
   */
  copy(text: string, mark: ClipboardMark, onCopied: () => void): Promise<CopyOutcome> {
    return this.#inTurn(async () => {
      const outcome = await this.#write(text, mark)
      this.#refused = outcome === 'refused' ? { text, mark, onCopied } : null
      return outcome
    })
  }

  /** Retries the last copy if the system refused it. Call when the window gets the focus. */
  focused(): Promise<void> {
    return this.#inTurn(async () => {
      const refused = this.#refused
      this.#refused = null
      if (refused !== null && (await this.#write(refused.text, refused.mark)) === 'copied') refused.onCopied()
    })
  }

  /**
   * Call when the user copies something in Slipway, so that it doesn't count as an automatic copy and no
   * retried copy replaces it.
   */
  asked(): void {
    this.#own = null
    this.#refused = null
  }

  async #write(text: string, mark: ClipboardMark): Promise<CopyOutcome> {
    const now = await this.#port.digest()
    const isOwn = now !== null && now === this.#own?.digest
    if (isOwn && this.#own?.text === text) return 'copied'
    if (now === null || (now !== '' && now !== mark && !isOwn)) return 'changed'
    if (!(await this.#port.write(text))) return 'refused'
    const written = await this.#port.digest()
    this.#own = written === null ? null : { text, digest: written }
    return 'copied'
  }

  /**
   * Runs copies one at a time. If two overlapped, one could mistake the other's links for something that the
   * user copied.
   */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(run)
    this.#turn = next.catch(() => undefined)
    return next
  }
}
