// What is worth a request while nothing else is to be done: reading the list again, looking for first downloads, filling in what the list
// leaves out. Pure: which errand is next or when to look again, within a small share of the day's budget. The doing is background-runner.ts.

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Of the day's requests, for lists and download counts. */
export const SAMPLE_SHARE = 0.05
/** Of the day's requests, for rows with missing fields. */
export const FILL_SHARE = 0.02
/** The whole list is read no more often. */
export const LIST_EVERY_MS = 30 * MINUTE_MS
/** A first download is seen within ten minutes: nine between two looks, and one for the look itself. */
export const LOOK_EVERY_MS = 9 * MINUTE_MS
/** Looks may use so much of their share, so that the list has its turn as well. */
const LOOKS_OF_SHARE = 0.8
/** A day of figures for the history needs a few. */
export const STATS_EVERY_MS = 6 * 60 * MINUTE_MS
/** What was not used may be saved for so long; the whole of a long list may be saved for in any case. */
const SAVED_MS = 2 * 60 * MINUTE_MS
/** Nothing may be done now: looked at again. */
const BUSY_MS = 60_000
const LONGEST_REST_MS = 10 * MINUTE_MS
/** From here on the day belongs to uploads, of the minute half does. */
const DAY_FULL = 0.9
const MINUTE_FULL = 0.5

/** Requests that may still be made, as saved until `at`. */
export interface Allowance {
  readonly at: number
  readonly sample: number
  readonly fill: number
}

/** How the service's list behaves, as the last whole one showed. */
export interface ListWays {
  /** Requests that a whole list takes. */
  readonly pages: number
  /** Files a page. */
  readonly perPage: number
  readonly order: 'ascending' | 'descending' | 'mixed'
  /** It tells download counts. */
  readonly counts: boolean
}

export interface ErrandFacts {
  readonly now: number
  /** The app is here, the account is good, nothing is paused, queued, on its way or waited for. */
  readonly idle: boolean
  readonly minute: { readonly limit: number; readonly used: number }
  readonly day: { readonly limit: number; readonly used: number }
  readonly statsAt: number | null
  /** When the last whole list was read; null: never. */
  readonly listAt: number | null
  readonly ways: ListWays | null
  /** The last look at download counts of new files, a whole list included. */
  readonly lookAt: number | null
  /** Files of the last day, and those of them that nobody has downloaded as far as is known. */
  readonly recent: number
  readonly unopened: number
  /** One of those, asked for longest ago. */
  readonly lookFor: number | null
  /** A file whose row has holes that a list has not filled. */
  readonly incomplete: number | null
  readonly allowance: Allowance
}

export type Errand =
  | { readonly kind: 'list' }
  /** The newest part of the list. */
  | { readonly kind: 'newest' }
  /** One file's downloads. */
  | { readonly kind: 'look'; readonly fileId: number }
  /** One file's missing fields. */
  | { readonly kind: 'fill'; readonly fileId: number }
  | { readonly kind: 'stats' }
  | { readonly kind: 'rest'; readonly until: number }

function perMs(limit: number, share: number): number {
  return (limit * share) / DAY_MS
}

/** What may be spent at `now`. A clock that was set back gives nothing and takes nothing. */
export function refill(saved: Allowance, now: number, dayLimit: number, pages: number): Allowance {
  const elapsed = Math.max(0, Math.min(DAY_MS, now - saved.at))
  const add = (had: number, share: number, most: number): number =>
    Math.min(Math.max(most, 1, perMs(dayLimit, share) * SAVED_MS), had + elapsed * perMs(dayLimit, share))
  return { at: now, sample: add(saved.sample, SAMPLE_SHARE, pages), fill: add(saved.fill, FILL_SHARE, 1) }
}

/** Room for background requests in the windows; asked again before every page of a list. */
export function isSpare(f: Pick<ErrandFacts, 'idle' | 'minute' | 'day'>): boolean {
  return f.idle && f.day.used < f.day.limit * DAY_FULL && f.minute.used < Math.max(1, f.minute.limit * MINUTE_FULL)
}

interface Wish {
  readonly errand: Exclude<Errand, { kind: 'rest' }>
  readonly at: number
}

export function nextErrand(f: ErrandFacts): Errand {
  if (!isSpare(f)) return { kind: 'rest', until: f.now + BUSY_MS }
  const wishes = [...statsWish(f), ...listWish(f), ...lookWish(f), ...fillWish(f)]
  const due = wishes.find((wish) => wish.at <= f.now)
  if (due !== undefined) return due.errand
  const soonest = Math.min(f.now + LONGEST_REST_MS, ...wishes.map((wish) => wish.at))
  return { kind: 'rest', until: Math.max(f.now + 1000, Math.ceil(soonest)) }
}

/** When `every` has passed since `last`; at once if the clock was set back before it. */
function after(last: number | null, every: number, now: number): number {
  return last === null || last > now ? now : last + every
}

/** When `cost` requests are saved. */
function afford(f: ErrandFacts, had: number, cost: number, share: number): number {
  return had >= cost ? f.now : f.now + (cost - had) / perMs(f.day.limit, share)
}

function statsWish(f: ErrandFacts): readonly Wish[] {
  return f.statsAt === null ? [] : [{ errand: { kind: 'stats' }, at: after(f.statsAt, STATS_EVERY_MS, f.now) }]
}

function listWish(f: ErrandFacts): readonly Wish[] {
  const errand = { kind: 'list' } as const
  // The first one is nobody's to weigh: without it there is no catalog.
  if (f.listAt === null) return [{ errand, at: f.now }]
  const cost = f.ways?.pages ?? 1
  return [{ errand, at: Math.max(after(f.listAt, LIST_EVERY_MS, f.now), afford(f, f.allowance.sample, cost, SAMPLE_SHARE)) }]
}

function lookWish(f: ErrandFacts): readonly Wish[] {
  if (f.unopened === 0 || f.ways === null) return []
  const wish = (errand: Wish['errand'], cost: number, every: number): readonly Wish[] => {
    const spread = Math.max(every, cost / (perMs(f.day.limit, SAMPLE_SHARE) * LOOKS_OF_SHARE))
    return [{ errand, at: Math.max(after(f.lookAt, spread, f.now), afford(f, f.allowance.sample, cost, SAMPLE_SHARE)) }]
  }
  const { pages, perPage, order, counts } = f.ways
  if (counts && pages <= 1) return wish({ kind: 'list' }, 1, LOOK_EVERY_MS)
  if (counts && order !== 'mixed') {
    // Where the newest come last, the first page is read in vain.
    const cost = Math.ceil((f.recent + 1) / Math.max(1, perPage)) + (order === 'ascending' ? 1 : 0)
    return wish({ kind: 'newest' }, Math.min(cost, pages + 1), LOOK_EVERY_MS)
  }
  return f.lookFor === null ? [] : wish({ kind: 'look', fileId: f.lookFor }, 1, LOOK_EVERY_MS / f.unopened)
}

function fillWish(f: ErrandFacts): readonly Wish[] {
  if (f.incomplete === null) return []
  return [{ errand: { kind: 'fill', fileId: f.incomplete }, at: afford(f, f.allowance.fill, 1, FILL_SHARE) }]
}
