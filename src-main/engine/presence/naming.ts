// Learns from receipts how the service changes file names; names rank candidates and rarely exclude one.
// `ServiceHabits` also learns how late the service lists and stores files, and keeps all of it in the
// journal.

import type { Facts } from '../journal/single-values.ts'
import type { TransferRow } from '../journal/transfers.ts'
import { type ListLag, learnDelay, learnLag, NO_LAG } from './evidence.ts'

export const NO_NAME_HABITS: NameHabits = { kept: 0, shaped: 0, wrapped: 0, cut: 0, replaced: 0 }

/** Maximum of each count. Higher counts wouldn't change any decision. */
const ENOUGH = 8

/** Minimum length of a truncated name. A shorter one isn't distinctive. */
const CUT_LEAST = 6

/** Number of kept names that show that the service keeps names. */
const KEPT_LEAST = 3

/**
 * A letter that isn't Latin. A service whose character set lacks such letters may still keep accented Latin
 * ones.
 */
const FOREIGN = /(?!\p{Script=Latin})\p{L}/u

/**
 * `kept`: unchanged. `shaped`: other case, punctuation, escapes or a counter. `wrapped`: with a prefix or
 * suffix. `cut`: truncated. `replaced`: a new name, perhaps with the old extension.
 */
export type Renaming = 'kept' | 'shaped' | 'wrapped' | 'cut' | 'replaced'

/** Number of receipts that showed each kind of change. */
export interface NameHabits extends Readonly<Record<Renaming, number>> {
  /** How many of the kept names contained letters of other scripts than Latin; missing if none did. */
  readonly keptForeign?: number | undefined
}

function parts(name: string): readonly [base: string, extension: string] {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)]
}

/**
 * Reduces a name to what usually stays the same when a service changes case, spaces, punctuation or escapes,
 * or adds a counter such as "(1)". Drops letters outside ASCII, because a service may drop or replace them:
 * names that differ only in such letters may become equal.
 */
function foldName(name: string): string {
  return foldLetters(name).replace(/[^a-z0-9]/g, '')
}

/** Like `foldName`, but keeps the letters and digits of all scripts. */
function foldLetters(name: string): string {
  let plain = name
  try {
    plain = decodeURIComponent(name)
  } catch {
    // The name has no valid escapes.
  }
  return (
    plain
      .normalize('NFKD')
      .toLowerCase()
      // A counter such as "(1)" that services append to names they already have. Other digits belong to the
      // name.
      .replace(/[ _-]?\(\d+\)(?=\.[^.]*$|$)/, '')
      .replace(/[^\p{L}\p{N}]/gu, '')
  )
}

/**
 * `fold`: reduces a name to what is compared. With `foldName`, more names count as similar than with
 * `foldLetters`.
 */
export function renamingOf(
  sent: string,
  shown: string,
  fold: (name: string) => string = foldLetters,
): Renaming {
  if (sent === shown || sent.normalize('NFC') === shown.normalize('NFC')) return 'kept'
  const [a, b] = [fold(sent), fold(shown)]
  if (a === b) return 'shaped'
  const [sentBase, sentExtension] = parts(sent)
  const [shownBase, shownExtension] = parts(shown)
  const [base, other] = [fold(sentBase), fold(shownBase)]
  const isSameExtension = fold(sentExtension) === fold(shownExtension)
  if (isSameExtension && base !== '' && (other.startsWith(base) || other.endsWith(base))) return 'wrapped'
  if (a.length > 1 && (b.endsWith(a) || b.startsWith(a))) return 'wrapped'
  if (b.length >= CUT_LEAST && a.startsWith(b)) return 'cut'
  // The service truncated the name before the extension and kept the extension.
  if (isSameExtension && other.length >= CUT_LEAST && base.startsWith(other)) return 'cut'
  return 'replaced'
}

/** Counts the kind of change that a receipt shows. Returns `habits` itself if nothing changes. */
export function learnName(habits: NameHabits, sent: string, shown: string | null): NameHabits {
  if (shown === null) return habits
  // A name that lost letters of any script counts as replaced or truncated, because different names may have
  // become equal.
  const renaming = renamingOf(sent, shown)
  const keptForeign = habits.keptForeign ?? 0
  const isForeign = renaming === 'kept' && keptForeign < ENOUGH && FOREIGN.test(sent)
  if (habits[renaming] >= ENOUGH && !isForeign) return habits
  const counted = { ...habits, [renaming]: Math.min(ENOUGH, habits[renaming] + 1) }
  return isForeign ? { ...counted, keptForeign: keptForeign + 1 } : counted
}

/**
 * Ranks how likely it is that a file sent as `sent` is shown as `shown`, from 0 (most likely) to 4 (least
 * likely).
 */
export function nameRank(sent: string, shown: string | null, habits: NameHabits): 0 | 1 | 2 | 3 | 4 {
  if (shown === null) return 3
  const renaming = renamingOf(sent, shown, keepsNames(habits, sent) ? foldLetters : foldName)
  if (renaming === 'kept') return 0
  if (renaming === 'replaced') return habits.replaced > 0 ? 3 : 4
  return habits[renaming] > 0 ? 1 : 2
}

/**
 * Whether an unchanged name identifies the file. It doesn't if the service truncates or replaces names,
 * because different names may then become equal.
 */
export function namesIdentify(habits: NameHabits): boolean {
  return habits.cut === 0 && habits.replaced === 0
}

/**
 * Whether names such as `sent` are kept reliably enough to rule out a file with another name if its bytes
 * can't be read. A service may keep ASCII names and drop, replace or transliterate other letters, so kept
 * ASCII names prove nothing about names with such letters.
 */
export function keepsNames(habits: NameHabits, sent: string): boolean {
  const kept = /^[\0-\x7f]*$/.test(sent) ? habits.kept : (habits.keptForeign ?? 0)
  return kept >= KEPT_LEAST && habits.cut === 0 && habits.replaced === 0 && habits.wrapped === 0
}

/** Whether the service may show a file sent as `sent` as `shown`. */
export function mayBecome(sent: string, shown: string): boolean {
  return renamingOf(sent, shown, foldName) !== 'replaced'
}

/**
 * Returns the same key for uploads that could be mistaken for each other. Only one transfer per key may be in
 * flight or unconfirmed at a time. That includes `отчёт 2024.txt` and `2024.txt`: if a service drops the
 * first name's letters, its file has the second one's name.
 */
export function doubtKey(name: string, size: number): string {
  return `${foldName(name).slice(0, 48)}\0${size}`
}

// Learns from our uploads how late the service lists and stores files, and how it renames them. Stores the
// results in the journal, so that they survive a restart.
export class ServiceHabits {
  readonly #facts: Facts
  readonly #wireName: (name: string) => string
  #lag: ListLag
  #delayMs: number
  #names: NameHabits

  /** `wireName`: returns the name to send for a name that may contain bytes that aren't valid UTF-8. */
  constructor(facts: Facts, wireName: (name: string) => string) {
    this.#facts = facts
    this.#wireName = wireName
    this.#lag = facts.get('list-lag') ?? NO_LAG
    this.#delayMs = facts.get('store-delay') ?? 0
    this.#names = facts.get('names') ?? NO_NAME_HABITS
  }

  get lag(): ListLag {
    return this.#lag
  }

  get delayMs(): number {
    return this.#delayMs
  }

  get names(): NameHabits {
    return this.#names
  }

  /** The name under which the file is sent. */
  sendName({ name }: Pick<TransferRow, 'name'>): string {
    return this.#wireName(name)
  }

  /**
   * The name under which the last request for the row was sent. A file renamed since may be stored under its
   * earlier name.
   */
  sentName({ name, sentName }: Pick<TransferRow, 'name' | 'sentName'>): string {
    return this.#wireName(sentName ?? name)
  }

  /** Learns that a file sent as `sent` is shown as `shown`. */
  learnName(sent: string, shown: string | null): void {
    const next = learnName(this.#names, sent, shown)
    if (next !== this.#names) this.#facts.set('names', next)
    this.#names = next
  }

  /** Updates the lag of the list; see `learnLag` in evidence.ts. */
  learnLag(shown: readonly number[], late: readonly number[]): void {
    const next = learnLag(this.#lag, shown, late)
    if (next !== this.#lag) this.#facts.set('list-lag', next)
    this.#lag = next
  }

  /** Learns that a file was stored `seenMs` milliseconds after the answer to its upload was lost. */
  learnDelay(seenMs: number): void {
    const next = learnDelay(this.#delayMs, Math.round(seenMs))
    if (next !== this.#delayMs) this.#facts.set('store-delay', next)
    this.#delayMs = next
  }

  /**
   * Forgets everything that was learned. Call when the account changes, because the new account may be on
   * another service.
   */
  reset(): void {
    this.#lag = NO_LAG
    this.#delayMs = 0
    this.#names = NO_NAME_HABITS
    for (const key of ['list-lag', 'store-delay', 'names'] as const) this.#facts.set(key, null)
  }
}
