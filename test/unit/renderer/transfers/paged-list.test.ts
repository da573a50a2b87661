// The pages of a long list: what is read next, the effects of a changed list, and that no row is ever lost or
// duplicated between two pages. The last test compares a queue that shrinks and grows with a list in memory.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dropFarPages,
  emptyFor,
  emptyList,
  firstCursor,
  isComplete,
  markStale,
  nextStart,
  nextToRead,
  PAGE_ROWS,
  type PagedList,
  putChanged,
  takeRows,
} from '../../../../src-renderer/views/transfers/paged-list.ts'
import type { Transfer } from '../../../../src-shared/model.ts'
import { transfer } from './sample.ts'

const rows = (from: number, to: number): Transfer[] =>
  Array.from({ length: to - from + 1 }, (_, i) => transfer({ id: from + i }))
const NONE: ReadonlySet<number> = new Set()

/** The engine's answer. */
function answer(all: readonly number[], paged: PagedList, start: number): Transfer[] {
  const ids = paged.newestFirst
    ? all.filter((id) => id < start).toSorted((a, b) => b - a)
    : all.filter((id) => id > start).toSorted((a, b) => a - b)
  return ids.slice(0, PAGE_ROWS).map((id) => transfer({ id }))
}

const idsOf = (paged: PagedList): number[] =>
  paged.pages.flatMap((page) => page.rows?.map((row) => row.id) ?? [])

describe('a paged that is read', () => {
  it('begins at the first cursor, whatever is in sight', () => {
    expect(nextToRead(emptyList(false), NONE, false)).toBe(0)
    expect(nextToRead(emptyList(true), NONE, false)).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('goes on only where its end is in sight, and is whole after a page that is not full', () => {
    let paged = takeRows(emptyList(false), 0, rows(1, PAGE_ROWS))
    expect(isComplete(paged)).toBe(false)
    expect(nextToRead(paged, new Set([0]), false)).toBeNull()
    expect(nextToRead(paged, new Set([0]), true)).toBe(PAGE_ROWS)
    paged = takeRows(paged, PAGE_ROWS, rows(PAGE_ROWS + 1, PAGE_ROWS + 3))
    expect(isComplete(paged)).toBe(true)
    expect(nextStart(paged)).toBeNull()
    expect(nextToRead(paged, new Set([0]), true)).toBeNull()
  })

  it('takes an empty list for whole', () => {
    expect(isComplete(takeRows(emptyList(true), firstCursor(true), []))).toBe(true)
  })

  it('takes no answer for a place that is not in it', () => {
    const paged = takeRows(emptyList(false), 0, rows(1, 3))
    expect(takeRows(paged, 77, rows(78, 80))).toBe(paged)
  })
})

describe('a view without rows', () => {
  const read = takeRows(emptyList(false), 0, [])
  const now = { paged: read, search: 'a' }
  const changed = { paged: markStale(read), search: 'a' }
  const unread = { paged: emptyList(false), search: 'a' }
  const before = { paged: read, search: '' }

  it.each([
    ['says that nothing was found, once all lists were read', null, 0, [now, now], 'a'],
    ['says nothing while one was not read', null, 0, [now, unread], null],
    ['says nothing between a change and the next read', null, 0, [now, changed], null],
    ['says what it said until then', 'a', 0, [now, changed], 'a'],
    [
      'goes on to say it of the search before, until there are answers to the new one',
      '',
      0,
      [before, now],
      '',
    ],
    [
      'says nothing of a new search while a list has the rows of the one before',
      null,
      0,
      [before, now],
      null,
    ],
    ['no longer says it once there is a row', 'a', 1, [now, now], null],
  ])('%s', (_what, had, count, lists, said) => {
    expect(emptyFor(had, count, lists)).toBe(said)
  })
})

describe('a paged whose rows change', () => {
  const isDone = (row: Transfer): boolean => row.state === 'done'
  const done = (id: number, name = `${id}.txt`): Transfer => transfer({ id, name, state: 'done' })

  it('shows a row at once that moves into it, in its place', () => {
    const ended = takeRows(emptyList(true), firstCursor(true), [done(9), done(3)])
    const after = putChanged(ended, [done(5), transfer({ id: 7, state: 'queued' })], isDone)
    expect(idsOf(after)).toEqual([9, 5, 3])
    expect(after.pages[0]?.count).toBe(3)
  })

  it('replaces a row that it has, and removes one that moves to another list', () => {
    const ended = takeRows(emptyList(true), firstCursor(true), [done(9), done(3)])
    const after = putChanged(ended, [done(9, 'new'), transfer({ id: 3, state: 'uploading' })], isDone)
    expect(after.pages[0]?.rows?.map((row) => [row.id, row.name])).toEqual([[9, 'new']])
  })

  it('adds a row to the page whose range contains it, and to none that is not in memory', () => {
    const all = rows(1, PAGE_ROWS).map((row) => ({ ...row, id: row.id * 2 }))
    let queue = takeRows(emptyList(false), 0, all)
    queue = takeRows(queue, 2 * PAGE_ROWS, [transfer({ id: 2 * PAGE_ROWS + 2 })])
    const after = putChanged(queue, [transfer({ id: 5 }), transfer({ id: 2 * PAGE_ROWS + 1 })], () => true)
    expect(after.pages.map((page) => page.count)).toEqual([PAGE_ROWS, 1, 2])
    const away = { ...queue, pages: queue.pages.map((page) => ({ ...page, rows: null })) }
    expect(putChanged(away, [transfer({ id: 5 })], () => true)).toBe(away)
  })

  it('keeps no more rows of a page than were read at once, and reads the others when they are in sight', () => {
    let queue = takeRows(emptyList(false), 0, rows(1, PAGE_ROWS))
    queue = takeRows(queue, PAGE_ROWS, rows(PAGE_ROWS + 1, PAGE_ROWS + 10))
    const after = markStale(putChanged(queue, rows(PAGE_ROWS + 11, PAGE_ROWS * 20), () => true))
    expect(after.pages.map((page) => page.count)).toEqual([PAGE_ROWS, PAGE_ROWS])
    expect(isComplete(after)).toBe(false)
    expect(nextStart(after)).toBe(PAGE_ROWS * 2)
    expect(putChanged(after, rows(PAGE_ROWS * 20 + 1, PAGE_ROWS * 30), () => true).pages).toEqual(after.pages)
  })

  it('stays the same object if nothing of it changed', () => {
    const ended = takeRows(emptyList(true), firstCursor(true), [done(9)])
    expect(putChanged(ended, [transfer({ id: 4, state: 'queued' })], isDone)).toBe(ended)
    expect(putChanged(ended, [], isDone)).toBe(ended)
  })
})

describe('a paged whose list changes', () => {
  it('reads again what is in sight, and the first page always', () => {
    let paged = takeRows(emptyList(false), 0, rows(1, PAGE_ROWS))
    paged = takeRows(paged, PAGE_ROWS, rows(PAGE_ROWS + 1, PAGE_ROWS * 2))
    paged = markStale(paged)
    expect(nextToRead(paged, new Set([PAGE_ROWS]), false)).toBe(0)
    paged = takeRows(paged, 0, rows(1, PAGE_ROWS))
    expect(nextToRead(paged, new Set([PAGE_ROWS]), false)).toBe(PAGE_ROWS)
    expect(nextToRead(paged, NONE, false)).toBeNull()
  })

  it('keeps each page to its range when rows before it are gone', () => {
    let paged = takeRows(emptyList(false), 0, rows(1, PAGE_ROWS))
    paged = takeRows(paged, PAGE_ROWS, rows(PAGE_ROWS + 1, PAGE_ROWS + 10))
    paged = takeRows(paged, 0, rows(100, PAGE_ROWS + 10))
    expect(idsOf(paged)).toEqual(rows(100, PAGE_ROWS + 10).map((row) => row.id))
  })

  it('drops a page that ran empty; the next one takes its place', () => {
    let paged = takeRows(emptyList(false), 0, rows(1, PAGE_ROWS))
    paged = takeRows(paged, PAGE_ROWS, rows(PAGE_ROWS + 1, PAGE_ROWS + 10))
    paged = takeRows(paged, 0, rows(PAGE_ROWS + 1, PAGE_ROWS + 10))
    expect(paged.pages).toHaveLength(1)
    expect(paged.pages[0]?.start).toBe(0)
    expect(idsOf(paged)).toHaveLength(10)
  })

  it('cuts a page in two when more came into its range than it holds', () => {
    const even = Array.from({ length: PAGE_ROWS }, (_, i) => (i + 1) * 2)
    let paged = takeRows(
      emptyList(false),
      0,
      even.map((id) => transfer({ id })),
    )
    paged = takeRows(paged, 0, rows(1, PAGE_ROWS))
    expect(paged.pages.map((page) => [page.start, page.end, page.rows === null])).toEqual([
      [0, PAGE_ROWS, false],
      [PAGE_ROWS, PAGE_ROWS * 2, true],
    ])
    expect(nextToRead(paged, new Set([PAGE_ROWS]), false)).toBe(PAGE_ROWS)
  })

  it('lets go of rows far from what is in sight and keeps their places', () => {
    let paged = emptyList(false)
    for (let page = 0; page < 20; page++)
      paged = takeRows(paged, page * PAGE_ROWS, rows(page * PAGE_ROWS + 1, (page + 1) * PAGE_ROWS))
    paged = dropFarPages(paged, new Set([18 * PAGE_ROWS]))
    expect(paged.pages.filter((page) => page.rows !== null)).toHaveLength(12)
    expect(paged.pages[0]).toMatchObject({ rows: null, count: PAGE_ROWS })
    expect(paged.pages[18]?.rows).toHaveLength(PAGE_ROWS)
    expect(nextToRead(paged, new Set([0]), false)).toBe(0)
  })

  it('shows each row once when it has come to rest, however the list changed before', () => {
    const change = fc.array(fc.integer({ min: 1, max: 2500 }), { maxLength: 1500, size: 'max' })
    fc.assert(
      fc.property(fc.boolean(), fc.array(change, { minLength: 1, maxLength: 4 }), (newestFirst, states) => {
        let paged = emptyList(newestFirst)
        let all: number[] = []
        for (const state of states) {
          const named = new Set([...all, ...state])
          const next = new Set(state)
          all = [...next]
          // Some of the changes were named by events, others weren't.
          const events = [...named].filter((id) => id % 3 !== 0).map((id) => transfer({ id }))
          paged = markStale(putChanged(paged, events, (row) => next.has(row.id)))
          expect(new Set(idsOf(paged)).size).toBe(idsOf(paged).length)
          expect(Math.max(0, ...paged.pages.map((page) => page.rows?.length ?? 0))).toBeLessThanOrEqual(
            PAGE_ROWS,
          )
          for (let asked = 0; ; asked++) {
            expect(asked).toBeLessThan(50)
            const start = nextToRead(paged, new Set(paged.pages.map((page) => page.start)), true)
            if (start === null) break
            paged = takeRows(paged, start, answer(all, paged, start))
          }
          expect(idsOf(paged)).toEqual(all.toSorted((a, b) => (newestFirst ? b - a : a - b)))
          expect(isComplete(paged)).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })
})
