// Which settings match a search: every word has to be found in the name of the section, the label or the explanation.
// Letter case and accents do not count. Pure.
import { matchesAll, searchWords } from '../../lib/search-text.ts'

export interface Searchable<Id extends string> {
  readonly id: Id
  readonly text: string
}

/** Null: nothing was typed, so nothing is filtered. */
export function findSettings<Id extends string>(query: string, all: readonly Searchable<Id>[]): ReadonlySet<Id> | null {
  const words = searchWords(query)
  if (words.length === 0) return null
  return new Set(all.filter(({ text }) => matchesAll(words, text)).map(({ id }) => id))
}
