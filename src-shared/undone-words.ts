// Builds the text that says what an undo has done, and what became of each file of an upload. The window shows it
// on a card, the shell in a notification.

import type { Formats } from './i18n/formats.ts'
import type { Texts } from './i18n/texts.ts'
import type { Undone } from './window-contract.ts'

const PARTS = ['cancelled', 'checking', 'deleting', 'deleted', 'kept'] as const

/** Null if all files are deleted after an undo period, which is shown with its time. */
export function undoneWords(t: Texts, f: Pick<Formats, 'count'>, undone: Undone): string | null {
  const { what, count } = undone
  if (what !== 'upload') return t.undone[what]
  const parts = PARTS.filter((part) => undone[part] > 0)
  const [only, ...others] = parts
  if (only === undefined || (only === 'deleting' && others.length === 0)) return null
  if (others.length === 0) return t.undoneAll[only](count)
  return parts.map((part) => t.undoneParts[part](undone[part], f.count(undone[part]))).join(' · ')
}
