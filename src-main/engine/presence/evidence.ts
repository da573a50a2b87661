// The one law of evidence: is a file on the service, or not, or can that not be shown? An answer proves only
// what it could have shown. A file that is shown is there. A file that isn't shown is absent only if the
// answer is the service's own, is given late enough to show a file of this age, and leaves no newcomer
// unexplained. A status alone proves nothing. Pure.
import { isOrdered } from '../journal/file-ids.ts'
import type { Loss } from '../journal/transfers.ts'

export type Verdict = 'yes' | 'no' | 'unknown'

/**
 * No answer about a single file this young shows anything but the file: answers may lag, or come from a
 * replica that is behind.
 */
export const NEW_MS = 15_000
/**
 * Until a file is this old, only its dead link shows that it is gone. Longer lags would make every service
 * unusable.
 */
export const YOUNG_MS = 2 * 60_000

/** What is known about a file for which the service has answered 404 or 410. */
export interface Missing {
  /** Milliseconds since the file was stored, or was first seen here; null if that was long ago. */
  readonly ageMs: number | null
  /**
   * What the file's public link shows. `unread`: it has none, or the answer doesn't show whether it leads to
   * the file.
   */
  readonly link: 'lives' | 'dead' | 'unread'
  /**
   * What answers at the same moment that would show the file, too. `lacks`: another single file is shown, or
   * the whole list without this one. `shows`: the list has the file. `none`: nothing answers, as when
   * something in front of the service refuses all files.
   */
  readonly others: 'lacks' | 'shows' | 'none'
  /** Whether an earlier request to delete this file was sent, and its answer was lost. */
  readonly wasDeleted: boolean
}

/**
 * | the file          | its link | others | verdict |
 * |-------------------|----------|--------|---------|
 * | any               | lives    | any    | yes     |
 * | any               | not      | shows  | yes     |
 * | any               | not      | none   | unknown |
 * | deletion was sent | not      | lacks  | no      |
 * | new               | not      | lacks  | unknown |
 * | young             | unread   | lacks  | unknown |
 * | young             | dead     | lacks  | no      |
 * | old               | not      | lacks  | no      |
 */
export function judgeMissing({ ageMs, link, others, wasDeleted }: Missing): Verdict {
  if (link === 'lives' || others === 'shows') return 'yes'
  if (others === 'none') return 'unknown'
  if (wasDeleted || ageMs === null || ageMs >= YOUNG_MS) return 'no'
  return ageMs >= NEW_MS && link === 'dead' ? 'no' : 'unknown'
}

/** How late the list shows our own uploads. */
export interface ListLag {
  /**
   * Number of uploads that the list showed in time, since the last one that was late, or since `lateMs` was
   * last lowered.
   */
  readonly inTime: number
  /**
   * The highest age in milliseconds at which an upload was missing from a list that showed it later; 0 if
   * none was late. It is lowered again while uploads are in time.
   */
  readonly lateMs: number
}

export const NO_LAG: ListLag = { inTime: 0, lateMs: 0 }

/**
 * An upload counts as in time if it is listed at this age or earlier, or within half of `lateMs` if that is
 * longer.
 */
const IN_TIME_MS = 10_000
/** If no upload was late, the list counts as prompt once this many were in time. */
const PROMPT = 3
/** Once this many uploads were in time, a known lag is halved, or forgotten if it is below a second. */
const FORGET_AFTER = 32
/** Maximum lag or delay that is learned. */
const LONGEST_LAG_MS = 10 * 60_000

/**
 * Updates the lag. `shown`: the ages at which the list shows our uploads. `late`: the ages at which uploads
 * that it shows now were last missing from it. Ages are in milliseconds.
 */
export function learnLag(lag: ListLag, shown: readonly number[], late: readonly number[]): ListLag {
  const worst = Math.min(LONGEST_LAG_MS, Math.max(0, ...late))
  if (worst > 0) return { inTime: 0, lateMs: Math.max(worst, lag.lateMs) }
  const inTime = lag.inTime + shown.filter((age) => age <= Math.max(IN_TIME_MS, lag.lateMs / 2)).length
  if (lag.lateMs === 0) return inTime === lag.inTime || lag.inTime >= FORGET_AFTER ? lag : { ...lag, inTime }
  if (inTime < FORGET_AFTER) return inTime === lag.inTime ? lag : { ...lag, inTime }
  return { inTime: 0, lateMs: lag.lateMs < 1000 ? 0 : lag.lateMs / 2 }
}

/**
 * Returns the longer of two delays between the loss of an answer and the storing of its file, but at most
 * `LONGEST_LAG_MS`. `delayMs`: the longest delay so far, 0 if there was none. `seenMs`: the delay just seen.
 */
export function learnDelay(delayMs: number, seenMs: number): number {
  return Math.min(LONGEST_LAG_MS, Math.max(delayMs, seenMs))
}

/** What a list shows of our recent uploads. */
export interface Witnesses {
  /** Number of uploads, of those sent after the lost one, that the list shows. */
  readonly shown: number
  /** Number of uploads, of those sent after the lost one, that are missing from the list. */
  readonly missing: number
  /**
   * The lowest age in milliseconds at which a list showed a recent upload, sent before or after the lost one;
   * null if it showed none.
   */
  readonly withinMs: number | null
}

export interface AbsenceEvidence {
  readonly loss: Loss
  /** Milliseconds since the answer was lost. */
  readonly sinceMs: number
  readonly witnesses: Witnesses
  /** `empty`: all IDs that this file could have were requested, and none belongs to it. */
  readonly ids: 'empty' | 'unknown'
  /**
   * The lowest age in milliseconds at which a request for a single file has shown one of our uploads; null if
   * none has yet.
   */
  readonly singleWithinMs: number | null
  /**
   * Whether `/stats` counts as many files as the whole list shows. The numbers differ while the list lags.
   */
  readonly counts: 'agree' | 'differ' | 'unknown'
  readonly lag: ListLag
  /** The longest delay seen so far; see `learnDelay`. */
  readonly delayMs: number
}

export type Absence =
  | { readonly kind: 'proved'; readonly by: 'partly' | 'ids' | 'witness' | 'counts' | 'lag' }
  /** The wait has ended without proof. */
  | { readonly kind: 'unproved' }
  | { readonly kind: 'later'; readonly ms: number }

const QUIET_MS: Readonly<Record<Loss, number>> = {
  partly: 1000,
  cut: 5000,
  gateway: 15_000,
  error: 5000,
  receipt: 5000,
}
/**
 * Without proof, the wait ends after this time, or after twice the quiet time (`quietMs`) if that is longer.
 */
const GIVE_UP_MS: Readonly<Record<Loss, number>> = {
  partly: 1000,
  cut: 120_000,
  gateway: 600_000,
  error: 120_000,
  receipt: 120_000,
}
/** Time from the loss of an answer to the first lookup. */
export const FIRST_LOOK_MS = 1000
const SECOND_LOOK_MS = 4000
const LONGEST_STEP_MS = 60_000

/**
 * Postpones the decision to another lookup. The delay grows with the time since the loss, up to a minute, so
 * that lookups are frequent at first but a list that lags for minutes isn't reread constantly.
 */
function laterBy(sinceMs: number, untilMs: number): Absence {
  const step = sinceMs < SECOND_LOOK_MS ? SECOND_LOOK_MS : Math.min(LONGEST_STEP_MS, sinceMs)
  return { kind: 'later', ms: Math.max(500, Math.min(step, untilMs - sinceMs)) }
}

/**
 * Milliseconds after the loss in which nothing counts as proof of absence, because the service may still be
 * storing the file.
 */
export function quietMs(loss: Loss, delayMs: number): number {
  return loss === 'partly' ? QUIET_MS.partly : Math.max(QUIET_MS[loss], 1.5 * delayMs)
}

/** Evaluates a lookup that did not find the file. */
export function judgeAbsence(evidence: AbsenceEvidence): Absence {
  const { loss, sinceMs, witnesses, ids, singleWithinMs, counts, lag, delayMs } = evidence
  // The service doesn't store the file of an incomplete request.
  if (loss === 'partly')
    return sinceMs >= QUIET_MS.partly ? { kind: 'proved', by: 'partly' } : laterBy(sinceMs, QUIET_MS.partly)
  const quiet = quietMs(loss, delayMs)
  if (sinceMs < quiet) return laterBy(sinceMs, quiet)
  const giveUp = Math.max(GIVE_UP_MS[loss], 2 * quiet)
  // The service itself says that it stored the file, so no list proves the opposite.
  if (loss === 'receipt') return sinceMs >= giveUp ? { kind: 'unproved' } : laterBy(sinceMs, giveUp)
  // Like the list, single answers may show a file only after a while.
  const idsCaughtUp = quiet + Math.min(singleWithinMs ?? YOUNG_MS, YOUNG_MS)
  if (ids === 'empty' && sinceMs >= idsCaughtUp) return { kind: 'proved', by: 'ids' }
  const isCurrent = witnesses.missing === 0 && (witnesses.shown > 0 || counts === 'agree')
  // The service may store the file at the end of the quiet time, and the list may show it only after its lag.
  const caughtUp = Math.max(
    quiet + Math.max(witnesses.withinMs ?? IN_TIME_MS, lag.lateMs),
    lag.lateMs === 0 ? 0 : 1.5 * lag.lateMs + 1000,
  )
  // Count and list may come from the same stale copy, so their agreement doesn't prove more than a witness
  // does.
  if (isCurrent && sinceMs >= caughtUp)
    return { kind: 'proved', by: witnesses.shown > 0 ? 'witness' : 'counts' }
  if (
    counts !== 'differ' &&
    witnesses.missing === 0 &&
    lag.lateMs === 0 &&
    lag.inTime >= PROMPT &&
    sinceMs >= quiet + IN_TIME_MS
  )
    return { kind: 'proved', by: 'lag' }
  // A short lag was perhaps only the first of longer ones, so it proves absence no sooner than a list that
  // has never been late.
  if (lag.lateMs > 0 && sinceMs >= Math.max(3 * lag.lateMs + 5000, quiet + IN_TIME_MS))
    return { kind: 'proved', by: 'lag' }
  if (sinceMs >= giveUp) return { kind: 'unproved' }
  const next = [...(ids === 'empty' ? [idsCaughtUp] : []), ...(isCurrent ? [caughtUp] : []), giveUp].filter(
    (ms) => ms > sinceMs,
  )
  return laterBy(sinceMs, Math.min(...next))
}

/** With fewer known IDs than this, it can't be judged whether IDs are dense. */
const DENSE_FROM = 4
/**
 * Number of the highest known IDs to consider. IDs are dense if these make up at least half of the range that
 * they span. Only then is requesting single IDs worthwhile.
 */
const DENSE_OF = 16
/** Maximum number of IDs to request for one upload. */
export const MOST_ASKED = 12

/**
 * Returns the IDs that a file can have if `above` was the highest ID of our uploads when it was sent. These
 * are the unknown IDs between `above` and the highest ID known now, and the IDs that follow it: one for this
 * file and one for each other upload in flight. Returns null if `above` is unknown, if IDs aren't known to be
 * dense, or if there are too many to ask for.
 */
export function idsToAsk(
  known: ReadonlySet<number>,
  above: number | null,
  underWay: number,
): readonly number[] | null {
  if (above === null || known.size < DENSE_FROM || ![...known].every(isOrdered)) return null
  const newest = [...known].toSorted((a, b) => b - a).slice(0, DENSE_OF)
  const [highest = 0, lowest = 0] = [newest[0], newest.at(-1)]
  if (highest - lowest + 1 > 2 * newest.length) return null
  const last = highest + 1 + underWay
  if (!Number.isSafeInteger(last) || last - above > 200) return null
  const asked: number[] = []
  for (let id = above + 1; id <= last; id++) if (!known.has(id)) asked.push(id)
  return asked.length > MOST_ASKED ? null : asked
}
