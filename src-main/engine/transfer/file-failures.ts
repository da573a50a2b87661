// Handles a transfer whose file has changed before all of it was sent, is gone, or can't be read. Such a file doesn't delay other
// transfers: each one waits for its own retry time.
import { assertNever } from '../../../src-shared/assert.ts'
import type { WatchedFolders } from '../discovery/folder/watched-folders.ts'
import type { Files } from '../journal/files.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import { backoffMs } from '../limits/back-off.ts'
import type { DiskFailure, Entry, Ports } from '../ports.ts'
import type { RowWriter } from './row-writer.ts'

/** First delay before a changed file is checked again; doubled each time, up to RESETTLE_MAX_MS. */
const RESETTLE_MS = 300
const RESETTLE_MAX_MS = 10_000
/** While a file keeps changing, a line is logged each time the number of changes in a row passes a multiple of this. */
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
  /** How often in a row a transfer's file was found to have changed. */
  readonly #changes = new Map<number, number>()

  constructor(options: FileFailuresOptions, rows: RowWriter) {
    this.#options = options
    this.#rows = rows
  }

  /**
   * Defers a transfer whose file isn't the queued version, and has it checked again after a delay. Records the current version if `entry`
   * shows it (null: unknown).
   */
  async changed(row: TransferRow, entry: Entry | null): Promise<void> {
    const { ports, transfers } = this.#options
    const tries = (this.#changes.get(row.id) ?? 0) + 1
    this.#changes.set(row.id, tries)
    if (tries > CHANGING_TRIES && tries % CHANGING_TRIES === 1) ports.log.warn('transfer.changing', { id: row.id, tries })
    const wait = Math.min(RESETTLE_MAX_MS, RESETTLE_MS * 2 ** Math.min(10, tries - 1))
    await this.#rows.commit(() => {
      this.#take(row, entry)
      const until = ports.clock.now() + wait
      transfers.transition(row.id, { kind: 'deferred', reason: 'settling', message: 'Still being written.', until })
    })
    this.#rows.changed(row.id)
  }

  /** Holds a transfer because a version of its file may be published that can't be deleted. `entry`: as for `changed`. */
  async published(row: TransferRow, entry: Entry | null, message: string): Promise<void> {
    await this.#rows.commit(() => {
      // The row gets the current version. Otherwise the next scan would find a changed file and queue it, although the user has to decide.
      this.#take(row, entry)
      this.#options.transfers.transition(row.id, { kind: 'held', reason: 'ambiguous', message })
    })
    this.#rows.changed(row.id)
  }

  #take(row: TransferRow, entry: Entry | null): void {
    if (entry === null) return
    const { transfers, folders } = this.#options
    transfers.setVersion(row.id, entry.size, entry.mtime)
    folders.versionChanged(row, entry)
  }

  /** Resets the count of changes to a transfer's file. Call when the transfer is confirmed. */
  confirmed(id: number): void {
    this.#changes.delete(id)
  }

  async unreadable(row: TransferRow, failure: DiskFailure): Promise<void> {
    switch (failure.code) {
      case 'gone':
      case 'not-a-directory':
        return this.#gone(row)
      case 'denied':
        return this.#rows.apply(row, { kind: 'failed', reason: 'unreadable', message: 'No permission to read the file.' })
      case 'loop':
      case 'name-too-long':
        return this.#rows.apply(row, { kind: 'failed', reason: 'not-a-file', message: failure.message })
      case 'busy':
      case 'interrupted':
      case 'io':
        return this.#backOff(row, failure)
      default:
        return assertNever(failure.code, 'disk failure')
    }
  }

  async #gone(row: TransferRow): Promise<void> {
    const { ports, transfers, folders } = this.#options
    if (await folders.isAway(row)) {
      const until = ports.clock.now() + FOLDER_AWAY_MS
      return this.#rows.apply(row, { kind: 'deferred', reason: 'folder-away', message: 'The folder is unavailable.', until })
    }
    await this.#rows.commit(() => {
      const now = transfers.get(row.id)
      // A changed path means that the file was moved rather than deleted, and that the scanner has noticed it in the meantime.
      if (now !== null && now.path !== row.path) transfers.transition(row.id, { kind: 'requeued' })
      else {
        transfers.transition(row.id, { kind: 'vanished' })
        this.#forget(row)
      }
    })
    this.#rows.changed(row.id)
  }

  /** Drops the file's row from the table `files`, so that a file found at this path later is treated as new. */
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
