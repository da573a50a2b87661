// Keeps track of the gap in this journal's knowledge: uploads made before it was created, or whose commits
// were lost. Every version from that time is like an upload whose response was lost at an unknown time: it is
// compared with the service before it is sent (presence/comparison.ts).
import type { Facts } from './facts.ts'

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

export interface PastKeeper {
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

/**
 * How much of the remote list must be read before files can be compared: all of it, unless the journal holds
 * a complete earlier list.
 */
export function missingPart(facts: Facts): 'whole' | 'newest' {
  return facts.get('catalog-held') === null ? 'whole' : 'newest'
}
