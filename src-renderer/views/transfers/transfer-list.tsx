// The list itself: only what is in sight is drawn, one stop for Tab, arrows from row to row, Right into a row's buttons. The focus stays on
// the list and names the active row, so that a row may leave the screen without taking the focus with it. It knows no procedure.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { Copy } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Transfer } from '../../../src-shared/model.ts'
import { useLanguage } from '../../app/language.tsx'
import { useApp } from '../../app/store.ts'
import { Button } from '../../components/button.tsx'
import { type Item, startOfDay } from './groups.ts'
import { type Choice, moveTo, nearestStop } from './selection.ts'
import { FoldCells, GapCells, type RowHandlers, TransferCells } from './transfer-row.tsx'
import { dayName, headDetail } from './words.ts'

export interface ListHandlers extends RowHandlers {
  readonly pick: (key: string, mode: 'one' | 'toggle' | 'range' | 'move') => void
  readonly enter: (item: Item, at: Element) => void
  /** A key that is no movement; true: it was used. */
  readonly key: (event: KeyboardEvent) => boolean
  readonly contextMenu: (item: Item, x: number, y: number) => void
  readonly rest: (item: Extract<Item, { kind: 'rest' }>) => void
  /** What is in sight, as keys of pages, and groups whose end is near. */
  readonly seen: (items: readonly Item[]) => void
}

export interface HeadTools {
  readonly waiting: ReactNode
  readonly today: { readonly label: string; readonly copied: string | null; readonly run: () => void } | null
}

/** Rows beyond the edge that are kept ready. */
const OVERSCAN = 8
/** Rows before the end of what was read at which more is read. */
const AHEAD = 60

const rowId = (key: string): string => `transfers-${key}`

/** Heights as the style sheet makes them, whatever the density and the size of text. */
function useHeights(): { readonly probe: ReactNode; readonly row: number; readonly head: number } {
  const row = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const [sizes, setSizes] = useState({ row: 46, head: 44 })
  useLayoutEffect(() => {
    const measure = (): void => {
      const next = { row: row.current?.offsetHeight ?? 0, head: head.current?.offsetHeight ?? 0 }
      if (next.row > 0 && next.head > 0) setSizes((had) => (had.row === next.row && had.head === next.head ? had : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (row.current !== null) observer.observe(row.current)
    if (head.current !== null) observer.observe(head.current)
    return () => observer.disconnect()
  }, [])
  const probe = (
    <div className="transfers-probe" aria-hidden="true">
      <div ref={row} className="transfers-row-height" />
      <div ref={head} className="transfers-head-height" />
    </div>
  )
  return { probe, ...sizes }
}

export function TransferList(props: {
  readonly items: readonly Item[]
  readonly choice: Choice
  readonly next: ReadonlySet<number>
  readonly now: number
  readonly handlers: ListHandlers
  readonly tools: HeadTools
  readonly gridRef: RefObject<HTMLDivElement | null>
}): ReactNode {
  const { items, choice, handlers, gridRef } = props
  const words = useLanguage()
  const { t } = words
  const { probe, row, head } = useHeights()
  const activeAt = choice.active === null ? -1 : items.findIndex((item) => item.key === choice.active)
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => gridRef.current,
    estimateSize: (at) => (items[at]?.kind === 'head' ? head : row),
    getItemKey: (at) => items[at]?.key ?? at,
    overscan: OVERSCAN,
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range)
        if (activeAt < 0 || shown.includes(activeAt)) return shown
        return [...shown, activeAt].toSorted((a, b) => a - b)
      },
      [activeAt],
    ),
  })
  useLayoutEffect(() => {
    if (row > 0 && head > 0) virtualizer.measure()
  }, [row, head, virtualizer])

  const shown = virtualizer.getVirtualItems()
  const first = shown[0]?.index ?? 0
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    handlers.seen(items.slice(first, last + AHEAD))
  }, [handlers, items, first, last])

  // The active row is gone: the one that took its place is active now.
  const stoodAt = useRef(-1)
  useEffect(() => {
    if (activeAt >= 0) stoodAt.current = activeAt
    else if (choice.active !== null && stoodAt.current >= 0) {
      const heir = items[Math.min(stoodAt.current, items.length - 1)]
      if (heir !== undefined) handlers.pick(heir.key, 'move')
    }
  }, [activeAt, choice.active, handlers, items])

  // A row that goes away may hold the focus in one of its buttons: the list takes it, so the keys go on working.
  const holds = useRef(false)
  useEffect(() => {
    if (holds.current && items.length > 0 && document.activeElement === document.body) gridRef.current?.focus({ preventScroll: true })
  }, [items, gridRef])

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const grid = gridRef.current
    const target = event.target
    if (grid === null || !(target instanceof HTMLElement)) return
    const inRow = target !== grid
    const buttons = activeAt < 0 ? [] : buttonsIn(items[activeAt]?.key ?? '')
    const forward = getComputedStyle(grid).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const backward = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
    if (inRow && (event.key === 'Enter' || event.key === ' ' || event.key === 'Tab')) return
    if (event.key === forward || event.key === backward) {
      const at = inRow ? buttons.indexOf(target) : -1
      const to = event.key === forward ? at + 1 : at - 1
      event.preventDefault()
      if (to < 0) grid.focus({ preventScroll: true })
      else buttons[to]?.focus({ preventScroll: true })
      return
    }
    if (inRow && event.key === 'Escape') {
      event.preventDefault()
      grid.focus({ preventScroll: true })
      return
    }
    const page = Math.max(1, Math.floor(grid.clientHeight / row) - 1)
    const aim = event.altKey ? null : moveTo(event.key, activeAt, items.length, page)
    const to = aim === null ? null : nearestStop(event.key, aim, items.length, (at) => isStop(items[at], props.tools))
    if (to !== null) {
      event.preventDefault()
      grid.focus({ preventScroll: true })
      const item = items[to]
      if (item === undefined) return
      handlers.pick(item.key, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'move' : 'one')
      virtualizer.scrollToIndex(to, { align: 'auto' })
      return
    }
    const active = items[activeAt]
    if (active !== undefined) {
      if (event.key === 'Enter') {
        event.preventDefault()
        handlers.enter(active, document.getElementById(rowId(active.key)) ?? grid)
        return
      }
      if (event.key === ' ') {
        event.preventDefault()
        handlers.pick(active.key, 'toggle')
        return
      }
      if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
        event.preventDefault()
        const box = document.getElementById(rowId(active.key))?.getBoundingClientRect()
        if (box !== undefined) handlers.contextMenu(active, box.left + 60, box.bottom)
        return
      }
    }
    if (handlers.key(event)) event.preventDefault()
  }

  const onClick = (event: MouseEvent, item: Item): void => {
    if (event.target instanceof Element && event.target.closest('button') !== null) {
      handlers.pick(item.key, 'move')
      return
    }
    gridRef.current?.focus({ preventScroll: true })
    handlers.pick(item.key, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'one')
  }

  const active = activeAt < 0 ? undefined : items[activeAt]
  const drawn = active !== undefined && shown.some((one) => one.index === activeAt)
  return (
    <>
      {probe}
      <div
        ref={gridRef}
        className="transfers-list"
        role="grid"
        aria-label={t.transfersView.list}
        aria-rowcount={items.length}
        aria-colcount={4}
        aria-multiselectable="true"
        aria-activedescendant={drawn ? rowId(active.key) : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          holds.current = true
          if (event.target === event.currentTarget && activeAt < 0) {
            const start = items.find((item) => item.kind !== 'head')
            if (start !== undefined) handlers.pick(start.key, 'move')
          }
        }}
        onBlur={(event) => {
          if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) holds.current = false
        }}
      >
        <div role="presentation" className="transfers-sheet" style={{ blockSize: virtualizer.getTotalSize() }}>
          {shown.map((place) => {
            const item = items[place.index]
            if (item === undefined) return null
            return (
              // The keys of the list are heard by the grid above, which names the active row.
              <div
                key={item.key}
                id={rowId(item.key)}
                role="row"
                aria-rowindex={place.index + 1}
                aria-selected={item.kind === 'row' ? choice.chosen.has(item.key) : undefined}
                data-active={item.key === choice.active || undefined}
                className={classOf(item, choice)}
                style={{ transform: `translateY(${place.start}px)` }}
                onClick={(event) => onClick(event, item)}
                onDoubleClick={(event) => {
                  if (event.target instanceof Element && event.target.closest('button') === null) handlers.enter(item, event.currentTarget)
                }}
                onContextMenu={(event) => {
                  event.preventDefault()
                  handlers.contextMenu(item, event.clientX, event.clientY)
                }}
              >
                <Cells item={item} handlers={handlers} tools={props.tools} now={props.now} next={props.next} />
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}

/** A heading is a stop of the arrow keys only where there is something to press. */
function isStop(item: Item | undefined, tools: HeadTools): boolean {
  if (item?.kind !== 'head') return item !== undefined
  return item.group === 'today' ? tools.today !== null : item.group === 'waiting' && tools.waiting !== null
}

function buttonsIn(key: string): HTMLElement[] {
  return [...(document.getElementById(rowId(key))?.querySelectorAll<HTMLElement>('button:not([disabled])') ?? [])]
}

function classOf(item: Item, choice: Choice): string {
  if (item.kind === 'head') return 'transfers-head transfers-head-height'
  const parts = ['transfers-row', 'transfers-row-height']
  if (choice.chosen.has(item.key)) parts.push('transfers-chosen')
  if (item.kind === 'row' && item.inFold) parts.push('transfers-in-fold')
  if (item.kind === 'row' && item.transfer.state === 'uploading') parts.push('transfers-moving')
  if (item.kind === 'fold') parts.push('transfers-folded')
  if (item.kind === 'rest' || item.kind === 'tail') parts.push('transfers-rest')
  return parts.join(' ')
}

function Cells(props: {
  readonly item: Item
  readonly handlers: ListHandlers
  readonly tools: HeadTools
  readonly now: number
  readonly next: ReadonlySet<number>
}): ReactNode {
  const { item, handlers } = props
  switch (item.kind) {
    case 'head':
      return <Head item={item} tools={props.tools} now={props.now} />
    case 'row':
      return (
        <>
          <Lit transfer={item.transfer} />
          <TransferCells transfer={item.transfer} handlers={handlers} now={props.now} next={props.next.has(item.transfer.id)} />
        </>
      )
    case 'fold':
      return <FoldCells item={item} handlers={handlers} />
    case 'gap':
    case 'tail':
      return <GapCells />
    case 'rest':
      return <Rest item={item} handlers={handlers} />
    default:
      return item satisfies never
  }
}

/** A row that has just got its link is lit once. */
function Lit({ transfer }: { readonly transfer: Transfer }): ReactNode {
  const fresh = useApp((state) => transfer.state === 'done' && state.fresh.has(transfer.fileId ?? -transfer.id))
  return fresh ? <span className="transfers-lit" role="presentation" /> : null
}

function Rest({ item, handlers }: { readonly item: Extract<Item, { kind: 'rest' }>; readonly handlers: ListHandlers }): ReactNode {
  const { t, f } = useLanguage()
  const own = t.transfersView
  return (
    <div role="gridcell" className="transfers-wide">
      <Button size="small" variant="quiet" excludeFromTabOrder onPress={() => handlers.rest(item)}>
        {item.hidden === null ? own.showMore : own.showAll(item.hidden, f.count(item.hidden))}
      </Button>
    </div>
  )
}

function Head({
  item,
  tools,
  now,
}: {
  readonly item: Extract<Item, { kind: 'head' }>
  readonly tools: HeadTools
  readonly now: number
}): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const own = t.transfersView
  const name = item.group === 'history' && item.day !== null ? dayName(words, item.day, startOfDay(now)) : own.groups[item.group]
  const detail = headDetail(words, item, now)
  const counted = item.count === null || (item.count === 0 && detail !== '') ? null : own.groupCount(f.count(item.count), item.more)
  return (
    <div role="gridcell" className="transfers-head-line">
      <h2 className="strong">{name}</h2>
      <span className="transfers-head-detail second figures cut" title={detail}>
        <bdi>{counted === null ? detail : detail === '' ? counted : `${counted} · ${detail}`}</bdi>
      </span>
      {item.group === 'waiting' ? tools.waiting : null}
      {item.group !== 'today' || tools.today === null ? null : tools.today.copied === null ? (
        <Button size="small" variant="quiet" excludeFromTabOrder icon={<Copy className="icon" />} onPress={tools.today.run}>
          {tools.today.label}
        </Button>
      ) : (
        <span className="good strong transfers-head-copied">{tools.today.copied}</span>
      )}
    </div>
  )
}
