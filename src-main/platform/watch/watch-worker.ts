// Runs in the watching thread. chokidar first reads every directory, which would delay uploads if it ran in
// the engine's thread. Only directories are watched, because a directory's raw events cover its files. Hints
// may be late, duplicated or missing.
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import type { PlatformPath } from 'node:path'
import * as nodePath from 'node:path'
import { Readable } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'
import { FSWatcher } from 'chokidar'
import { absolute } from '../../engine/disk/rel-path.ts'
import type { Hint } from '../../engine/ports.ts'
import { isRulesFile, RULES_FILE } from '../../engine/rules/ignore-rules.ts'
import { errorCode } from '../disk/disk-errors.ts'
import { exactId, lookAt } from '../disk/inode.ts'
import { fromNative, isLossy } from '../disk/path-codec.ts'
import { smallTextSync } from '../disk/small-text.ts'
import { createPruner, type Pruner } from './prune.ts'
import { reachedLimit } from './reached-limit.ts'

/** An entry as described by chokidar's own listing. */
type EntryInfo = Parameters<
  Extract<
    NonNullable<NonNullable<Parameters<FSWatcher['createScanStream']>[1]>['directoryFilter']>,
    (...of: never) => unknown
  >
>[0]

export type WatchRequest =
  | {
      readonly id: number
      readonly kind: 'start'
      readonly root: string
      readonly patterns: readonly string[]
      readonly own: readonly string[]
    }
  | { readonly id: number; readonly kind: 'close' }

export type WatchAnswer =
  | { readonly id: number; readonly kind: 'hints'; readonly hints: Hint[] }
  | { readonly id: number; readonly kind: 'closed' }

export function serveWatch(port: MessagePort): void {
  const watchers = new Map<number, FSWatcher>()
  port.on('message', (request: WatchRequest) => {
    if (request.kind === 'start') {
      watchers.set(request.id, start(request, sender(port, request.id)))
      return
    }
    const watcher = watchers.get(request.id)
    watchers.delete(request.id)
    void (watcher?.close() ?? Promise.resolve()).finally(() =>
      port.postMessage({ id: request.id, kind: 'closed' } satisfies WatchAnswer),
    )
  })
}

/**
 * Combines all hints of one event loop turn into one message, because unpacking an archive causes thousands
 * of hints.
 */
function sender(port: MessagePort, id: number): (hint: Hint) => void {
  let hints: Hint[] = []
  return (hint) => {
    hints.push(hint)
    if (hints.length > 1) return
    setImmediate(() => {
      port.postMessage({ id, kind: 'hints', hints } satisfies WatchAnswer)
      hints = []
    })
  }
}

function start(
  { root, patterns, own }: Extract<WatchRequest, { kind: 'start' }>,
  hint: (hint: Hint) => void,
): FSWatcher {
  const pruner = createPruner({
    root,
    patterns,
    own,
    identityOf,
    read: (dir) => smallTextSync(absolute(root, dir, RULES_FILE)),
  })
  const hints = createWatchHints({ root, pruner, path: nodePath })
  const watcher = new DirectoryWatcher({
    ignored: (path, stats) =>
      stats === undefined ? false : stats.isDirectory() ? hints.ignores(path, stats) : true,
    ignoreInitial: true,
    followSymlinks: false,
    // With `true`, chokidar would ignore all names such as `x~` or `.x.swp`. aggregator.ts coalesces the
    // events of an atomic save instead.
    atomic: false,
    alwaysStat: false,
  })
  watcher.on('raw', (_event, name: unknown, details: unknown) => {
    const found = hints.ofRaw(name, details)
    if (found !== null) hint(found)
  })
  // Rescan the new directory and everything below it, because files that were written before it was watched
  // caused no events.
  watcher.on('addDir', (path) => hint(hints.ofDir('tree', path)))
  // Close the watcher. Otherwise chokidar would watch the parent, for example the user's home, and list it
  // after each event.
  const gone = (): void => {
    void watcher.close()
    hint({ kind: 'failed', reason: 'gone', message: `${root} is missing` })
  }
  watcher.on('unlinkDir', (path) => {
    const found = hints.ofDir('path', path)
    hint(found)
    if ('path' in found && found.path === root) gone()
  })
  watcher.on('ready', () => hint({ kind: 'ready' }))
  watcher.on('error', (error) => hint(failed(error)))
  if (identityOf(root) === null) gone()
  else watcher.add(root)
  return watcher
}

/**
 * chokidar calls stat on every entry before it asks whether to ignore it. For a folder with a million files,
 * that took 28 s of CPU time and 650 MB of memory, although all files are ignored. A listing reveals which
 * entries are directories, so only those are examined here.
 */
class DirectoryWatcher extends FSWatcher {
  override createScanStream(
    ...[root, options = {}]: Parameters<FSWatcher['createScanStream']>
  ): ReturnType<FSWatcher['createScanStream']> {
    const { directoryFilter } = options
    const isWanted = (entry: EntryInfo): boolean =>
      typeof directoryFilter !== 'function' || directoryFilter(entry)
    // If one watch covers a whole tree, `depth` is present, though undefined, and chokidar reads the tree in
    // one stream.
    if (!('depth' in options))
      return this.closed
        ? undefined
        : (listDirectories(root, isWanted) as ReturnType<FSWatcher['createScanStream']>)
    return super.createScanStream(root, {
      ...options,
      type: 'directories',
      alwaysStat: false,
      directoryFilter: (entry) => {
        const stats = statsOf(entry.fullPath)
        return stats !== null && isWanted(Object.assign(entry, { stats }))
      },
    })
  }
}

/**
 * Lists the subdirectories of a directory in one step. chokidar would open streams for all directories at
 * once, and each stream takes 11 KB while it waits for the disk. With 80,000 directories, that exhausted the
 * thread's memory.
 */
function listDirectories(root: string, isWanted: (entry: EntryInfo) => boolean): Readable {
  return new Readable({
    objectMode: true,
    read() {
      try {
        for (const { name } of readdirSync(root, { withFileTypes: true }).filter((entry) =>
          entry.isDirectory(),
        )) {
          const fullPath = nodePath.join(root, name)
          const stats = statsOf(fullPath)
          if (stats === null) continue
          const entry: EntryInfo = { path: name, fullPath, basename: name, stats }
          if (isWanted(entry)) this.push(entry)
        }
      } catch (error) {
        // A missing or unreadable directory counts as empty; rescans cover it.
        if (!isPassedOver(error)) this.destroy(error instanceof Error ? error : new Error(String(error)))
      }
      if (!this.destroyed) this.push(null)
    },
  })
}

function isPassedOver(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'EPERM' || code === 'EACCES' || code === 'ELOOP'
}

/**
 * The stats in the form that chokidar uses on this system. Null if the entry is gone or can't be examined;
 * rescans cover it.
 */
function statsOf(path: string): Stats | null {
  try {
    // chokidar uses BigInts on Windows, although its types don't say so.
    return (
      (lstatSync(path, { bigint: process.platform === 'win32', throwIfNoEntry: false }) as
        | Stats
        | undefined) ?? null
    )
  } catch {
    return null
  }
}

/**
 * Follows symbolic links, because the path of one of Slipway's own directories may be a link. Null if the
 * directory can't be accessed.
 */
function identityOf(path: string): { readonly ino: number; readonly dev: number } | null {
  try {
    return lookAt(path, true) ?? null
  } catch {
    return null
  }
}

function failed(error: unknown): Hint {
  const limit = reachedLimit(error)
  const message = error instanceof Error ? error.message : String(error)
  if (limit !== null) return { kind: 'failed', reason: limit, message }
  // Any other error usually affects one directory. `lost` causes a rescan now, and regular rescans find later
  // changes in that directory.
  return { kind: 'lost', reason: message }
}

// Converts chokidar's events to hints, which say where something may have changed. chokidar writes paths with
// `/` even on Windows. On Windows and macOS, one watch covers a whole tree, so raw events also come from
// ignored directories. Pure, except that the pruner reads and caches ignore files.
interface WatchHints {
  /** Whether this directory, as named by chokidar, doesn't need watching. */
  ignores(path: string, dir: { readonly ino: number | bigint; readonly dev: number | bigint }): boolean
  /** The hint for a raw event; null if none is needed. */
  ofRaw(name: unknown, details: unknown): Hint | null
  /** The hint for an event about a whole directory. */
  ofDir(kind: 'path' | 'tree', path: string): Hint
}

export function createWatchHints(options: {
  readonly root: string
  readonly pruner: Pruner
  /** `node:path` of the system that the paths belong to. */
  readonly path: Pick<PlatformPath, 'sep' | 'normalize' | 'join' | 'dirname' | 'basename'>
}): WatchHints {
  const { root, pruner, path: at } = options
  // chokidar's paths differ from native paths only on Windows.
  const native = (path: string): string => (at.sep === '\\' ? at.normalize(path) : path)

  return {
    ignores: (path, dir) => {
      const own = native(path)
      // On Windows the stats contain BigInts.
      return own !== root && pruner.isPruned(own, { ino: exactId(dir.ino), dev: exactId(dir.dev) })
    },
    ofRaw: (name, details) => {
      const watched = watchedPath(details)
      if (watched === null) return { kind: 'lost', reason: 'an event without a place' }
      const dir = native(watched)
      if (typeof name !== 'string' || name === '') return { kind: 'tree', path: dir }
      // Some bytes of this name were lost, so the entry can't be looked up. Rescan its directory instead.
      if (isLossy(name)) return { kind: 'tree', path: dir }
      const path = at.join(dir, name)
      // A watch of a single directory is created only where the rules allow it, so the entries of that
      // directory need no check.
      if (at.dirname(path) !== dir && pruner.isInside(path)) return null
      if (isRulesFile(at.basename(path), true)) pruner.forget(at.dirname(path))
      return { kind: 'path', path }
    },
    ofDir: (kind, path) => ({ kind, path: native(path) }),
  }
}

function watchedPath(details: unknown): string | null {
  if (typeof details !== 'object' || details === null) return null
  const path: unknown = Reflect.get(details, 'watchedPath')
  if (typeof path === 'string') return path
  return path instanceof Uint8Array ? fromNative(path) : null
}
