// The keys of the list of transfers: up and down from row to row, forward into a row's buttons and back, Enter, Space, the context menu.
// What a key does beyond moving is decided by the list's handlers.
import type { KeyboardEvent } from 'react'
import { nearestStop, pageStep, rowAfterKey } from '../../lib/list-navigation.ts'
import { arrowGesture } from '../../state/keyboard.ts'
import type { Item } from './groups.ts'
import type { ListHandlers } from './list-handlers.ts'

interface KeyInput {
  readonly items: readonly Item[]
  /** -1: no row is active. */
  readonly activeAt: number
  readonly rowHeight: number
  readonly handlers: ListHandlers
  readonly isStop: (item: Item | undefined) => boolean
  readonly scrollTo: (index: number) => void
}

/** The menu opens below the row, a little inside of it. */
const MENU_INSET_PX = 60

export const rowId = (key: string): string => `transfers-${key}`

function buttonsIn(item: Item | undefined): HTMLElement[] {
  const row = item === undefined ? null : document.getElementById(rowId(item.key))
  return [...(row?.querySelectorAll<HTMLElement>('button:not([disabled])') ?? [])]
}

/** -1, 1: one button back or on, in the direction of the text; 0: this key doesn't move within a row. */
function buttonStep(key: string, grid: HTMLElement): number {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return 0
  const isForward = (key === 'ArrowRight') === (getComputedStyle(grid).direction === 'ltr')
  return isForward ? 1 : -1
}

/** A handler for `onKeyDown` of the grid. */
export function listKeys({
  items,
  activeAt,
  rowHeight,
  handlers,
  isStop,
  scrollTo,
}: KeyInput): (event: KeyboardEvent<HTMLElement>) => void {
  const active = items[activeAt]

  /** Moves the focus within the row of the keyboard, or back to the grid. */
  const goToButton = (grid: HTMLElement, target: HTMLElement, step: number): void => {
    const buttons = buttonsIn(active)
    const to = (target === grid ? -1 : buttons.indexOf(target)) + step
    if (to < 0) grid.focus({ preventScroll: true })
    else buttons[to]?.focus({ preventScroll: true })
  }
  /** The index that this key moves to; null: it moves nothing. */
  const rowOf = (event: KeyboardEvent, grid: HTMLElement): number | null => {
    const page = pageStep(grid.clientHeight, rowHeight)
    const aim = event.altKey ? null : rowAfterKey(event.key, activeAt, { count: items.length, page })
    return aim === null ? null : nearestStop(event.key, aim, items.length, (at) => isStop(items[at]))
  }
  /** What this key does with the active row; null: nothing. */
  const rowAction = (event: KeyboardEvent, item: Item, grid: HTMLElement): (() => void) | null => {
    const row = document.getElementById(rowId(item.key))
    if (event.key === 'Enter') return () => handlers.enter(item, row ?? grid)
    if (event.key === ' ') return () => handlers.pick(item.key, 'toggle')
    if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return null
    const box = row?.getBoundingClientRect()
    return () => box !== undefined && handlers.contextMenu(item, box.left + MENU_INSET_PX, box.bottom)
  }

  return (event) => {
    const grid = event.currentTarget
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    const isInRow = target !== grid
    // Buttons of a row have these keys to themselves.
    if (isInRow && (event.key === 'Enter' || event.key === ' ' || event.key === 'Tab')) return
    const step = buttonStep(event.key, grid)
    const to = rowOf(event, grid)
    const item = to === null ? undefined : items[to]
    const act = active === undefined ? null : rowAction(event, active, grid)
    if (step !== 0) goToButton(grid, target, step)
    else if (isInRow && event.key === 'Escape') grid.focus({ preventScroll: true })
    else if (to !== null && item !== undefined) {
      grid.focus({ preventScroll: true })
      handlers.pick(item.key, arrowGesture(event))
      scrollTo(to)
    } else if (act !== null) act()
    else if (!handlers.key(event)) return
    event.preventDefault()
  }
}
