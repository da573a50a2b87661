// Finds out what became of an unconfirmed upload before it is sent again. Adopts the file if it arrived, and
// requeues it if it didn't. Compares bytes if name, size and age aren't conclusive. Without proof, the file
// is sent once more; after that, or if a possible match can't be read, the user has to decide. If a file
// turns up after it was sent again, there are two copies: the one that belongs to the transfer stays, and the
// other one is deleted, but only if no one else was ever seen writing to this account.
import { backoffMs } from '../budget/upload-retry-delay.ts'
import type { OpenDoubt } from '../journal/doubts.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { adopt, type Shared } from './adoption.ts'
import { ambiguous, findSame, hashVersion } from './bytes.ts'
import { Candidates, ofDoubt } from './candidates.ts'
import { type Absence, type AbsenceEvidence, judgeAbsence, quietMs } from './evidence.ts'
import { Lister, type ListLook } from './list-look.ts'
import { byLikelihood, type Listed, type LostUpload, shownAt } from './match.ts'
import { keepsNames, nameRank } from './naming.ts'

/** Minimum time between two lookups. Each lookup serves all uploads that are due. */
const EVERY_MS = 1000
/**
 * Initial minimum interval between lookups of held uploads. It doubles with each lookup, up to
 * `HELD_MOST_MS`. Each confirmed upload can cause such a lookup, so without a limit they would use up much of
 * the rate limit during a backlog.
 */
const HELD_MS = 60_000
const HELD_MOST_MS = 3_600_000
/**
 * Number of times a version is sent again after a whole request whose outcome was unknown. After that, the
 * user decides: a proof of absence may be wrong, too. `answered`: absence is proved, and an error answered or
 * the process ended; hours of errors must not hold every file.
 */
const MOST_RESENT = { unproved: 1, proved: 4, answered: 12 } as const
const MOST_ROWS = 2000
/** Delays between lookups while a duplicate may still turn up. */
const LOOKS_MS = [15_000, 60_000, 300_000, 900_000, 3_600_000, 6 * 3_600_000, 12 * 3_600_000] as const
/** Maximum number of doubts per lookup. Any others that are due follow in the next one. */
const MOST_DUE = 500
/** Maximum number of candidates to download per doubt and lookup. */
const MOST_READ = 8
/** A file was stored late if its date is later than its request by more than this. */
const STORED_LATE_MS = 3000

/** The first and the longest delay, in milliseconds. */
const WAITS_MS = {
  /**
   * While the file may belong to another upload that is in flight, or to another file that has its exact
   * name.
   */
  sibling: [1000, 60_000],
  rival: [200, 10_000],
  /**
   * While the local file can't be read. The first delays are short, in case a drive was disconnected only
   * briefly.
   */
  local: [5000, 600_000],
  /**
   * While the bytes on the service can't be read, which may have become unreachable after the list was read.
   */
  bytes: [1000, 600_000],
  /**
   * After a read of the list that failed. Every attempt counts towards the day's request limit, which uploads
   * need.
   */
  list: [2000, 300_000],
  /**
   * After a pass through the list that failed or may have missed files, while files wait to be compared with
   * it.
   */
  whole: [2000, 60_000],
} as const

/**
 * Number of times that bytes are read again before the user is asked. The delays add up to about 37 minutes.
 */
const BYTES_TRIES = 12

/** The same if none of the files has a public link. */
const SILENT_TRIES = 2

export class Reconciler {
  readonly #options: Shared
  readonly #lister: Lister
  readonly #candidates: Candidates
  readonly #retries = new Retries()
  /**
   * Milliseconds after the loss at which each row was last missing from a list that showed a later upload.
   */
  readonly #missed = new Map<number, number>()
  readonly #openedAt: number
  /**
   * When the last lookup of held uploads was due, in monotonic milliseconds, and the minimum interval before
   * the next one.
   */
  #heldLook = { at: Number.NEGATIVE_INFINITY, stepMs: HELD_MS }

  constructor(options: Shared) {
    this.#options = options
    this.#openedAt = options.ports.clock.mono()
    this.#lister = new Lister(options)
    this.#candidates = new Candidates(options)
  }

  /**
   * Looks up everything that is due. Returns when to run again, in epoch milliseconds; null if nothing is
   * left to look up.
   */
  async run(signal: AbortSignal): Promise<number | null> {
    const { transfers, doubts, ports } = this.#options
    const now = ports.clock.now()
    const rows = transfers.unknown(MOST_ROWS)
    const due = rows.filter((row) => row.until === null || row.until <= now)
    const open = doubts.due(now, MOST_DUE)
    if (due.length === 0 && open.length === 0) return this.#next()
    const marks = [...due.map((row) => this.#candidates.lost(row).mark), ...open.map((doubt) => doubt.mark)]
    const oldest = marks.every((mark) => mark !== null) ? Math.min(...marks) : null
    const look = await this.#lister.look(oldest, signal)
    if (look === 'failed') return ports.clock.now() + this.#retries.next('list')
    this.#retries.forget(0)
    if (look === 'shifted') return ports.clock.now() + EVERY_MS
    for (const row of due) {
      if (signal.aborted) return ports.clock.now() + EVERY_MS
      const current = transfers.get(row.id)
      if (current?.state === 'unknown') await this.#decide(current, look, signal)
    }
    await this.#heal(open, look, signal)
    if (signal.aborted) return ports.clock.now() + EVERY_MS
    for (const doubt of open) await this.#release(doubt, look)
    look.remember()
    const next = this.#next()
    return next === null ? null : Math.max(next, ports.clock.now() + EVERY_MS)
  }

  /**
   * Schedules a lookup of held rows whose outcome is unknown, unless there is nothing to look up or a lookup
   * is scheduled already. Call when an upload is confirmed, because a list that shows it may prove that the
   * held files didn't arrive.
   */
  hurry(): void {
    const { doubts, ports, bus } = this.#options
    const mono = ports.clock.mono()
    const { at, stepMs } = this.#heldLook
    if (mono < at || doubts.nextAt() === null) return
    const waitMs = Math.max(EVERY_MS, at + stepMs - mono)
    const lookAt = ports.clock.now() + waitMs
    if (!doubts.hurry(lookAt)) return
    this.#heldLook = { at: mono + waitMs, stepMs: Math.min(HELD_MOST_MS, 2 * stepMs) }
    bus.wake('lookups', lookAt)
  }

  /**
   * Queues an unconfirmed upload again at the user's request, and opens a doubt (journal/doubts.ts), so that
   * the lost upload is found if it turns up after all. Returns false if the row isn't unconfirmed.
   */
  sendNow(id: number): boolean {
    const { transfers, db } = this.#options
    const row = transfers.get(id)
    if (row?.state !== 'unknown') return false
    db.tx(() => {
      this.#openDoubt(row, row.sha256)
      transfers.attempts(id, 0)
      transfers.transition(id, { kind: 'requeued' })
    })
    this.#retries.forget(id)
    this.#options.bus.changed(id)
    return true
  }

  /** Discards the doubts and everything learned about the service. Call when the account changes. */
  reset(): void {
    this.#options.doubts.reset()
    this.#options.habits.reset()
    this.#lister.reset()
    this.#retries.reset()
    this.#missed.clear()
    this.#heldLook = { at: Number.NEGATIVE_INFINITY, stepMs: HELD_MS }
  }

  /** Call when the outcome of an upload is known. */
  #proved(): void {
    this.hurry()
    this.#options.uploadPause.proved()
  }

  /**
   * Queues the deletion of an upload's file, unless the file might be in use by others. Returns false if it
   * is kept. `at`: when the upload was sent, in epoch milliseconds. Call inside a transaction.
   */
  #discard(fileId: number, why: 'torn' | 'cancelled' | 'twin', at: number): boolean {
    const { owners, limits, ports } = this.#options
    // `torn`: the file changed while it was being sent. The service can't have had such a mixture of versions
    // before, so the stored file is new. For any other reason, the service may have returned an existing file
    // with the same bytes.
    const origin = why === 'torn' ? 'new' : 'unknown'
    const isDiscarded = owners.discard(fileId, why, origin, ports.clock.now())
    if (isDiscarded) limits.takenBack(at)
    return isDiscarded
  }

  #next(): number | null {
    const { transfers, doubts, ports } = this.#options
    const times = transfers.unknown(MOST_ROWS).map((row) => row.until ?? ports.clock.now())
    const healing = doubts.nextAt()
    if (healing !== null) times.push(healing)
    if (times.length === 0) return null
    // A time in the past would make the caller run this again immediately, and endlessly if nothing changes.
    const next = Math.min(...times)
    return next > ports.clock.now() ? next : ports.clock.now() + EVERY_MS
  }

  async #decide(row: TransferRow, look: ListLook, signal: AbortSignal): Promise<void> {
    const { transfers } = this.#options
    const lost = this.#candidates.lost(row)
    if ((await this.#decideBy(look.files, row, lost, look, signal)) !== 'absent' || signal.aborted) return
    const underWay = Math.max(0, transfers.workIn([]).moving - 1)
    const others = new Set<number>()
    for (;;) {
      const { found, isEmpty } = await look.askIds(lost, underWay, others, signal)
      if (signal.aborted) return
      if (found.length === 0)
        return this.#absent(row, await this.#judge(row, lost.mark, look, isEmpty ? 'empty' : 'unknown'))
      if ((await this.#decideBy(found, row, lost, look, signal)) !== 'absent' || signal.aborted) return
      for (const file of found) others.add(file.fileId)
    }
  }

  /**
   * Decides which of these files, if any, is the upload, and records the result. `absent`: none of them is,
   * or the bytes that were sent are no longer known and no file can be identified as the upload with
   * certainty.
   */
  async #decideBy(
    files: readonly Listed[],
    row: TransferRow,
    lost: LostUpload,
    look: ListLook,
    signal: AbortSignal,
  ): Promise<'decided' | 'absent'> {
    const { habits, doubts, links } = this.#options
    const { files: candidates, only } = await this.#candidates.find(lost, files, look, signal)
    if (signal.aborted) return 'decided'
    if (candidates.length === 0) return 'absent'
    const sha256 = row.sha256 ?? (await this.#hash(row, signal))
    if (signal.aborted) return 'decided'
    if (sha256 === undefined) return this.#wait(row, 'local')
    const origin = only === null ? 'open' : this.#candidates.originOf(row, lost, only, sha256, look)
    if (sha256 === null) return only === null || origin === 'open' ? 'absent' : this.#torn(row, only)
    if (only !== null && origin === 'ours') return this.#adopt(row, lost, only, sha256, signal)
    const rankOf = (file: Listed): number => nameRank(lost.name, file.filename, habits.names)
    const same = await findSame(
      links,
      candidates,
      {
        size: row.size,
        sha256,
        claim: (file) => {
          const rank = rankOf(file)
          if (rank > 0 && this.#hasBetterClaim(row, file, sha256, rank)) return 'other'
          // The file may belong to another upload of the same size whose answer is still pending.
          return rank > 0 && doubts.isUploading(row.size, sha256, row.id) ? 'pending' : 'ours'
        },
        // If the service keeps names, a different name rules out a file that can't be read.
        couldBe: (file) => rankOf(file) < 4 || !keepsNames(habits.names, lost.name),
      },
      signal,
    )
    if (signal.aborted) return 'decided'
    if (same === 'pending') return this.#wait(row, 'sibling')
    if (same === 'absent') {
      this.#retries.forget(row.id)
      return 'absent'
    }
    if ('found' in same) return this.#adopt(row, lost, same.found, sha256, signal)
    if (origin === 'likely' && only !== null && same.unread.includes(only))
      return this.#adopt(row, lost, only, sha256, signal)
    // Don't ask the user yet if the service may just have become unreachable after the list was read.
    const waitMs = this.#retries.unread(row.id, same)
    return waitMs === null ? this.#hold(row, same.unread) : this.#again(row, waitMs)
  }

  /**
   * The hash of what was sent, from the local file; null if that has changed or is gone. Undefined if it
   * can't be read now, or its folder can't be reached.
   */
  async #hash(row: TransferRow, signal: AbortSignal): Promise<string | null | undefined> {
    const read = await hashVersion(this.#options, row, signal)
    if (typeof read === 'string') return read
    if ('changed' in read) return null
    const isMissing = read.failure.code === 'gone' || read.failure.code === 'not-a-directory'
    return isMissing && !(await this.#options.folders.isAway(row)) ? null : undefined
  }

  /**
   * Deletes a file whose content isn't known: the local file may have changed during the upload, so it may
   * mix two versions.
   */
  async #torn(row: TransferRow, file: Listed): Promise<'decided'> {
    const { transfers, remote, ports } = this.#options
    this.#retries.forget(row.id)
    return this.#record(row, () => {
      if (this.#discard(file.fileId, 'torn', row.intentAt ?? ports.clock.now())) {
        remote.put(file, ports.clock.now(), false)
        transfers.setLeft(row.id, file.fileId)
      }
      transfers.transition(row.id, { kind: 'requeued' })
    })
  }

  /**
   * Whether the name of another unconfirmed upload of these bytes matches better, so that the file belongs to
   * that upload.
   */
  #hasBetterClaim(row: TransferRow, file: Listed, sha256: string, rank: number): boolean {
    const { transfers, habits } = this.#options
    return transfers
      .unknown(MOST_ROWS)
      .some(
        (other) =>
          other.id !== row.id &&
          other.size === row.size &&
          other.sha256 === sha256 &&
          nameRank(habits.sentName(other), file.filename, habits.names) < rank,
      )
  }

  /** Asks the user whether one of these files is the upload. */
  #hold(row: TransferRow, files: readonly Listed[]): Promise<'decided'> {
    const { transfers } = this.#options
    this.#retries.forget(row.id)
    return this.#record(row, () => {
      this.#openDoubt(row, row.sha256)
      transfers.transition(row.id, { kind: 'held', reason: 'ambiguous', message: ambiguous(files, row.size) })
    })
  }

  #wait(row: TransferRow, why: Wait): Promise<'decided'> {
    return this.#again(row, this.#retries.next(why, row.id))
  }

  #again(row: TransferRow, ms: number): Promise<'decided'> {
    const { transfers, ports } = this.#options
    return this.#record(row, () =>
      transfers.transition(row.id, {
        kind: 'answer-lost',
        message: row.message,
        until: ports.clock.now() + ms,
      }),
    )
  }

  /**
   * Calls `write` with the current row, unless the row has changed its state or was sent again since the
   * lookup began.
   */
  async #record(row: TransferRow, write: (current: TransferRow) => void): Promise<'decided'> {
    const { db, transfers } = this.#options
    await db.soon(() => {
      const current = transfers.get(row.id)
      if (current?.state === row.state && current.intentMark === row.intentMark) write(current)
    })
    this.#options.bus.changed(row.id)
    return 'decided'
  }

  /** Judges a lookup that didn't find the upload. `mark`: see `ListLook.witnesses`. */
  async #judge(
    row: TransferRow,
    mark: number | null,
    look: ListLook,
    ids: AbsenceEvidence['ids'],
  ): Promise<Absence> {
    const { delayMs } = this.#options.habits
    const loss = row.lost ?? 'cut'
    const sinceMs = this.#sinceLost(row)
    const witnesses = look.witnesses(mark)
    if (witnesses.shown > 0 && witnesses.missing === 0) this.#missed.set(row.id, sinceMs)
    const { singleWithinMs } = this.#lister
    const evidence: AbsenceEvidence = {
      loss,
      sinceMs,
      witnesses,
      ids,
      singleWithinMs,
      counts: 'unknown',
      lag: look.lag,
      delayMs,
    }
    const absence = judgeAbsence(evidence)
    // The count is requested only if it may change the verdict.
    if (absence.kind === 'proved' || sinceMs < quietMs(loss, delayMs)) return absence
    return judgeAbsence({ ...evidence, counts: await look.counts() })
  }

  /**
   * Milliseconds since the answer was lost. The result is too low if the system has restarted since then. The
   * wall clock counts only if nothing else is known, because it can change: if a recent loss looked old, its
   * file could be sent again before the service shows it.
   */
  #sinceLost({ lostAt, lostUp }: TransferRow): number {
    const { clock } = this.#options.ports
    const up = clock.uptime()
    // After a restart of the system, at least its uptime has passed since the loss.
    if (lostUp !== null && up !== null) return up >= lostUp ? up - lostUp : up
    // Earlier versions recorded only the wall clock's time. A process that was killed recorded nothing.
    return lostAt === null ? clock.mono() - this.#openedAt : Math.max(0, clock.now() - lostAt)
  }

  async #absent(row: TransferRow, absence: Absence): Promise<void> {
    const { transfers, ports } = this.#options
    if (absence.kind === 'later') {
      await this.#record(row, () => transfers.addCheck(row.id, onGrid(ports.clock.now(), absence.ms)))
      return
    }
    ports.log.info('reconcile.absent', { id: row.id, by: absence.kind === 'proved' ? absence.by : 'time' })
    this.#missed.delete(row.id)
    this.#retries.forget(row.id)
    if (absence.kind === 'proved') this.#proved()
    const isWhole = row.lost !== 'partly'
    const isHeld = isWhole && row.resent >= mostResent(row, absence.kind === 'proved')
    // The upload may turn up soon.
    if (isHeld) this.#heldLook.stepMs = HELD_MS
    await this.#record(row, ({ cancel }) => {
      if (absence.kind === 'unproved') transfers.setUnproved(row.id, row.unproved + 1)
      if (isWhole && !isHeld) transfers.countResent(row.id)
      if (isWhole) this.#openDoubt(row, row.sha256, absence.kind === 'proved')
      if (cancel) transfers.transition(row.id, { kind: 'cancelled' })
      else if (isHeld)
        transfers.transition(row.id, {
          kind: 'held',
          reason: 'unconfirmed',
          message: heldText(row, absence.kind === 'proved'),
        })
      else if (row.attempts <= 1) transfers.transition(row.id, { kind: 'requeued' })
      else
        transfers.transition(row.id, {
          kind: 'deferred',
          reason: 'backoff',
          message: row.message ?? "The upload didn't arrive.",
          until: ports.clock.now() + backoffMs(row.attempts, ports.random),
        })
    })
  }

  /** Looks for files of uploads that were sent again, held or ended before their outcome was known. */
  async #heal(open: readonly OpenDoubt[], look: ListLook, signal: AbortSignal): Promise<void> {
    const { db, doubts, ports } = this.#options
    for (const doubt of open) {
      if (signal.aborted) return
      await this.#healOne(doubt, look, signal)
      if (signal.aborted) return
      const now = ports.clock.now()
      const pause = LOOKS_MS[Math.min(doubt.looks, LOOKS_MS.length - 1)] ?? 0
      // A doubt is dropped only after a lookup at or after its end, because it may have expired while no
      // engine was running.
      db.tx(() =>
        now >= doubt.until
          ? doubts.drop(doubt.id)
          : doubts.looked(doubt.id, Math.min(now + pause, doubt.until)),
      )
    }
  }

  async #healOne(doubt: OpenDoubt, look: ListLook, signal: AbortSignal): Promise<void> {
    const { transfers, habits, doubts, links } = this.#options
    const row = transfers.get(doubt.transferId)
    // While an upload is in flight or unconfirmed, its own answer or lookup determines which file belongs to
    // it.
    if (row === null || row.state === 'uploading' || row.state === 'unknown') return
    const sha256 = doubt.sha256 ?? (row.size === doubt.size ? row.sha256 : null)
    if (sha256 === null) return
    const lost = ofDoubt(doubt)
    const mayBe = (file: Listed): boolean => this.#candidates.judge(lost, file, -1) !== 'no'
    const possible = look.files.filter(
      (file) => file.fileId !== row.fileId && mayBe(file) && !doubts.isTwin(file.fileId),
    )
    const read: { readonly whole: Listed; readonly hash: string | null }[] = []
    // All are read first, because another one's bytes may show that there is another writer.
    for (const file of byLikelihood(possible, lost.name, habits.names).slice(0, MOST_READ)) {
      const { file: whole } = await look.filled(file, true, signal)
      const got = await links.bytes(whole, lost.size, signal)
      read.push({ whole, hash: typeof got === 'object' ? got.sha256 : null })
      if (signal.aborted) return
    }
    for (const { whole, hash } of read) {
      // Judge the file again, because another transfer may have adopted it while it was being read.
      if (hash !== sha256 || !mayBe(whole)) continue
      // If another upload of these bytes is pending, this file may belong to it.
      if (doubts.isAwaited(sha256, lost.size, row.id)) return
      this.#learn(doubt, whole)
      const now = transfers.get(row.id)
      if (now !== null && mayAdopt(now, doubt, sha256))
        return void (await this.#adopt(now, lost, whole, sha256, signal))
      if (now !== null && now.state !== 'uploading' && now.state !== 'unknown')
        this.#settle(now, whole, doubt, look)
    }
  }

  /** Deletes a duplicate, or leaves it if it may be someone else's file. */
  #settle(row: TransferRow, file: Listed, doubt: OpenDoubt, look: ListLook): void {
    const { db, doubts, remote, ports } = this.#options
    const { fileId } = file
    const isCancelled = row.state === 'cancelled'
    db.tx(() => {
      // The duplicate is recorded first, so that it isn't mistaken for another writer's file.
      doubts.noteTwin(fileId, row.id, 'left', ports.clock.now())
      remote.put(file, ports.clock.now(), false)
      const isDeleted =
        this.#candidates.isOwn(doubt, isCancelled, file, look) &&
        this.#discard(fileId, isCancelled ? 'cancelled' : 'twin', doubt.openedAt)
      if (isDeleted) doubts.noteTwin(fileId, row.id, 'deleted', ports.clock.now())
      ports.log.warn('reconcile.twin', { id: row.id, fileId, isDeleted })
    })
    this.#options.bus.changed(row.id)
  }

  /** Learns from a late file how long the service took to store or list it. */
  #learn(doubt: OpenDoubt, file: Listed): void {
    const { limits, habits, ports } = this.#options
    const date = shownAt(file.uploadDate, limits.zone())
    const delayMs = date === null || doubt.server === null ? null : date.at - doubt.server
    if (delayMs === null) habits.learnDelay(Math.max(0, ports.clock.now() - doubt.openedAt))
    else if (delayMs > STORED_LATE_MS) habits.learnDelay(delayMs)
    else habits.learnLag([], [Math.max(1, ports.clock.now() - doubt.openedAt)])
  }
  /**
   * Requeues the doubt's row if it is held for lack of proof and this lookup proves that its file didn't
   * arrive.
   */
  async #release(doubt: OpenDoubt, look: ListLook): Promise<void> {
    const { transfers, ports } = this.#options
    const row = transfers.get(doubt.transferId)
    if (row === null || row.state !== 'held' || row.reason !== 'unconfirmed') return
    if (row.unproved === 0 || row.resent > mostResent(row, true)) return
    // Held uploads are looked up rarely, so the count can be read in any case.
    await look.counts()
    const absence = await this.#judge(row, row.intentMark, look, 'unknown')
    if (absence.kind !== 'proved') return
    ports.log.info('reconcile.released', { id: row.id, by: absence.by })
    await this.#record(row, () => {
      transfers.setUnproved(row.id, 0)
      transfers.countResent(row.id)
      transfers.transition(row.id, { kind: 'requeued' })
    })
  }

  #openDoubt(row: TransferRow, sha256: string | null, isProved = false): void {
    const { doubts, ports, habits } = this.#options
    doubts.open(
      {
        transferId: row.id,
        name: habits.sentName(row),
        size: row.size,
        sha256,
        mark: row.intentMark,
        above: row.intentAbove,
        server: row.intentServer,
      },
      ports.clock.now(),
      isProved,
    )
  }

  async #adopt(
    row: TransferRow,
    lost: LostUpload,
    file: Listed,
    sha256: string,
    signal: AbortSignal,
  ): Promise<'decided'> {
    const { ports, db, habits } = this.#options
    ports.log.info('reconcile.adopted', { id: row.id, fileId: file.fileId })
    // If the file was missing while the list showed later uploads, it was stored late.
    const missedAt = this.#missed.get(row.id)
    if (missedAt !== undefined) habits.learnDelay(missedAt)
    habits.learnName(lost.name, file.filename)
    this.#missed.delete(row.id)
    this.#retries.forget(row.id)
    this.#proved()
    // A file that existed before the request isn't the upload, even if its bytes are the same. The upload
    // itself may still turn up.
    const isOlder = this.#candidates.dated(row, lost, file) === 'before'
    if (isOlder && row.lost !== 'partly') await db.soon(() => this.#openDoubt(row, sha256))
    await adopt(this.#options, row, file, { sha256, sent: true, isOlder }, signal)
    return 'decided'
  }
}

function heldText({ attempts, lost, message }: TransferRow, isProved: boolean): string {
  const sent = `Sent ${attempts} times.`
  if (lost === 'receipt' && message !== null) return `${sent} ${message}`
  return isProved
    ? `${sent} Each response was lost, and the service showed no upload.`
    : `${sent} Each response was lost, and the list of files doesn't show whether an upload arrived.`
}

function mostResent({ lost }: TransferRow, isProved: boolean): number {
  return MOST_RESENT[!isProved ? 'unproved' : lost === 'cut' ? 'proved' : 'answered']
}

/**
 * Returns the time `ms` milliseconds after `now`. Rounds it up if it is at least four seconds away, so that
 * many rows share one lookup.
 */
function onGrid(now: number, ms: number): number {
  const grid = ms < 4000 ? 1 : ms <= 20_000 ? 1000 : 5000
  return Math.ceil((now + ms) / grid) * grid
}

/**
 * Whether the row can adopt the file. The row must have the same version and not be cancelled, and must be
 * waiting to be sent again or held because the outcome of its upload is unknown.
 */
function mayAdopt(row: TransferRow, doubt: OpenDoubt, sha256: string): boolean {
  // When a newer version replaces the one that was sent, setVersion clears intentMark and sha256. A newer
  // version that has been sent since then is recognized by its size, or by its hash once that is known.
  if (
    row.cancel ||
    row.intentMark === null ||
    row.size !== doubt.size ||
    (row.sha256 !== null && row.sha256 !== sha256)
  )
    return false
  if (row.state === 'held') return row.reason === 'unconfirmed' || row.reason === 'ambiguous'
  return row.state === 'queued' || row.state === 'waiting'
}

// Delays between the attempts to answer a question about a file. Each delay is twice the one before.

type Wait = keyof typeof WAITS_MS

export class Retries {
  /** Number of delays so far, by kind and row. */
  readonly #counts = new Map<string, number>()

  /** How often the row has waited. `rowId`: 0 for a read of the list. */
  count(kind: Wait, rowId = 0): number {
    return this.#counts.get(`${kind} ${rowId}`) ?? 0
  }

  /** The delay before the next attempt, in milliseconds. */
  next(kind: Wait, rowId = 0): number {
    const [first, most] = WAITS_MS[kind]
    const count = this.count(kind, rowId)
    this.#counts.set(`${kind} ${rowId}`, count + 1)
    return Math.min(most, first * 2 ** count)
  }

  /**
   * The delay before candidates whose bytes couldn't be read are compared again; null if the user has to
   * decide.
   */
  unread(
    rowId: number,
    { isLater, isSilent }: { readonly isLater: boolean; readonly isSilent: boolean },
  ): number | null {
    const count = this.count('bytes', rowId)
    return (isLater && count < BYTES_TRIES) || (isSilent && count < SILENT_TRIES)
      ? this.next('bytes', rowId)
      : null
  }

  /** Call when the row is decided or, with 0, when the list has been read. */
  forget(rowId: number): void {
    for (const kind of Object.keys(WAITS_MS)) this.#counts.delete(`${kind} ${rowId}`)
  }

  reset(): void {
    this.#counts.clear()
  }
}
