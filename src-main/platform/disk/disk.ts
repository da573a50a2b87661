// The disk port on Node. A worker thread lists directories, stats long lists of paths, finds files that others write to and, once it runs,
// reads small files. Other files are read on Node's thread pool. Only `resolve` and `text` (on Windows also `open`) follow a symbolic link
// at the path. Only regular files are read.
import { type BigIntStats, close, fstat, open, read, type Stats } from 'node:fs'
import { lstat, readFile, realpath, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Disk, DiskError, type DiskFailure, type Entry, type Listing, type OpenFile } from '../../engine/ports.ts'
import type { SpawnWorker } from '../worker/spawn-worker.ts'
import { ThreadQuestions } from '../worker/worker-thread.ts'
import { diskFailure, patiently } from './disk-errors.ts'
import { type DiskAnswer, type DiskRequest, isOpenedAt, lastName, OPEN_FLAGS, statFailure, toEntry } from './disk-worker.ts'
import { exactId, isRounded, withExactId } from './file-id.ts'
import { fromNative, toNative } from './path-codec.ts'
import { WholeFiles } from './whole-files.ts'
import { knowsWriters, openForWriting } from './writers.ts'

/** Bytes. Ignore files are small; a larger one isn't read. */
const TEXT_MOST = 1024 * 1024

/**
 * For up to this many paths the worker thread isn't started, because it takes 45 MB and a tenth of a second. `upload` usually asks for a
 * handful.
 */
const FEW_PATHS = 64

export interface NodeDisk extends Disk {
  /** Ends the worker thread if it is idle. The next request starts another. */
  rest(): void
  close(): Promise<void>
}

export function createDisk(options: { readonly spawn: SpawnWorker }): NodeDisk {
  const thread = new ThreadQuestions<DiskRequest, DiskAnswer>({ spawn: () => options.spawn('disk'), name: 'disk' })

  const whole = new WholeFiles(async (paths, upTo) => {
    const answer = await thread.ask((id) => ({ id, kind: 'whole', paths, upTo }))
    return answer instanceof Error || answer.kind !== 'whole' ? [] : answer.files
  })

  const interrupted = (error: Error): DiskFailure => ({ code: 'interrupted', message: error.message })

  const writers = async (by: 'open' | 'map', paths: readonly string[]): Promise<ReadonlySet<string> | null> => {
    if (paths.length === 0 || !knowsWriters() || (by === 'map' && process.platform !== 'linux')) return new Set()
    if (by === 'open' && paths.length <= FEW_PATHS && !thread.isRunning) return new Set(openForWriting(paths, process.pid))
    const answer = await thread.ask((id) => ({ id, kind: 'writers', by, paths, pid: process.pid }))
    return answer instanceof Error || answer.kind !== 'writers' ? null : new Set(answer.paths)
  }

  return {
    list: async (dirs) => {
      const answer = await thread.ask((id) => ({ id, kind: 'list', dirs }))
      if (answer instanceof Error)
        return dirs.map((dir): Listing => ({ dir, failure: interrupted(answer), names: '', kinds: '', stats: new Float64Array(0) }))
      return answer.kind === 'list' ? answer.lists : []
    },
    stat: async (paths) => {
      if (paths.length === 0) return []
      if (paths.length <= FEW_PATHS && !thread.isRunning) return Promise.all(paths.map(statHere))
      const answer = await thread.ask((id) => ({ id, kind: 'stat', paths }))
      if (answer instanceof Error) return paths.map(() => interrupted(answer))
      return answer.kind === 'stat' ? answer.entries : []
    },
    resolve: async (path) => {
      try {
        const real = fromNative(await realpath(toNative(path), { encoding: 'buffer' }))
        return { real, entry: toEntry(lastName(real), await lookFrom(real, true)) }
      } catch (error) {
        return diskFailure(error)
      }
    },
    open: async (path, wholeUpTo = 0) => (wholeUpTo > 0 && thread.isRunning ? await whole.open(path, wholeUpTo) : null) ?? openFile(path),
    text: async (path) => {
      try {
        const found = await stat(toNative(path))
        return found.isFile() && found.size <= TEXT_MOST ? await readFile(toNative(path), 'utf8') : null
      } catch {
        return null
      }
    },
    knowsWriters: knowsWriters(),
    openForWriting: (paths) => writers('open', paths),
    mappedForWriting: (paths) => writers('map', paths),
    rest: () => thread.rest(),
    close: () => thread.close(),
  }
}

async function statHere(path: string): Promise<Entry | DiskFailure | null> {
  try {
    return toEntry(lastName(path), await lookFrom(path, false))
  } catch (error) {
    return statFailure(error)
  }
}

/** The stats of a path or, if `follow` is true, of the link's target. */
async function lookFrom(path: string, follow: boolean): Promise<Stats> {
  const native = toNative(path)
  const stats = await (follow ? stat(native) : lstat(native))
  if (!isRounded(stats)) return stats
  return withExactId(stats, await (follow ? stat(native, { bigint: true }) : lstat(native, { bigint: true })))
}

/**
 * Turns one call of node:fs into a promise. Uses plain descriptors, because a FileHandle takes three times as long, which adds up over many
 * small files.
 */
function call<T>(start: (done: (error: NodeJS.ErrnoException | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error === null) resolve(value)
      else reject(new DiskError(diskFailure(error)))
    })
  })
}

/**
 * Whether the opened file isn't the one at the path. O_NOFOLLOW checks only the last component of a path: after the scan, someone with
 * write access to a watched folder could replace one of its subfolders with a link and get a file from elsewhere published. Linux only,
 * because Node can't find out the path of an open file on any other system.
 */
async function isElsewhere(fd: number, path: string, opened: Entry): Promise<boolean> {
  if (process.platform !== 'linux') return false
  if (isOpenedAt(fd, path)) return false
  const native = toNative(path)
  // On a case-insensitive disk, or one that is mounted twice, the same file may have another path.
  const [real, there] = await Promise.all([realpath(native, { encoding: 'buffer' }), lstat(native, { bigint: true })]).catch(
    (error: unknown) => {
      throw new DiskError(diskFailure(error))
    },
  )
  return !real.equals(Buffer.from(native)) || exactId(there.ino) !== opened.ino || Number(there.dev) !== opened.dev
}

async function openFile(path: string): Promise<OpenFile> {
  const fd = await patiently(process.platform, () => call<number>((done) => open(toNative(path), OPEN_FLAGS, done)), pause)
  const name = lastName(path)
  let closed: Promise<void> | null = null
  const shut = (): Promise<void> => {
    // Close only once. At a second call, the descriptor's number may belong to another file.
    closed ??= call<void>((done) => close(fd, (error) => done(error ?? null, undefined)))
    return closed
  }
  const statNow = async (): Promise<Entry> => {
    const stats = await call<Stats>((done) => fstat(fd, done))
    if (!isRounded(stats)) return toEntry(name, stats)
    return toEntry(name, withExactId(stats, await call<BigIntStats>((done) => fstat(fd, { bigint: true }, done))))
  }
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
