// Searches bytes for secrets: first by the format of the whole file, then chunk by chunk for secrets inside it. Pure and synchronous; the
// caller decides on which thread it runs and how much of a large file it covers.

import { type Encoding, encodingOf, searchable } from './decode.ts'
import { binaryFormatRule, FORMAT_BYTES, hasWif, textFormatRule } from './formats.ts'
import { createNeedles } from './needles.ts'
import { TEXT_RULES, type TextRule } from './rules.ts'
import { hasSeedPhrase } from './seed-phrase.ts'

/** Number of bytes from the start of one searched chunk to the start of the next. */
const PIECE = 1024 * 1024
/** Number of bytes by which a chunk reaches into the next one: room for a match and its context. */
const OVERLAP = 16 * 1024

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
  const find = createNeedles(rules.flatMap(({ needles, anyCase = false }, id) => needles.map((text) => ({ text, anyCase, id }))))
  return (bytes) => {
    let text: string | null = null
    let rule: string | null = null
    find(bytes, (id, at) => {
      // latin1 maps each byte to one character.
      text ??= Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
      rule = rules[id]?.find(text, at) ?? null
      return rule !== null
    })
    return rule
  }
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
