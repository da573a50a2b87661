// Opens the journal with its safeguards: the stamp that detects a restored older copy, and the monitor for a
// failing disk. If uploads may be missing from the journal, records a gap, so that files are compared with
// the service first (presence/comparison.ts).

import type { EngineOptions } from '../core.ts'
import { createClaims } from '../journal/claims.ts'
import { createClockRollback } from '../journal/clock-rollback.ts'
import { createDiskTrouble, JournalClosedError } from '../journal/disk-trouble.ts'
import { createDoubts } from '../journal/doubts.ts'
import { createFileIds } from '../journal/file-ids.ts'
import { createFiles } from '../journal/files.ts'
import { createLikes } from '../journal/likes.ts'
import { createOldRows } from '../journal/old-rows.ts'
import { openDatabase } from '../journal/open.ts'
import { createRemote } from '../journal/remote.ts'
import { createStamp, type StampKeeper } from '../journal/stamp.ts'
import { createTransfers } from '../journal/transfers.ts'
import { createPast } from '../presence/room.ts'
import { createOwners } from '../remote/owners.ts'
import type { Bus } from '../tell/bus.ts'

/**
 * Size of the test write that shows whether the disk works again: more than a journal page, so that a page's
 * free space can't hold it.
 */
const PROBE_BYTES = 8192

export type Journal = ReturnType<typeof openJournal>

export function openJournal(options: EngineOptions, bus: () => Bus, wake: () => void) {
  const { clock, log, random } = options.ports
  const { sync } = options
  const openedAt = clock.now()
  const { db, setAside, fresh, isShort } = openDatabase({
    file: options.journal,
    files: options.files,
    seal: options.seal,
    now: openedAt,
    ...(sync === undefined
      ? {}
      : {
          durability: {
            sync,
            after: (ms, call) => void clock.after(ms, call),
            onTrouble: (error) => noteSync(error),
          },
        }),
  })
  const transfers = createTransfers(db)
  const remote = createRemote(
    db,
    () => bus().remoteChanged(1),
    (ids) => {
      for (const id of ids) bus().changed(id)
    },
  )
  const claims = createClaims(db)
  const past = createPast(remote.facts)
  const stamp =
    options.stamp === undefined
      ? null
      : createStamp({
          facts: remote.facts,
          file: options.stamp,
          random,
          mono: () => clock.mono(),
          durable: () => db.durable(),
          soon: (work) =>
            db.soon(work).then(
              () => true,
              () => false,
            ),
        })
  const disk = createDiskTrouble({
    clock,
    journal: options.journal,
    probe: () => db.tx(() => remote.facts.set('probe', `${clock.now()} ${'.'.repeat(PROBE_BYTES)}`)),
    sync: () => void db.attemptDurable(),
    onChange: () => {
      bus().touched()
      wake()
    },
    onNotice: (title, hint) =>
      bus().emit({
        kind: 'notice',
        level: 'problem',
        title,
        hint,
        about: { what: 'disk', name: '', count: 1 },
      }),
  })
  const noteSync = (error: Error | null): void => {
    if (error === null) log.info('journal.synced')
    else log.error('journal.sync', { message: error.message })
    disk.noteSync(error)
  }
  const failed = (error: unknown): void => {
    // A response arrived after shutdown had stopped waiting for it. As after a crash, the next start finds
    // out what became of the request.
    if (error instanceof JournalClosedError) return
    log.error('journal.write', { message: error instanceof Error ? error.message : String(error) })
    disk.note(error)
  }
  return {
    db,
    setAside,
    isFresh: fresh && options.journal !== ':memory:',
    isShort,
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
    /** Logs a failed write, and pauses uploads if the disk caused the failure. */
    failed,
  }
}

/**
 * Records a gap (presence/room.ts) if uploads may be missing from the journal. Files last written before the
 * journal was opened may already have been uploaded, so they are compared with the service before they are
 * sent.
 */
export function openGaps(journal: Journal, log: EngineOptions['ports']['log']): void {
  const { setAside, isFresh, isShort, past, remote, openedAt } = journal
  const stamp: StampKeeper | null = journal.stamp
  if (setAside !== null) {
    log.error('journal.set-aside', { why: setAside.why, file: setAside.file })
    past.open('set-aside', openedAt, 'whole')
  } else if (isFresh) past.open('fresh', openedAt, 'whole')
  else if (isShort || stamp?.verdict === 'older') {
    log.warn('journal.older', { isShort })
    past.open('older', openedAt, missingPart(remote))
  }
  if (remote.facts.get('rebuilding') !== null) {
    past.open('set-aside', openedAt, 'whole')
    remote.facts.set('rebuilding', null)
  }
  stamp?.touch()
}

/**
 * How much of the remote list must be read before files can be compared: all of it, unless the journal holds
 * a complete earlier list.
 */
export function missingPart(remote: Journal['remote']): 'whole' | 'newest' {
  return remote.facts.get('catalog-held') === null ? 'whole' : 'newest'
}
