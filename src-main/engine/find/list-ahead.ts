// Lists a scan's directories ahead of their comparison, in queue order, so that the disk thread reads while this thread compares. Listing
// is faster than comparing, so the memory for waiting listings is limited.

import { absolute } from '../disk/rel-path.ts'
import type { Disk, Listing } from '../ports.ts'
import { bytesOf, failedListing } from './entries.ts'
import type { Directory, ListedDirectory, ScanRun } from './scan-run.ts'

/** Minimum number of directories per request, if that many are queued: enough to keep the disk thread busy while this thread compares. */
const DIRS_PER_REQUEST = 24
/** Maximum number of directories per request. */
const DIRS_PER_REQUEST_MAX = 480
/** If directories are small, a request covers more of them, so that it yields about this many entries. */
const ENTRIES_PER_REQUEST = 4000
/** Maximum number of requests in flight: while one response is on its way, the disk thread works on the next request. */
const REQUESTS_MAX = 2
/**
 * No request is added once the listings that wait to be compared take this much memory, which is enough for 900,000 entries of 55 bytes
 * each.
 */
const AHEAD_BYTES_MAX = 48 * 1024 * 1024

export class ListAhead {
  readonly #disk: Disk
  readonly #now: () => number
  readonly #root: string
  readonly #run: ScanRun
  readonly #requested: Promise<readonly ListedDirectory[]>[] = []
  #inFlight = 0
  #bytes = 0
  #dirsPerRequest = DIRS_PER_REQUEST

  /** `now` returns epoch milliseconds. `root`: absolute path of the folder. */
  constructor(options: { readonly disk: Disk; readonly now: () => number; readonly root: string; readonly run: ScanRun }) {
    this.#disk = options.disk
    this.#now = options.now
    this.#root = options.root
    this.#run = options.run
  }

  /** Resolves to the next directories of the queue, with their listings. Resolves to `done` if none are left. */
  async next(): Promise<readonly ListedDirectory[] | 'done' | 'aborted'> {
    const { signal } = this.#run
    this.#fill()
    const answer = this.#requested.shift()
    if (answer === undefined) return signal.aborted ? 'aborted' : 'done'
    const parts = await answer
    this.#bytes -= sizeOf(parts)
    return signal.aborted ? 'aborted' : parts
  }

  #fill(): void {
    const { queue, signal } = this.#run
    while (this.#inFlight < REQUESTS_MAX && this.#bytes < AHEAD_BYTES_MAX && queue.length > 0 && !signal.aborted) {
      this.#inFlight++
      const answer = this.#request(queue.splice(0, this.#dirsPerRequest))
      this.#requested.push(answer)
      answer.then(
        (parts) => this.#arrived(parts),
        () => this.#arrived([]),
      )
    }
  }

  #arrived(parts: readonly ListedDirectory[]): void {
    this.#inFlight--
    this.#bytes += sizeOf(parts)
    this.#dirsPerRequest = dirsPerRequest(parts)
    this.#fill()
  }

  async #request(items: readonly Directory[]): Promise<readonly ListedDirectory[]> {
    const seenAt = this.#now()
    const lists = await this.#disk.list(items.map((item) => absolute(this.#root, item.dir, '')))
    const readAt = this.#now()
    return items.map((item, i) => ({ item, list: lists[i] ?? unanswered(item.dir), seenAt, readAt }))
  }
}

function sizeOf(parts: readonly ListedDirectory[]): number {
  let bytes = 0
  for (const { list } of parts) bytes += bytesOf(list)
  return bytes
}

/** Number of directories to request next, based on the average number of entries in the last ones. */
function dirsPerRequest(parts: readonly ListedDirectory[]): number {
  let entries = 0
  for (const { list } of parts) entries += list.kinds.length
  const few = Math.floor((ENTRIES_PER_REQUEST * parts.length) / Math.max(1, entries))
  return Math.max(DIRS_PER_REQUEST, Math.min(few, DIRS_PER_REQUEST_MAX))
}

/** Returns a failed listing for a directory that got no response, so that it isn't mistaken for an empty directory. */
function unanswered(dir: string): Listing {
  return failedListing(dir, { code: 'interrupted', message: 'the disk gave no answer' })
}
