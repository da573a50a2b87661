// Swaps a folder or a file with a link, as fast as the disk renames. Runs in a thread of its own until that is terminated.
import { renameSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

export interface Swap {
  /** What is swapped. */
  readonly path: string
  /** A link beside it, which takes its place. */
  readonly link: string
  /** Where it is meanwhile. */
  readonly aside: string
}

const { path, link, aside } = workerData as Swap
for (;;) {
  renameSync(path, aside)
  renameSync(link, path)
  renameSync(path, link)
  renameSync(aside, path)
}
