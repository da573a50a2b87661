// The REST client on undici: five calls with the key, one download without it. Every failure is a value that says how far the request had
// come, since that decides whether the service can have stored anything. It never retries, never logs, and sends the key to one origin only.
import { gunzipSync, inflateSync } from 'node:zlib'
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import { LengthError, multipart } from './multipart.ts'
import { readDetail, readList, readReceipt, readStats, readSuccess } from './parse.ts'
import { type Headers, readMeta } from './rate-headers.ts'
import type {
  AnswerMeta,
  ApiClient,
  ApiClientOptions,
  ApiFailure,
  ApiResult,
  ListPage,
  Phase,
  RemoteFile,
  Stats,
  UploadRequest,
} from './types.ts'

const CONNECT_MS = 10_000
/** No byte moved for this long: the line is dead. undici counts it anew with every chunk of a body. */
const IDLE_MS = 60_000
const ANSWER_MS = 120_000
const GET_ANSWER_MS = 30_000
const LIST_CAP = 8 * 1024 * 1024
const BODY_CAP = 1024 * 1024
const ERROR_CAP = 64 * 1024
const REDIRECTS = 5

interface Raw {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  readonly cut: boolean
  /** When the headers arrived, had the whole request been handed over? */
  readonly phase: Phase
}

interface Send {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body: (() => { body: Uint8Array | AsyncGenerator<Uint8Array>; finished: () => boolean; headers: Record<string, string> }) | null
  readonly cap: number
  readonly signal: AbortSignal | undefined
  readonly sink?: (chunk: Uint8Array) => void | Promise<void>
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const base = new URL(options.baseUrl)
  const now = options.now ?? Date.now
  const dispatcher = createDispatcher(options)
  const answerMs = options.timeouts?.answerMs ?? ANSWER_MS
  const getMs = Math.min(answerMs, GET_ANSWER_MS)

  const once = (send: Send, timeout: number): Promise<{ ok: true; raw: Raw } | { ok: false; failure: ApiFailure }> =>
    new Promise((resolve) => {
      let phase: Phase = 'unsent'
      let made: ReturnType<NonNullable<Send['body']>> | null = null
      try {
        made = send.body?.() ?? null
      } catch (error) {
        resolve({ ok: false, failure: sourceFailure(error, 'unsent') })
        return
      }
      const body = made
      const reached = (): Phase => {
        if (phase === 'unsent') return 'unsent'
        return body === null || body.finished() ? 'sent' : 'partly'
      }
      let status = 0
      let headers: Headers = {}
      let answeredIn: Phase = 'unsent'
      const chunks: Buffer[] = []
      let length = 0
      let over = false
      let settled = false
      let pump: Promise<void> = Promise.resolve()
      let abort: (reason: Error) => void = () => undefined
      const onAbort = (): void => abort(new AbortedError())
      const finish = (result: { ok: true; raw: Raw } | { ok: false; failure: ApiFailure }): void => {
        if (settled) return
        settled = true
        send.signal?.removeEventListener('abort', onAbort)
        resolve(result)
      }
      if (send.signal?.aborted === true) {
        finish({ ok: false, failure: { kind: 'aborted', phase: 'unsent', message: 'called off' } })
        return
      }
      send.signal?.addEventListener('abort', onAbort, { once: true })
      let early: Error | null = null
      abort = (reason) => {
        early = reason
      }
      dispatcher.dispatch(
        {
          origin: send.url.origin,
          path: send.url.pathname + send.url.search,
          method: send.method,
          headers: { ...send.headers, ...body?.headers },
          // The dispatcher takes iterables; its types name only their older relatives.
          body: (body?.body ?? null) as Uint8Array | null,
          headersTimeout: timeout,
          bodyTimeout: options.timeouts?.idleMs ?? IDLE_MS,
        },
        {
          onRequestStart: (controller) => {
            if (early !== null) {
              controller.abort(early)
              return
            }
            abort = (reason) => controller.abort(reason)
            phase = 'partly'
          },
          onResponseStart: (_controller, statusCode, head) => {
            status = statusCode
            headers = head
            answeredIn = reached()
          },
          onResponseData: (controller, chunk) => {
            if (send.sink !== undefined && status >= 200 && status < 300) {
              length += chunk.length
              const { sink } = send
              controller.pause()
              pump = pump
                .then(async () => sink(chunk))
                .then(
                  () => controller.resume(),
                  (error: unknown) => controller.abort(error instanceof Error ? error : new Error(String(error))),
                )
              return
            }
            length += chunk.length
            if (length > send.cap) over = true
            else chunks.push(chunk)
          },
          onResponseEnd: () => {
            void pump.then(() => finish({ ok: true, raw: { status, headers, body: Buffer.concat(chunks), cut: over, phase: answeredIn } }))
          },
          onResponseError: (_controller, error) => {
            if (status > 0 && !(error instanceof AbortedError)) {
              // The answer began and broke off: its status still counts, its body does not.
              if (status < 200 || status >= 300)
                finish({ ok: true, raw: { status, headers, body: Buffer.concat(chunks), cut: true, phase: answeredIn } })
              else
                finish({
                  ok: false,
                  failure: {
                    kind: 'garbage',
                    phase: answeredIn,
                    meta: readMeta(status, headers, now()),
                    message: `the answer broke off: ${error.message}`,
                  },
                })
              return
            }
            finish({ ok: false, failure: classify(error, reached()) })
          },
        },
      )
    })

  const send = async (
    first: Send,
    timeout: number,
    keyless: boolean,
  ): Promise<{ ok: true; raw: Raw; meta: AnswerMeta } | { ok: false; failure: ApiFailure }> => {
    let request = first
    for (let hops = 0; ; hops++) {
      const got = await once(request, timeout)
      if (!got.ok) return got
      const meta = readMeta(got.raw.status, got.raw.headers, now())
      if (![301, 302, 303, 307, 308].includes(got.raw.status)) return { ...got, meta }
      const location = got.raw.headers['location']
      const target = typeof location === 'string' && URL.canParse(location, request.url) ? new URL(location, request.url) : null
      const fail = (message: string): { ok: false; failure: ApiFailure } => ({
        ok: false,
        failure: { kind: 'redirect', phase: got.raw.phase, meta, message },
      })
      if (target === null) return fail('The service sent a redirect without an address.')
      const same = target.origin === request.url.origin
      if (keyless ? !['http:', 'https:'].includes(target.protocol) : !same)
        return fail(`The service redirects to another place (${target.origin}). The key was not sent there.`)
      if (hops >= REDIRECTS) return fail('The service redirects in a circle.')
      if (request.method !== 'GET' && got.raw.status !== 307 && got.raw.status !== 308)
        return fail('The service redirects an upload or a deletion to another page.')
      request = { ...request, url: target }
    }
  }

  const keyHeaders = ():
    | { readonly ok: true; readonly headers: Record<string, string> }
    | { readonly ok: false; readonly failure: ApiFailure } => {
    const key = options.key()
    const headers: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': options.userAgent }
    if (key === null) return { ok: true, headers }
    // A header can't carry it, and an error of the HTTP library would quote it.
    if (!/^[\x21-\x7e]+$/.test(key))
      return {
        ok: false,
        failure: {
          kind: 'connect',
          cause: 'other',
          phase: 'unsent',
          message: 'The key holds characters that can not be sent. Copy it again from the account settings.',
        },
      }
    return { ok: true, headers: { ...headers, authorization: `Bearer ${key}` } }
  }

  const call = async <T>(
    request: Omit<Send, 'headers' | 'url'> & { readonly path: string },
    timeout: number,
    read: (value: unknown) => T | null,
  ): Promise<ApiResult<T>> => {
    const head = keyHeaders()
    if (!head.ok) return head
    const got = await send({ ...request, url: new URL(base.href.replace(/\/$/, '') + request.path), headers: head.headers }, timeout, false)
    if (!got.ok) return got
    const { raw, meta } = got
    const text = decode(raw)
    if (raw.status < 200 || raw.status >= 300) {
      const detail = text === null ? null : readDetail(text.slice(0, ERROR_CAP))
      return {
        ok: false,
        failure: {
          kind: 'status',
          status: raw.status,
          detail,
          phase: raw.phase,
          meta,
          message: detail ?? `The service answered ${raw.status}.`,
        },
      }
    }
    const garbage = (message: string): ApiResult<T> => ({ ok: false, failure: { kind: 'garbage', phase: raw.phase, meta, message } })
    if (text === null || raw.cut) return garbage('The answer is longer than it may be, or can not be decoded.')
    let value: unknown
    try {
      value = JSON.parse(text.replace(/^\uFEFF/, ''))
    } catch {
      return garbage('The answer is not the JSON of the service.')
    }
    const success = readSuccess(value)
    if (success === false) {
      const detail = readDetail(text)
      return {
        ok: false,
        failure: { kind: 'refused', detail, phase: raw.phase, meta, message: detail ?? 'The service said that it did not succeed.' },
      }
    }
    const result = read(value)
    return result === null ? garbage('The answer is a JSON of another form.') : { ok: true, value: result, meta }
  }

  const get = <T>(
    path: string,
    signal: AbortSignal | undefined,
    read: (value: unknown) => T | null,
    cap = BODY_CAP,
  ): Promise<ApiResult<T>> => call({ method: 'GET', path, body: null, cap, signal }, getMs, read)

  return {
    upload: (request: UploadRequest): Promise<ApiResult<RemoteFile>> =>
      call(
        {
          method: 'POST',
          path: '/files/upload',
          cap: BODY_CAP,
          signal: request.signal,
          body: () => {
            const form = multipart({ filename: request.filename, size: request.size, source: request.body, onProgress: request.onProgress })
            return {
              body: form.body,
              finished: form.finished,
              headers: { 'content-type': form.contentType, 'content-length': String(form.contentLength) },
            }
          },
        },
        answerMs,
        readReceipt,
      ),
    list: ({ page, limit, signal }): Promise<ApiResult<ListPage>> => get(`/files?page=${page}&limit=${limit}`, signal, readList, LIST_CAP),
    file: (fileId, signal): Promise<ApiResult<RemoteFile>> => get(`/files/${fileId}`, signal, readReceipt),
    remove: (fileId, signal) =>
      call({ method: 'DELETE', path: `/files/${fileId}`, body: null, cap: BODY_CAP, signal }, getMs, (value) =>
        readSuccess(value) === true ? { message: readDetail(JSON.stringify(value)) } : null,
      ),
    stats: (signal): Promise<ApiResult<Stats>> => get('/stats', signal, readStats),
    download: async (publicLink, onChunk, signal) => {
      const url = URL.canParse(publicLink) ? new URL(publicLink) : null
      if (url === null || !['http:', 'https:'].includes(url.protocol))
        return { ok: false, failure: { kind: 'connect', cause: 'other', phase: 'unsent', message: 'The link is not a web address.' } }
      let bytes = 0
      const got = await send(
        {
          method: 'GET',
          url,
          headers: { 'user-agent': options.userAgent, 'accept-encoding': 'identity' },
          body: null,

          cap: ERROR_CAP,
          signal,
          sink: (chunk) => {
            bytes += chunk.length
            return onChunk(chunk)
          },
        },
        getMs,
        true,
      )
      if (!got.ok) return got
      const { raw, meta } = got
      if (raw.status < 200 || raw.status >= 300)
        return {
          ok: false,
          failure: {
            kind: 'status',
            status: raw.status,
            detail: null,
            phase: raw.phase,
            meta,
            message: `The link answered ${raw.status}.`,
          },
        }
      return { ok: true, value: bytes, meta }
    },
    close: () => dispatcher.destroy(),
  }
}

class AbortedError extends Error {
  constructor() {
    super('called off')
  }
}

function createDispatcher(options: ApiClientOptions): Dispatcher {
  const common = {
    connections: options.connections ?? 16,
    pipelining: 1,
    connect: { timeout: options.timeouts?.connectMs ?? CONNECT_MS },
    // Shorter than the 5 s after which many servers close an idle line: a request on a line that is just being closed is in doubt.
    keepAliveTimeout: 3000,
    keepAliveMaxTimeout: 30_000,
  }
  const proxy = options.proxy ?? null
  if (proxy === null || (proxy.http === null && proxy.https === null)) return new Agent(common)
  return new EnvHttpProxyAgent({
    ...common,
    ...(proxy.http === null ? {} : { httpProxy: proxy.http }),
    ...(proxy.https === null ? {} : { httpsProxy: proxy.https }),
    noProxy: [proxy.noProxy, 'localhost,127.0.0.1,[::1],::1'].filter((part) => part !== null && part !== '').join(','),
  })
}

function sourceFailure(error: unknown, phase: Phase): ApiFailure {
  return { kind: 'source', phase, cause: error, message: error instanceof Error ? error.message : String(error) }
}

const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA'])
const REFUSED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'ENETDOWN'])

function errorCode(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  if (code !== '' && !(error instanceof AggregateError)) return code
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return inner instanceof Error ? errorCode(inner) : code
}

/** An exception of the HTTP library as a failure. Whatever is not known stays on the careful side: something may have been sent. */
function classify(error: Error, phase: Phase): ApiFailure {
  const code = errorCode(error)
  const message = error.message === '' ? code : error.message
  if (error instanceof AbortedError) return { kind: 'aborted', phase, message }
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return { kind: 'timeout', what: phase === 'sent' ? 'answer' : 'idle', phase, message: 'The service did not answer in time.' }
  if (code === 'UND_ERR_BODY_TIMEOUT') return { kind: 'timeout', what: 'idle', phase, message: 'The answer stopped in the middle.' }
  if (phase === 'unsent') {
    if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
      return { kind: 'connect', cause: 'timeout', phase, message: 'The service could not be reached in time.' }
    if (DNS.has(code)) return { kind: 'connect', cause: 'dns', phase, message: 'The name of the service could not be found.' }
    if (REFUSED.has(code)) return { kind: 'connect', cause: 'refused', phase, message: 'Nobody answers at the address of the service.' }
    if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/i.test(code))
      return { kind: 'connect', cause: 'tls', phase, message: `The certificate of the service can not be trusted (${code}).` }
    if (/proxy/i.test(message)) return { kind: 'connect', cause: 'proxy', phase, message: 'The proxy did not let the connection through.' }
    return { kind: 'connect', cause: 'other', phase, message }
  }
  // undici throws what a body's source threw as it is; its own and the system's errors carry a code.
  if (error instanceof LengthError || (code === '' && phase === 'partly') || code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')
    return sourceFailure(error, phase)
  return { kind: 'cut', phase, message: `The connection was lost (${code === '' ? message : code}).` }
}

function decode(raw: Raw): string | null {
  const encoding = raw.headers['content-encoding']
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(raw.body, { maxOutputLength: LIST_CAP }).toString('utf8')
    if (encoding === 'deflate') return inflateSync(raw.body, { maxOutputLength: LIST_CAP }).toString('utf8')
  } catch {
    return null
  }
  return raw.body.toString('utf8')
}
