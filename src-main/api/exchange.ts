// Runs one request on one connection. Time limits apply to a connection on which no bytes move, to the wait
// for the response once the request has been sent, to the body of an error response, and to any body that
// arrives too slowly. A failure says how far the request got. If that is uncertain, the failure names the
// later stage. Callers handle redirects and interpret the response.
import { type Dispatcher, errors } from 'undici'
import type { Line } from './connection-pool.ts'
import type { SourceError, StreamedBody } from './multipart.ts'
import type { Headers } from './rate-headers.ts'
import type { ApiFailure, Phase } from './types.ts'

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path and query, or the absolute URL if a proxy forwards the request. */
  readonly path: string
  readonly headers: string[]
  readonly body: Buffer | StreamedBody | null
  /** Length of the body in bytes. */
  readonly length: number
  readonly idleMs: number
  readonly answerMs: number
  /** Maximum number of bytes to keep of a 2xx response (`good`) and of any other (`bad`). */
  readonly caps: { readonly good: number; readonly bad: number }
  readonly signal: AbortSignal | undefined
  /** Receives the bytes of a 2xx response, which are then not kept. */
  readonly sink: ((chunk: Uint8Array) => void | Promise<void>) | null
  /** Called when a request whose body isn't streamed has been passed to the socket completely. */
  readonly onSent?: () => void
}

export type Exchanged =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Headers
      readonly body: Buffer
      /**
       * `over`: longer than its limit; `broken`: the connection was lost before the end; `stalled`: the rest
       * didn't arrive in time.
       */
      readonly end: 'whole' | 'over' | 'broken' | 'stalled'
      /** How much of the request had been sent when the response's headers arrived. */
      readonly phase: Phase
    }
  | { readonly kind: 'failure'; readonly failure: ApiFailure }
  /** The connection was closed before any byte of the request was written. */
  | { readonly kind: 'closed' }

/**
 * Maximum number of bytes that the two ends buffer in their kernels: on Linux, up to 4 MiB for sending and 6
 * MiB for receiving. On a slow connection, the response can't arrive before these buffers are drained.
 */
const KERNEL_BUFFERS = 10 * 1024 * 1024
/** Time limit for the body of an error response. The status is known already; the body only adds detail. */
const ERROR_BODY_MS = 10_000
/**
 * Minimum average rate of a body in bytes per second, checked once the body has taken longer than `answerMs`
 * and `idleMs`. A response that never ends, of which a byte arrives now and then, would otherwise keep its
 * request open forever.
 */
const MIN_BODY_RATE = 256
const SHORTEST_TICK_MS = 5

/** Sends one request on this connection and receives its response. Never rejects. */
export function runExchange(line: Line, exchange: Exchange): Promise<Exchanged> {
  return new Promise((resolve) => new Run(line, exchange, resolve).start())
}

/** A running exchange, implemented as undici's dispatch handler. */
class Run implements Dispatcher.DispatchHandler {
  readonly #line: Line
  readonly #exchange: Exchange
  readonly #resolve: (result: Exchanged) => void
  readonly #streamed: StreamedBody | null
  readonly #startedAt = performance.now()
  readonly #tickMs: number
  #controller: Dispatcher.DispatchController | null = null
  #isSettled = false
  /** When the last byte of the body was passed to the socket; null before that. */
  #handedOverAt: number | null = null

  #status = 0
  #headers: Headers = {}
  #answeredIn: Phase = 'unsent'
  #answeredAt = 0
  readonly #kept: Buffer[] = []
  #length = 0
  /**
   * The pending write to the sink; null if there is none. The connection is paused until the write completes.
   */
  #swallowing: Promise<void> | null = null
  #pausedAt = 0
  /** How long the connection has been paused for the sink, in milliseconds. */
  #pausedMs = 0

  #movement: number
  #movedAt: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #dueAt = 0

  constructor(line: Line, exchange: Exchange, resolve: (result: Exchanged) => void) {
    this.#line = line
    this.#exchange = exchange
    this.#resolve = resolve
    const { body } = exchange
    this.#streamed = body !== null && !Buffer.isBuffer(body) ? body : null
    this.#tickMs = Math.max(SHORTEST_TICK_MS, Math.min(exchange.idleMs, exchange.answerMs) / 4)
    this.#movement = line.wire.movement()
    this.#movedAt = this.#startedAt
  }

  start(): void {
    const { body, signal, path, method, headers } = this.#exchange
    if (signal?.aborted === true) {
      this.#onAbort()
      return
    }
    this.#wait(this.#tickMs)
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    // undici also accepts async iterables, but its types don't say so.
    const sent = (this.#streamed === null ? body : this.#streamed.chunks) as Buffer | null
    this.#line.wire.awaitResponse()
    this.#line.client.dispatch({ path, method, headers, body: sent }, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The request was aborted or timed out before undici started it.
    if (this.#isSettled) controller.abort(new errors.RequestAbortedError())
  }

  onRequestSent(): void {
    this.#handedOverAt = performance.now()
    if (this.#streamed === null) this.#exchange.onSent?.()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Ignore interim responses such as 103.
    if (status < 200 || this.#isSettled) return
    this.#status = status
    this.#headers = headers
    this.#answeredIn = this.#phase()
    this.#answeredAt = performance.now()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // undici reports an empty chunk if the connection is resumed during a read. Passing that chunk to the
    // sink would pause and resume the connection again, in an endless loop.
    if (this.#isSettled || chunk.length === 0) return
    this.#length += chunk.length
    const { sink, caps } = this.#exchange
    if (sink !== null && isGood(this.#status)) {
      this.#swallow(chunk, sink)
      return
    }
    const cap = isGood(this.#status) ? caps.good : caps.bad
    this.#kept.push(this.#length > cap ? chunk.subarray(0, chunk.length - (this.#length - cap)) : chunk)
    if (this.#length > cap) this.#answer('over')
  }

  onResponseEnd(): void {
    if (this.#swallowing === null) this.#answer('whole')
    else void this.#swallowing.then(() => this.#answer('whole'))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isSettled) return
    const broken = this.#streamed?.broken() ?? null
    if (this.#status >= 200) this.#answer('broken')
    else if (broken !== null) this.#fail(sourceFailure(broken, this.#phase()))
    else if (this.#controller === null) this.#settle({ kind: 'closed' })
    else this.#fail(lostFailure(error, this.#phase()))
  }

  /**
   * How much of the request has been sent. A request with a streamed body counts as partly sent until the
   * file's last byte has been passed on; any other request counts as sent as soon as it starts.
   */
  #phase(): Phase {
    if (this.#controller === null) return 'unsent'
    return this.#streamed === null || this.#streamed.finished() ? 'sent' : 'partly'
  }

  #settle(result: Exchanged): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearTimeout(this.#timer)
    this.#exchange.signal?.removeEventListener('abort', this.#onAbort)
    this.#streamed?.stop()
    this.#resolve(result)
    // Stop sending and receiving, unless the response is complete.
    if (this.#controller !== null && (result.kind !== 'answer' || result.end !== 'whole'))
      this.#controller.abort(new errors.RequestAbortedError())
  }

  #fail(failure: ApiFailure): void {
    this.#settle({ kind: 'failure', failure })
  }

  #answer(end: Extract<Exchanged, { kind: 'answer' }>['end']): void {
    const body = Buffer.concat(this.#kept)
    this.#settle({
      kind: 'answer',
      status: this.#status,
      headers: this.#headers,
      body,
      end,
      phase: this.#answeredIn,
    })
  }

  readonly #onAbort = (): void =>
    this.#fail({ kind: 'aborted', phase: this.#phase(), message: 'The request was cancelled.' })

  #wait(ms: number): void {
    this.#dueAt = performance.now() + ms
    this.#timer = setTimeout(this.#tick, ms)
  }

  readonly #tick = (): void => {
    const now = performance.now()
    // A tick this late means that the process was blocked or suspended. Data that arrived in the meantime is
    // read after the timers, so it isn't known yet whether anything timed out.
    if (now - this.#dueAt > this.#tickMs) {
      this.#wait(SHORTEST_TICK_MS)
      return
    }
    const left = this.#untilAnswer(now)
    if (left !== null) {
      if (left > 0) this.#wait(Math.max(SHORTEST_TICK_MS, left))
      else {
        const message = "The service received the request but didn't respond in time."
        this.#fail({ kind: 'timeout', what: 'answer', phase: this.#phase(), message })
      }
      return
    }
    const movement = this.#line.wire.movement()
    if (movement !== this.#movement || this.#swallowing !== null) {
      this.#movement = movement
      this.#movedAt = now
    }
    const isStalled = now - this.#movedAt >= this.#exchange.idleMs
    if (this.#status >= 200 && (isStalled || this.#isBodyLate(now))) this.#answer('stalled')
    else if (isStalled)
      this.#fail({ kind: 'timeout', what: 'idle', phase: this.#phase(), message: 'The connection stalled.' })
    else this.#wait(this.#tickMs)
  }

  #isBodyLate(now: number): boolean {
    if (this.#swallowing !== null) return false
    const ms = now - this.#answeredAt - this.#pausedMs
    if (!isGood(this.#status) && ms >= ERROR_BODY_MS) return true
    const { answerMs, idleMs } = this.#exchange
    return ms >= Math.max(answerMs, idleMs) && this.#length < (ms / 1000) * MIN_BODY_RATE
  }

  /**
   * Milliseconds left until the response must begin. Null while the request is being sent, and once the
   * response has begun.
   */
  #untilAnswer(now: number): number | null {
    const { wire } = this.#line
    if (this.#status !== 0 || this.#handedOverAt === null || wire.socket.writableLength !== 0) return null
    const sending = this.#handedOverAt - this.#startedAt
    const inKernel =
      sending * (KERNEL_BUFFERS / Math.max(KERNEL_BUFFERS, this.#exchange.length - KERNEL_BUFFERS))
    return Math.max(this.#handedOverAt, wire.flushedAt()) + this.#exchange.answerMs + inKernel - now
  }

  #swallow(chunk: Buffer, into: NonNullable<Exchange['sink']>): void {
    const spilt = (error: unknown): void =>
      this.#fail({
        kind: 'source',
        phase: this.#answeredIn,
        cause: error,
        message: "Couldn't save the downloaded data.",
      })
    let taken: void | Promise<void>
    try {
      taken = into(chunk)
    } catch (error) {
      spilt(error)
      return
    }
    if (taken === undefined) return
    if (this.#swallowing === null) this.#pausedAt = performance.now()
    this.#controller?.pause()
    const held = Promise.all([this.#swallowing, taken]).then(() => {
      if (this.#swallowing !== held) return
      this.#swallowing = null
      this.#pausedMs += performance.now() - this.#pausedAt
      this.#controller?.resume()
    }, spilt)
    this.#swallowing = held
  }
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

export function sourceFailure(error: SourceError, phase: Phase): ApiFailure {
  return { kind: 'source', phase, cause: error.cause ?? error, message: error.message }
}

/**
 * Describes a connection that was lost without a response. The message contains only the error's code,
 * because the system's own text may contain names and addresses that must not be logged.
 */
function lostFailure(error: Error, phase: Phase): ApiFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const strange =
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error.message.startsWith('bad ')
  if (strange) return { kind: 'garbage', phase, meta: null, message: "The response isn't HTTP." }
  const why =
    code === 'UND_ERR_SOCKET' ? 'the service closed it' : code === '' ? 'for an unknown reason' : code
  return { kind: 'cut', phase, message: `The connection was lost before a response arrived (${why}).` }
}
