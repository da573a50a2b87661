// Decides whether a folder's work is done, so that `slipway watch --once` may end, and otherwise what the
// folder waits for and until when. Pure; the caller gathers the facts.
import type { Gate } from '../../../src-shared/model.ts'

export interface FolderFacts {
  /** Number of the folder's rows in each state. */
  readonly counts: Readonly<Record<'queued' | 'waiting' | 'uploading' | 'unknown', number>>
  readonly isAway: boolean
  /**
   * Whether the folder is away because its drive doesn't answer, so that a scan may still be waiting for it.
   */
  readonly isSilent: boolean
  /** Whether the folder's drive doesn't answer when files are opened. */
  readonly isUnanswered: boolean
  /** Whether the whole folder has been scanned completely since its current session began. */
  readonly hasScanned: boolean
  /**
   * Whether nothing in the folder is being written, read or compared, and a full scan has begun and ended
   * since its last change.
   */
  readonly isQuiet: boolean
  /** Whether a file of the folder is still being written. */
  readonly isSettling: boolean
  /** What holds back all uploads; null if nothing does. */
  readonly gate: Gate | null
  /**
   * The earliest retry time of the folder's waiting rows, and the reason of the row that is retried first;
   * null if there is none.
   */
  readonly wait: { readonly until: number | null; readonly reason: string | null }
  /**
   * When the next deletion that the user didn't request is due, for example of a version that was replaced or
   * torn (changed while it was sent); null if there is none.
   */
  readonly removalAt: number | null
  readonly now: number
}

export interface FolderIdle {
  readonly idle: boolean
  /** Epoch milliseconds; null if unknown, or if the wait doesn't end at a fixed time. */
  readonly waitsUntil: number | null
  readonly reason: string | null
  /**
   * Whether all transfers are done, but the folder isn't quiet yet. It may then be scanned once more to be
   * sure.
   */
  readonly isUnconfirmed?: boolean
}

export function folderIdle(facts: FolderFacts): FolderIdle {
  const { counts, gate, wait, removalAt } = facts
  const waits = counts.queued + counts.waiting
  const busy = (waitsUntil: number | null, reason: string | null): FolderIdle => ({
    idle: false,
    waitsUntil,
    reason,
  })
  const atGate = busy(gate?.until ?? null, gate?.reason ?? null)
  if (facts.isAway) {
    // Before the first scan, an empty queue doesn't mean that the folder's work is done. Later, a scan that
    // waits for the drive to answer may still find changed files. Nothing else in a folder that is away can
    // change.
    const isAsBefore = facts.hasScanned && (facts.isQuiet || !facts.isSilent)
    const reason = facts.isSilent ? 'drive-silent' : 'folder-away'
    return { idle: waits + counts.uploading + counts.unknown === 0 && isAsBefore, waitsUntil: null, reason }
  }
  if (counts.uploading > 0) return busy(null, null)
  // Files that are still to be sent wait for the drive first, whatever else they wait for.
  if (facts.isUnanswered && waits > 0) return busy(null, 'drive-silent')
  // An unconfirmed upload waits for whatever holds back the account; otherwise it is being looked up.
  if (counts.unknown > 0 && (waits === 0 || gate === null)) return atGate
  // Everything left is waiting: for the account's gate, or for its own retry time.
  if (waits > 0) return counts.queued > 0 ? atGate : busy(wait.until, wait.reason ?? 'backoff')
  // Deleting torn and replaced versions is part of the folder's work; deletions that the user requested
  // elsewhere aren't.
  if (removalAt !== null && removalAt > facts.now) return busy(removalAt, gate?.reason ?? 'backoff')
  // A deletion that is due is sent now unless the account waits. Without such a wait, no reason is given,
  // because a reason without a time would look like an endless wait.
  if (removalAt !== null) return atGate
  if (!facts.isQuiet) return { ...busy(null, facts.isSettling ? 'settling' : null), isUnconfirmed: true }
  return { idle: true, waitsUntil: null, reason: null }
}
