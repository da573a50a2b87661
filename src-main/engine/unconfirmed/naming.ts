// Learns from receipts how the service changes file names. Names rank the candidates, so that the likeliest is compared first. A name
// excludes a candidate only if the candidate's bytes can't be read and the service keeps names. Pure.
import { foldName } from './match.ts'

/**
 * `kept`: unchanged. `shaped`: other case, punctuation, escapes or a counter. `wrapped`: with a prefix or suffix. `cut`: truncated.
 * `replaced`: a new name, perhaps with the old extension.
 */
export type Renaming = 'kept' | 'shaped' | 'wrapped' | 'cut' | 'replaced'

/** Number of receipts that showed each kind of change. */
export type NameHabits = Readonly<Record<Renaming, number>>

export const NO_NAME_HABITS: NameHabits = { kept: 0, shaped: 0, wrapped: 0, cut: 0, replaced: 0 }

/** Maximum of each count. Higher counts wouldn't change any decision. */
const ENOUGH = 8
/** Minimum length of a truncated name. A shorter one isn't distinctive. */
const CUT_LEAST = 6

function parts(name: string): readonly [base: string, extension: string] {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)]
}

export function renamingOf(sent: string, shown: string): Renaming {
  if (sent === shown || sent.normalize('NFC') === shown.normalize('NFC')) return 'kept'
  const [a, b] = [foldName(sent), foldName(shown)]
  if (a === b) return 'shaped'
  const [sentBase, sentExtension] = parts(sent)
  const [shownBase, shownExtension] = parts(shown)
  const [base, other] = [foldName(sentBase), foldName(shownBase)]
  const isSameExtension = foldName(sentExtension) === foldName(shownExtension)
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
  const renaming = renamingOf(sent, shown)
  return habits[renaming] >= ENOUGH ? habits : { ...habits, [renaming]: habits[renaming] + 1 }
}

/** Ranks how likely it is that a file sent as `sent` is shown as `shown`, from 0 (most likely) to 4 (least likely). */
export function nameRank(sent: string, shown: string | null, habits: NameHabits): 0 | 1 | 2 | 3 | 4 {
  if (shown === null) return 3
  const renaming = renamingOf(sent, shown)
  if (renaming === 'kept') return 0
  if (renaming === 'replaced') return habits.replaced > 0 ? 3 : 4
  return habits[renaming] > 0 ? 1 : 2
}

/**
 * Whether an unchanged name identifies the file. It doesn't if the service truncates or replaces names, because different names may then
 * become equal.
 */
export function namesIdentify(habits: NameHabits): boolean {
  return habits.cut === 0 && habits.replaced === 0
}

/** Whether names are kept reliably enough to rule out a file with another name if its bytes can't be read. */
export function keepsNames(habits: NameHabits): boolean {
  return habits.kept >= 3 && habits.cut === 0 && habits.replaced === 0 && habits.wrapped === 0
}
