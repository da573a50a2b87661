// Chooses the background job that is worth a request while there is nothing else to do: rereading the list or
// `/stats`, looking for first downloads, or filling in fields that the list omits. Pure: returns the next
// job, or when to check again. Jobs may use only a small share of the day's requests. The first read of the
// list and reads of `/stats` don't count towards it.

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Share of the day's requests that background jobs may use to read lists and check download counts. */
export const SAMPLE_SHARE = 0.05
/** Share of the day's requests that background jobs may use to fill in missing fields. */
export const FILL_SHARE = 0.02
/**
 * Minimum interval between reads of the whole list, except that a list of a single page is also read to look
 * for downloads.
 */
export const LIST_EVERY_MS = 30 * MINUTE_MS
/**
 * Interval between checks for first downloads. A check takes up to a minute, so a download is noticed within
 * ten minutes, budget permitting.
 */
export const LOOK_EVERY_MS = 9 * MINUTE_MS
/**
 * Checks for first downloads may use this fraction of SAMPLE_SHARE; the rest is left to reading the whole
 * list.
 */
const LOOKS_OF_SHARE = 0.8
/**
 * Delay before the first read of the whole list is repeated after a failure. It doubles each time, up to
 * `FIRST_LIST_MOST_MS`.
 */
const FIRST_LIST_RETRY_MS = MINUTE_MS
const FIRST_LIST_MOST_MS = 15 * MINUTE_MS
/** Interval between reads of `/stats`: the history needs a few figures per day. */
export const STATS_EVERY_MS = 6 * 60 * MINUTE_MS
/**
 * Delay before `/stats` is read again after a failure. It is long, because these reads don't count towards
 * the share of the day.
 */
export const STATS_RETRY_MS = 15 * MINUTE_MS
/**
 * Unused requests add up to at most what accrues in this time, or to the cost of the whole list if that is
 * more.
 */
const SAVED_MS = 2 * 60 * MINUTE_MS
/** Time until the next check if nothing may be done now. */
const BUSY_MS = 60_000
/** Maximum time until the next check if no job is due sooner. */
const LONGEST_REST_MS = 10 * MINUTE_MS
/**
 * Fractions of the daily and the per-minute request limit. Once either fraction is used, background jobs
 * wait.
 */
const DAY_FULL = 0.9
const MINUTE_FULL = 0.5

/** Requests saved up for background jobs as of `at` (epoch milliseconds). */
export interface Allowance {
  readonly at: number
  readonly sample: number
  readonly fill: number
}

/** How the service's list behaves, according to the last read of the whole list. */
export interface ListWays {
  /** Number of requests needed to read the whole list. */
  readonly pages: number
  /** Files per page. */
  readonly perPage: number
  readonly order: 'ascending' | 'descending' | 'mixed'
  /** Whether the list shows download counts. */
  readonly counts: boolean
  /** The number of files without a usable ID; at least this many if the walk was interrupted. */
  readonly unnumbered?: number | undefined
}

export interface JobFacts {
  readonly now: number
  /** Whether the account works, and nothing is paused, queued, in flight or being waited for. */
  readonly idle: boolean
  readonly minute: { readonly limit: number; readonly used: number }
  readonly day: { readonly limit: number; readonly used: number }
  readonly statsAt: number | null
  /**
   * When a job last failed to read `/stats`, in epoch milliseconds; null if none has, or the last one
   * succeeded.
   */
  readonly statsFailedAt: number | null
  /** When the whole list was last read, in epoch milliseconds; null if never. */
  readonly listAt: number | null
  /**
   * When the service last failed to show the list to a job, in epoch milliseconds, and how often in a row;
   * null if it hasn't, or if the last job succeeded.
   */
  readonly listFailed: { readonly at: number; readonly times: number } | null
  readonly ways: ListWays | null
  /**
   * When the download counts of new files were last checked; null if never. Reading the whole list also
   * counts as a check.
   */
  readonly lookAt: number | null
  /** Number of files uploaded in the last day, and how many of them have no known download. */
  readonly recent: number
  readonly unopened: number
  /** The file to check next for a first download; null if there is none. */
  readonly lookFor: number | null
  /**
   * The newest listed file that lacks fields and hasn't been requested individually; null if there is none.
   */
  readonly incomplete: number | null
  readonly allowance: Allowance
}

export type BackgroundJob =
  | { readonly kind: 'list' }
  /** Reads the newest part of the list. */
  | { readonly kind: 'newest' }
  /** Requests one file to learn its download count. */
  | { readonly kind: 'look'; readonly fileId: number }
  /** Requests one file to learn the fields that the list omits. */
  | { readonly kind: 'fill'; readonly fileId: number }
  | { readonly kind: 'stats' }
  | { readonly kind: 'rest'; readonly until: number }

function perMs(limit: number, share: number): number {
  return (limit * share) / DAY_MS
}

/**
 * Returns the requests saved up at `now`. `pages`: the cost of the whole list. A clock rollback adds no
 * requests.
 */
export function refill(saved: Allowance, now: number, dayLimit: number, pages: number): Allowance {
  const elapsed = Math.max(0, Math.min(DAY_MS, now - saved.at))
  const add = (had: number, share: number, most: number): number =>
    Math.min(Math.max(most, 1, perMs(dayLimit, share) * SAVED_MS), had + elapsed * perMs(dayLimit, share))
  return { at: now, sample: add(saved.sample, SAMPLE_SHARE, pages), fill: add(saved.fill, FILL_SHARE, 1) }
}

/** Whether the engine is idle, and enough requests of the minute and the day are unused. */
export function isSpare(f: Pick<JobFacts, 'idle' | 'minute' | 'day'>): boolean {
  return (
    f.idle && f.day.used < f.day.limit * DAY_FULL && f.minute.used < Math.max(1, f.minute.limit * MINUTE_FULL)
  )
}

interface Wish {
  readonly job: Exclude<BackgroundJob, { kind: 'rest' }>
  readonly at: number
}

export function nextJob(f: JobFacts): BackgroundJob {
  if (!isSpare(f)) return { kind: 'rest', until: f.now + BUSY_MS }
  const wishes = [...statsWish(f), ...listWish(f), ...lookWish(f), ...fillWish(f)]
  const due = wishes.find((wish) => wish.at <= f.now)
  if (due !== undefined) return due.job
  const soonest = Math.min(f.now + LONGEST_REST_MS, ...wishes.map((wish) => wish.at))
  return { kind: 'rest', until: Math.max(f.now + 1000, Math.ceil(soonest)) }
}

/**
 * When `every` has passed since `last`; `now` if `last` is null, or in the future because the clock was
 * rolled back.
 */
function after(last: number | null, every: number, now: number): number {
  return last === null || last > now ? now : last + every
}

/** When `cost` requests will be saved up, if there are `had` now. */
function afford(f: JobFacts, had: number, cost: number, share: number): number {
  return had >= cost ? f.now : f.now + (cost - had) / perMs(f.day.limit, share)
}

function statsWish(f: JobFacts): readonly Wish[] {
  if (f.statsAt === null) return []
  const again = f.statsFailedAt === null ? f.now : after(f.statsFailedAt, STATS_RETRY_MS, f.now)
  return [{ job: { kind: 'stats' }, at: Math.max(after(f.statsAt, STATS_EVERY_MS, f.now), again) }]
}

function listWish(f: JobFacts): readonly Wish[] {
  const job = { kind: 'list' } as const
  // The first read is due immediately, whatever it costs, because there is no catalog without it. It doesn't
  // count towards the share, so repeating it after each failure without delay could use up the day's
  // requests.
  if (f.listAt === null) {
    const { at, times } = f.listFailed ?? { at: null, times: 1 }
    return [
      { job, at: after(at, Math.min(FIRST_LIST_MOST_MS, FIRST_LIST_RETRY_MS * 2 ** (times - 1)), f.now) },
    ]
  }
  const cost = f.ways?.pages ?? 1
  return [
    {
      job,
      at: Math.max(after(f.listAt, LIST_EVERY_MS, f.now), afford(f, f.allowance.sample, cost, SAMPLE_SHARE)),
    },
  ]
}

function lookWish(f: JobFacts): readonly Wish[] {
  if (f.unopened === 0 || f.ways === null) return []
  const wish = (job: Wish['job'], cost: number, every: number): readonly Wish[] => {
    const spread = Math.max(every, cost / (perMs(f.day.limit, SAMPLE_SHARE) * LOOKS_OF_SHARE))
    return [
      {
        job,
        at: Math.max(after(f.lookAt, spread, f.now), afford(f, f.allowance.sample, cost, SAMPLE_SHARE)),
      },
    ]
  }
  const { pages, perPage, order, counts } = f.ways
  if (counts && pages <= 1) return wish({ kind: 'list' }, 1, LOOK_EVERY_MS)
  if (counts && order !== 'mixed') {
    // In ascending order, the newest files come last. The first page is read as well, and shows none of them.
    const cost = Math.ceil((f.recent + 1) / Math.max(1, perPage)) + (order === 'ascending' ? 1 : 0)
    return wish({ kind: 'newest' }, Math.min(cost, pages + 1), LOOK_EVERY_MS)
  }
  return f.lookFor === null ? [] : wish({ kind: 'look', fileId: f.lookFor }, 1, LOOK_EVERY_MS / f.unopened)
}

function fillWish(f: JobFacts): readonly Wish[] {
  if (f.incomplete === null) return []
  return [{ job: { kind: 'fill', fileId: f.incomplete }, at: afford(f, f.allowance.fill, 1, FILL_SHARE) }]
}
