// A long list, paged by ranges of IDs, so that 100,000 rows never have to be in memory at once. Each page
// covers a range of IDs, keeps its rows while they are near the visible part, and can be read again on its
// own. Pure; use-paged-list.ts decides when to read.
import type { Transfer } from '../../../src-shared/model.ts'

export const PAGE_ROWS = 500
/**
 * Maximum number of pages that keep their rows. The others keep only their range of IDs and are read again
 * when they become visible.
 */
const PAGES_KEPT = 12

export interface Page {
  /** The cursor: the page begins after this ID. */
  readonly start: number
  /** The last ID of the page's range; null if the page reaches the end of the list. */
  readonly end: number | null
  /** Null if the rows aren't in memory. `count` is their number, or 1 if it isn't known. */
  readonly rows: readonly Transfer[] | null
  readonly count: number
  /** Whether the rows may have changed since they were read. */
  readonly stale: boolean
}

export interface PagedList {
  readonly newestFirst: boolean
  readonly pages: readonly Page[]
}

/** A list that is shown, and the search that its rows match. */
export interface ShownList {
  readonly paged: PagedList
  readonly search: string
}

/** Whether all lists have been read for the same search and have no stale pages. */
function areSettled(lists: readonly ShownList[]): boolean {
  const isRead = ({ pages }: PagedList): boolean => pages.length > 0 && pages.every((page) => !page.stale)
  return lists.every(({ paged, search }) => search === lists[0]?.search && isRead(paged))
}

/**
 * Returns the search that found nothing, so that the view can say so; null while there are rows. Until all
 * lists have been read, returns the previous result `had`, because the lists may be empty for a moment
 * between a change and the next read.
 */
export function emptyFor(had: string | null, rows: number, lists: readonly ShownList[]): string | null {
  if (rows > 0) return null
  return areSettled(lists) ? (lists[0]?.search ?? null) : had
}

/** Returns the cursor before the first row. IDs are less than 2^53. */
export function firstCursor(newestFirst: boolean): number {
  return newestFirst ? Number.MAX_SAFE_INTEGER : 0
}

/** Returns a list that has no pages, because nothing has been read yet. */
export function emptyList(newestFirst: boolean): PagedList {
  return { newestFirst, pages: [] }
}

/** Whether the end of the list has been read. */
export function isComplete(paged: PagedList): boolean {
  return paged.pages.at(-1)?.end === null
}

/** Returns where the page after the last one read begins, or null if there is no further page. */
export function nextStart(paged: PagedList): number | null {
  const last = paged.pages.at(-1)
  return last === undefined ? firstCursor(paged.newestFirst) : last.end
}

/**
 * Adds the rows read after the cursor `start` (at most PAGE_ROWS) as the next page, or replaces the rows of
 * the page that starts there. If the pages have changed so that neither is possible, returns the list
 * unchanged.
 */
export function takeRows(paged: PagedList, start: number, rows: readonly Transfer[]): PagedList {
  const at = paged.pages.findIndex((page) => page.start === start)
  const full = rows.length >= PAGE_ROWS
  const lastId = rows.at(-1)?.id ?? start
  if (at < 0) {
    if (nextStart(paged) !== start) return paged
    return {
      ...paged,
      pages: [...paged.pages, { start, end: full ? lastId : null, rows, count: rows.length, stale: false }],
    }
  }
  const page = paged.pages[at]
  if (page === undefined) return paged
  const { end } = page
  const inside =
    end === null ? rows : rows.filter((row) => (paged.newestFirst ? row.id >= end : row.id <= end))
  const before = paged.pages.slice(0, at)
  const after = paged.pages.slice(at + 1)
  const now: Page = { start, end, rows: inside, count: inside.length, stale: false }
  // The range may contain more rows than fit into one page.
  const cut = full && inside.length === rows.length && lastId !== end
  return { ...paged, pages: closeUp([...before, ...(cut ? cutAfter(now, lastId, 1) : [now]), ...after]) }
}

/**
 * Ends a page after the row `lastId`. The rest of its range becomes an unread page of about `count` rows. If
 * the page reached the end of the list, no page is added: the rest is read later as the next page.
 */
function cutAfter(page: Page, lastId: number, count: number): readonly Page[] {
  const now: Page = { ...page, end: lastId }
  return page.end === null ? [now] : [now, { start: lastId, end: page.end, rows: null, count, stale: true }]
}

/**
 * Removes empty pages, except one that reaches the end of the list. The next page takes over the range of a
 * removed one.
 */
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

/** Whether the range of a page contains an ID. */
function covers(newestFirst: boolean, { start, end }: Page, id: number): boolean {
  return newestFirst ? id < start && (end === null || id >= end) : id > start && (end === null || id <= end)
}

/**
 * Applies changed transfers to the pages in memory: adds or replaces those that belong to this list, and
 * removes the others. Otherwise, a row that moves to another list would disappear until that list is read
 * again. Pages that aren't visible aren't read again, so a page that has become too long is cut here.
 */
export function putChanged(
  paged: PagedList,
  changed: readonly Transfer[],
  belongs: (row: Transfer) => boolean,
): PagedList {
  const latest = new Map(changed.map((row) => [row.id, row]))
  let hasChanged = false
  const pages = paged.pages.flatMap((page) => {
    if (page.rows === null) return [page]
    const own = [...latest.values()].filter((row) => covers(paged.newestFirst, page, row.id) && belongs(row))
    if (own.length === 0 && !page.rows.some((row) => latest.has(row.id))) return [page]
    hasChanged = true
    const rows = [...page.rows.filter((row) => !latest.has(row.id)), ...own]
    rows.sort((a, b) => (paged.newestFirst ? b.id - a.id : a.id - b.id))
    return cutAtFull({ ...page, rows, count: rows.length }, rows)
  })
  return hasChanged ? { ...paged, pages: closeUp(pages) } : paged
}

/** Cuts a page that has more than PAGE_ROWS rows after the last row that fits. */
function cutAtFull(page: Page, rows: readonly Transfer[]): readonly Page[] {
  const lastId = rows[PAGE_ROWS - 1]?.id
  if (rows.length <= PAGE_ROWS || lastId === undefined) return [page]
  return cutAfter(
    { ...page, rows: rows.slice(0, PAGE_ROWS), count: PAGE_ROWS },
    lastId,
    rows.length - PAGE_ROWS,
  )
}

/** Marks all pages as possibly changed. */
export function markStale(paged: PagedList): PagedList {
  return paged.pages.every((page) => page.stale)
    ? paged
    : { ...paged, pages: paged.pages.map((page) => ({ ...page, stale: true })) }
}

/** If more than PAGES_KEPT pages have rows, drops the rows of those farthest from the visible ones. */
export function dropFarPages(paged: PagedList, seen: ReadonlySet<number>): PagedList {
  const held = paged.pages.flatMap((page, index) => (page.rows === null ? [] : [index]))
  if (held.length <= PAGES_KEPT) return paged
  const inSight = paged.pages.flatMap((page, index) => (seen.has(page.start) ? [index] : []))
  const centre = inSight.length === 0 ? 0 : ((inSight[0] ?? 0) + (inSight.at(-1) ?? 0)) / 2
  const far = new Set(
    held.toSorted((a, b) => Math.abs(b - centre) - Math.abs(a - centre)).slice(0, held.length - PAGES_KEPT),
  )
  return {
    ...paged,
    pages: paged.pages.map((page, index) =>
      far.has(index) && !seen.has(page.start) ? { ...page, rows: null } : page,
    ),
  }
}

/**
 * Returns the start of the page to read next; null if there is none. A visible page without rows comes first,
 * then a stale page that is visible or the first of the list. If the end is visible, the page after the last
 * one follows, or the last page if it is stale.
 */
export function nextToRead(paged: PagedList, seen: ReadonlySet<number>, atEnd: boolean): number | null {
  if (paged.pages.length === 0) return firstCursor(paged.newestFirst)
  const missing = paged.pages.find((page) => seen.has(page.start) && page.rows === null)
  if (missing !== undefined) return missing.start
  const stale = paged.pages.find(
    (page) => page.stale && (seen.has(page.start) || page.start === firstCursor(paged.newestFirst)),
  )
  if (stale !== undefined) return stale.start
  const last = paged.pages.at(-1)
  // New rows of the queue belong to the last page. Read that page again even if it is empty and therefore
  // never visible.
  if (last?.end === null) return last.stale && atEnd ? last.start : null
  return atEnd ? nextStart(paged) : null
}
