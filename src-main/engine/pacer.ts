// The request budget: no window of a minute or a day, however the service cuts it, ever holds more requests than the plan allows, and while
// there is work nearly all of the allowance is used (law 4). Bursts are right: room that is there is given at once. It sends nothing.
import type { AnswerMeta, RateHints } from '../api/types.ts'
import type { Budget, BudgetReason, Claim, Priority, RequestKind } from './budget.ts'
import type { Clock, Random } from './ports.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/**
 * The service may stamp a request anywhere between our sending it and its answer arriving. So a place stays taken from the claim until a
 * whole window after the answer, and a little more for clocks that tick apart.
 */
const MARGIN_MS = 250
/** A step of the two clocks against each other beyond this is a changed clock or a sleep, not the one-second grain of `Date`. */
const STEP_MS = 2500
/** api.md, "Limits". */
const PLANS: Readonly<Record<string, { readonly minute: number; readonly day: number }>> = {
  pro: { minute: 50, day: 5000 },
  business: { minute: 100, day: 10_000 },
  enterprise: { minute: 1000, day: 100_000 },
}
/** A plan that the document does not name starts as the smallest that has an API. */
const CAREFUL = { minute: 50, day: 5000 }
/** Pauses after a 429 that says nothing; the longer ones fit a day's limit that is used up. */
const LADDER_MS = [MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS] as const
const RECOVER_FIRST_MS = 10 * MINUTE_MS
const RECOVER_MOST_MS = 4 * 60 * MINUTE_MS

export interface PacerRow {
  readonly id: number
  readonly at: number
  readonly settledAt: number | null
}

/** Kept by the journal. Times are pacer time: this machine's clock at the start of the process, moved on by the monotonic clock. */
export interface PacerStore {
  load(): { readonly rows: readonly PacerRow[]; readonly state: string | null; readonly nextId: number }
  add(id: number, kind: RequestKind, at: number): void
  settle(id: number, at: number): void
  remove(id: number): void
  saveState(json: string): void
  prune(before: number): void
  clear(): void
  /** Makes everything above durable before a request goes out. */
  flush(): void
}

interface Learned {
  minute: number | null
  at: number
  recoverMs: number
}

export function createPacer(options: { readonly clock: Clock; readonly store: PacerStore; readonly random: Random }): Budget {
  const { clock, store, random } = options
  const wall0 = clock.now()
  const mono0 = clock.mono()
  let shift = 0
  const now = (): number => wall0 + (clock.mono() - mono0) + shift
  /** Pacer time as this machine's clock shows it to people. */
  const shown = (at: number): number => clock.now() + (at - now())

  let plan = CAREFUL
  let planName: string | null = null
  let fromStats: { minute: number | null; day: number | null } = { minute: null, day: null }
  let learned: Learned = { minute: null, at: 0, recoverMs: RECOVER_FIRST_MS }
  let pausedUntil = 0
  let rejections = 0
  let skew: number | null = null
  let person = false
  let others = { count: 0, until: 0 }
  /** In flight, by claim time. */
  const flying = new Map<number, number>()
  /** Times of answers, ascending; those before `head` have left the minute window. */
  let settled: number[] = []
  let head = 0
  /** Answers per minute of pacer time: the day window, at most one minute too careful. */
  let buckets = new Map<number, number>()
  let dayCount = 0
  let nextId = 1
  /** After a start whose past may have been misdated by a changed clock: one request first, its `Date` tells. */
  let probing = false

  const load = (): void => {
    const { rows, state, nextId: next } = store.load()
    nextId = next
    const t = now()
    const times: number[] = []
    for (const row of rows) {
      // No answer was seen: the service may have stamped it as late as the end of that process, which is not known.
      const at = row.settledAt ?? Math.min(t, row.at + 10 * MINUTE_MS)
      times.push(Math.min(t, at))
    }
    times.sort((a, b) => a - b)
    settled = times.filter((at) => at > t - MINUTE_MS - MARGIN_MS)
    head = 0
    buckets = new Map()
    dayCount = 0
    for (const at of times) if (at > t - DAY_MS - 2 * MINUTE_MS) toDay(at)
    if (state !== null) readState(state)
    const newest = times.at(-1)
    const lastBurst = newest === undefined ? 0 : times.filter((at) => at > newest - MINUTE_MS).length
    probing = settled.length < lastBurst && lastBurst * 2 > minuteLimit()
  }

  const toDay = (at: number): void => {
    const bucket = Math.floor(at / MINUTE_MS)
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1)
    dayCount++
  }

  const readState = (json: string): void => {
    try {
      const value: unknown = JSON.parse(json)
      if (typeof value !== 'object' || value === null) return
      const get = (key: string): number | null => {
        const n: unknown = Reflect.get(value, key)
        return typeof n === 'number' && Number.isFinite(n) ? n : null
      }
      skew = get('skew')
      learned = { minute: get('learned'), at: Math.min(now(), get('learnedAt') ?? 0), recoverMs: get('recoverMs') ?? RECOVER_FIRST_MS }
      // A pause that a changed clock has moved far ahead is not believed beyond its longest form.
      pausedUntil = Math.min(get('pausedUntil') ?? 0, now() + DAY_MS * 2)
    } catch {
      // A broken state costs no more than what it had learned.
    }
  }

  const save = (): void =>
    store.saveState(JSON.stringify({ skew, learned: learned.minute, learnedAt: learned.at, recoverMs: learned.recoverMs, pausedUntil }))

  const planMinute = (): number =>
    Math.min(fromStats.minute ?? plan.minute, planName !== null && planName in PLANS ? plan.minute : Number.POSITIVE_INFINITY)
  const minuteLimit = (): number => {
    const full = planMinute()
    if (learned.minute === null || learned.minute >= full) return full
    return Math.max(1, Math.floor(learned.minute))
  }
  const dayLimit = (): number =>
    Math.min(fromStats.day ?? plan.day, planName !== null && planName in PLANS ? plan.day : Number.POSITIVE_INFINITY)
  const reserve = (): number => (person ? Math.max(1, Math.ceil(minuteLimit() * 0.04)) : 0)

  const expire = (t: number): void => {
    while (head < settled.length && (settled[head] ?? 0) + MINUTE_MS + MARGIN_MS <= t) head++
    if (head > 1000 && head * 2 > settled.length) {
      settled = settled.slice(head)
      head = 0
    }
    for (const [bucket, n] of buckets) {
      if ((bucket + 1) * MINUTE_MS + DAY_MS + MARGIN_MS > t) break
      buckets.delete(bucket)
      dayCount -= n
    }
    if (learned.minute !== null && t - learned.at >= learned.recoverMs) {
      // Slowly back: whoever takes the rest of the allowance may have gone.
      const next = learned.minute + Math.max(1, planMinute() * 0.1)
      learned = { ...learned, minute: next >= planMinute() ? null : next, at: t }
      save()
    }
  }

  const othersNow = (t: number): number => (others.until > t ? others.count : 0)

  const room = (priority: Priority): { readonly ok: true } | { readonly ok: false; readonly at: number; readonly reason: BudgetReason } => {
    const t = now()
    expire(t)
    if (pausedUntil > t) return { ok: false, at: pausedUntil, reason: 'server-pause' }
    if (probing && flying.size > 0) return { ok: false, at: t + 1000, reason: 'rate-minute' }
    const keep = priority === 'person' ? 0 : reserve()
    const used = settled.length - head + flying.size + othersNow(t)
    const limit = Math.max(1, minuteLimit() - keep)
    if (used >= limit) {
      const oldest = settled[head + used - limit]
      // All places are in flight: an answer makes room, and asks again by itself.
      const at = oldest === undefined ? t + 1000 : oldest + MINUTE_MS + MARGIN_MS
      return { ok: false, at: Math.max(t + 1, othersNow(t) > 0 ? Math.min(at, others.until) : at), reason: 'rate-minute' }
    }
    if (dayCount + flying.size >= dayLimit()) {
      const first = buckets.keys().next().value
      return { ok: false, at: first === undefined ? t + MINUTE_MS : (first + 1) * MINUTE_MS + DAY_MS + MARGIN_MS, reason: 'rate-day' }
    }
    return { ok: true }
  }

  /** What `Date` says of clocks: of this machine's against the service's, now and before the last start. */
  const seeDate = (serverDate: number | null): void => {
    if (serverDate === null) {
      probing = false
      return
    }
    // `Date` cuts off the fraction of its second.
    const seen = serverDate + 500 - now()
    if (probing && skew !== null && Math.abs(seen - skew) > STEP_MS) {
      // The clock was set while Slipway was off: the past is dated anew, seen from the service's clock.
      shift += seen - skew
      probing = false
      const flight = [...flying]
      load()
      probing = false
      for (const [id, at] of flight) flying.set(id, at)
      return
    }
    probing = false
    if (skew !== null && seen - skew > STEP_MS) {
      // Time has passed that the monotonic clock did not count (sleep), if this machine's clock agrees.
      const slept = clock.now() - wall0 - (clock.mono() - mono0) - shift
      if (slept > STEP_MS) shift += Math.min(slept, seen - skew)
      else {
        skew = seen
        save()
      }
      return
    }
    if (skew === null || Math.abs(seen - skew) > STEP_MS) {
      skew = seen
      save()
    }
  }

  const heed = (rate: RateHints, t: number): void => {
    if (rate.remaining === 0 && rate.resetMs !== null && rate.resetMs > 0) {
      pausedUntil = Math.max(pausedUntil, t + rate.resetMs + MARGIN_MS)
      save()
      return
    }
    if (rate.resetMs === null || rate.resetMs > MINUTE_MS + 1000) return
    if (rate.limit !== null && rate.limit >= 1 && rate.limit < minuteLimit()) {
      learned = { minute: rate.limit, at: t, recoverMs: Math.max(learned.recoverMs, RECOVER_FIRST_MS) }
      save()
    }
    if (rate.remaining !== null) {
      const ours = settled.length - head + flying.size
      const used = minuteLimit() - rate.remaining
      others = { count: Math.max(0, used - ours), until: t + rate.resetMs }
    }
  }

  const settleAt = (id: number, t: number): void => {
    if (!flying.delete(id)) return
    settled.push(t)
    toDay(t)
    store.settle(id, t)
  }

  load()

  return {
    claim: (kind, priority): Claim => {
      const found = room(priority)
      if (!found.ok) return { ok: false, until: shown(found.at), reason: found.reason }
      const id = nextId++
      const t = now()
      flying.set(id, t)
      store.add(id, kind, t)
      if (id % 500 === 0) store.prune(t - DAY_MS - 2 * MINUTE_MS)
      if (kind !== 'upload') store.flush()
      return { ok: true, id }
    },
    settle: (id, meta: AnswerMeta | null) => {
      const t = now()
      settleAt(id, t)
      if (meta === null) {
        probing = false
        return
      }
      rejections = 0
      seeDate(meta.serverDate)
      heed(meta.rate, now())
    },
    cancel: (id) => {
      if (flying.delete(id)) store.remove(id)
    },
    rejected: (id, meta) => {
      const t = now()
      settleAt(id, t)
      seeDate(meta.serverDate)
      const said = meta.rate.retryAfterMs ?? meta.rate.resetMs
      const step = LADDER_MS[Math.min(rejections, LADDER_MS.length - 1)] ?? MINUTE_MS
      const alreadyPaused = pausedUntil > t
      const wait = said === null ? step + MARGIN_MS : said + MARGIN_MS + Math.floor(random() * 500)
      // Answers of one burst are one refusal.
      if (!alreadyPaused) {
        rejections++
        const inWindow = Math.max(0, settled.length - head - 1)
        // A long wait speaks of the day, not of the minute.
        if (said === null ? rejections === 1 : said <= 2 * MINUTE_MS) {
          const failedAgain = learned.minute !== null
          const fits = inWindow < minuteLimit() ? inWindow : Math.floor(minuteLimit() * 0.9)
          learned = {
            minute: Math.max(1, fits),
            at: t,
            recoverMs: failedAgain ? Math.min(RECOVER_MOST_MS, learned.recoverMs * 2) : RECOVER_FIRST_MS,
          }
        }
      }
      pausedUntil = Math.max(pausedUntil, t + wait)
      save()
    },
    serverNow: () => (skew === null ? null : now() + skew),
    setPlan: (name, limits) => {
      const known = name === null ? undefined : PLANS[name]
      fromStats = readRates(limits)
      if (name !== planName && planName !== null) learned = { minute: null, at: 0, recoverMs: RECOVER_FIRST_MS }
      planName = name
      plan = known ?? CAREFUL
    },
    setPersonPresent: (present) => {
      person = present
    },
    view: () => {
      const t = now()
      expire(t)
      const found = room('background')
      const used = settled.length - head + flying.size
      const at = found.ok ? null : shown(found.at)
      return {
        minute: { limit: minuteLimit(), used, nextAt: !found.ok && found.reason !== 'rate-day' ? at : null },
        day: { limit: dayLimit(), used: dayCount + flying.size, nextAt: !found.ok && found.reason === 'rate-day' ? at : null },
        pausedUntil: pausedUntil > t ? shown(pausedUntil) : null,
      }
    },
    reset: () => {
      store.clear()
      flying.clear()
      settled = []
      head = 0
      buckets = new Map()
      dayCount = 0
      learned = { minute: null, at: 0, recoverMs: RECOVER_FIRST_MS }
      pausedUntil = 0
      others = { count: 0, until: 0 }
      planName = null
      plan = CAREFUL
      fromStats = { minute: null, day: null }
      save()
    },
  }
}

const RATE_KEYS = {
  minute: /^(requests?|rate|api|calls)?_?(limit)?_?(requests?)?_?per_?minute(_limit)?$|^rpm$|^minute$/i,
  day: /^(requests?|rate|api|calls)?_?(limit)?_?(requests?)?_?per_?day(_limit)?$|^rpd$|^day$/i,
} as const

/** Rates among the further fields of `limits`, where a name says so and the number is plausible. */
export function readRates(limits: Readonly<Record<string, unknown>>): { readonly minute: number | null; readonly day: number | null } {
  const found: { minute: number | null; day: number | null } = { minute: null, day: null }
  const look = (fields: object, depth: number): void => {
    for (const [key, value] of Object.entries(fields)) {
      if (typeof value === 'object' && value !== null && depth < 1 && /rate|request|api/i.test(key)) look(value, depth + 1)
      const n = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
      if (typeof n !== 'number' || !Number.isSafeInteger(n) || n < 1 || n > 10_000_000) continue
      if (found.minute === null && RATE_KEYS.minute.test(key)) found.minute = n
      if (found.day === null && RATE_KEYS.day.test(key)) found.day = n
    }
  }
  look(limits, 0)
  return found
}
