// A long list as pages of id ranges, so that 100,000 rows never have to be here: each page knows where it starts and ends, keeps its rows
// while they are near, and can be asked again by itself. Pure; who fetches and when is book-store.ts.
import type { Transfer } from '../../../src-shared/model.ts'

export const PAGE_ROWS = 500
/** Pages that keep their rows; others keep their place and are asked again when they come into sight. */
const PAGES_KEPT = 12

export interface Page {
  /** Cursor that the page begins behind: not part of it. */
  readonly start: number
  /** Last id of the page; null: it goes on to the end of the list. */
  readonly end: number | null
  /** Null: its rows are not here; `count` places are kept for them. */
  readonly rows: readonly Transfer[] | null
  readonly count: number
  /** Something may have changed since it was read. */
  readonly stale: boolean
}

export interface Book {
  readonly newestFirst: boolean
  readonly pages: readonly Page[]
}

/** Cursor before the first row. Ids are below 2^53. */
export function firstCursor(newestFirst: boolean): number {
  return newestFirst ? Number.MAX_SAFE_INTEGER : 0
}

export function openBook(newestFirst: boolean): Book {
  return { newestFirst, pages: [] }
}

/** Whether the last row of the list is on a page that was read. */
export function isWhole(book: Book): boolean {
  return book.pages.at(-1)?.end === null
}

/** Where the page that comes next begins; null: there is none. */
export function nextStart(book: Book): number | null {
  const last = book.pages.at(-1)
  return last === undefined ? firstCursor(book.newestFirst) : last.end
}

/** Takes the rows that were read from `start` on, at most PAGE_ROWS. An answer for a page that is not here any more changes nothing. */
export function takeRows(book: Book, start: number, rows: readonly Transfer[]): Book {
  const at = book.pages.findIndex((page) => page.start === start)
  const full = rows.length >= PAGE_ROWS
  const lastId = rows.at(-1)?.id ?? start
  if (at < 0) {
    if (nextStart(book) !== start) return book
    return { ...book, pages: [...book.pages, { start, end: full ? lastId : null, rows, count: rows.length, stale: false }] }
  }
  const page = book.pages[at]
  if (page === undefined) return book
  const { end } = page
  const inside = end === null ? rows : rows.filter((row) => (book.newestFirst ? row.id >= end : row.id <= end))
  const before = book.pages.slice(0, at)
  const after = book.pages.slice(at + 1)
  // More rows came into this range than one page holds: the rest of the range is a page of its own, not read yet.
  const cut = full && inside.length === rows.length && lastId !== end
  const now: Page = { start, end: cut ? lastId : end, rows: inside, count: inside.length, stale: false }
  const rest: readonly Page[] = cut && end !== null ? [{ start: lastId, end, rows: null, count: 1, stale: true }] : []
  return { ...book, pages: closeUp([...before, now, ...rest, ...after]) }
}

/** Pages without rows go, except an open last one; the page behind takes over their range. */
function closeUp(pages: readonly Page[]): readonly Page[] {
  const kept: Page[] = []
  let start: number | null = null
  for (const page of pages) {
    const from: number = start ?? page.start
    if (page.count === 0 && page.end !== null) {
      start = from
      continue
    }
    kept.push(from === page.start ? page : { ...page, start: from })
    start = null
  }
  return kept
}

/** Everything may have changed. */
export function markStale(book: Book): Book {
  return book.pages.every((page) => page.stale) ? book : { ...book, pages: book.pages.map((page) => ({ ...page, stale: true })) }
}

/** Lets go of the rows of pages far from those in sight. */
export function letGo(book: Book, seen: ReadonlySet<number>): Book {
  const held = book.pages.flatMap((page, index) => (page.rows === null ? [] : [index]))
  if (held.length <= PAGES_KEPT) return book
  const inSight = book.pages.flatMap((page, index) => (seen.has(page.start) ? [index] : []))
  const centre = inSight.length === 0 ? 0 : ((inSight[0] ?? 0) + (inSight.at(-1) ?? 0)) / 2
  const far = new Set(held.toSorted((a, b) => Math.abs(b - centre) - Math.abs(a - centre)).slice(0, held.length - PAGES_KEPT))
  return { ...book, pages: book.pages.map((page, index) => (far.has(index) && !seen.has(page.start) ? { ...page, rows: null } : page)) }
}

/** What to read next: a page in sight that is stale or not here, else the next page where the end is in sight. Null: nothing. */
export function wanted(book: Book, seen: ReadonlySet<number>, atEnd: boolean): number | null {
  if (book.pages.length === 0) return firstCursor(book.newestFirst)
  const missing = book.pages.find((page) => seen.has(page.start) && page.rows === null)
  if (missing !== undefined) return missing.start
  const stale = book.pages.find((page) => page.stale && (seen.has(page.start) || page.start === firstCursor(book.newestFirst)))
  if (stale !== undefined) return stale.start
  const last = book.pages.at(-1)
  // An open last page is where new rows of the queue appear: it is kept fresh although it may be empty and so never in sight.
  if (last?.end === null) return last.stale && atEnd ? last.start : null
  return atEnd ? nextStart(book) : null
}
