// Searches bytes for secrets: first by the format of the whole file, then chunk by chunk for secrets inside it. Pure and synchronous; the
// caller decides on which thread it runs and how much of a large file it covers.

import { isPlaceholder } from './checks.ts'
import { type Encoding, encodingOf, searchable } from './decode.ts'
import { binaryFormatRule, FORMAT_BYTES, hasWif, textFormatRule } from './formats.ts'
import { createNeedles } from './needles.ts'
import { hasSeedPhrase } from './seed-phrase.ts'
import { TEXT_RULES, type TextRule } from './tokens.ts'

/** Number of bytes from the start of one searched chunk to the start of the next. */
const PIECE = 1024 * 1024
/** Number of bytes by which a chunk reaches into the next one: room for a match and its context. */
const OVERLAP = 16 * 1024
/** If this many matches of a rule in one chunk turn out not to be secrets, the rule isn't applied to the rest of the chunk. */
const MATCHES_MAX = 5000

/** Bytes that can be read at any position: a file, or unpacked data. */
export interface ByteSource {
  readonly size: number
  /**
   * At most `length` bytes from `position`; fewer at the end. `into`: a buffer of at least `length` bytes that the source may read into.
   */
  read(position: number, length: number, into?: Uint8Array): Uint8Array
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
    // latin1 maps each byte to one character, and all rules are about ASCII.
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

/** The rules for binary files have so few needles that searching for them one by one is faster. */
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
  // All chunks share one buffer, because memory outside the heap is freed late, and a large file has many chunks.
  const piece = new Uint8Array(Math.max(0, Math.min(PIECE + OVERLAP, to - from)))
  for (let at = from; at < to; at += PIECE) {
    const found = pieceRule(source.read(at, Math.min(PIECE + OVERLAP, to - at), piece), encoding)
    if (found !== null) return found
  }
  return null
}
