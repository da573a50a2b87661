// Lists a scan's directories ahead of their comparison, in queue order, so that the disk thread reads while this one compares. Bounded, since
// listing is faster than comparing.

import { absolute } from '../disk/rel-path.ts'
import type { Disk, Listing } from '../ports.ts'
import type { Directory, ListedDirectory, ScanRun } from './scan-run.ts'

/** Directories in one request: enough to keep the disk's thread busy, few enough that one answer is compared in a moment. */
const DIRS_PER_REQUEST = 24
/** Requests in flight: while one answer is on its way, the disk's thread works on the next. */
const REQUESTS_MAX = 2
/** Entries that may be listed and not compared yet; about 100 bytes each. */
const ENTRIES_AHEAD_MAX = 131_072

export class ListAhead {
  readonly #disk: Disk
  readonly #now: () => number
  readonly #root: string
  readonly #run: ScanRun
  readonly #requested: Promise<readonly ListedDirectory[]>[] = []
  #inFlight = 0
  #entries = 0

  /** `now`: epoch milliseconds. `root`: the folder, absolute. */
  constructor(options: { readonly disk: Disk; readonly now: () => number; readonly root: string; readonly run: ScanRun }) {
    this.#disk = options.disk
    this.#now = options.now
    this.#root = options.root
    this.#run = options.run
  }

  /** The next directories of the queue, as they were listed. */
  async next(): Promise<readonly ListedDirectory[] | 'done' | 'aborted'> {
    const { signal } = this.#run
    this.#fill()
    const answer = this.#requested.shift()
    if (answer === undefined) return signal.aborted ? 'aborted' : 'done'
    const parts = await answer
    this.#entries -= countOf(parts)
    return signal.aborted ? 'aborted' : parts
  }

  #fill(): void {
    const { queue, signal } = this.#run
    while (this.#inFlight < REQUESTS_MAX && this.#entries < ENTRIES_AHEAD_MAX && queue.length > 0 && !signal.aborted) {
      this.#inFlight++
      const answer = this.#request(queue.splice(0, DIRS_PER_REQUEST))
      this.#requested.push(answer)
      answer.then(
        (parts) => this.#arrived(parts),
        () => this.#arrived([]),
      )
    }
  }

  #arrived(parts: readonly ListedDirectory[]): void {
    this.#inFlight--
    this.#entries += countOf(parts)
    this.#fill()
  }

  async #request(items: readonly Directory[]): Promise<readonly ListedDirectory[]> {
    const seenAt = this.#now()
    const lists = await this.#disk.list(items.map((item) => absolute(this.#root, item.dir, '')))
    return items.map((item, i) => ({ item, list: lists[i] ?? unanswered(item.dir), seenAt }))
  }
}

function countOf(parts: readonly ListedDirectory[]): number {
  let count = 0
  for (const { list } of parts) count += list.names.length
  return count
}

/** A listing that never came: no answer is not an empty directory. */
function unanswered(dir: string): Listing {
  return { dir, failure: { code: 'interrupted', message: 'the disk gave no answer' }, names: [], kinds: '', stats: new Float64Array(0) }
}
