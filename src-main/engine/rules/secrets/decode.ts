// Detects whether a file is text, and converts it for the search, so that each ASCII character is one byte. UTF-16 and UTF-32 are converted
// by dropping zero bytes: that keeps every ASCII character and turns others into bytes that hardly ever match a rule.

export type Encoding = 'ascii' | 'wide' | 'binary'

/** Number of bytes examined to detect the encoding. */
const ENCODING_BYTES = 8192

/** Data that contains zero bytes is binary if more than this share of it is control bytes, including the zero bytes. */
const BINARY_SHARE = 0.01

/** Detects the encoding from the first bytes of a file. */
export function encodingOf(head: Uint8Array): Encoding {
  // The first check recognizes the byte order marks of UTF-16 and of little-endian UTF-32, which begins with that of UTF-16. The second
  // check recognizes the byte order mark of big-endian UTF-32.
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

/** Whether the zero bytes are where UTF-16 or UTF-32 without a byte order mark has them. `groups`: the number of groups of four bytes. */
function isWide([first = 0, second = 0, third = 0, fourth = 0]: readonly number[], groups: number): boolean {
  const [even, odd] = [first + third, second + fourth]
  // UTF-16: more than 60 % of the bytes at even positions are zero and hardly any at odd ones, or the reverse.
  if ((even > groups * 1.2 && odd < groups * 0.1) || (odd > groups * 1.2 && even < groups * 0.1)) return true
  // UTF-32: the upper half of nearly every character is zero, and its lowest byte isn't.
  return Math.min(first, second) > groups * 0.9 ? fourth < groups * 0.1 : Math.min(third, fourth) > groups * 0.9 && first < groups * 0.1
}

/** Converts a chunk of a file for the search. */
export function searchable(piece: Uint8Array, encoding: Encoding): Uint8Array {
  return encoding === 'wide' ? piece.filter((byte) => byte !== 0) : piece
}
