// Serves app://slipway/, the window's origin: the built files, and local pictures for previews and
// thumbnails. The built files are listed at start-up, so that no URL can lead elsewhere. Pictures are
// requested by transfer ID, never by path. Every response has a strict content security policy.
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { protocol } from 'electron'

const SCHEME = 'app'
const HOST = 'slipway'
export const ORIGIN = `${SCHEME}://${HOST}`
/**
 * Pictures of more than this many bytes get no preview and no thumbnail, because decoding them would slow the
 * page down.
 */
export const PREVIEW_MOST = 30 * 1024 * 1024

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Hash of the component library's only inline style, which handles touch input.
  "style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Picture formats that Chromium can show. The type is derived from the extension and never sniffed. */
const PICTURES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jfif': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

export function previewType(path: string): string | null {
  return PICTURES[extname(path).toLowerCase()] ?? null
}

/** Registers the scheme `app:` as a secure origin. Electron requires this call before `ready`. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ])
}

function headers(type: string): Record<string, string> {
  return {
    'content-type': type,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

function refuse(status: number): Response {
  return new Response('', { status, headers: headers('text/plain') })
}

function listFiles(dir: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [path.slice(dir.length).replaceAll('\\', '/'), path] as const
      }),
  )
}

/**
 * Answers all requests for app://slipway/. A request for a picture names the account that the page shows, or
 * '' if it knows none.
 */
export function serveWindow(options: {
  readonly dir: string
  /** The path of the transfer's local picture; null if there is none. */
  readonly preview: (transferId: number, account: string) => Promise<string | null>
}): void {
  const files = listFiles(options.dir)
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url)
    if (url.host !== HOST || (request.method !== 'GET' && request.method !== 'HEAD')) return refuse(404)
    const [, use, id] = /^\/(preview|thumbnail)\/(\d{1,15})$/.exec(url.pathname) ?? []
    if (id !== undefined) {
      const path = await options.preview(Number(id), url.searchParams.get('account') ?? '')
      const picture = servePicture(path, request.method === 'HEAD')
      // The page asks for a thumbnail without knowing whether there is a picture, so a missing one is no
      // error.
      return use === 'thumbnail' && picture.status === 404
        ? new Response(null, { status: 204, headers: headers('text/plain') })
        : picture
    }
    const file = files.get(url.pathname === '/' ? '/index.html' : url.pathname)
    if (file === undefined) return refuse(404)
    const type = TYPES[extname(file)]
    return type === undefined
      ? refuse(404)
      : new Response(new Uint8Array(readFileSync(file)), { headers: headers(type) })
  })
}

function servePicture(path: string | null, isHead: boolean): Response {
  if (path === null) return refuse(404)
  const type = previewType(path)
  if (type === null) return refuse(404)
  try {
    // O_NOFOLLOW avoids following a symbolic link that has replaced the picture. O_NONBLOCK avoids hanging on
    // a named pipe.
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const there = fstatSync(fd)
    if (!there.isFile() || there.size > PREVIEW_MOST) {
      closeSync(fd)
      return refuse(404)
    }
    // The body of a response to HEAD isn't read, and a stream that isn't read to its end never closes its
    // descriptor.
    if (isHead) closeSync(fd)
    const body = isHead ? null : (Readable.toWeb(createReadStream('', { fd })) as ReadableStream<Uint8Array>)
    // An SVG may contain scripts. They don't run inside an image element; the sandbox covers every other way
    // of opening it.
    return new Response(body, {
      headers: {
        ...headers(type),
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      },
    })
  } catch {
    return refuse(404)
  }
}
