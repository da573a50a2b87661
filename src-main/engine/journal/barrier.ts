// The journal's durability barrier. With WAL and synchronous=NORMAL, a commit survives a killed process but
// not a power cut, since nothing is synced until the next checkpoint. Whatever must be on disk first (an
// intent before its request, a receipt before it is reported) waits here. Syncs run outside the engine's
// thread, and each covers all commits before it. After a failed sync, `rewrite` runs on the engine's thread
// and blocks it.

import type { Clock } from '../ports.ts'

/** Syncs a file that is written by other code. */
export interface FileSync {
  /**
   * Resolves once everything written to `file` before the call, and its directory entry, is on disk. Resolves
   * immediately if there is no such file. Rejects with the system's error (such as EIO or ENOSPC).
   */
  sync(file: string): Promise<void>
  close(): void
}

export interface Barrier {
  /** Records a commit that isn't on disk yet. Call after each committed transaction. */
  committed(): void
  /**
   * Returns null if everything committed is on disk. Otherwise resolves to true once it is, or to false once
   * `stop` is called.
   */
  durable(): Promise<boolean> | null
  /** Like `durable`, but resolves to false as soon as a sync fails, for callers that must answer soon. */
  attempt(): Promise<boolean> | null
  /**
   * Resolves all waiting calls to false. Later calls also resolve to false, unless everything committed is on
   * disk.
   */
  stop(): void
}

export interface BarrierOptions {
  readonly sync: () => Promise<void>
  /**
   * Writes the WAL's content to disk again after a failed sync, by a checkpoint. Syncing again isn't enough,
   * because the system may no longer consider the unwritten pages dirty, and would skip them. Blocks the
   * calling thread. Throws if the checkpoint fails too, or is incomplete.
   */
  readonly rewrite: () => void
  readonly clock: Pick<Clock, 'after'>
  /** Called with an error when the disk can't be written to, and with null once it can be again. */
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
  /**
   * Number of failures since the last success. Outlives `run`, which ends after a failure if no patient
   * caller waits.
   */
  let failures = 0

  const release = (which: (waiter: Waiter) => boolean, isDurable: boolean): void => {
    const now = waiters.filter(which)
    waiters = waiters.filter((waiter) => !which(waiter))
    for (const waiter of now) waiter.resolve(isDurable)
  }

  const sleep = (ms: number): Promise<void> => new Promise((resolve) => options.clock.after(ms, resolve))

  const run = async (): Promise<void> => {
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
