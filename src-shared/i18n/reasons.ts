// Builds the text of a reason in the form that each context needs: for the row of a file, for all files
// together, under a heading, after a file's name, or after a count. The words come from en/reasons.ts and
// de/reasons.ts.
import type { FailedReason, HeldReason, Reason, WaitReason } from '../model.ts'

export interface WaitWords {
  /** For one file or the account: `Waiting for the rate limit`. */
  readonly what: string
  /** For all files, if `what` is about a single one. */
  readonly many?: string
  /** Continues `19 waiting`. Left out if `what` doesn't start with "Waiting". */
  readonly counted?: string
  /** What happens when the wait ends: `resumes`, `next try`. Null if the end is never known in advance. */
  readonly next: string | null
}

export interface FailedWords {
  /** A clause in the middle of a sentence: `the file could not be read`. */
  readonly clause: string
  /** A predicate that follows the file's name: `could not be read`. */
  readonly predicate: string
}

export interface ReasonWords {
  readonly waiting: Readonly<Record<WaitReason, WaitWords>>
  /** Predicates that follow the file's name: `looks like a secret`. */
  readonly held: Readonly<Record<HeldReason, string>>
  readonly failed: Readonly<Record<FailedReason, FailedWords>>
  /** For places where no file name precedes the predicate: `Held: looks like a secret`. */
  readonly heldFor: (predicate: string) => string
  /** Returns `19 waiting`, which is followed by `counted` or, after a `·`, by `what`. */
  readonly countWaiting: (n: number, shown: string) => string
}

/** `when` fits into a sentence (`at 14:03:20`); '' if no time is known. */
type Timed = (when: string) => string

function timed(what: string, next: string | null, when: string): string {
  return next === null || when === '' ? what : `${what}, ${next} ${when}`
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function mapped<K extends string, V, T>(
  from: Readonly<Record<K, V>>,
  value: (of: V) => T,
): Readonly<Record<K, T>> {
  return Object.fromEntries(Object.entries<V>(from).map(([key, of]) => [key, value(of)])) as Record<K, T>
}

/** Returns a sentence for each reason, without a full stop, for the row of one file. */
export function rowReasons(words: ReasonWords): Readonly<Record<Reason, Timed>> {
  return {
    ...mapped(
      words.waiting,
      ({ what, next }): Timed =>
        (when) =>
          timed(what, next, when),
    ),
    ...mapped(
      words.held,
      (predicate): Timed =>
        () =>
          words.heldFor(predicate),
    ),
    ...mapped(
      words.failed,
      ({ clause }): Timed =>
        () =>
          capitalized(clause),
    ),
  }
}

/** Returns what all uploads wait for, as the tray shows it. */
export function sharedReasons(words: ReasonWords): Readonly<Record<WaitReason, Timed>> {
  return mapped(
    words.waiting,
    ({ what, many, next }): Timed =>
      (when) =>
        timed(many ?? what, next, when),
  )
}

/**
 * Returns what a group waits for, under a heading that already says "Waiting": `for the rate limit, resumes
 * at 14:03:20`.
 */
export function groupReasons(words: ReasonWords): Readonly<Record<WaitReason, Timed>> {
  return mapped(
    words.waiting,
    ({ what, counted, next }): Timed =>
      (when) =>
        timed(counted ?? what, next, when),
  )
}

/** Returns why a file needs attention, as a predicate that follows its name. */
export function namedReasons(words: ReasonWords): Readonly<Record<HeldReason | FailedReason, string>> {
  return { ...words.held, ...mapped(words.failed, ({ predicate }) => predicate) }
}

/**
 * Says how many files wait, and for what: `19 waiting for the rate limit, resumes at 14:03:20`. `shown` is
 * `n`, formatted.
 */
export function countedReason(
  words: ReasonWords,
  { n, shown }: { readonly n: number; readonly shown: string },
  reason: WaitReason,
  when: string,
): string {
  const { what, counted, next } = words.waiting[reason]
  const waiting = words.countWaiting(n, shown)
  return timed(counted === undefined ? `${waiting} · ${what}` : `${waiting} ${counted}`, next, when)
}
