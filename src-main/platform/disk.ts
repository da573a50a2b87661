// The disk port on Node. Listing and stat run in a thread of their own; opened files are read here. Nothing follows a link unless asked,
// and nothing that is not a regular file is ever opened for its bytes.
import { close, constants, fstat, open, read, readlinkSync, type Stats } from 'node:fs'
import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import { type Disk, DiskError, type DiskFailure, type Entry, type Listing, type OpenFile } from '../engine/ports.ts'
import { diskFailure } from './disk-errors.ts'
import { type DiskAnswer, type DiskRequest, lastName, toEntry } from './disk-worker.ts'
import { fromNative, toNative } from './path-codec.ts'
import type { SpawnWorker } from './worker-roles.ts'
import { ThreadQuestions } from './worker-thread.ts'

/** Rules files are small; a larger one is no rules file. */
const TEXT_MOST = 1024 * 1024

export interface NodeDisk extends Disk {
  /** Ends the thread if it has nothing to do; the next question starts another. */
  rest(): void
  close(): Promise<void>
}

export function createDisk(options: { readonly spawn: SpawnWorker }): NodeDisk {
  const thread = new ThreadQuestions<DiskRequest, DiskAnswer>({ spawn: () => options.spawn('disk'), name: 'disk' })

  const interrupted = (error: Error): DiskFailure => ({ code: 'interrupted', message: error.message })

  const writers = async (by: 'open' | 'map', paths: readonly string[]): Promise<ReadonlySet<string> | null> => {
    if (paths.length === 0 || process.platform !== 'linux') return new Set()
    const answer = await thread.ask((id) => ({ id, kind: 'writers', by, paths, pid: process.pid }))
    return answer instanceof Error || answer.kind !== 'writers' ? null : new Set(answer.paths)
  }

  return {
    list: async (dirs) => {
      const answer = await thread.ask((id) => ({ id, kind: 'list', dirs }))
      if (answer instanceof Error)
        return dirs.map((dir): Listing => ({ dir, failure: interrupted(answer), names: [], kinds: '', stats: new Float64Array(0) }))
      return answer.kind === 'list' ? answer.lists : []
    },
    stat: async (paths) => {
      if (paths.length === 0) return []
      const answer = await thread.ask((id) => ({ id, kind: 'stat', paths }))
      if (answer instanceof Error) return paths.map(() => interrupted(answer))
      return answer.kind === 'stat' ? answer.entries : []
    },
    resolve: async (path) => {
      try {
        const real = fromNative(await realpath(toNative(path), { encoding: 'buffer' }))
        return { real, entry: toEntry(lastName(real), await stat(toNative(real))) }
      } catch (error) {
        return diskFailure(error)
      }
    },
    open: openFile,
    text: async (path) => {
      try {
        const found = await stat(toNative(path))
        return found.isFile() && found.size <= TEXT_MOST ? await readFile(toNative(path), 'utf8') : null
      } catch {
        return null
      }
    },
    openForWriting: (paths) => writers('open', paths),
    mappedForWriting: (paths) => writers('map', paths),
    rest: () => thread.rest(),
    close: () => thread.close(),
  }
}

/** One call of node:fs as a promise. Plain descriptors: a FileHandle costs three times as much, and every small file pays for it. */
function call<T>(start: (done: (error: NodeJS.ErrnoException | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error === null) resolve(value)
      else reject(new DiskError(diskFailure(error)))
    })
  })
}

/** NOFOLLOW looks at the last name only. Who may write to a watched folder could put a link in the place of one of its folders, between the look
 * at it and the reading, and have a file from elsewhere published. Linux only: there the system tells what was opened. */
async function isElsewhere(fd: number, path: string, opened: Entry): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const given = toNative(path)
  const native = typeof given === 'string' ? Buffer.from(given) : given
  try {
    // No disk is asked, so no thread is needed.
    const told = readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' })
    if (told.equals(native) || told.equals(Buffer.concat([native, Buffer.from(' (deleted)')]))) return false
  } catch {
    // No /proc here.
  }
  // A disk that folds upper and lower case, or one that is mounted twice, may be told by another name.
  const [real, there] = await Promise.all([realpath(native, { encoding: 'buffer' }), lstat(native)]).catch((error: unknown) => {
    throw new DiskError(diskFailure(error))
  })
  return !real.equals(native) || there.ino !== opened.ino || there.dev !== opened.dev
}

async function openFile(path: string): Promise<OpenFile> {
  // NOFOLLOW: a link put in the file's place is not read. NONBLOCK: a pipe put there does not hang us.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const fd = await call<number>((done) => open(toNative(path), flags, done))
  const name = lastName(path)
  let closed: Promise<void> | null = null
  const shut = (): Promise<void> => {
    // Once: the number may be another file's by then.
    closed ??= call<void>((done) => close(fd, (error) => done(error ?? null, undefined)))
    return closed
  }
  const statNow = async (): Promise<Entry> => toEntry(name, await call<Stats>((done) => fstat(fd, done)))
  let first: Entry
  try {
    first = await statNow()
    if (first.kind !== 'file') throw new DiskError({ code: 'loop', message: 'not a regular file' })
    if (await isElsewhere(fd, path, first)) throw new DiskError({ code: 'loop', message: 'a link on the way leads elsewhere' })
  } catch (error) {
    await shut().catch(() => undefined)
    throw error
  }
  return {
    first,
    stat: statNow,
    read: (into, position) => call<number>((done) => read(fd, into, 0, into.length, position, done)),
    close: shut,
  }
}
