// Resolves the links in a path. Windows can't do that on drives that its mount manager doesn't know, such as
// some RAM disks and encrypted drives. On these drives, this module falls back to Node's own resolver, which
// examines each part of the path separately.
import { realpath, realpathSync } from 'node:fs'
import { realpath as askSystem } from 'node:fs/promises'
import { promisify } from 'node:util'
import { errorCode } from './disk-errors.ts'

const walk = promisify(realpath)

/** Error codes that Node may report if a drive doesn't support the request. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['EISDIR', 'EINVAL', 'ENOTSUP', 'ENOSYS', 'UNKNOWN'])

function isUnsupported(error: unknown): boolean {
  return process.platform === 'win32' && UNSUPPORTED.has(errorCode(error))
}

/**
 * Returns a Windows path as the system itself would: without the prefix `\\?\`, and with an uppercase drive
 * letter. Node's own resolver keeps what was typed, so one file would have several real paths.
 */
export function usualForm(path: string): string {
  const plain = path.replace(/^\\\\\?\\UNC\\/i, '\\\\').replace(/^\\\\\?\\(?=[a-z]:\\)/i, '')
  return /^[a-z]:/.test(plain) ? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}` : plain
}

/**
 * Like `realpath` of `node:fs/promises`, but works on every Windows drive. `native` is a path as returned by
 * `toNative`.
 */
export async function realPath(native: string | Buffer): Promise<Buffer> {
  try {
    return await askSystem(native, { encoding: 'buffer' })
  } catch (error) {
    if (!isUnsupported(error)) throw error
    return Buffer.from(await walk(usualForm(String(native))))
  }
}

/** Like `realPath`, but blocks the thread, and throws instead of rejecting. */
export function realPathSync(native: string | Buffer): Buffer {
  try {
    return realpathSync.native(native, { encoding: 'buffer' })
  } catch (error) {
    if (!isUnsupported(error)) throw error
    return Buffer.from(realpathSync(usualForm(String(native))))
  }
}
