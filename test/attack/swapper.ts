// Swaps a folder or a file with something else, as fast as the disk renames. Runs in a thread of its own
// until that is terminated.
import { renameSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

export interface Swap {
  /** What is swapped. */
  readonly path: string
  /** What takes its place, on the same disk. */
  readonly other: string
  /** Where it is meanwhile. */
  readonly aside: string
}

const { path, other, aside } = workerData as Swap
for (;;) {
  renameSync(path, aside)
  renameSync(other, path)
  renameSync(path, other)
  renameSync(aside, path)
}
