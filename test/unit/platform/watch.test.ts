// The watcher in its thread, with a real folder: what it reports, what it doesn't watch, and what is reported
// if its thread dies. Hints may be late or duplicated, so the test waits for each and counts none.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, promises, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hint, Watcher } from '../../../src-main/engine/ports.ts'
import { reachedLimit } from '../../../src-main/platform/watch/reached-limit.ts'
import { createWatch, type NodeWatch } from '../../../src-main/platform/watch/watch.ts'
import {
  serveWatch,
  type WatchAnswer,
  type WatchRequest,
} from '../../../src-main/platform/watch/watch-worker.ts'
import { spawnWorker } from '../../../src-main/platform/worker/spawn-worker.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const WAIT = { timeout: 20_000, interval: 20 }
const isWindows = process.platform === 'win32'
/** Whether one watch covers a whole tree. */
const isWhole = isWindows || process.platform === 'darwin'
const spawn = spawnWorker
let root = ''
let watch: NodeWatch
let threads: Worker[] = []
let hints: Hint[] = []

beforeEach(() => {
  root = tempFolder()
  threads = []
  hints = []
  watch = createWatch({
    spawn: (role) => {
      const thread = spawn(role)
      threads.push(thread)
      return thread
    },
  })
})
afterEach(async () => {
  await watch.close()
})

async function started(patterns: readonly string[] = []): Promise<Watcher> {
  const watcher = watch.start({ root, patterns, own: [], onHint: (hint) => hints.push(hint) })
  await vi.waitFor(() => expect(hints).toContainEqual({ kind: 'ready' }), WAIT)
  return watcher
}

const told = (path: string): boolean =>
  hints.some((hint) => 'path' in hint && (hint.path === path || path.startsWith(`${hint.path}/`)))

it('tells of new files, also in folders that are new, and of what is moved', async () => {
  await started()
  writeFileSync(join(root, 'a.txt'), 'a')
  mkdirSync(join(root, 'new/deep'), { recursive: true })
  await vi.waitFor(
    () => expect([told(join(root, 'a.txt')), told(join(root, 'new'))]).toEqual([true, true]),
    WAIT,
  )
  await vi.waitFor(() => {
    hints.length = 0
    writeFileSync(join(root, 'new/deep/b.txt'), `${performance.now()}`)
    return vi.waitFor(() => expect(told(join(root, 'new/deep/b.txt'))).toBe(true), { timeout: 500 })
  }, WAIT)
  hints.length = 0
  renameSync(join(root, 'a.txt'), join(root, 'moved.txt'))
  await vi.waitFor(
    () => expect([told(join(root, 'a.txt')), told(join(root, 'moved.txt'))]).toEqual([true, true]),
    WAIT,
  )
})

it.each([
  ['ENOSPC', 'watches'],
  ['ENFILE', 'all-files'],
  // While this process can still open a file, the limit is inotify's own.
  ['EMFILE', process.platform === 'linux' ? 'instances' : 'files'],
  ['EACCES', null],
])('knows by %s that it has reached the limit of %s', (code, limit) => {
  expect(reachedLimit(Object.assign(new Error('watch'), { code }))).toBe(limit)
})

it('does not watch what the rules leave out', async () => {
  mkdirSync(join(root, 'build'))
  mkdirSync(join(root, 'cache'))
  writeFileSync(join(root, '.slipwayignore'), 'cache/\n')
  await started(['build/'])
  writeFileSync(join(root, 'build/out.txt'), 'x')
  writeFileSync(join(root, 'cache/out.txt'), 'x')
  // Events are reported in order, so by the time of the last one, the others would have been reported.
  writeFileSync(join(root, 'seen.txt'), 'x')
  await vi.waitFor(() => expect(told(join(root, 'seen.txt'))).toBe(true), WAIT)
  expect(hints.filter((hint) => 'path' in hint && /build.|cache./.test(hint.path))).toEqual([])
})

it('says nothing after it is closed, and the other folders are watched on', async () => {
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-watch-')))
  const seen: Hint[] = []
  const first = await started()
  const second = watch.start({ root: other, patterns: [], own: [], onHint: (hint) => seen.push(hint) })
  await vi.waitFor(() => expect(seen).toContainEqual({ kind: 'ready' }), WAIT)
  await first.close()
  await first.close()
  hints.length = 0
  writeFileSync(join(root, 'a.txt'), 'a')
  writeFileSync(join(other, 'b.txt'), 'b')
  await vi.waitFor(
    () => expect(seen.some((hint) => 'path' in hint && hint.path === join(other, 'b.txt'))).toBe(true),
    WAIT,
  )
  expect(hints).toEqual([])
  expect(threads).toHaveLength(1)
  await second.close()
  rmSync(other, { recursive: true })
})

describe('leaves the parent of a folder alone', () => {
  const start = (path: string): Watcher =>
    watch.start({ root: path, patterns: [], own: [], onHint: (hint) => hints.push(hint) })

  /**
   * Watches a folder that `leave` takes away, or that is missing from the start; then again. Resolves to what
   * was said about its parent.
   */
  const hintsBeside = async (leave: ((share: string) => void) | null): Promise<readonly Hint[]> => {
    const share = join(root, 'Share')
    const other = join(root, 'Other')
    mkdirSync(other)
    start(other)
    await vi.waitFor(() => expect(hints).toContainEqual({ kind: 'ready' }), WAIT)
    hints.length = 0
    if (leave !== null) mkdirSync(share)
    const watcher = start(share)
    if (leave !== null) {
      await vi.waitFor(() => expect(hints).toContainEqual({ kind: 'ready' }), WAIT)
      leave(share)
    }
    const gone = { kind: 'failed', reason: 'gone', message: expect.stringContaining('Share') }
    await vi.waitFor(() => expect(hints).toContainEqual(gone), WAIT)
    hints.length = 0
    writeFileSync(join(root, 'beside.txt'), 'x')
    // The thread reports events in order, so by the time of this one, that of the parent would have been
    // reported.
    const seen = join(other, 'seen.txt')
    writeFileSync(seen, 'x')
    await vi.waitFor(() => expect(told(seen)).toBe(true), WAIT)
    const beside = hints.filter((hint) => !('path' in hint) || !hint.path.startsWith(other))
    await watcher.close()
    hints.length = 0
    mkdirSync(share)
    start(share)
    await vi.waitFor(() => expect(hints).toContainEqual({ kind: 'ready' }), WAIT)
    return beside
  }

  it('that is deleted, and watches it again later', async () => {
    expect(await hintsBeside((share) => rmSync(share, { recursive: true }))).toEqual([])
  })

  // Windows reports nothing when a watched directory itself is moved. There, the next rescan finds that it is
  // missing.
  it.skipIf(isWindows)('that is moved, and watches it again later', async () => {
    expect(await hintsBeside((share) => renameSync(share, join(root, 'Elsewhere')))).toEqual([])
  })

  it('that is missing at the start, and watches it again later', async () => {
    expect(await hintsBeside(null)).toEqual([])
  })
})

it('that falls is told as failed, and the next start has a thread of its own', async () => {
  await started()
  await threads[0]?.terminate()
  await vi.waitFor(() => expect(hints.at(-1)).toMatchObject({ kind: 'failed', reason: 'other' }), WAIT)
  hints.length = 0
  await started()
  expect(threads).toHaveLength(2)
  writeFileSync(join(root, 'again.txt'), 'x')
  await vi.waitFor(() => expect(told(join(root, 'again.txt'))).toBe(true), WAIT)
})

it('asks the disk about directories alone, and reads one at a time: there may be many of both', async () => {
  for (let i = 0; i < 30; i++) mkdirSync(join(root, `sub/${i}`), { recursive: true })
  for (const name of ['a.txt', 'b.txt', 'sub/c.txt']) writeFileSync(join(root, name), 'x')
  const { lstat, readdir } = promises
  const asked: string[] = []
  promises.lstat = ((path: string, ...more: []) => {
    asked.push(path)
    return lstat(path, ...more)
  }) as typeof lstat
  // Directories are read synchronously, one at a time. Where one watch covers a whole tree, chokidar reads
  // the tree in one stream (readdirp), each directory once, and the next one while it handles the entries of
  // the one before.
  let reads = 0
  let waiting = 0
  let most = 0
  promises.readdir = (async (...of: Parameters<typeof readdir>) => {
    reads++
    most = Math.max(most, ++waiting)
    try {
      return await readdir(...of)
    } finally {
      waiting--
    }
  }) as typeof readdir
  syncBuiltinESMExports()
  const { port1, port2 } = new MessageChannel()
  try {
    serveWatch(port2)
    port1.on('message', (answer: WatchAnswer) => answer.kind === 'hints' && hints.push(...answer.hints))
    port1.postMessage({ id: 1, kind: 'start', root, patterns: [], own: [] } satisfies WatchRequest)
    await vi.waitFor(() => expect(hints).toContainEqual({ kind: 'ready' }), WAIT)
    expect(asked.filter((path) => path.endsWith('.txt'))).toEqual([])
    expect(reads).toBe(isWhole ? 32 : 0)
    expect(most).toBeLessThanOrEqual(isWhole ? 2 : 0)
    port1.postMessage({ id: 1, kind: 'close' } satisfies WatchRequest)
    await once(port1, 'message')
  } finally {
    promises.lstat = lstat
    promises.readdir = readdir
    syncBuiltinESMExports()
    port1.close()
  }
})
