// What an upload sends: one part named `file`, parsed by an independent parser, with its exact length, in
// constant memory. And what it doesn't send: a body that its source didn't deliver completely.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { describe, expect, it, vi } from 'vitest'
import {
  answerJson,
  client,
  failureOf,
  generated,
  httpServer,
  KEY,
  large,
  RECEIPT,
  SMALL,
  valueOf,
} from './servers.ts'

interface Seen {
  readonly headers: IncomingHttpHeaders
  readonly method: string
  readonly url: string
  readonly parts: readonly {
    readonly field: string
    readonly filename: string
    readonly type: string
    readonly bytes: number
    readonly sha256: string
  }[]
  readonly raw: number
  readonly head: string
}

/** `delayMs`: how long the server pauses after every chunk that it has read. */
async function parsingServer(
  delayMs = 0,
): Promise<{ readonly port: number; readonly seen: Seen[]; readonly incomplete: () => number }> {
  const seen: Seen[] = []
  let incomplete = 0
  const port = await httpServer((request, response) => {
    const parts: { field: string; filename: string; type: string; bytes: number; sha256: string }[] = []
    let raw = 0
    let head = ''
    request.on('data', (chunk: Buffer) => {
      raw += chunk.length
      if (head.length < 2000) head += chunk.toString('utf8', 0, 2000)
    })
    request.on('close', () => {
      if (!request.complete) incomplete++
    })
    const type = request.headers['content-type'] ?? ''
    const form = new Busboy({
      headers: { ...request.headers, 'content-type': type },
      preservePath: true,
      limits: { fieldNameSize: 1000 },
    })
    form.on('file', (field, file, filename, _encoding, mime) => {
      const hash = createHash('sha256')
      let bytes = 0
      file.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        hash.update(chunk)
      })
      file.on('end', () => parts.push({ field, filename, type: mime, bytes, sha256: hash.digest('hex') }))
    })
    form.on('error', () => undefined)
    form.on('finish', () => {
      seen.push({
        headers: request.headers,
        method: request.method ?? '',
        url: request.url ?? '',
        parts,
        raw,
        head,
      })
      response.end(JSON.stringify(RECEIPT))
    })
    if (delayMs === 0) request.pipe(form)
    else void readSlowly(request, form, delayMs)
  })
  return { port, seen, incomplete: () => incomplete }
}

async function readSlowly(
  from: AsyncIterable<Buffer>,
  into: NodeJS.WritableStream,
  delayMs: number,
): Promise<void> {
  for await (const piece of from) {
    into.write(piece)
    await sleep(delayMs)
  }
  into.end()
}

function sha256(chunks: Iterable<Uint8Array>): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

async function sha256Later(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

describe('an upload', () => {
  it('is a POST with the key, one part, and the exact length', async () => {
    const { port, seen } = await parsingServer()
    const result = await client(port).upload(SMALL)
    expect(valueOf(result)).toEqual({
      fileId: '7',
      filename: 'a.txt',
      size: 3,
      uploadDate: null,
      downloadCount: null,
      publicLink: 'https://files.example.com/download/abc',
    })
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v1/files/upload' })
    expect(seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'user-agent': 'slipway-test',
      'accept-encoding': 'identity',
    })
    expect(Number(seen[0]?.headers['content-length'])).toBe(seen[0]?.raw)
    expect(seen[0]?.headers['transfer-encoding']).toBeUndefined()
    expect(seen[0]?.parts).toEqual([
      {
        field: 'file',
        filename: 'a.txt',
        type: 'application/octet-stream',
        bytes: 3,
        sha256: sha256([Buffer.from('abc')]),
      },
    ])
  })

  const JOINED = 1024 * 1024
  it.each([0, 1, 65_535, JOINED - 1, JOINED, JOINED + 1, 5_000_001])(
    'of %i bytes arrives as it was given',
    async (size) => {
      const { port, seen } = await parsingServer()
      const progress: number[] = []
      valueOf(
        await client(port).upload({
          filename: 'x',
          size,
          body: generated(size, 100_000),
          onProgress: (sent) => progress.push(sent),
        }),
      )
      expect(Number(seen[0]?.headers['content-length'])).toBe(seen[0]?.raw)
      expect(seen[0]?.parts).toMatchObject([
        { bytes: size, sha256: await sha256Later(generated(size, 100_000)()) },
      ])
      expect(progress.at(-1)).toBe(size)
      expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    },
  )

  it.each([
    ['an array', () => [Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')]],
    ['a typed array that is no buffer', () => [new Uint8Array([97, 98, 99])]],
    ['a view into a larger buffer', () => [Buffer.from('xabcx').subarray(1, 4)]],
  ])('takes %s', async (_name, body) => {
    const { port, seen } = await parsingServer()
    valueOf(await client(port).upload({ filename: 'x', size: 3, body }))
    expect(seen[0]?.parts).toMatchObject([{ bytes: 3, sha256: sha256([Buffer.from('abc')]) }])
  })

  // Chunks below and above the 64 KiB at which a socket reports that its buffer is full.
  it.each([20_000, 3_000_000])(
    'asks for the next chunk of %i bytes only when the connection is done with the last',
    async (chunk) => {
      const { port, seen } = await parsingServer(1)
      const size = 24 * 1024 * 1024
      valueOf(await client(port).upload({ filename: 'x', size, body: generated(size, chunk) }))
      expect(seen[0]?.parts).toMatchObject([
        { bytes: size, sha256: await sha256Later(generated(size, chunk)()) },
      ])
    },
  )

  it('keeps its memory while a large body goes out', async () => {
    const size = 300 * 1024 * 1024
    let raw = 0
    const port = await httpServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        raw += chunk.length
      })
      request.on('end', () => response.end(JSON.stringify(RECEIPT)))
    })
    const api = client(port)
    valueOf(await api.upload(large()))
    raw = 0
    const before = process.memoryUsage().rss
    let most = before
    const onProgress = (): void => {
      most = Math.max(most, process.memoryUsage.rss())
    }
    valueOf(await api.upload({ filename: 'huge.bin', size, body: generated(size, 1024 * 1024), onProgress }))
    expect(raw).toBeGreaterThan(size)
    expect(most - before).toBeLessThan(100 * 1024 * 1024)
  })
})

describe('a name', () => {
  it.each([
    ['plain.txt', 'plain.txt'],
    ['with "quotes".txt', 'with %22quotes%22.txt'],
    ['line\r\nbreak\rs\n.txt', 'line%0D%0Abreak%0Ds%0A.txt'],
    ['back\\slash.txt', 'back\\slash.txt'],
    ['Übergröße – 漢字 🚀.txt', 'Übergröße – 漢字 🚀.txt'],
    ['semi;colon=equals.txt', 'semi;colon=equals.txt'],
    ['50%.txt', '50%.txt'],
    ['ä'.repeat(127), 'ä'.repeat(127)],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['lone \ud83d surrogate', 'lone \ufffd surrogate'],
    ['some/path/name.txt', 'name.txt'],
    ['../../etc/passwd', 'passwd'],
    ['nul\0byte', 'nulbyte'],
    ['', 'file'],
    ['dir/', 'file'],
  ])('%j goes out as browsers write it', async (filename, expected) => {
    const { port, seen } = await parsingServer()
    valueOf(await client(port).upload({ ...SMALL, filename }))
    const head = seen[0]?.head ?? ''
    expect(head).toContain(
      `\r\nContent-Disposition: form-data; name="file"; filename="${expected}"\r\nContent-Type: application/octet-stream\r\n\r\nabc\r\n--`,
    )
    expect(seen[0]?.parts).toHaveLength(1)
    expect(seen[0]?.parts[0]).toMatchObject({ field: 'file', bytes: 3 })
    if (!expected.includes('\\')) expect(seen[0]?.parts[0]?.filename).toBe(expected)
  })
})

describe('a source', () => {
  const boom = new Error('the disk is gone')
  async function* breaks(size: number): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(size / 2)
    throw boom
  }
  const MB = 1024 * 1024

  it.each([
    ['fewer bytes, small', 1000, () => [Buffer.alloc(999)], 'unsent'],
    ['more bytes, small', 1000, () => [Buffer.alloc(999), Buffer.alloc(2)], 'unsent'],
    ['fewer bytes, small and later', 1000, generated(999), 'unsent'],
    ['fewer bytes, large', 8 * MB, generated(8 * MB - 1), 'partly'],
    ['more bytes, large', 8 * MB, generated(8 * MB + 1), 'partly'],
    ['a chunk more, large', 8 * MB, generated(12 * MB), 'partly'],
    ['none at all, large', 8 * MB, () => [], 'partly'],
  ] as const)('that gives %s never makes a complete request', async (_name, size, body, phase) => {
    const { port, seen, incomplete } = await parsingServer()
    const api = client(port)
    const failure = failureOf(await api.upload({ filename: 'x', size, body }), 'source')
    expect(failure.phase).toBe(phase)
    expect(failure.message).toMatch(/the source gave/)
    if (phase === 'partly') await vi.waitFor(() => expect(incomplete()).toBe(1), { timeout: 10_000 })
    // The client still works: the next upload succeeds.
    valueOf(await api.upload(SMALL))
    expect(seen).toHaveLength(1)
  })

  it.each([
    ['small', 1000, 'unsent'],
    ['large', 8 * MB, 'partly'],
  ] as const)('that throws hands its error on (%s)', async (_name, size, phase) => {
    const { port, seen } = await parsingServer()
    const failure = failureOf(
      await client(port).upload({ filename: 'x', size, body: () => breaks(size) }),
      'source',
    )
    expect(failure).toMatchObject({ phase, message: 'the disk is gone' })
    expect(failure.cause).toBe(boom)
    expect(seen).toHaveLength(0)
  })

  it.each([3, 8 * MB])('that throws before its first byte (%i bytes declared)', async (size) => {
    const { port } = await parsingServer()
    const body = (): never => {
      throw boom
    }
    expect(failureOf(await client(port).upload({ filename: 'x', size, body }), 'source').cause).toBe(boom)
  })

  it.each([-1, Number.NaN, 1.5, Number.POSITIVE_INFINITY])('can not be of %d bytes', async (size) => {
    const failure = failureOf(await client(1).upload({ ...SMALL, size }), 'source')
    expect(failure.phase).toBe('unsent')
  })

  it('is asked anew for every try', async () => {
    const port = await httpServer((request, response) => answerJson(request, response, RECEIPT))
    const api = client(port)
    const body = vi.fn(SMALL.body)
    valueOf(await api.upload({ ...SMALL, body }))
    valueOf(await api.upload({ ...SMALL, body }))
    expect(body).toHaveBeenCalledTimes(2)
  })
})
