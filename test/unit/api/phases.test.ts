// Every way in which a request can fail, with servers whose misbehaviour is scripted to the byte. Tests the
// kind of failure and how far the request got: "unsent" only if that is certain, otherwise "partly"; "sent"
// once the last byte was passed on.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLines } from '../../../src-main/api/connection-pool.ts'
import { runExchange } from '../../../src-main/api/exchange.ts'
import type { ApiResult } from '../../../src-main/api/types.ts'
import {
  answerJson,
  client,
  failureOf,
  generated,
  httpServer,
  jsonServer,
  KEY,
  large,
  RECEIPT,
  rawServer,
  SMALL,
  valueOf,
} from './servers.ts'

const MB = 1024 * 1024
const OK = JSON.stringify(RECEIPT)
const WHOLE = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${OK.length}\r\n\r\n${OK}`

/** Calls back with all data received so far whenever more arrives. */
function gather(socket: Socket, onMore: (got: string) => void): void {
  let got = ''
  socket.on('data', (chunk: Buffer) => {
    got += chunk.toString('latin1')
    onMore(got)
  })
}

async function closedPort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('no connection', () => {
  it('refused', async () => {
    const failure = failureOf(await client(await closedPort()).upload(SMALL), 'connect')
    expect(failure).toMatchObject({ cause: 'refused', phase: 'unsent' })
  })

  it('no such name', async () => {
    // A label of more than 63 letters is refused before any name is looked up.
    const failure = failureOf(await client(`http://${'a'.repeat(64)}.test/api/v1`).stats(), 'connect')
    expect(failure).toMatchObject({ cause: 'dns', phase: 'unsent' })
  })

  it('too slow', async () => {
    const port = await rawServer(() => undefined)
    const api = client(`https://127.0.0.1:${port}/api/v1`, { timeouts: { connectMs: 150 } })
    expect(failureOf(await api.stats(), 'connect')).toMatchObject({ cause: 'timeout', phase: 'unsent' })
  })

  it('called off while connecting', async () => {
    const port = await rawServer(() => undefined)
    const controller = new AbortController()
    const running = client(`https://127.0.0.1:${port}/api/v1`).upload({ ...SMALL, signal: controller.signal })
    setTimeout(() => controller.abort(), 30)
    expect(failureOf(await running, 'aborted').phase).toBe('unsent')
  })
})

describe('a connection that is lost', () => {
  it.each([
    ['closed', (socket: Socket) => socket.end()],
    ['destroyed', (socket: Socket) => socket.destroy()],
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
  ] as const)('after a small upload: sent (%s)', async (_name, end) => {
    const port = await rawServer((socket) => gather(socket, (got) => got.includes('abc\r\n') && end(socket)))
    expect(failureOf(await client(port).upload(SMALL), 'cut').phase).toBe('sent')
  })

  it.each([
    ['closed', (socket: Socket) => socket.end()],
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
  ] as const)('in the middle of a large upload: partly (%s)', async (_name, end) => {
    const port = await rawServer((socket) => socket.once('data', () => end(socket)))
    expect(failureOf(await client(port).upload(large()), 'cut').phase).toBe('partly')
  })

  it('after the last byte of a large upload: sent', async () => {
    let bytes = 0
    const port = await rawServer((socket) =>
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (chunk.includes('--\r\n')) socket.destroy()
      }),
    )
    expect(failureOf(await client(port).upload(large(8 * MB)), 'cut').phase).toBe('sent')
    expect(bytes).toBeGreaterThan(8 * MB)
  })

  it('after a GET or a DELETE: sent', async () => {
    const port = await rawServer((socket) =>
      gather(socket, (got) => got.includes('\r\n\r\n') && socket.destroy()),
    )
    const api = client(port)
    expect(failureOf(await api.stats(), 'cut').phase).toBe('sent')
    expect(failureOf(await api.remove('3'), 'cut').phase).toBe('sent')
  })

  it('an upload is never sent a second time by itself', async () => {
    let requests = 0
    const port = await rawServer((socket) =>
      gather(socket, (got) => {
        if (!got.includes('abc\r\n')) return
        requests++
        socket.destroy()
      }),
    )
    failureOf(await client(port).upload(SMALL), 'cut')
    await sleep(50)
    expect(requests).toBe(1)
  })
})

describe('a line that lay idle', () => {
  it('is used again', async () => {
    let connections = 0
    const port = await rawServer((socket) => {
      connections++
      socket.on('data', (chunk: Buffer) => chunk.includes('abc\r\n') && socket.write(WHOLE))
    })
    const api = client(port)
    for (let i = 0; i < 5; i++) valueOf(await api.upload(SMALL))
    expect(connections).toBe(1)
  })

  it('and was closed by the other side is replaced', async () => {
    let requests = 0
    let closed = Promise.withResolvers<void>()
    const port = await rawServer((socket) => {
      socket.on('close', () => closed.resolve())
      gather(socket, (got) => {
        if (!got.includes('abc\r\n')) return
        requests++
        // The server announces that it will keep the connection, but closes it.
        socket.write(WHOLE.replace('\r\n\r\n', '\r\nConnection: keep-alive\r\n\r\n'), () => socket.end())
      })
    })
    const api = client(port)
    for (let i = 0; i < 20; i++) {
      closed = Promise.withResolvers<void>()
      valueOf(await api.upload(SMALL))
      await closed.promise
    }
    expect(requests).toBe(20)
  })

  it('and closes while it is looked at is replaced: nothing was written to it', async () => {
    const sockets: Socket[] = []
    const onSocket = (message: unknown): void => {
      if (typeof message === 'object' && message !== null && 'socket' in message)
        sockets.push(message.socket as Socket)
    }
    subscribe('net.client.socket', onSocket)
    onTestFinished(() => void unsubscribe('net.client.socket', onSocket))
    const requests = vi.fn()
    const port = await httpServer((request, response) => {
      requests()
      answerJson(request, response, RECEIPT)
    })
    const api = client(port)
    valueOf(await api.upload(SMALL))
    const second = api.upload(SMALL)
    for (let i = 0; i < 50; i++) await Promise.resolve()
    sockets[0]?.destroy()
    valueOf(await second)
    expect(sockets).toHaveLength(2)
    expect(requests).toHaveBeenCalledTimes(2)
  })

  it('and is closed after it was taken, before a byte was written, is known as such', async () => {
    const received = vi.fn()
    const port = await rawServer((socket) => socket.on('data', received))
    const lines = createLines({ most: 1, connectMs: 1000 })
    const line = await lines.take({ target: new URL(`http://127.0.0.1:${port}`), proxy: null }, undefined)
    line.wire.socket.destroy()
    const result = await runExchange(line, {
      method: 'POST',
      path: '/',
      headers: [],
      body: Buffer.from('abc'),
      length: 3,
      idleMs: 1000,
      answerMs: 1000,
      caps: { good: 10, bad: 10 },
      signal: undefined,
      sink: null,
    })
    lines.give(line, false)
    expect(result).toEqual({ kind: 'closed' })
    expect(received).not.toHaveBeenCalled()
    await lines.close()
  })

  it('and dies with the next request on it: in doubt, so not sent again', async () => {
    let requests = 0
    const port = await rawServer((socket) =>
      socket.on('data', () => {
        requests++
        if (requests === 1) socket.write(WHOLE)
        else socket.resetAndDestroy()
      }),
    )
    const api = client(port)
    valueOf(await api.upload(SMALL))
    expect(failureOf(await api.upload(SMALL), 'cut').phase).toBe('sent')
    expect(requests).toBe(2)
  })

  it('a service that closes every connection at once is a failure, not a loop', async () => {
    const connected = vi.fn()
    const port = await rawServer((socket) => {
      connected()
      socket.resetAndDestroy()
    })
    const result = await client(port).upload(SMALL)
    expect(result.ok).toBe(false)
    if (!result.ok) expect(['cut', 'connect']).toContain(result.failure.kind)
    expect(connected).toHaveBeenCalledTimes(1)
  })
})

describe('a connection that stands still', () => {
  it('the answer does not come after an upload: sent', async () => {
    const port = await httpServer((request) => void request.resume())
    const api = client(port, { timeouts: { answerMs: 100 } })
    expect(failureOf(await api.upload(SMALL), 'timeout')).toMatchObject({ what: 'answer', phase: 'sent' })
    expect(failureOf(await api.upload(large(4 * MB)), 'timeout')).toMatchObject({
      what: 'answer',
      phase: 'sent',
    })
  })

  it('the answer to a GET does not come', async () => {
    const port = await httpServer(() => undefined)
    expect(failureOf(await client(port, { timeouts: { answerMs: 100 } }).stats(), 'timeout')).toMatchObject({
      what: 'answer',
      phase: 'sent',
    })
  })

  it('the other side takes no more bytes: partly', async () => {
    const port = await rawServer((socket) => socket.pause())
    const api = client(port, { timeouts: { idleMs: 150 } })
    expect(failureOf(await api.upload(large(64 * MB)), 'timeout')).toMatchObject({
      what: 'idle',
      phase: 'partly',
    })
  })

  it('the source gives no more bytes: partly', async () => {
    const port = await httpServer((request) => void request.resume())
    const body = async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(MB)
      await new Promise(() => undefined)
    }
    const api = client(port, { timeouts: { idleMs: 100 } })
    expect(failureOf(await api.upload({ filename: 'x', size: 2 * MB, body }), 'timeout')).toMatchObject({
      what: 'idle',
      phase: 'partly',
    })
  })

  it('the answer stops in its middle', async () => {
    const port = await rawServer((socket) =>
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"succ')),
    )
    const api = client(port, { timeouts: { idleMs: 100 } })
    expect(failureOf(await api.upload(SMALL), 'timeout')).toMatchObject({ what: 'idle', phase: 'sent' })
  })

  it('an error stops in its middle: its status counts', async () => {
    const port = await rawServer((socket) =>
      socket.on('data', () => socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\n{"mess')),
    )
    const api = client(port, { timeouts: { idleMs: 100 } })
    expect(failureOf(await api.upload(SMALL), 'status')).toMatchObject({
      status: 403,
      detail: null,
      phase: 'sent',
    })
  })

  it.each(['stats', 'upload', 'download'] as const)('the answer to %s trickles without end', async (name) => {
    const port = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
      const timer = setInterval(() => response.write(' '), 40)
      response.on('close', () => clearInterval(timer))
    })
    const api = client(port, { timeouts: { idleMs: 200, answerMs: 300 } })
    const calls = {
      stats: () => api.stats(),
      upload: () => api.upload(SMALL),
      download: () => api.download(`http://127.0.0.1:${port}/d/x`, () => undefined),
    }
    const call: Promise<ApiResult<unknown>> = calls[name]()
    expect(failureOf(await call, 'timeout')).toMatchObject({ phase: 'sent' })
  })

  it('a service that takes the bytes slowly is waited for, however long it takes', async () => {
    const size = 24 * MB
    const idleMs = 600
    const pauseMs = 100
    let waits = 0
    const port = await httpServer((request, response) => {
      let since = 0
      request.on('data', (chunk: Buffer) => {
        since += chunk.length
        if (since < MB) return
        since = 0
        waits++
        request.pause()
        setTimeout(() => request.resume(), pauseMs)
      })
      request.on('end', () => response.end(OK))
    })
    // A single chunk takes longer than the idle limit, but bytes keep moving.
    valueOf(
      await client(port, { timeouts: { idleMs } }).upload({
        filename: 'x',
        size,
        body: generated(size, size / 2),
      }),
    )
    expect(waits * pauseMs).toBeGreaterThan(idleMs * 3)
  })
})

it('an answer that came while this process was blocked is not late', async () => {
  const program = `require('node:http').createServer((request, response) => setTimeout(() => response.end(process.env.OK), 100))
    .listen(0, '127.0.0.1', function () { require('node:worker_threads').parentPort.postMessage(this.address().port) })`
  const server = new Worker(program, {
    eval: true,
    env: { OK: JSON.stringify({ success: true, stats: {}, limits: {}, plan: 'pro' }) },
  })
  onTestFinished(() => void server.terminate())
  const [port] = (await once(server, 'message')) as [number]
  const api = client(port, { timeouts: { answerMs: 400 } })
  const asking = api.stats()
  await sleep(50)
  // The loop handles timers next, then what has arrived.
  await new Promise((resolve) => setImmediate(resolve))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  expect(valueOf(await asking).plan).toBe('pro')
})

describe('an answer after a slow line', () => {
  it('is waited for as long as the system may still hold bytes of the body', async () => {
    const size = 16 * MB
    // As slow as it can be: a busy machine adds pauses, which must be short beside these.
    const port = await httpServer((request, response) => {
      let since = 0
      request.on('data', (chunk: Buffer) => {
        since += chunk.length
        if (since < MB) return
        since = 0
        request.pause()
        setTimeout(() => request.resume(), 200)
      })
      request.on('end', () => response.end(OK))
    })
    const result = await client(port, { timeouts: { answerMs: 1000 } }).upload({
      filename: 'x',
      size,
      body: generated(size, MB),
    })
    expect(valueOf(result).fileId).toBe('7')
  })
})

describe('an upload that is called off', () => {
  it('while an idle line is looked at: unsent', async () => {
    const requests = vi.fn()
    const port = await httpServer((request, response) => {
      requests()
      answerJson(request, response, RECEIPT)
    })
    const api = client(port)
    valueOf(await api.upload(SMALL))
    const controller = new AbortController()
    const second = api.upload({ ...SMALL, signal: controller.signal })
    // Long enough for the body to be passed on, but without a turn of the event loop, which the check of the
    // connection needs.
    for (let i = 0; i < 50; i++) await Promise.resolve()
    controller.abort()
    expect(failureOf(await second, 'aborted').phase).toBe('unsent')
    valueOf(await api.upload(SMALL))
    expect(requests).toHaveBeenCalledTimes(2)
  })

  it('before it began: unsent', async () => {
    const body = vi.fn(SMALL.body)
    expect(
      failureOf(await client(1).upload({ ...SMALL, body, signal: AbortSignal.abort() }), 'aborted').phase,
    ).toBe('unsent')
    expect(body).not.toHaveBeenCalled()
  })

  it('while the source of a small body hangs: unsent', async () => {
    const controller = new AbortController()
    const body = async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('ab')
      await new Promise(() => undefined)
    }
    const running = client(1).upload({ ...SMALL, body, signal: controller.signal })
    controller.abort()
    expect(failureOf(await running, 'aborted').phase).toBe('unsent')
  })

  it('while it waits for a connection: unsent', async () => {
    const requests = vi.fn()
    const port = await httpServer((request) => {
      requests()
      request.resume()
    })
    const api = client(port, { connections: 1 })
    const hold = new AbortController()
    const first = api.upload({ ...SMALL, signal: hold.signal })
    await expect.poll(() => requests).toHaveBeenCalled()
    const controller = new AbortController()
    const second = api.upload({ ...SMALL, signal: controller.signal })
    controller.abort()
    expect(failureOf(await second, 'aborted').phase).toBe('unsent')
    hold.abort()
    expect(failureOf(await first, 'aborted').phase).toBe('sent')
    expect(requests).toHaveBeenCalledTimes(1)
  })

  it('in the middle: partly, at once, and nothing more is read', async () => {
    const closed = vi.fn()
    const port = await httpServer((request) => {
      request.on('close', closed)
      request.resume()
    })
    const controller = new AbortController()
    let given = 0
    const running = client(port).upload({
      filename: 'x',
      size: 256 * MB,
      body: async function* body() {
        for (;;) {
          given++
          if (given === 3) setImmediate(() => controller.abort())
          yield Buffer.alloc(MB)
        }
      },
      signal: controller.signal,
    })
    expect(failureOf(await running, 'aborted').phase).toBe('partly')
    const then = given
    await expect.poll(() => closed).toHaveBeenCalled()
    expect(given).toBe(then)
  })

  it('after its last byte: sent', async () => {
    const controller = new AbortController()
    const port = await httpServer((request) => {
      request.resume()
      request.on('end', () => controller.abort())
    })
    expect(
      failureOf(await client(port).upload({ ...large(2 * MB), signal: controller.signal }), 'aborted').phase,
    ).toBe('sent')
  })

  it('by closing the client', async () => {
    const arrived = vi.fn()
    const port = await httpServer(arrived)
    const api = client(port)
    const running = api.stats()
    await expect.poll(() => arrived).toHaveBeenCalled()
    await api.close()
    expect(failureOf(await running, 'aborted').phase).toBe('sent')
    expect(failureOf(await api.stats(), 'aborted').phase).toBe('unsent')
    expect(arrived).toHaveBeenCalledTimes(1)
  })
})

describe('an answer that comes before the body is out', () => {
  const body = '{"message":"too big for your plan"}'
  const early = (status: string): string =>
    `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`

  it.each([
    ['413 Content Too Large', 'end', (socket: Socket, text: string) => socket.end(text)],
    [
      '401 Unauthorized',
      'destroy',
      (socket: Socket, text: string) => socket.write(text, () => socket.destroy()),
    ],
    [
      '403 Forbidden',
      'reset',
      (socket: Socket, text: string) => socket.write(text, () => socket.resetAndDestroy()),
    ],
    [
      '429 Too Many Requests',
      'keeps reading',
      (socket: Socket, text: string) => socket.write(text) && socket.resume(),
    ],
    [
      '413 Content Too Large',
      'stays and is deaf',
      (socket: Socket, text: string) => socket.write(text) && socket.pause(),
    ],
  ] as const)('%s is told as such (%s)', async (status, _name, end) => {
    const port = await rawServer((socket) => {
      // Everything except the first chunk stays unread, so closing turns into a reset.
      socket.once('data', () => {
        socket.pause()
        end(socket, early(status))
      })
    })
    const api = client(port)
    for (let i = 0; i < 10; i++) {
      const failure = failureOf(await api.upload(large()), 'status')
      expect(failure).toMatchObject({
        status: Number(status.slice(0, 3)),
        phase: 'partly',
        detail: 'too big for your plan',
      })
    }
  })

  it('even if it was there before the source gave its next chunk', async () => {
    let done: () => void = () => undefined
    const port = await rawServer((socket) =>
      socket.once('data', () =>
        socket.write(early('413 Content Too Large'), () => {
          socket.resetAndDestroy()
          done()
        }),
      ),
    )
    for (let i = 0; i < 10; i++) {
      const gone = new Promise<void>((resolve) => {
        done = resolve
      })
      const slow = async function* slow(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(MB)
        await gone
        // Two writes without a turn of the event loop in between: the first may only detect the reset, the
        // second fails.
        for (let n = 0; n < 7; n++) yield Buffer.alloc(MB)
      }
      const failure = failureOf(
        await client(port).upload({ filename: 'x', size: 8 * MB, body: slow }),
        'status',
      )
      expect(failure.status).toBe(413)
    }
  })

  it('a success that comes before the whole file did is none', async () => {
    const port = await rawServer((socket) => socket.once('data', () => socket.write(WHOLE)))
    expect(failureOf(await client(port).upload(large()), 'garbage').phase).toBe('partly')
  })

  it('an interim answer is none', async () => {
    const port = await rawServer((socket) =>
      gather(socket, (got) => {
        if (got.includes('abc\r\n')) socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${WHOLE}`)
      }),
    )
    expect(valueOf(await client(port).upload(SMALL)).fileId).toBe('7')
  })

  it.each([1, 7, 1000])(
    'a `100 Continue` that wasn’t asked for is none, in pieces of %d bytes',
    async (piece) => {
      const interim = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\nX-Node: 1\r\n\r\n`
      const port = await rawServer((socket) => {
        let got = ''
        socket.setNoDelay(true).on('data', (chunk: Buffer) => {
          got += chunk.toString('latin1')
          if (!got.includes('abc\r\n')) return
          got = ''
          void (async () => {
            const text = interim + WHOLE
            for (let at = 0; at < text.length; at += piece) {
              socket.write(text.slice(at, at + piece))
              await new Promise((resolve) => setImmediate(resolve))
            }
          })()
        })
      })
      const api = client(port)
      // The second request uses the same connection.
      for (let i = 0; i < 2; i++) expect(valueOf(await api.upload(SMALL)).fileId).toBe('7')
    },
  )
})

describe('connections', () => {
  it('are no more than allowed, and whoever waits gets its turn', async () => {
    let open = 0
    let most = 0
    const port = await httpServer((request, response) => {
      open++
      most = Math.max(most, open)
      setTimeout(() => {
        open--
        answerJson(request, response, RECEIPT)
      }, 5)
    })
    const api = client(port, { connections: 3 })
    const results = await Promise.all(Array.from({ length: 30 }, () => api.upload(SMALL)))
    expect(results.every((result) => result.ok)).toBe(true)
    expect(most).toBe(3)
  })

  it('to elsewhere make room', async () => {
    const [one, other] = [await jsonServer('x'), await jsonServer('y')]
    const api = client(one, { connections: 1 })
    for (const port of [one, other, one, other])
      expect(valueOf(await api.download(`http://127.0.0.1:${port}/f`, () => undefined))).toBe(1)
  })
})

describe('the key', () => {
  it('is asked for anew with every request, and left out when there is none', async () => {
    const seen: (string | undefined)[] = []
    const port = await httpServer((request, response) => {
      seen.push(request.headers.authorization)
      answerJson(request, response, { success: true, stats: {}, limits: {}, plan: 'pro' })
    })
    const keys = ['first-key', null, '', 'latin1-\u00e9']
    const api = client(port, { key: () => keys.shift() ?? null })
    for (let i = 0; i < 4; i++) valueOf(await api.stats())
    expect(seen).toEqual(['Bearer first-key', undefined, undefined, 'Bearer latin1-\u00e9'])
  })

  it.each(['line\r\nx-evil: 1', 'snow☃man', 'nul\0', 'emoji🚀'])(
    '%j can not be sent, and nothing is',
    async (key) => {
      const requests = vi.fn()
      const port = await httpServer(requests)
      const failure = failureOf(await client(port, { key: () => key }).stats(), 'connect')
      expect(failure).toMatchObject({ cause: 'other', phase: 'unsent' })
      expect(JSON.stringify(failure)).not.toContain(key.slice(0, 3))
      expect(requests).not.toHaveBeenCalled()
    },
  )

  it.each([
    [401, JSON.stringify({ error: `The key ${KEY} is not known` })],
    [401, `{"error":"The key ${KEY.replace('S', '\\u0053')} is not known"}`],
    [500, `<html><title>No ${KEY}</title></html>`],
    [400, `wrong: ${KEY}`],
    [200, JSON.stringify({ success: false, message: `not with ${KEY}` })],
    [
      200,
      JSON.stringify({
        success: true,
        stats: { api_key: KEY, deep: [{ key: KEY }] },
        limits: {},
        plan: 'pro',
      }),
    ],
  ])('is taken out of what the service says (%i)', async (status, body) => {
    const { inspect } = await import('node:util')
    const result = await client(await jsonServer(body, status)).stats()
    expect(inspect(result, { depth: 10, showHidden: true })).not.toContain(KEY)
    expect(JSON.stringify(result)).toContain('[key]')
  })
})
