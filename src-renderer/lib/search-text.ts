// Searches texts in memory: the palette's commands and the settings. Every typed word must occur in the text.
// With `matchesNearly`, it must be the beginning of a word in the text, but may contain typos. Case and
// accents are ignored. The engine searches files.
import { foldText } from '../../src-shared/fold-text.ts'

/**
 * Returns the words of a search, without case and accents (fold-text.ts), or an empty list if it contains
 * only spaces.
 */
export function searchWords(typed: string): readonly string[] {
  return foldText(typed)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/**
 * Whether `text` contains every word, at any position. `words` is the result of `searchWords`; an empty list
 * matches every text.
 */
export function matchesAll(words: readonly string[], text: string): boolean {
  const folded = foldText(text)
  return words.every((word) => folded.includes(word))
}

/**
 * Returns the minimum number of insertions, deletions, substitutions and transpositions that turn `typed`
 * into the beginning of `word`.
 */
function errorsIn(typed: string, word: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: word.length + 1 }, (_, i) => i)
  for (let i = 1; i <= typed.length; i++) {
    const row = [i]
    for (let j = 1; j <= word.length; j++) {
      const isSame = typed[i - 1] === word[j - 1]
      const isSwap = i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1]
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = row
  }
  // `typed` may match only the beginning of `word`, so take the minimum over all beginnings of `word`.
  return Math.min(...last)
}

/**
 * Whether each typed word is the beginning of a word in `text`, with at most two typos in words of eight
 * letters or more, one in words of four to seven, and none in shorter ones.
 */
export function matchesNearly(words: readonly string[], text: string): boolean {
  const parts = foldText(text).split(/[^\p{L}\p{N}]+/u)
  return words.every((word) => {
    const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2
    return parts.some((part) => errorsIn(word, part) <= most)
  })
}
