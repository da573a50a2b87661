// app://slipway/, the origin of the window: the built files and nothing else of the disk. Every file is known by name from the start, so no
// address leads to another; previews go by the number of a transfer, never by a path. Every answer carries the strict policy.
import { closeSync, constants, createReadStream, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { protocol } from 'electron'

const SCHEME = 'app'
const HOST = 'slipway'
export const ORIGIN = `${SCHEME}://${HOST}`
/** Larger pictures are not shown: they are decoded by the page, and a preview is a courtesy. */
export const PREVIEW_MOST = 30 * 1024 * 1024

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // The one style element of the component library (how a press on a touch screen is taken), by its content.
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

/** Pictures that Chromium shows. The type is told by the extension and never sniffed. */
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

/** Before `ready`, as Electron wants it. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
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

/** `preview` gives the path of a local picture by the number of its transfer; null: there is none to show. */
export function serveWindow(options: { readonly dir: string; readonly preview: (transferId: number) => Promise<string | null> }): void {
  const files = listFiles(options.dir)
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url)
    if (url.host !== HOST || (request.method !== 'GET' && request.method !== 'HEAD')) return refuse(404)
    const preview = /^\/preview\/(\d{1,15})$/.exec(url.pathname)?.[1]
    if (preview !== undefined) return servePreview(await options.preview(Number(preview)))
    const file = files.get(url.pathname === '/' ? '/index.html' : url.pathname)
    if (file === undefined) return refuse(404)
    const type = TYPES[extname(file)]
    return type === undefined ? refuse(404) : new Response(new Uint8Array(readFileSync(file)), { headers: headers(type) })
  })
}

function servePreview(path: string | null): Response {
  if (path === null) return refuse(404)
  const type = previewType(path)
  if (type === null) return refuse(404)
  try {
    // NOFOLLOW: a link that was put in the picture's place is not read. NONBLOCK: a pipe put there holds up nobody.
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const there = fstatSync(fd)
    if (!there.isFile() || there.size > PREVIEW_MOST) {
      closeSync(fd)
      return refuse(404)
    }
    const body = Readable.toWeb(createReadStream('', { fd })) as ReadableStream<Uint8Array>
    // A drawing may hold anything that a page may hold; as a picture it runs nothing, and this sees to it that it is nothing else.
    return new Response(body, {
      headers: { ...headers(type), 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
    })
  } catch {
    return refuse(404)
  }
}
