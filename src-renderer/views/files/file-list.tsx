// The grid of remote files. It may have 100,000 rows, so only those in or near the visible part are rendered.
// Apart from the column headers, it is a single tab stop, and it follows the platform's keyboard conventions.
// The grid itself keeps the focus and refers to the active row, so that the focus isn't lost when that row is
// scrolled out of view.
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  type DragEvent,
  type HTMLAttributes,
  type Key,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { FileId, Folder, RemoteRow } from '../../../src-shared/model.ts'
import type { ListQuery } from '../../../src-shared/window-contract.ts'
import { useAnchoredScroll } from '../../hooks/use-anchored-scroll.ts'
import { HOME } from '../../hooks/use-focus-home.ts'
import { useKeptScroll } from '../../hooks/use-kept-scroll.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { useRowHeight } from '../../hooks/use-row-height.ts'
import { markOnce } from '../../lib/mark-once.ts'
import { dragRows } from '../../state/drag-rows.ts'
import { clickGesture, isQuiet } from '../../state/keyboard.ts'
import { useApp } from '../../state/store.ts'
import { type FileListKeyProps, fileListKeys } from './file-list-keys.ts'
import { FileRow } from './file-row.tsx'
import { chosen, countOf, type FileSelection, isFileSelected } from './file-selection.ts'
import { indexOf, type OffsetPages } from './offset-pages.ts'
import { originOf } from './row-origin.ts'
import { isFiltered, type Sort } from './use-files-query.ts'
import { knownRows } from './use-files-selection.ts'
import './file-list.css'

const NO_FOLDERS: readonly Folder[] = []
const NO_IDS: readonly number[] = []
/** Number of placeholder rows shown until the first response. */
const GHOST_ROWS = 12
const ROW_HEIGHT_GUESS = 44
const HEAD_HEIGHT_GUESS = 29

interface FileListProps extends FileListKeyProps {
  readonly onSort: (sort: Sort) => void
}

/** Returns the index of the row under the pointer, or null outside the rows. */
function indexAt(event: MouseEvent): number | null {
  const row = event.target instanceof Element ? event.target.closest('[data-index]') : null
  return row === null ? null : Number(row.getAttribute('data-index'))
}

function isIn(event: MouseEvent, selector: string): boolean {
  return event.target instanceof Element && event.target.closest(selector) !== null
}

export function FileList(props: FileListProps): ReactNode {
  const { gridRef, pages, state, selection, onSelection } = props
  const words = useLanguage()
  const { t, f } = words
  const id = useId()
  const rowHeight = useRowHeight('--row', ROW_HEIGHT_GUESS)
  const headHeight = useRowHeight('--column-head', HEAD_HEIGHT_GUESS)
  const virtualizer = useVirtualizer({
    count: Math.max(state.total, state.answered ? 0 : GHOST_ROWS),
    getScrollElement: () => gridRef.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The column headers stay in sight, so there is less room for rows.
    scrollPaddingEnd: headHeight,
  })
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  // Marks the time at which the user sees the first rows, for performance measurements.
  useEffect(() => {
    if (state.answered) markOnce('rows')
  }, [state.answered])
  useKeptScroll(gridRef, 'files')
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => pages.want(first, last), [pages, first, last, state.version])
  const [newAbove, setNewAbove] = useState<{ readonly pages: OffsetPages; readonly count: number } | null>(
    null,
  )
  useAnchoredScroll<FileId>(gridRef, {
    list: pages,
    content: state,
    rows: items.flatMap(({ index, start, size }) => {
      const row = pages.at(index)
      return row === undefined ? [] : [{ id: row.fileId, start, size }]
    }),
    startOf: ({ id: fileId, start }) => {
      const at = indexOf(state, fileId, Math.round(start / rowHeight))
      return at === null ? null : at * rowHeight
    },
    onShift: (by) =>
      setNewAbove((had) => ({
        pages,
        count: Math.max(0, (had?.pages === pages ? had.count : 0) + Math.round(by / rowHeight)),
      })),
  })
  // Only the newest files, at the top of the list, are new to the user.
  const isNewestFirst = pages.query.sort === 'date' && pages.query.descending
  const shownNew = isNewestFirst && newAbove?.pages === pages ? newAbove.count : 0

  const gestures = useRowGestures(props)
  const isActiveInSight = selection.active >= 0 && selection.active >= first && selection.active <= last

  return (
    <div className="files-list">
      {/* The list may have 100,000 rows, and a table element can’t be virtualized. */}
      <div
        {...HOME}
        ref={gridRef}
        className="files-scroller"
        role="grid"
        tabIndex={0}
        aria-label={t.filesView.list}
        aria-multiselectable="true"
        aria-rowcount={state.total + 1}
        aria-colcount={FILE_COLUMNS.length}
        aria-activedescendant={isActiveInSight ? `${id}-${selection.active}` : undefined}
        onKeyDown={fileListKeys(props, rowHeight, (index) => virtualizer.scrollToIndex(index))}
        {...gestures}
        onFocus={(event) => {
          // Keyboard users see where they are as soon as they reach the list.
          if (event.target === event.currentTarget && selection.active < 0 && state.total > 0 && !isQuiet())
            onSelection(chosen(virtualizer.range?.startIndex ?? 0, 'move'))
        }}
        onScroll={(event) => {
          if (event.currentTarget.scrollTop < rowHeight) setNewAbove(null)
        }}
        onDoubleClick={(event) => {
          // A double click on "Copy", which has become "Copied" by the second click, isn't meant for the
          // file.
          if (isIn(event, '.files-cell-link')) return
          const index = indexAt(event)
          const row = index === null ? undefined : pages.at(index)
          if (row !== undefined) props.onOpen(row)
        }}
        onContextMenu={(event) => {
          event.preventDefault()
          if (indexAt(event) !== null) props.onMenu({ x: event.clientX, y: event.clientY })
        }}
      >
        <FileListHead query={pages.query} onSort={props.onSort} />
        <div className="files-body" role="rowgroup" style={{ blockSize: virtualizer.getTotalSize() }}>
          <Rows items={items} id={id} pages={pages} selection={selection} onCopyRow={props.onCopyRow} />
        </div>
      </div>
      {shownNew === 0 ? null : (
        <button
          type="button"
          className="files-new"
          onClick={() => {
            gridRef.current?.focus({ preventScroll: true })
            gridRef.current?.scrollTo({ top: 0 })
          }}
        >
          <ArrowUp className="icon" aria-hidden="true" />
          {t.filesView.newAbove(shownNew, f.count(shownNew))}
        </button>
      )}
      <p className="hidden-text" aria-live="polite">
        {state.pages.size === 0
          ? ''
          : (isFiltered(pages.query) ? t.filesView.found : t.filesCount)(state.total, f.count(state.total))}
      </p>
    </div>
  )
}

/** Selecting rows with the mouse, and dragging them out of the window. */
function useRowGestures({
  pages,
  state,
  selection,
  onSelection,
}: FileListProps): Pick<HTMLAttributes<HTMLElement>, 'onMouseDown' | 'onClick' | 'onDragStart'> {
  const words = useLanguage()
  /** The selected row that was pressed. Only if it isn't dragged, the others are deselected. */
  const pressed = useRef<number | null>(null)
  const onMouseDown = (event: MouseEvent): void => {
    const index = indexAt(event)
    pressed.current = null
    if (index === null || index >= state.total || isIn(event, '[data-copy]')) return
    const isPartOf = isFileSelected(selection, index, pages.at(index))
    // A right click on a selected row applies to the whole selection.
    if (event.button === 2 && isPartOf) return
    const gesture = clickGesture(event)
    if (isPartOf && gesture === 'only' && countOf(selection) > 1) pressed.current = index
    else onSelection(chosen(index, gesture))
  }
  const onDragStart = (event: DragEvent): void => {
    const index = indexAt(event)
    const row = index === null ? undefined : pages.at(index)
    pressed.current = null
    if (index === null || row === undefined) return event.preventDefault()
    const known = isFileSelected(selection, index, row) ? knownRows(selection, state) : null
    dragRows(words, known ?? [row], event.nativeEvent)
  }
  const onClick = (): void => {
    if (pressed.current !== null) onSelection(chosen(pressed.current, 'only'))
    pressed.current = null
  }
  return { onMouseDown, onClick, onDragStart }
}

function Rows(props: {
  readonly items: readonly { readonly index: number; readonly start: number; readonly key: Key }[]
  readonly id: string
  readonly pages: OffsetPages
  readonly selection: FileSelection
  readonly onCopyRow: (row: RemoteRow) => void
}): ReactNode {
  const { id, pages, selection } = props
  const { t } = useLanguage()
  const folders = useApp((app) => app.snapshot?.folders ?? NO_FOLDERS)
  const copied = useApp((app) => app.copied)
  const fresh = useApp((app) => app.fresh)
  const deletes = useApp((app) => app.deletes)
  const queued = useApp((app) => app.snapshot?.deleting?.fileIds ?? NO_IDS)
  const minute = useNow(30_000)
  const deleting = new Set([...deletes.flatMap((one) => one.fileIds), ...queued])
  const originWords = (row: RemoteRow): string => {
    const words = originOf(row, folders, t)
    return row.original === 'gone' ? `${words} · ${t.filesView.originalGone}` : words
  }
  return props.items.map(({ index, start, key }) => {
    const row = pages.at(index)
    return (
      <FileRow
        key={key}
        id={`${id}-${index}`}
        row={row}
        index={index}
        top={start}
        origin={row === undefined ? '' : originWords(row)}
        selected={isFileSelected(selection, index, row)}
        active={selection.active === index}
        copied={row !== undefined && copied?.fileIds.has(row.fileId) === true}
        fresh={row !== undefined && fresh.has(row.fileId)}
        deleting={row !== undefined && (row.deleting === true || deleting.has(row.fileId))}
        minute={minute}
        onCopy={props.onCopyRow}
      />
    )
  })
}

const FILE_COLUMNS = ['name', 'size', 'date', 'downloads', 'link'] as const

/**
 * The column headers of the file list. A click sorts by the column, and a second click reverses the order.
 * The column with links isn't sortable.
 */
function FileListHead({
  query,
  onSort,
}: {
  readonly query: ListQuery
  readonly onSort: (sort: Sort) => void
}): ReactNode {
  const own = useLanguage().t.filesView.columns
  return (
    <div className="files-head" role="row" aria-rowindex={1}>
      {FILE_COLUMNS.map((column) => {
        if (column === 'link')
          return (
            <span key={column} role="columnheader" className="files-cell-link">
              {own.link}
            </span>
          )
        const isSorted = query.sort === column
        const Arrow = query.descending ? ArrowDown : ArrowUp
        return (
          <span
            key={column}
            role="columnheader"
            className={`files-cell-${column}`}
            aria-sort={isSorted ? (query.descending ? 'descending' : 'ascending') : 'none'}
          >
            <button
              type="button"
              className={`files-sort${isSorted ? ' files-sort-now' : ''}`}
              onClick={() =>
                onSort({ sort: column, descending: isSorted ? !query.descending : column !== 'name' })
              }
            >
              {own[column]}
              {isSorted ? <Arrow className="icon" aria-hidden="true" /> : null}
            </button>
          </span>
        )
      })}
    </div>
  )
}
