// The disk's worker thread. Synchronous readdir and lstat are three times as fast as the asynchronous calls,
// and in this thread they don't block the engine. The numbers of a listing are in one buffer, which is
// transferred instead of copied.
import { hash } from 'node:crypto'
import { closeSync, fstatSync, readdirSync, readSync, type Stats } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import { assertNever } from '../../../src-shared/assert.ts'
import type { DirectoryId, DiskFailure, Entry, EntryKind, WholeFile } from '../../engine/ports.ts'
import { isArchive, type SecretRule, searchWhile, secretByContent } from '../../engine/rules/secrets.ts'
import { cpuLimit } from './cpu-limit.ts'
import { diskFailure } from './disk-errors.ts'
import { Heartbeat, type HeartbeatMessage } from './heartbeat.ts'
import { hasHiddenWriters } from './hidden-writers.ts'
import { isRounded, lookAt } from './inode.ts'
import { FilesInside } from './open-inside.ts'
import { fromNative, isLossy, toNative } from './path-codec.ts'
import { realPathSync } from './real-path.ts'
import { mappedForWriting, openForWriting } from './writers.ts'

export type DiskRequest =
  | HeartbeatMessage
  | { readonly id: number; readonly kind: 'list'; readonly dirs: readonly string[] }
  | { readonly id: number; readonly kind: 'stat'; readonly paths: readonly string[] }
  | { readonly id: number; readonly kind: 'resolve'; readonly path: string }
  | { readonly id: number; readonly kind: 'whole'; readonly paths: readonly string[]; readonly upTo: number }
  | {
      readonly id: number
      readonly kind: 'writers'
      readonly by: 'open' | 'map'
      readonly paths: readonly string[]
      readonly pid: number
    }

export interface RawListing {
  readonly dir: string
  readonly failure: DiskFailure | null
  readonly names: string
  readonly kinds: string
  readonly stats: Float64Array
}

export type DiskAnswer =
  | { readonly id: number; readonly kind: 'list'; readonly lists: RawListing[] }
  | { readonly id: number; readonly kind: 'stat'; readonly entries: (Entry | DiskFailure | null)[] }
  | { readonly id: number; readonly kind: 'resolve'; readonly found: Resolved | DiskFailure }
  | { readonly id: number; readonly kind: 'whole'; readonly files: (ReadFile | null)[] }
  | { readonly id: number; readonly kind: 'writers'; readonly paths: string[] }

/** A path without symbolic links, and the entry at that path. */
export interface Resolved {
  readonly real: string
  readonly entry: Entry
}

/** A file that was opened, read and closed. */
export interface ReadFile extends WholeFile {
  readonly first: Entry
  readonly above: readonly DirectoryId[]
}

/**
 * CPU time for the search of a file of a batch, and for each MiB of it, for which text needs about 10. A file that
 * needs more is searched by itself (inspection.ts).
 */
const SEARCH_MS = 25
const SEARCH_MS_PER_MIB = 15

let heartbeat = new Heartbeat()

export function serveDisk(port: MessagePort): void {
  port.on('message', (request: DiskRequest) => {
    if (request.kind === 'heartbeat') {
      heartbeat = new Heartbeat(request.shared)
      return
    }
    heartbeat.serving(request.id)
    const { answer, moved } = answerTo(request)
    heartbeat.serving(0)
    port.postMessage(answer, moved)
  })
}

/** Serves a request. `moved` lists the answer's buffers, which are transferred instead of copied. */
function answerTo(request: Exclude<DiskRequest, { kind: 'heartbeat' }>): {
  readonly answer: DiskAnswer
  readonly moved: ArrayBuffer[]
} {
  const { id, kind } = request
  switch (kind) {
    case 'list': {
      const lists = each(request.dirs, listOne)
      return { answer: { id, kind, lists }, moved: lists.map((list) => list.stats.buffer as ArrayBuffer) }
    }
    case 'stat':
      return { answer: { id, kind, entries: each(request.paths, statOne) }, moved: [] }
    case 'resolve':
      return { answer: { id, kind, found: resolveOne(request.path) }, moved: [] }
    case 'whole': {
      const inside = new FilesInside()
      const files = each(request.paths, (path) => readOne(inside, path, request))
      inside.close()
      return {
        answer: { id, kind, files },
        moved: files.flatMap((file) => (file === null ? [] : [file.data.buffer as ArrayBuffer])),
      }
    }
    case 'writers': {
      const find = request.by === 'open' ? openForWriting : mappedForWriting
      return { answer: { id, kind, paths: find(request.paths, request.pid) }, moved: [] }
    }
    default:
      return assertNever(kind, 'disk request')
  }
}

function each<T>(paths: readonly string[], read: (path: string) => T): T[] {
  return paths.map((path, i) => {
    heartbeat.at(i)
    return read(path)
  })
}

function kindOf(stats: Stats): EntryKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'dir'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

const LETTER: Readonly<Record<EntryKind, string>> = {
  file: 'f',
  dir: 'd',
  link: 'l',
  other: 'o',
  unreadable: 'u',
}

function join(dir: string, name: string): string {
  return dir.endsWith('/') || (process.platform === 'win32' && dir.endsWith('\\'))
    ? dir + name
    : process.platform === 'win32'
      ? `${dir}\\${name}`
      : `${dir}/${name}`
}

function listOne(dir: string): RawListing {
  let names: string[]
  try {
    const native = toNative(dir)
    names = readdirSync(native)
    if (names.some(isLossy)) names = readdirSync(native, { encoding: 'buffer' }).map(fromNative)
  } catch (error) {
    return { dir, failure: diskFailure(error), names: '', kinds: '', stats: new Float64Array(0) }
  }
  let kept = ''
  let at = 0
  let kinds = ''
  const stats = new Float64Array(names.length * 5)
  for (const name of names) {
    heartbeat.tick()
    // Undefined means that the entry is gone. Null means that it can't be examined, but the audit must still
    // count it.
    let s: Stats | null | undefined = null
    try {
      s = lookAt(join(dir, name), false)
    } catch {
      // The entry can't be examined, for example because the directory isn't searchable, the path is too
      // long, or the disk fails.
    }
    if (s === undefined) continue
    kept += `${name}/`
    kinds += LETTER[s === null ? 'unreadable' : kindOf(s)]
    if (s !== null) {
      stats[at] = s.size
      stats[at + 1] = s.mtimeMs
      stats[at + 2] = s.ctimeMs
      stats[at + 3] = s.ino
      stats[at + 4] = s.dev
    }
    at += 5
  }
  return { dir, failure: null, names: kept, kinds, stats }
}

export function toEntry(name: string, s: Stats): Entry {
  const entry: Entry = {
    name,
    kind: kindOf(s),
    size: s.size,
    mtime: s.mtimeMs,
    ctime: s.ctimeMs,
    ino: s.ino,
    dev: s.dev,
  }
  return s.nlink > 1 && s.isFile() ? { ...entry, hasOtherNames: true } : entry
}

/**
 * macOS moves the time of creation back to a modification time that a program sets, so there it may be that
 * of another file.
 */
function bornOf({ birthtimeMs, mtimeMs }: Stats): Pick<Entry, 'born'> {
  const isMoved = process.platform === 'darwin' && birthtimeMs === mtimeMs
  return birthtimeMs > 0 && !isMoved ? { born: birthtimeMs } : {}
}

export function lastName(path: string): string {
  const parts = process.platform === 'win32' ? path.split(/[\\/]/) : path.split('/')
  return parts.at(-1) ?? path
}

function statOne(path: string): Entry | DiskFailure | null {
  try {
    const s = lookAt(path, false)
    if (s == null) return null
    const entry = { ...toEntry(lastName(path), s), ...bornOf(s) }
    return hasHiddenWriters(path, s) ? { ...entry, hasHiddenWriters: true } : entry
  } catch (error) {
    return statFailure(error)
  }
}

function resolveOne(path: string): Resolved | DiskFailure {
  try {
    const real = fromNative(realPathSync(toNative(path)))
    const stats = lookAt(real, true)
    if (stats === undefined)
      return { code: 'gone', message: 'it was deleted while its path was being resolved' }
    return { real, entry: toEntry(lastName(real), stats) }
  } catch (error) {
    return diskFailure(error)
  }
}

/** Translates an error of `lstat`. Returns null if the error means that nothing exists at the path. */
export function statFailure(error: unknown): DiskFailure | null {
  const failure = diskFailure(error)
  return failure.code === 'gone' || failure.code === 'not-a-directory' ? null : failure
}

/**
 * Reads a whole file of at most `upTo` bytes. Returns null if that isn't possible, for example because the
 * file is larger or isn't a regular file. The caller then opens the file on Node's thread pool, which reports
 * the reason. The file is searched for secrets, too, if that is quick.
 */
function readOne(
  inside: FilesInside,
  path: string,
  { id, upTo }: { readonly id: number; readonly upTo: number },
): ReadFile | null {
  let fd: number | null = null
  try {
    const opened = inside.open(path)
    fd = opened.fd
    const stats = fstatSync(fd)
    if (!stats.isFile() || stats.size > upTo || isRounded(stats)) return null
    // One byte more than expected, so that a file that has grown is noticed.
    const buffer = Buffer.allocUnsafeSlow(stats.size + 1)
    let length = 0
    while (length < Math.max(1, stats.size)) {
      const n = readSync(fd, buffer, length, buffer.length - length, length)
      if (n === 0) break
      length += n
    }
    const data = buffer.subarray(0, length)
    const name = lastName(path)
    const after = toEntry(name, fstatSync(fd))
    const search = (): SecretRule | 'slow' | null =>
      searchWhile(cpuLimit(SEARCH_MS + (length / 2 ** 20) * SEARCH_MS_PER_MIB), () =>
        secretByContent(data, name),
      )
    const found = isArchive(data) ? {} : { secret: heartbeat.searching(id, search) }
    return {
      first: toEntry(name, stats),
      above: opened.above,
      data,
      sha256: hash('sha256', data),
      after,
      ...found,
    }
  } catch {
    return null
  } finally {
    if (fd !== null) closeSync(fd)
  }
}
