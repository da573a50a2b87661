// Reads or streams one version of a file's content, and detects whether the file changed in the meantime. A
// change is reported as a value or, inside a request body, as an exception that ends the request.
import type { Disk, Entry, Hashing, OpenFile, WholeFile } from '../ports.ts'

/**
 * A file of up to this many bytes is read completely before it is sent, so that nothing is sent if the file
 * changes during the read.
 */
export const SMALL_FILE = 1024 * 1024
/**
 * Bytes per read of larger files. 512 KiB keeps the connection busy, and four simultaneous uploads need only
 * a few megabytes.
 */
const CHUNK = 512 * 1024
/** Thrown if the file changes while it is being sent, to abort the request. */
export class ChangedError extends Error {
  constructor(what: string) {
    super(`the file changed: ${what}`)
  }
}

export interface Version {
  readonly size: number
  readonly mtime: number
}

export function sameVersion(a: Version, b: Version): boolean {
  return a.size === b.size && a.mtime === b.mtime
}

/**
 * `yes`: the same file with the same size, mtime and ctime, so its content is unchanged. `no`: another file,
 * size or mtime. `look`: only the ctime changed, by a rename, a link, a chmod or possibly a write, so the
 * hash decides.
 */
export function stoodStill(before: Entry, after: Entry): 'yes' | 'no' | 'look' {
  if (!sameVersion(before, after) || before.ino !== after.ino || before.dev !== after.dev) return 'no'
  return before.ctime === after.ctime ? 'yes' : 'look'
}

/** The complete content of a small file that didn't change while it was being read. */
export type Whole = Pick<WholeFile, 'data' | 'sha256' | 'secret'>

/**
 * Returns the content and hash of a small file, reading it if necessary. Resolves to null if the file changed
 * while it was being read.
 */
export async function readWhole(file: OpenFile, before: Entry, hashing: Hashing): Promise<Whole | null> {
  if (file.whole !== undefined) {
    const { whole } = file
    return whole.data.length === before.size && stoodStill(before, whole.after) === 'yes' ? whole : null
  }
  // One byte more than expected, so that a file that has grown is noticed at once.
  const buffer = Buffer.allocUnsafeSlow(before.size + 1)
  let length = 0
  while (length < Math.max(1, before.size)) {
    const n = await file.read(buffer.subarray(length), length)
    if (n === 0) break
    length += n
  }
  const after = await file.stat()
  if (length !== before.size || stoodStill(before, after) !== 'yes') return null
  const data = buffer.subarray(0, length)
  return { data, sha256: hashing.now(data) }
}

/**
 * A request body whose hash is available after its last byte. The file is checked once more before the last
 * chunk is handed over, so that a request for a changed file is aborted instead of completed. Call `drop` at
 * the end: it frees the hasher unless the hash was requested.
 */
export function streamBody(
  file: OpenFile,
  before: Entry,
  hashing: Hashing,
): {
  readonly body: () => AsyncIterable<Uint8Array>
  readonly finished: () => boolean
  readonly sha256: () => Promise<string>
  readonly drop: () => void
} {
  const hasher = hashing.stream()
  let finished = false
  let digest: Promise<string> | null = null
  /** Fills `into` from `position`; throws if the file has become shorter, which ends the request. */
  const fill = async (into: Uint8Array, position: number): Promise<Uint8Array> => {
    const wanted = Math.min(into.length, before.size - position)
    let length = 0
    while (length < wanted) {
      const n = await file.read(into.subarray(length, wanted), position + length)
      if (n === 0) throw new ChangedError(`it ended at ${position + length} of ${before.size} bytes`)
      length += n
    }
    return into.subarray(0, wanted)
  }
  const readAhead = (into: Uint8Array, position: number): Promise<Uint8Array> => {
    const chunk = fill(into, position)
    // A failure is thrown when the chunk is due. Until then, a slow connection may leave it without a
    // handler, which would end the process.
    chunk.catch(() => undefined)
    return chunk
  }
  async function* body(): AsyncIterable<Uint8Array> {
    // Two buffers suffice for files of any size: one is filled while the other is hashed and sent. The client
    // asks for the next chunk only after it has finished with the previous one.
    let [reading, sending] = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)]
    let position = 0
    let next = readAhead(reading, 0)
    try {
      while (position < before.size) {
        const chunk = await next
        position += chunk.length
        ;[reading, sending] = [sending, reading]
        if (position < before.size) next = readAhead(reading, position)
        await hasher.update(chunk)
        if (position === before.size && stoodStill(before, await file.stat()) === 'no')
          throw new ChangedError('it was written to while it was read')
        yield chunk
      }
      finished = true
    } finally {
      // The file must not be closed during a read.
      await next.catch(() => undefined)
    }
  }
  return {
    body,
    finished: () => finished,
    sha256: () => {
      if (!finished) throw new Error('hash asked for before the end of the body')
      digest ??= hasher.digest()
      return digest
    },
    drop: () => {
      if (digest === null) hasher.drop()
    },
  }
}

/**
 * Hashes the file in its current state; resolves to null if it changes in the meantime. Rejects with a
 * DiskError if it can't be read, and for a large file also when `signal` is aborted.
 */
export async function hashFile(
  disk: Pick<Disk, 'open'>,
  hashing: Hashing,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly sha256: string; readonly entry: Entry } | null> {
  const file = await disk.open(path)
  try {
    const before = await file.stat()
    if (before.size <= SMALL_FILE) {
      const whole = await readWhole(file, before, hashing)
      return whole === null ? null : { sha256: whole.sha256, entry: before }
    }
    const hasher = hashing.stream()
    try {
      let position = 0
      for (;;) {
        signal.throwIfAborted()
        const chunk = Buffer.allocUnsafeSlow(CHUNK)
        const n = await file.read(chunk, position)
        if (n === 0) break
        await hasher.update(chunk.subarray(0, n))
        position += n
      }
      if (position !== before.size || stoodStill(before, await file.stat()) === 'no') {
        hasher.drop()
        return null
      }
      return { sha256: await hasher.digest(), entry: before }
    } catch (error) {
      hasher.drop()
      throw error
    }
  } finally {
    await file.close()
  }
}
