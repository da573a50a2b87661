// When the pages of a list are read, with a bridge that answers when the test says so: the next page is read once the user has asked for it,
// although what is visible is reported again before.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PAGE_ROWS } from '../../../../src-renderer/views/transfers/paged-list.ts'
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
