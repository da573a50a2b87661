// Bytes of one moment: opens a file, reads or streams it, and tells whether it stood still from first to last byte (law 3).
// It decides nothing about transfers; a change is a value or, inside a body, the exception that stops the request.
import type { Disk, Entry, Hashing, OpenFile } from '../ports.ts'

/** Up to this size a file is read whole before anything is sent: then its bytes are of one moment by construction. */
export const SMALL_FILE = 1024 * 1024
/** Read size of larger files. 512 KiB keeps the connection busy at four uploads in a few megabytes. */
const CHUNK = 512 * 1024
/** The file is not the one that was to be sent any more. */
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

/** Content, size and time unchanged; a mere rename, link or mode change (ctime alone) asks for a second look by hash. */
export function stoodStill(before: Entry, after: Entry): 'yes' | 'no' | 'look' {
  if (!sameVersion(before, after) || before.ino !== after.ino || before.dev !== after.dev) return 'no'
  return before.ctime === after.ctime ? 'yes' : 'look'
}

/** The whole of a small file, and its hash; null if it changed meanwhile. */
export async function readWhole(
  file: OpenFile,
  before: Entry,
  hashing: Hashing,
): Promise<{ readonly data: Uint8Array; readonly sha256: string } | null> {
  // One byte more than expected: a file that grew shows it at once.
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
 * A body whose hash is ready with its last byte. The file is looked at once more before the last chunk is handed over, so that a request
 * of a changed file is broken off rather than completed.
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
  /** Fills `into` from `position`, or ends the request: the file is shorter than it was. */
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
  async function* body(): AsyncIterable<Uint8Array> {
    // Two buffers for any size of file: one is read into while the other is hashed and sent. The client asks for the next chunk only when
    // it is done with the last.
    let [reading, sending] = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)]
    let position = 0
    let next = fill(reading, 0)
    try {
      while (position < before.size) {
        const chunk = await next
        position += chunk.length
        ;[reading, sending] = [sending, reading]
        if (position < before.size) next = fill(reading, position)
        await hasher.update(chunk)
        if (position === before.size && stoodStill(before, await file.stat()) === 'no')
          throw new ChangedError('it was written to while it was read')
        yield chunk
      }
      finished = true
    } finally {
      // Nobody may close the file under a read.
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

/** Hash of the file as it is now, and whether it stood still meanwhile. Rejects with a DiskError if it can't be read. */
export async function hashFile(
  disk: Disk,
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
