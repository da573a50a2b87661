// Turns the text of a search into a pattern for SQL. Pure. The columns that are searched contain text that was folded in the same way
// (src-shared/fold-text.ts).
import { foldText } from '../../../src-shared/fold-text.ts'

/** Returns a pattern that matches `search` anywhere in folded text, for `LIKE ? ESCAPE '\'`. */
export function likeFolded(search: string): string {
  return `%${foldText(search).replaceAll(/[\\%_]/g, '\\$&')}%`
}
