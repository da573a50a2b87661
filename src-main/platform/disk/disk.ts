// The disk port on Node. A worker thread lists directories and serves other large requests. While the thread
// runs, it also serves small requests and reads small files. Everything else is done on Node's thread pool.
// Only `resolve` and `text` follow links. Only regular files are read.
import { close, read, type Stats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Disk,
  DiskError,
  type DiskFailure,
  type Entry,
  type Listing,
  type OpenFile,
} from '../../engine/ports.ts'
import { within } from '../time.ts'
import type { SpawnWorker } from '../worker/spawn-worker.ts'
import { diskFailure, patiently } from './disk-errors.ts'
import { DiskThreads, type DiskThreadsOptions } from './disk-threads.ts'
import {
  type DiskAnswer,
  type DiskRequest,
  lastName,
  type Resolved,
  statFailure,
  toEntry,
} from './disk-worker.ts'
import { hasHiddenWritersLater } from './hidden-writers.ts'
import { isRounded, withExactId } from './inode.ts'
import { mountOf } from './mounts.ts'
import { openInside, statOpenLater } from './open-inside.ts'
import { fromNative, toNative } from './path-codec.ts'
import { realPath } from './real-path.ts'
import { smallText } from './small-text.ts'
import { WholeFiles } from './whole-files.ts'
import { findsWriters, knowsWriters, openForWriting } from './writers.ts'

/**
 * Quiet time on Linux, where /proc reports writers at once. A file should be on the server 120 ms after it
 * was closed.
 */
const QUIET_LINUX_MS = 105

/**
 * A request about at most this many paths doesn't start the worker thread, which takes 45 MB and a tenth of a
 * second to start.
 */
const FEW_PATHS = 64
/** The thread of a search that never looks at its own limit (disk-worker.ts) is ended after this CPU time. */
const SEARCH_MS = 150
/**
 * If Node's thread pool doesn't answer within this time, the request goes to a worker thread, where an
 * unresponsive drive is detected.
 */
const POOL_MS = 2000

export interface NodeDisk extends Disk {
  /** Ends the worker thread if it is idle. The next request starts another. */
  rest(): void
  close(): Promise<void>
}

/** By default, `mountOf` is the function in mounts.ts. */
export interface NodeDiskOptions
  extends Partial<Pick<DiskThreadsOptions<DiskRequest>, 'stuckMs' | 'mountOf'>> {
  readonly spawn: SpawnWorker
}

export function createDisk(options: NodeDiskOptions): NodeDisk {
  const findMount = options.mountOf ?? mountOf
  const threads = new DiskThreads<DiskRequest, DiskAnswer>({
    ...options,
    mountOf: findMount,
    spawn: () => options.spawn('disk'),
    name: 'disk',
    searchMs: SEARCH_MS,
    // If a `whole` request fails, the engine opens the file instead.
    mayFail: ({ kind }) => kind === 'whole',
  })

  const whole = new WholeFiles(async (paths, upTo) => {
    const answer = await threads.ask({ kind: 'whole', paths, upTo }, paths)
    return answer instanceof Error || answer.kind !== 'whole' ? [] : answer.files
  })

  const failureOf = (error: Error): DiskFailure =>
    error instanceof DiskError ? error.failure : { code: 'interrupted', message: error.message }

  const writers = async (
    by: 'open' | 'map',
    paths: readonly string[],
  ): Promise<ReadonlySet<string> | null> => {
    if (paths.length === 0 || !findsWriters() || (by === 'map' && process.platform !== 'linux'))
      return new Set()
    if (by === 'open' && paths.length <= FEW_PATHS && !threads.isRunning)
      return new Set(openForWriting(paths, process.pid))
    const answer = await threads.ask({ kind: 'writers', by, paths, pid: process.pid }, paths)
    return answer instanceof Error || answer.kind !== 'writers' ? null : new Set(answer.paths)
  }

  return {
    list: async (dirs) => {
      const answer = await threads.ask({ kind: 'list', dirs }, dirs)
      if (answer instanceof Error)
        return dirs.map(
          (dir): Listing => ({
            dir,
            failure: failureOf(answer),
            names: '',
            kinds: '',
            stats: new Float64Array(0),
          }),
        )
      return answer.kind === 'list' ? answer.lists : []
    },
    stat: async (paths) => {
      if (paths.length === 0) return []
      const here =
        paths.length <= FEW_PATHS && !threads.isRunning ? await within(POOL_MS, statsHere(paths)) : null
      if (here !== null) return here
      const answer = await threads.ask({ kind: 'stat', paths }, paths)
      if (answer instanceof Error) return paths.map(() => failureOf(answer))
      return answer.kind === 'stat' ? answer.entries : []
    },
    resolve: async (path) => {
      const here = threads.isRunning ? null : await within(POOL_MS, resolveHere(path))
      if (here !== null) return here
      const answer = await threads.ask({ kind: 'resolve', path }, [path])
      return answer instanceof Error || answer.kind !== 'resolve' ? resolveHere(path) : answer.found
    },
    open: openFile,
    openWhole: async (path, upTo) => (threads.isRunning ? whole.open(path, upTo) : null),
    mountOf: (path) => findMount(path),
    unanswered: () => threads.stuckAt(),
    text: smallText,
    knowsWriters: knowsWriters(),
    ...(process.platform === 'linux' && knowsWriters() ? { quietMs: QUIET_LINUX_MS } : {}),
    openForWriting: (paths) => writers('open', paths),
    disturbsWriters: process.platform === 'win32',
    mappedForWriting: (paths) => writers('map', paths),
    rest: () => threads.rest(),
    close: () => threads.close(),
  }
}

async function resolveHere(path: string): Promise<Resolved | DiskFailure> {
  try {
    const real = fromNative(await realPath(toNative(path)))
    return { real, entry: toEntry(lastName(real), await lookFrom(real, true)) }
  } catch (error) {
    return diskFailure(error)
  }
}

/**
 * Examines one path after the other, because concurrent calls to a drive that doesn't answer would block all
 * threads of Node's pool.
 */
async function statsHere(paths: readonly string[]): Promise<(Entry | DiskFailure | null)[]> {
  const stats: (Entry | DiskFailure | null)[] = []
  for (const path of paths) stats.push(await statHere(path))
  return stats
}

async function statHere(path: string): Promise<Entry | DiskFailure | null> {
  try {
    const stats = await lookFrom(path, false)
    const entry = toEntry(lastName(path), stats)
    return (await hasHiddenWritersLater(path, stats)) ? { ...entry, hasHiddenWriters: true } : entry
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

/** Turns one call of node:fs into a promise. */
function call<T>(start: (done: (error: NodeJS.ErrnoException | null, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error === null) resolve(value)
      else reject(new DiskError(diskFailure(error)))
    })
  })
}

async function openFile(path: string): Promise<OpenFile> {
  const { fd, above } = await patiently(process.platform, () => openInside(path), pause)
  const name = lastName(path)
  let closed: Promise<void> | null = null
  const shut = (): Promise<void> => {
    // Close only once. By the time of a second call, the descriptor's number may belong to another file.
    closed ??= call<void>((done) => close(fd, (error) => done(error ?? null, undefined)))
    return closed
  }
  const statNow = async (): Promise<Entry> => {
    try {
      return toEntry(name, await statOpenLater(fd))
    } catch (error) {
      throw new DiskError(diskFailure(error))
    }
  }
  let first: Entry
  try {
    first = await statNow()
    if (first.kind !== 'file') throw new DiskError({ code: 'loop', message: 'not a regular file' })
  } catch (error) {
    await shut().catch(() => undefined)
    throw error
  }
  return {
    first,
    above,
    stat: statNow,
    read: (into, position) => call<number>((done) => read(fd, into, 0, into.length, position, done)),
    close: shut,
  }
}
