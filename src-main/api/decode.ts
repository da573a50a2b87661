// Decodes a response body to text. The client never requests compression, but a server may compress anyway. The size limit also applies to
// the decompressed data, because a small response may expand to a huge one.
import { promisify } from 'node:util'
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib'
import type { Headers } from './rate-headers.ts'

const unzip = promisify(gunzip)
const deflated = promisify(inflate)
const deflatedRaw = promisify(inflateRaw)
const brotli = promisify(brotliDecompress)

/**
 * Decodes a response body to text. Resolves to null if the encoding is unknown, or if a compressed body is damaged or expands to more than
 * `cap` bytes. For a truncated body, resolves to the beginning of the text.
 */
export async function decodeText(headers: Headers, body: Buffer, cap: number): Promise<string | null> {
  const bytes = await unpacked(headers, body, cap)
  // Use TextDecoder, because Buffer.toString would keep a byte order mark.
  return bytes === null ? null : new TextDecoder().decode(bytes)
}

export function encodingOf(headers: Headers): string {
  const value = headers['content-encoding']
  const encoding = (Array.isArray(value) ? value.join(',') : (value ?? '')).trim().toLowerCase()
  return encoding === 'identity' ? '' : encoding
}

async function unpacked(headers: Headers, body: Buffer, cap: number): Promise<Buffer | null> {
  const encoding = encodingOf(headers)
  if (encoding === '' || body.length === 0) return body
  const limits = { maxOutputLength: cap, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return await unzip(body, limits)
    // Servers send "deflate" either with or without a zlib header.
    if (encoding === 'deflate') return await deflated(body, limits).catch(() => deflatedRaw(body, limits))
    if (encoding === 'br') return await brotli(body, { maxOutputLength: cap, finishFlush: constants.BROTLI_OPERATION_FLUSH })
  } catch {
    return null
  }
  return null
}
