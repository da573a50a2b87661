// The connection pool of a client. A `Line` is a connection that carries one request at a time and is kept
// for reuse. Lines never reconnect on their own, so it is always known whether a request may have been sent.
import { Client } from 'undici'
import { AbortedError, ConnectError, openWire, type Route, type Sessions, type Wire } from './connect.ts'

export interface Line {
  readonly client: Client
  readonly wire: Wire
  /** Origin and proxy. A line is reused only for requests to the same origin through the same proxy. */
  readonly key: string
  /**
   * Whether the line has carried a request before. If so, the server may have closed it while it was idle.
   */
  used: boolean
}

export interface Lines {
  /**
   * Waits until fewer than `most` lines are in use, then returns an open one. Rejects with a `ConnectError`
   * or an `AbortedError`.
   */
  take(route: Route, signal: AbortSignal | undefined): Promise<Line>
  /**
   * Returns a line to the pool. `whole` means that the last response was read to its end, so that the line
   * can be reused.
   */
  give(line: Line, whole: boolean): void
  close(): Promise<void>
}

/**
 * How long an idle connection is kept, unless the server announces another time. Must be less than the 5 s
 * after which many servers close idle connections: if the server closes while a request is being sent, it is
 * unknown whether the request was processed.
 */
const IDLE_LINE_MS = 4000
const IDLE_LINE_MOST_MS = 60_000
const HEADERS_CAP = 64 * 1024

export function createLines(options: { readonly most: number; readonly connectMs: number }): Lines {
  const sessions: Sessions = new Map()
  const idle: Line[] = []
  const busy = new Set<Line>()
  const waiting: (() => void)[] = []
  let taken = 0
  let closed = false
  const closing = new AbortController()

  const drop = (line: Line): void => {
    const at = idle.findIndex((one) => one === line)
    if (at >= 0) idle.splice(at, 1)
    line.client.destroy().catch(() => undefined)
  }

  /** Waits until fewer than `most` lines are in use. Callers are served in order of arrival. */
  const place = async (signal: AbortSignal | undefined): Promise<void> => {
    if (taken < options.most) {
      taken++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const next = (): void => {
        signal?.removeEventListener('abort', give)
        resolve()
      }
      const give = (): void => {
        waiting.splice(waiting.indexOf(next), 1)
        reject(new AbortedError())
      }
      waiting.push(next)
      signal?.addEventListener('abort', give, { once: true })
    })
  }

  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) taken--
    else next()
  }

  const open = async (route: Route, key: string, signal: AbortSignal | undefined): Promise<Line> => {
    // Idle connections, even to other servers, count towards the limit. To make room, close the one that has
    // been idle longest.
    const oldest = idle.length + taken > options.most ? idle[0] : undefined
    if (oldest !== undefined) drop(oldest)
    const both = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
    const wire = await openWire(route, { connectMs: options.connectMs, sessions, signal: both })
    let given = false
    const client = new Client(route.target.origin, {
      connect: (_options, callback) => {
        const first = !given
        given = true
        // Call back later, because the client can't handle the callback before `connect` has returned.
        queueMicrotask(() =>
          first
            ? callback(null, wire.socket)
            : callback(new ConnectError('other', 'the line was closed'), null),
        )
      },
      pipelining: 1,
      // exchange.ts has its own timeouts. undici's timeouts restart with each chunk, and on a slow connection
      // a single chunk may take minutes.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_LINE_MS,
      keepAliveMaxTimeout: IDLE_LINE_MOST_MS,
      maxHeaderSize: HEADERS_CAP,
    })
    const line: Line = { client, wire, key, used: false }
    wire.socket.once('close', () => drop(line))
    if (closed) {
      drop(line)
      throw new AbortedError()
    }
    return line
  }

  return {
    take: async (route, signal) => {
      if (closed || signal?.aborted === true) throw new AbortedError()
      await place(signal)
      try {
        if (closed) throw new AbortedError()
        const key = `${route.target.origin} ${route.proxy?.href ?? ''}`
        let line: Line | undefined
        while (line === undefined) {
          // The most recently used line is the least likely to be closed by the server.
          const at = idle.findLastIndex((one) => one.key === key)
          if (at < 0) break
          const [found] = idle.splice(at, 1)
          if (found !== undefined && stands(found)) line = found
        }
        line ??= await open(route, key, signal)
        busy.add(line)
        return line
      } catch (error) {
        leave()
        throw error
      }
    },
    give: (line, whole) => {
      if (!busy.delete(line)) return
      if (whole && !closed && stands(line)) {
        line.used = true
        idle.push(line)
      } else drop(line)
      leave()
    },
    close: async () => {
      closed = true
      closing.abort()
      for (const next of waiting.splice(0)) next()
      const lines = [...idle.splice(0), ...busy]
      await Promise.all(lines.map(async (line) => line.client.destroy().catch(() => undefined)))
    },
  }
}

function stands(line: Line): boolean {
  const { socket } = line.wire
  return !socket.destroyed && socket.writable && socket.readable
}
