// The pages of the list, with a bridge that answers when the test says so: each is requested once, kept while
// newer ones are loading, and dropped when it is far away. Requests in progress during a change must be
// repeated.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  catalogInput,
  createOffsetPages,
  isEmpty,
  PAGE_ROWS,
} from '../../../../src-renderer/views/files/offset-pages.ts'
import { procedures } from '../../../../src-shared/engine-contract.ts'
import type { ListQuery } from '../../../../src-shared/window-contract.ts'
import { remoteRow } from '../../views.ts'
import { type FakeBridge, installBridge, ok, REFUSED } from '../fake-bridge.ts'

const QUERY: ListQuery = {
  search: '',
  kind: null,
  since: null,
  unopened: false,
  folderId: null,
  sort: 'date',
  descending: true,
}
let bridge: FakeBridge

beforeEach(() => {
  bridge = installBridge()
})

const page = (first: number, total = 100_000, count = PAGE_ROWS) =>
  ok({ rows: Array.from({ length: count }, (_, i) => remoteRow(first + i)), total, asOf: 5 })
const offsets = (): number[] => bridge.calls.map((one) => (one.input as { readonly offset: number }).offset)

describe('catalogInput', () => {
  it.each<[string, ListQuery, Record<string, unknown>]>([
    [
      'plain',
      QUERY,
      { search: '', unopened: false, sort: 'date', descending: true, offset: 0, limit: 9, fresh: 'cache' },
    ],
    [
      'cut',
      { ...QUERY, kind: 'video', since: 7 },
      {
        search: '',
        unopened: false,
        sort: 'date',
        descending: true,
        kind: 'video',
        since: 7,
        offset: 0,
        limit: 9,
        fresh: 'cache',
      },
    ],
  ])('%s', (_name, query, expected) => {
    const input = catalogInput(query, 0, 9)
    expect(input).toEqual(expected)
    // The engine's own interface doesn't accept nulls.
    expect(procedures.catalog.input.safeParse(input).success).toBe(true)
  })
})

describe('rows', () => {
  it('asks for the pages in sight, each once', async () => {
    const rows = createOffsetPages(QUERY)
    rows.want(50, 250)
    rows.want(50, 250)
    expect(offsets()).toEqual([0, 100, 200])
    await bridge.answer('catalog', page(1000))
    rows.want(0, 120)
    expect(offsets()).toEqual([0, 100, 200])
    expect(rows.at(99)?.fileId).toBe(1099)
    expect(rows.at(100)).toBeUndefined()
    expect(rows.get()).toMatchObject({ total: 100_000, asOf: 5, answered: true, failure: null })
  })

  it('tells every listener of every answer, and none that left', async () => {
    const rows = createOffsetPages(QUERY)
    const heard = vi.fn()
    const leave = rows.subscribe(heard)
    rows.want(0, 150)
    await bridge.answer('catalog', page(0))
    const { version } = rows.get()
    expect(heard).toHaveBeenCalledTimes(1)
    leave()
    await bridge.answer('catalog', page(100))
    expect(heard).toHaveBeenCalledTimes(1)
    expect(rows.get().version).toBeGreaterThan(version)
  })

  it('are said to be none only after an answer, not after a refusal', async () => {
    const rows = createOffsetPages(QUERY)
    expect(isEmpty(rows.get())).toBe(false)
    rows.want(0, 10)
    await bridge.answer('catalog', REFUSED)
    expect(rows.get()).toMatchObject({ answered: true, total: 0 })
    expect(isEmpty(rows.get())).toBe(false)
    rows.renew()
    await bridge.answer('catalog', page(0, 0, 0))
    expect(isEmpty(rows.get())).toBe(true)
    rows.renew()
    await bridge.answer('catalog', REFUSED)
    expect(isEmpty(rows.get())).toBe(true)
  })

  it('a refusal is told and keeps what is shown', async () => {
    const rows = createOffsetPages(QUERY)
    rows.want(0, 10)
    await bridge.answer('catalog', page(1000))
    rows.renew()
    await bridge.answer('catalog', REFUSED)
    expect(rows.get()).toMatchObject({ answered: true, failure: { code: 'no-connection' }, total: 100_000 })
    expect(rows.at(0)?.fileId).toBe(1000)
    rows.renew()
    await bridge.answer('catalog', page(2000))
    expect(rows.get().failure).toBeNull()
    expect(rows.at(0)?.fileId).toBe(2000)
  })

  it('renews what is in sight at once and the rest when it comes into sight', async () => {
    const rows = createOffsetPages(QUERY)
    rows.want(0, 250)
    for (const first of [0, 100, 200]) await bridge.answer('catalog', page(first))
    rows.want(0, 20)
    rows.renew()
    expect(offsets().slice(3)).toEqual([0])
    await bridge.answer('catalog', page(5000))
    expect(rows.at(0)?.fileId).toBe(5000)
    // Outdated, but better than an empty row.
    expect(rows.at(150)?.fileId).toBe(150)
    rows.want(100, 120)
    expect(offsets().slice(4)).toEqual([100])
  })

  it('asks again for what changed while its answer was on its way', async () => {
    const rows = createOffsetPages(QUERY)
    rows.want(0, 10)
    rows.renew()
    expect(offsets()).toEqual([0])
    await bridge.answer('catalog', page(1000))
    expect(offsets()).toEqual([0, 0])
    await bridge.answer('catalog', page(2000))
    expect(rows.at(0)?.fileId).toBe(2000)
    expect(bridge.open).toEqual([])
  })

  it('asks again after a refusal of what changed while it was on its way', async () => {
    const rows = createOffsetPages(QUERY)
    rows.want(0, 10)
    rows.renew()
    await bridge.answer('catalog', REFUSED)
    rows.want(0, 10)
    expect(offsets()).toEqual([0, 0])
  })

  it('keeps no more than 60 pages of 100,000 rows, and always those in sight', async () => {
    const rows = createOffsetPages(QUERY)
    for (let first = 0; first < 100; first++) {
      rows.want(first * PAGE_ROWS, first * PAGE_ROWS + 10)
      await bridge.answer('catalog', page(first * PAGE_ROWS))
      expect(rows.at(first * PAGE_ROWS)?.fileId).toBe(first * PAGE_ROWS)
      expect(rows.get().pages.size).toBeLessThanOrEqual(60)
    }
    expect(rows.at(0)).toBeUndefined()
    expect(rows.at(99 * PAGE_ROWS)?.fileId).toBe(99 * PAGE_ROWS)
  })
})
