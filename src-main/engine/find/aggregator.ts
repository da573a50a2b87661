// Coalesces a watcher's hints into as little work as possible. For example, the many events of one save
// become one path, a burst in a directory becomes one listing, and lost events become a rescan. Memory and
// work are bounded, however many hints arrive. Doesn't access the disk.

import { hasAncestor, split } from '../disk/rel-path.ts'
import type { Clock, DebugLog } from '../ports.ts'

/**
 * Time to collect hints: long enough for the events of one save to arrive together, short enough that a file
 * moved into the folder is uploaded within about 60 ms.
 */
const COLLECT_MS = 15
/** Beyond this many single paths in one directory, listing the directory is cheaper. */
const PATHS_PER_DIR_MAX = 64
const PATHS_MAX = 512
const DIRS_MAX = 512
/** Maximum number of pending hints. If more arrive, all are replaced by a scan of the whole folder. */
const HINTS_MAX = 30_000

export interface Work {
  /** Relative paths to stat. */
  readonly paths: readonly string[]
  /** Directories to list, not recursively. */
  readonly dirs: readonly string[]
  /** Directories to scan recursively. */
  readonly trees: readonly string[]
  /** If true, the whole folder must be scanned again, and the lists above are empty. */
  readonly all: boolean
}

export type AggregatorHint =
  | { readonly kind: 'path' | 'tree'; readonly rel: string }
  | { readonly kind: 'all' }

export interface Aggregator {
  add(hint: AggregatorHint): void
  close(): void
}

export interface AggregatorOptions {
  readonly clock: Clock
  /** Called with the merged work. Hints that arrive before the promise settles wait for the next round. */
  readonly onWork: (work: Work) => Promise<void>
  readonly debug: DebugLog | null
}

export function createAggregator(options: AggregatorOptions): Aggregator {
  return new HintAggregator(options)
}

/**
 * Merges hints into work that covers all of them: many paths in one directory become a listing, and too many
 * directories become a full scan. Pure.
 */
export function fold(paths: ReadonlySet<string>, trees: ReadonlySet<string>, all: boolean): Work {
  const whole: Work = { paths: [], dirs: [], trees: [], all: true }
  if (all || trees.has('')) return whole
  const tops = [...trees].filter((tree) => !hasAncestor(tree, trees))
  if (tops.length > DIRS_MAX) return whole
  const topSet = new Set(tops)
  const byDir = new Map<string, string[]>()
  for (const path of paths) {
    if (topSet.has(path) || hasAncestor(path, topSet)) continue
    const { dir } = split(path)
    const list = byDir.get(dir)
    if (list === undefined) byDir.set(dir, [path])
    else list.push(path)
  }
  const dirs: string[] = []
  const single: string[] = []
  for (const [dir, list] of byDir) {
    if (list.length > PATHS_PER_DIR_MAX || single.length + list.length > PATHS_MAX) dirs.push(dir)
    else single.push(...list)
  }
  return dirs.length > DIRS_MAX ? whole : { paths: single, dirs, trees: tops, all: false }
}

class HintAggregator implements Aggregator {
  readonly #options: AggregatorOptions
  readonly #paths = new Set<string>()
  readonly #trees = new Set<string>()
  #all = false
  #cancelTimer: (() => void) | null = null
  #isBusy = false
  #isClosed = false

  constructor(options: AggregatorOptions) {
    this.#options = options
  }

  add(hint: AggregatorHint): void {
    if (this.#isClosed) return
    if (hint.kind === 'all') this.#all = true
    else if (hint.kind === 'tree') this.#trees.add(hint.rel)
    else this.#paths.add(hint.rel)
    if (this.#paths.size + this.#trees.size > HINTS_MAX) {
      this.#clear()
      this.#all = true
    }
    this.#schedule()
  }

  close(): void {
    this.#isClosed = true
    this.#cancelTimer?.()
  }

  #schedule(): void {
    if (this.#isClosed || this.#isBusy || this.#cancelTimer !== null) return
    this.#cancelTimer = this.#options.clock.after(COLLECT_MS, () => void this.#run())
  }

  async #run(): Promise<void> {
    this.#cancelTimer = null
    if (this.#isBusy || this.#isClosed) return
    this.#isBusy = true
    const work = fold(this.#paths, this.#trees, this.#all)
    this.#options.debug?.('aggregator.work', {
      hintedPaths: this.#paths.size,
      hintedTrees: this.#trees.size,
      hintedAll: this.#all,
      paths: work.paths.length,
      dirs: work.dirs.length,
      trees: work.trees.length,
      all: work.all,
    })
    this.#clear()
    await this.#options.onWork(work).finally(() => {
      this.#isBusy = false
    })
    if (this.#paths.size > 0 || this.#trees.size > 0 || this.#all) this.#schedule()
  }

  #clear(): void {
    this.#paths.clear()
    this.#trees.clear()
    this.#all = false
  }
}
