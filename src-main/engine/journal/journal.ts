// Opens the journal with its safeguards: the stamp that detects a restored older copy, and the monitor for a
// failing disk. If uploads may be missing from the journal, records a gap (gap.ts).
import type { Ports } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import type { FileSync } from './barrier.ts'
import { type Claims, createClaims } from './claims.ts'
import { createClockRollback } from './clock-rollback.ts'
import { createDiskTrouble, type DiskTrouble, JournalClosedError } from './disk-trouble.ts'
import { createDoubts, type Doubts } from './doubts.ts'
import { createFileIds, type FileIds } from './file-ids.ts'
import { createFiles, type Files } from './files.ts'
import { createPast, missingPart, type PastKeeper } from './gap.ts'
import { createLikes, type Likes } from './likes.ts'
import { createOldRows, type OldRows } from './old-rows.ts'
import { type Database, type JournalFiles, openDatabase, type Seal, type SetAside } from './open.ts'
import { createOwners, type Owners } from './owners.ts'
import { createRemote, type Remote } from './remote.ts'
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
  readonly past: PastKeeper
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
  const past = createPast(remote.facts)
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
    past,
    stamp,
    disk,
    clockRollback: createClockRollback({ clock, db, facts: remote.facts }, transfers.newestMoment()),
    failed,
    soon: (work) => void db.soon(work).catch(failed),
  }
}
