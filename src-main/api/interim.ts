// Removes the interim response `100 Continue` from what a connection receives. A client must accept it at any time (RFC 9110, section 15.2),
// but undici treats it as an error and closes the connection.
import type { Socket } from 'node:net'

const STARTS = ['HTTP/1.1 100 ', 'HTTP/1.0 100 '] as const
const START_LENGTH = 13
const END = '\r\n\r\n'
/** An interim response that is longer than this is passed on. */
const MOST_BYTES = 64 * 1024

/**
 * Changes what `socket.read` returns. The result is a function to call before each request: from then on, interim responses are removed
 * until the response itself begins.
 */
export function withoutContinue(socket: Socket): () => void {
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
