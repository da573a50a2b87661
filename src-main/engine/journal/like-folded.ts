// Turns the text of a search into a pattern for SQL. Pure.
// The columns that are searched hold folded text too (src-shared/fold-text.ts).
import { foldText } from '../../../src-shared/fold-text.ts'

/** A pattern that matches `search` anywhere in folded text, for `LIKE ? ESCAPE '\'`. */
export function likeFolded(search: string): string {
  return `%${foldText(search).replaceAll(/[\\%_]/g, '\\$&')}%`
}
