// Reads small text files by their path, such as ignore files, and follows links. A user who can write into a
// watched folder may replace one by a pipe, a device or a huge file at any moment. So what is open is judged,
// not the path: it never waits, nor reads more than the limit.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { textOf } from '../../engine/disk/text.ts'
import { toNative } from './path-codec.ts'

/** Maximum size in bytes. These files are small; a larger one isn't read. */
const MAX_BYTES = 1024 * 1024
/** O_NONBLOCK: don't hang on a pipe. Windows lacks that flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Resolves to the decoded content; to null if there is no regular file of up to 1 MiB, or if it can't be
 * read. Never rejects.
 */
export async function smallText(path: string): Promise<string | null> {
  let file: FileHandle | null = null
  try {
    file = await open(toNative(path), FLAGS)
    if (!(await file.stat()).isFile()) return null
    const buffer = emptyBuffer()
    let length = 0
    for (let n = -1; n !== 0 && length < buffer.length; length += n)
      n = (await file.read(buffer, length)).bytesRead
    return textIn(buffer, length)
  } catch {
    return null
  } finally {
    await file?.close()
  }
}

/** Like `smallText`, but blocks the thread. */
export function smallTextSync(path: string): string | null {
  let fd: number | null = null
  try {
    fd = openSync(toNative(path), FLAGS)
    if (!fstatSync(fd).isFile()) return null
    const buffer = emptyBuffer()
    let length = 0
    for (let n = -1; n !== 0 && length < buffer.length; length += n)
      n = readSync(fd, buffer, length, buffer.length - length, null)
    return textIn(buffer, length)
  } catch {
    return null
  } finally {
    if (fd !== null) closeSync(fd)
  }
}

/** One byte more than the limit, so that a file that exceeds it is noticed. */
function emptyBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(MAX_BYTES + 1)
}

function textIn(buffer: Uint8Array, length: number): string | null {
  return length > MAX_BYTES ? null : textOf(buffer.subarray(0, length))
}
