// Opens the journal with its safeguards: the stamp that detects a restored older copy, and the monitor for a
// failing disk. If uploads may be missing from the journal, records a gap.
import type { Ports } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import type { FileSync } from './barrier.ts'
import { type Claims, createClaims } from './claims.ts'
import { createClockRollback } from './clock-rollback.ts'
import { type Database, type JournalFiles, openDatabase, type Seal, type SetAside } from './database.ts'
import { createDiskTrouble, type DiskTrouble, JournalClosedError } from './disk-trouble.ts'
import { createDoubts, type Doubts } from './doubts.ts'
import { createFileIds, type FileIds } from './file-ids.ts'
import { createFiles, type Files } from './files.ts'
import { createLikes, type Likes } from './match-queries.ts'
import { createOldRows, type OldRows } from './old-rows.ts'
import { createOwners, type Owners } from './owners.ts'
import { createPutAways, type PutAways } from './put-away.ts'
import { createRemote, type Remote } from './remote-list.ts'
import type { Facts } from './single-values.ts'
import { createStamp, type StampFile, type StampKeeper } from './stamp.ts'
import { createTransfers, type Transfers } from './transfers.ts'

/**
 * Size of the test write that shows whether the disk works again: more than a journal page, so that a page's
 * free space can't hold it.
 */
const PROBE_BYTES = 8192

/** Where the journal is, and how it is kept safe. */
export interface JournalOptions {
  /** Path of the journal file, or `:memory:`. */
  readonly journal: string
  readonly files: JournalFiles
  readonly seal: Seal | null
  /** Syncs the journal's WAL; absent if nothing has to survive a power cut. */
  readonly sync?: FileSync
  /** The file that reveals whether an older copy of the journal was restored; absent if that can't happen. */
  readonly stamp?: StampFile
}

export interface Journal {
  readonly db: Database
  /** Where an unusable journal was moved, and why; null if the journal could be used. */
  readonly setAside: SetAside | null
  /** In epoch milliseconds. */
  readonly openedAt: number
  readonly ids: FileIds
  readonly transfers: Transfers
  readonly files: Files
  readonly remote: Remote
  readonly claims: Claims
  readonly owners: Owners
  readonly likes: Likes
  readonly oldRows: OldRows
  readonly doubts: Doubts
  readonly putAways: PutAways
  readonly past: GapKeeper
  readonly stamp: StampKeeper | null
  readonly disk: DiskTrouble
  /** Ends the journal's waits if the wall clock was rolled back since the last call, and says whether. */
  clockRollback(): boolean
  /** Logs a failed write, and pauses uploads if the disk caused the failure. */
  failed(error: unknown): void
  /** Runs `work` in the next shared transaction, for callers that don't wait for it. */
  soon(work: () => void): void
}

export function openJournal(options: JournalOptions, ports: Ports, bus: Bus): Journal {
  const { clock, log, random } = ports
  const { sync } = options
  const openedAt = clock.now()
  const onTrouble = (error: Error | null): void => {
    if (error === null) log.info('journal.synced')
    else log.error('journal.sync', { message: error.message })
    disk.noteSync(error)
  }
  const { db, setAside, fresh, isShort } = openDatabase({
    file: options.journal,
    files: options.files,
    seal: options.seal,
    now: openedAt,
    ...(sync === undefined ? {} : { durability: { sync, clock, onTrouble } }),
  })
  const transfers = createTransfers(db)
  const remote = createRemote(
    db,
    () => bus.remoteChanged(1),
    (ids) => {
      for (const id of ids) bus.changed(id)
    },
  )
  const claims = createClaims(db)
  const past = createGap(remote.facts)
  const stamp =
    options.stamp === undefined
      ? null
      : createStamp({ facts: remote.facts, db, file: options.stamp, clock, random })
  const disk = createDiskTrouble({
    clock,
    journal: options.journal,
    bus,
    probe: () => db.tx(() => remote.facts.set('probe', `${clock.now()} ${'.'.repeat(PROBE_BYTES)}`)),
    sync: () => void db.attemptDurable(),
  })
  const failed = (error: unknown): void => {
    // A response arrived after shutdown had stopped waiting for it. As after a crash, the next start finds
    // out what became of the request.
    if (error instanceof JournalClosedError) return
    log.error('journal.write', { message: error instanceof Error ? error.message : String(error) })
    disk.note(error)
  }
  const isOlder = isShort || stamp?.verdict === 'older'
  if (setAside !== null) {
    log.error('journal.set-aside', { why: setAside.why, file: setAside.file })
    past.open('set-aside', openedAt, 'whole')
  } else if (fresh && options.journal !== ':memory:') past.open('fresh', openedAt, 'whole')
  else if (isOlder) {
    log.warn('journal.older', { isShort })
    past.open('older', openedAt, missingPart(remote.facts))
  }
  if (remote.facts.get('rebuilding') !== null) {
    past.open('set-aside', openedAt, 'whole')
    remote.facts.set('rebuilding', null)
  }
  stamp?.touch()
  return {
    db,
    setAside,
    openedAt,
    ids: createFileIds(db, () => clock.now()),
    transfers,
    files: createFiles(db),
    remote,
    claims,
    owners: createOwners(claims, remote),
    likes: createLikes(db),
    oldRows: createOldRows(db, remote),
    doubts: createDoubts(db),
    putAways: createPutAways(db),
    past,
    stamp,
    disk,
    clockRollback: createClockRollback({ clock, db, facts: remote.facts }, transfers.newestMoment()),
    failed,
    soon: (work) => void db.soon(work).catch(failed),
  }
}

// Keeps track of the gap in this journal's knowledge: uploads made before it was created, or whose commits
// were lost. Every version from that time is like an upload whose response was lost at an unknown time: it is
// compared with the service before it is sent (presence/comparison.ts).

type GapCause = 'fresh' | 'set-aside' | 'older' | 'more-files'

/** `walk`: the part of the remote list that must be read before files can be compared. */
export interface Past {
  /**
   * Versions written up to this moment (this machine's clock, epoch milliseconds) may have been sent without
   * this journal's knowledge.
   */
  readonly at: number
  readonly cause: GapCause
  readonly walk: 'whole' | 'newest' | 'done'
}

export interface GapKeeper {
  get(): Past | null
  /** Opens a gap, or widens one that is already open; never narrows it. */
  open(cause: GapCause, at: number, walk: 'whole' | 'newest'): void
  /** Records that the required part of the list has been read. */
  listed(): void
  /** Closes the gap. Call when the service holds no files, so that nothing can have been sent. */
  close(): void
}

export function createGap(facts: Facts): GapKeeper {
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
