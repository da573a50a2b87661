// The selection in the file list. It follows its rows when the list changes. It is cleared if it becomes unclear which rows the user
// selected, because copying a wrong link would be a leak.
import { type Dispatch, type SetStateAction, useEffect, useMemo, useRef, useState } from 'react'
import type { Selection } from '../../../src-shared/app.ts'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { follow, NOTHING_SELECTED, type RowSelection, selectedCount } from '../../lib/range-selection.ts'
import { filesStore } from './files-store.ts'
import { type OffsetPages, PAGE_ROWS, type PagesState } from './offset-pages.ts'

/** Larger selections, and those with rows that aren't in memory, are sent as ranges of the query instead of file IDs. */
const IDS_MAX = 1000

export interface FilesSelection {
  readonly rows: RowSelection
  readonly setRows: Dispatch<SetStateAction<RowSelection>>
  readonly count: number
  /** The selected row, if exactly one is selected and it is in memory. */
  readonly only: RemoteRow | null
  /** The total size; null if no row or more than IDS_MAX are selected, or if one of them isn't in memory or its size isn't known. */
  readonly bytes: number | null
  /** The files that actions apply to; null if nothing is selected. */
  readonly files: Selection | null
}

interface Places {
  readonly pages: OffsetPages
  readonly total: number
  readonly idAt: ReadonlyMap<number, number>
  readonly placeOf: ReadonlyMap<number, number>
}

function placesOf(pages: OffsetPages, state: PagesState): Places {
  const idAt = new Map<number, number>()
  const placeOf = new Map<number, number>()
  for (const [page, rows] of state.pages)
    for (const [i, row] of rows.entries()) {
      idAt.set(page * PAGE_ROWS + i, row.fileId)
      placeOf.set(row.fileId, page * PAGE_ROWS + i)
    }
  return { pages, total: state.total, idAt, placeOf }
}

/**
 * The new index of the row at `index`; -1 if it is gone or was moved out of the loaded rows; null if unknown. If the total is the same, and
 * the row or the one that is now at `index` isn't loaded, the row is assumed not to have moved.
 */
function newPlace(before: Places, after: Places, index: number): number | null {
  const hasSameLength = before.total === after.total
  const id = before.idAt.get(index)
  if (id === undefined) return hasSameLength ? index : null
  const place = after.placeOf.get(id)
  if (place !== undefined) return place
  const idThere = after.idAt.get(index)
  return (idThere !== undefined && idThere !== id) || !hasSameLength ? -1 : index
}

function useFollowedSelection(pages: OffsetPages, state: PagesState): [RowSelection, Dispatch<SetStateAction<RowSelection>>] {
  const [rows, setRows] = useState<RowSelection>(() => filesStore.getState().selection)
  useEffect(() => filesStore.setState({ selection: rows }), [rows])
  const last = useRef<Places>({ pages, total: 0, idAt: new Map(), placeOf: new Map() })
  useEffect(() => {
    const before = last.current
    const after = placesOf(pages, state)
    last.current = after
    if (before.pages !== pages) {
      setRows(NOTHING_SELECTED)
      return
    }
    if (before.total === 0) return
    setRows((now) =>
      selectedCount(now) === 0 && now.active < 0
        ? now
        : follow(now, { before: before.total, after: after.total }, (index) => newPlace(before, after, index)),
    )
  }, [pages, state])
  return [rows, setRows]
}

/** The selected rows; null if one of them isn't in memory or there are too many. */
function knownRows(selection: RowSelection, pages: OffsetPages): readonly RemoteRow[] | null {
  if (selectedCount(selection) > IDS_MAX) return null
  const known: RemoteRow[] = []
  for (const [first, last] of selection.ranges)
    for (let i = first; i <= last; i++) {
      const row = pages.at(i)
      if (row === undefined) return null
      known.push(row)
    }
  return known
}

function sumOfBytes(rows: readonly RemoteRow[]): number | null {
  let sum = 0
  for (const { bytes } of rows) {
    if (bytes === null) return null
    sum += bytes
  }
  return sum
}

/** Keeps the selection in the list and adjusts it when the rows change. `pages` and `state` belong to the query that is shown. */
export function useFilesSelection(pages: OffsetPages, state: PagesState): FilesSelection {
  const [rows, setRows] = useFollowedSelection(pages, state)
  const count = selectedCount(rows)
  const known = useMemo(() => knownRows(rows, pages), [rows, pages, state.version])
  const files = useMemo<Selection | null>(() => {
    if (count === 0) return null
    if (known !== null) return { fileIds: known.map((row) => row.fileId) }
    return { query: pages.query, ranges: rows.ranges.map(([first, last]) => [first, last]) }
  }, [rows, count, pages, known])
  return {
    rows,
    setRows,
    count,
    only: count === 1 ? (pages.at(rows.ranges[0]?.[0] ?? -1) ?? null) : null,
    bytes: known === null || count === 0 ? null : sumOfBytes(known),
    files,
  }
}
