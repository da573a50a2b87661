// Custom schemes. Chromium doesn't allow handlers for unknown schemes, so `app://host/path` is loaded as
// `http://host.app.localhost/path` from a server in this process, which calls the app's handler with the
// original URL. Everything is streamed. Differences from Electron: `location.origin` in the page, and
// absolute `app://` URLs in page code.
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { fileURLToPath } from 'node:url'
import { desk } from './desk.ts'
import { notImplemented, strict } from './strict.ts'

type Handler = (request: Request) => Response | Promise<Response>

const privileged = new Set<string>()
const handlers = new Map<string, Handler>()

/** The URL for Chromium that corresponds to one used by the app or its page. */
export function toChromium(url: string): string {
  const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  return handlers.has(scheme) ? `http://${host}.${scheme}.localhost${rest}` : url
}

/** The URL for the app that corresponds to one used by Chromium. */
export function fromChromium(url: string): string {
  const [, host = '', scheme = '', rest = ''] =
    /^http:\/\/([^/?#]*)\.([a-z0-9+-]+)\.localhost(?::80)?([/?#].*|$)/.exec(url) ?? []
  return handlers.has(scheme) ? `${scheme}://${host}${rest}` : url
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const url = fromChromium(`http://${incoming.headers.host ?? ''}${incoming.url ?? '/'}`)
  const handler = handlers.get(new URL(url).protocol.slice(0, -1))
  // Chromium requests a favicon on its own; Electron's windows don't, so neither app nor page should see
  // that.
  if (handler === undefined || incoming.url === '/favicon.ico') {
    outgoing.writeHead(handler === undefined ? 404 : 204).end()
    return
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headersDistinct)) {
    if (name === 'host' || name === 'connection') continue
    headers.set(
      name,
      name === 'origin' || name === 'referer' ? fromChromium((value ?? []).join()) : (value ?? []).join(', '),
    )
  }
  const method = incoming.method ?? 'GET'
  const body =
    method === 'GET' || method === 'HEAD'
      ? {}
      : { body: Readable.toWeb(incoming) as unknown as BodyInit, duplex: 'half' as const }
  const response = await handler(new Request(url, { method, headers, ...body }))
  const sent = [...response.headers].map(([name, value]) => [
    name,
    name === 'location' ? toChromium(new URL(value, url).href) : value,
  ])
  outgoing.writeHead(response.status, sent.flat())
  if (response.body === null) outgoing.end()
  else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing)
}

/** Resolves to the port of the loopback server for all custom schemes. */
export async function serveSchemes(): Promise<number> {
  // An import would also load Node's fetch, which takes a tenth of each start.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      // If the page has gone away, the handler isn't to blame.
      if (!outgoing.destroyed) console.error(`stand-in: the handler of ${incoming.url ?? ''} failed`, error)
      outgoing.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  return (server.address() as AddressInfo).port
}

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(schemes: readonly Electron.CustomScheme[]): void {
    if (desk.ready)
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    for (const { scheme } of schemes) privileged.add(scheme)
  },
  handle(scheme: string, handler: Handler): void {
    if (!desk.ready) throw new Error('protocol.handle can only be used after app is ready')
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
    if (!privileged.has(scheme))
      throw new Error(`stand-in: the scheme ${scheme} was not registered as privileged before app was ready`)
    handlers.set(scheme, handler)
  },
  unhandle(scheme: string): void {
    if (!handlers.delete(scheme)) throw new Error(`Failed to unregister protocol: ${scheme}`)
  },
  isProtocolHandled: (scheme: string): boolean => handlers.has(scheme),
})

/** The types of a renderer's files. Electron asks the system. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

export const net = strict('net', {
  isOnline: (): boolean => true,
  get online(): boolean {
    return true
  },
  /** Only files. The app's network requests go through its own client. */
  async fetch(input: string | Request): Promise<Response> {
    const url = typeof input === 'string' ? input : input.url
    if (!url.startsWith('file:')) throw notImplemented('net.fetch of anything but files')
    const path = fileURLToPath(url)
    const bytes = await readFile(path).catch(() => null)
    if (bytes === null) throw new Error('net::ERR_FILE_NOT_FOUND')
    return new Response(new Uint8Array(bytes), {
      headers: { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' },
    })
  },
})
