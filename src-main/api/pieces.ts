// Hands a large write to the socket piece by piece. Windows reports a write only once all of it has gone out, so on a slow connection a large one
// would look like a connection that stands still.

/** Bytes. At 1 KB/s, still one piece a minute. */
export const PIECE_BYTES = 64 * 1024

type Done = (error?: Error | null) => void
type Write = (chunk: Buffer, encoding: BufferEncoding, done: Done) => void

/** The same write, in pieces of at most `most` bytes; the next one begins when the last has gone out. */
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
    // Text is only ever a header.
    if (Buffer.isBuffer(chunk)) next(0)
    else write(chunk, encoding, done)
  }
}

/** Several writes at once as one after the other. */
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
