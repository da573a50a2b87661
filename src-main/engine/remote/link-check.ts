// Asks the service whether a link that an earlier run made still works, before a person is given it once more: another computer, or a person in
// the browser, may have deleted the file since.
import type { TransferRow } from '../journal/transfers.ts'
import type { Clock } from '../ports.ts'
import type { Catalog } from './catalog.ts'

/** Requests for one call. A folder of a thousand uploaded files is not worth a thousand requests: the list finds out in the background. */
const ASKED_MAX = 20
/** A link that was confirmed is not asked for again in this time. */
const FRESH_MS = 60_000
/** A person waits: without an answer by then, what the journal knows is told. */
const WAIT_MS = 3000

export class LinkCheck {
  readonly #clock: Clock
  readonly #catalog: Pick<Catalog, 'file'>
  readonly #stop: AbortSignal
  readonly #startedAt: number
  /** When each file was asked for, by the monotonic clock. */
  readonly #askedAt = new Map<number, number>()

  constructor(options: { readonly clock: Clock; readonly catalog: Pick<Catalog, 'file'>; readonly stop: AbortSignal }) {
    this.#clock = options.clock
    this.#catalog = options.catalog
    this.#stop = options.stop
    this.#startedAt = options.clock.now()
  }

  /** Asks for the remote files of these rows. What is gone is marked so in the journal. Never rejects; without an answer nothing changes. */
  async confirm(rows: readonly (TransferRow | null)[]): Promise<void> {
    const doubted = rows.flatMap((row) => (row?.fileId != null && this.#isDoubted(row.fileId, row) ? [row.fileId] : []))
    const asked = [...new Set(doubted)].slice(0, ASKED_MAX)
    if (asked.length === 0) return
    const late = new AbortController()
    const cancel = this.#clock.after(WAIT_MS, () => late.abort())
    const signal = AbortSignal.any([late.signal, this.#stop])
    const answers = await Promise.all(asked.map((fileId) => this.#catalog.file(fileId, 'person', signal, WAIT_MS)))
    cancel()
    if (this.#askedAt.size > 10 * ASKED_MAX) this.#askedAt.clear()
    for (const [i, fileId] of asked.entries()) if (answers[i]?.ok === true) this.#askedAt.set(fileId, this.#clock.mono())
  }

  #isDoubted(fileId: number, row: TransferRow): boolean {
    // Uploaded by this run: known at first hand.
    if ((row.doneAt ?? 0) >= this.#startedAt) return false
    const at = this.#askedAt.get(fileId)
    return at === undefined || this.#clock.mono() - at >= FRESH_MS
  }
}
