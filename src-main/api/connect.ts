// Opens one connection, direct or through a proxy, with TLS if the URL requires it. If opening fails, no byte
// of a request has been sent. Also tracks when bytes move and when writes complete, and delays write errors,
// so that an early response can still be read.
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { plainHost, portOf } from './proxy.ts'
import { isSocks, socksConnect } from './socks.ts'
import type { ProxyLogin } from './types.ts'

/** `link`: the host of a link is in a private network (link-reach.ts). */
export type ConnectCause = 'dns' | 'refused' | 'tls' | 'timeout' | 'proxy' | 'proxy-login' | 'link' | 'other'

export class ConnectError extends Error {
  readonly reason: ConnectCause
  /**
   * Whether no TCP connection could be made to the proxy or, on a route without one, to the service. Another
   * route may then work.
   */
  readonly isUnreachable: boolean
  constructor(reason: ConnectCause, message: string, isUnreachable = false) {
    super(message)
    this.name = 'ConnectError'
    this.reason = reason
    this.isUnreachable = isUnreachable
  }
}

export class AbortedError extends Error {
  constructor() {
    super('called off')
    this.name = 'AbortedError'
  }
}

export interface Route {
  readonly target: URL
  readonly proxy: URL | null
  /** Resolves the host's name on a route without a proxy; the system's way by default. */
  readonly lookup?: LookupFunction | undefined
}

/** An open connection and its measurements. */
export interface Wire {
  readonly socket: Socket
  /**
   * Returns a promise that resolves once no written bytes are pending in this process, or the connection has
   * closed. Null if that is already the case.
   */
  readonly flushed: () => Promise<void> | null
  /**
   * The time (`performance.now()`) at which the last write completed, or at which the connection was opened
   * if there was none.
   */
  readonly flushedAt: () => number
  /** A number that changes whenever bytes move in either direction. */
  readonly movement: () => number
  /** Call before each request, so that a `100 Continue` before its response is ignored. */
  readonly awaitResponse: () => void
}

/** TLS sessions by host. Resuming one shortens the handshake. */
export type Sessions = Map<string, Buffer>

/**
 * Milliseconds for which a write error is held back. A response that has already arrived is read within one
 * turn of the event loop, so this limit matters only if there is no response.
 */
const HOLD_MS = 1000
/** Maximum number of bytes to read of a proxy's response to CONNECT. Real responses are far shorter. */
const PROXY_HEAD_CAP = 16 * 1024
const KEEP_ALIVE_PROBE_MS = 60_000

/**
 * Opens a connection along this route. Rejects with a `ConnectError`, including when it takes longer than
 * `connectMs`, or with an `AbortedError` if the signal fires first.
 */
export async function openWire(
  route: Route,
  options: { connectMs: number; sessions: Sessions; signal: AbortSignal | undefined },
): Promise<Wire> {
  const opened: Socket[] = []
  let stage: Stage = route.proxy === null ? 'tcp' : 'proxy'
  let isReached = false
  const keep = (socket: Socket): Socket => {
    opened.push(socket)
    // Prevents an unhandled 'error' event while no other listener is attached.
    socket.on('error', () => undefined)
    return socket
  }
  const open = async (): Promise<Wire> => {
    const near = route.proxy ?? route.target
    let socket = keep(await tcp(near, route.lookup, keep))
    isReached = true
    const raw = socket
    if (route.proxy?.protocol === 'https:')
      socket = keep(await tls(socket, plainHost(route.proxy), options.sessions, keep))
    if (route.proxy !== null && isSocks(route.proxy)) await throughSocks(socket, route.target, route.proxy)
    if (route.target.protocol === 'https:') {
      if (route.proxy !== null && !isSocks(route.proxy)) await tunnel(socket, route.target, route.proxy)
      stage = 'tls'
      socket = keep(await tls(socket, plainHost(route.target), options.sessions, keep))
    }
    return watch(socket, raw)
  }

  let timer: NodeJS.Timeout | undefined
  let onAbort: () => void = () => undefined
  const end = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(new AbortedError())
    if (options.signal?.aborted === true) onAbort()
    options.signal?.addEventListener('abort', onAbort, { once: true })
    timer = setTimeout(() => {
      const where = stage === 'proxy' ? 'The proxy' : 'The service'
      const message = `${where} couldn't be reached within ${options.connectMs / 1000} s.`
      reject(new ConnectError(stage === 'proxy' ? 'proxy' : 'timeout', message, !isReached))
    }, options.connectMs)
  })
  try {
    return await Promise.race([open(), end])
  } catch (error) {
    for (const socket of opened) socket.destroy()
    throw error instanceof ConnectError || error instanceof AbortedError
      ? error
      : connectError(stage, error, !isReached)
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', onAbort)
  }
}

type Stage = 'tcp' | 'proxy' | 'tls'

/** Resolves with the socket when `event` fires. Rejects if the socket fails or closes first. */
function ready(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve(socket))
    socket.once('error', reject)
    socket.once('close', () =>
      reject(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })),
    )
  })
}

function tcp(
  url: URL,
  lookup: LookupFunction | undefined,
  keep: (socket: Socket) => Socket,
): Promise<Socket> {
  const socket = keep(
    connectTcp({
      host: plainHost(url),
      port: portOf(url),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
      ...(lookup === undefined ? {} : { lookup }),
    }),
  )
  return ready(socket, 'connect')
}

function tls(
  socket: Socket,
  host: string,
  sessions: Sessions,
  keep: (socket: Socket) => Socket,
): Promise<Socket> {
  const session = sessions.get(host)
  const secure = connectTls({
    socket,
    host,
    ALPNProtocols: ['http/1.1'],
    // Otherwise, NODE_TLS_REJECT_UNAUTHORIZED could turn this off.
    rejectUnauthorized: true,
    // SNI must not contain an IP address (RFC 6066).
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(session === undefined ? {} : { session }),
  })
  keep(secure)
  secure.on('session', (fresh: Buffer) => sessions.set(host, fresh))
  return ready(secure, 'secureConnect')
}

/** Opens a tunnel to the target through a proxy (HTTP CONNECT). */
async function tunnel(socket: Socket, target: URL, proxy: URL): Promise<void> {
  const host = `${target.hostname}:${portOf(target)}`
  const authorization = proxyAuthorization(proxy)
  const lines = [
    `CONNECT ${host} HTTP/1.1`,
    `Host: ${host}`,
    ...(authorization === null ? [] : [`Proxy-Authorization: ${authorization}`]),
  ]
  const head = await new Promise<Buffer>((resolve, reject) => {
    let got = Buffer.alloc(0)
    const onData = (chunk: Buffer): void => {
      got = Buffer.concat([got, chunk])
      if (got.length > PROXY_HEAD_CAP || got.includes('\r\n\r\n')) done(() => resolve(got))
    }
    const onEnd = (): void =>
      done(() => reject(new ConnectError('proxy', 'The proxy closed the connection.')))
    const done = (settle: () => void): void => {
      socket.off('data', onData).off('end', onEnd).off('close', onEnd).pause()
      settle()
    }
    socket.on('data', onData).on('end', onEnd).on('close', onEnd)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  })
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1'))?.[1]
  if (status === undefined) throw new ConnectError('proxy', "The proxy doesn't speak HTTP.")
  if (status === '407') throw proxyLoginError(proxy)
  if (!status.startsWith('2'))
    throw new ConnectError('proxy', `The proxy refused the connection (${status}).`)
}

async function throughSocks(socket: Socket, target: URL, proxy: URL): Promise<void> {
  const refusal = await socksConnect(socket, {
    host: plainHost(target),
    port: portOf(target),
    credentials: loginOf(proxy),
  })
  if (refusal === 'login') throw proxyLoginError(proxy)
  if (refusal !== null) throw new ConnectError('proxy', refusal.message)
}

/**
 * The error for a proxy that requires a login or rejected the one it was given. `proxy` is the address that
 * was used, with or without a login.
 */
export function proxyLoginError(proxy: URL): ConnectError {
  const message =
    proxyAuthorization(proxy) === null
      ? 'The proxy requires a user name and password.'
      : 'The proxy rejected the user name or password.'
  return new ConnectError('proxy-login', message)
}

/** Returns the login in the proxy's address; null if it contains none. */
export function loginOf(proxy: URL): ProxyLogin | null {
  if (proxy.username === '' && proxy.password === '') return null
  return { name: unescaped(proxy.username), password: unescaped(proxy.password) }
}

export function proxyAuthorization(proxy: URL): string | null {
  const login = loginOf(proxy)
  return login === null ? null : `Basic ${Buffer.from(`${login.name}:${login.password}`).toString('base64')}`
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const TLS_SAYS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: "it isn't valid yet; this computer's clock may be wrong",
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: "it was issued by an authority that this computer doesn't trust",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "it was issued by an authority that this computer doesn't trust",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "it was issued by an authority that this computer doesn't trust",
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was issued for another host name',
  CERT_REVOKED: 'it was revoked',
}

/**
 * Describes a system error. The error's own text isn't used, because it may contain names and addresses that
 * must not be logged.
 */
function connectError(stage: Stage, error: unknown, isUnreachable: boolean): ConnectError {
  const fail = (reason: ConnectCause, message: string): ConnectError =>
    new ConnectError(reason, message, isUnreachable)
  const code = codeOf(error)
  const why = code === '' ? '' : ` (${code})`
  if (stage === 'proxy') return fail('proxy', `The proxy can't be reached${why}.`)
  if (stage === 'tls') {
    const says = TLS_SAYS[code]
    if (says !== undefined) return fail('tls', `The service's certificate can't be trusted: ${says}${why}.`)
    return fail('tls', `Couldn't establish a secure connection to the service${why}.`)
  }
  if (code === 'ETIMEDOUT') return fail('timeout', `The service couldn't be reached in time${why}.`)
  if (
    ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA', 'ESERVFAIL'].includes(code)
  )
    return fail('dns', `The service's host name can't be resolved${why}.`)
  if (code === 'ECONNREFUSED') return fail('refused', `Couldn't connect to the service${why}.`)
  return fail('other', `The service can't be reached${why}.`)
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError) {
    const codes = error.errors.map(codeOf)
    // Several addresses were tried. ECONNREFUSED is more informative than an unreachable network.
    return codes.find((code) => code === 'ECONNREFUSED') ?? codes[0] ?? ''
  }
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/**
 * The part of Node's internal stream handle that is used here. Node's own socket timeouts read the same
 * field.
 */
interface Handle {
  readonly writeQueueSize?: number
}

type WriteDone = (error?: Error | null) => void

/**
 * Measures a connection, and delays its write errors. `raw` is the connection below TLS, or `socket` itself
 * without TLS.
 */
function watch(socket: Socket, raw: Socket): Wire {
  let flushedAt = performance.now()
  let waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null
  const settle = (): void => {
    if (waiting === null || (socket.writableLength > 0 && !socket.destroyed)) return
    waiting.resolve()
    waiting = null
  }
  socket.once('close', settle)

  // If a server responds early and closes, the next write fails while its response is still unread. So a
  // write error is reported only after HOLD_MS, and not at all if the connection closes before that.
  const after =
    (done: WriteDone): WriteDone =>
    (error) => {
      if (error === null || error === undefined) {
        flushedAt = performance.now()
        done()
        settle()
        return
      }
      const timer = setTimeout(() => done(error), HOLD_MS)
      socket.once('close', () => clearTimeout(timer))
    }
  const isWindows = process.platform === 'win32'
  const whole = socket._write.bind(socket)
  const write = isWindows ? inPieces(whole, PIECE_BYTES) : whole
  socket._write = (chunk, encoding, done) => write(chunk, encoding, after(done))
  const writev = isWindows ? oneByOne(write) : socket._writev?.bind(socket)
  if (writev !== undefined) socket._writev = (chunks, done) => writev(chunks, after(done))

  return {
    socket,
    flushed: () => {
      if (socket.writableLength === 0 || socket.destroyed) return null
      waiting ??= Promise.withResolvers<void>()
      return waiting.promise
    },
    flushedAt: () => flushedAt,
    movement: () => {
      const handle: unknown = Reflect.get(raw, '_handle')
      const queued =
        typeof handle === 'object' && handle !== null ? ((handle as Handle).writeQueueSize ?? 0) : 0
      return socket.bytesRead + socket.bytesWritten - queued
    },
    awaitResponse: withoutContinue(socket),
  }
}

// Removes the interim response `100 Continue` from what a connection receives. A client must accept it at any
// time (RFC 9110, section 15.2), but undici treats it as an error and closes the connection.
const STARTS = ['HTTP/1.1 100 ', 'HTTP/1.0 100 '] as const
const START_LENGTH = 13
const END = '\r\n\r\n'
/** An interim response that is longer than this is passed on. */
const MOST_BYTES = 64 * 1024

/**
 * Changes what `socket.read` returns. The result is a function to call before each request: from then on,
 * interim responses are removed until the response itself begins.
 */
function withoutContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket)
  let isAwaited = false
  let held: Buffer = Buffer.alloc(0)

  /** The bytes to pass on; null if more are needed to decide. */
  const sifted = (): Buffer | null => {
    for (;;) {
      const start = held.toString('latin1', 0, START_LENGTH)
      if (start === '' || !STARTS.some((one) => one.startsWith(start))) break
      const end = held.indexOf(END)
      if (end < 0 && held.length <= MOST_BYTES) return null
      if (end < 0) break
      held = held.subarray(end + END.length)
    }
    if (held.length === 0) return null
    const rest = held
    held = Buffer.alloc(0)
    isAwaited = false
    return rest
  }

  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size)
    if (!isAwaited || !Buffer.isBuffer(chunk)) return chunk
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    return sifted()
  }
  return () => {
    isAwaited = true
  }
}

// Passes a large write to the socket in pieces. Windows reports a write as complete only when all of it has
// been sent, so on a slow connection a large write would look like a stalled connection.

/**
 * Size of a piece in bytes. At 1 KB/s, a piece takes 33 s, about half the time after which a connection
 * counts as stalled. Much smaller pieces could slow down a fast connection with a long round trip, because
 * Windows accepts only one or two more writes once its send buffer is full.
 */
export const PIECE_BYTES = 32 * 1024

type Done = (error?: Error | null) => void
type Write = (chunk: Buffer, encoding: BufferEncoding, done: Done) => void

/**
 * Splits writes into pieces of at most `most` bytes. Each piece is written when the previous one has been
 * sent.
 */
export function inPieces(write: Write, most: number): Write {
  return (chunk, encoding, done) => {
    const next = (at: number): void => {
      const end = at + most
      if (end >= chunk.length) write(at === 0 ? chunk : chunk.subarray(at), encoding, done)
      else
        write(chunk.subarray(at, end), encoding, (error) => {
          if (error === null || error === undefined) next(end)
          else done(error)
        })
    }
    // Only headers are written as text, and they are short.
    if (Buffer.isBuffer(chunk)) next(0)
    else write(chunk, encoding, done)
  }
}

/**
 * Turns a vectored write (`_writev`) into single writes, each of which starts when the previous one has been
 * sent.
 */
export function oneByOne(
  write: Write,
): (chunks: readonly { readonly chunk: Buffer; readonly encoding: BufferEncoding }[], done: Done) => void {
  return (chunks, done) => {
    const next = (at: number): void => {
      const one = chunks[at]
      if (one === undefined) done()
      else
        write(one.chunk, one.encoding, (error) => {
          if (error === null || error === undefined) next(at + 1)
          else done(error)
        })
    }
    next(0)
  }
}
