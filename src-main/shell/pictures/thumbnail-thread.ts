// Makes thumbnails on Linux in a separate thread: takes them from the file managers' cache or from inside a photo, or scales a PNG down.
// Reads only the requested file and its cached thumbnails. If one of these is a symbolic link, it isn't followed.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { homedir } from 'node:os'
import { extname, join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { JPEG_HEAD_BYTES, jpegThumbnail } from './jpeg-thumbnail.ts'
import { scalePng } from './png-scale.ts'
import { cachedPlaces, isCurrent } from './thumbnail-cache.ts'

/** Maximum width and height of a new thumbnail in pixels: over twice those of a tile (28 px, kind-tile.css), for high-density screens. */
export const THUMBNAIL_SIDE = 64
/** Maximum size of a PNG in bytes. Scaling a larger one would take seconds. */
const PNG_MOST = 24 * 1024 * 1024
const CACHED_MOST = 512 * 1024

export interface ThumbnailRequest {
  readonly id: number
  readonly path: string
}

export interface ThumbnailAnswer {
  readonly id: number
  readonly picture: Picture | null
}

export interface Picture {
  readonly type: 'image/png' | 'image/jpeg'
  readonly bytes: Uint8Array
}

export function serveThumbnails(port: MessagePort): void {
  port.on('message', ({ id, path }: ThumbnailRequest) => port.postMessage({ id, picture: make(path) } satisfies ThumbnailAnswer))
}

/** Returns null if there is no thumbnail, or if the picture is damaged or unreadable. */
function make(path: string): Picture | null {
  try {
    const cacheHome = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
    return withFile(path, ({ size, mtimeMs, read }) => {
      for (const place of cachedPlaces(path, cacheHome)) {
        const cached = readCached(place)
        if (cached !== null && isCurrent(cached, mtimeMs)) return { type: 'image/png', bytes: cached }
      }
      const kind = extname(path).toLowerCase()
      if (kind === '.png') {
        const scaled = size > PNG_MOST ? null : scalePng(read(size), THUMBNAIL_SIDE)
        return scaled === null ? null : { type: 'image/png', bytes: scaled }
      }
      const inside = /^\.(?:jpe?g|jfif)$/.test(kind) ? jpegThumbnail(read(Math.min(size, JPEG_HEAD_BYTES))) : null
      return inside === null ? null : { type: 'image/jpeg', bytes: inside }
    })
  } catch {
    return null
  }
}

function readCached(place: string): Buffer | null {
  try {
    return withFile(place, ({ size, read }) => (size > CACHED_MOST ? null : read(size)))
  } catch {
    return null
  }
}

interface OpenFile {
  readonly size: number
  readonly mtimeMs: number
  /** Reads this many bytes from the start of the file, or fewer if the file is shorter. */
  readonly read: (length: number) => Buffer
}

/** Opens the file, without following a symbolic link, and closes it after `use`. Throws if it can't be opened or isn't a regular file. */
function withFile<T>(path: string, use: (file: OpenFile) => T): T {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const there = fstatSync(fd)
    if (!there.isFile()) throw new Error(`${path} is no file.`)
    const read = (length: number): Buffer => {
      const buffer = Buffer.alloc(length)
      let filled = 0
      while (filled < length) {
        const n = readSync(fd, buffer, filled, length - filled, filled)
        if (n === 0) break
        filled += n
      }
      return buffer.subarray(0, filled)
    }
    return use({ size: there.size, mtimeMs: there.mtimeMs, read })
  } finally {
    closeSync(fd)
  }
}
