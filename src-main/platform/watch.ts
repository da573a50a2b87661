// Hints from the disk through chokidar. It follows directories only: with files ignored, one watch a directory serves them all through the
// raw events, and a hundred thousand files cost no memory here. Hints may be late, doubled or missing; the scanner is the truth.
import { join } from 'node:path'
import { watch } from 'chokidar'
import type { Hint, Watch } from '../engine/ports.ts'
import { fromNative, isLossy } from './path-codec.ts'

export function createWatch(): Watch {
  return {
    start: ({ root, prune, onHint }) => {
      const watcher = watch(root, {
        ignored: (path, stats) => (stats === undefined ? false : stats.isDirectory() ? path !== root && prune(path) : true),
        ignoreInitial: true,
        followSymlinks: false,
        // Its own folding would drop `x~` and swap files for good; ours is in aggregator.ts.
        atomic: false,
        alwaysStat: false,
      })
      let closed = false
      const hint = (value: Hint): void => {
        if (!closed) onHint(value)
      }
      watcher.on('raw', (_event, name: unknown, details: unknown) => {
        const dir = watchedPath(details)
        if (dir === null) hint({ kind: 'lost', reason: 'an event without a place' })
        else if (typeof name !== 'string' || name === '') hint({ kind: 'tree', path: dir })
        // A name that lost bytes can't be looked up: its directory is listed instead.
        else if (isLossy(name)) hint({ kind: 'tree', path: dir })
        else hint({ kind: 'path', path: join(dir, name) })
      })
      // Files written before the new directory's own watch stood are found by reading it whole.
      watcher.on('addDir', (path) => hint({ kind: 'tree', path }))
      watcher.on('unlinkDir', (path) => hint({ kind: 'path', path }))
      watcher.on('ready', () => hint({ kind: 'ready' }))
      watcher.on('error', (error) => hint(failed(error)))
      return {
        close: async () => {
          closed = true
          await watcher.close()
        },
      }
    },
  }
}

function watchedPath(details: unknown): string | null {
  if (typeof details !== 'object' || details === null) return null
  const path: unknown = Reflect.get(details, 'watchedPath')
  if (typeof path === 'string') return path
  return path instanceof Uint8Array ? fromNative(path) : null
}

function failed(error: unknown): Hint {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  if (code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE') return { kind: 'failed', reason: 'limit', message }
  if (code === 'ENOENT') return { kind: 'lost', reason: message }
  // One directory that can't be watched is no reason to give up the rest: rescans cover it.
  return { kind: 'lost', reason: message }
}
