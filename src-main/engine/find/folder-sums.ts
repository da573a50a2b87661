// Counts a folder's files by state, a few thousand at a time, so that a million files don't block the thread. For a busy folder, the counts
// may be two seconds old, and a change made while counting may or may not be included. For an idle folder, they are exact.
import { setImmediate as yieldNow } from 'node:timers/promises'
import type { AuditSums } from '../../../src-shared/model.ts'
import type { Files, Place } from '../journal/files.ts'
import type { Database } from '../journal/open.ts'
import type { Clock } from '../ports.ts'

const MAX_AGE_MS = 2000
/** Any write to the journal, even for another folder, invalidates a count. After this many attempts, all files are counted in one step. */
const ATTEMPTS_MAX = 3

export interface FolderSumsOptions {
  readonly clock: Pick<Clock, 'mono'>
  readonly db: Pick<Database, 'writes'>
  readonly files: Pick<Files, 'sums' | 'sumsAfter'>
  readonly stop: AbortSignal
}

export class FolderSums {
  readonly #options: FolderSumsOptions
  readonly #known = new Map<number, { readonly at: number; readonly writes: number; readonly sums: AuditSums }>()
  /** Counts in progress, by folder and whether they must be exact. */
  readonly #running = new Map<string, Promise<AuditSums | null>>()

  constructor(options: FolderSumsOptions) {
    this.#options = options
  }

  /**
   * A folder's counts, or null if the engine is closing. `isBusy`: more changes are about to follow, so counts that are up to two seconds
   * old are good enough.
   */
  async of(folderId: number, isBusy: boolean): Promise<AuditSums | null> {
    const { clock, db } = this.#options
    const known = this.#known.get(folderId)
    if (known !== undefined && (known.writes === db.writes() || (isBusy && clock.mono() - known.at < MAX_AGE_MS))) return known.sums
    const key = `${folderId} ${isBusy}`
    const running = this.#running.get(key) ?? this.#count(folderId, isBusy).finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    return running
  }

  async #count(folderId: number, isBusy: boolean): Promise<AuditSums | null> {
    const { clock, db, files, stop } = this.#options
    for (let attempt = 1; ; attempt++) {
      const writes = db.writes()
      const sums = attempt > ATTEMPTS_MAX ? files.sums(folderId) : await this.#inSteps(folderId)
      if (sums === null || stop.aborted) return null
      if (!isBusy && db.writes() !== writes) continue
      this.#known.set(folderId, { at: clock.mono(), writes, sums })
      return sums
    }
  }

  async #inSteps(folderId: number): Promise<AuditSums | null> {
    const { files, stop } = this.#options
    const total = { seen: 0, uploaded: 0, waiting: 0, held: 0, failed: 0, ignored: 0 }
    for (let after: Place | null = null; ; ) {
      const { sums, next } = files.sumsAfter(folderId, after)
      for (const list of ['seen', 'uploaded', 'waiting', 'held', 'failed', 'ignored'] as const) total[list] += sums[list]
      if (next === null) return total
      after = next
      await yieldNow()
      if (stop.aborted) return null
    }
  }
}
