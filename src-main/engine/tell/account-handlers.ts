// Handlers for the engine as a whole and its account: snapshot, presence of the user, start of work,
// settings, history, key and plan figures; and the plan of an upload, which predicts what would happen to
// each file and when, without sending or writing.

import { setImmediate as yieldNow } from 'node:timers/promises'
import type { Handlers } from '../../../src-shared/engine-contract.ts'
import type { PlanForecast, StatsView } from '../../../src-shared/model.ts'
import { forecast } from '../budget/forecast.ts'
import { unitBytes } from '../budget/size-unit.ts'
import { expand, liveVersion, type Named, verdictOnNames } from '../find/register-named.ts'
import { DiskError } from '../ports.ts'
import { readHistory } from '../remote/stats-refresh.ts'
import { isLater } from '../rules/guard.ts'
import { StatTogether, UploadSource } from '../send/upload-source.ts'
import { failed, ok, refuse } from './answers.ts'
import { PARTS_MISSING, type PathParts } from './path-parts.ts'
import type { Services } from './snapshot.ts'
import { isLive } from './views.ts'

/**
 * How long the check of a new key may wait for the rate limit: longer than a window of one minute, in case
 * that window is full.
 */
const PROOF_WAIT_MS = 65_000

/** Number of files examined concurrently. */
const AT_ONCE = 8
const YIELD_EVERY = 200

type Answered =
  | 'snapshot'
  | 'presence'
  | 'work'
  | 'configure'
  | 'history'
  | 'reloadKey'
  | 'stats'
  | 'plan'
  | 'planPart'

export function createAccountHandlers(services: Services, pathParts: PathParts): Pick<Handlers, Answered> {
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
      return ok(
        readHistory({
          db,
          ids,
          remote,
          now: ports.clock.now(),
          paceOffset: budget.offset(),
          unitBytes: bytes,
        }),
      )
    },
    reloadKey: async () => {
      const failure = await identity.load()
      if (failure === null) await stats.refresh('person', PROOF_WAIT_MS)
      // A missing key isn't an error here: there is nothing to check, and the snapshot shows that there is no
      // key.
      else if (failure.code !== 'no-key') return failed(failure)
      return ok(snapshots.snapshot())
    },
    stats: async () => {
      const unread = await stats.refreshForPerson()
      if (unread === null) return ok(statsView())
      const { failure, hasEarlier } = unread
      return hasEarlier
        ? ok({ ...statsView(), stale: { at: account.stats()?.at ?? null, failure } })
        : failed(failure)
    },
    planPart: async ({ token, paths }) => {
      pathParts.add(token, paths)
      return ok({})
    },
    plan: async ({ paths, ignore = null, limits: only = null, parts, quick, pasted = false }) => {
      const all = pathParts.take(paths, parts)
      if (all === null) return PARTS_MISSING
      const failure = await stats.ensureKnown()
      if (failure !== null) return failed(failure)
      const named = await expand(ports.disk, admission, all, { ignore, limits: only, pasted }, services.stop)
      if (named.length > 0 && named.every((item) => item.reason === 'missing'))
        return refuse('not-found', 'None of these paths exists.')
      return ok(await planOf(named, services, quick === true))
    },
  }
}

// Predicts what an upload would do with each file, by making the same decisions, and when the upload would
// finish. Reads files, but sends and writes nothing.

type Uses = Pick<
  Services,
  'ports' | 'compare' | 'transfers' | 'claims' | 'remote' | 'budget' | 'limits' | 'guard' | 'stop'
>

type Fate = 'already' | 'compared' | 'held' | 'send' | 'failed' | 'ignored'

async function planOf(all: readonly Named[], services: Uses, isQuick: boolean): Promise<PlanForecast> {
  const { budget, limits } = services
  const named = eachOnce(all)
  const counts = { already: 0, compared: 0, held: 0, send: 0, failed: 0, ignored: 0 }
  const sizes: number[] = []
  /**
   * Number of files to send that are already queued at the user's request. They are part of this upload, so
   * they aren't ahead of it.
   */
  let queued = 0
  for (let i = 0; i < named.length; i += AT_ONCE) {
    services.stop.throwIfAborted()
    // Files whose result is known aren't opened, so thousands of them in a row would block the engine's
    // thread.
    if (i % YIELD_EVERY === 0) await yieldNow()
    await Promise.all(
      named.slice(i, i + AT_ONCE).map(async (item) => {
        if (item.outcome === 'ignored') counts.ignored++
        else if (item.outcome === 'failed' || item.entry === null) counts.failed++
        else {
          const fate = await fateOf(services, item, item.entry, isQuick)
          counts[fate]++
          if (fate !== 'send') return
          sizes.push(item.entry.size)
          const newest = services.transfers.newestOfPath(item.path)
          if (newest?.state === 'queued' && newest.priority > 0) queued++
        }
      }),
    )
  }
  const { minute, day } = budget.view()
  const daily = limits.daily()
  const free = (w: { readonly limit: number | null; readonly used: number }): number =>
    (w.limit ?? 0) - w.used
  const result = forecast({
    sizes,
    ahead: Math.max(0, services.transfers.namedCount() - queued),
    now: services.ports.clock.now(),
    minute: { limit: minute.limit ?? 1, free: free(minute) },
    day: { limit: day.limit ?? 1, free: free(day), releases: budget.dayReleases(), nextAt: day.nextAt },
    daily: limits.dailyBudget(),
    quota: limits.quota(),
    unit: limits.unit(),
    evidence: limits.evidence(),
  })
  const words = {
    'rate-minute': `${minute.limit ?? 0} requests a minute`,
    'rate-day': `${day.limit ?? 0} requests a day`,
    'daily-uploads': daily.limit === null ? 'uploads a day' : `${daily.limit} uploads a day`,
  }
  return {
    files: counts.send + counts.already + counts.compared + counts.held,
    bytes: result.bytes,
    already: counts.already,
    compared: counts.compared,
    now: result.nowCount,
    atOnce: result.atOnce,
    nowUntil: result.nowUntil,
    later: result.laterCount,
    tooBig: result.heldTooBig,
    held: counts.held,
    ignored: counts.ignored,
    failed: counts.failed,
    doneAt: result.doneAt,
    steps: [...result.steps],
    limitedBy: result.limitedBy === null ? null : words[result.limitedBy],
  }
}

/**
 * Leaves out repeated paths, because an upload sends such a file once. A file that the user named takes
 * precedence over a folder's.
 */
function eachOnce(named: readonly Named[]): readonly Named[] {
  const byPath = new Map<string, Named>()
  for (const item of named) if (item.direct || !byPath.has(item.path)) byPath.set(item.path, item)
  return [...byPath.values()]
}

/**
 * Predicts the result for one file, with the same checks in the same order as an upload: earlier versions,
 * names, size, content, and files on the service.
 */
async function fateOf(
  services: Uses,
  item: Named,
  entry: NonNullable<Named['entry']>,
  isQuick: boolean,
): Promise<Fate> {
  const { transfers, limits } = services
  if (liveVersion(services, item.path, entry) !== null) return 'already'
  const newest = transfers.newestOfPath(item.path)
  const waiting =
    newest !== null &&
    !['done', 'gone', 'cancelled'].includes(newest.state) &&
    newest.size === entry.size &&
    newest.mtime === entry.mtime
      ? newest
      : null
  if (waiting?.state === 'held' && waiting.reason !== 'too-big') return 'held'
  const released = waiting?.released ?? null
  if (
    verdictOnNames(services.guard, item.path, item.typed ?? waiting?.named ?? null, released).kind === 'held'
  )
    return 'held'
  // The forecast counts a file over the size limit as too big, so its content isn't read.
  if (limits.tooBig(entry.size) !== null) return 'send'
  try {
    return (
      (isQuick ? null : await fateOfContent(services, item, entry, released)) ??
      (services.compare.isForeseen(entry) ? 'compared' : 'send')
    )
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return 'failed'
  }
}

/** Returns null if the content doesn't decide, or changes while it is read: the upload will read it again. */
async function fateOfContent(
  { ports, transfers, claims, remote, guard, stop }: Uses,
  { path, direct }: Named,
  { size }: NonNullable<Named['entry']>,
  released: string | null,
): Promise<Fate | null> {
  const file = await ports.disk.open(path)
  try {
    const source = await UploadSource.read(
      { ...ports, stats: new StatTogether(ports.disk, ports.clock) },
      path,
      file,
    )
    if (source === null) return null
    const isReleased = ['secret', 'unsearched'].some((one) => released?.split(',').includes(one) === true)
    const found = isReleased ? null : await guard.byContent(path, source.first, source.whole())
    const secret = isLater(found) ? await found.later : found
    if (secret !== null && secret !== 'changed') return 'held'
    const mayBeDeleted = !direct && claims.hasEnded(path, size)
    const sha256 = mayBeDeleted || transfers.hasDoneSize(size) ? await source.hash(stop) : null
    if (sha256 === null) return null
    if (transfers.doneContent(sha256, { path, folderId: null }).some((row) => isLive(row, remote)))
      return 'already'
    return mayBeDeleted && claims.isDeletedByUser(path, sha256) ? 'ignored' : null
  } finally {
    await file.close().catch(() => undefined)
  }
}
