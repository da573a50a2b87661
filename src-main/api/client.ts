// The REST client: five calls that send the key, and a download that doesn't. A failure is returned as a
// value that says how far the request got, because that determines whether the service may have stored
// anything. The client never retries a request once any byte of it has been sent, never logs, and sends the
// key to one origin only.

import { promisify } from 'node:util'
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib'
import { assertNever } from '../../src-shared/assert.ts'
import { formatBytes } from '../../src-shared/format.ts'
import { detailOfText } from './detail.ts'
import { isGood } from './exchange.ts'
import { fileIdSegment } from './file-id.ts'
import { isSendableKey } from './key.ts'
import { LinkReach } from './link-reach.ts'
import { type Reading, readFileAnswer, readListAnswer, readRemovalAnswer, readStatsAnswer } from './parse.ts'
import type { Headers } from './rate-headers.ts'
import { parseRedacted, type Redact, rememberRedact } from './redact.ts'
import { type Answer, ERROR_CAP_BYTES, isWeb, type Order, Requester, type Upload } from './requester.ts'
import type { AnswerMeta, ApiClient, ApiClientOptions, ApiFailure, ApiResult, RemoteFile } from './types.ts'

const CONNECT_MS = 10_000
const IDLE_MS = 60_000
const ANSWER_MS = 120_000
const GET_ANSWER_MS = 30_000
const LIST_CAP = 8 * 1024 * 1024
const BODY_CAP = 1024 * 1024
const CONNECTIONS = 16

const UNNAMABLE: { readonly ok: false; readonly failure: ApiFailure } = {
  ok: false,
  failure: {
    kind: 'garbage',
    phase: 'unsent',
    meta: null,
    message: 'No request can name a file with this ID. Nothing was sent.',
  },
}

// Decodes a response body to text. The client never requests compression, but a server may compress anyway.
// The size limit also applies to the decompressed data, because a small response may expand to a huge one.
const unzip = promisify(gunzip)
const deflated = promisify(inflate)
const deflatedRaw = promisify(inflateRaw)
const brotli = promisify(brotliDecompress)

/** The state that all calls of a client share. */
interface Client {
  readonly base: string
  readonly headers: readonly string[]
  readonly key: () => string | null
  /** Returns a function that removes the key from text. */
  readonly redact: (key: string | null) => Redact
  readonly getAnswerMs: number
  readonly requester: Requester
  readonly reach: LinkReach
}

export function createApiClient(options: ApiClientOptions): ApiClient<string> {
  const answerMs = options.timeouts?.answerMs ?? ANSWER_MS
  const client: Client = {
    base: options.baseUrl.replace(/\/+$/, ''),
    headers: ['user-agent', options.userAgent.replace(/[^\x20-\x7e]+/g, '?'), 'accept-encoding', 'identity'],
    key: options.key,
    redact: rememberRedact(),
    getAnswerMs: Math.min(answerMs, GET_ANSWER_MS),
    reach: new LinkReach(options.baseUrl, options.links),
    requester: new Requester({
      proxies: options.proxy ?? null,
      connections: options.connections ?? CONNECTIONS,
      connectMs: options.timeouts?.connectMs ?? CONNECT_MS,
      idleMs: options.timeouts?.idleMs ?? IDLE_MS,
      now: options.now ?? Date.now,
      key: options.key,
    }),
  }
  const get = (
    cap: number,
    signal: AbortSignal | undefined,
  ): Pick<Order, 'method' | 'cap' | 'answerMs' | 'signal'> => ({
    method: 'GET',
    cap,
    answerMs: client.getAnswerMs,
    signal,
  })

  return {
    upload: async (request) => {
      const upload = {
        filename: request.filename,
        size: request.size,
        source: request.body,
        onProgress: request.onProgress,
      }
      const order = { method: 'POST', cap: BODY_CAP, answerMs, signal: request.signal, upload } as const
      const got = await call(client, '/files/upload', order, readFileAnswer)
      if (got.ok) client.reach.learn(got.value.publicLink)
      return got
    },
    list: ({ page, limit, signal }) =>
      call(client, `/files?page=${page}&limit=${limit}`, get(LIST_CAP, signal), readListAnswer),
    file: async (fileId, signal) => {
      const segment = fileIdSegment(fileId)
      return segment === null
        ? UNNAMABLE
        : ofFile(fileId, await call(client, `/files/${segment}`, get(BODY_CAP, signal), readFileAnswer))
    },
    remove: async (fileId, signal) => {
      const segment = fileIdSegment(fileId)
      if (segment === null) return UNNAMABLE
      return call(
        client,
        `/files/${segment}`,
        { method: 'DELETE', cap: BODY_CAP, answerMs, signal },
        readRemovalAnswer,
        { message: null },
      )
    },
    stats: (signal) => call(client, '/stats', get(BODY_CAP, signal), readStatsAnswer),

    download: (publicLink, onChunk, signal) => download(client, publicLink, onChunk, signal),
    close: () => client.requester.close(),
  }
}

async function call<T>(
  client: Client,
  path: string,
  order: Pick<Order, 'method' | 'cap' | 'answerMs' | 'signal'> & { readonly upload?: Upload },
  read: (body: unknown, base: string) => Reading<T>,
  nothing: T | null = null,
): Promise<ApiResult<T>> {
  const key = client.key()
  const redact = client.redact(key)
  if (key !== null && !isSendableKey(key)) {
    const message = "The key contains characters that can't be sent. Copy it again from the account settings."
    return { ok: false, failure: { kind: 'connect', cause: 'other', phase: 'unsent', message } }
  }
  const headers = [
    ...client.headers,
    'accept',
    'application/json',
    ...(key === null || key === '' ? [] : ['authorization', `Bearer ${key}`]),
  ]
  const got = await client.requester.send(new URL(client.base + path), {
    upload: null,
    ...order,
    headers,
    sink: null,
    reach: null,
  })
  if (!got.ok) return got
  const { answer, meta } = got.value
  if (!isGood(answer.status)) return { ok: false, failure: await statusFailure(answer, meta, redact) }
  const garbage = (message: string): ApiResult<T> => ({
    ok: false,
    failure: { kind: 'garbage', phase: answer.phase, meta, message },
  })
  if (answer.phase === 'partly')
    return garbage('The service reported success before it had received the whole file.')
  if (answer.end === 'over') return garbage('The response is longer than any that the service sends.')
  if (answer.end === 'broken') return garbage('The response is incomplete: the connection was lost.')
  if (answer.end === 'stalled') return { ok: false, failure: stalled(answer) }
  if (answer.status === 204 && nothing !== null) return { ok: true, value: nothing, meta }
  return readAnswer(answer, {
    redact,
    meta,
    cap: order.cap,
    read: (body) => read(body, client.base),
    garbage,
  })
}

/**
 * Rejects a response about another file, for example from a stale cache. Otherwise, the other file's name and
 * link would be stored as those of `fileId`.
 */
function ofFile(fileId: string, got: ApiResult<RemoteFile<string>>): ApiResult<RemoteFile<string>> {
  if (!got.ok || got.value.fileId === null || got.value.fileId === fileId) return got
  const message = 'The response is about another file.'
  return { ok: false, failure: { kind: 'garbage', phase: 'sent', meta: got.meta, message, isOther: true } }
}

interface Reader<T> {
  readonly redact: Redact
  readonly meta: AnswerMeta
  readonly cap: number
  readonly read: (body: unknown) => Reading<T>
  readonly garbage: (message: string) => ApiResult<T>
}

async function readAnswer<T>(
  answer: Answer,
  { redact, meta, cap, read, garbage }: Reader<T>,
): Promise<ApiResult<T>> {
  const text = await decodeText(answer.headers, answer.body, cap)
  if (text === null) return garbage("The response can't be decompressed.")
  if (text.trim() === '') return garbage('The response is empty.')
  const unusable = (what: string): ApiResult<T> => garbage(`${what}${shownOf(answer, text, redact)}`)
  let body: unknown
  try {
    body = parseRedacted(text, redact)
  } catch {
    return unusable("The response isn't the service's JSON")
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
      return unusable("The response is JSON, but not in the service's format")
    default:
      return assertNever(reading, 'reading')
  }
}

/**
 * Describes an unusable response for the user: by its readable message (detail.ts), or by its type and size
 * if it has none.
 */
function shownOf(answer: Answer, text: string, redact: Redact): string {
  const said = detailOfText(text, redact)
  if (said !== null) return `: "${said}"`
  const type = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(String(answer.headers['content-type'] ?? ''))?.[0] ?? null
  return ` (${type === null ? '' : `${redact(type)}, `}${formatBytes(answer.body.length)}).`
}

async function download(
  client: Client,
  publicLink: string,
  onChunk: (chunk: Uint8Array) => void | Promise<void>,
  signal: AbortSignal | undefined,
): ReturnType<ApiClient['download']> {
  const target = URL.canParse(publicLink) ? new URL(publicLink) : null
  if (target === null || !isWeb(target)) {
    const message = "The link isn't a web address."
    return { ok: false, failure: { kind: 'connect', cause: 'other', phase: 'unsent', message } }
  }
  let bytes = 0
  const sink = (chunk: Uint8Array): void | Promise<void> => {
    bytes += chunk.length
    return onChunk(chunk)
  }
  const headers = [...client.headers, 'accept', '*/*']
  const order: Order = {
    method: 'GET',
    headers,
    upload: null,
    cap: 0,
    answerMs: client.getAnswerMs,
    signal,
    sink,
    reach: client.reach,
  }
  const got = await client.requester.send(target, order)
  if (!got.ok) return got
  const { answer, meta } = got.value
  if (!isGood(answer.status))
    return { ok: false, failure: await statusFailure(answer, meta, client.redact(client.key())) }
  if (answer.end === 'stalled') return { ok: false, failure: stalled(answer) }
  if (answer.end !== 'whole')
    return {
      ok: false,
      failure: { kind: 'cut', phase: answer.phase, message: 'The connection was lost during the download.' },
    }
  if (encodingOf(answer.headers) !== '')
    return {
      ok: false,
      failure: {
        kind: 'garbage',
        phase: answer.phase,
        meta,
        message: "The file was sent compressed, which wasn't requested.",
      },
    }
  return { ok: true, value: bytes, meta }
}

function stalled(answer: Answer): ApiFailure {
  return { kind: 'timeout', what: 'idle', phase: answer.phase, message: 'The download stalled.' }
}

async function statusFailure(answer: Answer, meta: AnswerMeta, redact: Redact): Promise<ApiFailure> {
  const text = await decodeText(answer.headers, answer.body, ERROR_CAP_BYTES)
  const detail = text === null ? null : detailOfText(text, redact)
  const message = `The service answered ${answer.status}${detail === null ? '.' : `: ${detail}`}`
  return {
    kind: 'status',
    status: answer.status,
    detail,
    ...(isPage(answer, text) ? { isPage: true } : {}),
    ...(isJson(text) ? { isJson: true } : {}),
    phase: answer.phase,
    meta,
    message,
  }
}

/** Whether the text is a JSON object. */
function isJson(text: string | null): boolean {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** Whether an error is meant for a browser: an API's errors are JSON, and its scheme is Bearer. */
function isPage({ headers }: Answer, text: string | null): boolean {
  const scheme = String(headers['www-authenticate'] ?? '')
  return (
    /^\s*</.test(text ?? '') ||
    /^text\/html\b/i.test(String(headers['content-type'] ?? '')) ||
    /^(?:basic|digest|negotiate|ntlm)\b/i.test(scheme)
  )
}

/**
 * Decodes a response body to text. Resolves to null if the encoding is unknown, or if a compressed body is
 * damaged or expands to more than `cap` bytes. For a truncated body, resolves to the beginning of the text.
 */
export async function decodeText(headers: Headers, body: Buffer, cap: number): Promise<string | null> {
  const bytes = await unpacked(headers, body, cap)
  // Use TextDecoder, because Buffer.toString would keep a byte order mark.
  return bytes === null ? null : new TextDecoder().decode(bytes)
}

function encodingOf(headers: Headers): string {
  const value = headers['content-encoding']
  const encoding = (Array.isArray(value) ? value.join(',') : (value ?? '')).trim().toLowerCase()
  return encoding === 'identity' ? '' : encoding
}

async function unpacked(headers: Headers, body: Buffer, cap: number): Promise<Buffer | null> {
  const encoding = encodingOf(headers)
  if (encoding === '' || body.length === 0) return body
  const limits = { maxOutputLength: cap, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return await unzip(body, limits)
    // Servers send "deflate" either with or without a zlib header.
    if (encoding === 'deflate') return await deflated(body, limits).catch(() => deflatedRaw(body, limits))
    if (encoding === 'br')
      return await brotli(body, { maxOutputLength: cap, finishFlush: constants.BROTLI_OPERATION_FLUSH })
  } catch {
    return null
  }
  return null
}
