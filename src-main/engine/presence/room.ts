// What the parts of this folder share: the rooms of the engine that they ask, and what they report.
import type { RemoteFile } from '../../api/types.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Doubts } from '../journal/doubts.ts'
import type { Facts } from '../journal/facts.ts'
import type { Likes } from '../journal/likes.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Ports } from '../ports.ts'
import type { Catalog } from '../remote/catalog.ts'
import type { StatsRefresh } from '../remote/stats-refresh.ts'
import type { FileOpens } from '../send/file-opens.ts'
import type { Unread } from './bytes.ts'
import type { Links } from './links.ts'
import type { ServiceHabits } from './naming.ts'

/**
 * `sent`: whether this journal sent the file. `isOlder`: the remote file existed before that, so other people
 * may have its link. It is then deleted only if the user asks for it, not when a newer version replaces it.
 */
export interface Adoption {
  readonly sha256: string | null
  readonly sent: boolean
  readonly isOlder: boolean
}

export interface Room {
  readonly ports: Ports
  readonly db: Database
  readonly transfers: Transfers
  readonly doubts: Doubts
  readonly remote: Remote
  readonly likes: Likes
  readonly habits: ServiceHabits
  readonly links: Links
  readonly catalog: Catalog
  readonly stats: StatsRefresh
  readonly limits: UploadLimits
  readonly opens: FileOpens
  readonly folders: WatchedFolders
  /** Call when a transfer has changed. */
  readonly changed: (id: number) => void
  readonly sendName: (row: Pick<TransferRow, 'name'>) => string
  /** The name under which the lost request was sent. */
  readonly sentName: (row: TransferRow) => string
  /**
   * Confirms a transfer with a file that was found on the service. Changes nothing once `signal` has aborted.
   */
  readonly adopt: (row: TransferRow, file: RemoteFile, how: Adoption, signal: AbortSignal) => Promise<void>
}

export interface ReconcilerOptions extends Room {
  /**
   * Queues the deletion of an upload's file, unless the file might be in use by others. Returns false if it
   * is kept. `at`: when the upload was sent, in epoch milliseconds. Call inside a transaction.
   */
  readonly discard: (fileId: number, why: 'torn' | 'cancelled' | 'twin', at: number) => boolean
  /** Called when the outcome of an upload is known. */
  readonly proved: () => void
}

export interface ComparisonOptions extends Room {
  readonly past: PastKeeper
  /** Ends or defers a transfer whose file couldn't be read (send/propagator.ts). */
  readonly unread: (row: TransferRow, why: Unread) => Promise<void>
  /** Called when something may be sent now, or when what is shown has changed. */
  readonly moved: () => void
  /** Called when a comparison failed because the journal couldn't be written. */
  readonly journalFailed: (error: unknown) => void
  /** Aborts when the account changes (`IdentityKeeper.tenure`). */
  readonly tenure: () => AbortSignal
  readonly stop: AbortSignal
}

// Keeps track of the gap in this journal's knowledge: uploads made before it was created, or whose commits
// were lost. Every version from that time is like an upload whose response was lost at an unknown time: it is
// compared with the service before it is sent (comparison.ts).
type PastCause = 'fresh' | 'set-aside' | 'older' | 'more-files'

/** `walk`: the part of the remote list that must be read before files can be compared. */
export interface Past {
  /**
   * Versions written up to this moment (this machine's clock, epoch milliseconds) may have been sent without
   * this journal's knowledge.
   */
  readonly at: number
  readonly cause: PastCause
  readonly walk: 'whole' | 'newest' | 'done'
}

interface PastKeeper {
  get(): Past | null
  /** Opens a gap, or widens one that is already open; never narrows it. */
  open(cause: PastCause, at: number, walk: 'whole' | 'newest'): void
  /** Records that the required part of the list has been read. */
  listed(): void
  /** Closes the gap. Call when the service holds no files, so that nothing can have been sent. */
  close(): void
}

export function createPast(facts: Facts): PastKeeper {
  let past: Past | null = facts.get('past')
  const set = (next: Past | null): void => {
    past = next
    facts.set('past', next)
  }
  return {
    get: () => past,
    open: (cause, at, walk) => {
      const isWhole = walk === 'whole' || past?.walk === 'whole'
      set({ at: Math.max(at, past?.at ?? at), cause, walk: isWhole ? 'whole' : 'newest' })
    },
    listed: () => {
      if (past !== null && past.walk !== 'done') set({ ...past, walk: 'done' })
    },
    close: () => {
      if (past !== null) set(null)
    },
  }
}

/**
 * Whether this version may have been sent during the gap: its mtime is no later than the gap's end, or lies
 * in the future and can't be trusted.
 */
export function mayBeSent(past: Past, mtime: number, now: number): boolean {
  return mtime <= past.at || mtime > now
}

/**
 * Whether the service holds files that this journal can't account for: from another computer, or from lost
 * commits. `before` and `after`: file counts from `/stats`; `sent` and `gone`: this journal's uploads and
 * deletions between the two. Pure.
 */
export function hasUnknownFiles(
  before: number | null,
  after: number | null,
  sent: number,
  gone: number,
): boolean {
  return before !== null && after !== null && after > before + sent - gone
}
