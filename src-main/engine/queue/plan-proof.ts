// Decides when uploads need fresh figures from `/stats`: before the first upload, because the plan's limits
// are unknown until then; from time to time while files are sent; and before a wait for the daily upload
// limit.
import type { Gate } from '../../../src-shared/model.ts'
import type { AccountState } from '../budget/account-state.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Transfers } from '../journal/transfers.ts'
import type { Clock } from '../ports.ts'
import type { StatsRefresh } from '../remote/stats-refresh.ts'

const STATS_EVERY_MS = 15 * 60_000
/**
 * Figures that this process has read are read again before an upload once they are this old. If the clock was
 * set ahead by a day, our own count of today's uploads is 0, while the service's isn't.
 */
const STATS_DAY_MS = 86_400_000
/**
 * Minimum interval between attempts to read `/stats` while its figures are missing, or too old for uploads to
 * start.
 */
const PROOF_EVERY_MS = 15_000
/**
 * Minimum interval between reads of `/stats` that recount the day's uploads, if our own count may be too
 * high.
 */
const RECOUNT_MS = 5000
/** During a wait for the daily upload limit, `/stats` is read again if its figures are older than this. */
const RECOUNT_AGE_MS = 600_000
/**
 * Minimum interval between attempts to read `/stats` again because its figures are older than
 * `RECOUNT_AGE_MS`.
 */
const RECOUNT_RETRY_MS = 60_000
/**
 * After this many failures in a row, the interval between reads that may end a wait doubles with each further
 * one.
 */
const RECOUNT_TRIES = 5
/** Maximum of that interval. */
const RECOUNT_MOST_MS = 15 * 60_000
/** How long a read of `/stats` may wait for the rate limit if uploads can't start without it. */
const PROOF_WAIT_MS = 65_000
/** Like `PROOF_WAIT_MS`, for reads that uploads don't wait for. */
const REFRESH_WAIT_MS = 1000
/** A limit that ends this soon is waited out without asking the service. */
const SOON_MS = 1000

export interface PlanProofOptions {
  readonly clock: Clock
  readonly transfers: Pick<Transfers, 'due'>
  readonly account: Pick<AccountState, 'stats' | 'isBlocked'>
  readonly limits: Pick<UploadLimits, 'quota' | 'isGuessed'>
  readonly stats: Pick<StatsRefresh, 'failures' | 'isRead' | 'isRunning' | 'sinceTried' | 'refresh'>
  readonly folders: Pick<WatchedFolders, 'sendingIds'>
}

export class PlanProof {
  readonly #options: PlanProofOptions
  /** Whether an attempt to read `/stats` has ended since the figures were last fresh. */
  #hasTried = false
  /** The attempt that uploads wait for. An attempt with another key may still be running beside it. */
  #attempt: Promise<unknown> | null = null

  constructor(options: PlanProofOptions) {
    this.#options = options
  }

  /**
   * Returns whether uploads may start, and starts reading `/stats` if its figures are missing or old. If the
   * service can't answer, uploads start after one attempt, with conservative limits.
   */
  prove(isOffline: boolean): boolean {
    const { clock, account, transfers, stats, folders } = this.#options
    const read = account.stats()
    // Old figures don't include what was sent since, perhaps by another copy of this journal.
    const isOld =
      read !== null &&
      (stats.isRead() ? clock.now() - read.at > STATS_DAY_MS : this.#isOlder(read.at, STATS_EVERY_MS))
    const isFresh = read !== null && !(isOld && transfers.due(1, null, folders.sendingIds()).length > 0)
    // An attempt counts only if it was made with this key, and if the figures haven't been fresh since.
    if (isFresh || stats.sinceTried() === Number.POSITIVE_INFINITY) this.#hasTried = false
    if (isFresh || account.isBlocked()) return true
    if (!stats.isRunning() && stats.sinceTried() > PROOF_EVERY_MS && !isOffline) {
      const attempt = stats.refresh('person', PROOF_WAIT_MS)
      this.#attempt = attempt
      void attempt.then(() => {
        if (this.#attempt === attempt) this.#hasTried = true
      })
    }
    // Uploads don't wait for further attempts: if each of these hung, almost nothing would be sent.
    return this.#hasTried || !stats.isRunning()
  }

  /**
   * Reads `/stats` again if both its figures and the last attempt are more than 15 minutes old. Call while
   * files are sent.
   */
  refresh(): void {
    const { account, stats } = this.#options
    const read = account.stats()
    if (read === null || stats.isRunning()) return
    if (this.#isOlder(read.at, STATS_EVERY_MS) && stats.sinceTried() > STATS_EVERY_MS)
      void stats.refresh('watched', REFRESH_WAIT_MS)
  }

  /**
   * Reads `/stats` if a recount of the day's uploads may end the wait. Returns the number of milliseconds
   * after which to call it again; null if nothing needs to be checked before the wait ends or the running
   * read of `/stats` has ended.
   */
  recount(limited: Gate): number | null {
    const { clock, account, limits, stats } = this.#options
    const read = account.stats()
    if (limited.reason !== 'daily-uploads' || read === null || stats.isRunning()) return null
    // The plan may have been raised since an earlier process read the figures.
    if (!stats.isRead()) return this.#read(RECOUNT_RETRY_MS, limited)
    if (limits.quota().uploadsToday === null) return null
    // Check this before the short wait: once the service's count is overdue for a reread, the end of the wait
    // is postponed by a minute at a time (daily-uploads.ts). The wait can then look almost over, although
    // only a new read can end it.
    if (this.#isOlder(read.at, RECOUNT_AGE_MS)) return this.#read(RECOUNT_RETRY_MS, limited)
    if (limited.until !== null && limited.until <= clock.now() + SOON_MS) return null
    // An upload that was in flight while `/stats` was read may be counted twice.
    return limits.isGuessed() ? this.#read(RECOUNT_MS, limited) : null
  }

  /**
   * Whether figures read at `readAt` are older than `ms`. Figures from the future count as older, because
   * they were read before a clock rollback.
   */
  #isOlder(readAt: number, ms: number): boolean {
    const age = this.#options.clock.now() - readAt
    return age > ms || age < 0
  }

  /**
   * Reads `/stats` unless the last attempt was too recent. `leastMs`: the interval between two reads, which
   * grows while they fail. It never exceeds the rest of the wait, because the end of the wait is shown as the
   * time of the next try. Returns the time until the next call.
   */
  #read(leastMs: number, { until }: Gate): number {
    const { clock, stats } = this.#options
    const grownMs = Math.min(leastMs * 2 ** Math.max(0, stats.failures() - RECOUNT_TRIES), RECOUNT_MOST_MS)
    const everyMs = Math.max(leastMs, until === null ? grownMs : Math.min(grownMs, until - clock.now()))
    const restMs = everyMs - stats.sinceTried()
    if (restMs > 0) return Math.max(leastMs, restMs)
    void stats.refresh('watched', REFRESH_WAIT_MS)
    return everyMs
  }
}
