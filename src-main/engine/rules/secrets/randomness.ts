// Decides whether a short text is random, like a generated password, or consists of words, numbers and abbreviations, like an identifier.
// Compares how likely the text is under two models: a chain of words as in identifiers, and letters and digits drawn at random. Entropy
// can't tell them apart: ten different letters have the same entropy in a word and in a password. Pure.
import { BIP39_ENGLISH } from './bip39-words.ts'

type Kind = 'lower' | 'upper' | 'digit' | 'other'

/** How likely each kind of character is to follow another in an identifier. Case and digits usually change only between words. */
const FOLLOWS: Readonly<Record<Kind, Readonly<Record<Kind, number>>>> = {
  lower: { lower: 0.86, upper: 0.07, digit: 0.03, other: 0.04 },
  upper: { lower: 0.55, upper: 0.35, digit: 0.05, other: 0.05 },
  digit: { lower: 0.1, upper: 0.1, digit: 0.65, other: 0.15 },
  other: { lower: 0.5, upper: 0.25, digit: 0.25, other: 1 },
}
const LETTERS = 26
const DIGITS = 10
/** Bits per character of a text drawn from letters of both cases and digits. */
const RANDOM_BITS = Math.log2(2 * LETTERS + DIGITS)
/** Added to each count of a pair of letters, because words of other languages and abbreviations contain pairs that the list doesn't. */
const UNSEEN = 0.5

function kindOf(code: number): Kind {
  if (code >= 97 && code <= 122) return 'lower'
  if (code >= 65 && code <= 90) return 'upper'
  return code >= 48 && code <= 57 ? 'digit' : 'other'
}

/** Cost, in bits, of a letter after another one in English words, at index `before * 26 + letter`. */
let pairBits: Float64Array | null = null

function pairs(): Float64Array {
  if (pairBits !== null) return pairBits
  const counts = new Float64Array(LETTERS * LETTERS).fill(UNSEEN)
  for (const word of BIP39_ENGLISH.trim().split(/\s+/))
    for (let i = 1; i < word.length; i++) {
      const at = (word.charCodeAt(i - 1) - 97) * LETTERS + word.charCodeAt(i) - 97
      counts[at] = (counts[at] ?? 0) + 1
    }
  pairBits = new Float64Array(LETTERS * LETTERS)
  for (let before = 0; before < LETTERS; before++) {
    const row = counts.subarray(before * LETTERS, (before + 1) * LETTERS)
    const sum = row.reduce((all, count) => all + count, 0)
    for (let letter = 0; letter < LETTERS; letter++) pairBits[before * LETTERS + letter] = Math.log2(sum / (row[letter] ?? UNSEEN))
  }
  return pairBits
}

/**
 * How much more likely the text is as an identifier than as random letters and digits, in bits; negative if it is more likely random.
 * Characters other than ASCII letters and digits separate words and count for neither.
 */
export function wordBits(text: string): number {
  const table = pairs()
  let bits = 0
  let before: Kind = 'other'
  let last = -1
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const kind = kindOf(code)
    const letter = kind === 'lower' || kind === 'upper' ? (code | 0x20) - 97 : -1
    if (kind !== 'other') {
      const isInWord = last >= 0 && letter >= 0 && !(before === 'lower' && kind === 'upper')
      const cost = isInWord ? (table[last * LETTERS + letter] ?? 0) : Math.log2(letter >= 0 ? LETTERS : DIGITS)
      bits += RANDOM_BITS - cost + Math.log2(FOLLOWS[before][kind])
    }
    before = kind
    last = letter
  }
  return bits
}
