// Reads the part of the remote list that a comparison needs. Reads it again after a failure, and a limited number of times if files may
// have been missed because the list lags or shrinks.
import type { Gate } from '../../../src-shared/model.ts'
import type { CallResult } from '../remote/requests.ts'
import type { Past } from './gap.ts'
import type { ComparisonOptions } from './room.ts'

const RETRY_MS = 2000
const RETRY_MAX_MS = 60_000
/**
 * Maximum number of times the list is read while it shows fewer files than `/stats` counts. Up to that limit, the list is assumed to lag;
 * beyond it, the count is assumed to be wrong.
 */
const LAG_TRIES = 3
/**
 * Maximum number of passes through the list that may have missed a file. A list that shrinks while it is read may hide a file at a page
 * edge, so it is read again until a pass adds no new file. On an account where files are deleted all the time, waiting for a complete pass
 * would never end.
 */
const MAX_PASSES = 5
/**
 * If the last pass failed and at least this many have ended without success, the gate shows that the list can't be read. A command with a
 * time limit may then give up.
 */
const TROUBLE_TRIES = 5
/**
 * When only the newest part of the list is read, the read goes back this much further than the newest known file. This allows for clock
 * changes, and for the time between an upload and its listed date.
 */
const NEWEST_SLACK_MS = 3_600_000

export class ComparisonList {
  readonly #options: ComparisonOptions
  #reading: Promise<void> | null = null
  #tries = 0
  /** Number of passes that reached the end of the list but may have missed a file. */
  #passes = 0
  /** Number of files read so far in the current pass. */
  #files = 0
  /** Why the last pass failed, as a sentence after a space, empty if unknown; null if it didn't fail. */
  #trouble: string | null = null
  /** Whether the pause after the last pass isn't over. */
  #isPaused = false
  /**
   * Number of files that the journal knows to be on the service. Cached, because counting them takes too long to be done for every
   * transfer.
   */
  #listed: number | null = null

  constructor(options: ComparisonOptions) {
    this.#options = options
  }

  /** Number of files on the service according to `/stats`; null if unknown, or if this process hasn't read `/stats`. */
  totalFiles(): number | null {
    const { stats, limits } = this.#options
    return stats.isRead() ? limits.quota().totalFiles : null
  }

  /** Starts reading the list for a transfer, unless a pass is in progress or the pause after the last one isn't over. */
  ask(): void {
    const { ports, moved, stop } = this.#options
    if (this.#reading !== null || stop.aborted || this.#isPaused) return
    this.#reading = this.#read()
      .catch((error: unknown) => {
        this.#pause(RETRY_MAX_MS)
        ports.log.error('compare.defect', { message: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      })
      .finally(() => {
        this.#reading = null
        if (!stop.aborted) moved()
      })
    moved()
  }

  /** What holds back every file that has to be compared; null if nothing does. */
  gate(): Gate | null {
    // If no transfer asks for the list after a pause, for example because all were cancelled, the failure is no longer shown.
    if (this.#reading === null && (this.#trouble === null || !this.#isPaused)) return null
    if (this.#trouble !== null && this.#tries >= TROUBLE_TRIES)
      return {
        reason: 'backoff',
        until: null,
        message: `The list of files on the service can't be read.${this.#trouble} These files wait, so that nothing is uploaded twice.`,
      }
    const total = this.totalFiles()
    const progress = total === null ? '' : ` (${this.#files.toLocaleString('en')} of ${total.toLocaleString('en')})`
    return {
      reason: 'comparing',
      until: null,
      message: `Reading the list of files on the service, so that nothing is sent twice${progress}.`,
    }
  }

  /** Number of files that the journal knows to be on the service. */
  listedFiles(): number {
    this.#listed ??= this.#options.remote.held().files
    return this.#listed
  }

  reset(): void {
    this.#listed = null
    this.#trouble = null
    this.#tries = 0
    this.#passes = 0
    this.#isPaused = false
  }

  /** Resolves once the current pass has ended. */
  settled(): Promise<void> {
    return this.#reading ?? Promise.resolve()
  }

  async #read(): Promise<void> {
    const { ports, db, remote, past, tenure } = this.#options
    const asked = tenure()
    const gap = past.get()
    if (gap === null || gap.walk === 'done') return
    this.#files = 0
    const before = remote.held().files
    const got = await this.#readPart(gap.walk)
    // The account has changed, so the list that was read may be that of the old account.
    if (asked.aborted) return
    this.#tries++
    const total = this.totalFiles()
    const listed = remote.held().files
    this.#listed = listed
    const lags = got.ok && gap.walk === 'whole' && total !== null && listed < total && this.#tries < LAG_TRIES
    this.#trouble = got.ok ? null : got.failure.kind === 'api' ? ` ${got.failure.failure.message}` : ''
    if (got.ok && !got.value.isComplete) this.#passes++
    const isRead = got.ok && (got.value.isComplete || (this.#passes > 1 && listed <= before) || this.#passes >= MAX_PASSES)
    if (isRead && !lags) {
      ports.log.info('compare.listed', { walk: gap.walk, cause: gap.cause, files: listed, passes: this.#passes })
      await db.soon(() => past.listed())
      this.#tries = 0
      this.#passes = 0
      return
    }
    if (!got.ok) ports.log.warn('compare.list', { why: got.failure.kind })
    this.#pause(Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** Math.min(10, this.#tries - 1)))
  }

  #readPart(walk: Exclude<Past['walk'], 'done'>): Promise<CallResult<{ readonly isComplete: boolean }>> {
    const { transfers, likes, past, catalog, moved, stop } = this.#options
    const newest = walk === 'newest' ? likes.newestAt() : null
    const newerThan = newest === null ? null : newest - NEWEST_SLACK_MS
    const priority = transfers.hasUrgent() ? 'watched' : 'list'
    const onPage = (files: number): void => {
      this.#files += files
      moved()
    }
    return catalog.readForComparison({ newerThan, since: past.get()?.at ?? 0, priority }, onPage, stop)
  }

  #pause(ms: number): void {
    const { ports, moved } = this.#options
    this.#isPaused = true
    ports.clock.after(ms, () => {
      this.#isPaused = false
      moved()
    })
  }
}
