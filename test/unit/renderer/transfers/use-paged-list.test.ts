// When the pages of a list are read, with a bridge that answers when the test says so: the next page is read
// once the user has asked for it, although what is visible is reported again before, and a late answer
// doesn't undo a change.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { PAGE_ROWS } from '../../../../src-renderer/views/transfers/paged-list.ts'
import type { Transfer } from '../../../../src-shared/model.ts'
import { type FakeBridge, installBridge, ok } from '../fake-bridge.ts'
import { transfer } from './sample.ts'

let bridge: FakeBridge
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  bridge = installBridge()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const cursors = (): number[] => bridge.calls.map((one) => (one.input as { readonly afterId: number }).afterId)
const page = (from: number, count: number): unknown =>
  ok(Array.from({ length: count }, (_, i) => transfer({ id: from + i, state: 'held', reason: 'secret' })))

it('“Show more” reads the next page, although the list reports what is visible before that page is requested', async () => {
  const { createPagedListStore } = await import('../../../../src-renderer/views/transfers/use-paged-list.ts')
  const list = createPagedListStore({ states: ['held'], search: '', newestFirst: false })
  await vi.advanceTimersByTimeAsync(0)
  list.look([], false)
  await bridge.answer('transfers', page(1, PAGE_ROWS))
  list.readMore()
  // A change, after which the rows are rendered and reported again.
  list.look([0], false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(cursors()).toEqual([0, PAGE_ROWS])
  await bridge.answer('transfers', page(PAGE_ROWS + 1, PAGE_ROWS))
  await vi.advanceTimersByTimeAsync(1000)
  // One page for each request.
  expect(cursors()).toEqual([0, PAGE_ROWS])
  list.readMore()
  await vi.advanceTimersByTimeAsync(1000)
  expect(cursors()).toEqual([0, PAGE_ROWS, 2 * PAGE_ROWS])
  list.close()
})

it('a row that changes while a page is read stays, although the answer is older, and the page is read again', async () => {
  const { createPagedListStore } = await import('../../../../src-renderer/views/transfers/use-paged-list.ts')
  const list = createPagedListStore({ states: ['held'], search: '', newestFirst: false })
  const ids = (): number[] => list.get().pages.flatMap((one) => one.rows?.map((row) => row.id) ?? [])
  const change = (...changedTransfers: readonly Transfer[]): void =>
    appStore.setState(({ transfersVersion }) => ({
      changedTransfers,
      transfersVersion: transfersVersion + 1,
    }))
  await vi.advanceTimersByTimeAsync(0)
  await bridge.answer('transfers', page(1, 2))
  change()
  await vi.advanceTimersByTimeAsync(1000)
  expect(cursors()).toEqual([0, 0])
  change(transfer({ id: 3, state: 'held', reason: 'secret' }))
  change(transfer({ id: 1, state: 'queued' }))
  expect(ids()).toEqual([2, 3])
  await bridge.answer('transfers', page(1, 2))
  expect(ids()).toEqual([2, 3])
  await vi.advanceTimersByTimeAsync(1000)
  await bridge.answer('transfers', page(2, 2))
  expect(ids()).toEqual([2, 3])
  await vi.advanceTimersByTimeAsync(1000)
  expect(cursors()).toEqual([0, 0, 0])
  list.close()
})

it('changed pages are read again at once, even if the clock was set back', async () => {
  const { createPagedListStore } = await import('../../../../src-renderer/views/transfers/use-paged-list.ts')
  const list = createPagedListStore({ states: ['held'], search: '', newestFirst: false })
  await vi.advanceTimersByTimeAsync(0)
  await bridge.answer('transfers', page(1, 2))
  vi.setSystemTime(Date.now() - 3_600_000)
  appStore.setState(({ transfersVersion }) => ({ transfersVersion: transfersVersion + 1 }))
  await vi.advanceTimersByTimeAsync(1000)
  expect(cursors()).toEqual([0, 0])
  list.close()
})
