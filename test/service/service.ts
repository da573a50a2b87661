// The reference service: a local server that follows the API document to the letter, with settings for what
// the document leaves open and for what can go wrong. It doesn't judge clients; ledger and request log show
// what happened. Binds to 127.0.0.1 only.
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { assertNever } from '../../src-shared/assert.ts'
import {
  type Answer,
  emptyReceipt,
  errorAnswer,
  fileFields,
  garbageAnswer,
  idText,
  inOrder,
  interceptAnswer,
  jsonAnswer,
  listItem,
  pageOf,
  receipt,
  shownName,
  sizeOf,
  statsBody,
} from './answers.ts'
import { answerControl } from './control.ts'
import { type Dialect, withDialect } from './dialect.ts'
import { sendDownload } from './download.ts'
import {
  createFaultChooser,
  draw,
  type Endpoint,
  type Fault,
  type FaultPlan,
  type Intercept,
  interceptSchema,
} from './faults.ts'
import {
  createLedger,
  createRequestLog,
  type Ledger,
  type LedgerFile,
  ledgerFile,
  type OpenRecord,
  type RequestLog,
} from './ledger.ts'
import { createHitLog, dayCut, type Limits, minuteCut, planLimits } from './limits.ts'
import { type Received, receive } from './multipart.ts'
import { openStore, type StoredFile } from './store.ts'
import { openStranger, type Stranger, type StrangerRequest } from './stranger.ts'

export interface ServiceOptions {
  /** pro, business or enterprise; free has no API; any other name gets Pro's limits. Default: pro. */
  readonly plan?: string | undefined
  /** Default: the one stored in the data directory, or else a random one. */
  readonly key?: string | undefined
  /** Default: any free port. */
  readonly port?: number | undefined
  /**
   * Where records and bytes survive a restart. Default: records in memory, bytes in a temporary folder that
   * is deleted with the service.
   */
  readonly dataDir?: string | undefined
  /** `discard` stores only size and hash. Default: disk. */
  readonly storage?: 'disk' | 'discard' | undefined
  /** Whether uploads are hashed; false for benchmarks of the client alone. Default: true. */
  readonly hash?: boolean | undefined
  /** Overrides the plan's limits. */
  readonly limits?: Partial<Limits> | undefined
  /** The service's clock, in epoch milliseconds: Date header, upload dates, windows. Default: Date.now. */
  readonly now?: (() => number) | undefined
  /** Timers based on that clock. If set, they also schedule late storing. Default: real timers. */
  readonly after?: ((ms: number, call: () => void) => unknown) | undefined
  /** Length of the minute window in milliseconds. Default: 60,000. */
  readonly windowMs?: number | undefined
  /** Length of the day window in milliseconds. Default: 86,400,000. */
  readonly dayMs?: number | undefined
  readonly dialect?: Partial<Dialect> | undefined
  readonly faults?: FaultPlan | undefined
  /** For faults and random IDs. Default: 1. */
  readonly seed?: number | undefined
  /** Delay of every response, in real milliseconds. Default: 0. */
  readonly latencyMs?: number | undefined
  /** How fast an upload's body is read. Default: not throttled. */
  readonly uploadBytesPerSecond?: number | undefined
  /** Called at each stage of an exchange, for tests that act in the middle of one. */
  readonly onMoment?: ((moment: Moment, endpoint: Endpoint) => void) | undefined
  /**
   * Minimum number of files in the account. Missing ones are added as records without bytes, one a minute up
   * to now. Default: none are added.
   */
  readonly stored?: number | undefined
  /** Opens /__control to requests with this value in `x-control`. Default: closed. */
  readonly controlToken?: string | undefined
}

/**
 * The headers were read; the first bytes of an upload's body were read; the whole response was passed to the
 * system.
 */
export type Moment = 'headers' | 'body' | 'answered'

export interface PlantedFile {
  readonly filename: string
  /** Default: sixteen random bytes. */
  readonly bytes?: Uint8Array
  /** Default: now. */
  readonly storedAt?: number
  /** A size without bytes: a record that can't be downloaded, for accounts that only need to look full. */
  readonly size?: number
  readonly downloads?: number
}

export interface Service {
  /** Base URL of the API. */
  readonly url: string
  readonly origin: string
  /** Origin of the links in answers; `origin` unless something in front of the service ends TLS. */
  linkOrigin: string
  readonly port: number
  readonly key: string
  readonly plan: string
  readonly limits: Limits
  readonly dialect: Dialect
  readonly ledger: Ledger
  readonly requests: RequestLog
  /** Requests received by the other origin, which redirects lead to. */
  strangerRequests(): readonly StrangerRequest[]
  /** Applies the plan's limits. Limits set by `setLimits` still take precedence. */
  setPlan(plan: string): void
  setLimits(limits: Partial<Limits>): void
  setKey(key: string): void
  /** Replaces the whole plan and starts counting requests from 1 again. */
  setFaults(plan: FaultPlan | null): void
  /**
   * Puts something in front of the service that answers instead; null takes it away. Links are affected only
   * if it names `download`.
   */
  setIntercept(intercept: Intercept | null): void
  /**
   * Ends the delay that `answer-late` gives to the requests so far, also to those whose body is still
   * arriving.
   */
  answerNow(): void
  /** Changes individual options; null restores the default dialect. */
  setDialect(dialect: Partial<Dialect> | null): void
  /** Applies to uploads that start from now on. Null turns throttling off. */
  setUploadRate(bytesPerSecond: number | null): void
  /** Deletes a file as if someone else had done it. Returns false if it doesn't exist. */
  deleteBehindTheBack(fileId: number): boolean
  /** Adds a file as if another client of the account had uploaded it. Doesn't count against any limit. */
  plant(file: PlantedFile): LedgerFile
  /** The path of an existing file's bytes; null if there are none. Doesn't change the download count. */
  blobPath(fileId: number): string | null
  /** Cuts all connections and refuses new ones, for `ms` real milliseconds or until `comeBack`. */
  goAway(ms?: number): Promise<void>
  comeBack(): Promise<void>
  /**
   * Resolves once nothing is being received, answered or stored late. Requests left hanging on purpose don't
   * count.
   */
  idle(): Promise<void>
  close(): Promise<void>
}

const BASE = '/api/v1'
/** Base for parsing a request's path and query. */
const HERE = 'http://service.invalid'
/** Where same-origin redirects lead: the same API under one more prefix, without faults. */
const MOVED = '/moved'
/** Maximum number of bytes that the multipart encoding may add to a file. */
const ENVELOPE = 4096
/**
 * The IDs of other users' files are at most this, those of the account's own files above it, if there are
 * others.
 */
const OTHERS_IDS = 1000
/** Assumed body length for cuts inside a body of unknown length. */
const UNTOLD_LENGTH = 64 * 1024

type Route = { readonly endpoint: Endpoint; readonly id: string | null } | null

function routeOf(method: string, path: string): Route {
  const download = /^(?:\/public)?\/download\/([\w-]+)$/.exec(path)
  if (download !== null)
    return method === 'GET' || method === 'HEAD' ? { endpoint: 'download', id: download[1] ?? null } : null
  if (!path.startsWith(`${BASE}/`)) return null
  const rest = path.slice(BASE.length)
  if (rest === '/files/upload') return method === 'POST' ? { endpoint: 'upload', id: null } : null
  if (rest === '/files') return method === 'GET' ? { endpoint: 'list', id: null } : null
  if (rest === '/stats') return method === 'GET' ? { endpoint: 'stats', id: null } : null
  const single = /^\/files\/([^/]+)$/.exec(rest)
  if (single === null) return null
  if (method === 'GET') return { endpoint: 'get', id: single[1] ?? null }
  return method === 'DELETE' ? { endpoint: 'delete', id: single[1] ?? null } : null
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly record: OpenRecord
  readonly url: URL
  readonly id: string | null
  readonly at: number
}

export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const now = options.now ?? Date.now
  const windowMs = options.windowMs ?? 60_000
  const dayMs = options.dayMs ?? 86_400_000
  const seed = options.seed ?? 1
  const latencyMs = options.latencyMs ?? 0
  const hash = options.hash ?? true
  const keepMs = 2 * Math.max(windowMs, dayMs)
  let plan = options.plan ?? 'pro'
  let overrides = options.limits ?? {}
  let limits = planLimits(plan, overrides)
  let dialect = withDialect(options.dialect ?? {})
  let chooser = createFaultChooser(options.faults ?? null, seed)
  // Opened only after all options have been validated, so that an invalid option leaves nothing behind.
  const store = openStore({
    dataDir: options.dataDir ?? null,
    storage: options.storage ?? 'disk',
    hitsSince: now() - keepMs,
  })
  const hits = createHitLog(keepMs, store.oldHits)
  const uploads = createHitLog(
    keepMs,
    store.all.filter((file) => file.requestNo > 0).map((file) => file.storedAt),
  )
  const requests = createRequestLog(1 + store.all.reduce((most, file) => Math.max(most, file.requestNo), 0))
  const ledger = createLedger(store)
  let key = options.key ?? store.meta('key') ?? `sk_${randomBytes(24).toString('base64url')}`
  store.setMeta('key', key)
  let uploadRate = options.uploadBytesPerSecond ?? null
  let revokedUntil = Number.NEGATIVE_INFINITY
  let downgrade: { readonly plan: string; readonly until: number } | null = null
  let intercept: { readonly by: Intercept; readonly until: number } | null = null
  let stranger: Stranger | null = null
  let away: NodeJS.Timeout | null = null
  let closed = false
  const running = new Set<Promise<unknown>>()
  const timers = new AbortController()
  /** `answerNow` aborts and replaces it. Requests up to this number are no longer delayed. */
  let early = new AbortController()
  let undelayed = 0

  function track(work: Promise<unknown>): void {
    running.add(work)
    void work.finally(() => running.delete(work))
  }

  // Each exchange has its own promise. An error in one is a bug in the service and must be reported.
  const server = createServer(
    { keepAliveTimeout: 60_000, requestTimeout: 0, noDelay: true },
    (request, response) => {
      track(
        serve(request, response).catch((error: unknown) => {
          if (closed) return
          console.error('service defect:', error)
          request.socket.destroy()
        }),
      )
    },
  )

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = now()
    const method = request.method ?? ''
    const sent = request.url ?? '/'
    response.sendDate = false
    response.setHeader('Date', httpDate(at))
    response.on('error', () => undefined)
    const url = new URL(URL.canParse(sent, HERE) ? sent : '/', HERE)
    if (url.pathname.startsWith('/__control/')) {
      await answerControl({ request, response, url, token: options.controlToken ?? null, service })
      return
    }
    const moved = url.pathname.startsWith(`${MOVED}/`)
    const route = routeOf(method, moved ? url.pathname.slice(MOVED.length) : url.pathname)
    const record = requests.open({
      at,
      method,
      path: sent,
      endpoint: route?.endpoint ?? 'unknown',
      counted: false,
      status: null,
      fault: null,
      fileId: null,
    })
    const exchange: Exchange = { request, response, record, url, id: route?.id ?? null, at }
    const refusal =
      (moved ? null : intercepted(exchange)) ?? (record.endpoint === 'download' ? null : admit(exchange))
    if (latencyMs > 0) await delay(latencyMs, undefined, { signal: timers.signal }).catch(() => undefined)
    // The client has disconnected, so no further event of its request will arrive.
    if (request.socket.destroyed) return
    if (refusal !== null) {
      await send(exchange, refusal)
      return
    }
    if (record.endpoint === 'unknown') {
      await send(exchange, errorAnswer(404, 'Resource not found', dialect))
      return
    }
    const fault = moved ? null : chooser(record.endpoint)
    record.fault = fault?.kind ?? null
    options.onMoment?.('headers', record.endpoint)
    await act(exchange, record.endpoint, fault)
  }

  /**
   * The answer of what is in front of the service; null if it lets the request through. The service knows
   * nothing of such a request.
   */
  function intercepted({ record, at }: Exchange): Answer | null {
    if (intercept === null || at >= intercept.until || record.endpoint === 'unknown') return null
    const { by, until } = intercept
    const concerns = by.on === undefined ? record.endpoint !== 'download' : by.on.includes(record.endpoint)
    if (!concerns || draw(seed, 'intercept', record.no) >= (by.share ?? 1)) return null
    record.fault = 'intercepted'
    return interceptAnswer(by, Number.isFinite(until) ? until - at : null, dialect)
  }

  function standIn(by: Intercept, at: number): void {
    const { forMs } = interceptSchema.parse(by)
    intercept = { by, until: forMs === undefined ? Number.POSITIVE_INFINITY : at + forMs }
  }

  /**
   * Checks key, rate limit and plan, in this order. Returns null if the request is accepted. Decided when the
   * headers arrive.
   */
  function admit({ request, record, at }: Exchange): Answer | null {
    const shown = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]?.trim() ?? ''
    if (!same(shown, key) || at < revokedUntil) return errorAnswer(401, 'API key invalid or missing', dialect)
    const minute = minuteCut(limits, windowMs)
    const day = dayCut(limits, dayMs)
    const over = hits.count(minute, at) >= limits.perMinute || hits.count(day, at) >= limits.perDay
    if (!over || limits.countRejected) {
      record.counted = true
      hits.add(at)
      store.hit(at)
    }
    if (over) {
      const free = Math.max(hits.freeAt(minute, limits.perMinute, at), hits.freeAt(day, limits.perDay, at))
      return errorAnswer(429, 'Rate limit exceeded', dialect, retryAfter(dialect.retryAfter, free - at, at))
    }
    const current = downgrade !== null && at < downgrade.until ? downgrade.plan : plan
    return current === 'free'
      ? errorAnswer(403, 'Access denied: your plan does not support the API', dialect)
      : null
  }

  function rateHeaders(at: number): Readonly<Record<string, string>> {
    if (dialect.rateHeaders === 'none' || !Number.isFinite(limits.perMinute)) return {}
    const minute = minuteCut(limits, windowMs)
    const remaining = String(Math.max(0, limits.perMinute - hits.count(minute, at)))
    const reset = hits.resetAt(minute, at)
    const limit = String(limits.perMinute)
    const left = String(Math.max(0, Math.ceil((reset - at) / 1000)))
    if (dialect.rateHeaders === 'ratelimit')
      return { 'RateLimit-Limit': limit, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': left }
    return {
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': remaining,
      'X-RateLimit-Reset':
        dialect.rateHeaders === 'x-ratelimit-delta' ? left : String(Math.ceil(reset / 1000)),
    }
  }

  async function send(
    exchange: Exchange,
    answer: Answer,
    manner: { readonly cutAt?: number; readonly slowMs?: number } = {},
  ): Promise<void> {
    const { request, response, record, at } = exchange
    if (response.destroyed || response.headersSent) return
    const zip =
      answer.body.length > 0 &&
      (dialect.gzip === 'always' ||
        (dialect.gzip === 'accepted' && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')))
    const body = zip ? gzipSync(answer.body) : answer.body
    const unread = !request.complete
    const headers: Record<string, string | number> = { ...answer.headers, 'Content-Length': body.length }
    if (answer.type !== null) headers['Content-Type'] = answer.type
    if (zip) headers['Content-Encoding'] = 'gzip'
    if (record.counted) Object.assign(headers, rateHeaders(at))
    if (unread && dialect.earlyAnswer === 'close') headers['Connection'] = 'close'
    record.status = answer.status
    store.flush()
    response.writeHead(answer.status, headers)
    if (manner.cutAt !== undefined) {
      response.flushHeaders()
      await new Promise<void>((resolve) => {
        response.write(body.subarray(0, Math.floor(body.length * (manner.cutAt ?? 0))), () => resolve())
      })
      // Without a pause, the cut could overtake what was just written.
      await delay(5)
      cut(exchange)
      return
    }
    if (manner.slowMs !== undefined) {
      response.flushHeaders()
      const pieces = 10
      for (let n = 0; n < pieces; n++) {
        await delay(manner.slowMs / pieces, undefined, { signal: timers.signal }).catch(() => undefined)
        if (response.destroyed) return
        response.write(
          body.subarray(Math.floor((body.length * n) / pieces), Math.floor((body.length * (n + 1)) / pieces)),
        )
      }
      response.end()
      return
    }
    response.end(body, () => {
      if (record.endpoint !== 'unknown') options.onMoment?.('answered', record.endpoint)
    })
    if (unread) request.resume()
  }

  function cut({ request }: Exchange): void {
    request.socket.destroy()
  }

  /** Delays an answer by so many milliseconds, or until `answerNow` or the end of the service. */
  async function untilAnswer({ record }: Exchange, ms: number): Promise<void> {
    if (record.no <= undelayed) return
    const signal = AbortSignal.any([timers.signal, early.signal])
    await delay(ms, undefined, { signal }).catch(() => undefined)
  }

  /** Ends a stall with a cut after its time limit, if it has one. */
  function letGo(exchange: Exchange, fault: Fault | null): void {
    if (fault === null || !('forMs' in fault) || fault.forMs === undefined) return
    if (
      fault.kind === 'stall-in-body' ||
      fault.kind === 'stall-before-store' ||
      fault.kind === 'stall-after-store'
    )
      later(fault.forMs, () => cut(exchange))
  }

  function later(ms: number, work: () => void): void {
    track(
      delay(ms, undefined, { signal: timers.signal }).then(work, () => {
        // The service was closed first, so the work is never done.
      }),
    )
  }

  /**
   * Does something late, by the service's own timers if it has them, and not at all after the service has
   * closed.
   */
  function doLate(ms: number, work: () => void): void {
    if (options.after === undefined) later(ms, work)
    else
      options.after(ms, () => {
        if (!closed) work()
      })
  }

  function storeLate(
    exchange: Exchange,
    fault: Extract<Fault, { kind: 'late-store-cut' | 'late-store-error' }>,
    work: () => void,
  ): void {
    const most = fault.mostMs ?? fault.ms
    const ms = fault.ms + Math.floor(draw(seed, 'late', exchange.record.no) * Math.max(0, most - fault.ms))
    doLate(ms, work)
  }

  /** Carries out a request and applies its fault at the right stage. */
  async function act(exchange: Exchange, endpoint: Endpoint, fault: Fault | null): Promise<void> {
    const before = await strikeBefore(exchange, fault)
    if (before === 'over') return
    if (endpoint === 'download') {
      await download(exchange, fault)
      return
    }
    let received: Received | null = null
    if (endpoint === 'upload') {
      const refusal = refuseUpload(
        exchange,
        Number(exchange.request.headers['content-length'] ?? 0) - ENVELOPE,
      )
      if (refusal !== null) {
        await send(exchange, refusal)
        return
      }
      const inBody =
        fault?.kind === 'cut-in-body' || fault?.kind === 'stall-in-body'
          ? strikeInBody(exchange, fault)
          : null
      if (options.onMoment !== undefined)
        exchange.request.once('data', () => options.onMoment?.('body', endpoint))
      const receiving = receive({
        request: exchange.request,
        blobs: store.blobs,
        hash,
        bytesPerSecond: uploadRate,
      })
      const result = await (inBody === null ? receiving : Promise.race([receiving, inBody.struck]))
      if (inBody?.done() === true) {
        letGo(exchange, fault)
        // Whatever has arrived is discarded when the connection ends, even a complete file.
        void receiving.then((late) => {
          if (late.ok) drop(late.file)
        })
        return
      }
      if (result === 'struck') return
      if (!result.ok) {
        if (result.reason === 'not-written')
          await send(exchange, errorAnswer(500, 'The file could not be written', dialect))
        else if (result.reason !== 'broken-off')
          await send(exchange, errorAnswer(400, `Bad request: ${result.reason}`, dialect))
        return
      }
      const tooMuch = refuseUpload(exchange, result.file.size)
      if (tooMuch !== null) {
        drop(result.file)
        await send(exchange, tooMuch)
        return
      }
      received = result.file
    } else {
      exchange.request.resume()
      if (fault?.kind === 'cut-in-body') cut(exchange)
      letGo(exchange, fault)
      if (fault?.kind === 'cut-in-body' || fault?.kind === 'stall-in-body') return
    }
    await strikeAfter(exchange, endpoint, received, fault)
  }

  /** Applies faults that occur when the headers have arrived. `over` means that the exchange has ended. */
  async function strikeBefore(exchange: Exchange, fault: Fault | null): Promise<'over' | 'on'> {
    switch (fault?.kind) {
      case 'cut-before-body':
        cut(exchange)
        return 'over'
      case 'error-before-body':
        await send(exchange, errorAnswer(fault.status, 'The service is not available', dialect))
        return 'over'
      case 'rate-limited':
        await send(
          exchange,
          errorAnswer(
            429,
            'Rate limit exceeded',
            dialect,
            retryAfter(fault.retryAfter, fault.seconds * 1000, exchange.at),
          ),
        )
        return 'over'
      case 'redirect': {
        const path = exchange.record.path
        if (fault.to === 'other-origin') stranger ??= await openStranger()
        const to =
          fault.to === 'other-origin'
            ? `${stranger?.origin}${path}`
            : fault.to === 'same-origin'
              ? `${MOVED}${path}`
              : path
        await send(exchange, {
          status: fault.status,
          type: null,
          body: Buffer.alloc(0),
          headers: { Location: to },
        })
        return 'over'
      }
      case 'go-away':
        void service.goAway(fault.ms)
        return 'over'
      case 'revoke-key':
        revokedUntil = exchange.at + fault.forMs
        await send(exchange, errorAnswer(401, 'API key invalid or missing', dialect))
        return 'over'
      case 'downgrade':
        downgrade = { plan: fault.plan, until: exchange.at + fault.forMs }
        await send(exchange, errorAnswer(403, 'Access denied: your plan does not support the API', dialect))
        return 'over'
      case 'intercepted': {
        const { kind: _kind, ...by } = fault
        standIn(by, exchange.at)
        await send(exchange, interceptAnswer(by, by.forMs ?? null, dialect))
        return 'over'
      }
      case 'lower-limit':
        service.setLimits({
          perMinute: fault.perMinute,
          ...(fault.perDay === undefined ? {} : { perDay: fault.perDay }),
        })
        return 'on'
      default:
        return 'on'
    }
  }

  /**
   * Carries out a completely received request and responds. Applies the faults that strike just before,
   * instead of, or after that.
   */
  async function strikeAfter(
    exchange: Exchange,
    endpoint: Exclude<Endpoint, 'download'>,
    received: Received | null,
    fault: Fault | null,
  ): Promise<void> {
    const forget = (): void => {
      if (received !== null) drop(received)
    }
    const perform = (): Answer => carryOut(exchange, endpoint, received)
    switch (fault?.kind) {
      case 'cut-after-body':
        forget()
        cut(exchange)
        return
      case 'error-before-store':
        forget()
        await send(exchange, errorAnswer(fault.status, 'Internal error', dialect))
        return
      case 'garbage-before-store':
        forget()
        await send(exchange, garbageAnswer(fault.form))
        return
      case 'stall-before-store':
        forget()
        letGo(exchange, fault)
        return
      case 'late-store-cut':
        cut(exchange)
        storeLate(exchange, fault, perform)
        return
      case 'late-store-error':
        storeLate(exchange, fault, perform)
        await send(exchange, errorAnswer(fault.status, 'The service took too long', dialect))
        return
      case 'cut-after-store':
        perform()
        store.flush()
        cut(exchange)
        return
      case 'stall-after-store':
        perform()
        letGo(exchange, fault)
        return
      case 'error-after-store':
        perform()
        await send(exchange, errorAnswer(fault.status, 'Internal error', dialect))
        return
      case 'garbage-after-store':
        perform()
        await send(exchange, garbageAnswer(fault.form))
        return
      case 'answer-truncated':
        await send(exchange, perform(), { cutAt: fault.fraction })
        return
      case 'answer-slow':
        await send(exchange, perform(), { slowMs: fault.ms })
        return
      case 'answer-late': {
        const answer = perform()
        await untilAnswer(exchange, fault.ms)
        await send(exchange, answer)
        return
      }
      case 'receipt-of-nothing':
        if (endpoint === 'upload') forget()
        await send(exchange, endpoint === 'upload' ? emptyReceipt(dialect) : perform())
        return
      case 'receipt-of-another': {
        const other = received === null ? undefined : anotherThan(received)
        if (other === undefined) {
          exchange.record.fault = null
          await send(exchange, perform())
          return
        }
        if (fault.isStored) perform()
        else forget()
        await send(
          exchange,
          jsonAnswer(dialect.receiptStatus, receipt(other, service.linkOrigin, dialect), dialect),
        )
        return
      }
      case 'vanish': {
        if (endpoint !== 'upload') vanish(exchange.id === null ? store.live.at(-1) : withId(exchange.id))
        await send(exchange, perform())
        if (endpoint === 'upload' && exchange.record.fileId !== null)
          vanish(store.files.get(exchange.record.fileId))
        return
      }
      default:
        await send(exchange, perform())
    }
  }

  /**
   * Another upload whose own receipt was sent, if possible one whose name or size differs, so that a receipt
   * can tell.
   */
  function anotherThan({ filename, size, sha256 }: Received): StoredFile | undefined {
    const others = store.live.filter(
      (file) => file.requestNo > 0 && file.fault === null && file.sha256 !== sha256,
    )
    return others.findLast((file) => file.filename !== filename || file.size !== size) ?? others.at(-1)
  }

  function vanish(file: StoredFile | undefined): void {
    if (file !== undefined) store.remove(file, now(), 'service')
  }

  /** Cuts or stalls the connection after a fraction of the body. */
  function strikeInBody(
    exchange: Exchange,
    { kind, fraction }: { readonly kind: 'cut-in-body' | 'stall-in-body'; readonly fraction: number },
  ): { readonly struck: Promise<'struck'>; readonly done: () => boolean } {
    const { request } = exchange
    const total = Number(request.headers['content-length'] ?? UNTOLD_LENGTH)
    let got = 0
    let done = false
    const struck = new Promise<'struck'>((resolve) => {
      request.on('data', (chunk: Buffer) => {
        got += chunk.length
        if (done || got < total * fraction) return
        done = true
        if (kind === 'cut-in-body') cut(exchange)
        else {
          request.unpipe()
          request.pause()
        }
        resolve('struck')
      })
    })
    return { struck, done: () => done }
  }

  function drop(file: Received): void {
    if (store.blobs !== null && file.blob !== null) rmSync(join(store.blobs, file.blob), { force: true })
  }

  function refuseUpload({ at }: Exchange, size: number): Answer | null {
    if (size > limits.maxFileSize)
      return errorAnswer(
        dialect.tooBigStatus,
        'Access denied: the file is larger than your plan allows',
        dialect,
      )
    if (uploads.count(dayCut(limits, dayMs), at) >= limits.dailyUploads)
      return errorAnswer(403, 'Access denied: daily upload limit exceeded', dialect)
    return null
  }

  function nextId(isOthers: boolean): number {
    // The service numbers the files of all its users together, and those of others have been there for
    // longer.
    if (isOthers)
      for (let n = store.all.length; ; n++) {
        const id = 1 + Math.floor(draw(seed, 'other', n) * OTHERS_IDS)
        if (!store.files.has(id)) return id
      }
    if (dialect.ids === 'reused') return 1 + Math.max(0, ...store.live.map((file) => file.fileId))
    for (let n = store.all.length + 1; ; n++) {
      const id =
        dialect.ids === 'increasing'
          ? n + (dialect.othersShare > 0 ? OTHERS_IDS : 0)
          : dialect.ids === 'big'
            ? 9_007_199_254_000_000 + n
            : 1 + Math.floor(draw(seed, 'id', n) * 2_147_483_647)
      if (!store.files.has(id)) return id
    }
  }

  function keep(
    file: Received,
    requestNo: number,
    fault: string | null,
    storedAt: number,
    downloads = 0,
  ): StoredFile {
    const isOthers = othersHave(file)
    const there =
      (dialect.sameBytes === 'existing' || isOthers) && file.sha256 !== ''
        ? store.live.find((one) => one.sha256 === file.sha256)
        : undefined
    // Not for a planted file (request 0), which represents an existing file of another client.
    if (there !== undefined && requestNo > 0) {
      drop(file)
      return there
    }
    const stored: StoredFile = {
      ...file,
      fileId: nextId(isOthers),
      shownName: shownName(file.filename, dialect, store.liveNamed, store.all.length),
      token: randomBytes(12).toString('base64url'),
      storedAt,
      deletedAt: null,
      deletedBy: null,
      downloads,
      requestNo,
      fault,
    }
    store.put(stored)
    return stored
  }

  function plant(file: PlantedFile): StoredFile {
    const at = file.storedAt ?? now()
    if (file.size !== undefined)
      return keep(
        { filename: file.filename, size: file.size, sha256: '', blob: null },
        0,
        null,
        at,
        file.downloads,
      )
    const bytes = file.bytes ?? randomBytes(16)
    const blob = store.blobs === null ? null : randomUUID()
    if (store.blobs !== null && blob !== null) writeFileSync(join(store.blobs, blob), bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return keep({ filename: file.filename, size: bytes.length, sha256, blob }, 0, null, at, file.downloads)
  }

  /** Carries out what was requested. */
  function carryOut(
    exchange: Exchange,
    endpoint: Exclude<Endpoint, 'download'>,
    received: Received | null,
  ): Answer {
    const { record } = exchange
    switch (endpoint) {
      case 'upload': {
        if (received === null) throw new Error('an upload without a file')
        const at = now()
        uploads.add(at)
        const file = keep(received, record.no, record.fault, at)
        record.fileId = file.fileId
        return jsonAnswer(dialect.receiptStatus, receipt(file, service.linkOrigin, dialect), dialect)
      }
      case 'list':
        return list(exchange)
      case 'get': {
        const file = dialect.singleFile === 'never' ? null : find(exchange)
        if (file === null) return errorAnswer(404, 'File not found', dialect)
        return jsonAnswer(
          200,
          { success: true, file: fileFields(file, service.linkOrigin, dialect) },
          dialect,
        )
      }
      case 'delete': {
        const file = find(exchange)
        if (file === null) return errorAnswer(404, 'File not found', dialect)
        if (dialect.deleteLagMs === 0) store.remove(file, now(), 'client')
        else doLate(dialect.deleteLagMs, () => store.remove(file, now(), 'client'))
        return jsonAnswer(200, { success: true, message: 'File deleted' }, dialect)
      }
      case 'stats':
        return stats(exchange)
      default:
        return assertNever(endpoint, 'endpoint')
    }
  }

  /** Whether another user has this content, so that its file isn't one of the account. */
  function othersHave({ sha256 }: Pick<StoredFile, 'sha256'>): boolean {
    return dialect.othersShare > 0 && sha256 !== '' && draw(seed, 'others', sha256) < dialect.othersShare
  }

  function withId(id: string): StoredFile | undefined {
    if (dialect.idForm === 'number' || dialect.idForm === 'quoted')
      return /^\d{1,16}$/.test(id) ? store.files.get(Number(id)) : undefined
    return store.all.find((file) => idText(file, dialect) === id)
  }

  /** The time whose state answers a request: now, or a while ago if the copy answers. */
  function stateAt({ at, record }: Pick<Exchange, 'at' | 'record'>): number {
    const isCopy =
      dialect.replica === 'alternate'
        ? record.no % 2 === 0
        : dialect.replica === 'random' && draw(seed, 'copy', record.no) < 0.5
    return isCopy ? at - dialect.replicaMs : at
  }

  function find(exchange: Exchange): StoredFile | null {
    const { id, record } = exchange
    const file = id === null ? undefined : withId(id)
    const as = stateAt(exchange)
    if (file === undefined || othersHave(file)) return null
    if (file.deletedAt !== null && (dialect.replica === 'none' || file.deletedAt <= as)) return null
    // Planted files count as old, as for the list.
    if (file.requestNo > 0 && file.storedAt + dialect.singleLagMs > as) return null
    record.fileId = file.fileId
    return file
  }

  let ordered: {
    readonly version: number
    readonly order: Dialect['listOrder']
    readonly files: readonly StoredFile[]
  } | null = null

  /** The files that the list currently shows, taking lag and replica into account. */
  function listed({ at, record }: Exchange): readonly StoredFile[] {
    const isReplica = dialect.listReplicaMs > 0 && draw(seed, 'replica', record.no) < 0.5
    const as = stateAt({ at, record }) - (isReplica ? dialect.listReplicaMs : 0)
    const lagOf = (file: StoredFile): number =>
      file.requestNo === 0 || dialect.listLag === 'none'
        ? 0
        : dialect.listLagMs * (dialect.listLag === 'fixed' ? 1 : draw(seed, 'lag', file.requestNo))
    const shown = store.all.filter(
      (file) =>
        file.storedAt + lagOf(file) <= as &&
        (file.deletedAt === null || file.deletedAt > as) &&
        !othersHave(file),
    )
    return inOrder(shown, dialect.listOrder)
  }

  function list(exchange: Exchange): Answer {
    const { url, at } = exchange
    const wish = { page: url.searchParams.get('page'), limit: url.searchParams.get('limit') }
    if (wish.page !== null && Number(wish.page) > dialect.firstPage) shiftList(at)
    const { version } = store
    if (ordered === null || ordered.version !== version || ordered.order !== dialect.listOrder)
      ordered = { version, order: dialect.listOrder, files: inOrder([...store.live], dialect.listOrder) }
    const isPlain =
      dialect.listLag === 'none' &&
      dialect.listReplicaMs === 0 &&
      dialect.replica === 'none' &&
      dialect.othersShare === 0
    const all = isPlain ? ordered.files : listed(exchange)
    const page = pageOf(wish, all.length, dialect)
    if (!page.ok) return errorAnswer(page.status, page.message, dialect)
    const files = all.slice(page.from, page.to).map((file) => listItem(file, service.linkOrigin, dialect))
    return jsonAnswer(
      200,
      { success: true, files, ...(page.pagination === null ? {} : { pagination: page.pagination }) },
      dialect,
    )
  }

  /**
   * Simulates other clients between two pages. Only planted files are deleted, so the client loses no upload.
   */
  function shiftList(at: number): void {
    if (dialect.listShift === 'insert') plant({ filename: `another-${store.all.length + 1}.bin` })
    if (dialect.listShift !== 'delete') return
    const planted = store.live.findLast((file) => file.requestNo === 0)
    if (planted !== undefined) store.remove(planted, at, 'service')
  }

  function stats(exchange: Exchange): Answer {
    const { at } = exchange
    const as = stateAt(exchange)
    let files = 0
    let bytes = 0
    let downloads = 0
    for (const file of dialect.replica === 'none' ? store.live : store.all) {
      if (file.storedAt > as || (file.deletedAt !== null && file.deletedAt <= as) || othersHave(file))
        continue
      files++
      bytes += sizeOf(file, dialect)
      downloads += file.downloads
    }
    const uploadsToday = uploads.count(dayCut(limits, dayMs), at)
    return jsonAnswer(
      200,
      statsBody({ plan, limits, files, bytes, downloads, uploadsToday }, dialect),
      dialect,
    )
  }

  async function download(exchange: Exchange, fault: Fault | null): Promise<void> {
    const { request, response, record, id } = exchange
    request.resume()
    const plain = (status: number): Answer => ({
      status,
      type: 'text/plain; charset=utf-8',
      body: Buffer.from(status === 404 ? 'Not found\n' : 'Not available\n'),
      headers: {},
    })
    switch (fault?.kind) {
      case 'cut-in-body':
      case 'cut-after-body':
      case 'cut-after-store':
      case 'late-store-cut':
        cut(exchange)
        return
      case 'error-before-store':
      case 'error-after-store':
      case 'late-store-error':
        await send(exchange, plain(fault.status))
        return
      case 'garbage-before-store':
      case 'garbage-after-store':
        await send(exchange, garbageAnswer(fault.form))
        return
      case 'stall-in-body':
      case 'stall-before-store':
      case 'stall-after-store':
        return
      case 'answer-late':
      case 'answer-slow':
        await untilAnswer(exchange, fault.ms)
        break
      default:
        break
    }
    const file = store.byToken(id ?? '')
    if (file !== undefined && fault?.kind === 'vanish') store.remove(file, now(), 'service')
    if (file === undefined || file.deletedAt !== null) {
      await send(exchange, plain(404))
      return
    }
    if (store.blobs === null || file.blob === null) {
      await send(exchange, plain(410))
      return
    }
    record.fileId = file.fileId
    record.status = await sendDownload({
      request,
      response,
      path: join(store.blobs, file.blob),
      filename: file.shownName,
      size: file.size,
      cutAt: fault?.kind === 'answer-truncated' ? fault.fraction : null,
      counted: () => store.downloaded(file),
    })
  }

  async function listen(port: number): Promise<number> {
    // Right after closing, the port may remain in use for a moment.
    for (let attempt = 1; ; attempt++) {
      try {
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject)
          server.listen(port, '127.0.0.1', () => {
            server.off('error', reject)
            resolve()
          })
        })
        return (server.address() as AddressInfo).port
      } catch (error) {
        if (
          attempt >= (port === 0 ? 1 : 20) ||
          !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
        )
          throw error
        await delay(25)
      }
    }
  }

  function stopListening(): Promise<void> {
    return new Promise((resolve) => {
      if (!server.listening) {
        server.closeAllConnections()
        resolve()
        return
      }
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }

  let port = 0
  let linkOrigin: string | null = null
  const service: Service = {
    get url() {
      return `http://127.0.0.1:${port}${BASE}`
    },
    get origin() {
      return `http://127.0.0.1:${port}`
    },
    get linkOrigin() {
      return linkOrigin ?? service.origin
    },
    set linkOrigin(origin) {
      linkOrigin = origin
    },
    get port() {
      return port
    },
    get key() {
      return key
    },
    get plan() {
      return plan
    },
    get limits() {
      return limits
    },
    get dialect() {
      return dialect
    },
    ledger,
    requests,
    strangerRequests: () => stranger?.requests ?? [],
    setPlan: (next) => {
      plan = next
      downgrade = null
      limits = planLimits(plan, overrides)
    },
    setLimits: (next) => {
      overrides = { ...overrides, ...next }
      limits = planLimits(plan, overrides)
    },
    setKey: (next) => {
      key = next
      revokedUntil = Number.NEGATIVE_INFINITY
      store.setMeta('key', key)
    },
    setFaults: (next) => {
      chooser = createFaultChooser(next, seed)
    },
    setIntercept: (next) => {
      if (next === null) intercept = null
      else standIn(next, now())
    },
    answerNow: () => {
      undelayed = requests.list().at(-1)?.no ?? undelayed
      early.abort()
      early = new AbortController()
    },
    setDialect: (next) => {
      dialect = next === null ? withDialect({}) : withDialect(next, dialect)
    },
    setUploadRate: (bytesPerSecond) => {
      uploadRate = bytesPerSecond
    },
    deleteBehindTheBack: (fileId) => {
      const file = store.files.get(fileId)
      if (file === undefined || file.deletedAt !== null) return false
      store.remove(file, now(), 'service')
      return true
    },
    plant: (file) => ledgerFile(plant(file)),
    blobPath: (fileId) => {
      const file = store.files.get(fileId)
      return file === undefined || file.deletedAt !== null || file.blob === null || store.blobs === null
        ? null
        : join(store.blobs, file.blob)
    },
    goAway: async (ms) => {
      if (away !== null) clearTimeout(away)
      away = null
      await stopListening()
      if (ms !== undefined && !closed) away = setTimeout(() => void service.comeBack(), ms)
    },
    comeBack: async () => {
      if (away !== null) clearTimeout(away)
      away = null
      if (!closed && !server.listening) await listen(port)
    },
    idle: async () => {
      while (running.size > 0) await Promise.allSettled(running)
    },
    close: async () => {
      if (closed) return
      closed = true
      if (away !== null) clearTimeout(away)
      timers.abort()
      await stopListening()
      await service.idle()
      await stranger?.close()
      store.close()
    },
  }
  const missing = Math.max(0, (options.stored ?? 0) - store.live.length)
  for (let n = 1; n <= missing; n++)
    plant({
      filename: `stored-${String(n).padStart(7, '0')}.bin`,
      size: 1000 + n,
      storedAt: now() - (missing - n + 1) * 60_000,
    })
  try {
    port = await listen(options.port ?? 0)
  } catch (error) {
    store.close()
    throw error
  }
  return service
}

function retryAfter(form: Dialect['retryAfter'], ms: number, at: number): Readonly<Record<string, string>> {
  if (form === 'none' || !Number.isFinite(ms)) return {}
  if (form === 'seconds') return { 'Retry-After': String(Math.max(1, Math.ceil(ms / 1000))) }
  return { 'Retry-After': httpDate(Math.ceil((at + ms) / 1000) * 1000) }
}

const dated: { second: number; text: string } = { second: Number.NaN, text: '' }

/** Cached for a second, because every response needs it. */
function httpDate(at: number): string {
  const second = Math.floor(at / 1000)
  if (dated.second !== second) {
    dated.second = second
    dated.text = new Date(second * 1000).toUTCString()
  }
  return dated.text
}

function same(shown: string, key: string): boolean {
  const a = createHash('sha256').update(shown).digest()
  const b = createHash('sha256').update(key).digest()
  return timingSafeEqual(a, b)
}
