// Selects files whose bytes may already have a link while the plan's limits hold back uploads. Such a file
// needs no upload, so the limits don't apply to it. Each version is checked once.
import type { Gate } from '../../../src-shared/model.ts'
import type { WatchedFolders } from '../find/watched-folders.ts'
import type { TransferRow, Transfers } from '../journal/transfers.ts'
import type { FileOpens } from '../send/file-opens.ts'
import type { Propagator } from '../send/propagator.ts'
import type { Bus } from '../tell/bus.ts'

const PAGE_ROWS = 64
/** Older rows are checked once these have been, or when they are sent. */
const MAX_PAGES = 20
const MAX_CHECKED = 5000
/** Limits of the plan that a file without an upload doesn't use up. */
const LIMITS: ReadonlySet<string> = new Set<Gate['reason']>(['daily-uploads', 'storage-full'])

export interface KnownFirstOptions {
  readonly transfers: Pick<Transfers, 'due' | 'hasDoneSize'>
  readonly folders: Pick<WatchedFolders, 'ids'>
  readonly opens: Pick<FileOpens, 'answering'>
  readonly bus: Pick<Bus, 'changed'>
  readonly propagator: Pick<Propagator, 'reuse'>
}

export class KnownFirst {
  readonly #options: KnownFirstOptions
  readonly #checked = new Set<string>()

  constructor(options: KnownFirstOptions) {
    this.#options = options
  }

  /** The next file to check while `gate` holds back uploads; null if there is none. */
  next(gate: Pick<Gate, 'reason'>): TransferRow | null {
    if (!LIMITS.has(gate.reason)) return null
    const { transfers, folders, opens } = this.#options
    let after: { readonly priority: number; readonly id: number } | null = null
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const page: readonly TransferRow[] = transfers.due(PAGE_ROWS, after, opens.answering(folders.ids()))
      const found = page.find((row) => this.#isUnchecked(row))
      if (found !== undefined) return found
      const last = page.at(-1)
      if (last === undefined) return null
      after = { priority: last.priority, id: last.id }
    }
    return null
  }

  /** Whether a queued file is still to be checked. */
  isPending(row: TransferRow, gate: Pick<Gate, 'reason'> | null): boolean {
    return gate !== null && LIMITS.has(gate.reason) && row.state === 'queued' && this.#isUnchecked(row)
  }

  /** Gives the file the link of its bytes. If they have none, it waits for the limit. Never rejects. */
  async check(row: TransferRow, signal: AbortSignal): Promise<void> {
    await this.#options.propagator.reuse(row, signal)
    if (this.#checked.size >= MAX_CHECKED) this.#checked.clear()
    this.#checked.add(versionOf(row))
    this.#options.bus.changed(row.id)
  }

  #isUnchecked(row: TransferRow): boolean {
    return !row.again && this.#options.transfers.hasDoneSize(row.size) && !this.#checked.has(versionOf(row))
  }
}

function versionOf({ id, size, mtime }: TransferRow): string {
  return `${id} ${size} ${mtime}`
}
