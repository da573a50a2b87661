// Decides when the journal forgets versions and remote files that no longer exist (journal/old-rows.ts): a small part each minute, so that
// nothing else is delayed.
import { type OldKind, type OldRows, type Position, START } from '../journal/old-rows.ts'
import type { Clock } from '../ports.ts'

const DAY_MS = 86_400_000
/** How long a replaced or vanished version remains in the history. */
const KEPT_MS = 30 * DAY_MS
/**
 * Nothing is forgotten until the clocks have agreed for this long: if the wall clock was set forward by mistake, a file may appear old that
 * was deleted a moment ago, and a list that lags may still contain it.
 */
const SETTLED_MS = 3_600_000
/** How far the wall clock may drift from the monotonic clock between two calls of `tick`. */
const DRIFT_MS = 60_000
/** Rows examined at a time. At one part a minute, this is enough for more than 250,000 changes a day. */
const PART = 200
/** A remote file is kept as long as a transfer refers to it, and an ID as long as anything does. */
const KINDS: readonly OldKind[] = ['replaced', 'vanished', 'remote', 'id']

export interface RetentionOptions {
  readonly clock: Clock
  readonly rows: OldRows
  /** When `/stats` was last read, in epoch milliseconds; null if it never was. Its count is compared with what has changed since. */
  readonly statsAt: () => number | null
  /** Runs `work` in a transaction, soon. */
  readonly soon: (work: () => void) => void
}

export class Retention {
  readonly #options: RetentionOptions
  readonly #queue: { readonly kind: OldKind; readonly from: Position }[] = []
  #settledFrom: number
  /** The wall clock minus the monotonic clock at the last call of `tick`; before the first one, at construction. */
  #offset: number
  /** When the next pass begins, by the monotonic clock. */
  #nextPass = 0

  constructor(options: RetentionOptions) {
    this.#options = options
    this.#offset = options.clock.now() - options.clock.mono()
    this.#settledFrom = options.clock.mono()
  }

  /** Forgets the next part if one is due. Call about once a minute. */
  tick(): void {
    const { clock, rows, statsAt, soon } = this.#options
    const mono = clock.mono()
    const offset = clock.now() - mono
    if (Math.abs(offset - this.#offset) > DRIFT_MS) this.#settledFrom = mono
    this.#offset = offset
    const read = statsAt()
    if (mono - this.#settledFrom < SETTLED_MS || read === null) return
    if (this.#queue.length === 0 && mono >= this.#nextPass) {
      this.#nextPass = mono + DAY_MS
      this.#queue.push(...KINDS.map((kind) => ({ kind, from: START })))
    }
    const next = this.#queue.shift()
    if (next === undefined) return
    const before = Math.min(clock.now() - KEPT_MS, read)
    soon(() => {
      const from = rows.drop(next.kind, before, next.from, PART)
      if (from !== null) this.#queue.unshift({ kind: next.kind, from })
    })
  }
}
