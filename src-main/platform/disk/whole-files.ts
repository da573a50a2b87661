// Opens small files in the disk thread, which reads, hashes and closes them in one request. Starting each of
// these steps from the engine's thread would cost more than the read itself. Requests that arrive while the
// disk thread is busy are sent to it as a batch.
import type { OpenFile } from '../../engine/ports.ts'
import type { ReadFile } from './disk-worker.ts'

/**
 * Maximum number of files in a batch. A batch is answered as a whole, so a larger one would delay its first
 * file.
 */
const MOST_AT_ONCE = 8
/**
 * How long the thread may take for a batch. A dead network drive can block the thread forever, and files on
 * other disks must not wait. After this time, all files are opened on Node's thread pool until the thread
 * answers again.
 */
const PATIENCE_MS = 2000
/**
 * How long files continue to bypass the disk thread once it has answered again. Without this delay, a drive
 * that is merely slow would stall every batch, and its files would be read twice.
 */
const DIRECT_MS = 60_000

/**
 * Resolves to the files in the order of the paths. An entry is null or missing if its file can't be opened
 * this way.
 */
type ReadWhole = (paths: readonly string[], upTo: number) => Promise<readonly (ReadFile | null)[]>

interface Waiting {
  readonly path: string
  readonly upTo: number
  readonly resolve: (file: ReadFile | null) => void
}

export class WholeFiles {
  readonly #read: ReadWhole
  readonly #patienceMs: number
  #waiting: Waiting[] = []
  #isBusy = false
  readonly #directMs: number
  /** Whether the thread has already taken too long for the current batch. */
  #isStalled = false
  /** The time until which files are opened directly, in milliseconds of `performance.now()`. */
  #directUntil = 0

  constructor(read: ReadWhole, patienceMs = PATIENCE_MS, directMs = DIRECT_MS) {
    this.#read = read
    this.#patienceMs = patienceMs
    this.#directMs = directMs
  }

  /**
   * Opens a small file in the disk thread. Resolves to null if that isn't possible. The caller then opens the
   * file directly and learns the reason.
   */
  async open(path: string, upTo: number): Promise<OpenFile | null> {
    if (this.#isStalled || performance.now() < this.#directUntil) return null
    const file = await new Promise<ReadFile | null>((resolve) => {
      this.#waiting.push({ path, upTo, resolve })
      if (!this.#isBusy) void this.#work()
    })
    return file === null ? null : asOpenFile(file)
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    // Yield once, so that requests made in the same turn join the first batch.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE)
      const stalled = setTimeout(() => this.#giveUp(batch), this.#patienceMs)
      const files = await this.#read(
        batch.map((one) => one.path),
        Math.max(...batch.map((one) => one.upTo)),
      )
      clearTimeout(stalled)
      if (this.#isStalled) this.#directUntil = performance.now() + this.#directMs
      this.#isStalled = false
      for (const [i, one] of batch.entries()) one.resolve(files[i] ?? null)
    }
    this.#isBusy = false
  }

  /**
   * Resolves all waiting requests to null, so that their files are opened directly. The thread's late answer
   * has no effect.
   */
  #giveUp(batch: readonly Waiting[]): void {
    this.#isStalled = true
    for (const one of [...batch, ...this.#waiting]) one.resolve(null)
    this.#waiting = []
  }
}

function asOpenFile(file: ReadFile): OpenFile {
  const { first, above, data, after } = file
  return {
    first,
    above,
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
