// Sends the bytes behind a public link, whole or as a single range.
// Counts a download when its first byte is requested. Needs no API key.
import { createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

export interface Span {
  /** First and last byte, inclusive. */
  readonly from: number
  readonly to: number
}

/**
 * The requested range; null for the whole file, or `out` if it is outside the file. A request for several
 * ranges gets the whole file.
 */
export function spanOf(header: string | undefined, size: number): Span | 'out' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (match === null) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'out' : { from: size - count, to: size - 1 }
  }
  const from = Number(first)
  if (from >= size) return 'out'
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return to < from ? null : { from, to }
}

function disposition(filename: string): string {
  const ascii = filename.replaceAll(/[^\x20-\x7e]|["\\]/gu, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** Resolves with the status sent, once everything is sent or the client has disconnected. */
export async function sendDownload(options: {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly filename: string
  readonly size: number
  /** The fraction of the bytes after which the connection is cut; null for no cut. */
  readonly cutAt: number | null
  readonly counted: () => void
}): Promise<number> {
  const { request, response, path, size, cutAt } = options
  const span = spanOf(request.headers.range, size)
  response.setHeader('Accept-Ranges', 'bytes')
  if (span === 'out') {
    response.writeHead(416, { 'Content-Range': `bytes */${size}`, 'Content-Length': 0 }).end()
    return 416
  }
  const { from, to } = span ?? { from: 0, to: size - 1 }
  const length = to - from + 1
  const status = span === null ? 200 : 206
  response.writeHead(status, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': length,
    'Content-Disposition': disposition(options.filename),
    ...(span === null ? {} : { 'Content-Range': `bytes ${from}-${to}/${size}` }),
  })
  if (request.method === 'HEAD') {
    response.end()
    return status
  }
  if (from === 0) options.counted()
  const send = cutAt === null ? length : Math.floor(length * cutAt)
  if (send > 0) {
    const bytes = createReadStream(path, { start: from, end: from + send - 1, highWaterMark: 256 * 1024 })
    // A client that disconnects early isn't an error of the service.
    await pipeline(bytes, response, { end: cutAt === null }).catch(() => response.destroy())
  } else if (cutAt === null) response.end()
  if (cutAt !== null) response.destroy()
  return status
}
