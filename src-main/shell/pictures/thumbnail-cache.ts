// The thumbnails that Linux file managers keep (freedesktop.org, Thumbnail Managing Standard): where the one of a file is, and whether it is
// still that of the file. Pure; thumbnail-thread.ts reads it.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pngSize, pngText } from './png-scale.ts'

/** From small to large: 128 and 256 pixels. */
const SIZES = ['normal', 'large'] as const
const SIDE_MOST = 512

/** The address of a file as the standard's programs write it, which leave more characters as they are than an URL must. */
function fileUri(path: string): string {
  const encoded = encodeURIComponent(path).replaceAll(/%(?:2F|24|26|2B|2C|3A|3B|3D|40)/g, (code) => decodeURIComponent(code))
  return `file://${encoded}`
}

/** Where thumbnails of this file would be. */
export function cachedPlaces(path: string, cacheHome: string): readonly string[] {
  const name = `${createHash('md5').update(fileUri(path)).digest('hex')}.png`
  return SIZES.map((size) => join(cacheHome, 'thumbnails', size, name))
}

/** Whether this thumbnail was made of the file as it was modified last. */
export function isCurrent(png: Uint8Array, mtimeMs: number): boolean {
  const size = pngSize(png)
  if (size === null || size.width > SIDE_MOST || size.height > SIDE_MOST) return false
  return pngText(png, 'Thumb::MTime') === String(Math.floor(mtimeMs / 1000))
}
