// Reads the part of the remote list that a comparison needs. Reads it again after a failure, and a limited number of times if files may
// have been missed because the list lags or shrinks.
import type { Gate } from '../../../src-shared/model.ts'
import type { Likes } from '../journal/likes.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { Transfers } from '../journal/transfers.ts'
import type { UploadLimits } from '../limits/plan/upload-limits.ts'
import type { Ports } from '../ports.ts'
import type { Catalog } from '../remote/catalog.ts'
import type { CallResult } from '../remote/requests.ts'
import type { StatsRefresh } from '../remote/stats-refresh.ts'
import type { Past, PastKeeper } from './gap.ts'

const RETRY_MS = 2000
const RETRY_MAX_MS = 60_000
/** If no transfer asks for the list within this time after a retry is due, the last failure is no longer shown. */
const ASK_MS = 1000
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

export interface ComparisonListOptions {
  readonly ports: Pick<Ports, 'clock' | 'log'>
  readonly db: Database
  readonly transfers: Pick<Transfers, 'hasUrgent'>
  readonly remote: Pick<Remote, 'held'>
  readonly likes: Pick<Likes, 'newestAt'>
  readonly past: PastKeeper
  readonly catalog: Pick<Catalog, 'readForComparison'>
  readonly limits: Pick<UploadLimits, 'quota'>
  readonly stats: Pick<StatsRefresh, 'isRead'>
  /** Called when something may be sent now, or when what is shown has changed. */
  readonly moved: () => void
  /** Aborts when the account changes (`IdentityKeeper.tenure`). */
  readonly tenure: () => AbortSignal
  readonly stop: AbortSignal
}

export class ComparisonList {
  readonly #options: ComparisonListOptions
  #reading: Promise<void> | null = null
  #tries = 0
  /** Number of passes that reached the end of the list but may have missed a file. */
  #passes = 0
  /** Number of files read so far in the current pass. */
  #files = 0
  #hasFailed = false
  /** Why the last pass failed, as a sentence; null if unknown. */
  #why: string | null = null
  /** Whether a transfer has asked for the list since the last pause ended. */
  #isAsked = false
  /** No pass starts before this time, in monotonic milliseconds. */
  #notBefore = Number.NEGATIVE_INFINITY
  /**
   * Number of files that the journal knows to be on the service. Cached, because counting them takes too long to be done for every
   * transfer.
   */
  #listed: number | null = null

  constructor(options: ComparisonListOptions) {
    this.#options = options
  }

  /** Number of files on the service according to `/stats`; null if unknown, or if this process hasn't read `/stats`. */
  totalFiles(): number | null {
    const { stats, limits } = this.#options
    return stats.isRead() ? limits.quota().totalFiles : null
  }

  /** Starts reading the list for a transfer, unless a pass is in progress or the pause after the last one isn't over. */
  ask(): void {
    this.#isAsked = true
    const { ports, moved, stop } = this.#options
    if (this.#reading !== null || stop.aborted || ports.clock.mono() < this.#notBefore) return
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
    if (this.#reading === null && !this.#hasFailed) return null
    if (this.#hasFailed && this.#tries >= TROUBLE_TRIES)
      return {
        reason: 'backoff',
        until: null,
        message: `The list of files on the service can't be read.${this.#why === null ? '' : ` ${this.#why}`} These files wait, so that nothing is uploaded twice.`,
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
    this.#hasFailed = false
    this.#tries = 0
    this.#passes = 0
    this.#notBefore = Number.NEGATIVE_INFINITY
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
    this.#hasFailed = !got.ok
    if (got.ok && !got.value.isComplete) this.#passes++
    const isRead = got.ok && (got.value.isComplete || (this.#passes > 1 && listed <= before) || this.#passes >= MAX_PASSES)
    if (isRead && !lags) {
      ports.log.info('compare.listed', { walk: gap.walk, cause: gap.cause, files: listed, passes: this.#passes })
      await db.soon(() => past.listed())
      this.#tries = 0
      this.#passes = 0
      return
    }
    if (!got.ok) {
      ports.log.warn('compare.list', { why: got.failure.kind })
      this.#why = got.failure.kind === 'api' ? got.failure.failure.message : null
    }
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
    const { clock } = this.#options.ports
    this.#notBefore = clock.mono() + ms
    clock.after(ms, () => this.#pauseOver())
  }

  /**
   * Lets transfers ask for the list again. If none does within ASK_MS, for example because all were cancelled, the failure is no longer
   * shown.
   */
  #pauseOver(): void {
    const { ports, moved } = this.#options
    this.#isAsked = false
    moved()
    ports.clock.after(ASK_MS, () => {
      if (this.#isAsked || this.#reading !== null || !this.#hasFailed) return
      this.#hasFailed = false
      moved()
    })
  }
}
