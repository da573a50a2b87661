// Decides whether the cached list is reread before a query is answered from it. A window that keeps asking
// for a list that can't be read starts at most one attempt every half minute.
import type { Failure } from '../../../src-shared/engine-contract.ts'
import type { IdentityKeeper } from '../budget/current-key.ts'
import { wrongAddressIfNotFound } from '../budget/failure-words.ts'
import type { Clock, Log } from '../ports.ts'
import { sleep } from '../sleep.ts'
import type { Catalog } from './remote-files.ts'

const RETRY_MS = 30_000
/**
 * While a query waits for the first read of the list, it checks at this interval whether part of the list can
 * be shown, and if so returns that part.
 */
const PARTLY_MS = 10_000

export interface CatalogFreshnessOptions {
  readonly clock: Clock
  readonly log: Log
  readonly catalog: Pick<Catalog, 'asOf' | 'refresh' | 'progress'>
  readonly identity: Pick<IdentityKeeper, 'explain' | 'tenure'>
  readonly stop: AbortSignal
}

/** A read of the list: when (in monotonic milliseconds), and for which account. */
interface Read {
  readonly at: number
  readonly tenure: AbortSignal
}

export class CatalogFreshness {
  readonly #options: CatalogFreshnessOptions
  /** The last read that was started for a window; null if there was none. */
  #wanted: Read | null = null
  /** The last read, if it failed. */
  #failed: Read | null = null

  constructor(options: CatalogFreshnessOptions) {
    this.#options = options
  }

  /**
   * With `need`, rereads the list and returns the failure if that fails. With `cache`, reads the list only if
   * it was never read and no read has just failed, and always returns null. A first read is awaited only
   * until part of the list can be shown. With `cache` and `isAttended` (the app runs this engine), it isn't
   * awaited at all, because the window is notified when it ends.
   */
  async ensure(fresh: 'cache' | 'need', isAttended: boolean): Promise<Failure | null> {
    const { clock, log, catalog, identity, stop } = this.#options
    const tenure = identity.tenure()
    const isRecent = (read: Read | null): boolean =>
      read?.tenure === tenure && clock.mono() - read.at <= RETRY_MS
    const isUnread = catalog.asOf() === null
    if (fresh === 'cache' && isUnread && isRecent(this.#failed)) return null
    if (fresh === 'cache' && isUnread && isAttended) {
      if (isRecent(this.#wanted)) return null
      this.#wanted = { at: clock.mono(), tenure }
      catalog
        .refresh('person', stop)
        .catch((error: unknown) => log.error('catalog.defect', { message: String(error) }))
      return null
    }
    if (fresh !== 'need' && !isUnread) return null
    const reading = catalog.refresh('person', stop)
    const got = isUnread ? await this.#partlyOr(reading) : await reading
    this.#failed = got === 'partly' || got.ok ? null : { at: clock.mono(), tenure }
    return got === 'partly' || got.ok || fresh !== 'need'
      ? null
      : wrongAddressIfNotFound(identity.explain(got.failure))
  }

  /**
   * Waits for the first read to end. Resolves to `partly` if part of the list can be shown at the end of a
   * PARTLY_MS interval, or on shutdown.
   */
  async #partlyOr<T>(reading: Promise<T>): Promise<T | 'partly'> {
    const { clock, catalog, stop } = this.#options
    const ended = new AbortController()
    const signal = AbortSignal.any([stop, ended.signal])
    const partly = async (): Promise<'partly'> => {
      do await sleep(clock, PARTLY_MS, signal)
      while (catalog.progress() === null && !signal.aborted)
      return 'partly'
    }
    try {
      return await Promise.race([reading, partly()])
    } finally {
      ended.abort()
    }
  }
}
