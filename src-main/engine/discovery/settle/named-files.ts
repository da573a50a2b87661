// Observes files that the user named, and that may not be finished, as those of a watched folder are. Meanwhile their transfers wait.
import type { Database } from '../../journal/open.ts'
import type { Transfers } from '../../journal/transfers.ts'
import type { Entry, Ports } from '../../ports.ts'
import { createSettle, type Settle } from './settle.ts'
import { firstSeen, quietUntil, WRITER_PATIENCE_MS } from './settle-rules.ts'

/**
 * A transfer waits no longer than this for its file. In particular, it is the wait after a restart, when the file is no longer observed. A
 * file that still changes then is noticed when it is sent.
 */
const WAIT_MAX_MS = 2 * WRITER_PATIENCE_MS

/** Milliseconds. A file that changed less than this ago is probably being written to right now. */
const WRITING_MS = 200

export interface NamedFilesOptions {
  readonly ports: Pick<Ports, 'clock' | 'disk' | 'log'>
  readonly db: Pick<Database, 'tx'>
  readonly transfers: Pick<Transfers, 'get' | 'transition'>
  /** Called after transfers have been queued. */
  readonly queued: (transferIds: readonly number[]) => void
  readonly stop: AbortSignal
}

export class NamedFiles {
  readonly #options: NamedFilesOptions
  readonly #settle: Settle
  /** The transfers that wait, by path. */
  readonly #waiting = new Map<string, number>()

  constructor(options: NamedFilesOptions) {
    this.#options = options
    const { clock, disk, log } = options.ports
    this.#settle = createSettle({
      clock,
      disk,
      onSettled: (files) => this.#finished(files.map(({ path }) => path)),
      onFailed: (error) => log.error('settle.failed', { message: error instanceof Error ? error.message : String(error) }),
      // Sending it reports that it is gone.
      onGone: (path) => {
        try {
          this.#finished([path])
        } catch (error) {
          // The transfer is woken at the end of its wait.
          log.error('settle.failed', { message: error instanceof Error ? error.message : String(error) })
        }
      },
      debug: log.debug?.('settle') ?? null,
    })
    options.stop.addEventListener('abort', () => this.#settle.close(), { once: true })
  }

  /**
   * Which of these files may not be finished: they changed shortly before and another program has them open for writing or, where the
   * system can't report that, they changed a moment ago.
   */
  async unfinished(files: readonly { readonly path: string; readonly entry: Entry }[]): Promise<ReadonlySet<string>> {
    const { clock, disk } = this.#options.ports
    const now = clock.now()
    const mono = clock.mono()
    if (!disk.knowsWriters) {
      const changing = files.filter(({ entry }) => quietUntil(firstSeen(entry, mono, now, false)) > mono)
      return new Set(changing.map(({ path }) => path))
    }
    // Not those that changed a moment ago: on Windows, asking could make a program's next write fail.
    const recent = files.filter(({ entry }) => now - entry.mtime < WRITER_PATIENCE_MS && now - entry.mtime >= WRITING_MS)
    // One request for all, because it searches all processes.
    return (await disk.openForWriting(recent.map(({ path }) => path))) ?? new Set()
  }

  /** Makes a new transfer wait until its file is finished. Call inside a transaction. */
  hold(transferId: number, path: string, entry: Entry): void {
    const { ports, transfers } = this.#options
    const until = ports.clock.now() + WAIT_MAX_MS
    transfers.transition(transferId, { kind: 'deferred', reason: 'settling', message: 'Still being written.', until })
    this.#waiting.set(path, transferId)
    this.#settle.watch(path, entry)
  }

  #finished(paths: readonly string[]): void {
    const { db, transfers, queued } = this.#options
    const ids = paths.flatMap((path) => this.#waiting.get(path) ?? [])
    const isWaiting = (id: number): boolean => {
      const row = transfers.get(id)
      return row?.state === 'waiting' && row.reason === 'settling'
    }
    const due = ids.filter(isWaiting)
    db.tx(() => {
      for (const id of due) transfers.transition(id, { kind: 'woken' })
    })
    for (const path of paths) this.#waiting.delete(path)
    queued(due)
  }
}
