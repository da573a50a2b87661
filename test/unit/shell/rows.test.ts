// Converts a selection to rows: IDs keep their order, and ranges are read page by page. The calls to the
// engine are compared with the selection. Missing rows are omitted, and for a selection by IDs counted.
import { describe, expect, it } from 'vitest'
import { selectedRows, transfersByIds } from '../../../src-main/shell/window/rows.ts'
import type { RemoteRow } from '../../../src-shared/model.ts'
import type { ListQuery } from '../../../src-shared/window-contract.ts'
import { remoteRow as remote } from '../views.ts'
import { fakeLink, GONE } from './fake-link.ts'

const QUERY: ListQuery = {
  search: 'a',
  kind: null,
  since: null,
  unopened: false,
  folderId: null,
  sort: 'date',
  descending: true,
}

/** Selected in a list that hasn't changed since. */
const SOME = { isAll: false, revision: 'r1' }
const ALL = { ...SOME, isAll: true }
const FOR_DELETING = { canGrow: false }
const FOR_COPYING = { canGrow: true }

/** A list with this many rows. The row at index i has the ID 1000 + i. */
function list(total: number, revision = (): string => 'r1') {
  return fakeLink({
    catalog: ({ offset, limit }: { offset: number; limit: number }) => ({
      rows: Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, i) =>
        remote(1000 + offset + i),
      ),
      total,
      asOf: null,
      revision: revision(),
    }),
  })
}
const ids = (rows: readonly RemoteRow[]): RemoteRow['fileId'][] => rows.map((row) => row.fileId)
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => 1000 + first + i)

describe('ranges', () => {
  it.each<[string, number, [number, number][], number[]]>([
    ['one row', 10, [[4, 4]], range(4, 4)],
    ['both ends are in', 10, [[0, 9]], range(0, 9)],
    [
      'several, in their order',
      100,
      [
        [50, 52],
        [3, 4],
      ],
      [...range(50, 52), ...range(3, 4)],
    ],
    ['more than a page', 2000, [[10, 1234]], range(10, 1234)],
    ['beyond the end', 7, [[5, 900]], range(5, 6)],
    ['wholly beyond the end', 7, [[50, 60]], []],
    ['backwards is nothing', 10, [[8, 3]], []],
  ])('%s', async (_name, total, ranges, expected) => {
    const { link, callsOf } = list(total)
    const got = await selectedRows(link, { query: QUERY, ranges, ...SOME }, FOR_DELETING)
    expect(got.ok && ids(got.value.rows)).toEqual(expected)
    expect(got.ok && got.value.asked).toBe(expected.length)
    for (const input of callsOf('catalog') as { limit: number }[])
      expect(input.limit).toBeLessThanOrEqual(500)
  })

  it('100,000 rows are read a page at a time, and no more than 200,000 for one gesture', async () => {
    const small = list(100_000)
    const got = await selectedRows(small.link, { query: QUERY, ranges: [[0, 99_999]], ...ALL }, FOR_DELETING)
    expect(got.ok && got.value.rows).toHaveLength(100_000)
    expect(small.callsOf('catalog')).toHaveLength(200)
    const huge = list(9_000_000)
    const much = await selectedRows(
      huge.link,
      { query: QUERY, ranges: [[0, 8_999_999]], ...ALL },
      FOR_COPYING,
    )
    expect(much.ok && much.value.rows).toHaveLength(200_000)
  })

  it('asks for the same cut and order as the list shows, of what is known', async () => {
    const { link, callsOf } = list(3)
    const query: ListQuery = {
      ...QUERY,
      kind: 'video',
      since: 5,
      unopened: true,
      sort: 'size',
      descending: false,
    }
    await selectedRows(link, { query, ranges: [[0, 2]], ...ALL }, FOR_DELETING)
    expect(callsOf('catalog')).toEqual([
      {
        search: 'a',
        kind: 'video',
        since: 5,
        unopened: true,
        sort: 'size',
        descending: false,
        offset: 0,
        limit: 3,
        fresh: 'cache',
      },
    ])
    await selectedRows(link, { query: QUERY, ranges: [[0, 0]], ...SOME }, FOR_DELETING)
    expect(callsOf('catalog')[1]).not.toHaveProperty('kind')
    expect(callsOf('catalog')[1]).not.toHaveProperty('since')
  })

  it('a page that fails fails it all: half a selection is none', async () => {
    let pages = 0
    const { link } = fakeLink({
      catalog: () =>
        ++pages > 1
          ? GONE
          : {
              rows: Array.from({ length: 500 }, (_, i) => remote(i)),
              total: 900,
              asOf: null,
              revision: 'r1',
            },
    })
    expect(await selectedRows(link, { query: QUERY, ranges: [[0, 899]], ...ALL }, FOR_DELETING)).toEqual(GONE)
  })
})

describe('ranges of a list that has changed', () => {
  const CHANGED = { ok: false, failure: { code: 'usage' } }

  it.each<[string, [number, number][], typeof SOME, { readonly canGrow: boolean }]>([
    ['some rows, to copy', [[3, 5]], SOME, FOR_COPYING],
    ['some rows, to delete', [[3, 5]], SOME, FOR_DELETING],
    ['each of the rows, to copy', [[0, 9]], SOME, FOR_COPYING],
    ['all rows, to delete', [[0, 9]], ALL, FOR_DELETING],
  ])('mean other files: %s', async (_what, ranges, selected, how) => {
    const { link } = list(10, () => 'r2')
    expect(await selectedRows(link, { query: QUERY, ranges, ...selected }, how)).toMatchObject(CHANGED)
    expect(await selectedRows(link, { query: QUERY, ranges, ...selected, revision: '' }, how)).toMatchObject(
      CHANGED,
    )
  })

  it('are refused, too, if it changes between two pages, or if an engine does not say', async () => {
    let reads = 0
    const { link } = list(1200, () => `r${++reads > 2 ? 2 : 1}`)
    expect(
      await selectedRows(link, { query: QUERY, ranges: [[1, 1100]], ...SOME }, FOR_COPYING),
    ).toMatchObject(CHANGED)
    const silent = fakeLink({ catalog: () => ({ rows: [remote(1)], total: 1, asOf: null }) })
    expect(
      await selectedRows(silent.link, { query: QUERY, ranges: [[0, 0]], ...ALL }, FOR_DELETING),
    ).toMatchObject(CHANGED)
  })

  it('copy all of it, each file once, if all of it was selected', async () => {
    let total = 1200
    const { link } = fakeLink({
      // A file is added at the front after each page.
      catalog: ({ offset, limit }: { offset: number; limit: number }) => {
        const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, i) =>
          remote(total - offset - i),
        )
        return { rows, total: total++, asOf: null, revision: `${total}` }
      },
    })
    const got = await selectedRows(link, { query: QUERY, ranges: [[0, 1199]], ...ALL }, FOR_COPYING)
    expect(got.ok && ids(got.value.rows)).toEqual(Array.from({ length: 1200 }, (_, i) => 1200 - i))
  })
})

describe('all rows of a list that changes while it is read', () => {
  /** Reads all of 3,000 files. The list is changed after each page. */
  async function readWhile(changed: (files: readonly number[], page: number) => readonly number[]) {
    let files: readonly number[] = range(0, 2999)
    const before = new Set(files)
    let reads = 0
    const { link, callsOf } = fakeLink({
      catalog: ({ offset, limit }: { offset: number; limit: number }) => {
        const page = files.slice(offset, offset + limit).map((id) => remote(id))
        const answer = { rows: page, total: files.length, asOf: null, revision: `r${reads}` }
        const next = changed(files, reads)
        if (next !== files) reads++
        files = next
        return answer
      },
    })
    const got = await selectedRows(link, { query: QUERY, ranges: [[0, 2999]], ...ALL }, FOR_COPYING)
    const rows = got.ok ? ids(got.value.rows) : []
    return {
      rows,
      missing: files.filter((id) => before.has(id) && !rows.includes(id)),
      calls: callsOf('catalog').length,
    }
  }

  it.each<[string, (files: readonly number[], page: number) => readonly number[]]>([
    ['one is deleted after each page', (files) => files.slice(1)],
    ['many are deleted after each page', (files) => files.slice(200)],
    ['more than a page are deleted at once', (files, page) => (page < 2 ? files.slice(900 * page) : files)],
    [
      'as many are added as deleted',
      (files) => [9000 + (files[0] ?? 0), ...files.slice(2), 20_000 + (files[0] ?? 0)],
    ],
    ['those that were read are deleted', (files, page) => (page === 0 ? files.slice(500) : files)],
    ['some at the end are deleted', (files) => files.slice(0, -300)],
    ['all are deleted', () => []],
  ])('has each that is still there, once: %s', async (_what, changed) => {
    const { rows, missing } = await readWhile(changed)
    expect(missing).toEqual([])
    expect(new Set(rows).size).toBe(rows.length)
  })

  it('costs two more pages for a change that moved files up', async () => {
    expect((await readWhile((files) => files)).calls).toBe(6)
    expect((await readWhile((files, page) => (page === 0 ? files.slice(1) : files))).calls).toBe(8)
  })
})

describe('ids', () => {
  it('are rows in the order of the ids; those that are gone are asked for, but not there', async () => {
    const { link, callsOf } = fakeLink({
      links: ({ selectors }: { selectors: string[] }) =>
        selectors.map((selector) => ({ selector, row: selector === '2' ? null : remote(Number(selector)) })),
    })
    const got = await selectedRows(link, { fileIds: [3, 2, 1] }, FOR_DELETING)
    expect(got).toMatchObject({ value: { asked: 3 } })
    expect(got.ok && ids(got.value.rows)).toEqual([3, 1])
    expect(callsOf('links')).toEqual([{ selectors: ['3', '2', '1'] }])
  })

  it('fail as the engine fails', async () => {
    expect(await selectedRows(fakeLink().link, { fileIds: [1] }, FOR_DELETING)).toEqual(GONE)
  })
})

describe('transfers by their numbers', () => {
  /** Rows with even numbers up to 3000. */
  const evens = () =>
    fakeLink({
      transfers: ({ afterId, limit }: { afterId: number; limit: number }) =>
        Array.from({ length: 1500 }, (_, i) => ({ id: (i + 1) * 2 }))
          .filter((row) => row.id > afterId)
          .slice(0, limit),
    })

  it.each<[string, number[], number[], number]>([
    ['none', [], [], 0],
    ['one', [4], [4], 1],
    ['one that is not known', [5], [], 1],
    ['in the order asked for, with one call for neighbours', [10, 4, 6, 5], [10, 4, 6], 1],
    ['far apart', [2, 3000], [2, 3000], 2],
    ['beyond the last one', [2998, 9000], [2998], 1],
    [
      'all, page by page',
      Array.from({ length: 1500 }, (_, i) => (i + 1) * 2),
      Array.from({ length: 1500 }, (_, i) => (i + 1) * 2),
      3,
    ],
  ])('%s', async (_name, asked, found, calls) => {
    const { link, callsOf } = evens()
    const got = await transfersByIds(link, asked)
    expect(got.ok && got.value.map((row) => row.id)).toEqual(found)
    expect(callsOf('transfers')).toHaveLength(calls)
  })
})
