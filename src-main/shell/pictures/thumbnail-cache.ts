// Finds the thumbnails that Linux file managers have cached (freedesktop.org's Thumbnail Managing Standard): determines where the
// thumbnails of a file are, and whether one is up to date. The functions are pure; thumbnail-thread.ts reads the files.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pngSize, pngText } from './png-scale.ts'

/** The cache's folders, from small thumbnails to large ones: 128 and 256 pixels. */
const SIZES = ['normal', 'large'] as const
const SIDE_MOST = 512

/** The URI of a file as programs that follow the standard write it. They escape fewer characters than `encodeURIComponent`. */
function fileUri(path: string): string {
  const encoded = encodeURIComponent(path).replaceAll(/%(?:2F|24|26|2B|2C|3A|3B|3D|40)/g, (code) => decodeURIComponent(code))
  return `file://${encoded}`
}

/** The paths where thumbnails of this file may be cached. */
export function cachedPlaces(path: string, cacheHome: string): readonly string[] {
  const name = `${createHash('md5').update(fileUri(path)).digest('hex')}.png`
  return SIZES.map((size) => join(cacheHome, 'thumbnails', size, name))
}

/** Whether this is a PNG of thumbnail size that was made from the file's current version, judged by the file's modification time. */
export function isCurrent(png: Uint8Array, mtimeMs: number): boolean {
  const size = pngSize(png)
  if (size === null || size.width > SIDE_MOST || size.height > SIDE_MOST) return false
  return pngText(png, 'Thumb::MTime') === String(Math.floor(mtimeMs / 1000))
}
