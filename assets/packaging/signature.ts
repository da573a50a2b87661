// Removes the signature from a Windows program. Node's own is no longer true of a copy that more code was
// added to, and a signature that doesn't fit is worse than none: Windows warns of it. Pure; the format is
// Microsoft's "Portable Executable". It leaves the checksum in the header alone, which Windows checks for
// drivers only.

const POINTER_TO_HEADER = 0x3c
const AFTER_FILE_HEADER = 24
/** The format of 64-bit programs, and where in its optional header the list of tables is. */
const PE32_PLUS = 0x20b
const TABLES = 112
/** The signatures' place in that list. */
const CERTIFICATES = 4

/**
 * @throws if it isn't a 64-bit program, or if the signature isn't the end of the file, where linkers and
 * signers put it.
 */
export function withoutSignature(program: Buffer): Buffer {
  const header = program.readUInt32LE(POINTER_TO_HEADER)
  const optional = header + AFTER_FILE_HEADER
  if (
    program.toString('latin1', header, header + 4) !== 'PE\0\0' ||
    program.readUInt16LE(optional) !== PE32_PLUS
  )
    throw new Error('This is not a 64-bit program for Windows.')
  const entry = optional + TABLES + CERTIFICATES * 8
  const offset = program.readUInt32LE(entry)
  if (offset === 0) return program
  if (offset + program.readUInt32LE(entry + 4) !== program.length)
    throw new Error('The signature is not at the end of the program.')
  const bare = Buffer.from(program.subarray(0, offset))
  bare.fill(0, entry, entry + 8)
  return bare
}
