// Decides when a command that ends on its own gives up on files whose wait has no known end: they are still
// being written, change during each upload, are in a folder or on a drive that is unavailable, wait for a
// check with the service (such as the lookup of an unconfirmed upload), or are retried after each failed
// attempt. Has no clock: the caller passes in the time.
import type { AuditSums, Gate, Snapshot, Transfer, WaitReason } from '../../../src-shared/model.ts'
import { isChecking, type Waits } from './ending.ts'

/**
 * How the remaining files wait. `endless`: none of their waits has a known end. `retried`: the same, except
 * that at least one file that has waited like this no longer does, usually because it is being retried.
 * `other`: at least one file that has never waited like this is in progress or waits for something else, or
 * no file remains.
 */
export type Rest = 'endless' | 'retried' | 'other'

/** Reasons that concern a single file or its disk. A failed retry doesn't end such a wait. */
const BY_FILE: ReadonlySet<string> = new Set<WaitReason>([
  'settling',
  'changing',
  'folder-away',
  'drive-silent',
])

/**
 * Reasons that the service decides about: it gives no usable answer, or its day hasn't turned yet. When that
 * ends is never known, even if the time of the next try is.
 */
const BY_SERVICE: ReadonlySet<string> = new Set([
  'backoff',
  'daily-uploads',
  'answers-lost',
  'uploads-refused',
  'redirected',
  'foreign',
  'unavailable',
])

/** Whether a wait for this reason has no known end, even if the time of the next retry is known. */
export function isEndlessByFile(reason: string | null): boolean {
  return reason !== null && BY_FILE.has(reason)
}

type Active = Snapshot['progress']['active']

/** Whether all uploads in flight have been sent whole, so that only the service's answers are missing. */
export function isUnanswered(active: Active): boolean {
  return active.length > 0 && active.every(({ sent, size }) => sent >= size)
}

const UNANSWERED: Gate = { reason: 'answers-lost', until: null, message: null }

/**
 * Remembers which files have waited without a known end, because their rows don't show that during a retry.
 */
export class EndlessWaits {
  readonly #seen = new Set<number>()
  #gate: Gate = { reason: 'settling', until: null, message: null }

  /**
   * Classifies the waits of the unfinished files. Must be called regularly, because it learns from each call
   * which files have waited. `shared`: what blocks the whole account now; a queued file may wait for that
   * although no event has said so. `active`: the uploads in flight. If all of them have been sent whole, they
   * and the files queued behind them wait for the service's responses.
   */
  restOf(pending: Iterable<Transfer>, shared: Gate | null = null, active: Active = []): Rest {
    let rest: Rest | null = null
    let gate: Gate | null = null
    const isSent = isUnanswered(active)
    const block = shared ?? (isSent ? UNANSWERED : null)
    for (const row of pending) {
      const isBlocked = block !== null && (row.state === 'queued' || (row.state === 'uploading' && isSent))
      const {
        id,
        state,
        reason: own,
        message,
      } = isBlocked ? { ...row, ...block, state: 'waiting' as const } : row
      if (state === 'waiting' && isEndlessByFile(own)) {
        this.#seen.add(id)
        gate ??= { reason: own as WaitReason, until: null, message }
        rest ??= 'endless'
      } else if (
        state === 'unknown' ||
        (state === 'waiting' &&
          own !== null &&
          (BY_SERVICE.has(own) || isChecking({ reason: own, until: null })))
      ) {
        const isChecked = state === 'unknown' || own === 'backoff'
        gate = { reason: isChecked ? 'checking' : (own as WaitReason), until: null, message }
        // Between two pauses, one upload is tried, and the others are queued again.
        if (own === 'answers-lost' || own === 'uploads-refused' || own === 'daily-uploads') this.#seen.add(id)
        rest ??= 'endless'
      } else if (this.#seen.has(id)) rest = 'retried'
      else return 'other'
    }
    if (gate !== null) this.#gate = gate
    return rest ?? 'other'
  }

  /** Why the files wait, if `restOf` returned `endless`. */
  gate(): Gate {
    return this.#gate
  }
}

interface Situation {
  readonly sums: AuditSums
  readonly now: number
  readonly gate: Gate | null
  readonly active: Active
  readonly own?: WaitReason | null
}

/** Decides for `upload` and `watch --once` whether files have waited without a known end for `maxWaitMs`. */
export class Patience {
  readonly #isStuck: ReturnType<typeof createStuck>
  readonly #endless = new EndlessWaits()

  constructor(maxWaitMs: number) {
    this.#isStuck = createStuck(maxWaitMs)
  }

  /**
   * Why the unfinished files wait, once they have waited too long; otherwise null. Call regularly. `gate`:
   * what blocks the whole account now. `active`: the uploads in flight. `own`: what else has no known end,
   * such as a folder that is unavailable; null if nothing.
   */
  stuck(pending: Iterable<Transfer>, { sums, now, gate, active, own = null }: Situation): Waits | null {
    const rest = this.#endless.restOf(pending, gate, active)
    if (!this.#isStuck(own === null ? rest : 'endless', sums, now)) return null
    const why = this.#endless.gate()
    return { kind: 'waits', until: null, gate: own === null ? why : { ...why, reason: own }, isStuck: true }
  }
}

/**
 * Call the returned function regularly. It returns true once the remaining files have waited without a known
 * end for `maxWaitMs` in total. Time spent on retries doesn't count. The total is reset to 0 when a file is
 * uploaded, held, failed or ignored, and when a file is in progress or waits for something else.
 */
export function createStuck(maxWaitMs: number): (rest: Rest, sums: AuditSums, now: number) => boolean {
  let waitedMs = 0
  let lookedAt: number | null = null
  let ended = -1
  return (rest, sums, now) => {
    const endedNow = sums.uploaded + sums.held + sums.failed + sums.ignored
    if (rest === 'other' || endedNow !== ended) waitedMs = 0
    else if (lookedAt !== null) waitedMs += Math.max(0, now - lookedAt) // Not negative after a clock rollback.
    ended = endedNow
    lookedAt = rest === 'endless' ? now : null
    return rest === 'endless' && waitedMs >= maxWaitMs
  }
}
