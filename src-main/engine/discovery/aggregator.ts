// Folds a watcher's hints into little work: forty events of one save become one path, a burst in a directory becomes one listing, a lost
// event becomes a rescan. Bounded however many hints come; it looks at no disk.
import type { Clock } from '../ports.ts'
import { hasAncestor, split } from './rel-path.ts'

/** Long enough for the events of one save to come together, short enough that a moved-in file is on its way in 60 ms. */
const COLLECT_MS = 15
/** More single paths than this in one directory: listing it is cheaper. */
const PATHS_A_DIR = 64
const PATHS_MOST = 512
const DIRS_MOST = 512

export interface Work {
  /** Relative paths to stat. */
  readonly paths: readonly string[]
  /** Directories to list, without what is below. */
  readonly dirs: readonly string[]
  /** Directories to read whole. */
  readonly trees: readonly string[]
  /** The whole folder must be read again. */
  readonly all: boolean
}

export type AggregatorHint = { readonly kind: 'path' | 'tree'; readonly rel: string } | { readonly kind: 'all' }

export interface Aggregator {
  add(hint: AggregatorHint): void
  close(): void
}

/** The least work that covers all hints. Pure. */
export function fold(paths: ReadonlySet<string>, trees: ReadonlySet<string>, all: boolean): Work {
  const whole: Work = { paths: [], dirs: [], trees: [], all: true }
  if (all || trees.has('')) return whole
  const tops = [...trees].filter((tree) => !hasAncestor(tree, trees))
  if (tops.length > DIRS_MOST) return whole
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
    if (list.length > PATHS_A_DIR || single.length + list.length > PATHS_MOST) dirs.push(dir)
    else single.push(...list)
  }
  return dirs.length > DIRS_MOST ? whole : { paths: single, dirs, trees: tops, all: false }
}

/** Hints kept at most; beyond them everything is read again. */
const HINTS_MOST = 30_000

export function createAggregator(options: { readonly clock: Clock; readonly onWork: (work: Work) => Promise<void> }): Aggregator {
  const paths = new Set<string>()
  const trees = new Set<string>()
  let all = false
  let cancel: (() => void) | null = null
  let busy = false
  let closed = false

  const run = async (): Promise<void> => {
    cancel = null
    if (busy || closed) return
    busy = true
    const work = fold(paths, trees, all)
    paths.clear()
    trees.clear()
    all = false
    await options.onWork(work).finally(() => {
      busy = false
    })
    if (paths.size > 0 || trees.size > 0 || all) schedule()
  }

  const schedule = (): void => {
    if (closed || busy || cancel !== null) return
    cancel = options.clock.after(COLLECT_MS, () => void run())
  }

  return {
    add: (hint) => {
      if (closed) return
      if (hint.kind === 'all') all = true
      else if (hint.kind === 'tree') trees.add(hint.rel)
      else paths.add(hint.rel)
      if (paths.size + trees.size > HINTS_MOST) {
        paths.clear()
        trees.clear()
        all = true
      }
      schedule()
    },
    close: () => {
      closed = true
      cancel?.()
    },
  }
}
