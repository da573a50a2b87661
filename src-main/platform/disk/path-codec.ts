// Converts paths for Node's file calls, so that file names that aren't valid UTF-8 can be represented as
// strings. A byte that can't be decoded becomes the code point U+10FF00 plus its value. Real names hardly
// ever contain these private-use code points. Only systems where file names are bytes, such as Linux, have
// invalid names.

const BASE = 0x10ff00

/** Whether Node may have lost bytes while decoding a name, so that it must be read again as a buffer. */
export function isLossy(name: string): boolean {
  return name.includes('\uFFFD')
}

export function fromNative(bytes: Uint8Array): string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    return strict.decode(bytes)
  } catch {
    // Decode the valid characters and represent each stray byte separately.
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

/**
 * The form that Node's file calls accept: a string, or a buffer if the path contains stray bytes. On Windows,
 * a bare drive such as `C:` gets a backslash, because Node would otherwise use the current directory on that
 * drive.
 */
export function toNative(path: string, platform: NodeJS.Platform = process.platform): string | Buffer {
  if (platform === 'win32' && /^[a-z]:$/i.test(path)) return `${path}\\`
  if (!CARRIED.test(path)) return path
  const parts: Buffer[] = []
  for (const char of path) {
    const code = char.codePointAt(0) ?? 0
    parts.push(code >= BASE + 0x80 && code <= BASE + 0xff ? Buffer.from([code - BASE]) : Buffer.from(char))
  }
  return Buffer.concat(parts)
}

/** The name for display and for the service. Stray bytes become the replacement character. */
export function forPeople(text: string): string {
  // Do a cheap test first. All code points that represent bytes share this high surrogate, which other names
  // hardly ever contain.
  return text.includes('\uDBFF') ? text.replaceAll(new RegExp(CARRIED, 'gu'), '\uFFFD') : text
}
