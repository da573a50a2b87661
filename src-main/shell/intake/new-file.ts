// Writes files that Slipway keeps for the user until they are uploaded. No file is overwritten, and the
// content is flushed to disk before the path is returned.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { errorCode } from '../../platform/disk/disk-errors.ts'

const NAMES_MOST = 999

/**
 * Writes a file with this name to `dir`, and adds a number to the name if it is taken. Resolves to the file's
 * path. If the disk fails, rejects and leaves nothing behind.
 */
export async function writeNew(dir: string, name: string, bytes: Uint8Array): Promise<string> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  return firstFree(dir, name, bytes, async () => false)
}

/**
 * Copies the file into `dir`, and resolves to the path of the copy; null if there is no such file. If Slipway
 * was interrupted earlier, a copy with the same content may exist. That copy is reused, so that it isn't
 * uploaded twice.
 */
export async function copyInto(dir: string, path: string): Promise<string | null> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  await mkdir(dir, { recursive: true, mode: 0o700 })
  return firstFree(dir, basename(path), bytes, async (there) => bytes.equals(await readFile(there)))
}

/**
 * Writes the file at the first free path. If `isIt` accepts an existing file at an earlier path, that file is
 * used instead.
 */
async function firstFree(
  dir: string,
  name: string,
  bytes: Uint8Array,
  isIt: (path: string) => Promise<boolean>,
): Promise<string> {
  const end = extname(name)
  const stem = name.slice(0, name.length - end.length)
  for (let n = 1; ; n++) {
    const path = join(dir, n === 1 ? name : `${stem} ${n}${end}`)
    try {
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600, flush: true })
      return path
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') {
        await rm(path, { force: true }).catch(() => undefined)
        throw error
      }
      if (await isIt(path)) return path
      if (n >= NAMES_MOST) throw error
    }
  }
}
