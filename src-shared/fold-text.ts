// Folds text for searching: removes case and accents, so that `RESUME` finds `Résumé`. The engine and the
// window fold both text and search with this function, so that they find the same names.

const PLAIN = /^[\x20-\x7e\n]*$/

export function foldText(text: string): string {
  // Most names are ASCII. For these, toLowerCase alone is enough, and much faster.
  return PLAIN.test(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
