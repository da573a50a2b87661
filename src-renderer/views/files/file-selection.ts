// Computes which files are selected. If possible, a selection consists of the IDs of the rows that the user
// saw, so that an action can't affect another file that has moved to the same row. A selection that is too
// large, or that contains rows never read, consists only of places, which are row indexes. Unless the user
// selected all files, such a selection is cleared when the list changes, because copying a wrong link would
// be a leak. Pure.

import type { FileId, RemoteRow } from '../../../src-shared/model.ts'
import type { ListQuery, Selection } from '../../../src-shared/window-contract.ts'
import type { Gesture } from '../../lib/list-navigation.ts'
import {
  choose,
  isSelected,
  NOTHING_SELECTED,
  type RowSelection,
  rangesOf,
  selectAll,
  selectedCount,
} from '../../lib/range-selection.ts'
import { PAGE_ROWS, type PagesState, rowAt } from './offset-pages.ts'

/**
 * Larger selections, and those with rows that were never in memory, are sent as ranges of the query instead
 * of file IDs.
 */
const IDS_MAX = 1000

/** Row indexes in the list, by file ID. */
type Places = ReadonlyMap<FileId, number>

export interface FileSelection extends RowSelection {
  /**
   * The selected files with their last known row indexes. Null if none or more than IDS_MAX are selected, or
   * an ID is unknown.
   */
  readonly ids: Places | null
  /** The revision of the list in which the rows are at these places; null if some may have moved. */
  readonly revision: string | null
  /**
   * Whether the user selected all files with one command. If not all IDs are known, files that are added
   * later join the selection.
   */
  readonly isAll: boolean
  /**
   * Whether the user selected all files and then deselected some after the list had changed. The rest may
   * include added files that the user hasn't seen, so the links may be copied, but the files must not be
   * deleted.
   */
  readonly mayHaveGrown: boolean
}

export const NO_FILES_SELECTED: FileSelection = {
  ...NOTHING_SELECTED,
  ids: null,
  revision: null,
  isAll: false,
  mayHaveGrown: false,
}

export type SelectionChange = (had: FileSelection, state: PagesState) => FileSelection

export function countOf(selection: FileSelection): number {
  return selection.ids?.size ?? selectedCount(selection)
}

/** Whether the row that is shown at `index` is selected; `row` is undefined if it isn't in memory. */
export function isFileSelected(selection: FileSelection, index: number, row: RemoteRow | undefined): boolean {
  return selection.ids === null || row === undefined
    ? isSelected(selection, index)
    : selection.ids.has(row.fileId)
}

function indexes({ ranges }: RowSelection): number[] {
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
}

function pageOf(index: number): number {
  return Math.floor(index / PAGE_ROWS)
}

/** Whether the row at this place was read from the current revision of the list. */
function isCurrent({ revision, revisions }: PagesState, index: number): boolean {
  return revisions.get(pageOf(index)) === revision
}

function byPlace(ids: Places | null): ReadonlyMap<number, FileId> {
  return new Map([...(ids ?? [])].map(([id, place]) => [place, id]))
}

/**
 * Returns the IDs of these rows; null if one isn't known, or if there are none or more than IDS_MAX.
 * `isExact`: ignores pages that are out of date.
 */
function idsOf(rows: RowSelection, known: Places | null, state: PagesState, isExact: boolean): Places | null {
  const count = selectedCount(rows)
  if (count === 0 || count > IDS_MAX) return null
  const knownAt = byPlace(known)
  const ids = new Map<FileId, number>()
  for (const index of indexes(rows)) {
    const row = isExact && !isCurrent(state, index) ? undefined : rowAt(state, index)
    const id = row?.fileId ?? knownAt.get(index)
    if (id === undefined) return null
    ids.set(id, index)
  }
  return ids
}

/** Adds a file to the selected ones, or removes it. */
function toggled(ids: Places, { fileId }: RemoteRow, index: number): Places {
  return new Map(ids.has(fileId) ? [...ids].filter(([id]) => id !== fileId) : [...ids, [fileId, index]])
}

/**
 * Returns the change made by a click or key press on the row at `index`. The new places count as certain if
 * that row and the rows that the change depends on are where the user saw them, even if rows between them are
 * out of date.
 */
export function chosen(index: number, gesture: Gesture): SelectionChange {
  return (had, state) => {
    if (gesture === 'move') return { ...had, active: index }
    const isAllBut = gesture === 'toggle' && had.isAll
    const mayHaveGrown =
      gesture === 'toggle' &&
      (had.mayHaveGrown || (had.isAll && had.ids === null && had.revision !== state.revision))
    const rows = { ...choose(had, index, gesture), isAll: false, mayHaveGrown }
    const isHadCertain = had.revision === state.revision
    /** Whether the result doesn't depend on what was selected before. */
    const isFresh = gesture === 'toggle' ? had.ranges.length === 0 : rows.anchor === index
    /** Whether the selected rows and the anchor have moved with their files. */
    const isFollowed = had.ids !== null || had.ranges.length === 0
    const isCertain =
      (isCurrent(state, index) || !state.pages.has(pageOf(index))) &&
      (isFresh ||
        isHadCertain ||
        isAllBut ||
        (gesture === 'extend' && isFollowed && isCurrent(state, rows.anchor)))
    const revision = isCertain ? state.revision : null
    if (!(isCertain || isFresh || isFollowed)) return { ...rows, ids: null, revision }
    const row = rowAt(state, index)
    const ids =
      gesture === 'toggle' && had.ids !== null && row !== undefined
        ? toggled(had.ids, row, index)
        : idsOf(rows, isCertain && !isHadCertain ? null : had.ids, state, isCertain)
    if (ids === null) return { ...rows, ids, revision }
    return {
      ...rows,
      ranges: rangesOf(ids.values()),
      ids: ids.size === 0 || ids.size > IDS_MAX ? null : ids,
      revision,
    }
  }
}

export const allChosen: SelectionChange = (had, state) => {
  const rows = selectAll(had, state.total)
  return {
    ...rows,
    ids: idsOf(rows, null, state, true),
    revision: state.revision,
    isAll: state.total > 0,
    mayHaveGrown: false,
  }
}

/**
 * Deselects all rows. The active row index stays the same, or becomes that of the last row if the list is now
 * shorter, so that the arrow keys continue from there.
 */
export const cleared: SelectionChange = (had, { total }) => {
  const active = Math.min(had.active, total - 1)
  return { ...NO_FILES_SELECTED, active, anchor: active }
}

/**
 * Returns the place of each file in memory. Pages that may be out of date are used only for files that no
 * current page contains.
 */
function placesOf(state: PagesState): Places {
  const places = new Map<FileId, number>()
  for (const isNow of [false, true])
    for (const [page, rows] of state.pages)
      if (isCurrent(state, page * PAGE_ROWS) === isNow)
        for (const [i, row] of rows.entries()) places.set(row.fileId, page * PAGE_ROWS + i)
  return places
}

/**
 * Returns the probable place of a file that its page no longer contains. If the file's neighbours have moved
 * to an edge of a page, the file may be beyond that edge, in a page that is out of date or wasn't read.
 * Otherwise the file is gone, and the result is null.
 */
function placeBeyond(index: number, before: PagesState, after: PagesState, places: Places): number | null {
  const rows = before.pages.get(pageOf(index)) ?? []
  for (const step of [-1, 1])
    for (let i = (index % PAGE_ROWS) + step, row = rows[i]; row !== undefined; i += step, row = rows[i]) {
      const place = places.get(row.fileId)
      if (place === undefined || !isCurrent(after, place)) continue
      const beyond = place - step
      if (beyond >= 0 && beyond < after.total && !isCurrent(after, beyond)) return beyond
      break
    }
  return null
}

/** Follows files by their IDs. A file that is gone is no longer selected. */
function followedByIds(
  selection: FileSelection,
  had: Places,
  before: PagesState,
  after: PagesState,
): FileSelection {
  const places = placesOf(after)
  // A file that isn't in memory keeps its place until the page at that place is up to date. Until then, only
  // its ID marks it as selected.
  const find = (id: FileId, index: number): number | null =>
    places.get(id) ?? (isCurrent(after, index) ? placeBeyond(index, before, after, places) : index)
  const ids = new Map<FileId, number>()
  for (const [id, index] of had) {
    const place = find(id, index)
    if (place !== null && after.total > 0) ids.set(id, Math.min(place, after.total - 1))
  }
  const ranges = rangesOf(ids.values())
  const [first] = ranges
  if (first === undefined) return cleared(selection, after)
  const hadAt = byPlace(had)
  const placeOf = (index: number, instead: number): number => {
    const id = rowAt(before, index)?.fileId ?? hadAt.get(index)
    return (
      (id === undefined ? (before.revision === after.revision ? index : null) : find(id, index)) ?? instead
    )
  }
  const active = placeOf(selection.active, first[0])
  const isCertain =
    selection.revision === after.revision || [...ids.values()].every((place) => isCurrent(after, place))
  // The anchor moves with its row, so that the next Shift click extends the selection from the same row.
  const anchor = placeOf(selection.anchor, active)
  const { mayHaveGrown } = selection
  return {
    ranges,
    active,
    anchor,
    ids,
    revision: isCertain ? after.revision : null,
    isAll: false,
    mayHaveGrown,
  }
}

/** Returns the selection after a response, which may have moved rows. */
export function followed(selection: FileSelection, before: PagesState, after: PagesState): FileSelection {
  if (before.pages === after.pages) return selection
  if (selection.ids !== null) return followedByIds(selection, selection.ids, before, after)
  if (before.revision === after.revision && before.total === after.total)
    return selection.revision === after.revision
      ? { ...selection, ids: idsOf(selection, null, after, true) }
      : selection
  // Keep the revision in which the user selected all files, because a file that was added later must not be
  // deleted with the others.
  if (selection.isAll && after.total > 0) return { ...selection, ...selectAll(selection, after.total) }
  return cleared(selection, after)
}

/**
 * Like `selectionOf`, for deletion: a selection that may contain files the user hasn't seen is sent with a
 * revision that the shell refuses.
 */
export function deletionOf(selection: FileSelection, query: ListQuery): Selection | null {
  return selectionOf(selection.mayHaveGrown ? { ...selection, ids: null, revision: null } : selection, query)
}

/** Returns what to send for an action on the selected files, or null if nothing is selected. */
export function selectionOf(
  { ids, ranges, revision, isAll }: FileSelection,
  query: ListQuery,
): Selection | null {
  if (ids !== null) return { fileIds: [...ids].toSorted((a, b) => a[1] - b[1]).map(([id]) => id) }
  if (ranges.length === 0) return null
  return { query, ranges: ranges.map(([first, last]) => [first, last]), isAll, revision: revision ?? '' }
}
