// How the service rewrites file names, learned from our receipts. Names only rank the candidates, so that the likeliest is compared first; they
// exclude none. Pure.
import { foldName } from './match.ts'

/**
 * `kept`: as it was sent. `shaped`: other case, marks, escapes or a counter. `wrapped`: something was put before or behind it. `cut`: only its
 * beginning is left. `replaced`: nothing of it is left but perhaps the extension.
 */
export type Renaming = 'kept' | 'shaped' | 'wrapped' | 'cut' | 'replaced'

/** How many receipts showed each. */
export type NameHabits = Readonly<Record<Renaming, number>>

export const NO_NAME_HABITS: NameHabits = { kept: 0, shaped: 0, wrapped: 0, cut: 0, replaced: 0 }

/** Counts beyond this say nothing new, and need not be written any more. */
const ENOUGH = 8
/** A name of which less is left says nothing. */
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
  // Cut before its extension, which is put back.
  if (isSameExtension && other.length >= CUT_LEAST && base.startsWith(other)) return 'cut'
  return 'replaced'
}

/** The same object where the receipt teaches nothing new. */
export function learnName(habits: NameHabits, sent: string, shown: string | null): NameHabits {
  if (shown === null) return habits
  const renaming = renamingOf(sent, shown)
  return habits[renaming] >= ENOUGH ? habits : { ...habits, [renaming]: habits[renaming] + 1 }
}

/** 0 for the likeliest name up to 4 for one that speaks against the file. */
export function nameRank(sent: string, shown: string | null, habits: NameHabits): 0 | 1 | 2 | 3 | 4 {
  if (shown === null) return 3
  const renaming = renamingOf(sent, shown)
  if (renaming === 'kept') return 0
  if (renaming === 'replaced') return habits.replaced > 0 ? 3 : 4
  return habits[renaming] > 0 ? 1 : 2
}

/** Whether a name that is shown as it was sent can't be another file's: false where names are cut or replaced, which makes others alike. */
export function namesIdentify(habits: NameHabits): boolean {
  return habits.cut === 0 && habits.replaced === 0
}

/** Enough receipts kept their names, and none lost it, to leave out a file of another name whose bytes can't be had. */
export function keepsNames(habits: NameHabits): boolean {
  return habits.kept >= 3 && habits.cut === 0 && habits.replaced === 0 && habits.wrapped === 0
}
