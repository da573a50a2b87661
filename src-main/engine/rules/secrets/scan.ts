// Searches bytes for secrets: first by the format of the whole file, then chunk by chunk. Detects the
// encoding, finds all literals in one pass (Wu and Manber), and runs a rule only where one occurs.
// Synchronous, no disk; ../secrets.ts decides how much of a large file is searched, ../guard.ts on which
// thread.
import { createRecognizer, secretBytes } from '../../../api/redact.ts'
import { binaryFormatRule, FORMAT_BYTES, hasWif, textFormatRule } from './formats.ts'
import { type Judge, TEXT_RULES, type TextRule } from './rules.ts'
import { hasSeedPhrase } from './seed-phrase.ts'

/** Number of bytes from the start of one searched chunk to the start of the next. */
const PIECE = 1024 * 1024
/** Number of bytes by which a chunk reaches into the next one: room for a match and its context. */
const OVERLAP = 16 * 1024
/** Binary data have a zero among their first bytes. */
const HEAD = 8192
const BINARY_RULES = TEXT_RULES.filter(({ binary }) => binary === true)
const BINARY_NEEDLES = BINARY_RULES.flatMap(({ needles }) => needles)

/** Number of bytes examined to detect the encoding. */
const ENCODING_BYTES = 8192

/**
 * Data that contains zero bytes is binary if more than this share of it is control bytes, including the zero
 * bytes.
 */
const BINARY_SHARE = 0.01
const WINDOW = 3

/**
 * The blank and lowercase letters, from frequent to rare in English and in code; other characters are rarer
 * still.
 */
const FREQUENT = ' etaoinrslcdupmhgbfywvkxzjq'

/** The time limit of the search that is running; see `searchWhile`. */
let hasTime = (): boolean => true

const inText = finder(TEXT_RULES)
const inMatching = finder(BINARY_RULES)

/** Bytes that can be read at any position: a file, or unpacked data. */
export interface ByteSource {
  readonly size: number
  /**
   * At most `length` bytes from `position`; fewer at the end. `into`: a buffer of at least `length` bytes
   * that the source may read into.
   */
  read(position: number, length: number, into?: Uint8Array): Uint8Array
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (position, length) => bytes.subarray(position, position + length) }
}

class SlowSearch extends Error {}

function checkTime(): void {
  if (!hasTime()) throw new SlowSearch()
}

/**
 * Runs a synchronous search, and gives it up between two rules or chunks once `isInTime` returns false. Returns
 * 'slow' in that case.
 */
export function searchWhile<T>(isInTime: () => boolean, search: () => T): T | 'slow' {
  hasTime = isInTime
  try {
    return search()
  } catch (error) {
    if (error instanceof SlowSearch) return 'slow'
    throw error
  } finally {
    hasTime = () => true
  }
}

/** Size of a stretch of text in bytes, as a power of two. */
const STRETCH_BITS = 12
/**
 * How many names or calls are judged in a stretch. Files with secrets have fewer; text that repeats a name
 * would take a second per megabyte.
 */
const JUDGED_MAX = 64

/** Allows the next costly test at an offset, up to a number of tests for each stretch of text. */
function budget(): Judge {
  let stretch = 0
  let judged = 0
  return (at) => {
    if (at >>> STRETCH_BITS !== stretch) {
      stretch = at >>> STRETCH_BITS
      judged = 0
    }
    return ++judged <= JUDGED_MAX
  }
}

/** A rule that matches, and the offset of the byte at which it was found; null if that isn't a single place. */
export interface Hit {
  readonly rule: string
  readonly at: number | null
}

function hitOf(rule: string | null): Hit | null {
  return rule === null ? null : { rule, at: null }
}

/** The tables of a search take 20 ms to make, so a process that searches nothing doesn't make them. */
function finder(rules: readonly TextRule[]): (bytes: Uint8Array) => Hit | null {
  let find: ReturnType<typeof createNeedles> | null = null
  return (bytes) => {
    find ??= createNeedles(
      rules.flatMap(({ needles, anyCase = false }, id) => needles.map((text) => ({ text, anyCase, id }))),
    )
    let text: string | null = null
    let hit: Hit | null = null
    const mayJudge = budget()
    find(bytes, (id, at) => {
      checkTime()
      // latin1 maps each byte to one character.
      text ??= Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
      const rule = rules[id]?.find(text, at, mayJudge) ?? null
      hit = rule === null ? null : { rule, at }
      return hit !== null
    })
    return hit
  }
}

/** The rules for binary files have so few needles that searching for them one by one is faster. */
function inBinary(bytes: Uint8Array): Hit | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return BINARY_NEEDLES.some((needle) => buffer.includes(needle, 0, 'latin1')) ? inMatching(bytes) : null
}

function pieceHit(piece: Uint8Array, encoding: Encoding): Hit | null {
  if (encoding === 'binary') return inBinary(piece)
  const text = searchable(piece, encoding)
  const found = inText(text)
  // Converted text has other offsets than the file.
  if (found !== null) return encoding === 'wide' ? hitOf(found.rule) : found
  return hitOf(hasWif(text) ? 'wallet' : hasSeedPhrase(text) ? 'seed phrase' : null)
}

/** Searches `source` from `from` to `to` (in bytes). Returns the first rule that matches, or null. */
export function scanSource(source: ByteSource, from = 0, to = source.size): Hit | null {
  const head = source.read(0, FORMAT_BYTES)
  const encoding = encodingOf(head)
  if (from === 0) {
    const whole =
      binaryFormatRule(head, source.size) ??
      (encoding === 'binary'
        ? null
        : textFormatRule(searchable(head.subarray(0, 8192), encoding), source.size))
    if (whole !== null) return hitOf(whole)
  }
  // All chunks share one buffer, because memory outside the heap is freed late, and a large file has many
  // chunks.
  const piece = new Uint8Array(Math.max(0, Math.min(PIECE + OVERLAP, to - from)))
  for (let at = from; at < to; at += PIECE) {
    checkTime()
    const found = pieceHit(source.read(at, Math.min(PIECE + OVERLAP, to - at), piece), encoding)
    if (found !== null) return { rule: found.rule, at: found.at === null ? null : at + found.at }
  }
  return null
}

// Finds the account's own API key, in every form in which it would be redacted, however ordinary it looks: an
// exact comparison, beside the search for what looks like a secret.

/** Reported without the line, so that no part of the key is shown. */
export const KEY_RULE = 'your API key for this service'

/** Making the forms of a key takes longer than searching a small file for them. */
let last: {
  readonly key: string
  readonly isIn: (text: string) => boolean
  readonly forms: readonly Buffer[]
} = {
  key: '',
  isIn: () => false,
  forms: [],
}

/**
 * Whether the bytes from `from` to `to` contain the key. A key of fewer than 6 characters isn't recognized. In
 * text, the key is recognized in any letter case and however it is escaped. In binary data, nothing is escaped, and
 * looking for escapes would take 0.16 s per megabyte.
 */
export function holdsKey(source: ByteSource, key: string, from = 0, to = source.size): boolean {
  if (last.key !== key) last = { key, isIn: createRecognizer(key), forms: secretBytes(key) }
  for (let at = from; at < to; at += PIECE) {
    checkTime()
    const read = source.read(at, Math.min(PIECE + OVERLAP, to - at))
    const piece = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
    if (last.forms.some((form) => piece.includes(form))) return true
    const isText = !piece.subarray(0, HEAD).includes(0)
    if (isText && last.isIn(piece.toString('latin1'))) return true
  }
  return false
}

// Detects whether a file is text, and converts it for the search, so that each ASCII character is one byte.
// UTF-16 and UTF-32 are converted by dropping zero bytes: that keeps every ASCII character and turns others
// into bytes that hardly ever match a rule.
type Encoding = 'ascii' | 'wide' | 'binary'

/** Detects the encoding from the first bytes of a file. */
function encodingOf(head: Uint8Array): Encoding {
  // The first check recognizes the byte order marks of UTF-16 and of little-endian UTF-32, which begins with
  // that of UTF-16. The second check recognizes the byte order mark of big-endian UTF-32.
  const [a, b, c, d] = head
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'wide'
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'wide'
  const length = Math.min(head.length, ENCODING_BYTES)
  const zero = head.indexOf(0)
  if (zero < 0 || zero >= length) return 'ascii'
  let controls = 0
  /** Number of zero bytes at each position in a group of four. */
  const zeros = [0, 0, 0, 0]
  for (let i = 0; i < length; i++) {
    const byte = head[i] ?? 0
    if (byte === 0) zeros[i & 3] = (zeros[i & 3] ?? 0) + 1
    else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls++
  }
  if (length >= 8 && controls < length * 0.025 && isWide(zeros, length / 4)) return 'wide'
  return controls + zeros.reduce((sum, count) => sum + count) > length * BINARY_SHARE ? 'binary' : 'ascii'
}

/**
 * Whether the zero bytes are where UTF-16 or UTF-32 without a byte order mark has them. `groups`: the number
 * of groups of four bytes.
 */
function isWide([first = 0, second = 0, third = 0, fourth = 0]: readonly number[], groups: number): boolean {
  const [even, odd] = [first + third, second + fourth]
  // UTF-16: more than 60 % of the bytes at even positions are zero and hardly any at odd ones, or the
  // reverse.
  if ((even > groups * 1.2 && odd < groups * 0.1) || (odd > groups * 1.2 && even < groups * 0.1)) return true
  // UTF-32: the upper half of nearly every character is zero, and its lowest byte isn't.
  return Math.min(first, second) > groups * 0.9
    ? fourth < groups * 0.1
    : Math.min(third, fourth) > groups * 0.9 && first < groups * 0.1
}

/** Converts a chunk of a file for the search. */
function searchable(piece: Uint8Array, encoding: Encoding): Uint8Array {
  return encoding === 'wide' ? piece.filter((byte) => byte !== 0) : piece
}

// Finds where any of many short byte sequences occur in a large one, in a single pass that skips most bytes
// (the algorithm of Wu and Manber, with blocks of two bytes and windows of three). Searching 10 KB takes a
// few microseconds; the rules run only where a needle occurs.
interface Candidate {
  readonly first: number
  readonly needle: Uint8Array
  /** Offset within the needle of the three bytes that the search looks for. */
  readonly offset: number
  readonly anyCase: boolean
  readonly id: number
}

interface Needle {
  /** At least 3 ASCII characters. */
  readonly text: string
  readonly anyCase: boolean
  /** The ID to report where the needle occurs; several needles may share one. */
  readonly id: number
}

function lower(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte
}

function upper(byte: number): number {
  return byte >= 97 && byte <= 122 ? byte - 32 : byte
}

/** Roughly how often a character occurs. */
function share(char: string): number {
  return 1 / (2 + ((FREQUENT.indexOf(char) + FREQUENT.length + 1) % (FREQUENT.length + 1)))
}

/**
 * Offset of the three consecutive characters of the needle whose two pairs are rarest in text: each pair that
 * is in use costs time.
 */
function rarest(text: string): number {
  let best = 0
  let bestShare = Infinity
  for (let at = 0; at + WINDOW <= text.length; at++) {
    const [a = 0, b = 0, c = 0] = Array.from(text.slice(at, at + WINDOW), share)
    if ((a + c) * b < bestShare) [best, bestShare] = [at, (a + c) * b]
  }
  return best
}

function hash(first: number, block: number): number {
  return (block ^ (first * 0x9e5)) & 0xffff
}

/** Called for each needle that occurs, with its offset. True ends the search. */
type OnFound = (id: number, at: number) => boolean

/**
 * Returns a function that finds where needles occur in the bytes. It returns whether `onFound` ended the
 * search.
 */
function createNeedles(needles: readonly Needle[]): (bytes: Uint8Array, onFound: OnFound) => boolean {
  const shifts = new Uint8Array(65_536).fill(WINDOW - 1)
  const candidates = new Map<number, Candidate[]>()
  for (const { text, anyCase, id } of needles) {
    if (text.length < WINDOW) throw new Error(`The needle ${text} is too short.`)
    const offset = rarest(text)
    const needle = Buffer.from(text, 'latin1').map((byte) => (anyCase ? lower(byte) : byte))
    const forms = (at: number): readonly number[] => {
      const byte = needle[offset + at] ?? 0
      return anyCase && upper(byte) !== byte ? [byte, upper(byte)] : [byte]
    }
    for (const a of forms(0))
      for (const b of forms(1)) {
        const ahead = (a << 8) | b
        shifts[ahead] = Math.min(shifts[ahead] ?? 0, 1)
        for (const c of forms(2)) {
          const block = (b << 8) | c
          shifts[block] = 0
          const list = candidates.get(block) ?? []
          candidates.set(block, list)
          list.push({ first: a, needle, offset, anyCase, id })
        }
      }
  }
  // A prefilter over all three bytes of a window. The last two bytes alone would reject too little, because
  // many pairs are common in text.
  const windows = new Uint8Array(65_536)
  for (const [block, list] of candidates) for (const { first } of list) windows[hash(first, block)] = 1
  const lists: readonly (readonly Candidate[] | undefined)[] = Array.from({ length: 65_536 }, (_, block) =>
    candidates.get(block),
  )

  const fits = (bytes: Uint8Array, at: number, { needle, anyCase }: Candidate): boolean => {
    if (at < 0 || at + needle.length > bytes.length) return false
    for (let i = 0; i < needle.length; i++) {
      const byte = bytes[at + i] ?? 0
      if ((anyCase ? lower(byte) : byte) !== needle[i]) return false
    }
    return true
  }

  return (bytes, onFound) => {
    for (let at = WINDOW - 1; at < bytes.length; ) {
      const block = ((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0)
      const shift = shifts[block] ?? 0
      if (shift > 0) {
        at += shift
        continue
      }
      const start = at - WINDOW + 1
      if (windows[hash(bytes[start] ?? 0, block)] === 1)
        for (const candidate of lists[block] ?? [])
          if (candidate.first === bytes[start] && fits(bytes, start - candidate.offset, candidate))
            if (onFound(candidate.id, start - candidate.offset)) return true
      at++
    }
    return false
  }
}
