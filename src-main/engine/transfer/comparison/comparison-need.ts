// Decides which files have to be compared with the service before they are sent: versions that may have been sent without this journal's
// knowledge, unless they were compared or sent before, or the user approved them or asked for a new upload.
import type { TransferRow } from '../../journal/transfers.ts'
import type { Clock } from '../../ports.ts'
import { mayBeSent, type PastKeeper } from './past.ts'

/** Identifies a version of a file. A comparison is valid only for the version that was compared. */
export function versionKey(row: TransferRow): string {
  return `${row.size} ${row.mtime} ${row.path}`
}

export class ComparisonNeed {
  readonly #clock: Pick<Clock, 'now'>
  readonly #past: Pick<PastKeeper, 'get'>
  /** Versions that were compared and not found on the service, by transfer. */
  readonly #cleared = new Map<number, string>()

  constructor(clock: Pick<Clock, 'now'>, past: Pick<PastKeeper, 'get'>) {
    this.#clock = clock
    this.#past = past
  }

  isNeeded(row: TransferRow): boolean {
    const gap = this.#past.get()
    // A file that couldn't be read has attempts, but no intent.
    const wasSent = row.attempts > 0 && row.intentAt !== null
    if (gap === null || row.again || wasSent || this.#cleared.get(row.id) === versionKey(row)) return false
    if ((row.released?.split(',') ?? []).includes('ambiguous')) return false
    return mayBeSent(gap, row.mtime, this.#clock.now())
  }

  /** Records that this version wasn't found on the service, so that it may be sent. */
  clear(row: TransferRow): void {
    this.#cleared.set(row.id, versionKey(row))
  }

  reset(): void {
    this.#cleared.clear()
  }
}
