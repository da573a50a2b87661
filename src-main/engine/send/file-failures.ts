// Handles a transfer whose file changed before it was sent completely, is gone, or can't be read; each
// transfer has its own retry time. `RowWriter` records in the journal what happened to a transfer, and
// retries until that succeeds.
import { assertNever } from '../../../src-shared/assert.ts'
import { backoffMs } from '../budget/upload-retry-delay.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Files } from '../journal/files.ts'
import type { Journal } from '../journal/journal.ts'
import type { Standing } from '../journal/transfer-queue.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { TransferEvent } from '../journal/transitions.ts'
import type { Clock, DiskFailure, Entry, Ports } from '../ports.ts'
import { sleep } from '../sleep.ts'
import type { Bus } from '../tell/bus.ts'

/** First delay before a changed file is checked again; doubled each time, up to RESETTLE_MAX_MS. */
const RESETTLE_MS = 300
const RESETTLE_MAX_MS = 10_000
/**
 * A file that changed while it was sent is resent this many times after only a short delay, because most
 * files are finished by then.
 */
const QUICK_REPEATS = 2
/**
 * First delay once the `QUICK_REPEATS` are used up; doubled each time, up to REPEAT_MAX_MS. The delay is
 * long, because each upload costs a request and counts against the daily upload limit.
 */
const REPEAT_MS = 60_000
const REPEAT_MAX_MS = 3_600_000
/**
 * While a file keeps changing, a line is logged each time the number of changes in a row passes a multiple of
 * this.
 */
const CHANGING_TRIES = 12
const FOLDER_AWAY_MS = 60_000

export interface FileFailuresOptions {
  readonly ports: Pick<Ports, 'clock' | 'random' | 'log'>
  readonly transfers: Transfers
  readonly files: Files
  readonly folders: Pick<WatchedFolders, 'isAway' | 'versionChanged'>
}

export class FileFailures {
  readonly #options: FileFailuresOptions
  readonly #rows: RowWriter
  /** Number of times in a row that a transfer's file was found to have changed. */
  readonly #changes = new Map<number, number>()
  /** Number of times in a row that a transfer's file changed while it was sent. */
  readonly #torn = new Map<number, number>()

  constructor(options: FileFailuresOptions, rows: RowWriter) {
    this.#options = options
    this.#rows = rows
  }

  /**
   * Defers a transfer of which nothing was sent, because its file no longer matches the queued version.
   * `entry`: the file's current version, which is recorded; null if unknown.
   */
  async changed(row: TransferRow, entry: Entry | null): Promise<void> {
    const { ports } = this.#options
    const tries = (this.#changes.get(row.id) ?? 0) + 1
    this.#changes.set(row.id, tries)
    if (tries > CHANGING_TRIES && tries % CHANGING_TRIES === 1)
      ports.log.warn('transfer.changing', { id: row.id, tries })
    await this.#defer(row, entry, 'settling', doubled(RESETTLE_MS, tries, RESETTLE_MAX_MS))
  }

  /**
   * Defers a transfer whose file changed while it was sent, so that it has to be sent again. `entry`: as for
   * `changed`.
   */
  async torn(row: TransferRow, entry: Entry | null): Promise<void> {
    const times = (this.#torn.get(row.id) ?? 0) + 1
    this.#torn.set(row.id, times)
    if (times <= QUICK_REPEATS)
      return this.#defer(row, entry, 'settling', doubled(RESETTLE_MS, times, RESETTLE_MAX_MS))
    return this.#defer(row, entry, 'changing', doubled(REPEAT_MS, times - QUICK_REPEATS, REPEAT_MAX_MS))
  }

  /**
   * Holds a transfer because a published version of its file can't be deleted. `link`: the public link of
   * that version, or null if unknown. `entry`: as for `changed`.
   */
  async published(
    row: TransferRow,
    entry: Entry | null,
    message: string,
    link: string | null,
  ): Promise<void> {
    await this.#rows.commit(() => {
      // The row gets the current version. Otherwise the next scan would find a changed file and queue it,
      // although the user has to decide.
      this.#take(row, entry)
      this.#options.transfers.setLink(row.id, { fileId: null, publicLink: link, filename: null })
      this.#options.transfers.transition(row.id, { kind: 'held', reason: 'ambiguous', message })
    })
    this.#rows.changed(row.id)
  }

  async #defer(
    row: TransferRow,
    entry: Entry | null,
    reason: 'settling' | 'changing',
    ms: number,
  ): Promise<void> {
    const { ports, transfers } = this.#options
    const message =
      reason === 'settling' ? 'Still being written.' : 'The file changed during each of its last uploads.'
    await this.#rows.commit(() => {
      this.#take(row, entry)
      transfers.transition(row.id, { kind: 'deferred', reason, message, until: ports.clock.now() + ms })
    })
    this.#rows.changed(row.id)
  }

  #take(row: TransferRow, entry: Entry | null): void {
    if (entry === null) return
    const { transfers, folders } = this.#options
    transfers.setVersion(row.id, entry.size, entry.mtime)
    folders.versionChanged(row, entry)
  }

  /** Resets the counts of changes to a transfer's file. Call when the transfer is confirmed. */
  confirmed(id: number): void {
    this.#changes.delete(id)
    this.#torn.delete(id)
  }

  /**
   * Fails, defers or ends a transfer whose file can't be read. `isSent`: whether the request had begun when
   * the read failed. If so, the attempt cost a request, and counts even if the drive doesn't answer.
   */
  async unreadable(row: TransferRow, failure: DiskFailure, isSent = false): Promise<void> {
    switch (failure.code) {
      case 'gone':
      case 'not-a-directory':
        return this.#gone(row)
      case 'denied':
        return this.#rows.apply(row, {
          kind: 'failed',
          reason: 'unreadable',
          message: 'No permission to read the file.',
        })
      case 'loop':
        // The disk also reports a loop if the watched folder was replaced by a symbolic link.
        if (await this.#waitsForFolder(row)) return
        return this.#rows.apply(row, { kind: 'failed', reason: 'not-a-file', message: failure.message })
      case 'name-too-long':
        return this.#rows.apply(row, { kind: 'failed', reason: 'not-a-file', message: failure.message })
      case 'silent':
        // A drive that doesn't answer says nothing about the file, so the attempt counts as failed only if it
        // cost a request.
        return isSent ? this.#backOff(row, failure) : this.unanswered(row)
      case 'busy':
      case 'interrupted':
      case 'io':
        return this.#backOff(row, failure)
      default:
        return assertNever(failure.code, 'disk failure')
    }
  }

  /**
   * Defers a transfer without counting an attempt, because a drive doesn't answer. `message` explains which
   * drive; null means the drive of the transfer's file. Changes nothing unless the row is queued or
   * uploading.
   */
  async unanswered(row: TransferRow, message: string | null = null): Promise<void> {
    const until = this.#options.ports.clock.now() + FOLDER_AWAY_MS
    await this.#rows.applyIfActive(row, { kind: 'deferred', reason: 'drive-silent', message, until })
  }

  async #gone(row: TransferRow): Promise<void> {
    const { transfers } = this.#options
    if (await this.#waitsForFolder(row)) return
    await this.#rows.commit(() => {
      const now = transfers.get(row.id)
      // A changed path means that the file was moved rather than deleted, and that the scanner has noticed
      // the move in the meantime.
      if (now !== null && now.path !== row.path) transfers.transition(row.id, { kind: 'requeued' })
      else {
        transfers.transition(row.id, { kind: 'vanished' })
        this.#forget(row)
      }
    })
    this.#rows.changed(row.id)
  }

  /** Defers a transfer whose folder is away. Returns false if the folder is available. */
  async #waitsForFolder(row: TransferRow): Promise<boolean> {
    const { ports, folders } = this.#options
    if (!(await folders.isAway(row))) return false
    const until = ports.clock.now() + FOLDER_AWAY_MS
    await this.#rows.apply(row, {
      kind: 'deferred',
      reason: 'folder-away',
      message: 'The folder is unavailable.',
      until,
    })
    return true
  }

  /**
   * Drops the file's row from the table `files`, so that a file found at this path later is treated as new.
   */
  #forget(row: TransferRow): void {
    const { files } = this.#options
    const file = files.byTransfer(row.id)
    if (file !== null) files.drop(file.folderId, file.dir, file.name)
  }

  async #backOff(row: TransferRow, failure: DiskFailure): Promise<void> {
    const { ports, transfers } = this.#options
    const attempts = row.attempts + 1
    await this.#rows.commit(() => {
      transfers.attempts(row.id, attempts)
      transfers.transition(row.id, {
        kind: 'deferred',
        reason: 'backoff',
        message: `The file can't be read: ${failure.message}`,
        until: ports.clock.now() + backoffMs(attempts, ports.random),
      })
    })
    this.#rows.changed(row.id)
  }
}

/**
 * Milliseconds to wait before try number `tries`, counted from 1: `first` for the first try, doubled for each
 * further one, but at most `most`.
 */
function doubled(first: number, tries: number, most: number): number {
  return Math.min(most, first * 2 ** Math.min(10, tries - 1))
}

// Records in the journal what happened to a transfer, and notifies listeners. A response must not be lost, so
// a failed commit is retried until it succeeds or the engine closes.
const RETRY_MS = 200
const RETRY_MAX_MS = 5000
const ENDED_OR_SENT: ReadonlySet<string> = new Set(['uploading', 'done', 'cancelled', 'gone'])

export interface RowWriterOptions extends Pick<Journal, 'db' | 'transfers' | 'failed'> {
  readonly clock: Clock
  readonly bus: Pick<Bus, 'changed'>
  /** Aborts when the engine closes. */
  readonly stop: AbortSignal
}

export class RowWriter {
  readonly #options: RowWriterOptions

  constructor(options: RowWriterOptions) {
    this.#options = options
  }

  /**
   * Runs `work` in a transaction, and retries with back-off as long as the commit fails, for example on a
   * full disk. If the engine closes, gives up and resolves without a commit. The intent of an upload that was
   * sent remains, so its outcome is looked up after the next start.
   */
  async commit(work: () => void): Promise<void> {
    const { clock, db, failed, stop } = this.#options
    for (let tries = 0; ; tries++) {
      try {
        await db.soon(work)
        return
      } catch (error) {
        failed(error)
        if (stop.aborted) return
        await sleep(clock, Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** tries), stop)
      }
    }
  }

  async apply(row: TransferRow, event: TransferEvent): Promise<void> {
    await this.commit(() => this.#options.transfers.transition(row.id, event))
    this.changed(row.id)
  }

  /** Like `apply`, but changes nothing if the row now has another version or is no longer queued. */
  async applyIfQueued(row: TransferRow, event: TransferEvent): Promise<void> {
    await this.commit(() => {
      if (this.isQueuedFor(row)) this.#options.transfers.transition(row.id, event)
    })
    this.changed(row.id)
  }

  /** Like `apply`, but changes nothing unless the row is queued or uploading. */
  async applyIfActive(row: TransferRow, event: TransferEvent): Promise<void> {
    const { transfers } = this.#options
    await this.commit(() => {
      const state = transfers.get(row.id)?.state
      if (state === 'queued' || state === 'uploading') transfers.transition(row.id, event)
    })
    this.changed(row.id)
  }

  /**
   * Whether the transfer is still queued with the version that `row` shows. Call inside the transaction that
   * relies on it.
   */
  isQueuedFor(row: TransferRow): boolean {
    return this.#sameVersion(row)?.state === 'queued'
  }

  /**
   * Whether the transfer has neither ended nor been sent again, and still has the version that `row` shows.
   */
  isOpenFor(row: TransferRow): boolean {
    const state = this.#sameVersion(row)?.state
    return state !== undefined && !ENDED_OR_SENT.has(state)
  }

  changed(id: number): void {
    this.#options.bus.changed(id)
  }

  #sameVersion(row: TransferRow): Standing | null {
    const now = this.#options.transfers.standing(row.id)
    return now !== null && now.size === row.size && now.mtime === row.mtime ? now : null
  }
}
