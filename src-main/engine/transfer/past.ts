// What this journal can't know: which files were sent before it began, or by commits that it lost. An empty journal proves nothing, so a
// version that is older than the gap is compared with what the service holds before it is sent (comparison.ts).
import type { Facts } from '../journal/facts.ts'

export type PastCause = 'fresh' | 'set-aside' | 'older' | 'more-files'

/** `walk`: the part of the remote list that is still to be read before anything can be compared. */
export interface Past {
  /** Versions written up to this moment (this machine's clock, epoch milliseconds) may have been sent without this journal's knowledge. */
  readonly at: number
  readonly cause: PastCause
  readonly walk: 'whole' | 'newest' | 'done'
}

export interface PastKeeper {
  get(): Past | null
  /** A gap was found. A wider one that is known already stays. */
  open(cause: PastCause, at: number, walk: 'whole' | 'newest'): void
  /** The list was read. */
  listed(): void
  /** Surely nothing was sent: there is nothing on the service. */
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

/** Whether this version may have been sent during the gap: its mtime is no later than the gap's end, or lies in the future and can't be trusted. */
export function mayBeSent(past: Past, mtime: number, now: number): boolean {
  return mtime <= past.at || mtime > now
}

/**
 * Whether the service holds files that this journal does not account for: another computer's, or of commits that were lost. Counts as
 * `/stats` told them; `sent` and `gone`: uploads and deletions that this journal knows of since the older one. Pure.
 */
export function hasUnknownFiles(before: number | null, after: number | null, sent: number, gone: number): boolean {
  return before !== null && after !== null && after > before + sent - gone
}
