// What follows when a watcher reaches a limit of the system, or reports that its folder is missing: it is
// looked for at once, but not in an endless loop if watcher and disk disagree, and it is watched again only
// by a scan that finds it.
import { expect, it, vi } from 'vitest'
import { FolderWatch, type FolderWatchOptions } from '../../../../src-main/engine/find/folder-watch.ts'
import type { Hint } from '../../../../src-main/engine/ports.ts'
import { WATCH_LIMITS } from '../../../../src-shared/watch-limits.ts'

const GONE: Hint = { kind: 'failed', reason: 'gone', message: 'missing' }

function watched(state: 'watching' | 'away') {
  const starts: ((hint: Hint) => void)[] = []
  const add = vi.fn<FolderWatchOptions['aggregator']['add']>()
  const onBlind = vi.fn<() => void>()
  const notice = vi.fn<FolderWatchOptions['bus']['emit']>()
  const setWatching = vi.fn<(watching: string, limit?: string) => void>()
  const folder = {
    id: 1,
    path: '/share',
    state,
    watching: 'off',
    row: { path: '/share', ignore: [] },
    setWatching,
  }
  let mono = 0
  const watch = new FolderWatch({
    clock: { mono: () => mono },
    watch: {
      start: ({ onHint }) => {
        starts.push(onHint)
        return { close: async () => undefined }
      },
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    state: folder as unknown as FolderWatchOptions['state'],
    own: { dirs: () => [] },
    aggregator: { add },
    rules: { isElsewhere: () => false },
    onBlind,
    bus: { emit: notice },
  })
  const start = (): ((hint: Hint) => void) => {
    watch.start()
    return (hint) => starts.at(-1)?.(hint)
  }
  const pass = (ms: number): void => void (mono += ms)
  return { watch, start, pass, add, onBlind, notice, setWatching }
}

it('looks for a missing folder at once, then only from time to time, and at once again after it was watched', () => {
  const { watch, start, add, onBlind, notice } = watched('watching')
  start()(GONE)
  expect([watch.needsStart, add.mock.calls, onBlind.mock.calls.length]).toEqual([
    true,
    [[{ kind: 'all' }]],
    1,
  ])
  // The scan found the folder, but the watcher still doesn't.
  start()(GONE)
  expect([add.mock.calls.length, onBlind.mock.calls.length]).toEqual([1, 2])
  const hint = start()
  expect(watch.needsStart).toBe(false)
  hint({ kind: 'ready' })
  hint(GONE)
  expect(add.mock.calls).toHaveLength(3)
  expect(notice).not.toHaveBeenCalled()
})

it('leaves a folder that is away to the scans that look for it', () => {
  const { watch, start, add, onBlind } = watched('away')
  start()(GONE)
  expect([watch.needsStart, add.mock.calls, onBlind.mock.calls]).toEqual([true, [], []])
})

it.each(['watches', 'instances', 'files'] as const)(
  'stays with rescans after the limit of %s was reached, whatever the watcher reports',
  (limit) => {
    const { start, onBlind, notice, setWatching } = watched('watching')
    const hint = start()
    for (let i = 0; i < 3; i++) hint({ kind: 'failed', reason: limit, message: 'no more' })
    hint({ kind: 'ready' })
    expect(setWatching.mock.calls).toEqual([['rescans', limit]])
    const { name, raise } = WATCH_LIMITS[limit]
    expect(notice.mock.calls).toMatchObject([
      [
        {
          title: expect.stringContaining(name),
          hint: `To raise it: ${raise}`,
          about: { what: 'watch-limit', name },
        },
      ],
    ])
    // Each further failure would put off the rescan.
    expect(onBlind).toHaveBeenCalledOnce()
    start()({ kind: 'ready' })
    expect(setWatching).toHaveBeenLastCalledWith('events')
  },
)

it('is watched again some minutes after a limit was reached, and says so once', () => {
  const { watch, start, pass, notice, setWatching } = watched('watching')
  const full: Hint = { kind: 'failed', reason: 'watches', message: 'no more' }
  start()(full)
  pass(60_000)
  expect(watch.needsStart).toBe(false)
  pass(240_000)
  expect(watch.needsStart).toBe(true)
  // The limit is as before.
  start()(full)
  expect([watch.needsStart, notice.mock.calls.length]).toEqual([false, 1])
  pass(300_000)
  expect(watch.needsStart).toBe(true)
  // It was raised.
  start()({ kind: 'ready' })
  expect(setWatching).toHaveBeenLastCalledWith('events')
  pass(300_000)
  expect(watch.needsStart).toBe(false)
})
