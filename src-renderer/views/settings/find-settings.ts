// Finds the settings that match a search. Every word must occur in the section's name, the label or the
// explanation. Case and accents are ignored. Pure.
import { matchesAll, searchWords } from '../../lib/search-text.ts'

export interface Searchable<Id extends string> {
  readonly id: Id
  readonly text: string
}

/** Returns the IDs of the matching settings; null if nothing was typed, so that all settings are shown. */
export function findSettings<Id extends string>(
  query: string,
  all: readonly Searchable<Id>[],
): ReadonlySet<Id> | null {
  const words = searchWords(query)
  if (words.length === 0) return null
  return new Set(all.filter(({ text }) => matchesAll(words, text)).map(({ id }) => id))
}
