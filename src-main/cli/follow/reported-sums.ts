// Computes the sums of a watch from what the command has reported. They are printed if no engine responds at
// the end, because nothing else is known about the folder in that case.
import type { AuditSums, Transfer } from '../../../src-shared/model.ts'
import { isPending } from './tracker.ts'

/** Limits memory use: a watch may run for months, and a path takes about 90 bytes. */
const PATHS_MAX = 100_000

/**
 * The paths reported as uploaded. The oldest of more than 100,000 are only counted; such a file counts twice
 * if it is uploaded again.
 */
export class UploadedPaths {
  readonly #paths = new Set<string>()
  #forgotten = 0

  add(path: string): void {
    this.#paths.delete(path)
    this.#paths.add(path)
    const [oldest] = this.#paths
    if (oldest === undefined || this.#paths.size <= PATHS_MAX) return
    this.#paths.delete(oldest)
    this.#forgotten++
  }

  has(path: string): boolean {
    return this.#paths.has(path)
  }

  /** The number of files, including those whose paths aren't kept. */
  get size(): number {
    return this.#paths.size + this.#forgotten
  }
}

/**
 * `uploaded` contains the paths reported as uploaded, `rest` the latest row of each transfer that isn't done.
 */
export function reportedSums(
  uploaded: Pick<ReadonlySet<string>, 'has' | 'size'>,
  rest: Iterable<Transfer>,
): AuditSums {
  const open = new Map<string, 'waiting' | 'held' | 'failed'>()
  for (const row of rest)
    if (isPending(row)) open.set(row.path, 'waiting')
    else if (row.state === 'held' || row.state === 'failed') open.set(row.path, row.state)
  const count = (state: 'waiting' | 'held' | 'failed'): number =>
    [...open.values()].filter((one) => one === state).length
  let up = uploaded.size
  // A newer version of the file is waiting, held or failed, so don't count the file twice.
  for (const path of open.keys()) if (uploaded.has(path)) up--
  return {
    seen: up + open.size,
    uploaded: up,
    waiting: count('waiting'),
    held: count('held'),
    failed: count('failed'),
    ignored: 0,
  }
}
