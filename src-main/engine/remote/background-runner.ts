// Does the errands that background-jobs.ts decides on, one at a time, and gives way as soon as anything else is to be done. Remembers what they
// have cost, over restarts too. It judges nothing.
import { assertNever } from '../../../src-shared/assert.ts'
import type { Database } from '../journal/open.ts'
import type { Remote } from '../journal/remote.ts'
import type { Clock, Log } from '../ports.ts'
import { type Allowance, type Errand, type ErrandFacts, isSpare, nextErrand, refill } from './background-jobs.ts'
import type { Catalog } from './catalog.ts'
import type { CallResult } from './requests.ts'

const DAY_MS = 86_400_000
/** A start has better things to do first. */
const FIRST_MS = 3000
/** Between two errands, so that a row of them is no burst. */
const BREATH_MS = 1000
/** Half of a minute's budget is used: the next page of a long list waits. */
const PAGE_WAIT_MS = 2000
/** After one that failed. */
const FAILED_MS = 60_000

export interface ErrandRoom {
  /** Begins; asked again, nothing happens. */
  start(): void
  /** Things are other than they were: looks again soon. */
  again(): void
  close(): void
}

export interface ErrandOptions {
  readonly clock: Clock
  readonly log: Log
  readonly db: Database
  readonly remote: Remote
  readonly catalog: Catalog
  readonly signal: AbortSignal
  /** Nothing is paused, queued, on its way or waited for, and the account is good. */
  readonly idle: () => boolean
  readonly budget: () => Pick<ErrandFacts, 'minute' | 'day'>
  readonly statsAt: () => number | null
  readonly refreshStats: () => Promise<unknown>
  /** The service's zone in milliseconds east of UTC, null while not known. */
  readonly zone: () => number | null
}

export function createErrands(options: ErrandOptions): ErrandRoom {
  const { clock, db, remote, catalog } = options
  let cancel: (() => void) | null = null
  let started = false
  let closed = false
  let lookAt: number | null = null
  let allowance: Allowance = remote.facts.get('errands') ?? { at: clock.now(), sample: 1, fill: 1 }

  const since = (): number => clock.now() - DAY_MS + (options.zone() ?? 0)

  const facts = (): ErrandFacts => {
    const base = { now: clock.now(), idle: options.idle(), ...options.budget() }
    const ways = catalog.ways()
    allowance = refill(allowance, base.now, base.day.limit, ways?.pages ?? 1)
    const listAt = catalog.asOf()
    const spare = isSpare(base)
    // Nothing is looked up for a rest.
    const recent = spare ? remote.recent(since()) : { files: 0, unopened: 0 }
    return {
      ...base,
      statsAt: options.statsAt(),
      listAt,
      ways,
      lookAt: lookAt === null || listAt === null ? (lookAt ?? listAt) : Math.max(lookAt, listAt),
      recent: recent.files,
      unopened: recent.unopened,
      lookFor: recent.unopened === 0 ? null : remote.lookFor(since()),
      incomplete: spare ? remote.incomplete() : null,
      allowance,
    }
  }

  const spend = (kind: 'sample' | 'fill'): void => {
    allowance = { ...allowance, [kind]: allowance[kind] - 1 }
    db.soon(() => remote.facts.set('errands', allowance)).catch((error: unknown) =>
      options.log.error('errands.write', { message: String(error) }),
    )
  }

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        stop()
        options.signal.removeEventListener('abort', end)
        resolve()
      }
      const stop = clock.after(ms, end)
      options.signal.addEventListener('abort', end, { once: true })
    })

  /** Room for one more page: waits while the minute is half used, false as soon as there is something better to do. */
  const mayGoOn = async (isUrgent: () => boolean): Promise<boolean> => {
    for (;;) {
      if (isUrgent()) return true
      if (closed || options.signal.aborted || !options.idle()) return false
      if (isSpare({ idle: true, ...options.budget() })) return true
      await sleep(PAGE_WAIT_MS)
    }
  }

  const run = async (errand: Exclude<Errand, { kind: 'rest' }>): Promise<CallResult<unknown>> => {
    switch (errand.kind) {
      case 'stats':
        await options.refreshStats()
        return { ok: true, value: null }
      case 'list':
        // The first whole list is not held against the day's share.
        return catalog.refresh('background', options.signal, {
          mayGoOn,
          onRequest: catalog.asOf() === null ? () => undefined : () => spend('sample'),
        })
      case 'newest': {
        lookAt = clock.now()
        return catalog.newest(since(), options.signal, { mayGoOn, onRequest: () => spend('sample') })
      }
      case 'look':
        lookAt = clock.now()
        spend('sample')
        return catalog.file(errand.fileId, 'background', options.signal, 0)
      case 'fill':
        spend('fill')
        return catalog.file(errand.fileId, 'background', options.signal, 0)
      default:
        return assertNever(errand, 'errand')
    }
  }

  const schedule = (ms: number): void => {
    cancel?.()
    if (!closed) cancel = clock.after(ms, () => void round())
  }

  const round = async (): Promise<void> => {
    cancel = null
    if (closed) return
    const errand = nextErrand(facts())
    if (errand.kind === 'rest') {
      schedule(Math.max(1, errand.until - clock.now()))
      return
    }
    let good = false
    try {
      const got = await run(errand)
      good = got.ok || got.failure.kind === 'aborted'
      options.log.info('errand', { kind: errand.kind, ok: got.ok })
    } catch (error) {
      options.log.error('errand.defect', {
        kind: errand.kind,
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    }
    schedule(good ? BREATH_MS : FAILED_MS)
  }

  return {
    start: () => {
      if (started) return
      started = true
      schedule(FIRST_MS)
    },
    again: () => {
      // While one is under way, its end looks anyway.
      if (cancel !== null) schedule(FIRST_MS)
    },
    close: () => {
      closed = true
      cancel?.()
    },
  }
}
