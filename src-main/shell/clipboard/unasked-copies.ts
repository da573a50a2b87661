// Copies links without a request from the user. They never replace anything that the user copied since the upload began: the clipboard must
// still contain what it did then, or an earlier link copied in this way. If the system refuses the write, it is tried again once the window
// has the focus.
export type CopyOutcome =
  /** The links are on the clipboard. */
  | 'copied'
  /** Something else was copied meanwhile, or that can't be ruled out. */
  | 'changed'
  /** The system refuses writes by a program without the focus. */
  | 'refused'

/** A digest of the clipboard at some point in time. null if it is unknown, in which case only an empty clipboard may be written to. */
export type ClipboardMark = string | null

export interface ClipboardPort {
  /** A digest of the clipboard in all formats; '' if it is empty, null if it can't be read. */
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
  /** What was last copied here, and the clipboard's digest after that. */
  #own: { readonly text: string; readonly digest: string } | null = null
  #refused: Refused | null = null
  #turn: Promise<unknown> = Promise.resolve()

  constructor(port: ClipboardPort) {
    this.#port = port
  }

  mark(): Promise<ClipboardMark> {
    return this.#port.digest()
  }

  /** `onCopied` is called if a refused copy succeeds later. */
  copy(text: string, mark: ClipboardMark, onCopied: () => void): Promise<CopyOutcome> {
    return this.#inTurn(async () => {
      const outcome = await this.#write(text, mark)
      this.#refused = outcome === 'refused' ? { text, mark, onCopied } : null
      return outcome
    })
  }

  /** Call when the window gets the focus. */
  focused(): Promise<void> {
    return this.#inTurn(async () => {
      const refused = this.#refused
      this.#refused = null
      if (refused !== null && (await this.#write(refused.text, refused.mark)) === 'copied') refused.onCopied()
    })
  }

  /** Call when the user has copied something by request; it must not be replaced. */
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

  /** Runs copies one at a time: if they overlapped, each would mistake the other's links for something that the user copied. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(run)
    this.#turn = next.catch(() => undefined)
    return next
  }
}
