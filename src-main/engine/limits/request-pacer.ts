// The request budget: no window of a minute or a day, sliding or aligned, as the service may see it, ever holds more requests than the plan
// allows, across restarts; with a backlog nearly all of the allowance is used, in bursts, without spacing. The service may count a request
// at any moment between its sending and its answer, so a place is taken from the claim until the answer plus the window's length.
// Decides and counts only: it sends nothing, sets no timer, and keeps its rows through a small synchronous store.
import type { AnswerMeta, RateHints } from '../../api/types.ts'
import type { Clock, Random } from '../ports.ts'
import { type EffectivePlan, effectivePlan, hintWindow, type RateLimits, type ToldRates, type WindowName } from './rate-limits.ts'
import { createTimebase, type Timebase, type TimebaseState } from './server-clock.ts'
import { createRateWindow, type RateWindow, type Release } from './sliding-window.ts'

export type RequestKind = 'upload' | 'list' | 'file' | 'stats' | 'delete'
/** `person`: somebody asked for it (uploads of their own command included) and may use the reserve. */
export type Priority = 'person' | 'background'

/** Times are on the pacer's time line (close to the service's clock), not wall time. */
export interface PersistedRequest {
  readonly id: number
  readonly kind: RequestKind
  readonly at: number
  /** When the answer came or the request failed; null: still under way, or the process ended before. */
  readonly settledAt: number | null
}

/** Synchronous. `addRequest` must be durable, or part of the transaction that is, before the request goes out. */
export interface PacerStore {
  load(): { readonly requests: readonly PersistedRequest[]; readonly state: string | null }
  addRequest(row: PersistedRequest): void
  settleRequest(id: number, settledAt: number): void
  removeRequest(id: number): void
  saveState(json: string): void
  /** Forgets rows with `settledAt` before this. */
  prune(before: number): void
}

export type RefusedReason =
  | 'rate-minute'
  | 'rate-day'
  /** The service answered 429 or asked to wait. */
  | 'paused'
  /** One request goes ahead alone and tells how things stand. */
  | 'probing'

export interface Refused {
  readonly ok: false
  readonly reason: RefusedReason
  /** Wall time when the next try can succeed; null: only an answer still under way can tell (`onRoom` calls). */
  readonly until: number | null
  /** The same as milliseconds from now, for a timer. */
  readonly waitMs: number | null
}
export type Claim = { readonly ok: true; readonly id: number } | Refused

export interface WindowView {
  readonly limit: number
  /** Places taken, those of others and of requests under way included. */
  readonly used: number
  readonly free: number
  /** Wall time when the next place comes free if none is; null if one is free, or if only an answer can tell. */
  readonly nextAt: number | null
  /** Wall time when all places taken now are free again; null if none is taken. */
  readonly resetsAt: number | null
  /** Below the plan's limit, since the service said or showed so. */
  readonly learned: number | null
  /** The plan's own limit. */
  readonly planned: number
}

export interface PacerSnapshot {
  readonly minute: WindowView
  readonly day: WindowView
  readonly pausedUntil: number | null
  /** The pauses that came one after the other without a request let through between them; from 2 on a day limit is likely. */
  readonly refusals: number
  readonly probing: boolean
  /** A `Date` of the service, however come by, would settle an open question about time. */
  readonly wantsDate: boolean
  readonly inFlight: number
  readonly plan: string | null
  readonly planKnown: boolean
}

export interface Pacer {
  claim(request: { readonly kind: RequestKind; readonly priority: Priority }): Claim
  /** The answer came (any status), or the request failed and the service may have counted it (`meta` null). */
  settle(id: number, outcome: { readonly meta: AnswerMeta | null }): void
  /** Not one byte of it was sent: its place is free again. */
  cancel(id: number): void
  /** Wall time when a claim can succeed: now if there is room, null if only an answer can tell. */
  nextAt(priority: Priority): number | null
  snapshot(): PacerSnapshot
  /** When places of the day come free, in wall time, folded to `grain` milliseconds. */
  dayReleases(grain: number): readonly Release[]
  /** What `/stats` says. A change forgets what was learned under the old plan. */
  setPlan(plan: string | null, told: ToldRates): void
  /** A window or a client is connected: a little of the budget is kept for them. */
  setPersonPresent(present: boolean): void
  /** A Date of the service from outside the budget (a request without key, say), sent at `sentAt` of `now()`. */
  observeDate(seen: { readonly sentAt: number; readonly serverDate: number }): void
  /** A person wants it tried again now: ends the pause and forgets learned limits. */
  forgive(): void
  /** The time line, for stamps that must outlive changes of the clock. */
  now(): number
  /** The service's clock, null while not known. */
  serverNow(): { readonly now: number; readonly errorMs: number } | null
  /** Notices sleep and set clocks, and writes what is only in memory: about once a minute, and before an orderly end. */
  tick(): void
}

export interface PacerOptions {
  readonly clock: Clock
  readonly store: PacerStore
  readonly random: Random
  /** Room may have come sooner than the last `until` said. Called synchronously; never from within `claim`. */
  readonly onRoom?: () => void
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/**
 * 1 s for a service that counts in whole seconds with both ends included, 50 ms for clocks that run apart (500 ppm of a minute is 30 ms).
 * Costs 1.7 % of the allowance.
 */
const MINUTE_MARGIN_MS = 1_050
/** 500 ppm of a day is 43 s, half of that where a clock is disciplined at all; and the whole second above. */
const DAY_MARGIN_MS = 30_000
/** Requests of one minute leave the day window together, with the last of them: at most 1,442 entries at any rate. */
const DAY_GRAIN_MS = 60_000
/** A request that failed without an answer may still lie in a queue before the service. */
const UNANSWERED_MS = 5_000
/** Kept for a person: 2 of 50 a minute; of a day 10 of 5,000, so that an unwanted link can be taken back when the day is used up. */
const MINUTE_RESERVE = 0.04
const DAY_RESERVE = 0.002
/** Nothing documented resets sooner than a minute or later than a day; the first step is the minute window itself. */
const LADDER_MS = [60_000, 120_000, 300_000, 900_000, 1_800_000, 3_600_000] as const
const LONGEST_PAUSE_MS = DAY_MS + 60_000
/** After pauses of 1, 2 and 5 minutes in vain, the minute window is not what is full. */
const DAY_SUSPECT_LEVEL = 3
/** Learned limits grow by a tenth of the plan a step; the more refusals the last day had, the slower: about seven a day with a second client that never yields. */
const RAISE_SHARE = 0.1
const RAISE_MIN_MS = 600_000
const RAISE_PER_REFUSAL_MS = 1_800_000
const RAISE_MAX_MS = 6 * 3_600_000
const REFUSALS_KEPT = 48
/** A wait that a burst limiter or the last seconds of a window would name. */
const SHORT_WAIT_MS = 10_000
/** After a refusal, for a day: all that are under way are refused together when another client takes the rest, so fewer are. */
const CONTENDED_IN_FLIGHT = 8
/**
 * Where only unseen time can have made room: how long a Date from elsewhere is waited for before one request tries. After a jump within a
 * run the minute window has emptied by itself by then, so only a used-up day is ever tried.
 */
const START_PATIENCE_MS = 2_000
const JUMP_PATIENCE_MS = 65_000
const GAP_WORTH_MS = 2_000
const PRUNE_EVERY_MS = 600_000
/** What a crash may take from the time line's own knowledge. */
const SAVE_EVERY_MS = 5_000

interface Learned {
  limit: number
  /** Up to here requests have passed; above it they go one at a time. */
  proven: number
  raiseAt: number
}

interface State {
  readonly v: 1
  readonly time: TimebaseState
  readonly plan: string | null
  readonly toldRates: ToldRates
  readonly header: { readonly minute: number | null; readonly day: number | null }
  readonly learned: { readonly minute: Learned | null; readonly day: Learned | null }
  readonly pausedUntil: number
  readonly level: number
  readonly probing: boolean
  readonly refusals: readonly number[]
}

interface InFlight {
  readonly at: number
  /** Places taken in each window at the claim, itself not counted. */
  readonly minuteUsed: number
  readonly dayUsed: number
  /** Claims made before it. */
  readonly order: number
  readonly stretchMinute: boolean
  readonly stretchDay: boolean
}

interface Budget {
  readonly name: WindowName
  readonly window: RateWindow
  readonly length: number
  readonly reserve: number
  /** Taken by other clients of the same key, by the headers' word. */
  others: { count: number; until: number }
  /** Limit that headers told. */
  header: number | null
  learned: Learned | null
}

type Room =
  | { readonly ok: true; readonly probe: boolean; readonly gapProbe: boolean }
  | { readonly ok: false; readonly reason: RefusedReason; readonly until: number | null }

export function createPacer({ clock, store, random, onRoom = () => {} }: PacerOptions): Pacer {
  // Not kept: the rows of a day may be very many.
  const stored = store.load()
  const saved = parseState(stored.state)
  let newest: number | null = null
  let lastId = 0
  for (const row of stored.requests) {
    // Without an answer, a row may stand a little in the future.
    const last = Math.max(row.at, (row.settledAt ?? row.at) - UNANSWERED_MS)
    if (newest === null || last > newest) newest = last
    if (row.id > lastId) lastId = row.id
  }
  const time: Timebase = createTimebase({ clock, saved: saved?.time ?? null, newest })

  const minute: Budget = {
    name: 'minute',
    window: createRateWindow({ length: MINUTE_MS, margin: MINUTE_MARGIN_MS, grain: 0 }),
    length: MINUTE_MS,
    reserve: MINUTE_RESERVE,
    others: { count: 0, until: 0 },
    header: saved?.header.minute ?? null,
    learned: saved?.learned.minute ?? null,
  }
  const day: Budget = {
    name: 'day',
    window: createRateWindow({ length: DAY_MS, margin: DAY_MARGIN_MS, grain: DAY_GRAIN_MS }),
    length: DAY_MS,
    reserve: DAY_RESERVE,
    others: { count: 0, until: 0 },
    header: saved?.header.day ?? null,
    learned: saved?.learned.day ?? null,
  }

  let plan = saved?.plan ?? null
  let toldRates: ToldRates = saved?.toldRates ?? { perMinute: null, perDay: null }
  let effective: EffectivePlan = effectivePlan(plan, toldRates)
  let pausedUntil = saved?.pausedUntil ?? 0
  let level = saved?.level ?? 0
  let probing = saved?.probing ?? false
  let refusals: number[] = [...(saved?.refusals ?? [])]
  /** Settled refusals still in the minute window: they hold a place, but they say nothing of what the service lets through. */
  let refusedRecently: number[] = []
  let refusedToday: number[] = []
  let minuteBeforeEpisode: Learned | null = null
  let lastRefusalAt = -Infinity
  let personPresent = false
  let order = 0
  let probeId: number | null = null
  let fencedSince: number | null = null
  /** Since when only unseen time stands between the budget and the next request. */
  let probeWantedAt: number | null = null
  /** Rows settled since an open gap was noticed: they move with the time line. */
  let sinceGap: { id: number; at: number }[] = []
  let lastPrune = -Infinity
  let lastSave = -Infinity
  let dirty = false
  let datesSeen = 0
  const inFlight = new Map<number, InFlight>()

  restore(stored.requests)

  function restore(requests: ReturnType<PacerStore['load']>['requests']): void {
    const start = time.now()
    const settled: number[] = []
    for (const row of requests) if (row.settledAt !== null) settled.push(Math.min(row.settledAt, start + UNANSWERED_MS))
    settled.sort((a, b) => a - b)
    for (const at of settled) {
      minute.window.add(at)
      day.window.add(at)
    }
    watchGap()
    // Under way when the process ended: the service may have counted them at any moment up to this start.
    for (const row of requests) {
      if (row.settledAt === null) settleRow(row.id, start + UNANSWERED_MS)
    }
    expire(start)
  }

  // Time ---------------------------------------------------------------------------------------------------------------------------

  function now(): number {
    const t = time.now()
    watchGap()
    return t
  }

  function watchGap(): void {
    const since = time.gap()?.since ?? null
    if (since === fencedSince) return
    fencedSince = since
    probeWantedAt = null
    sinceGap = []
    if (since !== null) {
      minute.window.fence()
      day.window.fence()
    }
  }

  function observe(sentAt: number, serverDate: number): boolean {
    const step = time.observe({ sentAt, serverDate })
    if (step === null) {
      // The first Dates of a run are worth more than their write: the next start compares with them.
      if (datesSeen < 3) dirty = true
      datesSeen += 1
      return false
    }
    if (step.by > 0) {
      minute.window.shift(step.by)
      day.window.shift(step.by)
      for (const row of sinceGap) store.settleRequest(row.id, row.at + step.by)
    }
    fencedSince = null
    probeWantedAt = null
    sinceGap = []
    saveState()
    return true
  }

  function expire(t: number): void {
    minute.window.expire(t)
    day.window.expire(t)
    if (t >= minute.others.until) minute.others = { count: 0, until: 0 }
    if (t >= day.others.until) day.others = { count: 0, until: 0 }
    refusedRecently = dropOld(refusedRecently, t - MINUTE_MS - MINUTE_MARGIN_MS)
    refusedToday = dropOld(refusedToday, t - DAY_MS - DAY_MARGIN_MS - DAY_GRAIN_MS)
    refusals = dropOld(refusals, t - DAY_MS)
    raise(minute, t)
    raise(day, t)
    if (t - lastPrune > PRUNE_EVERY_MS) {
      lastPrune = t
      store.prune(t - DAY_MS - DAY_MARGIN_MS - DAY_GRAIN_MS)
    }
  }

  // Limits -------------------------------------------------------------------------------------------------------------------------

  function planned(budget: Budget): number {
    return budget.name === 'minute' ? effective.limits.perMinute : effective.limits.perDay
  }

  /** The plan's limit, or what headers said below it; above it only where the plan is not known. */
  function base(budget: Budget): number {
    if (budget.header === null) return planned(budget)
    return effective.known ? Math.min(planned(budget), budget.header) : budget.header
  }

  function limitOf(budget: Budget): number {
    return budget.learned === null ? base(budget) : Math.min(base(budget), budget.learned.limit)
  }

  function allowed(budget: Budget, limit: number, priority: Priority): number {
    if (priority === 'person' || !personPresent) return limit
    return limit - (limit < 5 ? 0 : Math.max(1, Math.round(limit * budget.reserve)))
  }

  function raiseInterval(): number {
    return Math.min(RAISE_MAX_MS, Math.max(RAISE_MIN_MS, refusals.length * RAISE_PER_REFUSAL_MS))
  }

  function raiseStep(budget: Budget): number {
    return Math.max(1, Math.ceil(base(budget) * RAISE_SHARE))
  }

  function raise(budget: Budget, t: number): void {
    const learned = budget.learned
    if (learned === null) return
    while (t >= learned.raiseAt && learned.limit < base(budget)) {
      learned.limit = Math.min(base(budget), learned.limit + raiseStep(budget))
      learned.raiseAt += raiseInterval()
      dirty = true
    }
    if (learned.limit >= base(budget) && learned.proven >= base(budget)) {
      budget.learned = null
      dirty = true
    }
  }

  function used(budget: Budget): number {
    return budget.window.count() + inFlight.size + budget.others.count
  }

  // Deciding -----------------------------------------------------------------------------------------------------------------------

  /** When fewer than `limit` places are taken, on the time line; null if that hangs on requests under way. */
  function roomAt(budget: Budget, limit: number, t: number): number | null {
    const need = used(budget) - limit + 1
    if (need <= 0) return t
    const ownAlone = budget.window.freeAt(need)
    if (budget.others.count === 0) return ownAlone
    const rest = need - budget.others.count
    const ownRest = rest <= 0 ? t : budget.window.freeAt(rest)
    const withOthers = ownRest === null ? null : Math.max(budget.others.until, ownRest)
    return earlier(ownAlone, withOthers)
  }

  function roomWithRaise(budget: Budget, priority: Priority, t: number): number | null {
    const limit = limitOf(budget)
    const plain = roomAt(budget, allowed(budget, limit, priority), t)
    const learned = budget.learned
    if (learned === null || limit >= base(budget)) return plain
    const raised = roomAt(budget, allowed(budget, Math.min(base(budget), limit + raiseStep(budget)), priority), t)
    return earlier(plain, raised === null ? null : Math.max(raised, learned.raiseAt))
  }

  function isStretch(budget: Budget): boolean {
    return budget.learned !== null && used(budget) >= budget.learned.proven
  }

  function stretchUnderWay(): boolean {
    for (const row of inFlight.values()) if (row.stretchMinute || row.stretchDay) return true
    return false
  }

  function decide(priority: Priority, t: number): Room {
    if (t < pausedUntil) {
      // The windows may be full for longer than the pause; where only an answer can tell, the pause is the best guess.
      const rooms = [minute, day].map((budget) => roomWithRaise(budget, priority, t) ?? 0)
      return { ok: false, reason: 'paused', until: Math.max(pausedUntil, ...rooms) }
    }
    if (probing && probeId !== null) return { ok: false, reason: 'probing', until: null }
    let blocked: { reason: RefusedReason; until: number | null } | null = null
    for (const budget of [day, minute]) {
      const until = roomWithRaise(budget, priority, t)
      if (until !== null && until <= t) continue
      const reason = budget.name === 'minute' ? 'rate-minute' : 'rate-day'
      // Both full: the later one decides. An unknown end is later than none.
      if (blocked === null) blocked = { reason, until }
      else if (blocked.until !== null && (until === null || until > blocked.until)) blocked = { reason, until }
    }
    if (blocked !== null) return decideInGap(priority, t, blocked)
    if (refusals.length > 0 && inFlight.size >= CONTENDED_IN_FLIGHT) return { ok: false, reason: 'probing', until: null }
    // Where more was refused once, one at a time finds out whether it passes now.
    if ((isStretch(minute) || isStretch(day)) && stretchUnderWay()) return { ok: false, reason: 'probing', until: null }
    return { ok: true, probe: probing, gapProbe: false }
  }

  /** The budget is full unless time has passed unseen. If the wall clock says so, one request asks the service for the date. */
  function decideInGap(priority: Priority, t: number, blocked: { reason: RefusedReason; until: number | null }): Room {
    const gap = time.gap()
    if (gap === null || gap.wallMs < GAP_WORTH_MS) return { ok: false, ...blocked }
    for (const budget of [minute, day]) {
      const ifOlder = budget.window.countIfOlder(gap.wallMs, t) + inFlight.size + budget.others.count
      if (ifOlder >= allowed(budget, limitOf(budget), priority)) return { ok: false, ...blocked }
    }
    if (inFlight.size > 0) return { ok: false, reason: 'probing', until: blocked.until }
    probeWantedAt ??= t
    const from = probeWantedAt + (gap.kind === 'start' ? START_PATIENCE_MS : JUMP_PATIENCE_MS)
    if (t < from) return { ok: false, reason: 'probing', until: earlier(blocked.until, from) }
    return { ok: true, probe: true, gapProbe: true }
  }

  function refused(room: Extract<Room, { ok: false }>, t: number): Refused {
    if (room.until === null) return { ok: false, reason: room.reason, until: null, waitMs: null }
    // Whole milliseconds, rounded up: a timer that fires early would only ask in vain.
    const waitMs = Math.max(1, Math.ceil(room.until - t))
    return { ok: false, reason: room.reason, until: clock.now() + waitMs, waitMs }
  }

  function claim({ kind, priority }: { readonly kind: RequestKind; readonly priority: Priority }): Claim {
    const t = now()
    expire(t)
    const room = decide(priority, t)
    if (!room.ok) {
      if (t - lastSave > SAVE_EVERY_MS) saveState()
      return refused(room, t)
    }
    const id = lastId + 1
    store.addRequest({ id, kind, at: t, settledAt: null })
    lastId = id
    const row: InFlight = {
      at: t,
      minuteUsed: minute.window.count() + inFlight.size,
      dayUsed: day.window.count() + inFlight.size,
      order,
      stretchMinute: isStretch(minute),
      stretchDay: isStretch(day),
    }
    order += 1
    inFlight.set(id, row)
    if (room.probe && !room.gapProbe) probeId = id
    if (dirty || t - lastSave > SAVE_EVERY_MS) saveState()
    return { ok: true, id }
  }

  // Answers ------------------------------------------------------------------------------------------------------------------------

  function settleRow(id: number, at: number): void {
    minute.window.add(at)
    day.window.add(at)
    store.settleRequest(id, at)
    if (fencedSince !== null) sinceGap.push({ id, at })
  }

  function settle(id: number, { meta }: { readonly meta: AnswerMeta | null }): void {
    const row = inFlight.get(id)
    if (row === undefined) return
    const first = now()
    inFlight.delete(id)
    if (probeId === id) probeId = null
    settleRow(id, meta === null ? first + UNANSWERED_MS : first)
    if (meta !== null) {
      if (meta.serverDate !== null) observe(row.at, meta.serverDate)
      const t = now()
      readLimit(meta.rate)
      if (meta.status === 429) refusal(row, meta.rate, t)
      else {
        if (meta.status < 400 || meta.status === 404) passed(row)
        readRemaining(row, meta.rate, t)
      }
    }
    if (dirty) saveState()
    onRoom()
  }

  function passed(row: InFlight): void {
    if (row.at >= lastRefusalAt && (probing || level > 0)) {
      probing = false
      level = 0
      dirty = true
    }
    if (row.stretchMinute && minute.learned !== null) prove(minute.learned, row.minuteUsed + 1)
    if (row.stretchDay && day.learned !== null) prove(day.learned, row.dayUsed + 1)
  }

  function prove(learned: Learned, count: number): void {
    if (count > learned.proven) learned.proven = count
  }

  function refusal(row: InFlight, hints: RateHints, t: number): void {
    const waitFor = hints.retryAfterMs ?? hints.resetMs
    const sameEpisode = row.at < lastRefusalAt
    const repeated = probing && !sameEpisode
    if (!sameEpisode) {
      if (repeated) level += 1
      else {
        level = 0
        minuteBeforeEpisode = minute.learned === null ? null : { ...minute.learned }
      }
    }
    refusals = [...refusals, t].slice(-REFUSALS_KEPT)
    learnFrom(row, waitFor, repeated, t)
    refusedRecently.push(t)
    refusedToday = [...refusedToday, t].slice(-1_000)

    const ladder = level === 0 ? 0 : (LADDER_MS[Math.min(level, LADDER_MS.length - 1)] ?? 0)
    const told = waitFor === null ? MINUTE_MS + MINUTE_MARGIN_MS : Math.max(1_000, waitFor) + 250
    const wait = Math.min(LONGEST_PAUSE_MS, Math.max(told, ladder))
    // A little apart from other clients that were refused at the same moment.
    const jitter = random() * Math.min(2_000, wait * 0.05)
    pausedUntil = Math.max(pausedUntil, t + wait + jitter)
    probing = true
    if (!sameEpisode) lastRefusalAt = t
    // The time line was right to be careful.
    if (time.gap() !== null) {
      time.dropGap()
      watchGap()
    }
    dirty = true
  }

  function learnFrom(row: InFlight, waitFor: number | null, repeated: boolean, t: number): void {
    const ofDay = Math.max(1, row.dayUsed - refusedToday.length)
    // At the edge of a day limit that was learned before, it is that one again.
    if (day.learned !== null && row.dayUsed + 1 >= Math.min(day.learned.proven, day.learned.limit * 0.98)) {
      lower(day, ofDay, t)
      return
    }
    if (repeated) {
      if (level < DAY_SUSPECT_LEVEL) return
      // Minutes in vain: it was the day all along, and the minute is as it was.
      minute.learned = minuteBeforeEpisode
      lower(day, ofDay, t)
      return
    }
    // A wait beyond a minute is the word of another window; it need not be guessed.
    if (waitFor !== null && waitFor > MINUTE_MS + MINUTE_MARGIN_MS) return
    if (row.at < lastRefusalAt && probing && level > 0) return
    // A few seconds and there is room again: the end of a window, or a burst. Only if it comes again soon is the limit itself smaller.
    if (waitFor !== null && waitFor <= SHORT_WAIT_MS && !refusals.some((at) => at < t - 5_000 && at > t - 2 * MINUTE_MS)) return
    lower(minute, Math.max(1, row.minuteUsed - refusedRecently.length), t)
  }

  function lower(budget: Budget, passedCount: number, t: number): void {
    const before = limitOf(budget)
    // Twice within the hour: the other client's share moves about, so a little more is left to it.
    const again = refusals.some((at) => at < t - 5_000 && at > t - 3_600_000)
    const limit = Math.max(1, Math.min(passedCount, before, again ? Math.floor(before * 0.95) : before))
    if (limit >= base(budget)) return
    budget.learned = { limit, proven: limit, raiseAt: t + raiseInterval() }
  }

  function hintBudget(hints: RateHints): Budget | null {
    const which = hintWindow(hints, effective.limits)
    return which === null ? null : which === 'minute' ? minute : day
  }

  function readLimit(hints: RateHints): void {
    const budget = hintBudget(hints)
    if (budget === null || hints.limit === null || !(hints.limit >= 1)) return
    const limit = Math.floor(hints.limit)
    const header = effective.known && limit >= planned(budget) ? null : limit
    if (header === budget.header) return
    budget.header = header
    dirty = true
  }

  function readRemaining(row: InFlight, hints: RateHints, t: number): void {
    if (hints.remaining === null || !(hints.remaining >= 0)) return
    const budget = hintBudget(hints)
    if (budget !== null) {
      // All of ours that the service can have counted: those that held a place when this one was claimed, and the claims since.
      const ours = (budget.name === 'minute' ? row.minuteUsed : row.dayUsed) + order - row.order
      const others = Math.floor((hints.limit ?? base(budget)) - hints.remaining) - ours
      if (others <= 0) return
      if (others >= budget.others.count) {
        budget.others = { count: others, until: t + Math.min(hints.resetMs ?? budget.length, budget.length) + MINUTE_MARGIN_MS }
      }
    }
    // Nothing left, and not by our doing: until the reset nothing passes.
    if (hints.remaining < 1 && hints.resetMs !== null) {
      pausedUntil = Math.max(pausedUntil, t + Math.min(LONGEST_PAUSE_MS, hints.resetMs) + 250)
      dirty = true
    }
  }

  // Store --------------------------------------------------------------------------------------------------------------------------

  function saveState(): void {
    const state: State = {
      v: 1,
      time: time.state(),
      plan,
      toldRates,
      header: { minute: minute.header, day: day.header },
      learned: { minute: minute.learned, day: day.learned },
      pausedUntil,
      level,
      probing,
      refusals,
    }
    store.saveState(JSON.stringify(state))
    dirty = false
    lastSave = state.time.t
  }

  // Views --------------------------------------------------------------------------------------------------------------------------

  function view(budget: Budget, t: number): WindowView {
    const limit = limitOf(budget)
    const taken = used(budget)
    const next = roomWithRaise(budget, 'person', t)
    const all = budget.window.count() === 0 ? null : budget.window.freeAt(budget.window.count())
    return {
      limit,
      used: taken,
      free: Math.max(0, limit - taken),
      nextAt: next === null || next <= t ? null : Math.ceil(time.toWall(next)),
      resetsAt: all === null ? null : Math.ceil(time.toWall(all)),
      learned: limit < planned(budget) ? limit : null,
      planned: planned(budget),
    }
  }

  return {
    claim,
    settle,
    cancel(id) {
      if (!inFlight.delete(id)) return
      if (probeId === id) probeId = null
      store.removeRequest(id)
      onRoom()
    },
    nextAt(priority) {
      const t = now()
      expire(t)
      const room = decide(priority, t)
      return room.ok ? clock.now() : refused(room, t).until
    },
    snapshot() {
      const t = now()
      expire(t)
      const gap = time.gap()
      const full = [minute, day].some((budget) => used(budget) >= limitOf(budget))
      return {
        minute: view(minute, t),
        day: view(day, t),
        pausedUntil: t < pausedUntil ? Math.ceil(time.toWall(pausedUntil)) : null,
        refusals: probing ? level + 1 : 0,
        probing,
        wantsDate: gap !== null && (gap.kind === 'start' || gap.wallMs >= GAP_WORTH_MS) && full,
        inFlight: inFlight.size,
        plan,
        planKnown: effective.known,
      }
    },
    dayReleases(grain) {
      const t = now()
      expire(t)
      return day.window.releases(grain).map(({ at, count }) => ({ at: Math.ceil(time.toWall(at)), count }))
    },
    setPlan(name, told) {
      const next = effectivePlan(name, told)
      const changed = name !== plan || next.known !== effective.known || !sameLimits(next.limits, effective.limits)
      const retold = told.perMinute !== toldRates.perMinute || told.perDay !== toldRates.perDay
      plan = name
      toldRates = told
      effective = next
      if (changed) {
        for (const budget of [minute, day]) {
          budget.learned = null
          budget.header = null
        }
        level = 0
        if (pausedUntil > now()) {
          pausedUntil = 0
          probing = true
        }
      }
      if (changed || retold) saveState()
      if (changed) onRoom()
    },
    setPersonPresent(present) {
      if (present === personPresent) return
      personPresent = present
      if (!present) onRoom()
    },
    observeDate({ sentAt, serverDate }) {
      now()
      if (observe(sentAt, serverDate)) onRoom()
    },
    forgive() {
      minute.learned = null
      day.learned = null
      for (const budget of [minute, day]) budget.others = { count: 0, until: 0 }
      level = 0
      if (pausedUntil > now()) {
        pausedUntil = 0
        probing = true
      }
      saveState()
      onRoom()
    },
    now,
    serverNow: () => time.server(),
    tick() {
      const before = fencedSince
      expire(now())
      saveState()
      if (fencedSince !== before) onRoom()
    },
  }
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}

function dropOld(times: number[], before: number): number[] {
  const [first] = times
  return first === undefined || first >= before ? times : times.filter((at) => at >= before)
}

function sameLimits(a: RateLimits, b: RateLimits): boolean {
  return a.perMinute === b.perMinute && a.perDay === b.perDay
}

/** Our own writing, but from a disk: what does not fit is as good as nothing. */
function parseState(json: string | null): State | null {
  if (json === null) return null
  try {
    const state = JSON.parse(json) as Partial<State> | null
    if (state?.v !== 1 || typeof state.time?.t !== 'number' || typeof state.time.wallMinusT !== 'number') return null
    return {
      v: 1,
      time: state.time,
      plan: state.plan ?? null,
      toldRates: state.toldRates ?? { perMinute: null, perDay: null },
      header: state.header ?? { minute: null, day: null },
      learned: state.learned ?? { minute: null, day: null },
      pausedUntil: state.pausedUntil ?? 0,
      level: state.level ?? 0,
      probing: state.probing ?? false,
      refusals: state.refusals ?? [],
    }
  } catch {
    return null
  }
}
