// Combines the stat calls of concurrent uploads: paths that are requested while a request is under way go
// into the next one. A separate request to the disk thread for each of many small files would cost more than
// the stat itself.
import type { Clock, Disk, Entry } from '../ports.ts'

/**
 * Maximum wait for an answer, because a dead network drive can block the disk thread forever. After this
 * time, calls resolve to null at once until the thread answers again.
 */
const PATIENCE_MS = 2000

interface Waiting {
  readonly path: string
  readonly resolve: (entry: Entry | null) => void
}

export class StatTogether {
  readonly #disk: Pick<Disk, 'stat'>
  readonly #clock: Pick<Clock, 'after'>
  #waiting: Waiting[] = []
  #isBusy = false
  #isStalled = false

  constructor(disk: Pick<Disk, 'stat'>, clock: Pick<Clock, 'after'>) {
    this.#disk = disk
    this.#clock = clock
  }

  /** Resolves to null if nothing exists at the path, or if the disk fails or doesn't answer in time. */
  async stat(path: string): Promise<Entry | null> {
    if (this.#isStalled) return null
    return new Promise((resolve) => {
      this.#waiting.push({ path, resolve })
      if (!this.#isBusy) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      const cancel = this.#clock.after(PATIENCE_MS, () => this.#giveUp(batch))
      const stats = await this.#disk.stat(batch.map((one) => one.path))
      cancel()
      this.#isStalled = false
      for (const [i, one] of batch.entries()) {
        const stat = stats[i]
        one.resolve(stat == null || 'code' in stat ? null : stat)
      }
    }
    this.#isBusy = false
  }

  #giveUp(batch: readonly Waiting[]): void {
    this.#isStalled = true
    for (const one of [...batch, ...this.#waiting]) one.resolve(null)
    this.#waiting = []
  }
}
