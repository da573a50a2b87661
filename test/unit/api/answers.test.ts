// How the five calls handle responses that are compressed, huge, truncated, or of another type, and
// redirects. Also tests the download, which sends no key. parse.test.ts and detail.test.ts test the content
// of bodies.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  answerJson,
  client,
  failureOf,
  httpServer,
  jsonServer,
  KEY,
  large,
  RECEIPT,
  rawServer,
  SMALL,
  valueOf,
} from './servers.ts'

const STATS = { success: true, stats: { total_files: 3 }, limits: { max_file_size: 10 }, plan: 'Pro' }

describe('the calls', () => {
  it('ask for what the document says', async () => {
    const seen: string[] = []
    const port = await httpServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      const answers: Record<string, unknown> = {
        '/sub/api/v1/files?page=2&limit=50': {
          success: true,
          files: [{ file_id: 1 }],
          pagination: { page: 2, limit: 50, total: '51', pages: 2 },
        },
        '/sub/api/v1/files/9':
          request.method === 'DELETE'
            ? { success: true, message: 'File deleted' }
            : { success: true, file: { file_id: 9 } },
        '/sub/api/v1/stats': STATS,
      }
      answerJson(request, response, answers[request.url ?? ''], 200, {
        date: 'Sat, 21 Nov 2026 04:00:00 GMT',
        'x-ratelimit-remaining': '12',
      })
    })
    const api = client(`http://127.0.0.1:${port}/sub/api/v1/`)
    expect(valueOf(await api.list({ page: 2, limit: 50 }))).toMatchObject({
      files: [{ fileId: '1' }],
      pagination: { total: 51 },
    })
    expect(valueOf(await api.file('9'))).toMatchObject({ fileId: '9' })
    expect(valueOf(await api.remove('9'))).toEqual({ message: 'File deleted' })
    const stats = await api.stats()
    expect(valueOf(stats)).toEqual({ stats: { total_files: 3 }, limits: { max_file_size: 10 }, plan: 'pro' })
    expect(stats.ok && stats.meta).toMatchObject({
      status: 200,
      serverDate: Date.UTC(2026, 10, 21, 4),
      rate: { remaining: 12 },
    })
    expect(seen).toEqual([
      'GET /sub/api/v1/files?page=2&limit=50',
      'GET /sub/api/v1/files/9',
      'DELETE /sub/api/v1/files/9',
      'GET /sub/api/v1/stats',
    ])
  })

  it('take no answer about another file for the one that was asked about, but one that names no file', async () => {
    const answer = {
      success: true,
      file: { filename: 'seven.txt', public_link: 'https://x.test/download/7' },
    }
    const other = await jsonServer({ ...answer, file: { ...answer.file, file_id: 7 } })
    expect(failureOf(await client(other).file('5'), 'garbage')).toMatchObject({
      message: 'The response is about another file.',
      isOther: true,
    })
    expect(valueOf(await client(other).file('7')).filename).toBe('seven.txt')
    expect(valueOf(await client(await jsonServer(answer)).file('5'))).toMatchObject({
      fileId: null,
      filename: 'seven.txt',
    })
  })

  it('take an empty 204 for a deletion', async () => {
    const port = await httpServer((_request, response) => response.writeHead(204).end())
    expect(valueOf(await client(port).remove('1'))).toEqual({ message: null })
    failureOf(await client(port).stats(), 'garbage')
  })
})

describe('statistics that are nested without end', () => {
  it.each(['{"limit":', '['])("are not the service's: %s", async (opening) => {
    const levels = 100_000
    const closing = opening === '[' ? ']' : '}'
    const text = `{"success":true,"limits":{"daily_uploads":${opening.repeat(levels)}1${closing.repeat(levels)}}}`
    expect(failureOf(await client(await jsonServer(text)).stats(), 'garbage').phase).toBe('sent')
  })
})

describe('a body', () => {
  const text = JSON.stringify(RECEIPT)
  it.each([
    ['as it is', Buffer.from(text), {}],
    ['with a byte order mark', Buffer.from(`\uFEFF${text}`), {}],
    ['of another type', Buffer.from(text), { 'content-type': 'text/html; charset=iso-8859-1' }],
    ['with gzip', gzipSync(text), { 'content-encoding': 'gzip' }],
    ['with x-gzip', gzipSync(text), { 'content-encoding': 'X-GZIP' }],
    ['with deflate', deflateSync(text), { 'content-encoding': 'deflate' }],
    ['with raw deflate', deflateRawSync(text), { 'content-encoding': 'deflate' }],
    ['with brotli', brotliCompressSync(text), { 'content-encoding': 'br' }],
    ['with identity', Buffer.from(text), { 'content-encoding': 'identity' }],
  ])('%s is read', async (_name, body, headers) => {
    expect(valueOf(await client(await jsonServer(body, 200, headers)).upload(SMALL)).fileId).toBe('7')
  })

  it.each([
    ['HTML', '<html><title>Welcome</title></html>', {}],
    ['cut JSON', text.slice(0, -5), {}],
    ['nothing', '', {}],
    ['another JSON', '{"hello":"world"}', {}],
    ['an array', '[1,2]', {}],
    ['null', 'null', {}],
    ['brackets without end', '['.repeat(500_000), {}],
    ['deep brackets', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, {}],
    ['deep objects', `${'{"file":'.repeat(50_000)}1${'}'.repeat(50_000)}`, {}],
    ['too much', `{"success":true,"x":"${'x'.repeat(1024 * 1024)}"}`, {}],
    ['something packed in an unknown way', text, { 'content-encoding': 'zstd' }],
    ['something damaged', Buffer.from('no gzip'), { 'content-encoding': 'gzip' }],
    [
      'something that unpacks to too much',
      gzipSync(`{"success":true,"x":"${'x'.repeat(4_000_000)}"}`),
      { 'content-encoding': 'gzip' },
    ],
  ])('of %s is garbage', async (_name, body, headers) => {
    const failure = failureOf(await client(await jsonServer(body, 200, headers)).upload(SMALL), 'garbage')
    expect(failure).toMatchObject({ phase: 'sent', meta: { status: 200 } })
  })

  const HTML = { 'content-type': 'text/html; charset=utf-8' }
  it.each([
    [
      'a page',
      '<html><title>Sign in\u001b[2J</title></html>',
      HTML,
      `The response isn't the service's JSON: "Sign in [2J"`,
    ],
    [
      'a page without a title',
      '<html><p>x</p></html>',
      HTML,
      "The response isn't the service's JSON (text/html, 21 B).",
    ],
    ['a text', 'Queued for scanning', {}, `The response isn't the service's JSON: "Queued for scanning"`],
    ['nothing', '', {}, 'The response is empty.'],
    [
      'JSON with a message',
      '{"message":"Accepted, try later"}',
      {},
      `The response is JSON, but not in the service's format: "Accepted, try later"`,
    ],
    [
      'JSON without one',
      '{"hello":"world"}',
      {},
      "The response is JSON, but not in the service's format (application/json, 17 B).",
    ],
    [
      'the key',
      `Hello ${KEY}`,
      { 'content-type': `text/${KEY}` },
      `The response isn't the service's JSON: "Hello [key]"`,
    ],
    [
      'the key as its type',
      '<p>',
      { 'content-type': `text/${KEY}` },
      "The response isn't the service's JSON (text/[key], 3 B).",
    ],
  ])('of %s is garbage whose words are shown, but never raw', async (_name, body, headers, message) => {
    expect(
      failureOf(await client(await jsonServer(body, 200, headers)).upload(SMALL), 'garbage').message,
    ).toBe(message)
  })

  it('of a list may be long', async () => {
    const files = Array.from({ length: 20_000 }, (_, i) => ({
      file_id: i,
      filename: `file ${i} ${'x'.repeat(100)}`,
    }))
    const port = await jsonServer({ success: true, files })
    expect(valueOf(await client(port).list({ page: 1, limit: 1 })).files).toHaveLength(20_000)
    const longer = await jsonServer({
      success: true,
      files: [{ file_id: 1, filename: 'x'.repeat(9 * 1024 * 1024) }],
    })
    failureOf(await client(longer).list({ page: 1, limit: 1 }), 'garbage')
  })

  it('without an end is not read for ever', async () => {
    const more = (response: { write(text: string): boolean; destroyed: boolean }): void => {
      if (response.destroyed) return
      response.write('x'.repeat(65_536))
      setImmediate(more, response)
    }
    const good = await httpServer((_request, response) => more(response.writeHead(200)))
    failureOf(await client(good).stats(), 'garbage')
    const bad = await httpServer((_request, response) => more(response.writeHead(503)))
    expect(failureOf(await client(bad).stats(), 'status')).toMatchObject({ status: 503, detail: null })
  })

  it('that breaks off', async () => {
    const port = await rawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"success":true')),
    )
    expect(failureOf(await client(port).upload(SMALL), 'garbage')).toMatchObject({
      phase: 'sent',
      meta: { status: 200 },
    })
    const bad = await rawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 401 No\r\nContent-Length: 100\r\n\r\nyour key')),
    )
    expect(failureOf(await client(bad).upload(SMALL), 'status')).toMatchObject({
      status: 401,
      detail: 'your key',
    })
  })

  it.each([
    'SSH-2.0-OpenSSH_9.6\r\n',
    'HTTP/1.1 200 OK\r\nbad header\r\n\r\n',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}\r\n\r\n`,
    '\0\0\0\0\0\0',
  ])('that is not HTTP: %.20j', async (bytes) => {
    const port = await rawServer((socket) => socket.once('data', () => socket.end(bytes, 'latin1')))
    expect(failureOf(await client(port).upload(SMALL), 'garbage')).toMatchObject({
      phase: 'sent',
      meta: null,
    })
  })

  it('of any bytes never throws', async () => {
    let bytes = Buffer.alloc(0)
    const port = await rawServer((socket) =>
      socket.on('data', (chunk: Buffer) => chunk.includes('\r\n\r\n') && socket.end(bytes)),
    )
    const api = client(port, { timeouts: { answerMs: 1000, idleMs: 1000 } })
    const head = fc.constantFrom(
      '',
      'HTTP/1.1 200 OK\r\n\r\n',
      'HTTP/1.1 500 No\r\nContent-Encoding: gzip\r\n\r\n',
      'HTTP/1.1 302 Found\r\nLocation: ',
    )
    await fc.assert(
      fc.asyncProperty(head, fc.uint8Array({ maxLength: 200 }), async (start, rest) => {
        bytes = Buffer.concat([Buffer.from(start), rest])
        const result = await api.stats()
        expect(result.ok).toBe(false)
      }),
      { numRuns: 150 },
    )
  })
})

describe('a status', () => {
  it.each([
    [400, '{"error":"file is required"}', 'file is required'],
    [401, '{"success":false,"message":"Invalid API key"}', 'Invalid API key'],
    [403, '<html><head><title>403 Forbidden</title></head></html>', '403 Forbidden'],
    [404, '', null],
    [429, 'Slow down', 'Slow down'],
    [500, gzipSync('{"message":"oops"}'), 'oops'],
    [304, '', null],
    [599, '{"a":1}', null],
  ])('%i is handed on with what it says', async (status, body, detail) => {
    const headers: Record<string, string> = Buffer.isBuffer(body) ? { 'content-encoding': 'gzip' } : {}
    const port = await jsonServer(body, status, { ...headers, 'retry-after': '7' })
    const failure = failureOf(await client(port).upload(SMALL), 'status')
    expect(failure).toMatchObject({
      status,
      detail,
      phase: 'sent',
      meta: { status, rate: { retryAfterMs: 7000 } },
    })
    expect(failure.message).toContain(String(status))
  })

  it('of 200 with `success: false` is a refusal', async () => {
    const port = await jsonServer({ success: false, error: { message: 'Daily limit reached' } })
    expect(failureOf(await client(port).upload(SMALL), 'refused')).toMatchObject({
      detail: 'Daily limit reached',
      phase: 'sent',
    })
  })

  it('tells how far the request had come', async () => {
    const early = await httpServer((_request, response) => response.writeHead(500).end())
    expect(failureOf(await client(early).upload(large()), 'status').phase).toBe('partly')
    const late = await jsonServer('', 500)
    expect(failureOf(await client(late).upload(large(2 * 1024 * 1024)), 'status').phase).toBe('sent')
  })
})

describe('a redirect', () => {
  async function redirecting(
    status: number,
    to: (hop: number) => string | null,
  ): Promise<{ port: number; seen: string[]; bodies: number[] }> {
    const seen: string[] = []
    const bodies: number[] = []
    const port = await httpServer((request, response) => {
      seen.push(
        `${request.method} ${request.url} ${request.headers.authorization === undefined ? 'no key' : 'key'}`,
      )
      let bytes = 0
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      request.on('end', () => {
        bodies.push(bytes)
        const location = to(seen.length)
        if (location === null) response.end(JSON.stringify({ ...RECEIPT, ...STATS, message: 'gone' }))
        else response.writeHead(status, { location }).end('moved')
      })
    })
    return { port, seen, bodies }
  }

  it.each([301, 302, 303, 307, 308])('%i within the origin is followed by a GET', async (status) => {
    const { port, seen } = await redirecting(status, (hop) => (hop === 1 ? '/api/v1/elsewhere?x=1#y' : null))
    valueOf(await client(port).stats())
    expect(seen).toEqual(['GET /api/v1/stats key', 'GET /api/v1/elsewhere?x=1 key'])
  })

  it.each([307, 308])(
    '%i within the origin is followed by an upload with a body of its own, and by a deletion',
    async (status) => {
      for (const size of [3, 2 * 1024 * 1024]) {
        const { port, seen, bodies } = await redirecting(status, (hop) => (hop === 1 ? '/other' : null))
        const body = vi.fn(() => [Buffer.alloc(size)])
        valueOf(await client(port).upload({ filename: 'x', size, body }))
        expect(seen).toEqual(['POST /api/v1/files/upload key', 'POST /other key'])
        expect(bodies[0]).toBe(bodies[1])
        expect(body).toHaveBeenCalledTimes(2)
      }
      const { port, seen } = await redirecting(status, (hop) => (hop === 1 ? '/other' : null))
      valueOf(await client(port).remove('5'))
      expect(seen).toEqual(['DELETE /api/v1/files/5 key', 'DELETE /other key'])
    },
  )

  it.each([301, 302, 303])('%i is not followed by an upload or a deletion', async (status) => {
    const { port, seen } = await redirecting(status, () => '/other')
    const api = client(port)
    expect(failureOf(await api.upload(SMALL), 'redirect')).toMatchObject({ phase: 'sent', meta: { status } })
    const told = failureOf(await api.remove('5'), 'redirect').message
    expect(told).toBe(
      `The service redirects to http://127.0.0.1:${port}/other with status ${status}, which isn't followed for a deletion.`,
    )
    expect(seen).toHaveLength(2)
  })

  it.each([
    ['another port', (other: number) => `http://127.0.0.1:${other}/api/v1/stats`],
    ['another name', (_other: number, port: number) => `http://localhost:${port}/api/v1/stats`],
    ['another scheme', (_other: number, port: number) => `https://127.0.0.1:${port}/api/v1/stats`],
    ['a place without scheme', (other: number) => `//127.0.0.1:${other}/`],
    ['a file', () => 'file:///etc/passwd'],
    ['nowhere', () => ''],
    ['no address', () => 'http://[nope'],
  ])('to %s is a failure, and nothing is sent there', async (_name, to) => {
    const reached = vi.fn()
    const other = await httpServer(reached)
    const ports: number[] = []
    const { port, seen } = await redirecting(307, () => to(other, ports[0] ?? 0))
    ports.push(port)
    const api = client(port)
    failureOf(await api.stats(), 'redirect')
    failureOf(await api.upload(SMALL), 'redirect')
    failureOf(await api.remove('1'), 'redirect')
    expect(seen).toHaveLength(3)
    expect(reached).not.toHaveBeenCalled()
  })

  it('is followed five times at most', async () => {
    const { port, seen } = await redirecting(302, (hop) => `/${hop}`)
    failureOf(await client(port).stats(), 'redirect')
    expect(seen).toHaveLength(6)
    const five = await redirecting(302, (hop) => (hop <= 5 ? `/${hop}` : null))
    valueOf(await client(five.port).stats())
  })
})

describe('a download', () => {
  it('waits for a sink however soon it is ready, and takes each byte once', async () => {
    const data = Buffer.alloc(2_679_363, 'slipway ')
    const port = await httpServer((_request, response) => response.end(data))
    for (const ready of [
      () => undefined,
      () => Promise.resolve(),
      async () => undefined,
      () => new Promise<void>((resolve) => setImmediate(resolve)),
      () => new Promise<void>((resolve) => setTimeout(resolve, 1)),
    ]) {
      const got: Buffer[] = []
      const result = await client(port).download(`http://127.0.0.1:${port}/download/x`, (chunk) => {
        // Regression: data that was available at once led to an endless series of empty chunks.
        if (chunk.length === 0) throw new Error('an empty piece')
        got.push(Buffer.from(chunk))
        return ready()
      })
      expect(valueOf(result)).toBe(data.length)
      expect(Buffer.concat(got).equals(data)).toBe(true)
    }
  })

  it('gives the bytes, and sends no key', async () => {
    const content = Buffer.alloc(3_000_000, 'ab')
    const keys: (string | undefined)[] = []
    const port = await httpServer((request, response) => {
      keys.push(request.headers.authorization)
      response.end(content)
    })
    const got: Buffer[] = []
    const result = await client(port).download(
      `http://127.0.0.1:${port}/download/x`,
      (chunk) => void got.push(Buffer.from(chunk)),
    )
    expect(valueOf(result)).toBe(content.length)
    expect(Buffer.concat(got).equals(content)).toBe(true)
    expect(keys).toEqual([undefined])
  })

  it('waits for whoever takes the bytes', async () => {
    const content = Buffer.alloc(8_000_000, 'ab')
    const port = await jsonServer(content)
    let at = 0
    let inside = 0
    const api = client(port, { timeouts: { idleMs: 500 } })
    let waits = 0
    const result = await api.download(`http://127.0.0.1:${port}/`, async (chunk) => {
      inside++
      expect(inside).toBe(1)
      if (waits++ === 0) await new Promise((resolve) => setTimeout(resolve, 1000))
      else await new Promise(setImmediate)
      at += chunk.length
      inside--
    })
    expect(valueOf(result)).toBe(content.length)
    expect(at).toBe(content.length)
  })

  it('follows to other places, but only of the web', async () => {
    const end = await jsonServer('the file')
    const middle = await httpServer((_request, response) =>
      response.writeHead(302, { location: `http://localhost:${end}/x` }).end(),
    )
    const api = client(end)
    expect(valueOf(await api.download(`http://127.0.0.1:${middle}/`, () => undefined))).toBe(8)
    const evil = await httpServer((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    )
    failureOf(await api.download(`http://127.0.0.1:${evil}/`, () => undefined), 'redirect')
    const round = await httpServer((_request, response) => response.writeHead(302, { location: '/' }).end())
    failureOf(await api.download(`http://127.0.0.1:${round}/`, () => undefined), 'redirect')
  })

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'nothing', '', 'ftp://files.example.com/x'])(
    'of %j is refused',
    async (link) => {
      expect(failureOf(await client(1).download(link, () => undefined), 'connect').phase).toBe('unsent')
    },
  )

  it('tells a status, a loss, a sink that fails, and an abort', async () => {
    const missing = await jsonServer('<title>Gone</title>', 410)
    const sink = vi.fn()
    const api = client(missing)
    expect(failureOf(await api.download(`http://127.0.0.1:${missing}/`, sink), 'status')).toMatchObject({
      status: 410,
      detail: 'Gone',
    })
    expect(sink).not.toHaveBeenCalled()
    const cut = await rawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')),
    )
    expect(failureOf(await api.download(`http://127.0.0.1:${cut}/`, sink), 'cut').phase).toBe('sent')
    const good = await jsonServer(Buffer.alloc(1_000_000))
    const full = new Error('the disk is full')
    const throwing = (): never => {
      throw full
    }
    expect(failureOf(await api.download(`http://127.0.0.1:${good}/`, throwing), 'source').cause).toBe(full)
    expect(
      failureOf(await api.download(`http://127.0.0.1:${good}/`, () => Promise.reject(full)), 'source').cause,
    ).toBe(full)
    const controller = new AbortController()
    const endless = await httpServer((_request, response) => void response.write('x'))
    failureOf(
      await api.download(`http://127.0.0.1:${endless}/`, () => controller.abort(), controller.signal),
      'aborted',
    )
    const packed = await jsonServer(gzipSync('x'), 200, { 'content-encoding': 'gzip' })
    failureOf(await api.download(`http://127.0.0.1:${packed}/`, sink), 'garbage')
  })
})
