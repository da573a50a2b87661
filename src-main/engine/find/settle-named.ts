// Observes files that the user named for upload but that a program may still be writing to. Their transfers
// wait until the files are finished, as in a watched folder.
import type { Database } from '../journal/database.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { Entry, Ports } from '../ports.ts'
import type { Bus } from '../tell/bus.ts'
import {
  createSettle,
  firstSeen,
  quietUntil,
  type Settle,
  WRITER_PATIENCE_MS,
  withControls,
} from './settle.ts'

/**
 * Maximum time that a transfer waits for its file to be finished. After a restart, the file is no longer
 * observed, so the transfer waits for the full time. If the file is still changing when it is sent, the
 * upload detects that.
 */
const WAIT_MAX_MS = 2 * WRITER_PATIENCE_MS

/** A file that changed less than this many milliseconds ago is probably being written to right now. */
const WRITING_MS = 200

interface NamedFile {
  readonly path: string
  readonly entry: Entry
}

export interface NamedFilesOptions {
  readonly ports: Pick<Ports, 'clock' | 'disk' | 'log'>
  readonly db: Pick<Database, 'tx'>
  readonly transfers: Pick<Transfers, 'get' | 'transition'>
  readonly bus: Pick<Bus, 'changed' | 'wake'>
  readonly stop: AbortSignal
}

export class NamedFiles {
  readonly #options: NamedFilesOptions
  readonly #settle: Settle
  /** IDs of the waiting transfers, by path. */
  readonly #waiting = new Map<string, number>()

  constructor(options: NamedFilesOptions) {
    this.#options = options
    const { clock, disk, log } = options.ports
    this.#settle = createSettle({
      clock,
      disk,
      isObsolete: (path) => this.#isObsolete(path),
      onSettled: (files) => this.#finished(files.map(({ path }) => path)),
      onFailed: (error) =>
        log.error('settle.failed', { message: error instanceof Error ? error.message : String(error) }),
      // The transfer is queued, and the attempt to send it reports that its file is gone.
      onGone: (path) => {
        try {
          this.#finished([path])
        } catch (error) {
          // Nothing is lost: the transfer is queued anyway once WAIT_MAX_MS has passed.
          log.error('settle.failed', { message: error instanceof Error ? error.message : String(error) })
        }
      },
      debug: log.debug?.('settle') ?? null,
    })
    options.stop.addEventListener('abort', () => this.#settle.close(), { once: true })
  }

  /**
   * Returns the paths of files that may be unfinished because of a recent change. A file that changed less
   * than WRITER_PATIENCE_MS ago counts if another program has it open for writing. If the system can't report
   * all writers, a file also counts until its quiet time has passed. If querying the writers could disturb
   * them, a file that changed less than WRITING_MS ago counts without a query. A modification time in the
   * future counts as recent. A file next to which a download's control file lies counts, however old it is.
   */
  async unfinished(files: readonly NamedFile[]): Promise<ReadonlySet<string>> {
    const { clock, disk } = this.#options.ports
    const now = clock.now()
    const mono = clock.mono()
    const changing = files.filter(
      ({ entry }) => quietUntil(firstSeen(entry, mono, now, { knowsWriters: false })) > mono,
    )
    const unseen = disk.knowsWriters ? await this.#withHiddenWriters(changing) : changing
    const recent = files.filter(({ entry }) => now - entry.mtime < WRITER_PATIENCE_MS)
    const isTooSoon = (entry: Entry): boolean =>
      disk.disturbsWriters === true && now - entry.mtime < WRITING_MS
    const untouched = recent.filter(({ entry }) => isTooSoon(entry)).map(({ path }) => path)
    const asked = recent.filter(({ entry }) => !isTooSoon(entry)).map(({ path }) => path)
    // One request covers all files, because each request searches all processes. If it isn't answered
    // although the system can normally report all writers, all files count as open for writing.
    const written = (await disk.openForWriting(asked)) ?? (disk.knowsWriters ? asked : [])
    const downloads = await withControls(
      disk,
      files.map(({ path }) => path),
    )
    return new Set([...unseen.map(({ path }) => path), ...untouched, ...written, ...downloads])
  }

  async #withHiddenWriters(files: readonly NamedFile[]): Promise<readonly NamedFile[]> {
    if (files.length === 0) return []
    const stats = await this.#options.ports.disk.stat(files.map(({ path }) => path))
    return files.filter((_, i) => {
      const stat = stats[i]
      return stat != null && 'hasHiddenWriters' in stat
    })
  }

  /** Defers a transfer until its file is no longer being written. Call inside a transaction. */
  hold(transferId: number, path: string, entry: Entry): void {
    const { ports, transfers } = this.#options
    const until = ports.clock.now() + WAIT_MAX_MS
    transfers.transition(transferId, {
      kind: 'deferred',
      reason: 'settling',
      message: 'Still being written.',
      until,
    })
    this.#waiting.set(path, transferId)
    this.#settle.watch(path, entry)
  }

  /**
   * Whether the transfer no longer waits for this file, for example because it was cancelled. If so, forgets
   * the file.
   */
  #isObsolete(path: string): boolean {
    const { ports, transfers } = this.#options
    try {
      const id = this.#waiting.get(path)
      if (id !== undefined && isSettling(transfers.get(id))) return false
    } catch (error) {
      ports.log.error('settle.failed', { message: error instanceof Error ? error.message : String(error) })
      return false
    }
    this.#waiting.delete(path)
    return true
  }

  #finished(paths: readonly string[]): void {
    const { db, transfers, bus } = this.#options
    const ids = paths.flatMap((path) => this.#waiting.get(path) ?? [])
    const due = ids.filter((id) => isSettling(transfers.get(id)))
    db.tx(() => {
      for (const id of due) transfers.transition(id, { kind: 'woken' })
    })
    for (const path of paths) this.#waiting.delete(path)
    for (const id of due) bus.changed(id)
    bus.wake('queue')
  }
}

function isSettling(row: TransferRow | null): boolean {
  return row?.state === 'waiting' && row.reason === 'settling'
}
