// The watcher's own thread: chokidar looks at every entry before its watches stand, and that may hold up nobody who uploads. It follows
// directories only: with files ignored, one watch a directory serves them all through the raw events. Hints may be late, doubled or missing.
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { type FSWatcher, watch } from 'chokidar'
import { RULES_FILE } from '../engine/discovery/ignore-rules.ts'
import { absolute } from '../engine/discovery/rel-path.ts'
import type { Hint } from '../engine/ports.ts'
import { fromNative, isLossy, toNative } from './path-codec.ts'
import { createPruner } from './prune.ts'

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

/** Rules files are small; a larger one is no rules file. */
const RULES_MOST = 1024 * 1024

export function serveWatch(port: MessagePort): void {
  const watchers = new Map<number, FSWatcher>()
  port.on('message', (request: WatchRequest) => {
    if (request.kind === 'start') {
      watchers.set(request.id, start(request, sender(port, request.id)))
      return
    }
    const watcher = watchers.get(request.id)
    watchers.delete(request.id)
    void (watcher?.close() ?? Promise.resolve()).finally(() => port.postMessage({ id: request.id, kind: 'closed' } satisfies WatchAnswer))
  })
}

/** What comes in one turn goes out in one message: a tree that is unpacked brings thousands. */
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

function start({ root, patterns, own }: Extract<WatchRequest, { kind: 'start' }>, hint: (hint: Hint) => void): FSWatcher {
  const pruner = createPruner({ root, patterns, own, identityOf, read: (dir) => readRules(join(absolute(root, dir, ''), RULES_FILE)) })
  const watcher = watch(root, {
    ignored: (path, stats) => (stats === undefined ? false : stats.isDirectory() ? path !== root && pruner.isPruned(path, stats) : true),
    ignoreInitial: true,
    followSymlinks: false,
    // Its own folding would drop `x~` and swap files for good; ours is in aggregator.ts.
    atomic: false,
    alwaysStat: false,
  })
  watcher.on('raw', (_event, name: unknown, details: unknown) => {
    const dir = watchedPath(details)
    if (dir === null) hint({ kind: 'lost', reason: 'an event without a place' })
    else if (typeof name !== 'string' || name === '') hint({ kind: 'tree', path: dir })
    // A name that lost bytes can't be looked up: its directory is listed instead.
    else if (isLossy(name)) hint({ kind: 'tree', path: dir })
    else {
      const path = join(dir, name)
      if (basename(path) === RULES_FILE) pruner.forget(dirname(path))
      hint({ kind: 'path', path })
    }
  })
  // Files written before the new directory's own watch stood are found by reading it whole.
  watcher.on('addDir', (path) => hint({ kind: 'tree', path }))
  watcher.on('unlinkDir', (path) => hint({ kind: 'path', path }))
  watcher.on('ready', () => hint({ kind: 'ready' }))
  watcher.on('error', (error) => hint(failed(error)))
  return watcher
}

/** Of a directory that may not be there; through links, as its files are reached. */
function identityOf(path: string): { readonly ino: number; readonly dev: number } | null {
  try {
    return statSync(toNative(path), { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function readRules(path: string): string | null {
  try {
    const native = toNative(path)
    const found = statSync(native, { throwIfNoEntry: false })
    return found?.isFile() === true && found.size <= RULES_MOST ? readFileSync(native, 'utf8') : null
  } catch {
    return null
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
  // One directory that can't be watched is no reason to give up the rest: rescans cover it.
  return { kind: 'lost', reason: message }
}
