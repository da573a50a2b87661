// Handlers for the engine as a whole and its account: snapshot, presence of the user, start of work, settings, history, key, plan figures
// and forecast.
import type { Handlers } from '../../../src-shared/contract.ts'
import type { StatsView } from '../../../src-shared/model.ts'
import { unitBytes } from '../budget/size-unit.ts'
import type { Services } from '../core.ts'
import { expand } from '../find/uploads.ts'
import { readHistory } from '../remote/history.ts'
import { failed, ok, refuse } from './answers.ts'
import { PlanParts, planOf } from './plan.ts'

/** How long the check of a new key may wait for the rate limit: longer than a window of one minute, in case that window is full. */
const PROOF_WAIT_MS = 65_000

type Answered = 'snapshot' | 'presence' | 'work' | 'configure' | 'history' | 'reloadKey' | 'stats' | 'plan' | 'planPart'

export function createAccountHandlers(services: Services): Pick<Handlers, Answered> {
  const {
    ports,
    db,
    remote,
    budget,
    account,
    identity,
    stats,
    limits,
    admission,
    folders,
    scheduler,
    throttle,
    backgroundJobs,
    ids,
    snapshots,
  } = services

  const planParts = new PlanParts()

  const statsView = (): StatsView => {
    const read = account.stats()
    const { minute, day } = budget.view()
    const { totalFiles, totalSize } = limits.quota()
    return {
      plan: read?.stats.plan ?? null,
      totalFiles,
      totalSize,
      stats: { ...read?.stats.stats },
      limits: { ...read?.stats.limits },
      maxFileSize: limits.maxFileSizeView(),
      minute,
      day,
      dailyUploads: limits.daily(),
    }
  }

  return {
    snapshot: async () => ok(snapshots.snapshot()),
    presence: async ({ person }) => {
      budget.setPersonPresent(person)
      return ok({})
    },
    work: async () => {
      scheduler.startWorking()
      folders.attend()
      backgroundJobs.start()
      return ok(snapshots.snapshot())
    },
    configure: async ({ concurrency, bytesPerSecond }) => {
      scheduler.setConcurrency(concurrency)
      throttle.setRate(bytesPerSecond)
      return ok({})
    },
    history: async () => {
      const unit = limits.unit()
      const bytes = unit === null ? null : unitBytes[unit]
      return ok(readHistory({ db, ids, remote, now: ports.clock.now(), paceOffset: budget.offset(), unitBytes: bytes }))
    },
    reloadKey: async () => {
      const failure = await identity.load()
      if (failure === null) await stats.refresh('person', PROOF_WAIT_MS)
      // A missing key isn't an error here: there is nothing to check, and the snapshot shows that there is no key.
      else if (failure.code !== 'no-key') return failed(failure)
      return ok(snapshots.snapshot())
    },
    stats: async () => {
      const unread = await stats.refreshForPerson()
      if (unread === null) return ok(statsView())
      const { failure, hasEarlier } = unread
      return hasEarlier ? ok({ ...statsView(), stale: { at: account.stats()?.at ?? null, failure } }) : failed(failure)
    },
    planPart: async ({ token, paths }) => {
      planParts.add(token, paths)
      return ok({})
    },
    plan: async ({ paths, ignore = null, parts }) => {
      const earlier = parts === undefined ? [] : planParts.take(parts.token, parts.count)
      if (earlier === null) return refuse('usage', 'Some paths of this plan are missing.', 'Send all of them again.')
      const failure = await stats.ensureKnown()
      if (failure !== null) return failed(failure)
      const named = await expand(ports.disk, admission, [...earlier, ...paths], { ignore }, services.stop)
      if (named.length > 0 && named.every((item) => item.reason === 'missing')) return refuse('not-found', 'None of these paths exists.')
      return ok(await planOf(named, services))
    },
  }
}
