// Matches a search against names on screen: every word has to be found; letter case and accents are ignored.
// It compares text in memory; the engine searches files.

/** The text without accents and letter case. */
export function foldText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** The folded words of a search; empty where it has only spaces. */
export function searchWords(typed: string): readonly string[] {
  return foldText(typed)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** `words` from `searchWords`. An empty list matches everything. */
export function matchesAll(words: readonly string[], text: string): boolean {
  const folded = foldText(text)
  return words.every((word) => folded.includes(word))
}
