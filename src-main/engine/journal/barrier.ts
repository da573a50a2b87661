// The durability barrier of the journal. With WAL and synchronous=NORMAL a commit survives a kill of the process but not a power cut, since
// nothing is synced until the next checkpoint. What must be on disk first (an intent before its request, a receipt before it is reported)
// waits here. One sync outside the engine's thread covers every commit before it, so the thread never blocks on the disk.

/** Syncs a file that another part of the program writes. */
export interface FileSync {
  /**
   * Resolves once everything written to `file` before the call, and its directory entry, is on disk. A missing file needs no sync. Rejects
   * with the system's error (EIO, ENOSPC).
   */
  sync(file: string): Promise<void>
  close(): void
}

export interface Barrier {
  /** A transaction was committed. */
  committed(): void
  /** null: everything committed is on disk. Otherwise resolves to true once it is, or to false because the engine closes. */
  durable(): Promise<boolean> | null
  /** Like `durable`, but false as soon as a sync fails, for callers that would rather answer than wait. */
  attempt(): Promise<boolean> | null
  /** Ends all waiting calls with false. */
  stop(): void
}

export interface BarrierOptions {
  readonly sync: () => Promise<void>
  /**
   * After a failed sync. The system may have marked the pages it failed to write as clean, and the next sync would pass over them, so the
   * content has to be written again: by a checkpoint. Throws where that fails too.
   */
  readonly rewrite: () => void
  readonly after: (ms: number, call: () => void) => void
  /** The disk can't be written to, or (null) can be again. */
  readonly onTrouble: (error: Error | null) => void
}

const RETRY_MS = 200
const RETRY_MOST_MS = 5000

interface Waiter {
  readonly upTo: number
  readonly isPatient: boolean
  readonly resolve: (isDurable: boolean) => void
}

export function createBarrier(options: BarrierOptions): Barrier {
  let committed = 0
  let synced = 0
  let waiters: Waiter[] = []
  let running = false
  let stopped = false

  const release = (which: (waiter: Waiter) => boolean, isDurable: boolean): void => {
    const now = waiters.filter(which)
    waiters = waiters.filter((waiter) => !which(waiter))
    for (const waiter of now) waiter.resolve(isDurable)
  }

  const sleep = (ms: number): Promise<void> => new Promise((resolve) => options.after(ms, resolve))

  const run = async (): Promise<void> => {
    let failures = 0
    while (waiters.length > 0 && !stopped) {
      const upTo = committed
      try {
        if (failures === 0) await options.sync()
        else options.rewrite()
      } catch (error) {
        failures++
        options.onTrouble(error instanceof Error ? error : new Error(String(error)))
        release((waiter) => !waiter.isPatient, false)
        await sleep(Math.min(RETRY_MOST_MS, RETRY_MS * 2 ** Math.min(10, failures - 1)))
        continue
      }
      if (failures > 0) options.onTrouble(null)
      failures = 0
      synced = Math.max(synced, upTo)
      release((waiter) => waiter.upTo <= upTo, true)
    }
    running = false
  }

  const wait = (isPatient: boolean): Promise<boolean> | null => {
    if (synced >= committed) return null
    if (stopped) return Promise.resolve(false)
    const upTo = committed
    const done = new Promise<boolean>((resolve) => waiters.push({ upTo, isPatient, resolve }))
    if (!running) {
      running = true
      void run()
    }
    return done
  }

  return {
    committed: () => {
      committed++
    },
    durable: () => wait(true),
    attempt: () => wait(false),
    stop: () => {
      stopped = true
      release(() => true, false)
    },
  }
}
