// Feeds arbitrary answers of the service to the client. The result is always a value or one of the defined
// failures, and never contains the key, however the service repeats it. The client keeps to its limits for
// bytes and redirects.
import { createServer, type Server, type Socket } from 'node:net'
import { array, boolean, constantFrom, integer, oneof, record, string, tuple } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient } from '../../src-main/api/client.ts'
import { createRedact, parseRedacted } from '../../src-main/api/redact.ts'
import type { ApiClient, ApiResult } from '../../src-main/api/types.ts'
import { fuzz, hostileJson, hostileText } from './fuzz.ts'
import { KEY, repetitions, traces } from './key-forms.ts'

const KINDS = ['connect', 'cut', 'timeout', 'status', 'refused', 'garbage', 'redirect', 'aborted', 'source']

/** What the service does with the next request. Receives the number of requests so far. */
let script: (socket: Socket, nth: number) => void = (socket) => socket.destroy()
let seen = 0
let heads: string[] = []
let server: Server
let api: ApiClient<string>
const sockets = new Set<Socket>()

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let got = ''
    socket.on('data', (bytes) => {
      got += bytes.toString('latin1')
      if (!got.includes('\r\n\r\n')) return
      heads.push(got.slice(0, got.indexOf('\r\n\r\n')))
      got = ''
      script(socket, seen++)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  api = createApiClient({
    baseUrl: `http://127.0.0.1:${portOf()}/api/v1`,
    key: () => KEY,
    userAgent: 'slipway-test',
    timeouts: { connectMs: 2000, idleMs: 400, answerMs: 400 },
  })
})
afterAll(async () => {
  await api.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

function portOf(): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const calls: Readonly<Record<string, () => Promise<ApiResult<unknown>>>> = {
  stats: () => api.stats(),
  list: () => api.list({ page: 1, limit: 50 }),
  file: () => api.file('7'),
  remove: () => api.remove('7'),
  upload: () => api.upload({ filename: 'a.txt', size: 3, body: () => [Buffer.from('abc')] }),
  download: () => api.download(`http://127.0.0.1:${portOf()}/download/x`, () => undefined),
}

function expectResult(result: ApiResult<unknown>): void {
  if (result.ok) return
  const { failure } = result
  expect(KINDS).toContain(failure.kind)
  expect(failure.message.length).toBeGreaterThan(0)
  expect(failure.message.length).toBeLessThan(1000)
  if ('phase' in failure) expect(['unsent', 'partly', 'sent']).toContain(failure.phase)
}

const header = tuple(
  oneof(
    constantFrom(
      'Content-Type',
      'Content-Length',
      'Content-Encoding',
      'Transfer-Encoding',
      'Location',
      'Retry-After',
      'Date',
    ),
    string({ maxLength: 8 }),
  ),
  oneof(
    hostileText,
    integer().map(String),
    constantFrom('chunked', 'gzip', 'br', '/api/v1/stats', '//evil.example/', 'http://[', '99999999999'),
  ),
)
const answer = record({
  status: oneof(integer({ min: 0, max: 999 }), constantFrom(200, 200, 200, 204, 301, 307, 401, 429, 500)),
  line: constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2', 'http/1.1', ''),
  headers: array(header, { maxLength: 4 }),
  body: oneof(hostileJson, hostileText),
  told: boolean(),
  call: constantFrom(...Object.keys(calls)),
})

describe('any answer', () => {
  fuzz('is a value or a failure', answer, 700, async ({ status, line, headers, body, told, call }) => {
    script = (socket) => {
      const length = told ? [`Content-Length: ${Buffer.byteLength(body)}`] : []
      socket.end(
        `${line} ${status} Odd\r\n${[...headers.map(([name, value]) => `${name}: ${value}`), ...length].join('\r\n')}\r\n\r\n${body}`,
      )
    }
    const run = calls[call]
    if (run === undefined) throw new Error(`no call ${call}`)
    expectResult(await run())
  })

  it.each(['stats', 'list', 'upload', 'remove'])(
    'of %s without an end is broken off at its limit',
    async (call) => {
      for (const status of [200, 500]) {
        let sent = 0
        const closed = Promise.withResolvers<void>()
        script = (socket) => {
          socket.on('close', () => closed.resolve())
          socket.write(`HTTP/1.1 ${status} Odd\r\nContent-Type: application/json\r\n\r\n["`)
          const more = (error?: Error | null): void => {
            // After an error, the stream calls back immediately, forever.
            if (socket.destroyed || error instanceof Error) return
            sent += 65_536
            socket.write(Buffer.alloc(65_536, 'x'), more)
          }
          more()
        }
        const result = await calls[call]?.()
        expect(result).toMatchObject({ ok: false, failure: { kind: status === 200 ? 'garbage' : 'status' } })
        await closed.promise
        // The largest limit, plus what is in the buffers.
        expect(sent).toBeLessThan(32 * 1024 * 1024)
      }
    },
  )

  it('of headers without an end is broken off too', async () => {
    const closed = Promise.withResolvers<void>()
    script = (socket) => {
      socket.on('close', () => closed.resolve())
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = (error?: Error | null): void => {
        if (!socket.destroyed && !(error instanceof Error))
          socket.write(`X-${'a'.repeat(1000)}: ${'b'.repeat(5000)}\r\n`, more)
      }
      more()
    }
    expect((await api.stats()).ok).toBe(false)
    await closed.promise
  })
})

describe('a redirect', () => {
  const target = oneof(
    hostileText,
    constantFrom(
      '//127.0.0.2/x',
      'http://127.0.0.2/api',
      'https://127.0.0.1/',
      '/api/v1/files/9',
      '?x',
      'http:/evil.example',
      '\\\\evil.example\\x',
      'javascript:1',
    ),
  )
  fuzz(
    'takes the key to no other origin',
    tuple(target, constantFrom(301, 302, 303, 307, 308), constantFrom('stats', 'remove', 'upload', 'list')),
    400,
    async ([to, status, call]) => {
      heads = []
      script = (socket, nth) => {
        const location = Buffer.from(to.replaceAll(/[\r\n]/g, ''), 'latin1').toString('latin1')
        socket.end(
          nth % 2 === 0
            ? `HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`
            : 'HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n',
        )
      }
      const result = await calls[call]?.()
      if (result === undefined) throw new Error('no result')
      expectResult(result)
      // Every request used the name of the service.
      for (const head of heads) expect(head.toLowerCase()).toContain(`host: 127.0.0.1:${portOf()}`)
      expect(heads.length).toBeLessThanOrEqual(7)
    },
  )
})

describe('the key', () => {
  const where = constantFrom(
    'json',
    'name',
    'escaped',
    'text',
    'html',
    'entities',
    'location',
    'list',
    'cut off',
  )
  fuzz(
    'that a service repeats is in no result',
    tuple(
      where,
      constantFrom(...repetitions(KEY)),
      constantFrom(200, 400, 401, 403, 500),
      constantFrom('stats', 'list', 'file', 'upload', 'remove'),
      integer({ min: 0, max: 300 }),
    ),
    600,
    async ([place, repeated, status, call, before]) => {
      const escaped = Array.from(
        repeated,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ).join('')
      const entities = Array.from(repeated, (char) => `&#${char.charCodeAt(0)};`).join('')
      const json = JSON.stringify(repeated)
      const bodies: Readonly<Record<string, string>> = {
        json: `{"success":true,"file_id":1,"filename":${json},"plan":${json},"message":${json},"limits":{"x":${json}}}`,
        name: `{"success":true,"stats":{${json}:1},"errors":{${json}:["no"]}}`,
        escaped: `{"success":false,"message":"${'a'.repeat(before)} ${escaped}","filename":"${escaped}"}`,
        text: `${'a'.repeat(before)} ${repeated}`,
        html: `<html><title>${'a'.repeat(before)} ${repeated}</title>`,
        entities: `<html><title>${'a '.repeat(before / 2)} ${entities}</title>`,
        location: '',
        list: `{"success":true,"files":[{"file_id":1,"filename":"${escaped}","public_link":"https://files.example/${encodeURIComponent(repeated)}"}]}`,
        'cut off': `{"success":true,"message":${json}`,
      }
      const body = bodies[place] ?? ''
      const code = place === 'location' ? 307 : status
      const location =
        place === 'location'
          ? `Location: http://${encodeURIComponent(repeated)}.example/${encodeURIComponent(repeated)}\r\n`
          : ''
      script = (socket) =>
        socket.end(
          `HTTP/1.1 ${code} ${repeated.replaceAll(/[\r\n]/g, '')}\r\n${location}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        )
      const result = await calls[call]?.()
      expect(traces(JSON.stringify(result), KEY)).toEqual([])
    },
  )

  const keys = string({
    minLength: 12,
    maxLength: 60,
    unit: constantFrom(...Array.from('abcXYZ019-_./+=~"\\&<%:')),
  })
  fuzz(
    'of any form is taken out of any text that repeats it',
    tuple(keys, hostileText, hostileText),
    1500,
    ([key, before, after]) => {
      const redact = createRedact(key)
      for (const repeated of repetitions(key)) {
        // Spaces separate the three texts. Otherwise, a key could arise by chance where two of them meet.
        const clean = redact(`${before} ${repeated} ${after}`)
        expect(traces(clean, key)).toEqual([])
        const body = JSON.stringify({ a: [`${before} ${repeated}`], [repeated]: { b: after } })
        expect(traces(JSON.stringify(parseRedacted(body, redact)), key)).toEqual([])
      }
    },
  )
})
