// Converts chokidar's events to hints, which say where something may have changed. chokidar writes paths with `/` even on Windows. On
// Windows and macOS, one watch covers a whole tree, so raw events also come from ignored directories. Pure, except that the pruner reads
// and caches ignore files.
import type { PlatformPath } from 'node:path'
import { isRulesFile } from '../../engine/admission/ignore-rules.ts'
import type { Hint } from '../../engine/ports.ts'
import { exactId } from '../disk/file-id.ts'
import { fromNative, isLossy } from '../disk/path-codec.ts'
import type { Pruner } from './prune.ts'

export interface WatchHints {
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
      // A watch of a single directory is created only where the rules allow it, so the entries of that directory need no check.
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
