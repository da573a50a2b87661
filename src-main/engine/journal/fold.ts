// Folds text for searching: no case, no accents, so that `RESUME` finds `Résumé`. Pure. The same function is applied to stored and searched
// text.

const PLAIN = /^[\x20-\x7e\n]*$/

export function fold(text: string): string {
  // Most names are ASCII, for which this is much cheaper.
  return PLAIN.test(text) ? text.toLowerCase() : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** A pattern that matches `search` anywhere in folded text, for `LIKE ? ESCAPE '\'`. */
export function likeFolded(search: string): string {
  return `%${fold(search).replaceAll(/[\\%_]/g, '\\$&')}%`
}
