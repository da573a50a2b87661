// Decodes small text files that a person has written, such as ignore files. Windows PowerShell writes UTF-16 if a text is redirected to a
// file. Read as UTF-8, none of its rules would match, and the files that it excludes would be published.

/** Decodes UTF-8, or UTF-16 if the text begins with its byte order mark. Removes a byte order mark. */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}
