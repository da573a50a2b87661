// Checks whether a link has replaced a directory above a file, on systems where Node can't determine the path of an open file. The check
// runs after the file has been opened, so it misses a link that has been removed in the meantime.
import { lstatSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { parentsOf } from '../../engine/disk/rel-path.ts'
import { toNative } from './path-codec.ts'
import { realPath, realPathSync } from './real-path.ts'

/** Whether a directory above the path is a link. Rejects if the path or a directory above it can't be examined. */
export async function hasLinkAbove(path: string): Promise<boolean> {
  const native = Buffer.from(toNative(path))
  if (native.equals(await realPath(native))) return false
  for (const dir of parentsOf(path)) if ((await lstat(toNative(dir))).isSymbolicLink()) return true
  return false
}

/** Like `hasLinkAbove`, but blocks the thread, and throws instead of rejecting. */
export function hasLinkAboveSync(path: string): boolean {
  const native = Buffer.from(toNative(path))
  if (native.equals(realPathSync(native))) return false
  // The real path may differ without a link, for example in letter case.
  return [...parentsOf(path)].some((dir) => lstatSync(toNative(dir)).isSymbolicLink())
}
