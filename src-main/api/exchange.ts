// One request and its answer on one line, with its clocks: idle while bytes should move, answer once the last one is out. It says how far
// the request had come whenever something goes wrong, on the careful side. It follows no redirect and reads nothing into an answer.
import { type Dispatcher, errors } from 'undici'
import type { Line } from './lines.ts'
import type { SourceError, StreamedBody } from './multipart.ts'
import type { Headers } from './rate-headers.ts'
import type { ApiFailure, Phase } from './types.ts'

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path with query, or a whole address when a proxy is asked for it. */
  readonly path: string
  readonly headers: string[]
  readonly body: Buffer | StreamedBody | null
  /** Length of the body in bytes. */
  readonly length: number
  readonly idleMs: number
  readonly answerMs: number
  /** Bytes that are kept of a 2xx answer and of any other. */
  readonly caps: { readonly good: number; readonly bad: number }
  readonly signal: AbortSignal | undefined
  /** Takes the bytes of a 2xx answer instead of keeping them. */
  readonly sink: ((chunk: Uint8Array) => void | Promise<void>) | null
  /** Every byte of a joined body was handed over. */
  readonly onSent?: () => void
}

export type Exchanged =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Headers
      readonly body: Buffer
      /** `over`: longer than its cap; `broken`: the connection was lost, or stood still, before its end. */
      readonly end: 'whole' | 'over' | 'broken' | 'stalled'
      /** How far the request had come when the answer's headers arrived. */
      readonly phase: Phase
    }
  | { readonly kind: 'failure'; readonly failure: ApiFailure }
  /** The line was closed before a byte of the request was written to it. */
  | { readonly kind: 'closed' }

/** Linux keeps up to 4 MiB on the sending and 6 MiB on the receiving side; on a slow line no answer can come before that is through. */
const KERNEL_BUFFERS = 10 * 1024 * 1024
/** The status is known, the rest is for a sentence at most. */
const ERROR_BODY_MS = 10_000
const SHORTEST_TICK_MS = 5

export function runExchange(line: Line, exchange: Exchange): Promise<Exchanged> {
  return new Promise((resolve) => {
    const { body, signal, sink } = exchange
    const { wire } = line
    const streamed = body !== null && !Buffer.isBuffer(body) ? body : null
    let controller: Dispatcher.DispatchController | null = null
    let settled = false
    const startedAt = performance.now()
    let handedOverAt: number | null = null

    let status = 0
    let headers: Headers = {}
    let answeredIn: Phase = 'unsent'
    let answeredAt = 0
    const kept: Buffer[] = []
    let length = 0
    let swallowing: Promise<void> | null = null

    // From the first moment at which something may have been written, until all of it was handed over, the truth is "partly".
    const phase = (): Phase => {
      if (controller === null) return 'unsent'
      return streamed === null || streamed.finished() ? 'sent' : 'partly'
    }

    const settle = (result: Exchanged): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      streamed?.stop()
      resolve(result)
      // Nothing more may leave or arrive for a request that was given up; a whole answer ends by itself.
      if (controller !== null && (result.kind !== 'answer' || result.end !== 'whole')) controller.abort(new errors.RequestAbortedError())
    }
    const fail = (failure: ApiFailure): void => settle({ kind: 'failure', failure })
    const answer = (end: 'whole' | 'over' | 'broken' | 'stalled'): void =>
      settle({ kind: 'answer', status, headers, body: Buffer.concat(kept), end, phase: answeredIn })
    const onAbort = (): void => fail({ kind: 'aborted', phase: phase(), message: 'The request was called off.' })

    let seen = wire.movement()
    let movedAt = startedAt
    const tickMs = Math.max(SHORTEST_TICK_MS, Math.min(exchange.idleMs, exchange.answerMs) / 4)
    const tick = (): void => {
      const now = performance.now()
      if (status === 0 && handedOverAt !== null && wire.socket.writableLength === 0) {
        const sending = handedOverAt - startedAt
        const inKernel = sending * (KERNEL_BUFFERS / Math.max(KERNEL_BUFFERS, exchange.length - KERNEL_BUFFERS))
        const left = Math.max(handedOverAt, wire.flushedAt()) + exchange.answerMs + inKernel - now
        if (left > 0) timer = setTimeout(tick, Math.max(SHORTEST_TICK_MS, left))
        else fail({ kind: 'timeout', what: 'answer', phase: phase(), message: 'The service took the request and did not answer in time.' })
        return
      }
      const movement = wire.movement()
      if (movement !== seen || swallowing !== null) {
        seen = movement
        movedAt = now
      }
      const stalled = now - movedAt >= exchange.idleMs
      if (status >= 200 && (stalled || (!isGood(status) && now - answeredAt >= ERROR_BODY_MS))) answer('stalled')
      else if (stalled) fail({ kind: 'timeout', what: 'idle', phase: phase(), message: 'The connection stood still.' })
      else timer = setTimeout(tick, tickMs)
    }
    let timer = setTimeout(tick, tickMs)

    if (signal?.aborted === true) {
      onAbort()
      return
    }
    signal?.addEventListener('abort', onAbort, { once: true })

    const onData = (chunk: Buffer): void => {
      // A line that is let go on while it is being read says so with an empty piece; taken for one, it would be held up again, for ever.
      if (settled || chunk.length === 0) return
      length += chunk.length
      if (sink !== null && isGood(status)) {
        swallow(chunk, sink)
        return
      }
      const cap = isGood(status) ? exchange.caps.good : exchange.caps.bad
      kept.push(length > cap ? chunk.subarray(0, chunk.length - (length - cap)) : chunk)
      if (length > cap) answer('over')
    }
    const swallow = (chunk: Buffer, into: NonNullable<Exchange['sink']>): void => {
      const spilt = (error: unknown): void =>
        fail({ kind: 'source', phase: answeredIn, cause: error, message: 'The bytes of the answer could not be put away.' })
      let taken: void | Promise<void>
      try {
        taken = into(chunk)
      } catch (error) {
        spilt(error)
        return
      }
      if (taken === undefined) return
      controller?.pause()
      const held = Promise.all([swallowing, taken]).then(() => {
        if (swallowing !== held) return
        swallowing = null
        controller?.resume()
      }, spilt)
      swallowing = held
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (given) => {
        controller = given
        // Given up while the line was being looked at.
        if (settled) given.abort(new errors.RequestAbortedError())
      },
      onRequestSent: () => {
        handedOverAt = performance.now()
        if (streamed === null) exchange.onSent?.()
      },
      onResponseStart: (_given, code, head) => {
        // An interim answer (103 and the like) is none.
        if (code < 200 || settled) return
        status = code
        headers = head
        answeredIn = phase()
        answeredAt = performance.now()
      },
      onResponseData: (_given, chunk) => onData(chunk),
      onResponseEnd: () => {
        if (swallowing === null) answer('whole')
        else void swallowing.then(() => answer('whole'))
      },
      onResponseError: (_given, error) => {
        if (settled) return
        const broken = streamed?.broken() ?? null
        if (status >= 200) answer('broken')
        else if (broken !== null) fail(sourceFailure(broken, phase()))
        else if (controller === null) settle({ kind: 'closed' })
        else fail(lostFailure(error, phase()))
      },
    }

    line.client.dispatch(
      {
        path: exchange.path,
        method: exchange.method,
        headers: exchange.headers,
        // Iterables are taken as well; the types name only their older relatives.
        body: (streamed === null ? body : streamed.chunks) as Buffer | null,
      },
      handler,
    )
  })
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

export function sourceFailure(error: SourceError, phase: Phase): ApiFailure {
  return { kind: 'source', phase, cause: error.cause ?? error, message: error.message }
}

/** A connection that was lost without an answer. Only codes are told on: texts of the system may hold anything. */
function lostFailure(error: Error, phase: Phase): ApiFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const strange =
    error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError || error.message.startsWith('bad ')
  if (strange) return { kind: 'garbage', phase, meta: null, message: 'What came back is not HTTP.' }
  const why = code === 'UND_ERR_SOCKET' ? 'the service closed it' : code === '' ? 'for an unknown reason' : code
  return { kind: 'cut', phase, message: `The connection was lost before an answer came (${why}).` }
}
