// The transfer list. Only rows in or near the visible part are rendered. The list is a single tab stop; arrow
// keys move between rows and into a row's buttons. The list keeps the focus and refers to the active row, so
// the focus isn't lost when that row is scrolled out of view.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { useAnchoredScroll } from '../../hooks/use-anchored-scroll.ts'
import { HOME } from '../../hooks/use-focus-home.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useRowHeight } from '../../hooks/use-row-height.ts'
import type { Choice } from '../../lib/key-selection.ts'
import { type DraggedRow, dragRows } from '../../state/drag-rows.ts'
import { clickGesture } from '../../state/keyboard.ts'
import type { Item } from './groups.ts'
import { Cells, type HeadTools, isStop } from './list-cells.tsx'
import type { ListHandlers } from './list-handlers.ts'
import { listKeys, rowId } from './list-keys.ts'
import './transfer-list.css'

/** Number of rows rendered above and below the visible ones. */
const OVERSCAN = 8
/** The next page is read when the last visible row is this close to the end of the rows already read. */
const READ_AHEAD_ROWS = 60
const ROW_HEIGHT_GUESS = 46
const HEAD_HEIGHT_GUESS = 38

interface ListProps {
  readonly items: readonly Item[]
  readonly choice: Choice
  readonly movedFirst: ReadonlySet<number>
  readonly now: number
  readonly handlers: ListHandlers
  readonly tools: HeadTools
  readonly gridRef: RefObject<HTMLDivElement | null>
}

function useRows({ items, gridRef }: ListProps, activeAt: number) {
  const rowHeight = useRowHeight('--row-transfer', ROW_HEIGHT_GUESS)
  const headHeight = useRowHeight('--row-head', HEAD_HEIGHT_GUESS)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => gridRef.current,
    estimateSize: (at) => (items[at]?.kind === 'head' ? headHeight : rowHeight),
    getItemKey: (at) => items[at]?.key ?? at,
    overscan: OVERSCAN,
    // Keep the active row rendered, because the grid refers to its ID.
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range)
        if (activeAt < 0 || shown.includes(activeAt)) return shown
        return [...shown, activeAt].toSorted((a, b) => a - b)
      },
      [activeAt],
    ),
  })
  useLayoutEffect(() => virtualizer.measure(), [rowHeight, headHeight, virtualizer])
  useAnchoredScroll(gridRef, {
    list: virtualizer,
    content: items,
    rows: virtualizer.getVirtualItems().map(({ index, start, size }) => ({
      id: items[index]?.key,
      start,
      size,
    })),
    startOf: ({ id }) => {
      const at = items.findIndex((item) => item.key === id)
      return at === -1 ? null : (virtualizer.measurementsCache[at]?.start ?? null)
    },
  })
  return { virtualizer, rowHeight }
}

/** When the active row disappears, makes the row that took its place active. */
function useActiveHeir({ items, choice, handlers }: ListProps, activeAt: number): void {
  const lastAt = useRef(-1)
  useEffect(() => {
    if (activeAt >= 0) lastAt.current = activeAt
    else if (choice.active !== null && lastAt.current >= 0) {
      const heir = items[Math.min(lastAt.current, items.length - 1)]
      if (heir !== undefined) handlers.pick(heir.key, 'move')
    }
  }, [activeAt, choice.active, handlers, items])
}

/**
 * If a row disappears while one of its buttons has the focus, moves the focus to the list, so that the keys
 * keep working.
 */
function useFocusKept({ items, gridRef }: ListProps): RefObject<boolean> {
  const hasFocus = useRef(false)
  useEffect(() => {
    if (hasFocus.current && items.length > 0 && document.activeElement === document.body)
      gridRef.current?.focus({ preventScroll: true })
  }, [items, gridRef])
  return hasFocus
}

export function TransferList(props: ListProps): ReactNode {
  const { items, choice, handlers, gridRef, tools } = props
  const words = useLanguage()
  const { t } = words
  const activeAt = choice.active === null ? -1 : items.findIndex((item) => item.key === choice.active)
  const { virtualizer, rowHeight } = useRows(props, activeAt)
  const shown = virtualizer.getVirtualItems()
  // Don't derive the range from the rendered rows, because they include the active row even if it is far
  // away.
  const first = Math.max(0, (virtualizer.range?.startIndex ?? 0) - OVERSCAN)
  const last = (virtualizer.range?.endIndex ?? 0) + OVERSCAN
  useEffect(() => {
    handlers.seen(items.slice(first, last + READ_AHEAD_ROWS))
  }, [handlers, items, first, last])
  useActiveHeir(props, activeAt)
  const hasFocus = useFocusKept(props)

  const onClick = (event: MouseEvent, item: Item): void => {
    if (isOnButton(event)) {
      handlers.pick(item.key, 'move')
      return
    }
    gridRef.current?.focus({ preventScroll: true })
    handlers.pick(item.key, clickGesture(event))
  }

  const active = activeAt < 0 ? undefined : items[activeAt]
  const isActiveShown = active !== undefined && shown.some((one) => one.index === activeAt)
  return (
    <div
      {...HOME}
      ref={gridRef}
      className="transfers-list"
      role="grid"
      aria-label={t.transfersView.list}
      aria-rowcount={items.length}
      aria-colcount={4}
      aria-multiselectable="true"
      aria-activedescendant={isActiveShown ? rowId(active.key) : undefined}
      tabIndex={0}
      onKeyDown={listKeys({
        items,
        activeAt,
        rowHeight,
        handlers,
        isStop: (item) => isStop(item, tools),
        scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
      })}
      onFocus={(event) => {
        hasFocus.current = true
        if (event.target === event.currentTarget && activeAt < 0) {
          const start = items.find((item) => item.kind !== 'head')
          if (start !== undefined) handlers.pick(start.key, 'move')
        }
      }}
      onBlur={(event) => {
        if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget))
          hasFocus.current = false
      }}
    >
      <div role="presentation" className="transfers-sheet" style={{ blockSize: virtualizer.getTotalSize() }}>
        {shown.map((place) => {
          const item = items[place.index]
          if (item === undefined) return null
          return (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The grid above handles the keys and refers to the active row.
            <div
              key={item.key}
              id={rowId(item.key)}
              role="row"
              aria-rowindex={place.index + 1}
              aria-selected={item.kind === 'row' ? choice.chosen.has(item.key) : undefined}
              data-active={item.key === choice.active || undefined}
              className={classOf(item, choice)}
              style={{ transform: `translateY(${place.start}px)` }}
              draggable={item.kind === 'row'}
              onDragStart={(event) => dragRows(words, draggedRows(props, item), event.nativeEvent)}
              onClick={(event) => onClick(event, item)}
              onDoubleClick={(event) => {
                if (!isOnButton(event)) handlers.enter(item, event.currentTarget)
              }}
              onContextMenu={(event) => {
                event.preventDefault()
                handlers.contextMenu(item, event.clientX, event.clientY)
              }}
            >
              <Cells
                item={item}
                handlers={handlers}
                tools={tools}
                now={props.now}
                movedFirst={props.movedFirst}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}

function isOnButton(event: MouseEvent): boolean {
  return event.target instanceof Element && event.target.closest('button') !== null
}

/** Returns the rows that are dragged with this one: all selected ones if it is one of them. */
function draggedRows({ items, choice }: ListProps, item: Item): readonly DraggedRow[] {
  const isTogether = choice.chosen.has(item.key)
  return items.flatMap((one) => {
    if (one.kind !== 'row' || !(isTogether ? choice.chosen.has(one.key) : one === item)) return []
    const { id, fileId, publicLink, ended } = one.transfer
    const link = ended === undefined ? publicLink : null
    return [{ fileId: fileId ?? `transfer ${id}`, publicLink: link, transferId: id, original: null }]
  })
}

function classOf(item: Item, choice: Choice): string {
  if (item.kind === 'head') return 'transfers-head'
  const parts = ['transfers-row']
  if (choice.chosen.has(item.key)) parts.push('transfers-chosen')
  if (item.kind === 'row' && item.inFold) parts.push('transfers-in-fold')
  if (item.kind === 'fold') parts.push('transfers-folded')
  if (item.kind === 'rest' || item.kind === 'tail') parts.push('transfers-rest')
  return parts.join(' ')
}
