// Finds wallet seed phrases (BIP 39, English): 12, 15, 18, 21 or 24 words of the list with a valid checksum, alone on a line, after a
// label, in quotes, or a few per line, numbered or not. The checksum rules out ordinary sentences.
import { createHash } from 'node:crypto'
import { BIP39_ENGLISH } from './bip39-words.ts'

const COUNTS: ReadonlySet<number> = new Set([12, 15, 18, 21, 24])
const WORDS_MAX = 24
const WORD_MAX_LENGTH = 8
/** Length in characters of the shortest phrase: twelve words of three letters, separated by one character. */
const SHORTEST = 47
/** Maximum number of words per line in a phrase that spans several lines. */
const ROW_WORDS_MAX = 8
/** A part is the text up to a line break or quotation mark. If it is longer than this, it contains more than a phrase. */
const PART_MAX_BYTES = 400

let numbers: ReadonlyMap<string, number> | null = null

function words(): ReadonlyMap<string, number> {
  numbers ??= new Map(
    BIP39_ENGLISH.trim()
      .split(/\s+/)
      .map((word, number) => [word, number]),
  )
  return numbers
}

/** Whether the words form a phrase with a valid checksum. `phrase`: their indices in the list, in order. */
function isPhrase(phrase: readonly number[]): boolean {
  if (!COUNTS.has(phrase.length)) return false
  const bits = phrase.map((number) => number.toString(2).padStart(11, '0')).join('')
  const check = bits.length / 33
  const entropy = Buffer.from((bits.slice(0, -check).match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const sum = createHash('sha256').update(entropy).digest()
  return (sum[0] ?? 0).toString(2).padStart(8, '0').slice(0, check) === bits.slice(-check)
}

/**
 * Whether this is a phrase with at most one repeated word. The words of a phrase are drawn at random from 2,048, while ordinary text often
 * repeats words.
 */
function isSpread(phrase: readonly number[]): boolean {
  return new Set(phrase).size >= phrase.length - 1 && isPhrase(phrase)
}

/**
 * The list indices of a part's words; null if there are more than 24, or if the part contains anything but words of the list, numbers and
 * separators.
 */
function wordsOf(part: string): readonly number[] | null {
  const found: number[] = []
  for (const [token] of part.matchAll(/[^\s,;|[\]()]+/g)) {
    if (/^\d{1,2}[.)]?$|^[-*.#]+$/.test(token)) continue
    const word = /^(?:\d{1,2}[.)])?([A-Za-z]{3,8})$/.exec(token)?.[1]
    const number = word === undefined ? undefined : words().get(word.toLowerCase())
    if (number === undefined || found.length === WORDS_MAX) return null
    found.push(number)
  }
  return found
}

function letter(byte: number | undefined): number {
  const small = (byte ?? 0) | 0x20
  return small >= 97 && small <= 122 ? small - 97 : -1
}

/** The length of the word with each key; 0 if the list has no such word. An array, because a map would take most of the search's time. */
let lengths: Uint8Array | null = null

/** A key for a word: its first four letters, which identify a word of the list; for words of three letters, those three. */
function keyOf(text: Uint8Array, start: number, length: number): number {
  let key = 0
  for (let i = 0; i < 4; i++) key = key * 27 + (i < length ? letter(text[start + i]) + 1 : 0)
  return key
}

/** Whether the letters at `start` are probably a word of the list. */
function mayBeWord(text: Uint8Array, start: number, length: number): boolean {
  if (lengths === null) {
    lengths = new Uint8Array(27 ** 4)
    for (const word of words().keys()) lengths[keyOf(Buffer.from(word), 0, word.length)] = word.length
  }
  return length > 0 && lengths[keyOf(text, start, length)] === length
}

/** A part ends at a line break or a quotation mark. */
const ENDS_PART = new Uint8Array(256)
for (const char of '\r\n"\'`') ENDS_PART[char.charCodeAt(0)] = 1

function phraseInRegion(text: Uint8Array, start: number, end: number): boolean {
  let run: number[] = []
  let row = 0
  for (let at = start; at < end; at++) {
    const from = at
    while (at < end && ENDS_PART[text[at] ?? 0] !== 1 && letter(text[at]) < 0) at++
    const isBlank = at === end || ENDS_PART[text[at] ?? 0] === 1
    let length = 0
    while (length <= WORD_MAX_LENGTH && letter(text[at + length]) >= 0) length++
    const isWord = !isBlank && mayBeWord(text, at, length)
    while (at < end && ENDS_PART[text[at] ?? 0] !== 1) at++
    const found =
      isWord && at - from <= PART_MAX_BYTES ? wordsOf(Buffer.from(text.buffer, text.byteOffset + from, at - from).toString('latin1')) : null
    if (found !== null && found.length > 0) {
      if (isPhrase(found)) return true
      // A phrase that spans several lines has the same number of words on each.
      if (found.length <= ROW_WORDS_MAX && (row === 0 || found.length === row)) {
        row = found.length
        run.push(...found)
        continue
      }
    }
    if (isSpread(run)) return true
    // Blank lines may separate the words.
    if (isBlank) continue
    run = []
    row = 0
  }
  return isSpread(run)
}

const LETTER = 1
const SIGN = 2

/**
 * Characters that can occur in a numbered phrase. Colons and equals signs are excluded, so that a label before the phrase isn't part of it.
 */
const OF_PHRASE = new Uint8Array(256)
for (const char of ' \t\r\n.,;()[]-*#|"\'`0123456789') OF_PHRASE[char.charCodeAt(0)] = SIGN
for (let byte = 97; byte < 123; byte++) OF_PHRASE[byte] = OF_PHRASE[byte - 32] = LETTER

/** Maximum number of characters between two words of a phrase, including numbering. */
const SEPARATORS_MAX = 14

/**
 * Searches backwards from `end` for something that no phrase contains: another character, a word that isn't in the list, or too many
 * separators in a row. Returns the offset after which a phrase may begin, or -1 if there is no such break within the length of the shortest
 * phrase.
 */
function breakBefore(text: Uint8Array, end: number): number {
  let letters = 0
  let signs = 0
  // The word at `end` may continue beyond it, so only the words before it are looked up.
  let isWhole = false
  for (let at = end; at > end - SHORTEST; at--) {
    const kind = OF_PHRASE[text[at] ?? 0]
    if (kind === LETTER) {
      signs = 0
      if (++letters > WORD_MAX_LENGTH) return at
      continue
    }
    if (kind !== SIGN) return at
    if (isWhole && letters > 0 && !mayBeWord(text, at + 1, letters)) return at + 1
    isWhole = true
    letters = 0
    if (++signs > SEPARATORS_MAX) return at
  }
  return -1
}

/** Whether the text, with one byte per character, contains a phrase. Skips text that can't contain one. */
export function hasSeedPhrase(text: Uint8Array): boolean {
  for (let at = SHORTEST - 1; at < text.length; ) {
    const broken = breakBefore(text, at)
    if (broken >= 0) {
      at = broken + SHORTEST
      continue
    }
    let start = at
    while (start > 0 && (OF_PHRASE[text[start - 1] ?? 0] ?? 0) > 0) start--
    let end = at + 1
    while (end < text.length && (OF_PHRASE[text[end] ?? 0] ?? 0) > 0) end++
    if (phraseInRegion(text, start, end)) return true
    at = end + SHORTEST
  }
  return false
}
