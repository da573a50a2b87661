// The REST client: five calls with the key, one download without it. Every failure is a value that says how far the request had come, since
// that decides whether the service can have stored anything. It never retries, never logs, and sends the key to one origin only.
import { assertNever } from '../../src-shared/assert.ts'
import { AbortedError, ConnectError, proxyAuthorization, type Route } from './connect.ts'
import { decodeText, encodingOf } from './decode.ts'
import { detailOfText } from './detail.ts'
import { type Exchanged, isGood, runExchange, sourceFailure } from './exchange.ts'
import { createLines, type Line } from './lines.ts'
import { createForm, type Form, JOINED_AT_MOST, joinBody, type Source, SourceError, type StreamedBody, streamBody } from './multipart.ts'
import { type Reading, readFileAnswer, readListAnswer, readRemovalAnswer, readStatsAnswer } from './parse.ts'
import { chooseProxy } from './proxy.ts'
import { readMeta } from './rate-headers.ts'
import { createRedact, parseRedacted, type Redact } from './redact.ts'
import type { AnswerMeta, ApiClient, ApiClientOptions, ApiFailure, ApiResult } from './types.ts'

const CONNECT_MS = 10_000
const IDLE_MS = 60_000
const ANSWER_MS = 120_000
const GET_ANSWER_MS = 30_000
const LIST_CAP = 8 * 1024 * 1024
const BODY_CAP = 1024 * 1024
const ERROR_CAP = 64 * 1024
const MOST_REDIRECTS = 5
const CONNECTIONS = 16
/** What a header can hold (RFC 9110, field values): without this look, the HTTP library would throw. */
const NOT_FOR_HEADERS = /[^\t\x20-\x7e\x80-\xff]/

type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ApiFailure }
type Answer = Extract<Exchanged, { kind: 'answer' }>

/** What stays the same over redirects and lines. */
interface Order {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly headers: readonly string[]
  readonly upload: Upload | null
  readonly cap: number
  readonly answerMs: number
  readonly signal: AbortSignal | undefined
  readonly sink: ((chunk: Uint8Array) => void | Promise<void>) | null
  /** May it be led to another origin? Never with the key. */
  readonly roams: boolean
}

interface Upload {
  readonly filename: string
  readonly size: number
  readonly source: Source
  readonly onProgress: ((sent: number) => void) | undefined
}

type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'joined'; readonly form: Form; readonly bytes: Buffer }
  | { readonly kind: 'streamed'; readonly form: Form }

export function createApiClient(options: ApiClientOptions): ApiClient {
  const base = options.baseUrl.replace(/\/+$/, '')
  const now = options.now ?? Date.now
  const proxies = options.proxy ?? null
  const idleMs = options.timeouts?.idleMs ?? IDLE_MS
  const answerMs = options.timeouts?.answerMs ?? ANSWER_MS
  const getAnswerMs = Math.min(answerMs, GET_ANSWER_MS)
  const lines = createLines({ most: options.connections ?? CONNECTIONS, connectMs: options.timeouts?.connectMs ?? CONNECT_MS })
  const common = ['user-agent', options.userAgent.replace(/[^\x20-\x7e]+/g, '?'), 'accept-encoding', 'identity']
  let closed = false

  const routeTo = (target: URL): Outcome<Route> => {
    const choice = chooseProxy(target, proxies)
    switch (choice.kind) {
      case 'direct':
        return { ok: true, value: { target, proxy: null } }
      case 'proxy':
        return { ok: true, value: { target, proxy: choice.url } }
      case 'unusable':
        return { ok: false, failure: { kind: 'connect', cause: 'proxy', phase: 'unsent', message: choice.message } }
      default:
        return assertNever(choice, 'proxy choice')
    }
  }

  const onLine = async (line: Line, route: Route, order: Order, body: Body): Promise<Exchanged> => {
    const { target, proxy } = route
    const headers = [...order.headers]
    // A tunnel is deaf to this; a proxy that carries plain http reads it.
    const viaProxy = proxy !== null && target.protocol === 'http:' ? proxy : null
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
      idleMs,
      answerMs: order.answerMs,
      caps: { good: order.cap, bad: ERROR_CAP },
      signal: order.signal,
      sink: order.sink,
      onSent: () => order.upload?.onProgress?.(order.upload.size),
    })
  }

  /** One request to one address. */
  const once = async (target: URL, order: Order): Promise<Outcome<Answer>> => {
    try {
      const route = routeTo(target)
      if (!route.ok) return route
      if (order.signal?.aborted === true) throw new AbortedError()
      const body = await prepare(order)
      for (;;) {
        const line = await lines.take(route.value, order.signal)
        let whole = false
        let result: Exchanged
        try {
          result = await onLine(line, route.value, order, body)
          whole = result.kind === 'answer' && result.end === 'whole'
        } finally {
          lines.give(line, whole)
        }
        if (result.kind === 'answer') return { ok: true, value: result }
        if (result.kind === 'closed') {
          // Nothing was written, so this is no second try: a line that had lain idle was closed, as lines are.
          if (line.used && !closed) continue
          const message = 'The service closed the connection before anything was sent.'
          return { ok: false, failure: closed ? calledOff('unsent') : { kind: 'cut', phase: 'unsent', message } }
        }
        return { ok: false, failure: closed && result.failure.kind === 'cut' ? calledOff(result.failure.phase) : result.failure }
      }
    } catch (error) {
      if (error instanceof AbortedError) return { ok: false, failure: calledOff('unsent') }
      if (error instanceof SourceError) return { ok: false, failure: sourceFailure(error, 'unsent') }
      if (error instanceof ConnectError)
        return { ok: false, failure: { kind: 'connect', cause: error.reason, phase: 'unsent', message: error.message } }
      throw error
    }
  }

  /** Follows redirects: with the key only within its origin, and an upload or a deletion only where it stays one. */
  const send = async (from: URL, order: Order): Promise<Outcome<{ readonly answer: Answer; readonly meta: AnswerMeta }>> => {
    let target = from
    for (let hops = 0; ; hops++) {
      const got = await once(target, order)
      if (!got.ok) return got
      const answer = got.value
      const meta = readMeta(answer.status, answer.headers, now())
      if (![301, 302, 303, 307, 308].includes(answer.status)) return { ok: true, value: { answer, meta } }
      const next = redirect(target, order, answer, hops)
      if (!next.ok)
        return { ok: false, failure: { kind: 'redirect', phase: answer.phase, meta, message: createRedact(options.key())(next.message) } }
      target = next.target
    }
  }

  const call = async <T>(
    path: string,
    order: Pick<Order, 'method' | 'cap' | 'answerMs' | 'signal'> & { readonly upload?: Upload },
    read: (body: unknown) => Reading<T>,
    nothing: T | null = null,
  ): Promise<ApiResult<T>> => {
    const key = options.key()
    const redact = createRedact(key)
    if (key !== null && NOT_FOR_HEADERS.test(key)) {
      const message = 'The key has characters that can not be sent. Copy it again from the account settings.'
      return { ok: false, failure: { kind: 'connect', cause: 'other', phase: 'unsent', message } }
    }
    const headers = [...common, 'accept', 'application/json', ...(key === null || key === '' ? [] : ['authorization', `Bearer ${key}`])]
    const got = await send(new URL(base + path), { upload: null, ...order, headers, sink: null, roams: false })
    if (!got.ok) return got
    const { answer, meta } = got.value
    if (!isGood(answer.status)) return { ok: false, failure: await statusFailure(answer, meta, redact) }
    const garbage = (message: string): ApiResult<T> => ({ ok: false, failure: { kind: 'garbage', phase: answer.phase, meta, message } })
    if (answer.phase === 'partly') return garbage('The service said that it was done before it had the whole file.')
    if (answer.end === 'over') return garbage('The answer is longer than any answer of the service.')
    if (answer.end === 'broken') return garbage('The answer broke off in the middle.')
    if (answer.end === 'stalled') return { ok: false, failure: stalled(answer) }
    if (answer.status === 204 && nothing !== null) return { ok: true, value: nothing, meta }
    const text = await decodeText(answer.headers, answer.body, order.cap)
    if (text === null) return garbage('The answer can not be unpacked.')
    let body: unknown
    try {
      body = parseRedacted(text, redact)
    } catch {
      return garbage('The answer is not the JSON of the service.')
    }
    const reading = read(body)
    switch (reading.kind) {
      case 'value':
        return { ok: true, value: reading.value, meta }
      case 'refused':
        return {
          ok: false,
          failure: {
            kind: 'refused',
            detail: reading.detail,
            phase: answer.phase,
            meta,
            message: `The service refused${reading.detail === null ? '' : `: ${reading.detail}`}`,
          },
        }
      case 'other':
        return garbage('The answer is a JSON, but none of this service.')
      default:
        return assertNever(reading, 'reading')
    }
  }

  const get = (cap: number, signal: AbortSignal | undefined): Pick<Order, 'method' | 'cap' | 'answerMs' | 'signal'> => ({
    method: 'GET',
    cap,
    answerMs: getAnswerMs,
    signal,
  })

  return {
    upload: (request) => {
      const upload = { filename: request.filename, size: request.size, source: request.body, onProgress: request.onProgress }
      return call('/files/upload', { method: 'POST', cap: BODY_CAP, answerMs, signal: request.signal, upload }, readFileAnswer)
    },
    list: ({ page, limit, signal }) => call(`/files?page=${page}&limit=${limit}`, get(LIST_CAP, signal), readListAnswer),
    file: (fileId, signal) => call(`/files/${fileId}`, get(BODY_CAP, signal), readFileAnswer),
    remove: (fileId, signal) =>
      call(`/files/${fileId}`, { method: 'DELETE', cap: BODY_CAP, answerMs, signal }, readRemovalAnswer, { message: null }),
    stats: (signal) => call('/stats', get(BODY_CAP, signal), readStatsAnswer),

    download: async (publicLink, onChunk, signal) => {
      const target = URL.canParse(publicLink) ? new URL(publicLink) : null
      if (target === null || !isWeb(target)) {
        const message = 'The link is not a web address.'
        return { ok: false, failure: { kind: 'connect', cause: 'other', phase: 'unsent', message } }
      }
      let bytes = 0
      const sink = (chunk: Uint8Array): void | Promise<void> => {
        bytes += chunk.length
        return onChunk(chunk)
      }
      const headers = [...common, 'accept', '*/*']
      const order: Order = { method: 'GET', headers, upload: null, cap: 0, answerMs: getAnswerMs, signal, sink, roams: true }
      const got = await send(target, order)
      if (!got.ok) return got
      const { answer, meta } = got.value
      if (!isGood(answer.status)) return { ok: false, failure: await statusFailure(answer, meta, createRedact(options.key())) }
      if (answer.end === 'stalled') return { ok: false, failure: stalled(answer) }
      if (answer.end !== 'whole')
        return { ok: false, failure: { kind: 'cut', phase: answer.phase, message: 'The connection was lost in the middle of the file.' } }
      if (encodingOf(answer.headers) !== '')
        return {
          ok: false,
          failure: { kind: 'garbage', phase: answer.phase, meta, message: 'The file came packed, which nobody asked for.' },
        }
      return { ok: true, value: bytes, meta }
    },

    close: () => {
      closed = true
      return lines.close()
    },
  }
}

async function prepare(order: Order): Promise<Body> {
  if (order.upload === null) return { kind: 'none' }
  const { filename, size, source } = order.upload
  const form = createForm(filename, size)
  if (size > JOINED_AT_MOST) return { kind: 'streamed', form }
  const joined = joinBody(form, source)
  return { kind: 'joined', form, bytes: Buffer.isBuffer(joined) ? joined : await orAborted(joined, order.signal) }
}

/** A source that hangs must not keep an abort waiting. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  let onAbort: () => void = () => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(new AbortedError())
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
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
    return { ok: false, message: 'The service sent a redirect without an address that can be read.' }
  const next = new URL(location, target)
  if (!isWeb(next)) return { ok: false, message: 'The service redirects to something that is not a web address.' }
  if (!order.roams && next.origin !== target.origin)
    return { ok: false, message: `The service redirects to another place, ${next.origin}. Nothing was sent there.` }
  if (order.method !== 'GET' && answer.status < 307)
    return { ok: false, message: 'The service redirects in a way that would turn this request into another one.' }
  if (hops >= MOST_REDIRECTS) return { ok: false, message: `The service redirected more than ${MOST_REDIRECTS} times.` }
  return { ok: true, target: next }
}

function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}

function calledOff(phase: ApiFailure['phase']): ApiFailure {
  return { kind: 'aborted', phase, message: 'The request was called off.' }
}

function stalled(answer: Answer): ApiFailure {
  return { kind: 'timeout', what: 'idle', phase: answer.phase, message: 'The answer stood still in the middle.' }
}

async function statusFailure(answer: Answer, meta: AnswerMeta, redact: Redact): Promise<ApiFailure> {
  const text = await decodeText(answer.headers, answer.body, ERROR_CAP)
  const detail = text === null ? null : detailOfText(text, redact)
  const message = `The service answered ${answer.status}${detail === null ? '.' : `: ${detail}`}`
  return { kind: 'status', status: answer.status, detail, phase: answer.phase, meta, message }
}
