// Shuts the engine down: nothing new starts, uploads in progress get a grace period and are then aborted, and the journal is closed last.
// Every wait for a disk or for uploads has a time limit, because a network drive or the service may never answer.

import type { WatchedFolders } from '../find/watched-folders.ts'
import type { Clock } from '../ports.ts'
import type { BackgroundRunner } from '../remote/background-runner.ts'
import type { Bus } from '../tell/bus.ts'
import type { Journal } from './journal.ts'
import type { Service } from './service.ts'
import type { Uploads } from './uploads.ts'

/** Time limit, during shutdown, for each of three waits: for the watched folders, for the journal's disk, and for other aborted work. */
const LAST_REQUESTS_MS = 2000
/**
 * Maximum time for aborted uploads to settle. Longer than LAST_REQUESTS_MS, because an upload that waits for the journal's disk doesn't
 * settle until that wait is given up.
 */
const LAST_UPLOADS_MS = 2 * LAST_REQUESTS_MS

/** Calls `call` every `ms` milliseconds until the returned function is called. */
export function every(clock: Clock, ms: number, call: () => void): () => void {
  let isEnded = false
  let cancel: () => void = () => undefined
  const again = (): void => {
    cancel = clock.after(ms, () => {
      call()
      if (!isEnded) again()
    })
  }
  again()
  return () => {
    isEnded = true
    cancel()
  }
}

export interface ClosingParts {
  readonly clock: Clock
  readonly journal: Journal
  readonly bus: Bus
  readonly service: Service
  readonly folders: WatchedFolders
  readonly uploads: Uploads
  readonly background: BackgroundRunner
  /** Aborts every request. */
  readonly stop: AbortController
}

/** Shuts the engine down. Uploads in progress get `graceMs` milliseconds to finish. Resolves once the journal is closed. */
export async function closeInOrder(parts: ClosingParts, graceMs: number): Promise<void> {
  const { clock, journal, bus, service, folders, uploads, background, stop } = parts
  const { scheduler, compare } = uploads
  scheduler.close()
  folders.stop()
  background.close()
  journal.disk.close()
  // It is safe to continue while a scan is stuck in a listing: the scan has been aborted, so it writes nothing when the listing ends.
  await atMost(clock, LAST_REQUESTS_MS, [folders.closeAll()])
  if (scheduler.activeCount() > 0 && graceMs > 0) await atMost(clock, graceMs, scheduler.uploads())
  stop.abort()
  // A failing disk must not block shutdown. An upload whose result couldn't be saved is looked up at the next start.
  const cancelGiveUp = clock.after(LAST_REQUESTS_MS, () => journal.db.giveUpWaiting())
  await atMost(clock, LAST_UPLOADS_MS, scheduler.uploads())
  await journal.db.attemptDurable()
  cancelGiveUp()
  bus.close()
  await service.identity.closeApi()
  await atMost(clock, LAST_REQUESTS_MS, [...scheduler.rounds(), compare.settled()])
  service.budget.tick()
  service.identity.forgetKey()
  journal.db.close()
}

/** Resolves once all of `work` has settled, or after `ms`. */
async function atMost(clock: Clock, ms: number, work: readonly Promise<void>[]): Promise<void> {
  let cancel: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve)
  })
  await Promise.race([over, Promise.allSettled(work)])
  cancel()
}
