// Searches bytes for secrets: first by the format of the whole file, then piece by piece for secrets inside it. Pure and synchronous; the caller
// decides where it runs and how much of a large file it sees.

import { isPlaceholder } from './checks.ts'
import { type Encoding, encodingOf, searchable } from './decode.ts'
import { binaryFormatRule, FORMAT_BYTES, hasWif, textFormatRule } from './formats.ts'
import { createNeedles } from './needles.ts'
import { hasSeedPhrase } from './seed-phrase.ts'
import { TEXT_RULES, type TextRule } from './tokens.ts'

/** Size of the pieces that are searched; the overlap has room for a match and its context. */
const PIECE = 1024 * 1024
const OVERLAP = 16 * 1024
/** After so many matches without a secret, a rule is skipped for this piece. */
const MATCHES_MAX = 5000

/** Bytes that can be read at any position: a file, or unpacked data. */
export interface ByteSource {
  readonly size: number
  /** At most `length` bytes from `position`; fewer at the end. */
  read(position: number, length: number): Uint8Array
}

export function bytesSource(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (position, length) => bytes.subarray(position, position + length) }
}

function finder(rules: readonly TextRule[]): (bytes: Uint8Array) => string | null {
  const find = createNeedles(
    rules.flatMap(({ needles, test }, id) => needles.map((text) => ({ text, anyCase: test.flags.includes('i'), id }))),
  )
  return (bytes) => {
    const ids = find(bytes)
    if (ids.length === 0) return null
    // latin1 maps each byte to one character, and every rule is about ASCII.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    for (const id of ids) {
      const rule = rules[id]
      if (rule !== undefined && matches(rule, text)) return rule.rule
    }
    return null
  }
}

function matches({ test, check }: TextRule, text: string): boolean {
  test.lastIndex = 0
  for (let i = 0; i < MATCHES_MAX; i++) {
    const match = test.exec(text)
    if (match === null) return false
    const secret = match[1] ?? match[0]
    if (check === undefined ? !isPlaceholder(secret) : check(secret, match)) return true
  }
  return false
}

const BINARY_RULES = TEXT_RULES.filter(({ binary }) => binary === true)
const inText = finder(TEXT_RULES)
const inMatching = finder(BINARY_RULES)
const BINARY_NEEDLES = BINARY_RULES.flatMap(({ needles }) => needles)

/** For few needles, which are found faster one by one than all at once. */
function inBinary(bytes: Uint8Array): string | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return BINARY_NEEDLES.some((needle) => buffer.includes(needle, 0, 'latin1')) ? inMatching(bytes) : null
}

function pieceRule(piece: Uint8Array, encoding: Encoding): string | null {
  if (encoding === 'binary') return inBinary(piece)
  const text = searchable(piece, encoding)
  const found = inText(text)
  if (found !== null) return found
  if (hasWif(text)) return 'wallet'
  return hasSeedPhrase(text) ? 'seed phrase' : null
}

/** Searches `source` from `from` to `to` (in bytes). Returns the first rule that matches, or null. */
export function scanSource(source: ByteSource, from = 0, to = source.size): string | null {
  const head = source.read(0, FORMAT_BYTES)
  const encoding = encodingOf(head)
  if (from === 0) {
    const whole =
      binaryFormatRule(head, source.size) ??
      (encoding === 'binary' ? null : textFormatRule(searchable(head.subarray(0, 8192), encoding), source.size))
    if (whole !== null) return whole
  }
  // UTF-16 has its zero bytes at the same offsets in each piece.
  for (let at = from; at < to; at += PIECE) {
    const found = pieceRule(source.read(at, Math.min(PIECE + OVERLAP, to - at)), encoding)
    if (found !== null) return found
  }
  return null
}
