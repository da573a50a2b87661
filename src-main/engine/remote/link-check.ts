// Checks with the service whether a link from an earlier run still works before the link is returned again. Another computer, or the user
// in a browser, may have deleted the file since then.
import type { TransferRow } from '../journal/transfers.ts'
import type { Clock } from '../ports.ts'
import type { Catalog } from './catalog.ts'

/**
 * Maximum number of requests per call. A folder of a thousand uploaded files isn't worth a thousand requests; deleted files are also
 * noticed when the list is read.
 */
const ASKED_MAX = 20
/** A confirmed link isn't checked again within this time. */
const FRESH_MS = 60_000
/** Maximum wait for the responses, because the user is waiting. Without a response, the journal's state is used. */
const WAIT_MS = 3000
/** Like `WAIT_MS`, for a command that only shows links. Such a command doesn't wait for the rate limit at all. */
const PROMPT_MS = 1000

export class LinkCheck {
  readonly #clock: Clock
  readonly #catalog: Pick<Catalog, 'file'>
  readonly #stop: AbortSignal
  readonly #startedAt: number
  /** When each file was last confirmed, in monotonic milliseconds. */
  readonly #askedAt = new Map<number, number>()

  constructor(options: { readonly clock: Clock; readonly catalog: Pick<Catalog, 'file'>; readonly stop: AbortSignal }) {
    this.#clock = options.clock
    this.#catalog = options.catalog
    this.#stop = options.stop
    this.#startedAt = options.clock.now()
  }

  /**
   * Asks the service whether the rows' remote files still exist, and marks a file as gone if it is proved to be missing. Skips rows that
   * were uploaded during this run or confirmed within FRESH_MS, and asks about at most ASKED_MAX files. Without a response, nothing
   * changes. `isPrompt`: waits for a second at most, and not for the rate limit.
   */
  async confirm(rows: readonly (Pick<TransferRow, 'fileId' | 'doneAt'> | null)[], isPrompt = false): Promise<void> {
    const doubted = rows.flatMap((row) => (row?.fileId != null && this.#isDoubted(row.fileId, row) ? [row.fileId] : []))
    const asked = [...new Set(doubted)].slice(0, ASKED_MAX)
    if (asked.length === 0) return
    const late = new AbortController()
    const cancel = this.#clock.after(isPrompt ? PROMPT_MS : WAIT_MS, () => late.abort())
    const signal = AbortSignal.any([late.signal, this.#stop])
    const answers = await Promise.all(asked.map((fileId) => this.#catalog.file(fileId, 'person', signal, isPrompt ? 0 : WAIT_MS)))
    cancel()
    if (this.#askedAt.size > 10 * ASKED_MAX) this.#askedAt.clear()
    for (const [i, fileId] of asked.entries()) if (answers[i]?.ok === true) this.#askedAt.set(fileId, this.#clock.mono())
  }

  #isDoubted(fileId: number, row: Pick<TransferRow, 'doneAt'>): boolean {
    // The service has confirmed this file during this run, so it is unlikely to have been deleted elsewhere.
    if ((row.doneAt ?? 0) >= this.#startedAt) return false
    const at = this.#askedAt.get(fileId)
    return at === undefined || this.#clock.mono() - at >= FRESH_MS
  }
}
