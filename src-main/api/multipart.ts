// One multipart/form-data body with one file part named `file`, its exact length known before the first byte. Names are written as
// browsers write them. Memory stays that of one chunk; a small body leaves as a single buffer.
import { randomUUID } from 'node:crypto'

/** Below this a body is joined to one buffer: one write for head, bytes and tail. */
const JOIN_BELOW = 1024 * 1024 + 1

export class LengthError extends Error {
  constructor(given: number, declared: number) {
    super(`the body gave ${given} of ${declared} bytes`)
  }
}

/** A name fit for the wire: no path, well-formed, no control characters but what the escapes below carry. */
export function wireName(name: string): string {
  const base = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const clean = base.replaceAll('\0', '')
  return clean === '' ? 'file' : clean
}

function quote(name: string): string {
  return wireName(name).replaceAll('\r\n', '%0D%0A').replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}

export interface Multipart {
  readonly contentType: string
  readonly contentLength: number
  readonly body: Uint8Array | AsyncGenerator<Uint8Array>
  /** Every byte of the body was handed over. */
  readonly finished: () => boolean
}

export function multipart(options: {
  readonly filename: string
  readonly size: number
  readonly source: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly onProgress?: ((sent: number) => void) | undefined
}): Multipart {
  const boundary = `----slipway-${randomUUID()}`
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quote(options.filename)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const common = { contentType: `multipart/form-data; boundary=${boundary}`, contentLength: head.length + options.size + tail.length }
  const given = options.source()
  if (options.size < JOIN_BELOW && Symbol.iterator in given) {
    const chunks = [...given]
    const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
    if (length !== options.size) throw new LengthError(length, options.size)
    return { ...common, body: Buffer.concat([head, ...chunks, tail]), finished: () => true }
  }
  let finished = false
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield head
    let sent = 0
    for await (const chunk of given) {
      sent += chunk.length
      if (sent > options.size) throw new LengthError(sent, options.size)
      yield chunk
      options.onProgress?.(sent)
    }
    if (sent !== options.size) throw new LengthError(sent, options.size)
    finished = true
    yield tail
  }
  return { ...common, body: stream(), finished: () => finished }
}
