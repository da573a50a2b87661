// Runs the background jobs that background-jobs.ts selects, one at a time, while there is nothing else to do.
// Stores the remaining allowance of requests, so that it survives a restart.

import { assertNever } from '../../../src-shared/assert.ts'
import type { AccountState } from '../budget/account-state.ts'
import type { Budget } from '../budget/budget.ts'
import type { IdentityKeeper } from '../budget/current-key.ts'
import type { UploadLimits } from '../budget/upload-limits.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock, Log } from '../ports.ts'
import { sleep } from '../sleep.ts'
import {
  type Allowance,
  type BackgroundJob,
  isSpare,
  type JobFacts,
  nextJob,
  refill,
} from './background-jobs.ts'
import type { Catalog } from './remote-files.ts'
import type { CallResult } from './requests.ts'
import type { StatsRefresh } from './stats-refresh.ts'

const DAY_MS = 86_400_000
/**
 * Delay before the first job, and after a call to `again`, so that jobs don't compete with start-up or new
 * work.
 */
const FIRST_MS = 3000
/** Delay between two jobs, so that they don't come in a burst. */
const PAUSE_MS = 1000
/** Interval at which a paused read of the list checks whether the request budget has room again. */
const PAGE_WAIT_MS = 2000
/** Delay after a job that failed. */
const FAILED_MS = 60_000

export interface BackgroundRunner {
  /** Starts running jobs; further calls do nothing. */
  start(): void
  /** Checks soon whether a job is due. Call after a change that may make one due. */
  again(): void
  close(): void
}

export interface BackgroundRunnerOptions {
  readonly clock: Clock
  readonly log: Log
  readonly journal: Pick<Journal, 'db' | 'remote'>
  readonly catalog: Catalog
  readonly budget: Pick<Budget, 'view'>
  readonly account: Pick<AccountState, 'stats'>
  readonly limits: Pick<UploadLimits, 'zone'>
  readonly identity: Pick<IdentityKeeper, 'on'>
  readonly stats: Pick<StatsRefresh, 'refresh'>
  readonly stop: AbortSignal
  /** Whether the account works and nothing is paused, queued, in flight or waiting. */
  readonly idle: () => boolean
}

type Work = Exclude<BackgroundJob, { kind: 'rest' }>

export function createBackgroundRunner(options: BackgroundRunnerOptions): BackgroundRunner {
  return new JobRunner(options)
}

class JobRunner implements BackgroundRunner {
  readonly #options: BackgroundRunnerOptions
  /** Cancels the timer of the next round; null while a job runs, and before the start. */
  #cancel: (() => void) | null = null
  #isStarted = false
  #isClosed = false
  #lookAt: number | null = null
  #statsFailedAt: number | null = null
  #listFailed: JobFacts['listFailed'] = null
  #allowance: Allowance

  constructor(options: BackgroundRunnerOptions) {
    this.#options = options
    options.identity.on('switched', () => this.again())
    this.#allowance = options.journal.remote.facts.get('errands') ?? {
      at: options.clock.now(),
      sample: 1,
      fill: 1,
    }
  }

  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#schedule(FIRST_MS)
  }

  again(): void {
    this.#statsFailedAt = null
    this.#listFailed = null
    // While a job runs, nothing is scheduled; the next round follows when it ends.
    if (this.#cancel !== null) this.#schedule(FIRST_MS)
  }

  close(): void {
    this.#isClosed = true
    this.#cancel?.()
  }

  #schedule(ms: number): void {
    this.#cancel?.()
    if (!this.#isClosed) this.#cancel = this.#options.clock.after(ms, () => void this.#round())
  }

  async #round(): Promise<void> {
    const { clock, log } = this.#options
    this.#cancel = null
    if (this.#isClosed) return
    let job: BackgroundJob | null = null
    let isDone = false
    try {
      job = nextJob(this.#facts())
      if (job.kind === 'rest') {
        this.#schedule(Math.max(1, job.until - clock.now()))
        return
      }
      const got = await this.#run(job)
      isDone = got.ok || got.failure?.kind === 'aborted'
      log.info('background.job', { kind: job.kind, ok: got.ok })
    } catch (error) {
      log.error('background.defect', {
        kind: job?.kind ?? null,
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    }
    this.#schedule(isDone ? PAUSE_MS : FAILED_MS)
  }

  async #run(job: Work): Promise<CallResult<unknown> | { readonly ok: false; readonly failure: null }> {
    const { catalog, clock, stats, stop: signal } = this.#options
    const mayGoOn = (isUrgent: () => boolean): Promise<boolean> => this.#mayGoOn(isUrgent)
    switch (job.kind) {
      case 'stats': {
        const isRead = (await stats.refresh('spare', 0)) === null
        this.#statsFailedAt = isRead ? null : clock.now()
        return isRead ? { ok: true, value: null } : { ok: false, failure: null }
      }
      case 'list': {
        // The first read of the whole list doesn't use up the allowance.
        const isFirst = catalog.asOf() === null
        const got = await catalog.refresh('spare', signal, {
          mayGoOn,
          onRequest: () => (isFirst ? undefined : this.#spend('sample')),
        })
        if (got.ok) this.#listFailed = null
        else if (got.failure.kind === 'api')
          this.#listFailed = { at: clock.now(), times: (this.#listFailed?.times ?? 0) + 1 }
        return got
      }
      case 'newest':
        this.#lookAt = clock.now()
        return catalog.newest(this.#dayAgo(), signal, { mayGoOn, onRequest: () => this.#spend('sample') })
      case 'look':
        this.#lookAt = clock.now()
        this.#spend('sample')
        return catalog.file(job.fileId, 'spare', signal, 0)
      case 'fill':
        this.#spend('fill')
        return catalog.file(job.fileId, 'spare', signal, 0)
      default:
        return assertNever(job, 'job')
    }
  }

  #facts(): JobFacts {
    const { catalog, clock, journal, account } = this.#options
    const { remote } = journal
    const base = { now: clock.now(), idle: this.#options.idle(), ...this.#room() }
    const ways = catalog.ways()
    this.#allowance = refill(this.#allowance, base.now, base.day.limit, ways?.pages ?? 1)
    const listAt = catalog.asOf()
    const spare = isSpare(base)
    // These queries are only needed if a job may run.
    const recent = spare ? remote.recent(this.#dayAgo()) : { files: 0, unopened: 0 }
    return {
      ...base,
      statsAt: account.stats()?.at ?? null,
      statsFailedAt: this.#statsFailedAt,
      listAt,
      listFailed: this.#listFailed,
      ways,
      lookAt:
        this.#lookAt === null || listAt === null ? (this.#lookAt ?? listAt) : Math.max(this.#lookAt, listAt),
      recent: recent.files,
      unopened: recent.unopened,
      lookFor: recent.unopened === 0 ? null : remote.lookFor(this.#dayAgo()),
      incomplete: spare ? remote.incomplete() : null,
      allowance: this.#allowance,
    }
  }

  #room(): Pick<JobFacts, 'minute' | 'day'> {
    const { minute, day } = this.#options.budget.view()
    return {
      minute: { limit: minute.limit ?? 1, used: minute.used },
      day: { limit: day.limit ?? 1, used: day.used },
    }
  }

  /** The time a day ago, in epoch milliseconds plus the service's UTC offset. */
  #dayAgo(): number {
    return this.#options.clock.now() - DAY_MS + (this.#options.limits.zone() ?? 0)
  }

  #spend(kind: 'sample' | 'fill'): void {
    const { log, journal } = this.#options
    const { db, remote } = journal
    this.#allowance = { ...this.#allowance, [kind]: this.#allowance[kind] - 1 }
    db.soon(() => remote.facts.set('errands', this.#allowance)).catch((error: unknown) =>
      log.error('background.write', { message: String(error) }),
    )
  }

  /**
   * Waits until the request budget has room for background requests, or until the walk becomes urgent.
   * Resolves to false if there is other work or the engine is closing.
   */
  async #mayGoOn(isUrgent: () => boolean): Promise<boolean> {
    for (;;) {
      if (isUrgent()) return true
      if (this.#isClosed || this.#options.stop.aborted || !this.#options.idle()) return false
      if (isSpare({ idle: true, ...this.#room() })) return true
      await sleep(this.#options.clock, PAGE_WAIT_MS, this.#options.stop)
    }
  }
}
