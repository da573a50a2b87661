// Whether a file whose answer was lost is surely not on the service. Two short looks at the list prove nothing: the list may be late, and the
// service may store the file long after the connection was cut. Pure.
import type { Loss } from '../journal/transfers.ts'

/** What own receipts taught about the list. */
export interface ListLag {
  /** Receipts that it showed soon after their answer, since one was last missing. */
  readonly inTime: number
  /** The greatest age in milliseconds at which one was missing and came later; 0: none was. */
  readonly lateMs: number
}

export const NO_LAG: ListLag = { inTime: 0, lateMs: 0 }

/** A receipt that is shown at this age counts as shown in time. */
const IN_TIME_MS = 10_000
/** Receipts in time that make a list prompt ... */
const PROMPT = 3
/** ... and those that halve what was learned of one that was late. */
const FORGET_AFTER = 32
/** No lag or delay beyond this is waited for. */
const LONGEST_LAG_MS = 10 * 60_000

/** `shown`: ages of receipts in the list; `late`: ages at which receipts were missing that it shows by now. All in milliseconds. */
export function learnLag(lag: ListLag, shown: readonly number[], late: readonly number[]): ListLag {
  const worst = Math.min(LONGEST_LAG_MS, Math.max(0, ...late))
  if (worst > 0) return { inTime: 0, lateMs: Math.max(worst, lag.lateMs) }
  const inTime = lag.inTime + shown.filter((age) => age <= Math.max(IN_TIME_MS, lag.lateMs / 2)).length
  if (lag.lateMs === 0) return inTime === lag.inTime || lag.inTime >= FORGET_AFTER ? lag : { ...lag, inTime }
  if (inTime < FORGET_AFTER) return inTime === lag.inTime ? lag : { ...lag, inTime }
  return { inTime: 0, lateMs: lag.lateMs < 1000 ? 0 : lag.lateMs / 2 }
}

/** The longest delay in milliseconds between a lost answer and its file being stored, as far as it was seen; 0: never. */
export function learnDelay(delayMs: number, seenMs: number): number {
  return Math.min(LONGEST_LAG_MS, Math.max(delayMs, seenMs))
}

export interface AbsenceEvidence {
  readonly loss: Loss
  /** Since the answer was lost, in milliseconds. */
  readonly sinceMs: number
  /** Own uploads that were sent after this one: those that the list shows, and those that it should show and does not. */
  readonly witnesses: { readonly shown: number; readonly missing: number }
  /** `empty`: ids are dense, and every id that this file could have has been asked for in vain. */
  readonly ids: 'empty' | 'unknown'
  /** Whether `/stats` counts just as many files as the whole list shows: where the list is late, they differ. */
  readonly counts: 'agree' | 'differ' | 'unknown'
  readonly lag: ListLag
  readonly delayMs: number
}

export type Absence =
  | { readonly kind: 'proved'; readonly by: 'partly' | 'ids' | 'witness' | 'counts' | 'lag' }
  /** Looked long enough, and nothing speaks for or against it. */
  | { readonly kind: 'unproved' }
  | { readonly kind: 'later'; readonly ms: number }

const QUIET_MS: Readonly<Record<Loss, number>> = { partly: 1000, cut: 5000, gateway: 15_000 }
/** After so long without any evidence the wait ends. */
const GIVE_UP_MS: Readonly<Record<Loss, number>> = { partly: 1000, cut: 120_000, gateway: 600_000 }
const FIRST_LOOK_MS = 1000
const SECOND_LOOK_MS = 4000
const LONGEST_STEP_MS = 60_000

/** Milliseconds from the loss of an answer to the first look. */
export function firstLookMs(): number {
  return FIRST_LOOK_MS
}

/** Looks are as far apart as the loss is ago, so that they come quickly at first and a list that is late for minutes is not hammered. */
function laterBy(sinceMs: number, untilMs: number): Absence {
  const step = sinceMs < SECOND_LOOK_MS ? SECOND_LOOK_MS : Math.min(LONGEST_STEP_MS, sinceMs)
  return { kind: 'later', ms: Math.max(500, Math.min(step, untilMs - sinceMs)) }
}

/** So many milliseconds nothing counts as proof: the service may still be storing. */
export function quietMs(loss: Loss, delayMs: number): number {
  return loss === 'partly' ? QUIET_MS.partly : Math.max(QUIET_MS[loss], 1.5 * delayMs)
}

/** What a look that did not find the file means. */
export function judgeAbsence(evidence: AbsenceEvidence): Absence {
  const { loss, sinceMs, witnesses, ids, counts, lag, delayMs } = evidence
  // What did not arrive whole is not stored.
  if (loss === 'partly') return sinceMs >= QUIET_MS.partly ? { kind: 'proved', by: 'partly' } : laterBy(sinceMs, QUIET_MS.partly)
  const quiet = quietMs(loss, delayMs)
  if (sinceMs < quiet) return laterBy(sinceMs, quiet)
  if (ids === 'empty') return { kind: 'proved', by: 'ids' }
  const caughtUp = lag.lateMs === 0 ? 0 : 1.5 * lag.lateMs + 1000
  if (witnesses.shown > 0 && witnesses.missing === 0 && sinceMs >= caughtUp) return { kind: 'proved', by: 'witness' }
  if (counts === 'agree' && witnesses.missing === 0) return { kind: 'proved', by: 'counts' }
  if (counts !== 'differ' && witnesses.missing === 0 && lag.lateMs === 0 && lag.inTime >= PROMPT && sinceMs >= IN_TIME_MS + 2000)
    return { kind: 'proved', by: 'lag' }
  if (lag.lateMs > 0 && sinceMs >= 3 * lag.lateMs + 5000) return { kind: 'proved', by: 'lag' }
  const giveUp = Math.max(GIVE_UP_MS[loss], 2 * quiet)
  return sinceMs >= giveUp ? { kind: 'unproved' } : laterBy(sinceMs, giveUp)
}

/** Ids are asked for where they are dense: of the highest ones that are known, at most every other is missing. */
const DENSE_FROM = 4
const DENSE_OF = 16
const MOST_ASKED = 12

/**
 * The ids that a file can have that was sent when `above` was the highest known one: the holes since, and as many beyond the highest as
 * uploads may be on their way. Null where ids are not dense, or where there would be too many to ask for.
 */
export function idsToAsk(known: ReadonlySet<number>, above: number | null, underWay: number): readonly number[] | null {
  if (above === null || known.size < DENSE_FROM) return null
  const newest = [...known].toSorted((a, b) => b - a).slice(0, DENSE_OF)
  const [highest = 0, lowest = 0] = [newest[0], newest.at(-1)]
  if (highest - lowest + 1 > 2 * newest.length) return null
  const last = highest + 1 + underWay
  if (!Number.isSafeInteger(last) || last - above > 200) return null
  const asked: number[] = []
  for (let id = above + 1; id <= last; id++) if (!known.has(id)) asked.push(id)
  return asked.length > MOST_ASKED ? null : asked
}
