// Opens small files in the disk's thread, which reads, hashes and closes them in one go: on the engine's thread each of these calls would cost more than
// the reading. Requests that arrive while the thread is busy go to it together.
import type { OpenFile } from '../../engine/ports.ts'
import type { ReadFile } from './disk-worker.ts'

/** A batch is answered as a whole, so that a longer one would delay its first file. */
const MOST_AT_ONCE = 8

/** Files in the order of the paths; null or missing: it can't be opened this way. */
type ReadWhole = (paths: readonly string[], upTo: number) => Promise<readonly (ReadFile | null)[]>

interface Waiting {
  readonly path: string
  readonly upTo: number
  readonly resolve: (file: ReadFile | null) => void
}

export class WholeFiles {
  readonly #read: ReadWhole
  #waiting: Waiting[] = []
  #isBusy = false

  constructor(read: ReadWhole) {
    this.#read = read
  }

  /** null: the caller has to open it itself, and learns why. */
  async open(path: string, upTo: number): Promise<OpenFile | null> {
    const file = await new Promise<ReadFile | null>((resolve) => {
      this.#waiting.push({ path, upTo, resolve })
      if (!this.#isBusy) void this.#work()
    })
    return file === null ? null : asOpenFile(file)
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    // Others of the same turn come along.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE)
      const files = await this.#read(
        batch.map((one) => one.path),
        Math.max(...batch.map((one) => one.upTo)),
      )
      for (const [i, one] of batch.entries()) one.resolve(files[i] ?? null)
    }
    this.#isBusy = false
  }
}

function asOpenFile(file: ReadFile): OpenFile {
  const { first, data, after } = file
  return {
    first,
    whole: file,
    stat: () => Promise.resolve(after),
    read: (into, position) => {
      const part = data.subarray(position, position + into.length)
      into.set(part)
      return Promise.resolve(part.length)
    },
    close: () => Promise.resolve(),
  }
}
