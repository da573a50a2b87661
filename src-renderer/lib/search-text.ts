// Matching what a person typed against names on screen: every word has to be found, letter case and accents do not count.
// It compares text in memory; searching files is the engine's task.

/** The text without accents and letter case. */
export function foldText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** The folded words of what was typed; empty where nothing but spaces was. */
export function searchWords(typed: string): readonly string[] {
  return foldText(typed)
    .split(/\s+/)
    .filter((word) => word !== '')
}

export function matchesAll(words: readonly string[], text: string): boolean {
  const folded = foldText(text)
  return words.every((word) => folded.includes(word))
}
