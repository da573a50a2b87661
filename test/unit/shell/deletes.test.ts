// Deletions that can be undone, with fake timers: what is sent, in which chunks, and the effects of undo and
// quit. Unless the user quits, a file is never deleted before its time.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Deletes } from '../../../src-main/shell/window/deletes.ts'
import type { Failure } from '../../../src-shared/engine-contract.ts'
import { fakeLink, GONE } from './fake-link.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const files = (ids: readonly number[]) =>
  ids.map((fileId) => ({ fileId, link: `https://files.example.com/download/${fileId}` }))

function room(
  remove: (input: { selectors: string[] }) => unknown = ({ selectors }) =>
    selectors.map((selector) => ({ selector, ok: true, message: 'deleted' })),
  saved: { value: unknown; cannotWrite?: boolean; cannotRemove?: boolean } = { value: null },
) {
  const fake = fakeLink({ remove })
  const failed: [Failure, number | null][] = []
  const aside: unknown[] = []
  const changed = vi.fn()
  const deletes = new Deletes({
    link: fake.link,
    now: () => Date.now(),
    file: {
      read: () => saved.value,
      write: (value) => {
        if (saved.cannotWrite !== true) saved.value = JSON.parse(JSON.stringify(value))
        return saved.cannotWrite !== true
      },
      remove: () => {
        if (saved.cannotRemove !== true) saved.value = null
        return saved.cannotRemove !== true
      },
      setAside: () => {
        if (saved.value === null) return false
        aside.push(saved.value)
        saved.value = null
        return true
      },
    },
    changed,
    failed: (failure, left) => failed.push([failure, left]),
  })
  const removed = (): string[] =>
    (fake.callsOf('remove') as { selectors: string[] }[]).flatMap((one) => one.selectors)
  return { ...fake, deletes, failed, changed, removed, saved, aside }
}

describe('a deletion', () => {
  it('waits its seconds and then goes out', async () => {
    const { deletes, removed, changed } = room()
    const view = deletes.start(files([5, 6]), 8)
    expect(view).toMatchObject({ fileIds: [5, 6], count: 2, at: Date.now() + 8000 })
    expect(deletes.pending()).toEqual([view])
    await vi.advanceTimersByTimeAsync(7999)
    expect(removed()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(removed()).toEqual(['5', '6'])
    expect(deletes.pending()).toEqual([])
    expect(changed).toHaveBeenCalledTimes(2)
  })

  it('that is undone never goes out', async () => {
    const { deletes, removed } = room()
    const { token } = deletes.start(files([5]), 8)
    await vi.advanceTimersByTimeAsync(7999)
    deletes.undo(token)
    expect(deletes.pending()).toEqual([])
    await vi.advanceTimersByTimeAsync(100_000)
    expect(removed()).toEqual([])
  })

  it.each([
    ['the engine is carrying out', () => new Promise(() => {})],
    ['waits for the next engine', () => GONE],
  ])('that %s is not undone, even if the clock was set back', async (_name, remove) => {
    const { deletes, removed } = room(remove)
    const view = deletes.start(files([5]), 8)
    await vi.advanceTimersByTimeAsync(8000)
    vi.setSystemTime(Date.now() - 3_600_000)
    deletes.undo(view.token)
    expect(removed()).toEqual(['5'])
    expect(deletes.pending()).toEqual([view])
  })

  it('of a file that is about to be deleted already is none of its own', async () => {
    const { deletes } = room()
    const { token } = deletes.start(files([5, 6]), 8)
    expect(deletes.notPending([5, 6, 7])).toEqual([7])
    deletes.undo(token)
    expect(deletes.notPending([5, 6, 7])).toEqual([5, 6, 7])
    deletes.start(files([5]), 8)
    await vi.advanceTimersByTimeAsync(8000)
    expect(deletes.notPending([5])).toEqual([5])
  })

  it('is undone alone', async () => {
    const { deletes, removed } = room()
    const first = deletes.start(files([5]), 8)
    deletes.start(files([6]), 8)
    deletes.undo(first.token)
    deletes.undo('no such token')
    await vi.advanceTimersByTimeAsync(8000)
    expect(removed()).toEqual(['6'])
  })

  it('under way can not be called back, and does not say that it was', async () => {
    let free: () => void = () => undefined
    const { deletes, removed } = room(() => new Promise((resolve) => (free = () => resolve([]))))
    const { token } = deletes.start(files([5]), 8)
    await vi.advanceTimersByTimeAsync(8000)
    deletes.undo(token)
    expect(deletes.pending().map((one) => one.token)).toEqual([token])
    expect(removed()).toEqual(['5'])
    free()
    await vi.advanceTimersByTimeAsync(0)
    expect(deletes.pending()).toEqual([])
  })

  it('of many is handed over in pieces, one after the other, to be carried out later', async () => {
    let under = 0
    let most = 0
    const { deletes, callsOf, removed } = room(async ({ selectors }) => {
      most = Math.max(most, ++under)
      await Promise.resolve()
      under--
      return selectors.map((selector) => ({ selector, ok: true, message: 'queued', outcome: 'queued' }))
    })
    const ids = Array.from({ length: 2345 }, (_, i) => i + 1)
    const view = deletes.start(files(ids), 1)
    // The window marks a thousand rows, but all are deleted.
    expect(view.fileIds).toHaveLength(1000)
    expect(view.count).toBe(2345)
    await vi.advanceTimersByTimeAsync(1000)
    const calls = callsOf('remove') as { selectors: string[]; later?: boolean }[]
    expect(calls.every((one) => one.selectors.length <= 100 && one.later === true)).toBe(true)
    expect(removed()).toEqual(ids.map(String))
    expect(most).toBe(1)
  })

  it('of many counts each file once, here or in the engine, while it is being handed over', async () => {
    const inEngine: string[] = []
    const { deletes } = room(({ selectors }) => {
      if (inEngine.length === 200) return new Promise(() => undefined)
      inEngine.push(...selectors)
      return []
    })
    const ids = Array.from({ length: 250 }, (_, i) => i)
    deletes.start(files(ids), 1)
    expect(deletes.leftCount()).toBe(250)
    await vi.advanceTimersByTimeAsync(1000)
    expect([deletes.leftCount(), inEngine.length]).toEqual([50, 200])
  })

  it('outlives an engine that goes away: the next one takes what is left', async () => {
    let away = true
    let calls = 0
    const { deletes, failed, removed, state } = room(({ selectors }) =>
      ++calls > 1 && away ? GONE : selectors.map((selector) => ({ selector, ok: true, message: '' })),
    )
    const ids = Array.from({ length: 250 }, (_, i) => i)
    deletes.start(files(ids), 1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(deletes.pending()).toHaveLength(1)
    away = false
    state(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(failed).toEqual([])
    expect(deletes.pending()).toEqual([])
    expect(new Set(removed())).toEqual(new Set(ids.map(String)))
  })

  it('that can not go on says how many were left, and stops', async () => {
    const refused = {
      ok: false as const,
      failure: { code: 'defect' as const, title: 'It went wrong.', hint: null },
    }
    let calls = 0
    const { deletes, failed, removed } = room(({ selectors }) =>
      ++calls > 2 ? refused : selectors.map((selector) => ({ selector, ok: true, message: '' })),
    )
    deletes.start(files(Array.from({ length: 255 }, (_, i) => i)), 1)
    await vi.advanceTimersByTimeAsync(1000)
    expect(failed).toEqual([[refused.failure, 55]])
    expect(removed()).toHaveLength(255)
    expect(deletes.pending()).toEqual([])
  })

  it('is asked about from eleven files a minute on, however they are cut into pieces', async () => {
    const { deletes } = room()
    expect([deletes.needsQuestion(10), deletes.needsQuestion(11)]).toEqual([false, true])
    deletes.start(files([1, 2, 3, 4, 5, 6]), 8)
    expect([deletes.needsQuestion(4), deletes.needsQuestion(5)]).toEqual([false, true])
    const { token } = deletes.start(files([7, 8, 9]), 8)
    expect(deletes.needsQuestion(4)).toBe(true)
    deletes.undo(token)
    expect(deletes.needsQuestion(4)).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(deletes.needsQuestion(10)).toBe(false)
  })

  it('at once where there is no time to undo', async () => {
    const { deletes, removed } = room()
    deletes.start(files([5]), 0)
    await vi.advanceTimersByTimeAsync(0)
    expect(removed()).toEqual(['5'])
  })
})

describe('a quit', () => {
  it('hands over what waits, once, and leaves nothing to undo', async () => {
    const { deletes, removed, callsOf } = room()
    const { token } = deletes.start(files([5]), 8)
    deletes.start(files([6]), 1)
    const closed = deletes.close()
    deletes.undo(token)
    await closed
    expect([removed(), deletes.pending()]).toEqual([['5', '6'], []])
    expect(callsOf('remove')).toEqual([
      { selectors: ['5'], later: true },
      { selectors: ['6'], later: true },
    ])
    await vi.advanceTimersByTimeAsync(100_000)
    expect(removed()).toEqual(['5', '6'])
  })

  it('waits until the engine has the rest of a deletion under way', async () => {
    const { deletes, removed } = room(async () => [])
    deletes.start(files(Array.from({ length: 260 }, (_, i) => i)), 1)
    vi.advanceTimersByTime(1000)
    expect(removed()).toHaveLength(100)
    await deletes.close()
    expect(removed()).toHaveLength(260)
  })

  it('does not wait for long for an engine that hangs', async () => {
    const { deletes } = room(() => new Promise(() => undefined))
    deletes.start(files([5]), 8)
    const closed = vi.fn()
    void deletes.close().then(closed)
    await vi.advanceTimersByTimeAsync(2000)
    expect(closed).toHaveBeenCalled()
  })
})

describe('a kill while a deletion can be undone', () => {
  const link = (fileId: number) => `https://files.example.com/download/${fileId}`

  it('before the user could no longer undo it deletes nothing, and the next process says so once', async () => {
    const killed = room()
    killed.deletes.start(files([5, 6]), 8)
    for (const failed of [[2], []]) {
      const next = room(undefined, killed.saved)
      next.state(true)
      await vi.advanceTimersByTimeAsync(0)
      expect([next.removed(), next.failed.map(([, left]) => left), next.saved.value]).toEqual([
        [],
        failed,
        [],
      ])
    }
  })

  it('while no engine is available only delays it: the next one receives the link, as the ID may be another file by now', async () => {
    const killed = room(() => GONE)
    killed.deletes.start(files([5, 6]), 8)
    await vi.advanceTimersByTimeAsync(8000)
    const next = room(undefined, killed.saved)
    expect(next.removed()).toEqual([])
    next.state(true)
    await vi.advanceTimersByTimeAsync(0)
    expect([next.removed(), next.deletes.pending(), next.saved.value]).toEqual([[link(5), link(6)], [], []])
  })

  it('does not bring back what was undone or handed over before', async () => {
    const killed = room()
    killed.deletes.start(files([5]), 1)
    await vi.advanceTimersByTimeAsync(1000)
    killed.deletes.undo(killed.deletes.start(files([6]), 8).token)
    killed.deletes.start(files([7]), 8)
    killed.deletes.leave()
    const next = room(undefined, killed.saved)
    next.state(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(next.removed()).toEqual([link(7)])
  })

  it('leaves what waits to the next engine of its account, not to that of another one', async () => {
    const { deletes, removed, saved } = room()
    deletes.start(files([5]), 8)
    deletes.leave()
    await vi.advanceTimersByTimeAsync(100_000)
    expect([removed(), deletes.pending(), saved.value]).toEqual([
      [],
      [],
      [{ fileId: 5, link: link(5), final: true }],
    ])
  })

  it('does not carry out twice what waits while its engine is replaced', async () => {
    const { deletes, removed, state } = room()
    deletes.start(files([5]), 8)
    state(true)
    await vi.advanceTimersByTimeAsync(8000)
    expect(removed()).toEqual(['5'])
  })

  it('says so if the link of a file is not known, because its ID may belong to another file by now', async () => {
    const saved = { value: [{ fileId: 5, link: null, final: true }] as unknown }
    const next = room(undefined, saved)
    next.state(true)
    await vi.advanceTimersByTimeAsync(0)
    expect([next.removed(), next.failed.map(([, left]) => left), saved.value]).toEqual([[], [1], []])
  })

  it('is reported once if the file is damaged, which is kept under another name and deletes nothing', async () => {
    const damaged = [{ fileId: 'all' }]
    const next = room(undefined, { value: damaged })
    next.state(true)
    next.state(true)
    next.deletes.start(files([5]), 8)
    await vi.advanceTimersByTimeAsync(0)
    expect([next.removed(), next.aside]).toEqual([[], [damaged]])
    expect(next.failed).toEqual([[expect.objectContaining({ code: 'disk' }), null]])
  })

  it('is not reported if there is no file', async () => {
    const next = room()
    next.state(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(next.failed).toEqual([])
  })
})

describe('a deletion that is undone while its file can not be written', () => {
  const link = (fileId: number) => `https://files.example.com/download/${fileId}`
  const unwritable = { value: null as unknown, cannotWrite: true, cannotRemove: true }

  it('is not carried out when the engine starts again', async () => {
    const { deletes, saved, removed, state } = room()
    const { token } = deletes.start(files([5]), 8)
    Object.assign(saved, { ...unwritable, value: saved.value })
    deletes.undo(token)
    state(true)
    await vi.advanceTimersByTimeAsync(0)
    deletes.leave()
    state(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(removed()).toEqual([])
  })

  it('is not carried out by the next process', async () => {
    const { deletes, saved } = room()
    const { token } = deletes.start(files([5]), 8)
    deletes.undo(deletes.start(files([6]), 8).token)
    Object.assign(saved, { ...unwritable, value: saved.value })
    deletes.undo(token)
    await deletes.close()
    const next = room(undefined, { value: saved.value })
    next.state(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(next.removed()).toEqual([])
  })

  it('is removed from the file as soon as that is possible', async () => {
    const { deletes, saved } = room()
    deletes.start(files([5]), 60)
    const { token } = deletes.start(files([6]), 60)
    Object.assign(saved, { cannotWrite: true })
    deletes.undo(token)
    expect(saved.value).toBe(null)
    Object.assign(saved, { cannotWrite: false })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(saved.value).toEqual([{ fileId: 5, link: link(5) }])
  })

  it('later, in the engine, is not carried out: the engine receives it only once the next process no longer would', async () => {
    const saved = { ...unwritable, value: [{ fileId: 5, link: link(5), final: true }] as unknown }
    const { removed, state, deletes } = room(undefined, saved)
    state(true)
    await vi.advanceTimersByTimeAsync(20_000)
    // As long as the file would make the next process delete it again, it isn't handed over.
    expect([removed(), deletes.pending()]).toEqual([[], [expect.objectContaining({ fileIds: [5] })]])
    saved.cannotWrite = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect([removed(), saved.value]).toEqual([[link(5)], []])
  })
})
