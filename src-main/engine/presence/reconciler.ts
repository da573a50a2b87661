// Finds out what became of an unconfirmed upload before it is sent again. Adopts the file if it arrived, and requeues it if it didn't.
// Compares bytes if name, size and age aren't conclusive. Without proof, the file is sent once more; after that, or if a possible match
// can't be read, the user has to decide.

import type { OpenDoubt } from '../journal/doubts.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { backoffMs } from '../limits/back-off.ts'
import { findCandidates } from './candidates.ts'
import { type AbsenceEvidence, judgeAbsence, quietMs } from './evidence.ts'
import { Lister, type ListLook } from './list-look.ts'
import { localVersion } from './local-version.ts'
import { LookPace, onGrid } from './look-pace.ts'
import { type Listed, type LostUpload, lostUpload, type ReconcilerOptions } from './lost-upload.ts'
import { keepsNames, nameRank } from './naming.ts'
import { OtherWriters } from './other-writers.ts'
import { RemoteBytes } from './remote-bytes.ts'
import { Twins } from './twins.ts'

/** Number of times reading the candidates' bytes is retried before the user is asked. The delays add up to about 37 minutes. */
const COMPARE_TRIES = 12
/** If no unread candidate has a public link, the user is asked after this many attempts. */
const SILENT_TRIES = 3
const COMPARE_WAIT_MS = 1000
const COMPARE_WAIT_MOST_MS = 10 * 60_000
/** Minimum time between two lookups. Each lookup serves all uploads that are due. */
const EVERY_MS = 1000
/** Number of times a version is sent again without proof that it didn't arrive. After that, the user decides. */
const MOST_UNPROVED = 1
const MOST_ROWS = 2000

/** Candidates whose bytes couldn't be read. `isLater`: reading one may succeed later. `isSilent`: none has a public link. */
interface Unread {
  readonly files: readonly Listed[]
  readonly isLater: boolean
  readonly isSilent: boolean
}

type Compared = 'adopted' | 'absent' | 'sibling' | Unread

export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #lister: Lister
  readonly #bytes: RemoteBytes
  readonly #writers: OtherWriters
  readonly #twins: Twins
  /** Number of failed attempts to read the candidates' bytes, by row, until there is a decision about the upload. */
  readonly #compares = new Map<number, number>()
  /** Milliseconds after the loss at which each row was last missing from a list that showed a later upload. */
  readonly #missed = new Map<number, number>()
  readonly #pace = new LookPace()

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#lister = new Lister(options)
    this.#bytes = new RemoteBytes(options)
    this.#writers = new OtherWriters(options)
    this.#twins = new Twins(options, this.#bytes, this.#writers, (row, lost, file, sha256) => this.#adopt(row, lost, file, sha256))
  }

  /** Looks up everything that is due. Returns when to run again, in epoch milliseconds; null if nothing is left to look up. */
  async run(signal: AbortSignal): Promise<number | null> {
    const { transfers, ports } = this.#options
    const now = ports.clock.now()
    const rows = transfers.unknown(MOST_ROWS)
    const due = rows.filter((row) => row.until === null || row.until <= now)
    const open = this.#twins.due(now)
    if (due.length === 0 && open.length === 0) return this.#next()
    this.#pace.began(ports.clock.mono())
    const marks = [...due.map((row) => this.#lost(row).mark), ...open.map((doubt) => doubt.mark)]
    const oldest = marks.every((mark) => mark !== null) ? Math.min(...marks) : null
    const look = await this.#lister.look(oldest, signal)
    if (look === 'failed') return ports.clock.now() + this.#pace.waitMs('failed')
    this.#pace.forget(0)
    if (look === 'shifted') return ports.clock.now() + EVERY_MS
    for (const row of due) {
      if (signal.aborted) return ports.clock.now() + EVERY_MS
      const current = transfers.get(row.id)
      if (current?.state === 'unknown') await this.#decide(current, look, signal)
    }
    await this.#twins.heal(open, look, signal)
    if (signal.aborted) return ports.clock.now() + EVERY_MS
    for (const doubt of open) await this.#release(doubt, look)
    look.remember()
    const next = this.#next()
    return next === null ? null : Math.max(next, ports.clock.now() + EVERY_MS)
  }

  /**
   * Schedules a lookup of held rows whose outcome is unknown. Call when an upload is confirmed, because a list that shows it may prove that
   * the held files didn't arrive. Returns when the lookup is due, in epoch milliseconds; null if there is nothing to look up or a lookup is
   * scheduled already.
   */
  hurry(): number | null {
    const { doubts, ports } = this.#options
    const { clock } = ports
    const waitMs = this.#pace.untilHeldLook(clock.mono(), EVERY_MS)
    if (waitMs === null || doubts.nextAt() === null || !doubts.hurry(clock.now() + waitMs)) return null
    this.#pace.scheduled(clock.mono() + waitMs)
    return clock.now() + waitMs
  }

  /**
   * Queues an unconfirmed upload again at the user's request, and opens a doubt (journal/doubts.ts), so that the lost upload is found if
   * it turns up after all. Returns false if the row isn't unconfirmed.
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
    this.#compares.delete(id)
    this.#options.changed(id)
    return true
  }

  /** Discards the doubts and everything learned about the service. Call when the account changes. */
  reset(): void {
    this.#options.doubts.reset()
    this.#options.habits.reset()
    this.#lister.reset()
    this.#compares.clear()
    this.#missed.clear()
    this.#pace.reset()
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

  #lost(row: TransferRow): LostUpload {
    return lostUpload(row, this.#options.doubts.of(row.id), this.#options.sentName(row))
  }

  async #decide(row: TransferRow, look: ListLook, signal: AbortSignal): Promise<void> {
    const lost = this.#lost(row)
    const listed = await this.#decideBy(look.files, row, lost, look, signal)
    if (listed !== 'absent' || signal.aborted) return
    const { transfers } = this.#options
    const underWay = Math.max(0, transfers.workIn([]).moving - 1)
    const others = new Set<number>()
    for (;;) {
      const { found, isEmpty } = await look.askIds(lost, underWay, others, signal)
      if (signal.aborted) return
      if (found.length === 0) return this.#absent(row, lost, look, isEmpty)
      if ((await this.#decideBy(found, row, lost, look, signal)) !== 'absent' || signal.aborted) return
      for (const file of found) others.add(file.fileId)
    }
  }

  /**
   * Decides which of these files, if any, is the upload, and records the result. `absent`: none of them is, or the bytes that were sent are
   * no longer known and no file can be identified as the upload with certainty.
   */
  async #decideBy(
    files: readonly Listed[],
    row: TransferRow,
    lost: LostUpload,
    look: ListLook,
    signal: AbortSignal,
  ): Promise<'decided' | 'absent'> {
    const { transfers, remote, ports, discard } = this.#options
    const { sure, maybe } = await findCandidates(this.#options, lost, files, look, signal)
    if (signal.aborted) return 'decided'
    if (sure.length === 0 && maybe.length === 0) return 'absent'
    const version = await localVersion(this.#options, row, signal)
    if (signal.aborted) return 'decided'
    const only = sure.length === 1 ? sure[0] : undefined
    if (version === 'unreadable') {
      await this.#wait(row, this.#pace.waitMs('unreadable', row.id))
      return 'decided'
    }
    const sha256 = version === 'changed' ? null : version.sha256
    const origin = only === undefined ? 'open' : this.#writers.originOf(row, lost, only, sha256, look)
    if (version === 'changed') {
      if (only === undefined || origin === 'open') return 'absent'
      // The hash of what was sent is unknown. The file may have changed during the upload, so the remote file may mix two versions.
      this.#compares.delete(row.id)
      await this.#record(row, () => {
        if (discard(only.fileId, 'torn', row.intentAt ?? ports.clock.now())) {
          remote.put(only, ports.clock.now(), false)
          transfers.setLeft(row.id, only.fileId)
        }
        transfers.transition(row.id, { kind: 'requeued' })
      })
      return 'decided'
    }
    if (only !== undefined && origin === 'ours') {
      await this.#adopt(row, lost, only, version.sha256)
      return 'decided'
    }
    const compared = await this.#compare([...sure, ...maybe], row, lost, version.sha256, signal)
    if (signal.aborted) return 'decided'
    if (compared === 'absent') this.#compares.delete(row.id)
    else if (compared === 'sibling') await this.#wait(row, this.#pace.waitMs('sibling', row.id))
    else if (compared !== 'adopted') {
      const isLikely = origin === 'likely' && only !== undefined && compared.files.includes(only)
      await (isLikely ? this.#adopt(row, lost, only, version.sha256) : this.#unread(row, compared))
    }
    return compared === 'absent' ? 'absent' : 'decided'
  }

  async #compare(files: readonly Listed[], row: TransferRow, lost: LostUpload, local: string, signal: AbortSignal): Promise<Compared> {
    const { habits, doubts } = this.#options
    const unread: Listed[] = []
    let isLater = false
    let isSilent = true
    for (const file of files) {
      const got = await this.#bytes.read(file, row.size, signal)
      if (signal.aborted) return 'sibling'
      const rank = nameRank(lost.name, file.filename, habits.names)
      if (typeof got === 'object') {
        if (got.sha256 !== local) continue
        if (this.#hasBetterClaim(row, file, local, rank)) continue
        // The file may belong to another upload of the same size whose answer is still pending.
        if (rank > 0 && doubts.isUploading(row.size, local, row.id)) return 'sibling'
        await this.#adopt(row, lost, file, local)
        return 'adopted'
      }
      // If the service keeps names, a different name rules out a file that can't be read.
      if (rank === 4 && keepsNames(habits.names, lost.name)) continue
      unread.push(file)
      if (got === 'later') isLater = true
      if (file.publicLink !== null) isSilent = false
    }
    return unread.length === 0 ? 'absent' : { files: unread, isLater, isSilent }
  }

  /** Whether the name of another unconfirmed upload of these bytes matches better, so that the file belongs to that upload. */
  #hasBetterClaim(row: TransferRow, file: Listed, sha256: string, rank: number): boolean {
    const { transfers, habits, sentName } = this.#options
    if (rank === 0) return false
    return transfers
      .unknown(MOST_ROWS)
      .some(
        (other) =>
          other.id !== row.id &&
          other.size === row.size &&
          other.sha256 === sha256 &&
          nameRank(sentName(other), file.filename, habits.names) < rank,
      )
  }

  /** Postpones the decision if reading the candidates may succeed later; otherwise holds the row and asks the user. */
  async #unread(row: TransferRow, found: Unread): Promise<void> {
    const { transfers, ports } = this.#options
    const tries = (this.#compares.get(row.id) ?? 0) + 1
    this.#compares.set(row.id, tries)
    if ((found.isLater && tries <= COMPARE_TRIES) || (found.isSilent && tries < SILENT_TRIES)) {
      // Don't ask the user yet. The service may just have become unreachable after the list was read.
      ports.log.info('reconcile.later', { id: row.id, tries })
      return this.#wait(row, Math.min(COMPARE_WAIT_MOST_MS, COMPARE_WAIT_MS * 2 ** (tries - 1)))
    }
    this.#compares.delete(row.id)
    await this.#record(row, () => {
      this.#openDoubt(row, row.sha256)
      transfers.transition(row.id, {
        kind: 'held',
        reason: 'ambiguous',
        message: `${found.files.length} ${found.files.length === 1 ? 'file' : 'files'} on the service may be this one, and the bytes can't be compared.`,
      })
    })
  }

  async #wait(row: TransferRow, ms: number): Promise<void> {
    const { transfers, ports } = this.#options
    await this.#record(row, () =>
      transfers.transition(row.id, { kind: 'answer-lost', message: row.message, until: ports.clock.now() + ms }),
    )
  }

  /** Calls `write` with the current row, unless the row has changed its state or was sent again since the lookup began. */
  async #record(row: TransferRow, write: (current: TransferRow) => void): Promise<void> {
    const { db, transfers } = this.#options
    await db.soon(() => {
      const current = transfers.get(row.id)
      if (current?.state === row.state && current.intentMark === row.intentMark) write(current)
    })
    this.#options.changed(row.id)
  }

  async #absent(row: TransferRow, lost: LostUpload, look: ListLook, isEmpty: boolean): Promise<void> {
    const { transfers, ports, habits, ages } = this.#options
    const sinceMs = ages.since(row)
    const witnesses = look.witnesses(lost.mark)
    const evidence: AbsenceEvidence = {
      loss: row.lost ?? 'cut',
      sinceMs,
      witnesses,
      ids: isEmpty ? 'empty' : 'unknown',
      singleWithinMs: this.#lister.singleWithinMs,
      counts: 'unknown',
      lag: look.lag,
      delayMs: habits.delayMs,
    }
    let absence = judgeAbsence(evidence)
    if (absence.kind !== 'proved' && sinceMs >= quietMs(evidence.loss, habits.delayMs))
      absence = judgeAbsence({ ...evidence, counts: await look.counts() })
    if (witnesses.shown > 0 && witnesses.missing === 0) this.#missed.set(row.id, sinceMs)
    if (absence.kind === 'later') {
      return this.#record(row, () => transfers.addCheck(row.id, onGrid(ports.clock.now(), absence.ms)))
    }
    ports.log.info('reconcile.absent', { id: row.id, by: absence.kind === 'proved' ? absence.by : 'time', sinceMs: Math.round(sinceMs) })
    this.#missed.delete(row.id)
    this.#compares.delete(row.id)
    this.#pace.forget(row.id)
    if (absence.kind === 'proved') this.#options.proved()
    const isHeld = absence.kind === 'unproved' && row.unproved >= MOST_UNPROVED
    if (!isHeld) ages.forget(row.id)
    else this.#pace.held()
    await this.#record(row, ({ cancel }) => {
      if (absence.kind === 'unproved') transfers.setUnproved(row.id, row.unproved + 1)
      if (row.lost !== 'partly') this.#openDoubt(row, row.sha256)
      if (cancel) transfers.transition(row.id, { kind: 'cancelled' })
      else if (isHeld)
        transfers.transition(row.id, {
          kind: 'held',
          reason: 'unconfirmed',
          message: `Sent ${row.attempts} times. Each response was lost, and the list of files doesn't show whether an upload arrived.`,
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

  /** Requeues the doubt's row if it is held for lack of proof and this lookup proves that its file didn't arrive. */
  async #release(doubt: OpenDoubt, look: ListLook): Promise<void> {
    const { transfers, habits, ports, ages } = this.#options
    const row = transfers.get(doubt.transferId)
    if (row === null || row.state !== 'held' || row.reason !== 'unconfirmed') return
    const absence = judgeAbsence({
      loss: row.lost ?? 'cut',
      sinceMs: ages.since({ ...row, lostAt: row.lostAt ?? doubt.openedAt }),
      witnesses: look.witnesses(row.intentMark),
      ids: 'unknown',
      singleWithinMs: null,
      counts: await look.counts(),
      lag: look.lag,
      delayMs: habits.delayMs,
    })
    if (absence.kind !== 'proved') return
    ports.log.info('reconcile.released', { id: row.id, by: absence.by })
    await this.#record(row, () => {
      transfers.setUnproved(row.id, 0)
      transfers.transition(row.id, { kind: 'requeued' })
    })
  }

  #openDoubt(row: TransferRow, sha256: string | null): void {
    const { doubts, ports, sentName } = this.#options
    doubts.open(
      {
        transferId: row.id,
        name: sentName(row),
        size: row.size,
        sha256,
        mark: row.intentMark,
        above: row.intentAbove,
        server: row.intentServer,
      },
      ports.clock.now(),
    )
  }

  async #adopt(row: TransferRow, lost: LostUpload, file: Listed, sha256: string): Promise<void> {
    const { ports, db, habits, adopt, proved, ages } = this.#options
    ports.log.info('reconcile.adopted', { id: row.id, fileId: file.fileId })
    // If the file was missing while the list showed later uploads, it was stored late.
    const missedAt = this.#missed.get(row.id)
    if (missedAt !== undefined) habits.learnDelay(missedAt)
    habits.learnName(lost.name, file.filename)
    this.#compares.delete(row.id)
    ages.forget(row.id)
    this.#missed.delete(row.id)
    this.#pace.forget(row.id)
    proved()
    // A file that existed before the request isn't the upload, even if its bytes are the same. The upload itself may still turn up.
    const isOlder = this.#writers.dated(row, lost, file) === 'before'
    if (isOlder && row.lost !== 'partly') await db.soon(() => this.#openDoubt(row, sha256))
    await adopt(row, file, sha256, isOlder)
  }
}
