// Pages of a long list: what is read next, what a changed list does to them, and that no row is ever lost or doubled between two pages.
// The last test plays a queue that drains and grows against a list in memory.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Book,
  firstCursor,
  isWhole,
  letGo,
  markStale,
  nextStart,
  openBook,
  PAGE_ROWS,
  takeRows,
  wanted,
} from '../../../../src-renderer/views/transfers/book.ts'
import type { Transfer } from '../../../../src-shared/model.ts'
import { transfer } from './sample.ts'

const rows = (from: number, to: number): Transfer[] => Array.from({ length: to - from + 1 }, (_, i) => transfer({ id: from + i }))
const NONE: ReadonlySet<number> = new Set()

/** What the engine answers. */
function answer(all: readonly number[], book: Book, start: number): Transfer[] {
  const ids = book.newestFirst
    ? all.filter((id) => id < start).toSorted((a, b) => b - a)
    : all.filter((id) => id > start).toSorted((a, b) => a - b)
  return ids.slice(0, PAGE_ROWS).map((id) => transfer({ id }))
}

const idsOf = (book: Book): number[] => book.pages.flatMap((page) => page.rows?.map((row) => row.id) ?? [])

describe('a book that is read', () => {
  it('begins at the first cursor, whatever is in sight', () => {
    expect(wanted(openBook(false), NONE, false)).toBe(0)
    expect(wanted(openBook(true), NONE, false)).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('goes on only where its end is in sight, and is whole after a page that is not full', () => {
    let book = takeRows(openBook(false), 0, rows(1, PAGE_ROWS))
    expect(isWhole(book)).toBe(false)
    expect(wanted(book, new Set([0]), false)).toBeNull()
    expect(wanted(book, new Set([0]), true)).toBe(PAGE_ROWS)
    book = takeRows(book, PAGE_ROWS, rows(PAGE_ROWS + 1, PAGE_ROWS + 3))
    expect(isWhole(book)).toBe(true)
    expect(nextStart(book)).toBeNull()
    expect(wanted(book, new Set([0]), true)).toBeNull()
  })

  it('takes an empty list for whole', () => {
    expect(isWhole(takeRows(openBook(true), firstCursor(true), []))).toBe(true)
  })

  it('takes no answer for a place that is not in it', () => {
    const book = takeRows(openBook(false), 0, rows(1, 3))
    expect(takeRows(book, 77, rows(78, 80))).toBe(book)
  })
})

describe('a book whose list changes', () => {
  it('reads again what is in sight, and the first page always', () => {
    let book = takeRows(openBook(false), 0, rows(1, PAGE_ROWS))
    book = takeRows(book, PAGE_ROWS, rows(PAGE_ROWS + 1, PAGE_ROWS * 2))
    book = markStale(book)
    expect(wanted(book, new Set([PAGE_ROWS]), false)).toBe(0)
    book = takeRows(book, 0, rows(1, PAGE_ROWS))
    expect(wanted(book, new Set([PAGE_ROWS]), false)).toBe(PAGE_ROWS)
    expect(wanted(book, NONE, false)).toBeNull()
  })

  it('keeps each page to its range when rows before it are gone', () => {
    let book = takeRows(openBook(false), 0, rows(1, PAGE_ROWS))
    book = takeRows(book, PAGE_ROWS, rows(PAGE_ROWS + 1, PAGE_ROWS + 10))
    book = takeRows(book, 0, rows(100, PAGE_ROWS + 10))
    expect(idsOf(book)).toEqual(rows(100, PAGE_ROWS + 10).map((row) => row.id))
  })

  it('drops a page that ran empty; the next one takes its place', () => {
    let book = takeRows(openBook(false), 0, rows(1, PAGE_ROWS))
    book = takeRows(book, PAGE_ROWS, rows(PAGE_ROWS + 1, PAGE_ROWS + 10))
    book = takeRows(book, 0, rows(PAGE_ROWS + 1, PAGE_ROWS + 10))
    expect(book.pages).toHaveLength(1)
    expect(book.pages[0]?.start).toBe(0)
    expect(idsOf(book)).toHaveLength(10)
  })

  it('cuts a page in two when more came into its range than it holds', () => {
    const even = Array.from({ length: PAGE_ROWS }, (_, i) => (i + 1) * 2)
    let book = takeRows(
      openBook(false),
      0,
      even.map((id) => transfer({ id })),
    )
    book = takeRows(book, 0, rows(1, PAGE_ROWS))
    expect(book.pages.map((page) => [page.start, page.end, page.rows === null])).toEqual([
      [0, PAGE_ROWS, false],
      [PAGE_ROWS, PAGE_ROWS * 2, true],
    ])
    expect(wanted(book, new Set([PAGE_ROWS]), false)).toBe(PAGE_ROWS)
  })

  it('lets go of rows far from what is in sight and keeps their places', () => {
    let book = openBook(false)
    for (let page = 0; page < 20; page++) book = takeRows(book, page * PAGE_ROWS, rows(page * PAGE_ROWS + 1, (page + 1) * PAGE_ROWS))
    book = letGo(book, new Set([18 * PAGE_ROWS]))
    expect(book.pages.filter((page) => page.rows !== null)).toHaveLength(12)
    expect(book.pages[0]).toMatchObject({ rows: null, count: PAGE_ROWS })
    expect(book.pages[18]?.rows).toHaveLength(PAGE_ROWS)
    expect(wanted(book, new Set([0]), false)).toBe(0)
  })

  it('shows each row once when it has come to rest, however the list changed before', () => {
    const change = fc.array(fc.integer({ min: 1, max: 2500 }), { maxLength: 1500, size: 'max' })
    fc.assert(
      fc.property(fc.boolean(), fc.array(change, { minLength: 1, maxLength: 4 }), (newestFirst, states) => {
        let book = openBook(newestFirst)
        let all: number[] = []
        for (const state of states) {
          all = [...new Set(state)]
          book = markStale(book)
          for (let asked = 0; ; asked++) {
            expect(asked).toBeLessThan(50)
            const start = wanted(book, new Set(book.pages.map((page) => page.start)), true)
            if (start === null) break
            book = takeRows(book, start, answer(all, book, start))
          }
          expect(idsOf(book)).toEqual(all.toSorted((a, b) => (newestFirst ? b - a : a - b)))
          expect(isWhole(book)).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })
})
