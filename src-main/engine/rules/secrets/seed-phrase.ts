// Finds wallet seed phrases (BIP 39, English): 12, 15, 18, 21 or 24 words of the list with a valid checksum,
// alone on a line, in quotes, in a sentence, or in lines and columns, numbered or not. The checksum rules out
// ordinary sentences and most lists of words.
import { createHash } from 'node:crypto'
import { BIP39_ENGLISH } from './bip39-words.ts'

const COUNTS: ReadonlySet<number> = new Set([12, 15, 18, 21, 24])
const WORDS_MIN = 12
const WORDS_MAX = 24
const WORD_MAX_LENGTH = 8
/** Length in characters of the shortest phrase: twelve words of three letters, separated by one character. */
const SHORTEST = 47
/** Maximum number of words per line in a phrase that spans several lines. */
const ROW_WORDS_MAX = 8
/**
 * In a sentence, words before and after a phrase may belong to the list, too. Each of them is another chance
 * that ordinary words have a valid checksum, so more of them are accepted only near a hint.
 */
const EXTRA_WORDS_MAX = 2
const EXTRA_WORDS_MAX_HINTED = 8

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
  const entropy = Buffer.from(
    (bits.slice(0, -check).match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)),
  )
  const sum = createHash('sha256').update(entropy).digest()
  return (sum[0] ?? 0).toString(2).padStart(8, '0').slice(0, check) === bits.slice(-check)
}

/**
 * Whether this is a phrase with at most `repeatsMax` repeated words and not in alphabetical order. The words
 * of a phrase are drawn at random from 2,048, while ordinary text often repeats words, and lists of words are
 * often sorted.
 */
function isRandomPhrase(phrase: readonly number[], repeatsMax = 1): boolean {
  if (new Set(phrase).size < phrase.length - repeatsMax) return false
  return phrase.some((number, i) => i > 0 && number < (phrase[i - 1] ?? 0)) && isPhrase(phrase)
}

/** A word of the list in a text. */
interface Word {
  readonly index: number
  /** The number before it, as in `3. word`; null if there is none. */
  readonly label: number | null
  readonly line: number
  /** Changes at each line break and quotation mark. */
  readonly part: number
  /** Offsets of its first letter and of the byte after its last. */
  readonly start: number
  readonly end: number
}

function letter(byte: number | undefined): number {
  const small = (byte ?? 0) | 0x20
  return small >= 97 && small <= 122 ? small - 97 : -1
}

/**
 * The length of the word with each key; 0 if the list has no such word. An array, because a map would take
 * most of the search's time.
 */
let lengths: Uint8Array | null = null

/**
 * A key for a word: its first four letters, which identify a word of the list; for words of three letters,
 * those three.
 */
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

/** The index of the word in the list, or null if the list doesn't contain the word. */
function indexOf(text: Uint8Array, start: number, end: number): number | null {
  if (end - start > WORD_MAX_LENGTH || !mayBeWord(text, start, end - start)) return null
  return words().get(Buffer.from(text.subarray(start, end)).toString('latin1').toLowerCase()) ?? null
}

const LINE_FEED = 10
const QUOTES: ReadonlySet<number> = new Set(Buffer.from('"\'`'))

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57
}

/**
 * Yields the stretches of a region that may be at least 12 successive words of the list, whatever separates
 * them.
 */
function* stretchesOf(
  text: Uint8Array,
  start: number,
  end: number,
): Generator<readonly [start: number, end: number]> {
  let count = 0
  let from = start
  let last = start
  for (let at = start; at < end; ) {
    if (letter(text[at]) < 0) {
      at++
      continue
    }
    const word = at
    while (at < end && letter(text[at]) >= 0) at++
    const length = at - word
    if (length <= WORD_MAX_LENGTH && mayBeWord(text, word, length)) {
      count++
      last = at
      continue
    }
    if (count >= WORDS_MIN) yield [from, last]
    count = 0
    from = at
  }
  if (count >= WORDS_MIN) yield [from, last]
}

/**
 * Runs of more words are split, at the start of a line or quotation, because a file may consist of millions
 * of words of the list.
 */
const RUN_MAX = 5000
/** A run without line breaks and quotation marks is split after this many words. */
const RUN_LIMIT = 10 * RUN_MAX
/**
 * Each piece repeats at least this many words of the previous one, so that no phrase is cut. For the
 * exception, see `tailOf`.
 */
const OVERLAP = 200

/**
 * The last `OVERLAP` words of a run, and any before them in the same line or quotation; empty if these are
 * all words of the run.
 */
function tailOf(run: readonly Word[]): Word[] {
  let from = run.length - OVERLAP
  while (from > 0 && run[from]?.part === run[from - 1]?.part) from--
  return from > 0 ? run.slice(from) : []
}

/** The runs of at least 12 successive words of the list in a stretch. */
function* runsOf(text: Uint8Array, start: number, end: number): Generator<readonly Word[]> {
  let run: Word[] = []
  let label: number | null = null
  let line = 0
  let part = 0
  for (let at = start; at < end; ) {
    const byte = text[at] ?? 0
    const from = at
    if (letter(byte) >= 0) {
      while (at < end && letter(text[at]) >= 0) at++
      const index = indexOf(text, from, at)
      if (index !== null) {
        if (run.length >= RUN_LIMIT || (run.length >= RUN_MAX && run.at(-1)?.part !== part)) {
          yield run
          run = tailOf(run)
        }
        run.push({ index, label, line, part, start: from, end: at })
      } else {
        if (run.length >= WORDS_MIN) yield run
        run = []
      }
      label = null
    } else if (isDigit(byte)) {
      while (at < end && isDigit(text[at])) at++
      label = at - from <= 2 ? Number(Buffer.from(text.subarray(from, at)).toString('latin1')) : null
    } else {
      if (byte === LINE_FEED) line++
      if (byte === LINE_FEED || QUOTES.has(byte)) part++
      at++
    }
  }
  if (run.length >= WORDS_MIN) yield run
}

/** Groups successive words for which `by` returns the same number. */
function groups(run: readonly Word[], by: (word: Word) => number): readonly (readonly Word[])[] {
  const list: Word[][] = []
  for (const word of run) {
    const last = list.at(-1)
    if (last?.[0] !== undefined && by(last[0]) === by(word)) last.push(word)
    else list.push([word])
  }
  return list
}

const indices = (run: readonly Word[]): readonly number[] => run.map(({ index }) => index)

/** Whether words numbered from 1, in any arrangement, form a phrase in the order of their numbers. */
function isNumberedPhrase(run: readonly Word[]): boolean {
  const labelled = run.filter(({ label }) => label !== null)
  const starts = labelled.flatMap(({ label }, i) => (label === 1 ? [i] : []))
  return starts.some((start, i) => {
    const ordered = labelled
      .slice(start, starts[i + 1] ?? labelled.length)
      .toSorted((a, b) => (a.label ?? 0) - (b.label ?? 0))
    return (
      ordered.every(({ label }, k) => label === k + 1) && isRandomPhrase(indices(ordered), ordered.length / 2)
    )
  })
}

/**
 * Whether successive lines with the same number of words form a phrase, read line by line or column by
 * column.
 */
function isPhraseOfRows(run: readonly Word[]): boolean {
  const rows = groups(run, ({ line }) => line)
  for (let first = 0; first < rows.length; ) {
    const width = rows[first]?.length ?? 0
    let next = first
    while (rows[next]?.length === width) next++
    const height = next - first
    if (height > 1 && width <= ROW_WORDS_MAX && COUNTS.has(width * height)) {
      const byRow = indices(rows.slice(first, next).flat())
      const byColumn = byRow.map((_, i) => byRow[(i % height) * width + Math.floor(i / height)] ?? 0)
      if (isRandomPhrase(byRow) || isRandomPhrase(byColumn)) return true
    }
    first = next
  }
  return false
}

/** Words near a phrase that say what it is. */
const HINT =
  /seed|phrase|mnemonic|wallet|recover|backup|secret|words|w(?:oe|\xf6|\xc3\xb6)rter|ledger|trezor|metamask|bitcoin/i
/** How far from a phrase a hint may be, in characters. */
const HINT_CHARS = 300

function isHinted(text: Uint8Array, run: readonly Word[]): boolean {
  const [start, end] = [(run[0]?.start ?? 0) - HINT_CHARS, (run.at(-1)?.end ?? 0) + HINT_CHARS]
  return HINT.test(Buffer.from(text.subarray(Math.max(0, start), end)).toString('latin1'))
}

function isPhraseInSentence(run: readonly Word[], extraMax: number): boolean {
  const all = indices(run)
  return [...COUNTS].some((count) => {
    const extra = all.length - count
    if (extra < 0 || extra > extraMax) return false
    return Array.from({ length: extra + 1 }).some((_, from) => isRandomPhrase(all.slice(from, from + count)))
  })
}

function hasPhrase(text: Uint8Array, run: readonly Word[]): boolean {
  if (groups(run, ({ part }) => part).some((part) => isRandomPhrase(indices(part), part.length / 2)))
    return true
  if (isNumberedPhrase(run) || isPhraseOfRows(run)) return true
  if (run.length > WORDS_MAX + EXTRA_WORDS_MAX_HINTED) return false
  return isPhraseInSentence(run, isHinted(text, run) ? EXTRA_WORDS_MAX_HINTED : EXTRA_WORDS_MAX)
}

function phraseInRegion(text: Uint8Array, start: number, end: number): boolean {
  for (const [from, to] of stretchesOf(text, start, end))
    for (const run of runsOf(text, from, to)) if (hasPhrase(text, run)) return true
  return false
}

const LETTER = 1
const SIGN = 2

/**
 * Characters that can occur in a numbered phrase. Colons and equals signs are excluded, so that a label
 * before the phrase isn't part of it, except for a colon after a number (`kindAt`).
 */
const OF_PHRASE = new Uint8Array(256)
for (const char of ' \t\r\n.,;()[]-*#|"\'`0123456789') OF_PHRASE[char.charCodeAt(0)] = SIGN
for (let byte = 97; byte < 123; byte++) OF_PHRASE[byte] = OF_PHRASE[byte - 32] = LETTER

const COLON = 58

/** Returns `LETTER` or `SIGN` if the character can be a letter or a separator in a phrase, otherwise 0. */
function kindAt(text: Uint8Array, at: number): number {
  const byte = text[at] ?? 0
  return byte === COLON && isDigit(text[at - 1]) ? SIGN : (OF_PHRASE[byte] ?? 0)
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10 || byte === 13
}

/**
 * Maximum number of characters between two words of a phrase, including numbering. Spaces and line breaks in
 * a row count as one.
 */
const SEPARATORS_MAX = 14

/**
 * Searches backwards from `end` for something that no phrase contains: any other character, a word that isn't
 * in the list, or too many separators between words. Returns the offset after which a phrase may begin, or -1
 * if there is no such break within the length of the shortest phrase.
 */
function breakBefore(text: Uint8Array, end: number): number {
  let letters = 0
  let signs = 0
  // The word at `end` may continue beyond it, so only the words before it are looked up.
  let isWhole = false
  for (let at = end; at > end - SHORTEST; at--) {
    const kind = kindAt(text, at)
    if (kind === LETTER) {
      signs = 0
      if (++letters > WORD_MAX_LENGTH) return at
      continue
    }
    if (kind !== SIGN) return at
    if (isWhole && letters > 0 && !mayBeWord(text, at + 1, letters)) return at + 1
    isWhole = true
    letters = 0
    if (isSpace(text[at]) && isSpace(text[at + 1])) continue
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
    while (start > 0 && kindAt(text, start - 1) > 0) start--
    let end = at + 1
    while (end < text.length && kindAt(text, end) > 0) end++
    if (phraseInRegion(text, start, end)) return true
    at = end + SHORTEST
  }
  return false
}
