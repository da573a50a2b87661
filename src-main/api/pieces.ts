// Passes a large write to the socket in pieces. Windows reports a write as complete only when all of it has been sent, so on a slow
// connection a large write would look like a stalled connection.

/**
 * Size of a piece in bytes. At 1 KB/s, a piece takes 33 s, about half the time after which a connection counts as stalled. Much smaller
 * pieces could slow down a fast connection with a long round trip, because Windows accepts only one or two more writes once its send
 * buffer is full.
 */
export const PIECE_BYTES = 32 * 1024

type Done = (error?: Error | null) => void
type Write = (chunk: Buffer, encoding: BufferEncoding, done: Done) => void

/** Splits writes into pieces of at most `most` bytes. Each piece is written when the previous one has been sent. */
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

/** Turns a vectored write (`_writev`) into single writes, each of which starts when the previous one has been sent. */
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
