// Whether all is done in a folder, and if not, what is waited for and until when: the answer that ends `slipway watch --once`. Pure; the
// facts are gathered by the caller.
import type { Gate } from '../../../src-shared/model.ts'

export interface FolderFacts {
  /** Rows of the folder by state. */
  readonly counts: Readonly<Record<'queued' | 'waiting' | 'uploading' | 'unknown', number>>
  readonly isAway: boolean
  /** The whole folder was read since it is watched. */
  readonly hasScanned: boolean
  /** Nothing in the folder is being written, read or compared. */
  readonly isQuiet: boolean
  /** A file of the folder is being written still. */
  readonly isSettling: boolean
  /** What holds back every upload. */
  readonly gate: Gate | null
  /** The first row of the folder that waits for a time of its own. */
  readonly wait: { readonly until: number | null; readonly reason: string | null }
  /** When the next deletion of a torn or replaced version is due; null: there is none. */
  readonly removalAt: number | null
  readonly now: number
}

export interface FolderIdle {
  readonly idle: boolean
  /** Epoch milliseconds; null: not known, or not a matter of time. */
  readonly waitsUntil: number | null
  readonly reason: string | null
  /** Only the folder's own quiet is missing: it may be read once more to be sure. */
  readonly isUnconfirmed?: boolean
}

export function folderIdle(facts: FolderFacts): FolderIdle {
  const { counts, gate, wait, removalAt } = facts
  const waits = counts.queued + counts.waiting
  const busy = (waitsUntil: number | null, reason: string | null): FolderIdle => ({ idle: false, waitsUntil, reason })
  const atGate = busy(gate?.until ?? null, gate?.reason ?? null)
  // A folder that was never seen is not one in which there is nothing to do.
  if (facts.isAway)
    return { idle: waits + counts.uploading + counts.unknown === 0 && facts.hasScanned, waitsUntil: null, reason: 'folder-away' }
  if (counts.uploading > 0) return busy(null, null)
  // What is unconfirmed waits for what holds back the account, if anything does; else it is being looked up.
  if (counts.unknown > 0 && (waits === 0 || gate === null)) return atGate
  // All that is left waits: for the gate of the account, or for its own time.
  if (waits > 0) return counts.queued > 0 ? atGate : busy(wait.until, wait.reason ?? 'backoff')
  // Torn and replaced versions are part of the folder's work; what a person deleted elsewhere is not.
  if (removalAt !== null && removalAt > facts.now) return busy(removalAt, gate?.reason ?? 'backoff')
  // One that is due goes out now, unless the account waits: a reason without a time would be taken for a wait without an end.
  if (removalAt !== null) return atGate
  if (!facts.isQuiet) return { ...busy(null, facts.isSettling ? 'settling' : null), isUnconfirmed: true }
  return { idle: true, waitsUntil: null, reason: null }
}
