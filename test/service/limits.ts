// The limits of a plan and the windows in which the service counts: sliding with every request, or aligned to
// the clock. Only counts; service.ts creates the responses.
import { z } from 'zod'

/** Infinity means no limit. */
const amount = z.custom<number>((value) => typeof value === 'number' && value >= 0, {
  error: 'a number of 0 or more',
})

export const limitsSchema = z.strictObject({
  /** Requests per minute window. */
  perMinute: amount,
  perDay: amount,
  windows: z.enum(['sliding', 'aligned']),
  /**
   * A number makes the day's window aligned: it is the hour after midnight UTC at which the day begins.
   * `rolling` means the last 24 hours. Null means according to `windows`.
   */
  dayTurnsAt: z.union([z.number().min(-12).max(14), z.literal('rolling'), z.null()]),
  /** Whether requests answered with 429 count, too. */
  countRejected: z.boolean(),
  /** Bytes. */
  maxFileSize: amount,
  dailyUploads: amount,
})

export type Limits = Readonly<z.infer<typeof limitsSchema>>

/**
 * Rates are from the API document's table. It doesn't state file sizes and daily uploads; these values are
 * high enough not to be reached by accident.
 */
const PLANS: Readonly<Record<string, Pick<Limits, 'perMinute' | 'perDay' | 'maxFileSize' | 'dailyUploads'>>> =
  {
    pro: { perMinute: 50, perDay: 5000, maxFileSize: 10 * 1024 ** 3, dailyUploads: 5000 },
    business: { perMinute: 100, perDay: 10_000, maxFileSize: 50 * 1024 ** 3, dailyUploads: 10_000 },
    enterprise: { perMinute: 1000, perDay: 100_000, maxFileSize: 200 * 1024 ** 3, dailyUploads: 100_000 },
  }

/** An unknown plan gets Pro's limits unless overridden; so does `free`, although its requests all get 403. */
export function planLimits(plan: string, overrides: Partial<Limits>): Limits {
  const figures = PLANS[plan] ?? PLANS['pro']
  return limitsSchema.parse({
    windows: 'sliding',
    dayTurnsAt: null,
    countRejected: false,
    ...figures,
    ...overrides,
  })
}

export interface WindowCut {
  readonly kind: 'sliding' | 'aligned'
  readonly length: number
  /**
   * Milliseconds by which an aligned window starts later than the multiples of its length since the epoch.
   */
  readonly offset: number
}

const HOUR = 3_600_000

export function minuteCut(limits: Limits, windowMs: number): WindowCut {
  return { kind: limits.windows, length: windowMs, offset: 0 }
}

export function dayCut(limits: Limits, dayMs: number): WindowCut {
  const turns = limits.dayTurnsAt ?? (limits.windows === 'aligned' ? 0 : 'rolling')
  return turns === 'rolling'
    ? { kind: 'sliding', length: dayMs, offset: 0 }
    : { kind: 'aligned', length: dayMs, offset: turns * HOUR }
}

/**
 * The times of counted requests, oldest first. The same log supports any kind of window, so the kind may
 * change at run time.
 */
export interface HitLog {
  add(at: number): void
  count(cut: WindowCut, now: number): number
  /**
   * When fewer than `limit` requests will be in the window, so that there is room for another one; `now` if
   * that is so already.
   */
  freeAt(cut: WindowCut, limit: number, now: number): number
  /**
   * When the oldest request leaves a sliding window (`now` if it is empty), or when the next aligned window
   * begins.
   */
  resetAt(cut: WindowCut, now: number): number
}

/** Times older than `keepMs` are dropped. */
export function createHitLog(keepMs: number, initial: readonly number[] = []): HitLog {
  let hits = initial.toSorted((a, b) => a - b)
  let head = 0

  function startOf(cut: WindowCut, now: number): number {
    if (cut.kind === 'sliding') return now - cut.length
    // Subtract one, so that for both kinds a hit counts if it is later than the result.
    return Math.floor((now - cut.offset) / cut.length) * cut.length + cut.offset - 1
  }

  /** Index of the first hit after `moment`. */
  function after(moment: number): number {
    let low = head
    let high = hits.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((hits[middle] ?? 0) > moment) high = middle
      else low = middle + 1
    }
    return low
  }

  return {
    add: (at) => {
      const last = hits.at(-1)
      if (last !== undefined && at < last) {
        hits.splice(after(at), 0, at)
        return
      }
      hits.push(at)
      head = after(at - keepMs)
      if (head > 1024 && head * 2 > hits.length) {
        hits = hits.slice(head)
        head = 0
      }
    },
    count: (cut, now) => after(now) - after(startOf(cut, now)),
    freeAt: (cut, limit, now) => {
      const over = after(now) - after(startOf(cut, now)) - limit
      if (over < 0) return now
      if (cut.kind === 'aligned' || limit <= 0) return startOf(cut, now) + 1 + cut.length
      return (hits[after(startOf(cut, now)) + over] ?? now) + cut.length
    },
    resetAt: (cut, now) => {
      if (cut.kind === 'aligned') return startOf(cut, now) + 1 + cut.length
      const oldest = hits[after(startOf(cut, now))]
      return oldest === undefined || oldest > now ? now : oldest + cut.length
    },
  }
}
