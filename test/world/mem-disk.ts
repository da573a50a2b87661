// A disk in memory that behaves like a real one: inodes survive renames, writes change times, and links along
// a path are followed, but a link at its end only where the disk port says so. Names and times follow the
// rules of a file system. A conformance test compares it with the real disk. Also provides the matching
// watcher.
import { posix } from 'node:path'
import { textOf } from '../../src-main/engine/disk/text.ts'
import {
  type Clock,
  type Disk,
  DiskError,
  type DiskFailureCode,
  type Entry,
  type EntryKind,
  type Hint,
  type Listing,
  type OpenFile,
  type Watch,
} from '../../src-main/engine/ports.ts'
import { withBackslashes } from './backslash-disk.ts'
import { FILE_SYSTEMS, type FileSystem, type FileSystemRules } from './file-systems.ts'

interface Node {
  kind: EntryKind
  data: Buffer
  target: string
  mtime: number
  ctime: number
  born: number
  readonly ino: number
  readonly children: Map<string, Node> | null
  denied: boolean
  /** A directory without search permission: its names can be listed, but the entries can't be reached. */
  sealed: boolean
}

export interface MemDisk extends Disk {
  write(path: string, data: string | Uint8Array): void
  append(path: string, data: string): void
  mkdir(path: string): void
  rename(from: string, to: string): void
  remove(path: string): void
  symlink(target: string, path: string): void
  /** Adds a second name for the same file (a hard link). */
  link(from: string, to: string): void
  /** Sets the modification time, as `touch -d` and unpacking an archive do. */
  setMtime(path: string, mtime: number): void
  /** Changes only the change time, as chmod does. */
  chmod(path: string): void
  /** Reads a file without opening it: calls no hook and counts nothing. */
  peek(path: string): { readonly entry: Entry; readonly data: Uint8Array } | DiskFailureCode
  /** Number of files opened so far. */
  opened(): number
  /** Number of paths on which stat was called individually so far. */
  stats(): number
  deny(path: string, denied: boolean): void
  /** Removes or restores the search permission (x) of a directory: its names can still be listed. */
  seal(path: string, sealed: boolean): void
  /** Calls `call` once, after the next read of this file. */
  onceRead(path: string, call: () => void): void
  /** Paths that processes have open for writing. */
  readonly writers: Set<string>
  /** Paths that a program may write to without being found, as on a network drive. Empty at the beginning. */
  readonly hidden: Set<string>
  /** Paths that a process has mapped for writing. */
  readonly mapped: Set<string>
  /**
   * Writes through a memory mapping: causes no event, and updates the file's time only with `fault` (as for a
   * clean page).
   */
  poke(path: string, data: string, fault: boolean): void
  readonly watch: Watch
  /** With true, hints are lost from now on; with false, they are delivered again. */
  setDeaf(deaf: boolean): void
  /** From now on, a new file gets the inode number of the file that was removed last, as on ext4. */
  reuseInodes(): void
}

const LETTER: Readonly<Record<EntryKind, string>> = {
  file: 'f',
  dir: 'd',
  link: 'l',
  other: 'o',
  unreadable: 'u',
}
/** Linux's limit on the bytes of a path, without the terminating NUL. */
const PATH_MAX = 4095

function failure(code: DiskFailureCode): { readonly code: DiskFailureCode; readonly message: string } {
  return { code, message: code }
}

/** Behaves like ext4 by default, even on Windows, where only the separators differ. */
export function createMemDisk(
  clock: Clock,
  { fileSystem = 'ext4' }: { readonly fileSystem?: FileSystem } = {},
): MemDisk {
  const disk = createPosixDisk(clock, FILE_SYSTEMS[fileSystem])
  return process.platform === 'win32' ? withBackslashes(disk) : disk
}

function createPosixDisk(clock: Clock, rules: FileSystemRules): MemDisk {
  const now = (): number => rules.record(clock.now())
  let nextIno = 2
  let reuses = false
  /** Inode numbers of removed files. */
  const freed: number[] = []
  const make = (kind: EntryKind, data = Buffer.alloc(0)): Node => ({
    kind,
    data,
    target: '',
    mtime: now(),
    ctime: now(),
    ino: freed.pop() ?? nextIno++,
    born: now(),
    children: kind === 'dir' ? new Map() : null,
    denied: false,
    sealed: false,
  })
  const root = make('dir')
  const reads = new Map<string, () => void>()
  const watchers = new Set<{
    readonly root: string
    readonly own: readonly string[]
    readonly onHint: (hint: Hint) => void
  }>()
  const writers = new Set<string>()
  const hidden = new Set<string>()
  const mapped = new Set<string>()
  let deaf = false
  let opens = 0
  let asked = 0

  const tell = (path: string, kind: 'path' | 'tree' = 'path'): void => {
    if (deaf) return
    const isIn = (dir: string): boolean => path === dir || path.startsWith(`${dir}/`)
    for (const watcher of watchers)
      if (isIn(watcher.root) && !watcher.own.some(isIn)) watcher.onHint({ kind, path })
  }

  /** A name as stored in its directory. */
  const spelled = (children: ReadonlyMap<string, Node>, name: string): string => {
    if (rules === FILE_SYSTEMS.ext4 || children.has(name)) return name
    const key = rules.keyOf(name)
    return [...children.keys()].find((one) => rules.keyOf(one) === key) ?? name
  }

  /** The node at a path, without following links; an error code if it can't be reached. */
  const find = (path: string): Node | DiskFailureCode => {
    if (Buffer.byteLength(path) > PATH_MAX) return 'name-too-long'
    let at = root
    for (const name of path.split('/').filter((part) => part !== '')) {
      if (at.children === null) return at.kind === 'link' ? 'gone' : 'not-a-directory'
      if (at.denied || at.sealed) return 'denied'
      const next = at.children.get(spelled(at.children, name))
      if (next === undefined) return 'gone'
      at = next
    }
    return at
  }
  const parent = (path: string): { readonly dir: Node; readonly name: string } => {
    const dir = find(posix.dirname(path))
    if (typeof dir === 'string' || dir.children === null) throw new Error(`no directory for ${path}`)
    return { dir, name: posix.basename(path) }
  }
  const checkName = (name: string): void => {
    if (!rules.canExist(name)) throw new Error(`this file system refuses the name ${JSON.stringify(name)}`)
  }
  const put = (path: string, node: Node): void => {
    const { dir, name } = parent(path)
    checkName(name)
    dir.children?.set(name, node)
    dir.mtime = now()
  }
  const entryOf = (name: string, node: Node): Entry => ({
    name,
    kind: node.kind,
    size: node.kind === 'file' ? node.data.length : 0,
    mtime: node.mtime,
    ctime: rules.hasChangeTime ? node.ctime : node.mtime,
    ino: node.ino,
    dev: 1,
  })

  /** Follows all links in a path and returns the real path. */
  const follow = (path: string): { readonly path: string; readonly node: Node } | DiskFailureCode => {
    let rest = path.split('/').filter((part) => part !== '')
    let at = ''
    for (let hops = 0; rest.length > 0; ) {
      const [name = '', ...more] = rest
      const next = posix.resolve('/', at, name)
      const node = find(next)
      if (typeof node === 'string') return node
      rest = more
      if (node.kind !== 'link') {
        at = next
        continue
      }
      if (++hops > 20) return 'loop'
      const target = posix.resolve('/', at, node.target)
      rest = [...target.split('/').filter((part) => part !== ''), ...more]
      at = ''
    }
    const real = at === '' ? '/' : at
    const node = find(real)
    return typeof node === 'string' ? node : { path: real, node }
  }

  /** The node at a path as lstat finds it: follows links along the path, but not one at its end. */
  const reach = (path: string): Node | DiskFailureCode => {
    const node = find(path)
    if (node !== 'gone') return node
    const above = follow(posix.dirname(path))
    return typeof above === 'string' ? above : find(posix.join(above.path, posix.basename(path)))
  }

  return {
    writers,
    hidden,
    mapped,
    poke: (path, data, fault) => {
      const node = find(path)
      if (typeof node === 'string') throw new Error(node)
      node.data = Buffer.from(data)
      if (!fault) return
      node.mtime = now()
      node.ctime = now()
    },
    reuseInodes: () => {
      reuses = true
    },
    setDeaf: (next) => {
      deaf = next
    },
    write: (path, data) => {
      const found = find(path)
      if (typeof found === 'string') put(path, make('file', Buffer.from(data)))
      else {
        found.data = Buffer.from(data)
        found.mtime = now()
        found.ctime = now()
      }
      tell(path)
    },
    append: (path, data) => {
      const found = find(path)
      if (typeof found === 'string') throw new Error(found)
      found.data = Buffer.concat([found.data, Buffer.from(data)])
      found.mtime = now()
      found.ctime = now()
      tell(path)
    },
    mkdir: (path) => {
      let at = ''
      for (const part of path.split('/').filter((p) => p !== '')) {
        at += `/${part}`
        if (typeof find(at) !== 'string') continue
        put(at, make('dir'))
        tell(at, 'tree')
      }
    },
    rename: (from, to) => {
      const node = find(from)
      if (typeof node === 'string') throw new Error(node)
      checkName(posix.basename(to))
      const source = parent(from)
      const { dir } = parent(to)
      source.dir.children?.delete(spelled(source.dir.children, source.name))
      dir.children?.delete(spelled(dir.children, posix.basename(to)))
      put(to, node)
      node.ctime = now()
      tell(from)
      tell(to, node.kind === 'dir' ? 'tree' : 'path')
    },
    remove: (path) => {
      const { dir, name } = parent(path)
      const node = find(path)
      if (dir.children !== null) dir.children.delete(spelled(dir.children, name))
      if (reuses && typeof node !== 'string') freed.push(node.ino)
      tell(path)
    },
    symlink: (target, path) => {
      const node = make('link')
      node.target = target
      put(path, node)
      tell(path)
    },
    link: (from, to) => {
      const node = find(from)
      if (typeof node === 'string') throw new Error(node)
      put(to, node)
      node.ctime = now()
      tell(to)
    },
    setMtime: (path, mtime) => {
      const node = find(path)
      if (typeof node === 'string') throw new Error(node)
      node.mtime = rules.record(mtime)
      node.ctime = now()
    },
    chmod: (path) => {
      const node = find(path)
      if (typeof node === 'string') throw new Error(node)
      node.ctime = now()
      tell(path)
    },
    opened: () => opens,
    stats: () => asked,
    deny: (path, denied) => {
      const node = find(path)
      if (typeof node === 'string') throw new Error(node)
      node.denied = denied
    },
    seal: (path, sealed) => {
      const node = find(path)
      if (typeof node === 'string') throw new Error(node)
      node.sealed = sealed
    },
    onceRead: (path, call) => reads.set(path, call),
    list: async (dirs) =>
      dirs.map((dir): Listing => {
        const found = reach(dir)
        const target = typeof found === 'string' || found.kind !== 'link' ? found : follow(dir)
        const node = typeof target === 'string' || !('node' in target) ? target : target.node
        const none = (code: DiskFailureCode): Listing => ({
          dir,
          failure: failure(code),
          names: '',
          kinds: '',
          stats: new Float64Array(0),
        })
        if (typeof node === 'string') return none(node)
        if (node.children === null) return none('not-a-directory')
        if (node.denied) return none('denied')
        const names = [...node.children.keys()]
        const stats = new Float64Array(names.length * 5)
        let kinds = ''
        for (const [i, child] of [...node.children.values()].entries()) {
          const e = entryOf('', child)
          if (node.sealed || Buffer.byteLength(`${dir}/${names[i]}`) > PATH_MAX) {
            kinds += LETTER.unreadable
            continue
          }
          kinds += LETTER[e.kind]
          stats.set([e.size, e.mtime, e.ctime, e.ino, e.dev], i * 5)
        }
        return { dir, failure: null, names: names.map((name) => `${name}/`).join(''), kinds, stats }
      }),
    stat: async (paths) =>
      paths.map((path) => {
        asked++
        const node = reach(path)
        if (typeof node !== 'string')
          return {
            ...entryOf(posix.basename(path), node),
            ...(rules.hasBirthTime ? { born: node.born } : {}),
            ...(hidden.has(path) ? { hasHiddenWriters: true } : {}),
          }
        return node === 'gone' || node === 'not-a-directory' ? null : failure(node)
      }),
    resolve: async (path) => {
      const found = follow(path)
      return typeof found === 'string'
        ? failure(found)
        : { real: found.path, entry: entryOf(posix.basename(found.path), found.node) }
    },
    open: async (path): Promise<OpenFile> => {
      const node = find(path)
      // Refused, as on a real disk, if the path leads through a link.
      if (typeof node === 'string')
        throw new DiskError(failure(typeof reach(path) === 'string' ? node : 'loop'))
      if (node.denied) throw new DiskError(failure('denied'))
      if (node.kind !== 'file') throw new DiskError(failure('loop'))
      opens++
      return {
        first: entryOf(posix.basename(path), node),
        above: path.split('/').flatMap((_, i, names) => {
          const above = i === 0 ? 'gone' : reach(names.slice(0, i).join('/') || '/')
          return typeof above === 'string' ? [] : [entryOf('', above)]
        }),
        stat: async () => entryOf(posix.basename(path), node),
        read: async (into, position) => {
          const n = node.data.copy(into, 0, position, position + into.length)
          const hook = reads.get(path)
          if (hook !== undefined && n > 0) {
            reads.delete(path)
            hook()
          }
          return n
        },
        close: async () => undefined,
      }
    },
    peek: (path) => {
      const node = find(path)
      if (typeof node === 'string') return node
      return node.denied ? 'denied' : { entry: entryOf(posix.basename(path), node), data: node.data }
    },
    text: async (path) => {
      const found = follow(path)
      return typeof found === 'string' || found.node.kind !== 'file' || found.node.denied
        ? null
        : textOf(found.node.data)
    },
    knowsWriters: true,
    openForWriting: async (paths) => new Set(paths.filter((path) => writers.has(path))),
    mappedForWriting: async (paths) => new Set(paths.filter((path) => mapped.has(path))),
    watch: {
      start: ({ root: at, own, onHint }) => {
        const watcher = { root: at, own, onHint }
        watchers.add(watcher)
        queueMicrotask(() => onHint({ kind: 'ready' }))
        return {
          close: async () => {
            watchers.delete(watcher)
          },
        }
      },
    },
  }
}
