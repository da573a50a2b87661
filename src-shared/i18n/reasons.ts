// The forms in which a reason is said: on a row, for all files together, below a heading, after a file's name, and after a count.
// The words of each language are in en/reasons.ts and de/reasons.ts; everything that names a reason takes them from there.
import type { FailedReason, HeldReason, Reason, WaitReason } from '../model.ts'

export interface WaitWords {
  /** Of one file or of the account: `Waiting for the rate limit`. */
  readonly what: string
  /** Of all files, where `what` speaks of one. */
  readonly many?: string
  /** Continues `19 waiting`. Left out where `what` does not start with that word. */
  readonly counted?: string
  /** What happens at the time that is known: `resumes`, `next try`. Null: no time is known in advance. */
  readonly next: string | null
}

export interface FailedWords {
  /** A clause in the middle of a sentence: `the file could not be read`. */
  readonly clause: string
  /** After the file's name: `could not be read`. */
  readonly predicate: string
}

export interface ReasonWords {
  readonly waiting: Readonly<Record<WaitReason, WaitWords>>
  /** After the file's name: `looks like a secret`. */
  readonly held: Readonly<Record<HeldReason, string>>
  readonly failed: Readonly<Record<FailedReason, FailedWords>>
  /** Before what a held file is held for, where no name precedes it. */
  readonly heldFor: (predicate: string) => string
  /** Before `counted`, or on its own before the whole sentence. */
  readonly countWaiting: (shown: string) => string
}

/** `when` reads inside a sentence (`at 14:03:20`); '' where no time is known. */
type Timed = (when: string) => string

function timed(what: string, next: string | null, when: string): string {
  return next === null || when === '' ? what : `${what}, ${next} ${when}`
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function mapped<K extends string, V, T>(from: Readonly<Record<K, V>>, value: (of: V) => T): Readonly<Record<K, T>> {
  return Object.fromEntries(Object.entries<V>(from).map(([key, of]) => [key, value(of)])) as Record<K, T>
}

/** One sentence for each reason, without a full stop, as a row of one file shows it. */
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

/** What all uploads wait for, as the tray shows it. */
export function sharedReasons(words: ReasonWords): Readonly<Record<WaitReason, Timed>> {
  return mapped(
    words.waiting,
    ({ what, many, next }): Timed =>
      (when) =>
        timed(many ?? what, next, when),
  )
}

/** What a group waits for, below a heading that says "Waiting" already: `for the rate limit, resumes at 14:03:20`. */
export function groupReasons(words: ReasonWords): Readonly<Record<WaitReason, Timed>> {
  return mapped(
    words.waiting,
    ({ what, counted, next }): Timed =>
      (when) =>
        timed(counted ?? what, next, when),
  )
}

/** Why a file needs attention, said after its name. */
export function namedReasons(words: ReasonWords): Readonly<Record<HeldReason | FailedReason, string>> {
  return { ...words.held, ...mapped(words.failed, ({ predicate }) => predicate) }
}

/** `19 waiting for the rate limit, resumes at 14:03:20`. `shown` is the formatted count. */
export function countedReason(words: ReasonWords, shown: string, reason: WaitReason, when: string): string {
  const { what, counted, next } = words.waiting[reason]
  const waiting = words.countWaiting(shown)
  return timed(counted === undefined ? `${waiting} · ${what}` : `${waiting} ${counted}`, next, when)
}
