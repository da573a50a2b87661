// Text as it is searched: no case, no accents, so that `RESUME` finds `Résumé`.
// Pure, and the same for what is stored and what is asked.

const PLAIN = /^[\x20-\x7e\n]*$/

export function fold(text: string): string {
  // Most names are plain; the rest pays for its marks.
  return PLAIN.test(text) ? text.toLowerCase() : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** The pattern that finds `search` anywhere in folded text, for `LIKE ? ESCAPE '\'`. */
export function likeFolded(search: string): string {
  return `%${fold(search).replaceAll(/[\\%_]/g, '\\$&')}%`
}
