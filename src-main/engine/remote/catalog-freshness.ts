// Whether the cached list is read again before a question is answered from it. A window that asks again and again for a list that can't be
// read costs one request in half a minute.
import type { Failure } from '../../../src-shared/contract.ts'
import type { CallFailure } from '../account/failures.ts'
import type { Clock, Log } from '../ports.ts'
import type { Catalog } from './catalog.ts'

const RETRY_MS = 30_000

export interface CatalogFreshnessOptions {
  readonly clock: Clock
  readonly log: Log
  readonly catalog: Pick<Catalog, 'asOf' | 'refresh'>
  readonly callFailure: (failure: CallFailure) => Failure
  readonly stop: AbortSignal
}

export class CatalogFreshness {
  readonly #options: CatalogFreshnessOptions
  #wantedAt = Number.NEGATIVE_INFINITY

  constructor(options: CatalogFreshnessOptions) {
    this.#options = options
  }

  /** `need`: the list as it is now, or a failure. `cache`: what is known; `isAttended`: a window hears of the rest later. */
  async ensure(fresh: 'cache' | 'need', isAttended: boolean): Promise<Failure | null> {
    const { clock, log, catalog, callFailure, stop } = this.#options
    const isUnread = catalog.asOf() === null
    if (fresh === 'cache' && isUnread && isAttended) {
      if (clock.mono() - this.#wantedAt <= RETRY_MS) return null
      this.#wantedAt = clock.mono()
      catalog.refresh('person', stop).catch((error: unknown) => log.error('catalog.defect', { message: String(error) }))
      return null
    }
    if (fresh !== 'need' && !isUnread) return null
    const got = await catalog.refresh('person', stop)
    return got.ok || fresh !== 'need' ? null : callFailure(got.failure)
  }
}
