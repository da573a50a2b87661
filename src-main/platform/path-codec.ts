// Carries file names that are not valid UTF-8 through strings and back: a byte that belongs to no character becomes U+10FF00 + byte, a
// private code point that no real name uses. Only needed on systems whose names are bytes.

const BASE = 0x10ff00

/** True where a name as Node decoded it has lost bytes and must be read again as bytes. */
export function isLossy(name: string): boolean {
  return name.includes('\uFFFD')
}

export function fromNative(bytes: Uint8Array): string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    return strict.decode(bytes)
  } catch {
    // Mixed: valid characters as they are, each stray byte by itself.
  }
  let out = ''
  for (let i = 0; i < bytes.length; ) {
    const length = [1, 2, 3, 4].find((n) => {
      try {
        return i + n <= bytes.length && strict.decode(bytes.subarray(i, i + n)).length > 0
      } catch {
        return false
      }
    })
    if (length === undefined) {
      out += String.fromCodePoint(BASE + (bytes[i] ?? 0))
      i++
    } else {
      out += strict.decode(bytes.subarray(i, i + length))
      i += length
    }
  }
  return out
}

const CARRIED = /[\u{10FF80}-\u{10FFFF}]/u

/** What Node's file calls take: the string itself, or bytes where the name carries some. */
export function toNative(path: string): string | Buffer {
  if (!CARRIED.test(path)) return path
  const parts: Buffer[] = []
  for (const char of path) {
    const code = char.codePointAt(0) ?? 0
    parts.push(code >= BASE + 0x80 && code <= BASE + 0xff ? Buffer.from([code - BASE]) : Buffer.from(char))
  }
  return Buffer.concat(parts)
}

/** For people and for the wire: a stray byte is shown as the replacement character. */
export function forPeople(text: string): string {
  // All carried bytes share this surrogate; nearly no name has it.
  return text.includes('\uDBFF') ? text.replaceAll(new RegExp(CARRIED, 'gu'), '\uFFFD') : text
}
