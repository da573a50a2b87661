// Receives a multipart/form-data body with one file part named `file`. Hashes and writes it as it arrives, in
// constant memory. The data has a temporary name until a caller keeps it; an incomplete body leaves nothing
// behind.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, rmSync, type WriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { type BusboyFileStream, type BusboyInstance, Busboy as Parser } from '@fastify/busboy'

/** Bytes. Files up to this size are written with one call at the end; larger ones are streamed. */
const GATHER = 256 * 1024

export interface Received {
  readonly filename: string
  readonly size: number
  readonly sha256: string
  /** Name in the blob folder; null if the bytes were discarded. */
  readonly blob: string | null
}

export type ReceiveResult =
  | { readonly ok: true; readonly file: Received }
  | {
      readonly ok: false
      readonly reason:
        | 'not-multipart'
        | 'no-file'
        | 'several-files'
        | 'malformed'
        | 'broken-off'
        | 'not-written'
    }

export interface ReceiveOptions {
  readonly request: IncomingMessage
  readonly blobs: string | null
  readonly hash: boolean
  /** Null if reading isn't throttled. */
  readonly bytesPerSecond: number | null
}

/**
 * Browsers and fetch encode only quotes and line breaks in names, with these escapes. The parser reads
 * `filename*` only if there is no plain `filename` (RFC 7578, section 4.2, doesn't allow `filename*` in
 * forms).
 */
function decodeName(name: string): string {
  return name.replaceAll(/%0D|%0A|%22/gi, (escape) => decodeURIComponent(escape))
}

export function receive({ request, blobs, hash, bytesPerSecond }: ReceiveOptions): Promise<ReceiveResult> {
  return new Promise((resolve) => {
    const contentType = request.headers['content-type'] ?? ''
    let parser: BusboyInstance
    try {
      parser = new Parser({
        headers: { 'content-type': contentType },
        preservePath: true,
        limits: { parts: 100 },
      })
    } catch {
      resolve({ ok: false, reason: 'not-multipart' })
      return
    }
    let settled = false
    let seen = 0
    let part: Part | null = null

    function fail(reason: 'malformed' | 'broken-off' | 'several-files'): void {
      if (settled) return
      settled = true
      request.unpipe()
      request.resume()
      part?.discard()
      resolve({ ok: false, reason })
    }

    async function outcome(): Promise<ReceiveResult> {
      try {
        const file = await part?.finished()
        return file === undefined ? { ok: false, reason: 'no-file' } : { ok: true, file }
      } catch {
        part?.discard()
        return { ok: false, reason: 'not-written' }
      }
    }

    async function finish(): Promise<void> {
      if (settled) return
      if (seen > 1) {
        fail('several-files')
        return
      }
      settled = true
      resolve(await outcome())
    }

    parser.on('file', (field, stream, filename) => {
      // The parser reports a broken body itself. Without a listener, the stream's own error would be
      // unhandled.
      stream.on('error', () => undefined)
      if (field !== 'file' || filename === undefined || ++seen > 1) {
        stream.resume()
        return
      }
      part = takePart({ stream, filename: decodeName(filename), blobs, hash })
    })
    parser.on('error', () => fail('malformed'))
    parser.on('finish', () => void finish())
    request.on('close', () => {
      if (!request.complete) fail('broken-off')
    })
    request.on('error', () => fail('broken-off'))
    if (bytesPerSecond === null) request.pipe(parser)
    else request.pipe(throttle(bytesPerSecond)).pipe(parser)
  })
}

function throttle(bytesPerSecond: number): Transform {
  let until = performance.now()
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      until = Math.max(until, performance.now()) + (chunk.length / bytesPerSecond) * 1000
      // The last, small chunk may already be overdue.
      setTimeout(() => done(null, chunk), Math.max(0, until - performance.now()))
    },
  })
}

interface Part {
  /** Resolves once every byte has been hashed and written. */
  finished(): Promise<Received>
  discard(): void
}

function takePart(options: {
  readonly stream: BusboyFileStream
  readonly filename: string
  readonly blobs: string | null
  readonly hash: boolean
}): Part {
  const { stream, filename, blobs } = options
  const digest = options.hash ? createHash('sha256') : null
  const blob = blobs === null ? null : randomUUID()
  const path = blobs === null || blob === null ? null : join(blobs, blob)
  let size = 0
  let gathered: Buffer[] = []
  let disk: WriteStream | null = null

  stream.on('data', (chunk: Buffer) => {
    size += chunk.length
    digest?.update(chunk)
    if (path === null) return
    if (disk === null) {
      gathered.push(chunk)
      if (size <= GATHER) return
      disk = createWriteStream(path, { highWaterMark: 1024 * 1024 })
      disk.on('error', () => undefined)
      disk.on('drain', () => stream.resume())
      disk.write(Buffer.concat(gathered))
      gathered = []
      return
    }
    if (!disk.write(chunk)) stream.pause()
  })

  return {
    finished: async () => {
      const out = disk
      if (out !== null)
        await new Promise<void>((resolve, reject) =>
          out.end((error?: Error | null) => (error ? reject(error) : resolve())),
        )
      else if (path !== null) await writeFile(path, Buffer.concat(gathered))
      return { filename, size, sha256: digest?.digest('hex') ?? '', blob }
    },
    discard: () => {
      gathered = []
      if (path === null || disk === null) return
      const remove = (): void => rmSync(path, { force: true })
      if (disk.closed) remove()
      else disk.once('close', remove)
      disk.destroy()
    },
  }
}
