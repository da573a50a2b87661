// The grid of remote files: one tab stop, the platform's keys, 100,000 rows of which a screenful exists. The focus stays on the grid and points
// at its row, so a row that scrolls away takes no focus with it. What a row means is not its matter.
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ListQuery } from '../../../src-shared/app.ts'
import type { Folder, RemoteRow } from '../../../src-shared/model.ts'
import { isTyping, withMod } from '../../app/keys.ts'
import { useLanguage } from '../../app/language.tsx'
import { useApp } from '../../app/store.ts'
import { useNow } from '../../app/time.ts'
import { FileRow } from './file-row.tsx'
import { originOf } from './origin.ts'
import type { Rows, RowsState } from './rows.ts'
import { choose, isSelected, type Move, moveTo, type RowSelection, selectAll, selectedCount } from './selection.ts'

const COLUMNS = ['name', 'size', 'date', 'downloads', 'link'] as const
const MOVES: Readonly<Record<string, Move>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'page-up',
  PageDown: 'page-down',
  Home: 'home',
  End: 'end',
}
const NO_FOLDERS: readonly Folder[] = []

/** The height of a row in pixels: a token in rem, so it grows with the text and shrinks with the density. */
function useRowHeight(): number {
  const density = useApp((app) => app.settings?.density)
  const [height, setHeight] = useState(44)
  useLayoutEffect(() => {
    const measure = (): void => {
      const root = getComputedStyle(document.documentElement)
      const rows = Number.parseFloat(root.getPropertyValue('--row'))
      const size = Number.parseFloat(root.fontSize)
      if (rows > 0 && size > 0) setHeight(rows * size)
    }
    measure()
    // The size of text changes with an attribute or a style of the root, by zooming or by the system.
    const watch = new MutationObserver(measure)
    watch.observe(document.documentElement, { attributes: true })
    window.addEventListener('resize', measure)
    return () => {
      watch.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [density])
  return height
}

export function FileList(props: {
  readonly rows: Rows
  readonly state: RowsState
  readonly selection: RowSelection
  readonly onSelection: (selection: RowSelection) => void
  readonly onSort: (sort: Pick<ListQuery, 'sort' | 'descending'>) => void
  readonly onCopyRow: (row: RemoteRow) => void
  readonly onCopy: () => void
  readonly onDelete: () => void
  readonly onOpen: (row: RemoteRow) => void
  readonly onType: (letter: string) => void
  readonly onMenu: (at: { readonly x: number; readonly y: number }) => void
}): ReactNode {
  const { rows, state, selection, onSelection } = props
  const { t, f } = useLanguage()
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const height = useRowHeight()
  const folders = useApp((app) => app.snapshot?.folders ?? NO_FOLDERS)
  const copied = useApp((app) => app.copied)
  const fresh = useApp((app) => app.fresh)
  const deletes = useApp((app) => app.deletes)
  const minute = useNow(30_000)
  const ghosts = state.answered ? 0 : 12
  const virtual = useVirtualizer({
    count: Math.max(state.total, ghosts),
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
  })
  useEffect(() => virtual.measure(), [height, virtual])
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  useEffect(() => rows.want(first, last), [rows, first, last, state.version])

  const deleting = new Set(deletes.flatMap((one) => one.fileIds))
  const { query } = rows

  const focus = (next: RowSelection): void => {
    onSelection(next)
    if (next.active >= 0) virtual.scrollToIndex(next.active)
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isTyping(event.target)) return
    const move = MOVES[event.key]
    const { active } = selection
    if (move !== undefined) {
      event.preventDefault()
      const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 440) / height))
      const to = moveTo(active, move, { total: state.total, page })
      if (to < 0) return
      if (withMod(event) && !event.shiftKey) onSelection({ ...selection, active: to })
      focus(withMod(event) && !event.shiftKey ? { ...selection, active: to } : choose(selection, to, event.shiftKey ? 'extend' : 'only'))
    } else if (event.key === ' ' && active >= 0) {
      event.preventDefault()
      focus(choose(selection, active, event.shiftKey ? 'extend' : 'toggle'))
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault()
      const row = rows.at(active)
      if (row !== undefined) props.onOpen(row)
    } else if (withMod(event) && event.key.toLowerCase() === 'a') {
      event.preventDefault()
      onSelection(selectAll(selection, state.total))
    } else if (withMod(event) && event.key.toLowerCase() === 'c' && !event.shiftKey) {
      // Text that a person marked is copied as text.
      if (window.getSelection()?.isCollapsed === false) return
      event.preventDefault()
      props.onCopy()
    } else if (event.key === 'Delete' || (event.key === 'Backspace' && withMod(event))) {
      event.preventDefault()
      if (selectedCount(selection) > 0) props.onDelete()
    } else if (event.key === 'Escape' && selectedCount(selection) > 0) {
      event.preventDefault()
      onSelection({ ranges: [], active, anchor: active })
    } else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault()
      const box = scroller.current?.querySelector(`[data-index="${active}"]`)?.getBoundingClientRect()
      if (box !== undefined) props.onMenu({ x: box.left + 60, y: box.bottom })
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      props.onType(event.key)
    }
  }

  const indexAt = (event: MouseEvent): number | null => {
    const row = event.target instanceof Element ? event.target.closest('[data-index]') : null
    return row === null ? null : Number(row.getAttribute('data-index'))
  }
  const onMouseDown = (event: MouseEvent): void => {
    const index = indexAt(event)
    if (index === null || index >= state.total || (event.target instanceof Element && event.target.closest('[data-copy]') !== null)) return
    if (event.button === 2 && isSelected(selection, index)) return
    onSelection(choose(selection, index, event.shiftKey ? 'extend' : withMod(event) ? 'toggle' : 'only'))
  }

  return (
    <div className="files-list">
      {/* biome-ignore lint/a11y/useSemanticElements: a table of 100,000 rows can't be virtual. */}
      <div
        ref={scroller}
        className="files-scroller"
        role="grid"
        tabIndex={0}
        aria-label={t.filesView.list}
        aria-multiselectable="true"
        aria-rowcount={state.total + 1}
        aria-colcount={COLUMNS.length}
        aria-activedescendant={
          selection.active >= 0 && selection.active >= first && selection.active <= last ? `${id}-${selection.active}` : undefined
        }
        onKeyDown={onKeyDown}
        onMouseDown={onMouseDown}
        onDoubleClick={(event) => {
          const index = indexAt(event)
          const row = index === null ? undefined : rows.at(index)
          if (row !== undefined) props.onOpen(row)
        }}
        onContextMenu={(event) => {
          event.preventDefault()
          if (indexAt(event) !== null) props.onMenu({ x: event.clientX, y: event.clientY })
        }}
      >
        <div className="files-head" role="row" aria-rowindex={1}>
          {COLUMNS.map((column) => {
            const sorted = query.sort === column
            return (
              <span
                key={column}
                role="columnheader"
                className={`files-cell-${column}`}
                aria-sort={column === 'link' ? undefined : sorted ? (query.descending ? 'descending' : 'ascending') : 'none'}
              >
                {column === 'link' ? (
                  t.filesView.columns.link
                ) : (
                  <button
                    type="button"
                    className={`files-sort${sorted ? ' files-sort-now' : ''}`}
                    onClick={() => props.onSort({ sort: column, descending: sorted ? !query.descending : column !== 'name' })}
                  >
                    {t.filesView.columns[column]}
                    {sorted ? (
                      query.descending ? (
                        <ArrowDown className="icon" aria-hidden="true" />
                      ) : (
                        <ArrowUp className="icon" aria-hidden="true" />
                      )
                    ) : null}
                  </button>
                )}
              </span>
            )
          })}
        </div>
        <div className="files-body" role="rowgroup" style={{ blockSize: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows.at(item.index)
            return (
              <FileRow
                key={item.key}
                id={`${id}-${item.index}`}
                row={row}
                index={item.index}
                top={item.start}
                origin={row === undefined ? '' : originWords(row, folders)}
                selected={isSelected(selection, item.index)}
                active={selection.active === item.index}
                copied={row !== undefined && copied?.fileIds.has(row.fileId) === true}
                fresh={row !== undefined && fresh.has(row.fileId)}
                deleting={row !== undefined && deleting.has(row.fileId)}
                minute={minute}
                onCopy={props.onCopyRow}
              />
            )
          })}
        </div>
      </div>
      <p className="hidden-text" aria-live="polite">
        {state.answered ? t.filesView.found(state.total, f.count(state.total)) : ''}
      </p>
    </div>
  )

  function originWords(row: RemoteRow, known: readonly Folder[]): string {
    const words = originOf(row, known, t)
    return row.original === 'gone' ? `${words} · ${t.filesView.originalGone}` : words
  }
}
