// Enforces the request budget: no minute or day window, sliding or aligned, holds more of our requests than
// the plan allows, however the service counts them, even across restarts. The service may count a request at
// any moment between its sending and its response, so it is counted from the claim until the response plus
// the window's length. This file sends nothing and sets no timer.

import { z } from 'zod'
import type { AnswerMeta, RateHints } from '../../api/types.ts'
import type { PacerStore, PersistedRequest, RequestKind } from '../journal/pacer-store.ts'
import type { Clock, Random } from '../ports.ts'
import type {
  Claim,
  Pacer,
  PacerOptions,
  PacerSnapshot,
  Priority,
  Refused,
  RefusedReason,
} from './pacer-types.ts'
import { RefusalBackoff } from './pause-after-429.ts'
import { type LearnedLimit, pauseAtZeroMs } from './rate-learning.ts'
import {
  type EffectivePlan,
  effectivePlan,
  hintWindow,
  type RateLimits,
  type StatedRates,
} from './rate-limits.ts'
import { Timebase, type TimebaseState } from './server-clock.ts'
import {
  DAY_HOLD_MS,
  dayBudget,
  type Leaves,
  minuteBudget,
  type Release,
  type WindowBudget,
} from './window-budget.ts'

/** For this long after a request failed without a response, it may still reach the service and be counted. */
const UNANSWERED_MS = 5_000
/**
 * Maximum number of requests in flight for a day after a refusal. If another client uses up the allowance,
 * all of them are refused.
 */
const CONTENDED_IN_FLIGHT = 8
const PRUNE_EVERY_MS = 600_000
/**
 * State that isn't saved at once is saved by the first claim after this time, so a crash loses little of what
 * was learned.
 */
const SAVE_EVERY_MS = 5_000
const none = { minute: null, day: null }
const learned = z
  .object({
    limit: z.number(),
    proven: z.number(),
    raiseAt: z.number(),
    refusedAt: z.number(),
    failed: z.number(),
  })
  .nullable()
const anchor = z.object({ lo: z.number(), hi: z.number(), at: z.number(), streak: z.number() })
const schema = z.object({
  v: z.literal(1),
  time: z.object({
    t: z.number(),
    wallMinusT: z.number(),
    uptime: z.object({ at: z.number(), minusT: z.number() }).nullable().catch(null),
    anchor: anchor.nullable().catch(null),
  }),
  plan: z.string().nullable().catch(null),
  toldRates: z
    .object({ perMinute: z.number().nullable(), perDay: z.number().nullable() })
    .catch({ perMinute: null, perDay: null }),
  header: z.object({ minute: z.number().nullable(), day: z.number().nullable() }).catch(none),
  learned: z.object({ minute: learned, day: learned }).catch(none),
  pausedUntil: z.number().catch(0),
  level: z.number().catch(0),
  probing: z.boolean().catch(false),
  refusals: z.array(z.number()).catch([]),
})

/**
 * Number of Date headers at the start of a run that are saved at once, because the next run measures its gap
 * against them.
 */
const FIRST_DATES = 3

interface InFlight {
  readonly at: number
  /**
   * Number of requests in each window at the time of the claim, including those in flight but not this one.
   */
  readonly minuteUsed: number
  readonly dayUsed: number
  /** Number of claims made before this one. */
  readonly order: number
  /** Whether `WindowBudget.isBeyondProven` was true for each window at the claim. */
  readonly isBeyondMinute: boolean
  readonly isBeyondDay: boolean
}

interface Blocked {
  readonly reason: RefusedReason
  readonly until: number | null
}
type Decision = { readonly ok: true; readonly isGapProbe: boolean } | (Blocked & { readonly ok: false })

/**
 * Creates the pacer from its stored state. Requests that an earlier process left in flight count as if they
 * had just failed without a response.
 */
export function createPacer(options: PacerOptions): Pacer {
  return new RequestPacer(options)
}

class RequestPacer implements Pacer {
  readonly #clock: Clock
  readonly #store: PacerStore
  readonly #random: Random
  readonly #onCapacity: () => void
  readonly #time: Timebase
  readonly #minute: WindowBudget
  readonly #day: WindowBudget
  readonly #inFlight = new Map<number, InFlight>()

  #plan: string | null
  #statedRates: StatedRates
  #effective: EffectivePlan
  #isPersonPresent = false

  readonly #backoff: RefusalBackoff
  /**
   * Rows settled since the start, while a gap is open. Their times move with the timeline once its length is
   * known.
   */
  #settledInGap: { readonly id: number; readonly at: number }[] = []
  #datesSeen = 0

  #lastId = 0
  #order = 0
  #lastPrune = Number.NEGATIVE_INFINITY
  #lastSave = Number.NEGATIVE_INFINITY
  #isDirty = false

  constructor({ clock, store, random, onCapacity = () => {} }: PacerOptions) {
    this.#clock = clock
    this.#store = store
    this.#random = random
    this.#onCapacity = onCapacity
    // The rows aren't kept as objects, because a day may have very many; the windows only count them.
    const { requests, state } = store.load()
    const saved = parsePacerState(state)
    let newest: number | null = null
    for (const row of requests) {
      // A row that was settled without a response is dated UNANSWERED_MS into the future.
      const last = Math.max(row.at, (row.settledAt ?? row.at) - UNANSWERED_MS)
      if (newest === null || last > newest) newest = last
      if (row.id > this.#lastId) this.#lastId = row.id
    }
    this.#time = new Timebase({ clock, saved: saved?.time ?? null, newest })
    this.#minute = minuteBudget(saved)
    this.#day = dayBudget(saved)
    this.#plan = saved?.plan ?? null
    this.#statedRates = saved?.toldRates ?? { perMinute: null, perDay: null }
    this.#effective = effectivePlan(this.#plan, this.#statedRates)
    this.#applyPlan()
    this.#backoff = new RefusalBackoff(this.#minute, this.#day, saved)
    this.#restore(requests)
  }

  claim({ kind, priority }: { readonly kind: RequestKind; readonly priority: Priority }): Claim {
    const t = this.now()
    this.#expire(t)
    const decision = this.#decide(priority, t)
    if (!decision.ok) {
      if (t - this.#lastSave > SAVE_EVERY_MS) this.#saveState()
      return this.#refused(decision, t)
    }
    const id = this.#lastId + 1
    this.#store.addRequest({ id, kind, at: t, settledAt: null })
    this.#lastId = id
    const inFlight = this.#inFlight.size
    this.#inFlight.set(id, {
      at: t,
      minuteUsed: this.#minute.window.count() + inFlight,
      dayUsed: this.#day.window.count() + inFlight,
      order: this.#order,
      isBeyondMinute: this.#minute.isBeyondProven(inFlight),
      isBeyondDay: this.#day.isBeyondProven(inFlight),
    })
    this.#order += 1
    if (!decision.isGapProbe) this.#backoff.claimed(id)
    if (this.#isDirty || t - this.#lastSave > SAVE_EVERY_MS) this.#saveState()
    return { ok: true, id }
  }

  settle(id: number, { meta }: { readonly meta: AnswerMeta | null }): void {
    const row = this.#inFlight.get(id)
    if (row === undefined) return
    const first = this.now()
    this.#inFlight.delete(id)
    this.#backoff.ended(id)
    this.#settleRow(id, meta === null ? first + UNANSWERED_MS : first)
    if (meta !== null) this.#learn(row, meta)
    if (this.#isDirty) this.#saveState()
    this.#onCapacity()
  }

  cancel(id: number): void {
    if (!this.#inFlight.delete(id)) return
    this.#backoff.ended(id)
    this.#store.removeRequest(id)
    this.#onCapacity()
  }

  nextAt(priority: Priority): number | null {
    const t = this.now()
    this.#expire(t)
    const decision = this.#decide(priority, t)
    return decision.ok ? this.#clock.now() : this.#refused(decision, t).until
  }

  snapshot(): PacerSnapshot {
    const t = this.now()
    this.#expire(t)
    const pausedUntil = this.#backoff.pausedUntil()
    const inFlight = this.#inFlight.size
    const toWall = (at: number): number => Math.ceil(this.#time.toWall(at))
    return {
      minute: this.#minute.view(inFlight, t, toWall),
      day: this.#day.view(inFlight, t, toWall),
      pausedUntil: t < pausedUntil ? toWall(pausedUntil) : null,
      refusals: this.#backoff.pauses(),
      probing: this.#backoff.isProbing(),
      inFlight,
      plan: this.#plan,
      planKnown: this.#effective.known,
    }
  }

  pausedUntil(): number | null {
    const until = this.#backoff.pausedUntil()
    return until <= this.now() ? null : Math.ceil(this.#time.toWall(until))
  }

  heldUntil(): number | null {
    const until = this.#backoff.heldUntil()
    return until === 0 || until <= this.now() ? null : Math.ceil(this.#time.toWall(until))
  }

  dayReleases(grain: number): readonly Release[] {
    const t = this.now()
    this.#expire(t)
    return this.#day.window
      .releases(grain)
      .map(({ at, count }) => ({ at: Math.ceil(this.#time.toWall(at)), count }))
  }

  setPlan(name: string | null, stated: StatedRates): void {
    const next = effectivePlan(name, stated)
    const isChanged =
      name !== this.#plan ||
      next.known !== this.#effective.known ||
      !sameLimits(next.limits, this.#effective.limits)
    const isRestated =
      stated.perMinute !== this.#statedRates.perMinute || stated.perDay !== this.#statedRates.perDay
    this.#plan = name
    this.#statedRates = stated
    this.#effective = next
    this.#applyPlan()
    if (isChanged) {
      this.#minute.forgetPlan()
      this.#day.forgetPlan()
      this.#backoff.endPause(this.now())
    }
    if (isChanged || isRestated) this.#saveState()
    if (isChanged) this.#onCapacity()
  }

  setPersonPresent(present: boolean): void {
    if (present === this.#isPersonPresent) return
    this.#isPersonPresent = present
    if (!present) this.#onCapacity()
  }

  forgive(): void {
    this.#minute.forgive()
    this.#day.forgive()
    this.#backoff.endPause(this.now())
    this.#saveState()
    this.#onCapacity()
  }

  now(): number {
    return this.#time.now()
  }

  serverNow(): { readonly now: number; readonly errorMs: number } | null {
    return this.#time.server()
  }

  tick(): void {
    this.#expire(this.now())
    this.#saveState()
  }

  #restore(requests: readonly PersistedRequest[]): void {
    const start = this.#time.now()
    const settled: number[] = []
    for (const row of requests)
      if (row.settledAt !== null) settled.push(Math.min(row.settledAt, start + UNANSWERED_MS))
    settled.sort((a, b) => a - b)
    for (const at of settled) {
      this.#minute.window.add(at)
      this.#day.window.add(at)
    }
    // Settles the requests that were in flight when the last process ended. The service may count them until
    // shortly after this start.
    for (const row of requests) {
      if (row.settledAt === null) this.#settleRow(row.id, start + UNANSWERED_MS)
    }
    this.#expire(start)
  }

  #applyPlan(): void {
    const { limits, known } = this.#effective
    this.#minute.setPlanned(limits.perMinute, known)
    this.#day.setPlanned(limits.perDay, known)
  }

  /**
   * Learns from the `Date` of a response. If that shows how long this process wasn't running, what was settled
   * since the start moves with the timeline.
   */
  #observe(sentAt: number, serverDate: number | null): void {
    const since = this.#time.gapSince()
    const by = this.#time.observe({ sentAt, serverDate })
    if (serverDate !== null && this.#datesSeen < FIRST_DATES) {
      this.#datesSeen += 1
      this.#isDirty = true
    }
    if (since === null || this.#time.gapSince() !== null) return
    if (by > 0) {
      for (const budget of [this.#minute, this.#day]) budget.window.shift(since, by)
      for (const row of this.#settledInGap) this.#store.settleRequest(row.id, row.at + by)
    }
    this.#settledInGap = []
    this.#isDirty = true
  }

  #expire(t: number): void {
    this.#minute.expire(t)
    this.#day.expire(t)
    if (this.#backoff.expire(t)) this.#isDirty = true
    if (t - this.#lastPrune <= PRUNE_EVERY_MS) return
    this.#lastPrune = t
    this.#store.prune(t - DAY_HOLD_MS)
  }

  // Deciding
  // -----------------------------------------------------------------------------------------------------------------------

  #decide(priority: Priority, t: number): Decision {
    const inFlight = this.#inFlight.size
    const leaves = this.#leaves(priority)
    const pausedUntil = this.#backoff.pausedUntil()
    if (t < pausedUntil) {
      // The windows may be full for longer than the pause. If only a response can make room, the end of the
      // pause is the best estimate.
      const nextAt = [this.#minute, this.#day].map((budget) => budget.nextAt(inFlight, leaves, t) ?? 0)
      return { ok: false, reason: 'paused', until: Math.max(pausedUntil, ...nextAt) }
    }
    if (this.#backoff.isProbeInFlight()) return { ok: false, reason: 'probing', until: null }
    if (this.#mayDayBeOver(leaves, t)) {
      const minuteAt = this.#minute.nextAt(inFlight, leaves, t)
      // One request brings the service's Date.
      if (inFlight > 0) return { ok: false, reason: 'probing', until: null }
      if (minuteAt === null || minuteAt > t) return { ok: false, reason: 'rate-minute', until: minuteAt }
      return { ok: true, isGapProbe: true }
    }
    let blocked: Blocked | null = null
    for (const budget of [this.#day, this.#minute]) {
      const until = budget.nextAt(inFlight, leaves, t)
      if (until !== null && until <= t) continue
      const reason = budget.name === 'minute' ? 'rate-minute' : 'rate-day'
      // If both are full, the later time counts. An unknown time is later than any.
      if (blocked === null) blocked = { reason, until }
      else if (blocked.until !== null && (until === null || until > blocked.until))
        blocked = { reason, until }
    }
    if (blocked !== null) return { ok: false, ...blocked }
    if (this.#backoff.hasRefusals() && inFlight >= CONTENDED_IN_FLIGHT)
      return { ok: false, reason: 'probing', until: null }
    // Beyond the number of requests that have passed together, requests are sent one at a time, to find out
    // whether more pass now.
    const isBeyond = this.#minute.isBeyondProven(inFlight) || this.#day.isBeyondProven(inFlight)
    if (isBeyond && this.#isBeyondInFlight()) return { ok: false, reason: 'probing', until: null }
    return { ok: true, isGapProbe: false }
  }

  #leaves(priority: Priority): Leaves {
    if (priority === 'person') return 'nothing'
    if (priority === 'watched') return this.#isPersonPresent ? 'reserve' : 'nothing'
    return 'share'
  }

  #isBeyondInFlight(): boolean {
    for (const row of this.#inFlight.values()) if (row.isBeyondMinute || row.isBeyondDay) return true
    return false
  }

  /** Whether the day's requests are used up, but wouldn't be if the whole time off had passed. */
  #mayDayBeOver(leaves: Leaves, t: number): boolean {
    const [since, gapMs] = [this.#time.gapSince(), this.#time.gapMs()]
    if (since === null || gapMs === null || gapMs <= 0) return false
    const dayAt = this.#day.nextAt(this.#inFlight.size, leaves, t)
    return (dayAt === null || dayAt > t) && this.#day.hasCapacityIfOlder(gapMs, since, leaves, t)
  }

  #refused({ reason, until }: Blocked, t: number): Refused {
    if (until === null) return { ok: false, reason, until: null, waitMs: null }
    // Rounded up to whole milliseconds, because a timer that fires early would find no room.
    const waitMs = Math.max(1, Math.ceil(until - t))
    return { ok: false, reason, until: this.#clock.now() + waitMs, waitMs }
  }

  // Answers
  // ------------------------------------------------------------------------------------------------------------------------

  #settleRow(id: number, at: number): void {
    this.#minute.window.add(at)
    this.#day.window.add(at)
    this.#store.settleRequest(id, at)
    if (this.#time.gapSince() !== null) this.#settledInGap.push({ id, at })
  }

  #learn(row: InFlight, meta: AnswerMeta): void {
    this.#observe(row.at, meta.serverDate)
    const t = this.now()
    if (this.#budgetOf(meta.rate)?.learnLimit(meta.rate) === true) this.#isDirty = true
    if (meta.status === 429) {
      this.#backoff.refused(row, meta.rate, t, this.#random())
      this.#isDirty = true
      return
    }
    if (meta.status >= 500) this.#backoff.unavailable(meta.rate, t)
    if (meta.status < 400 || meta.status === 404) this.#learnPassed(row)
    this.#learnRemaining(row, meta.rate, t)
  }

  #learnPassed(row: InFlight): void {
    if (this.#backoff.passed(row.at, this.now())) this.#isDirty = true
    if (row.isBeyondMinute) this.#minute.proveLimit(row.minuteUsed + 1)
    if (row.isBeyondDay) this.#day.proveLimit(row.dayUsed + 1)
  }

  #budgetOf(hints: RateHints): WindowBudget | null {
    const name = hintWindow(hints, this.#effective.limits)
    return name === null ? null : name === 'minute' ? this.#minute : this.#day
  }

  #learnRemaining(row: InFlight, hints: RateHints, t: number): void {
    const budget = this.#budgetOf(hints)
    if (budget !== null) {
      // All our requests that the service may have counted: those that were counted when this one was
      // claimed, and the claims since.
      const ours = (budget.name === 'minute' ? row.minuteUsed : row.dayUsed) + this.#order - row.order
      if (!budget.learnOthers(hints, ours, t)) return
    }
    const pauseMs = pauseAtZeroMs(hints)
    if (pauseMs === null) return
    this.#backoff.pauseUntil(t + pauseMs)
    this.#isDirty = true
  }

  #saveState(): void {
    const state: PacerState = {
      v: 1,
      time: this.#time.state(),
      plan: this.#plan,
      toldRates: this.#statedRates,
      header: { minute: this.#minute.header(), day: this.#day.header() },
      learned: { minute: this.#minute.learned, day: this.#day.learned },
      ...this.#backoff.state(),
    }
    this.#store.saveState(JSON.stringify(state))
    this.#isDirty = false
    this.#lastSave = state.time.t
  }
}

function sameLimits(a: RateLimits, b: RateLimits): boolean {
  return a.perMinute === b.perMinute && a.perDay === b.perDay
}

// What the request pacer keeps across restarts in addition to its request rows: the plan and its rates, the
// limits learned from responses, the state of the back-off after refusals, and the timeline. Stored as JSON.
// An unreadable member counts as missing; without a readable version and timeline, nothing is restored.

/** Journals store these member names, so they must not change when the code's names do. */
interface PacerState {
  readonly v: 1
  readonly time: TimebaseState
  readonly plan: string | null
  readonly toldRates: StatedRates
  readonly header: { readonly minute: number | null; readonly day: number | null }
  readonly learned: { readonly minute: LearnedLimit | null; readonly day: LearnedLimit | null }
  readonly pausedUntil: number
  readonly level: number
  readonly probing: boolean
  /** Times of the refusals of the last day. */
  readonly refusals: readonly number[]
}

function parsePacerState(json: string | null): PacerState | null {
  if (json === null) return null
  try {
    return schema.safeParse(JSON.parse(json)).data ?? null
  } catch {
    return null
  }
}
