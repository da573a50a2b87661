// Builds a multipart/form-data body with one part named `file`, whose exact length is known before the first
// byte. File names are encoded as browsers encode them. A small body is sent as one buffer, a large one chunk
// by chunk in constant memory. The closing boundary is sent only after the source has delivered exactly the
// declared number of bytes, so the service can't mistake a truncated body for a complete one.
import { randomUUID } from 'node:crypto'

/**
 * Files of up to this many bytes are sent as one buffer. That needs one write instead of three, and no
 * generator.
 */
export const JOINED_AT_MOST = 1024 * 1024

export type Source = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface Form {
  readonly size: number
  readonly contentType: string
  readonly contentLength: number
  readonly head: Buffer
  readonly tail: Buffer
}

/** The source threw (see `cause`), or delivered a different number of bytes than declared. */
export class SourceError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'SourceError'
  }
}

/**
 * The name to send: the part after the last slash, as well-formed Unicode. Backslashes are kept, because they
 * are ordinary characters in Unix file names.
 */
function wireName(name: string): string {
  const last = name.toWellFormed().replaceAll('\0', '').split('/').at(-1) ?? ''
  return last === '' ? 'file' : last
}

/**
 * Escapes the characters that would end the quoted name or its header line, as the HTML standard requires of
 * browsers.
 */
function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')
}

export function createForm(filename: string, size: number): Form {
  if (!Number.isSafeInteger(size) || size < 0)
    throw new SourceError(`no body has a size of ${size} bytes`, null)
  const boundary = `slipway-${randomUUID()}`
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(wireName(filename))}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    size,
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + size + tail.length,
    head,
    tail,
  }
}

/**
 * Returns the whole body in one buffer, synchronously if the source is synchronous. Throws or rejects with a
 * `SourceError`.
 */
export function joinBody(form: Form, source: Source): Buffer | Promise<Buffer> {
  const body = Buffer.allocUnsafe(form.contentLength)
  body.set(form.head, 0)
  body.set(form.tail, form.head.length + form.size)
  let sent = 0
  const add = (chunk: Uint8Array): void => {
    if (sent + chunk.length > form.size) throw lengthError(sent + chunk.length, form.size)
    body.set(chunk, form.head.length + sent)
    sent += chunk.length
  }
  const end = (): Buffer => {
    if (sent !== form.size) throw lengthError(sent, form.size)
    return body
  }
  const given = guarded(source)
  if (Symbol.asyncIterator in given) return joinLater(given, add, end)
  try {
    for (const chunk of given) add(chunk)
  } catch (error) {
    throw sourceError(error)
  }
  return end()
}

async function joinLater(
  given: AsyncIterable<Uint8Array>,
  add: (chunk: Uint8Array) => void,
  end: () => Buffer,
): Promise<Buffer> {
  try {
    for await (const chunk of given) add(chunk)
  } catch (error) {
    throw sourceError(error)
  }
  return end()
}

export interface StreamedBody {
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>
  /** Whether the last byte of the file has been passed on. */
  readonly finished: () => boolean
  /** The error that ended the body early; null if there was none. */
  readonly broken: () => SourceError | null
  /** Stops reading from the source. */
  readonly stop: () => void
}

/**
 * Creates a body that reads the source while it is being sent. `flushed` returns a promise that resolves when
 * all chunks so far have been written, or null if they already have been. The next chunk is requested only
 * after that, because the source may reuse its buffer. `onProgress` receives the number of the file's bytes
 * that have been written.
 */
export function streamBody(options: {
  readonly form: Form
  readonly source: Source
  readonly flushed: () => Promise<void> | null
  readonly onProgress: ((sent: number) => void) | undefined
}): StreamedBody {
  const { form, source, flushed, onProgress } = options
  let finished = false
  let stopped = false
  let broken: SourceError | null = null

  async function* run(): AsyncGenerator<Uint8Array, void, undefined> {
    yield form.head
    let sent = 0
    try {
      for await (const chunk of guarded(source)) {
        if (stopped) return
        if (chunk.length === 0) continue
        if (sent + chunk.length > form.size) throw lengthError(sent + chunk.length, form.size)
        yield chunk
        await flushed()
        if (stopped) return
        sent += chunk.length
        onProgress?.(sent)
      }
      if (sent !== form.size) throw lengthError(sent, form.size)
    } catch (error) {
      broken = sourceError(error)
      throw broken
    }
    finished = true
    yield form.tail
  }

  return {
    chunks: run(),
    finished: () => finished,
    broken: () => broken,
    stop: () => {
      stopped = true
    },
  }
}

function guarded(source: Source): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  try {
    return source()
  } catch (error) {
    throw sourceError(error)
  }
}

function lengthError(given: number, declared: number): SourceError {
  const message =
    given > declared
      ? `the source gave more than the ${declared} bytes declared`
      : `the source gave ${given} of ${declared} bytes`
  return new SourceError(message, null)
}

function sourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error
  return new SourceError(error instanceof Error ? error.message : String(error), error)
}
