// Decodes text files that people write in programs of their choice, such as rules files. Windows PowerShell
// writes UTF-16: read as UTF-8, none of the rules would match, and the files that they exclude would be
// published. Pure.

/**
 * Decodes UTF-16 if the bytes begin with its byte order mark, and otherwise UTF-8. Removes a byte order mark.
 */
export function textOf(bytes: Uint8Array): string {
  const [a, b] = bytes
  const encoding = a === 0xff && b === 0xfe ? 'utf-16le' : a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}
