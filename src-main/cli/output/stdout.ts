// Writes to standard output without losing data silently. A write to a file or device either completes or
// reports an error, whereas Node's own stream drops the rest of a partial write, as on a nearly full disk.
// Pipes and terminals are left to Node.
import { closeSync, fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { isatty } from 'node:tty'

const STDOUT = 1

export interface StandardOutput {
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  /**
   * Resolves to null once everything has been written, or to the error if something couldn't be written. The
   * stream must not be used afterwards.
   */
  finish(): Promise<Error | null>
}

type Write = (data: Uint8Array, offset: number) => number

/** `write` returns the number of bytes it accepted, at least 1, or throws. */
export function createFileOutput(write: Write): Writable {
  return new Writable({
    decodeStrings: true,
    write: (chunk: Uint8Array, _encoding, done) => {
      try {
        for (let at = 0; at < chunk.length; ) at += write(chunk, at)
        done()
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
}

export function openStandardOutput(): StandardOutput {
  const kind = isatty(STDOUT) ? null : fstatSync(STDOUT)
  const ownFile = kind !== null && (kind.isFile() || kind.isCharacterDevice())
  const stream = ownFile ? createFileOutput((data, at) => writeSync(STDOUT, data, at)) : process.stdout
  let failed: Error | null = null
  stream.on('error', (error: Error) => {
    failed ??= error
  })
  return {
    stream,
    finish: async () => {
      const flushed = await flush(stream)
      failed ??= flushed
      // A network file system may report a full disk only on close.
      if (failed === null && kind?.isFile() === true) failed = closed()
      return failed
    },
  }
}

/**
 * Resolves to null once everything has been written, or to the error that prevented it. Also resolves to null
 * for a stream that ended without an error.
 */
export function flush(stream: NodeJS.WritableStream): Promise<Error | null> {
  return new Promise((resolve) => {
    // A stream that has just failed reports its error a moment later.
    if (!stream.writable)
      setImmediate(() =>
        resolve('errored' in stream && stream.errored instanceof Error ? stream.errored : null),
      )
    else stream.write('', (error) => resolve(error ?? null))
  })
}

function closed(): Error | null {
  try {
    closeSync(STDOUT)
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * Whether the reader has gone (`| head`) or the terminal has been closed, which doesn't count as data loss.
 */
export function isReaderGone(error: Error, isTerminal: boolean): boolean {
  const code = 'code' in error ? error.code : null
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || (isTerminal && code === 'EIO')
}
