// The route to the service: TLS with trusted and untrusted certificates, and both kinds of proxies. If a
// connection fails here, no byte of the request has been sent. Only the proxy resolves names, so no request
// of these tests leaves the machine.
import { execFile } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest'
import { chooseProxy, pacProxies } from '../../../src-main/api/proxy.ts'
import { itNeeding } from '../../tools/needing.ts'
import { TEST_CERTIFICATE, TEST_KEY } from './certificate.ts'
import {
  client,
  failureOf,
  generated,
  jsonServer,
  KEY,
  large,
  RECEIPT,
  rawServer,
  SMALL,
  valueOf,
} from './servers.ts'

function trust(): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, TEST_CERTIFICATE])
  onTestFinished(() => setDefaultCACertificates(before))
}

/** A TLS server in front of a plain one. */
async function tlsServer(behind: number): Promise<number> {
  const server = createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (secure) =>
    pipe(secure, connect(behind, '127.0.0.1')),
  )
  server.on('tlsClientError', () => undefined)
  return rawServer((socket) => server.emit('connection', socket))
}

function pipe(a: Socket, b: Socket): void {
  a.on('error', () => b.destroy())
  b.on('error', () => a.destroy())
  a.pipe(b).pipe(a)
}

/** A proxy that connects every tunnel to one port. `seen` receives the head of every request. */
async function proxyTo(
  port: number,
  seen: string[],
  answer = 'HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n',
): Promise<number> {
  return rawServer((socket) =>
    socket.once('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      seen.push(text.split('\r\n\r\n')[0] ?? '')
      const target = connect(port, '127.0.0.1')
      if (text.startsWith('CONNECT')) socket.write(answer)
      else target.write(chunk)
      pipe(socket, target)
    }),
  )
}

describe('TLS', () => {
  it('carries the calls, small and large', async () => {
    trust()
    const port = await tlsServer(await jsonServer(RECEIPT))
    const api = client(`https://localhost:${port}/api/v1`)
    valueOf(await api.upload(SMALL))
    valueOf(await api.upload(large(20_000_000)))
    expect(valueOf(await api.file('7')).fileId).toBe('7')
  })

  it('a service that takes the bytes slowly is waited for', async () => {
    trust()
    let read = 0
    const behind = await rawServer((socket) => {
      let since = 0
      socket.on('data', (chunk: Buffer) => {
        read += chunk.length
        since += chunk.length
        if (chunk.includes('--\r\n'))
          socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${JSON.stringify(RECEIPT)}`)
        if (since < 1_000_000) return
        since = 0
        socket.pause()
        setTimeout(() => socket.resume(), 100)
      })
    })
    const api = client(`https://localhost:${await tlsServer(behind)}/api/v1`, { timeouts: { idleMs: 600 } })
    const size = 24_000_000
    valueOf(await api.upload({ filename: 'x', size, body: generated(size, size / 2) }))
    expect(read).toBeGreaterThan(size)
  })

  it('with a certificate that nobody knows is refused', async () => {
    const port = await tlsServer(await jsonServer(RECEIPT))
    const failure = failureOf(await client(`https://localhost:${port}/api/v1`).upload(SMALL), 'connect')
    expect(failure).toMatchObject({ cause: 'tls', phase: 'unsent' })
    expect(failure.message).toMatch(/certificate can't be trusted: .*DEPTH_ZERO_SELF_SIGNED_CERT/)
  })

  it('with a certificate for another name is refused', async () => {
    trust()
    const port = await tlsServer(await jsonServer(RECEIPT))
    const failure = failureOf(await client(`https://127.0.0.1:${port}/api/v1`).upload(SMALL), 'connect')
    expect(failure).toMatchObject({ cause: 'tls', phase: 'unsent' })
    expect(failure.message).toMatch(/another host name/)
  })

  it.each([
    [
      'speaks plain http',
      (socket: Socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ],
    ['hangs up', (socket: Socket) => socket.once('data', () => socket.destroy())],
  ])('to a service that %s fails as such', async (_name, on) => {
    const port = await rawServer(on)
    expect(
      failureOf(await client(`https://127.0.0.1:${port}/api/v1`).upload(SMALL), 'connect'),
    ).toMatchObject({
      cause: 'tls',
      phase: 'unsent',
    })
  })
})

describe('a proxy', () => {
  it('makes a tunnel for https, and never sees the key', async () => {
    trust()
    const seen: string[] = []
    const port = await proxyTo(await tlsServer(await jsonServer(RECEIPT)), seen)
    const proxy = { http: null, https: `http://ada:p%40ss@127.0.0.1:${port}`, noProxy: null }
    const api = client('https://files.test/api/v1', { proxy })
    valueOf(await api.upload(SMALL))
    valueOf(await api.upload(SMALL))
    expect(seen).toEqual([
      `CONNECT files.test:443 HTTP/1.1\r\nHost: files.test:443\r\nProxy-Authorization: Basic ${Buffer.from('ada:p@ss').toString('base64')}`,
    ])
  })

  it('is spoken to in TLS where its address says so', async () => {
    trust()
    const seen: string[] = []
    const inner = await proxyTo(await tlsServer(await jsonServer(RECEIPT)), seen)
    const port = await tlsServer(inner)
    valueOf(
      await client('https://files.test/api/v1', {
        proxy: { http: null, https: `https://localhost:${port}`, noProxy: null },
      }).upload(SMALL),
    )
    expect(seen[0]).toMatch(/^CONNECT files\.test:443 /)
  })

  it('is given the whole address for plain http', async () => {
    const seen: string[] = []
    const port = await proxyTo(await jsonServer(RECEIPT), seen)
    const proxy = { http: `ada:secret@127.0.0.1:${port}`, https: null, noProxy: null }
    valueOf(await client('http://files.test:8080/api/v1', { proxy }).upload(SMALL))
    const [head = ''] = seen
    expect(head).toMatch(
      /^POST http:\/\/files\.test:8080\/api\/v1\/files\/upload HTTP\/1\.1\r\nhost: files\.test:8080\r\n/,
    )
    expect(head).toContain(`authorization: Bearer ${KEY}`)
    expect(head).toContain(`proxy-authorization: Basic ${Buffer.from('ada:secret').toString('base64')}`)
  })

  it.each([
    [
      'rejects the password',
      'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n',
      /rejected the user name or password/,
    ],
    ['refuses', 'HTTP/1.0 403 Forbidden\r\n\r\n', /403/],
    ['speaks something else', 'hello\r\n\r\n', /HTTP/],
    ['never ends', 'HTTP/1.1 200 OK\r\n'.padEnd(20_000, 'x'), /./],
  ])('that %s is a failure to connect', async (_name, answer, message) => {
    const port = await proxyTo(await jsonServer(RECEIPT), [], answer)
    const proxy = { http: null, https: `http://ada:secret@127.0.0.1:${port}`, noProxy: null }
    const failure = failureOf(
      await client('https://files.test/api/v1', { proxy, timeouts: { connectMs: 2000 } }).upload(SMALL),
      'connect',
    )
    expect(failure.phase).toBe('unsent')
    expect(['proxy', 'proxy-login', 'tls']).toContain(failure.cause)
    expect(failure.message).toMatch(message)
    expect(JSON.stringify(failure)).not.toContain('secret')
  })

  it.each([
    ['is not there', 'http://127.0.0.1:1'],
    ['has no address', 'http://[nope'],
    ['is not there, of the kind SOCKS', 'socks5://127.0.0.1:1'],
    ['is of another kind', 'socks4://127.0.0.1:1080'],
  ])('that %s is not gone around', async (_name, https) => {
    const api = client('https://files.test/api/v1', { proxy: { http: null, https, noProxy: null } })
    expect(failureOf(await api.stats(), 'connect')).toMatchObject({ cause: 'proxy', phase: 'unsent' })
  })

  it('that hangs up or says nothing is a failure to connect', async () => {
    const closing = await rawServer((socket) => socket.once('data', () => socket.destroy()))
    const silent = await rawServer(() => undefined)
    for (const port of [closing, silent]) {
      const proxy = { http: null, https: `http://127.0.0.1:${port}`, noProxy: null }
      const api = client('https://files.test/api/v1', { proxy, timeouts: { connectMs: 150 } })
      expect(failureOf(await api.stats(), 'connect')).toMatchObject({ cause: 'proxy', phase: 'unsent' })
    }
  })
})

/**
 * A SOCKS5 proxy that connects everything to one port and records the requests. `reply` is its reply code.
 */
async function socksTo(
  port: number,
  seen: string[],
  options: { readonly login?: string; readonly reply?: number } = {},
): Promise<number> {
  return rawServer((socket) => {
    let step: 'greeting' | 'login' | 'request' | 'open' = 'greeting'
    let got: Buffer = Buffer.alloc(0)
    const onData = (chunk: Buffer): void => {
      got = Buffer.concat([got, chunk])
      if (step === 'greeting' && got.length >= 2 + (got[1] ?? 0)) {
        const offered = [...got.subarray(2, 2 + (got[1] ?? 0))]
        got = got.subarray(2 + offered.length)
        const method = options.login === undefined ? 0 : 2
        socket.write(Buffer.from([5, offered.includes(method) ? method : 0xff]))
        step = method === 2 ? 'login' : 'request'
      }
      if (
        step === 'login' &&
        got.length >= 2 &&
        got.length >= 3 + (got[1] ?? 0) + (got[2 + (got[1] ?? 0)] ?? 0)
      ) {
        const name = got.toString('utf8', 2, 2 + (got[1] ?? 0))
        const at = 2 + (got[1] ?? 0)
        const password = got.toString('utf8', at + 1, at + 1 + (got[at] ?? 0))
        got = got.subarray(at + 1 + (got[at] ?? 0))
        socket.write(Buffer.from([1, `${name}:${password}` === options.login ? 0 : 1]))
        step = 'request'
      }
      if (step !== 'request' || got.length < 5) return
      const length = { 1: 4, 3: 1 + (got[4] ?? 0), 4: 16 }[got[3] ?? 0] ?? 0
      if (got.length < 6 + length) return
      const kind = got[3]
      const host = kind === 3 ? got.toString('utf8', 5, 4 + length) : got.toString('hex', 4, 4 + length)
      seen.push(`${kind === 3 ? 'name' : 'address'} ${host}:${got.readUInt16BE(4 + length)}`)
      step = 'open'
      // The reply arrives in two chunks and contains a host name as the proxy's address.
      socket.write(Buffer.from([5, options.reply ?? 0]))
      setTimeout(() => {
        socket.write(Buffer.concat([Buffer.from([0, 3, 4]), Buffer.from('here'), Buffer.from([0, 80])]))
        socket.off('data', onData)
        pipe(socket, connect(port, '127.0.0.1'))
      }, 10)
    }
    socket.on('data', onData)
  })
}

/** A proxy that requires `ada:secret`, for tunnels and for plain http. */
async function closedProxy(port: number, seen: string[]): Promise<number> {
  const right = `proxy-authorization: basic ${Buffer.from('ada:secret').toString('base64')}`.toLowerCase()
  return rawServer((socket) =>
    socket.once('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      seen.push(text.split(' ')[0] ?? '')
      if (!text.toLowerCase().includes(right)) {
        socket.end(
          'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
        )
        return
      }
      const target = connect(port, '127.0.0.1')
      if (text.startsWith('CONNECT')) socket.write('HTTP/1.1 200 OK\r\n\r\n')
      else target.write(chunk)
      pipe(socket, target)
    }),
  )
}

interface KnownLogins {
  [proxy: string]: { readonly name: string; readonly password: string }
}

function known(logins: KnownLogins, refused: unknown[] = []) {
  return {
    find: (proxy: string) => Promise.resolve(logins[proxy] ?? null),
    refused: (...args: unknown[]) => void refused.push(args),
  }
}

describe('a proxy that requires a login', () => {
  it.each([
    ['through a tunnel', 'https://files.test/api/v1'],
    ['for plain http', 'http://files.test/api/v1'],
  ])('gets the one that is known for it, %s', async (_name, url) => {
    trust()
    const port = await closedProxy(
      url.startsWith('https') ? await tlsServer(await jsonServer(RECEIPT)) : await jsonServer(RECEIPT),
      [],
    )
    const address = `http://127.0.0.1:${port}`
    const logins: KnownLogins = { 'http://127.0.0.1:1': { name: 'ada', password: 'secret' } }
    const refused: unknown[] = []
    const api = client(url, {
      proxy: { http: address, https: address, noProxy: null, logins: known(logins, refused) },
    })
    const missing = failureOf(await api.upload(SMALL), 'connect')
    expect(missing).toMatchObject({ cause: 'proxy-login', phase: 'unsent' })
    expect(missing.message).toMatch(/requires a user name/)
    logins[address] = { name: 'ada', password: 'p@ss wörd' }
    expect(failureOf(await api.upload(SMALL), 'connect').message).toMatch(/rejected the user name/)
    expect(refused).toEqual([
      [address, null],
      [address, logins[address]],
    ])
    logins[address] = { name: 'ada', password: 'secret' }
    valueOf(await api.upload(SMALL))
    expect(refused).toHaveLength(2)
  })

  it('gets the one in its address first', async () => {
    const port = await closedProxy(await jsonServer(RECEIPT), [])
    const logins = { find: () => Promise.reject(new Error('asked')), refused: () => undefined }
    const proxy = { http: `http://ada:secret@127.0.0.1:${port}`, https: null, noProxy: null, logins }
    expect(valueOf(await client('http://files.test/api/v1', { proxy }).upload(SMALL)).fileId).toBe(
      String(RECEIPT.file_id),
    )
  })

  it('is told apart from a service that answers 407', async () => {
    const port = await rawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 407 Odd\r\nContent-Length: 0\r\n\r\n')),
    )
    expect(failureOf(await client(`http://127.0.0.1:${port}/api/v1`).stats(), 'status').status).toBe(407)
  })
})

describe('a SOCKS5 proxy', () => {
  const through = (port: number, login = '') => ({
    http: `socks5://${login}127.0.0.1:${port}`,
    https: `socks5://${login}127.0.0.1:${port}`,
    noProxy: null,
  })

  it('resolves the name, and carries https and plain http, small and large', async () => {
    trust()
    const seen: string[] = []
    const secure = await socksTo(await tlsServer(await jsonServer(RECEIPT)), seen)
    const api = client('https://files.test/api/v1', { proxy: through(secure) })
    valueOf(await api.upload(SMALL))
    valueOf(await api.upload(large(5_000_000)))
    const plain = await socksTo(await jsonServer(RECEIPT), seen)
    valueOf(await client('http://files.test:8080/api/v1', { proxy: through(plain) }).upload(SMALL))
    for (const host of ['192.0.2.7', '[2001:db8::a:1]'])
      valueOf(await client(`http://${host}/api/v1`, { proxy: through(plain) }).upload(SMALL))
    expect(seen).toEqual([
      'name files.test:443',
      'name files.test:8080',
      'address c0000207:80',
      'address 20010db80000000000000000000a0001:80',
    ])
  })

  it('gets a name and a password if it wants them', async () => {
    const port = await socksTo(await jsonServer(RECEIPT), [], { login: 'ada:p@ss' })
    valueOf(await client('http://files.test/api/v1', { proxy: through(port, 'ada:p%40ss@') }).upload(SMALL))
    for (const [login, says] of [
      ['', /requires a user name and password/],
      ['ada:wrong@', /rejected the user name or password/],
    ] as const) {
      const failure = failureOf(
        await client('http://files.test/api/v1', { proxy: through(port, login) }).upload(SMALL),
        'connect',
      )
      expect(failure).toMatchObject({ cause: 'proxy-login', phase: 'unsent' })
      expect(failure.message).toMatch(says)
    }
  })

  it('gets a password without a user name', async () => {
    const port = await socksTo(await jsonServer(RECEIPT), [], { login: ':secret' })
    valueOf(await client('http://files.test/api/v1', { proxy: through(port, ':secret@') }).upload(SMALL))
    const failure = failureOf(
      await client('http://files.test/api/v1', { proxy: through(port, ':wrong@') }).upload(SMALL),
      'connect',
    )
    expect(failure.message).toMatch(/rejected the user name or password/)
  })

  it('gets the login that is known for it', async () => {
    const port = await socksTo(await jsonServer(RECEIPT), [], { login: 'ada:p@ss:wörd' })
    const logins = known({ [`socks5://127.0.0.1:${port}`]: { name: 'ada', password: 'p@ss:wörd' } })
    const api = client('http://files.test/api/v1', { proxy: { ...through(port), logins } })
    expect(valueOf(await api.upload(SMALL)).fileId).toBe(String(RECEIPT.file_id))
  })

  it.each<[string, RegExp, (port: number) => Promise<number>]>([
    ['refuses', /rules forbid/, (port) => socksTo(port, [], { reply: 2 })],
    [
      'is none',
      /doesn't speak SOCKS5/,
      () =>
        rawServer((socket) => socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))),
    ],
    [
      'hangs up',
      /can't be reached/,
      () => rawServer((socket) => socket.once('data', () => socket.destroy())),
    ],
    ['says nothing', /within/, () => rawServer(() => undefined)],
  ])('that %s is a failure to connect', async (_what, says, start) => {
    const api = client('https://files.test/api/v1', {
      proxy: through(await start(1)),
      timeouts: { connectMs: 1000 },
    })
    const failure = failureOf(await api.upload(SMALL), 'connect')
    expect(failure).toMatchObject({ cause: 'proxy', phase: 'unsent' })
    expect(failure.message).toMatch(says)
  })
})

describe('the proxy of the system', () => {
  const NONE = { http: null, https: null, noProxy: null }

  it('is asked for without the path, and used', async () => {
    const asked: string[] = []
    const seen: string[] = []
    const port = await proxyTo(await jsonServer(RECEIPT), seen)
    const system = (url: string): Promise<string> => {
      asked.push(url)
      return Promise.resolve(`PROXY 127.0.0.1:${port}; DIRECT`)
    }
    valueOf(await client('http://files.test/api/v1', { proxy: { ...NONE, system } }).upload(SMALL))
    expect(asked).toEqual(['http://files.test/'])
    expect(seen).toHaveLength(1)
  })

  it('is not asked where the environment has one, for this machine, or where NO_PROXY says so', async () => {
    const system = (): Promise<string> => Promise.reject(new Error('asked'))
    const port = await proxyTo(await jsonServer(RECEIPT), [])
    valueOf(
      await client('http://files.test/api/v1', {
        proxy: { ...NONE, http: `127.0.0.1:${port}`, system },
      }).upload(SMALL),
    )
    valueOf(await client(await jsonServer(RECEIPT), { proxy: { ...NONE, system } }).upload(SMALL))
    const away = { ...NONE, noProxy: 'files.invalid', system }
    expect(
      failureOf(await client('http://files.invalid/api/v1', { proxy: away }).stats(), 'connect').cause,
    ).toBe('dns')
  })

  it('that cannot be told is not gone around', async () => {
    const system = (): Promise<string> => Promise.reject(new Error('no answer'))
    const failure = failureOf(
      await client('https://files.test/api/v1', { proxy: { ...NONE, system } }).stats(),
      'connect',
    )
    expect(failure).toMatchObject({
      cause: 'proxy',
      phase: 'unsent',
      message: "The system's proxy settings can't be read.",
    })
  })

  it.each([
    ['DIRECT', 'direct'],
    ['', 'direct'],
    [' ; ', 'direct'],
    ['PROXY proxy.example:3128', 'http://proxy.example:3128/'],
    ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128/ direct'],
    ['HTTPS proxy.example:443;PROXY other:80', 'https://proxy.example/ http://other/'],
    ['DIRECT; PROXY other:80; DIRECT', 'direct http://other/'],
    ['SOCKS proxy.example:1080', 'socks5://proxy.example:1080'],
    ['socks5 [fd00::1]:1080', 'socks5://[fd00::1]:1080'],
    ['QUIC proxy.example:443; SOCKS4 a:1; PROXY other:80', 'http://other/'],
    ['QUIC proxy.example:443; DIRECT', 'direct'],
    ['SOCKS4 proxy.example:1080', 'unusable'],
    ['PROXY', 'unusable'],
  ])('%j is %s', (text, expected) => {
    const found = pacProxies(text)
    expect(
      found.kind === 'proxies' ? found.proxies.map((url) => url?.href ?? 'direct').join(' ') : found.kind,
    ).toBe(expected)
  })

  describe('if there are several', () => {
    /** A port on which nothing listens. */
    const through = (...entries: readonly (number | 'DIRECT')[]) => {
      const answer = entries
        .map((entry) => (entry === 'DIRECT' ? entry : `PROXY 127.0.0.1:${entry}`))
        .join('; ')
      return { proxy: { ...NONE, system: () => Promise.resolve(answer) } }
    }
    const resolveToLoopback = (): void => {
      const lookup = vi.spyOn(dns, 'lookup') as unknown as MockInstance<
        (name: string, options: object, done: unknown) => void
      >
      lookup.mockImplementation((_name, _options, done) => {
        ;(done as (error: null, found: object[]) => void)(null, [{ address: '127.0.0.1', family: 4 }])
      })
      onTestFinished(() => lookup.mockRestore())
    }

    it('the next one is used where nothing listens, and before the first one for a minute', async () => {
      const first: string[] = []
      const second: string[] = []
      const closed = await closedPort()
      const api = client(
        'http://files.test/api/v1',
        through(closed, await proxyTo(await jsonServer(RECEIPT), second)),
      )
      valueOf(await api.upload(SMALL))
      const opened = createServer((socket) => {
        first.push('connected')
        socket.destroy()
      }).listen(closed, '127.0.0.1')
      await once(opened, 'listening')
      onTestFinished(() => void opened.close())
      await api.upload({ ...SMALL, filename: 'b.txt' })
      expect([first.length, second.length]).toEqual([0, 1])
      const now = performance.now.bind(performance)
      const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
      onTestFinished(() => later.mockRestore())
      await api.upload({ ...SMALL, filename: 'c.txt' })
      expect(first).toEqual(['connected'])
    })

    it('a direct connection is used only where the script lists one', async () => {
      resolveToLoopback()
      const service = await jsonServer(RECEIPT)
      const closed = await closedPort()
      const url = `http://files.test:${service}/api/v1`
      const failure = failureOf(await client(url, through(closed, closed)).upload(SMALL), 'connect')
      expect(failure).toMatchObject({ cause: 'proxy', phase: 'unsent' })
      valueOf(await client(url, through(closed, 'DIRECT')).upload(SMALL))
      // The other way round, too.
      const unreachable = `http://files.test:${closed}/api/v1`
      valueOf(await client(unreachable, through('DIRECT', await proxyTo(service, []))).upload(SMALL))
    })

    it.each<[string, (socket: Socket) => void]>([
      ['refuses', (socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')],
      [
        'requires a login',
        (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'),
      ],
      ['hangs up', (socket) => socket.destroy()],
    ])('one that %s is not gone around, and nothing is sent twice', async (_what, answer) => {
      for (const url of ['http://files.test/api/v1', 'https://files.test/api/v1']) {
        const seen: string[] = []
        const first = await rawServer((socket) => socket.once('data', () => answer(socket)))
        const result = await client(
          url,
          through(first, await proxyTo(await jsonServer(RECEIPT), seen), 'DIRECT'),
        ).upload(large(2_000_000))
        expect([result.ok, seen]).toEqual([false, []])
      }
    })

    it('the failure of the first one is reported if none can be reached', async () => {
      const api = client('http://files.invalid/api/v1', through(await closedPort(), 'DIRECT'))
      expect(failureOf(await api.stats(), 'connect')).toMatchObject({ cause: 'proxy', phase: 'unsent' })
    })
  })
})

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Whether curl reaches the URL directly. Names resolve to an address that nobody has (RFC 5737), and only
 * curl's first step counts.
 */
async function waysOfCurl(url: string, proxy: string, noProxy: string): Promise<'direct' | 'proxy'> {
  const env = { PATH: process.env['PATH'], http_proxy: proxy, no_proxy: noProxy }
  const args = ['-svq', '--connect-timeout', '2', '--resolve', '*:80:192.0.2.1', url]
  const said = await new Promise<string>((resolve) =>
    execFile('curl', args, { env }, (_failure, _out, stderr) => resolve(stderr)),
  )
  return said.includes(`Trying ${new URL(proxy).host}`) ? 'proxy' : 'direct'
}

describe('chooseProxy', () => {
  const settings = { http: 'http://plain.example:3128', https: 'secure.example', noProxy: null }
  it.each([
    ['https://files.example.com/', 'http://secure.example/'],
    ['http://files.example.com/', 'http://plain.example:3128/'],
    ['http://127.0.0.1:80/', null],
    ['https://127.9.9.9/', null],
    ['http://[::1]:8080/', null],
    ['https://localhost/', null],
    ['https://app.localhost./', null],
    ['https://localhost.example/', 'http://secure.example/'],
  ])('%s goes through %s', (target, expected) => {
    const choice = chooseProxy(new URL(target), settings)
    expect(choice.kind === 'proxy' ? choice.url.href : null).toBe(expected)
  })

  it.each([
    ['*', true],
    ['other.example, files.example.com', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['EXAMPLE.com.', true],
    ['ample.com', false],
    ['files.example.com:443', true],
    ['files.example.com:8443', false],
    ['com', true],
    ['', false],
    [' , ,', false],
    ['.', false],
    ['files.example.co', false],
  ])('NO_PROXY %j keeps a name away: %s', (noProxy, away) => {
    expect(chooseProxy(new URL('https://files.example.com/'), { ...settings, noProxy }).kind).toBe(
      away ? 'direct' : 'proxy',
    )
  })

  it.each([
    ['192.168.7.9', '192.168.7.9', true],
    ['192.168.7.9', '192.168.0.0/16', true],
    ['192.168.7.9', '10.0.0.0/8', false],
    ['192.168.7.9', '168.7.9', false],
    ['192.168.7.9', '192.168.0.0/99', false],
    ['192.168.7.9', 'nonsense/8', false],
    ['[fd00::5]', 'fd00::5', true],
    ['[fd00::5]', '[fd00::5]:443', true],
    ['[fd00::5]', '[fd00::5]:444', false],
    ['[fd00::5]', 'fd00::/8', true],
    ['[fd00::5]', '10.0.0.0/8', false],
    ['[fd00::5]', 'fd00:0:0:0:0:0:0:5', true],
    ['[fd00::5]', 'FD00::0005', true],
    ['[fd00::5]', '[fd00:0::5]', true],
    ['[fd00::5]', 'fd00::6', false],
    ['[fd00::5]', '[fd00::]/8', true],
    ['[fd00::5]', '[fe80::]/8', false],
    ['[fd00::5]', '[fd00::]/8:443', true],
    ['[fd00::5]', '[fd00::]/8:444', false],
    ['[::ffff:10.0.0.1]', '::ffff:a00:1', true],
    ['192.168.7.9', '192.168.0.0/16:443', true],
    ['192.168.7.9', '192.168.0.0/16:444', false],
    ['10.0.0.1', '10.1', false],
    ['bücher.example.com', 'bücher.example.com', true],
    ['bücher.example.com', 'BÜCHER.example.com', true],
    ['bücher.example.com', 'xn--bcher-kva.example.com', true],
    ['files.münchen.de', '.münchen.de', true],
    ['files.münchen.de', 'munchen.de', false],
    ['files.example.com', '*:443', true],
    ['files.example.com', '*:8443', false],
    ['files.example.com', '*.example.com:443', true],
    ['files.example.com', '*.files.example.com', false],
    ['example.com', '*.example.com', false],
    ['example.com', '.example.com', true],
  ])('for %s, NO_PROXY %j: %s', (host, noProxy, away) => {
    expect(chooseProxy(new URL(`https://${host}/`), { ...settings, noProxy }).kind).toBe(
      away ? 'direct' : 'proxy',
    )
  })

  itNeeding('curl', 'reads NO_PROXY as curl does, where curl documents what an entry means', async () => {
    const port = await closedPort()
    const hosts = ['files.example.com', 'example.com', 'notexample.com', '192.168.7.9', '[fd00::5]']
    const entries = [
      '*',
      'example.com',
      '.example.com',
      'EXAMPLE.COM',
      'com',
      'ample.com',
      '192.168.7.9',
      '192.168.0.0/16',
      '10.0.0.0/8',
      'fd00::5',
    ]
    const cases = hosts.flatMap((host) => entries.map((noProxy) => ({ host, noProxy })))
    const proxy = `http://127.0.0.1:${port}`
    const ours = cases.map(
      ({ host, noProxy }) =>
        chooseProxy(new URL(`http://${host}/`), { http: proxy, https: null, noProxy }).kind,
    )
    const curls = await Promise.all(
      cases.map(({ host, noProxy }) => waysOfCurl(`http://${host}/`, proxy, noProxy)),
    )
    expect(curls).toEqual(ours)
  })

  it('without settings there is none', () => {
    expect(chooseProxy(new URL('https://files.example.com/'), null).kind).toBe('direct')
    expect(
      chooseProxy(new URL('https://files.example.com/'), { http: null, https: ' ', noProxy: null }).kind,
    ).toBe('direct')
  })
})
