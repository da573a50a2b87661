// What of a file is text, and in which form it can be searched: one byte a character, ASCII where it is ASCII. UTF-16 and UTF-32 become that by
// leaving out their zero bytes, which keeps every ASCII character and turns others into something that no rule looks for.

export type Encoding = 'ascii' | 'wide' | 'binary'

/** As many bytes as tell the encoding of a file. */
const ENCODING_BYTES = 8192

/** Share of control bytes from which on bytes with zeros among them are no text. */
const BINARY_SHARE = 0.01

/** By the first bytes of a file. */
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
  // Without a mark: nearly every other byte is zero, and always the same one of two.
  const half = length / 2
  if (
    length >= 8 &&
    controls - even - odd < half * 0.05 &&
    ((even > half * 0.6 && odd < half * 0.05) || (odd > half * 0.6 && even < half * 0.05))
  )
    return 'wide'
  return controls > length * BINARY_SHARE ? 'binary' : 'ascii'
}

/** The searchable form of a piece of a file. */
export function searchable(piece: Uint8Array, encoding: Encoding): Uint8Array {
  return encoding === 'wide' ? piece.filter((byte) => byte !== 0) : piece
}
