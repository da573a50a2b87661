// Carries out one request: chooses the route, prepares the body, takes a connection, and follows redirects. A
// failure is returned as a value that says how far the request got. A request is retried only if a reused
// connection was closed before any byte of the request was written. The next route is tried only if the one
// before it can't be reached, in which case nothing has been written either.
import { orAborted } from '../../src-shared/or-aborted.ts'
import {
  AbortedError,
  ConnectError,
  loginOf,
  proxyAuthorization,
  proxyLoginError,
  type Route,
} from './connect.ts'
import { createLines, type Line } from './connection-pool.ts'
import { type Exchanged, runExchange, sourceFailure } from './exchange.ts'
import type { LinkReach } from './link-reach.ts'
import {
  createForm,
  type Form,
  JOINED_AT_MOST,
  joinBody,
  type Source,
  SourceError,
  type StreamedBody,
  streamBody,
} from './multipart.ts'
import { findProxies, type ProxyList, proxyOrigin, withLogin } from './proxy.ts'
import { readMeta } from './rate-headers.ts'
import { createRedact } from './redact.ts'
import { isSocks } from './socks.ts'
import type { AnswerMeta, ApiClientOptions, ApiFailure } from './types.ts'

/** Maximum number of bytes to keep of a response that isn't 2xx. */
export const ERROR_CAP_BYTES = 64 * 1024
const MOST_REDIRECTS = 5
/** How long a proxy that couldn't be reached is tried only after all other routes. */
const TRIED_LAST_MS = 60_000

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ApiFailure }
export type Answer = Extract<Exchanged, { kind: 'answer' }>

/** A request as the caller specifies it. Redirects and a retry may cause it to be sent more than once. */
export interface Order {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: readonly string[]
  readonly upload: Upload | null
  /** Maximum number of bytes to keep of a 2xx response. */
  readonly cap: number
  readonly answerMs: number
  readonly signal: AbortSignal | undefined
  readonly sink: ((chunk: Uint8Array) => void | Promise<void>) | null
  /**
   * Where the request and its redirects may lead. Must be null if the request contains the key: it then stays
   * on its origin.
   */
  readonly reach: Pick<LinkReach, 'fault' | 'lookupOf'> | null
}

export interface Upload {
  readonly filename: string
  readonly size: number
  readonly source: Source
  readonly onProgress: ((sent: number) => void) | undefined
}

type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'joined'; readonly form: Form; readonly bytes: Buffer }
  | { readonly kind: 'streamed'; readonly form: Form }

interface RequesterOptions {
  readonly proxies: NonNullable<ApiClientOptions['proxy']> | null
  readonly connections: number
  readonly connectMs: number
  readonly idleMs: number
  readonly now: () => number
  /** Used only to redact messages. The key itself is sent in one of the order's headers. */
  readonly key: () => string | null
}

export class Requester {
  readonly #options: RequesterOptions
  readonly #lines: ReturnType<typeof createLines>
  /** When proxies were found to be unreachable while another route worked, by origin. */
  readonly #unreachable = new Map<string, number>()
  #isClosed = false

  constructor(options: RequesterOptions) {
    this.#options = options
    this.#lines = createLines({ most: options.connections, connectMs: options.connectMs })
  }

  /**
   * Sends a request and follows redirects. Fails after too many redirects, or if one has no valid web
   * address, leads elsewhere than `reach` allows, or would change the method of an upload or deletion.
   */
  async send(
    from: URL,
    order: Order,
  ): Promise<Outcome<{ readonly answer: Answer; readonly meta: AnswerMeta }>> {
    let target = from
    const fault = order.reach?.fault(from, null) ?? null
    if (fault !== null)
      return { ok: false, failure: { kind: 'redirect', phase: 'unsent', meta: null, message: fault } }
    for (let hops = 0; ; hops++) {
      const got = await this.#once(target, order)
      if (!got.ok) return got
      const answer = got.value
      const meta = readMeta(answer.status, answer.headers, this.#options.now())
      if (![301, 302, 303, 307, 308].includes(answer.status)) return { ok: true, value: { answer, meta } }
      const next = redirect(target, order, answer, hops)
      if (!next.ok)
        return {
          ok: false,
          failure: {
            kind: 'redirect',
            phase: answer.phase,
            meta,
            message: createRedact(this.#options.key())(next.message),
          },
        }
      target = next.target
    }
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.#lines.close()
  }

  /** Sends the request to one URL. Returns a redirect like any other response. */
  async #once(target: URL, order: Order): Promise<Outcome<Answer>> {
    try {
      const found = await findProxies(target, this.#options.proxies)
      if (found.kind === 'unusable')
        return {
          ok: false,
          failure: { kind: 'connect', cause: 'proxy', phase: 'unsent', message: found.message },
        }
      if (order.signal?.aborted === true) throw new AbortedError()
      const body = await prepare(order)
      for (;;) {
        const { line, route } = await this.#take(target, found, order)
        let whole = false
        let result: Exchanged
        try {
          result = await this.#exchange(line, route, order, body)
          whole = result.kind === 'answer' && result.end === 'whole'
        } finally {
          this.#lines.give(line, whole)
        }
        if (result.kind === 'answer') {
          // If a proxy forwards the request, a 407 comes from that proxy. Otherwise it comes from the service
          // and is passed on like any other status.
          const forwarder = forwarderOf(route)
          if (result.status === 407 && forwarder !== null)
            throw this.#refused(forwarder, proxyLoginError(forwarder))
          return { ok: true, value: result }
        }
        if (result.kind === 'closed') {
          // If the server closed an idle connection before anything was written to it, it is safe to send the
          // request on another one.
          if (line.used && !this.#isClosed) continue
          const message = 'The service closed the connection before anything was sent.'
          return {
            ok: false,
            failure: this.#isClosed ? calledOff('unsent') : { kind: 'cut', phase: 'unsent', message },
          }
        }
        return {
          ok: false,
          failure:
            this.#isClosed && result.failure.kind === 'cut'
              ? calledOff(result.failure.phase)
              : result.failure,
        }
      }
    } catch (error) {
      if (error instanceof AbortedError) return { ok: false, failure: calledOff('unsent') }
      if (error instanceof SourceError) return { ok: false, failure: sourceFailure(error, 'unsent') }
      if (error instanceof ConnectError) {
        const { reason, message } = error
        const rest = { phase: 'unsent', message } as const
        return {
          ok: false,
          failure:
            reason === 'link'
              ? { kind: 'redirect', meta: null, ...rest }
              : { kind: 'connect', cause: reason, ...rest },
        }
      }
      throw error
    }
  }

  async #exchange(line: Line, route: Route, order: Order, body: Body): Promise<Exchanged> {
    const { target } = route
    const headers = [...order.headers]
    // Only a proxy that forwards plain http reads this header. Tunnels authenticate when they are opened.
    const viaProxy = forwarderOf(route)
    const authorization = viaProxy === null ? null : proxyAuthorization(viaProxy)
    if (authorization !== null) headers.push('proxy-authorization', authorization)
    let sending: Buffer | StreamedBody | null = null
    if (body.kind !== 'none') {
      headers.push('content-type', body.form.contentType, 'content-length', String(body.form.contentLength))
      sending =
        body.kind === 'joined'
          ? body.bytes
          : streamBody({
              form: body.form,
              source: order.upload?.source ?? (() => []),
              flushed: line.wire.flushed,
              onProgress: order.upload?.onProgress,
            })
    }
    return runExchange(line, {
      method: order.method,
      path: `${viaProxy === null ? '' : target.origin}${target.pathname}${target.search}`,
      headers,
      body: sending,
      length: body.kind === 'none' ? 0 : body.form.contentLength,
      idleMs: this.#options.idleMs,
      answerMs: order.answerMs,
      caps: { good: order.cap, bad: ERROR_CAP_BYTES },
      signal: order.signal,
      sink: order.sink,
      onSent: () => order.upload?.onProgress?.(order.upload.size),
    })
  }

  /**
   * Takes a connection along the first route on which the proxy, or without one the service, can be reached.
   */
  async #take(
    target: URL,
    { proxies }: ProxyList,
    { signal, reach }: Order,
  ): Promise<{ line: Line; route: Route }> {
    const now = performance.now()
    const isLast = (proxy: URL | null): boolean =>
      proxy !== null &&
      now - (this.#unreachable.get(proxyOrigin(proxy)) ?? Number.NEGATIVE_INFINITY) < TRIED_LAST_MS
    const inOrder = [...proxies.filter((proxy) => !isLast(proxy)), ...proxies.filter(isLast)]
    const failed: URL[] = []
    let first: ConnectError | null = null
    for (const proxy of inOrder) {
      const lookup = proxy === null ? reach?.lookupOf(target) : undefined
      const route = {
        target,
        proxy: proxy === null ? null : await withLogin(proxy, this.#options.proxies?.logins),
        lookup,
      }
      try {
        const line = await this.#lines.take(route, signal)
        for (const one of failed) this.#unreachable.set(proxyOrigin(one), now)
        return { line, route }
      } catch (error) {
        if (!(error instanceof ConnectError)) throw error
        if (!error.isUnreachable)
          throw error.reason === 'proxy-login' && route.proxy !== null
            ? this.#refused(route.proxy, error)
            : error
        first ??= error
        if (proxy !== null) failed.push(proxy)
      }
    }
    throw first ?? new ConnectError('proxy', 'No proxy can be reached.')
  }

  /** Reports that this proxy requires a login, or rejected the one in its address. Returns `error`. */
  #refused(proxy: URL, error: ConnectError): ConnectError {
    this.#options.proxies?.logins?.refused(proxyOrigin(proxy), loginOf(proxy))
    return error
  }
}

/**
 * Returns the proxy if it forwards the request itself, as HTTP proxies do for plain http. Null for a tunnel
 * or a direct connection.
 */
function forwarderOf({ target, proxy }: Route): URL | null {
  return proxy !== null && target.protocol === 'http:' && !isSocks(proxy) ? proxy : null
}

async function prepare(order: Order): Promise<Body> {
  if (order.upload === null) return { kind: 'none' }
  const { filename, size, source } = order.upload
  const form = createForm(filename, size)
  if (size > JOINED_AT_MOST) return { kind: 'streamed', form }
  const joined = joinBody(form, source)
  if (Buffer.isBuffer(joined) || order.signal === undefined)
    return { kind: 'joined', form, bytes: await joined }
  const abort = (): never => {
    throw new AbortedError()
  }
  return { kind: 'joined', form, bytes: await orAborted(joined, order.signal, abort) }
}

function redirect(
  target: URL,
  order: Order,
  answer: Answer,
  hops: number,
): { readonly ok: true; readonly target: URL } | { readonly ok: false; readonly message: string } {
  const value = answer.headers['location']
  const location = (Array.isArray(value) ? value[0] : value) ?? ''
  if (location === '' || !URL.canParse(location, target.href))
    return { ok: false, message: 'The service sent a redirect without a valid address.' }
  const next = new URL(location, target)
  if (!isWeb(next))
    return { ok: false, message: "The service redirects to something that isn't a web address." }
  const fault = order.reach?.fault(next, target) ?? null
  if (fault !== null) return { ok: false, message: fault }
  if (order.reach === null && next.origin !== target.origin)
    return {
      ok: false,
      message: `The service redirects to another address, ${next.origin}. Nothing was sent there.`,
    }
  if (order.method !== 'GET' && answer.status < 307) {
    const what = order.method === 'POST' ? 'an upload' : 'a deletion'
    return {
      ok: false,
      message: `The service redirects to ${shown(next)} with status ${answer.status}, which isn't followed for ${what}.`,
    }
  }
  if (hops >= MOST_REDIRECTS)
    return { ok: false, message: `The service redirected more than ${MOST_REDIRECTS} times.` }
  return { ok: true, target: next }
}

/** The address of a redirect without its query, which may contain secrets. */
function shown(url: URL): string {
  return `${url.origin}${url.pathname}`.slice(0, 200)
}

export function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}

function calledOff(phase: ApiFailure['phase']): ApiFailure {
  return { kind: 'aborted', phase, message: 'The request was cancelled.' }
}
