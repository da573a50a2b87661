// Carries out queued deletions: uploads that may mix two versions of a file (`torn`), cancelled uploads,
// replaced versions, duplicates, and files that the user deleted. Whether a file may be deleted is checked
// again right before its request is sent: a local file may have acquired a claim on it while the deletion was
// queued, or the service may have given its ID to another file.

import type { RemoteFile } from '../../api/types.ts'
import type { Priority } from '../budget/budget.ts'
import type { Journal } from '../journal/journal.ts'
import { isSameFile } from '../journal/remote-list.ts'
import type { RemovalRow } from '../journal/removals.ts'
import type { Clock, Log } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import type { KnownFiles } from './known-files.ts'
import {
  CAPACITY_WAIT_MS,
  type CallFailure,
  type CallResult,
  type Calls,
  isGone,
  isNotFound,
  isRefused,
  isUnreached,
  SWITCHED,
} from './requests.ts'
import type { StoredCount } from './stats-refresh.ts'

/** Delays before a failed deletion is retried, by the number of attempts so far. The last one repeats. */
const RETRY_MS = [2000, 10_000, 60_000, 300_000, 3_600_000] as const
const LAST_RETRY_MS = 3_600_000
/**
 * Delay while the service can't be reached. It can be short, because the account's back-off decides when a
 * request is sent.
 */
const UNREACHED_RETRY_MS = 1000
const BLOCKED_RETRY_MS = 60_000
/** A replaced version is kept for this long after its last download, because its link is in use. */
const IN_USE_MS = 3_600_000
/** Maximum number of deletions in one round. */
const ROUND = 50

/**
 * `kept`: not deleted, because a local file has a claim on the file, or its link is in use. `undone`: not
 * deleted, because the deletion is no longer queued. `was-gone`: the service no longer had the file.
 */
export type RemovalResult = CallResult<'deleted' | 'was-gone' | 'kept' | 'undone'>

export interface RemovalsOptions {
  readonly clock: Clock
  readonly log: Log
  readonly journal: Pick<Journal, 'db' | 'remote' | 'owners' | 'claims'>
  readonly calls: Calls
  readonly single: Pick<KnownFiles, 'file' | 'isThere'>
  readonly stored: Pick<StoredCount, 'removed'>
  readonly bus: Bus
}

export class RemovalRunner {
  readonly #options: RemovalsOptions
  readonly #sending = new Map<
    number,
    { readonly tenure: AbortSignal; readonly done: Promise<RemovalResult> }
  >()
  readonly #inFlight = new Set<number>()

  constructor(options: RemovalsOptions) {
    this.#options = options
  }

  /** Whether the DELETE request is in flight. Before it is sent, the deletion can still be undone. */
  isSending(fileId: number): boolean {
    return this.#inFlight.has(fileId)
  }

  /** Carries out one deletion, or joins a deletion of the same file that is in progress. */
  carry(
    row: Pick<RemovalRow, 'fileId' | 'reason' | 'attempts'>,
    priority: Priority,
    signal: AbortSignal,
  ): Promise<RemovalResult> {
    const tenure = this.#options.calls.tenure()
    const inFlight = this.#sending.get(row.fileId)
    // On another account, the same ID is another file.
    if (inFlight?.tenure === tenure) return inFlight.done
    const done = this.#send(row, priority, signal, tenure).finally(() => {
      if (this.#sending.get(row.fileId)?.done === done) this.#sending.delete(row.fileId)
    })
    this.#sending.set(row.fileId, { tenure, done })
    return done
  }

  /**
   * Carries out the deletions that are due. Returns when to call again (epoch milliseconds), or null if none
   * is left.
   */
  async round(signal: AbortSignal): Promise<number | null> {
    const { clock, journal, calls } = this.#options
    const { remote } = journal
    const tenure = calls.tenure()
    for (const row of remote.removals(clock.now(), ROUND)) {
      if (signal.aborted || tenure.aborted) break
      const got = await this.carry(row, row.reason === 'asked' ? 'person' : 'watched', signal)
      if (!got.ok && got.failure.kind === 'blocked') return clock.now() + BLOCKED_RETRY_MS
      // All further deletions would fail in the same way.
      if (
        !got.ok &&
        (got.failure.kind === 'waits' || got.failure.kind === 'foreign' || isUnreached(got.failure))
      )
        break
    }
    return remote.nextRemoval()
  }

  async #send(
    row: Pick<RemovalRow, 'fileId' | 'reason' | 'attempts'>,
    priority: Priority,
    signal: AbortSignal,
    tenure: AbortSignal,
  ): Promise<RemovalResult> {
    const { journal, calls, single } = this.#options
    const { db, remote } = journal
    const { fileId } = row
    // An old version is deleted only once the receipt of the new one is durable.
    if ((await db.durable()) === false) return { ok: false, failure: { kind: 'aborted' } }
    if (tenure.aborted) return SWITCHED
    const refused = this.#refusal(row)
    if (refused !== null) return { ok: true, value: refused }
    const checked = await this.#check(row, priority, signal)
    if (tenure.aborted) return SWITCHED
    if (checked !== null) return checked
    const going: { refused: 'kept' | 'undone' | null; readonly wasSent: boolean } = {
      refused: null,
      wasSent: remote.removal(fileId)?.sent === true,
    }
    const got = await calls.run(
      { kind: 'delete', priority, maxWaitMs: CAPACITY_WAIT_MS, signal },
      async (api, s) => {
        // The checks are repeated, because the request may have waited a minute for room in the budget.
        going.refused = this.#refusal(row)
        if (going.refused !== null)
          return { ok: false, failure: { kind: 'aborted', phase: 'unsent', message: 'not to be deleted' } }
        db.tx(() => remote.removalSent(fileId))
        this.#inFlight.add(fileId)
        return api.remove(fileId, s).finally(() => this.#inFlight.delete(fileId))
      },
    )
    if (tenure.aborted) return SWITCHED
    if (going.refused !== null) return { ok: true, value: going.refused }
    const isGoneSaid = !got.ok && isGone(got.failure)
    const isProved = got.ok || (isGoneSaid && (await single.isThere(fileId, going.wasSent, signal)) === 'no')
    if (tenure.aborted) return SWITCHED
    if (!isProved) {
      this.#postpone(row, got.failure, going.wasSent)
      return isGoneSaid ? { ok: false, failure: { kind: 'unproved' } } : got
    }
    this.#done(row)
    return { ok: true, value: got.ok ? 'deleted' : 'was-gone' }
  }

  /**
   * Returns why the file must no longer be deleted, or null if it may be. If a local file has a claim on it,
   * drops its deletion. Synchronous, so that nothing can change between this check and the request.
   */
  #refusal({ fileId, reason }: Pick<RemovalRow, 'fileId' | 'reason'>): 'kept' | 'undone' | null {
    const { log, journal } = this.#options
    const { db, remote, owners } = journal
    if (!remote.isRemoval(fileId)) return 'undone'
    if (owners.isFree(fileId)) return null
    db.tx(() => remote.dropRemoval(fileId))
    log.info('removal.kept', { fileId, reason })
    return 'kept'
  }

  /**
   * Reads the file right before it is deleted. Returns null if it may be deleted now. If its ID leads to
   * another file, it was deleted elsewhere, and nothing is sent. If the service doesn't find the file, or
   * refuses to show single files, only the request to delete it can show more.
   */
  async #check(
    row: Pick<RemovalRow, 'fileId' | 'reason' | 'attempts'>,
    priority: Priority,
    signal: AbortSignal,
  ): Promise<RemovalResult | null> {
    const { log, journal, single, bus } = this.#options
    const { db, remote } = journal
    const { fileId, reason } = row
    const known = remote.get(fileId)
    const removal = remote.removal(fileId)
    const wasSent = removal?.sent === true
    // Nothing is asked while the journal can't record what comes of it.
    db.tx(() => remote.delayRemoval(fileId, { until: removal?.until ?? null, charged: false, sent: wasSent }))
    const got = await single.file(fileId, priority, signal)
    if (got.ok && !isSameFile(known, remote.get(fileId))) {
      log.info('removal.reused', { fileId, reason })
      bus.touched()
      return { ok: true, value: 'was-gone' }
    }
    if (got.ok) return reason === 'replaced' ? this.#inUse(fileId, got.value, wasSent) : null
    const { failure } = got
    if (isNotFound(failure) && !(reason === 'replaced' && failure.kind === 'unproved')) return null
    if (reason !== 'replaced' && isRefused(failure)) return null
    this.#postpone(row, failure, wasSent)
    return got
  }

  /**
   * Postpones the deletion of a replaced version until its count shows that it hasn't been downloaded for an
   * hour. The service doesn't say when a download happened, so the time at which its count was read has to do.
   * While the service doesn't say the count, nothing shows that the link isn't in use. Returns null if the
   * version may be deleted now.
   */
  #inUse(fileId: number, { downloadCount }: RemoteFile, sent: boolean): RemovalResult | null {
    const { clock, log, journal } = this.#options
    const { db, remote } = journal
    const isCounted = downloadCount !== null
    const until = (isCounted ? (remote.downloadedBy(fileId) ?? 0) : clock.now()) + IN_USE_MS
    if (until <= clock.now()) return null
    db.tx(() => remote.delayRemoval(fileId, { until, charged: false, sent }))
    log.info('removal.in-use', { fileId, until, isCounted })
    return { ok: true, value: 'kept' }
  }

  #done({ fileId, reason }: Pick<RemovalRow, 'fileId' | 'reason'>): void {
    const { clock, log, journal, stored, bus } = this.#options
    const { db, remote, owners, claims } = journal
    const had = remote.get(fileId)
    db.tx(() => {
      remote.dropRemoval(fileId)
      // Uploads that were answered with this file while it was being deleted are sent again.
      if (!owners.isFree(fileId)) {
        for (const id of claims.lose(fileId)) bus.changed(id)
        bus.wake('queue')
      }
      remote.markGone(fileId, clock.now(), true)
    })
    if (had !== null && had.goneAt === null) {
      stored.removed(had.size)
      bus.touched()
    }
    log.info('removal.done', { fileId, reason })
  }

  #postpone(row: Pick<RemovalRow, 'fileId' | 'attempts'>, failure: CallFailure, wasSent: boolean): void {
    const { clock, journal } = this.#options
    const { db, remote } = journal
    const isReached = failure.kind !== 'foreign' && !isUnreached(failure)
    const retryMs = isReached
      ? (RETRY_MS[Math.min(row.attempts, RETRY_MS.length - 1)] ?? LAST_RETRY_MS)
      : UNREACHED_RETRY_MS
    const until = failure.kind === 'waits' ? failure.until : clock.now() + retryMs
    // A failed connection, a failure before the request was made, or a cancelled request, for example because
    // the engine closes, doesn't count as an attempt, so it doesn't lengthen the next delay.
    const charged = failure.kind === 'api' && isReached && failure.failure.kind !== 'aborted'
    const how = { until, charged, sent: wasSent || mayHaveHappened(failure) }
    db.tx(() => remote.delayRemoval(row.fileId, how))
  }
}

/**
 * Whether the service may have carried out a request that failed. A status below 500 means that the service
 * did nothing.
 */
function mayHaveHappened(failure: CallFailure): boolean {
  if (failure.kind !== 'api' || failure.failure.phase === 'unsent') return false
  return failure.failure.kind !== 'status' || failure.failure.status >= 500
}
