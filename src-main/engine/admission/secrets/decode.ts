// Detects whether a file is text, and converts it for the search, so that each ASCII character is one byte. UTF-16, and little-endian
// UTF-32 with a byte order mark, are converted by dropping zero bytes: that keeps every ASCII character and turns others into bytes that
// hardly ever match a rule.

export type Encoding = 'ascii' | 'wide' | 'binary'

/** Number of bytes examined to detect the encoding. */
const ENCODING_BYTES = 8192

/** Data with zero bytes and more than this share of control bytes is binary. */
const BINARY_SHARE = 0.01

/** Detects the encoding from the first bytes of a file. */
export function encodingOf(head: Uint8Array): Encoding {
  const [a, b] = head
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'wide'
  const length = Math.min(head.length, ENCODING_BYTES)
  const zero = head.indexOf(0)
  if (zero < 0 || zero >= length) return 'ascii'
  let controls = 0
  const zeros = [0, 0]
  for (let i = 0; i < length; i++) {
    const byte = head[i] ?? 0
    if (byte === 0) zeros[i & 1] = (zeros[i & 1] ?? 0) + 1
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls++
  }
  const [even = 0, odd = 0] = zeros
  // UTF-16 without a byte order mark: most bytes at even positions are zero and hardly any at odd ones, or the reverse.
  const half = length / 2
  if (
    length >= 8 &&
    controls - even - odd < half * 0.05 &&
    ((even > half * 0.6 && odd < half * 0.05) || (odd > half * 0.6 && even < half * 0.05))
  )
    return 'wide'
  return controls > length * BINARY_SHARE ? 'binary' : 'ascii'
}

/** Converts a chunk of a file for the search. */
export function searchable(piece: Uint8Array, encoding: Encoding): Uint8Array {
  return encoding === 'wide' ? piece.filter((byte) => byte !== 0) : piece
}
