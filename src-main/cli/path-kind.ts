// Finds out what is at a path that the user named, so that the command can say why it isn't a file to upload:
// a pipe, as `<(command)` is, an open file that was deleted, or a file that the system creates when it is
// read.
import { constants } from 'node:fs'
import { access, type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { errorCode } from '../platform/disk/disk-errors.ts'
import { toNative } from '../platform/disk/path-codec.ts'
import type { PathKind } from './context.ts'

/** Sizes that Linux states for files in /proc and /sys, whatever they contain. */
const NOMINAL_SIZES: ReadonlySet<number> = new Set([0, 4096])

/** Follows symbolic links. Never rejects. */
export async function pathKind(path: string): Promise<PathKind> {
  const native = toNative(path)
  try {
    const entry = await stat(native)
    if (entry.isDirectory()) {
      await access(native, constants.R_OK | constants.X_OK)
      return 'directory'
    }
    if (entry.isFIFO()) return 'pipe'
    if (entry.isSocket()) return 'socket'
    if (!entry.isFile()) return 'device'
    if (!(await hasPath(native))) return 'deleted'
    return NOMINAL_SIZES.has(entry.size) && (await isCreatedByReading(native)) ? 'created' : 'file'
  } catch (error) {
    const code = errorCode(error)
    return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'missing'
  }
}

/**
 * Whether the path leads to a name. A link in /proc leads to an open file itself, even after its last name
 * was deleted.
 */
function hasPath(native: string | Buffer): Promise<boolean> {
  return realpath(native).then(
    () => true,
    (error: unknown) => errorCode(error) !== 'ENOENT',
  )
}

/** Whether reading the file gives more or fewer bytes than its size, although nothing changes it. */
async function isCreatedByReading(native: string | Buffer): Promise<boolean> {
  let file: FileHandle | null = null
  try {
    file = await open(native, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const before = await file.stat()
    let read = 0
    for (let n = -1; n !== 0 && read <= before.size; read += n)
      n = (await file.read(Buffer.alloc(before.size + 1 - read))).bytesRead
    const after = await file.stat()
    return read !== before.size && before.size === after.size && before.mtimeMs === after.mtimeMs
  } catch {
    return false
  } finally {
    await file?.close()
  }
}
