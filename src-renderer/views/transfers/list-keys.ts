// Handles the keys of the transfer list. Up and down move between rows, left and right between a row's
// buttons; other keys act on the row or open its menu. The list's handlers decide what a key does beyond
// navigation.
import type { KeyboardEvent } from 'react'
import { nearestStop, pageStep, rowAfterKey } from '../../lib/list-navigation.ts'
import { arrowGesture, isForControl, isHeldAction, isKey } from '../../state/keyboard.ts'
import type { Item } from './groups.ts'
import type { ListHandlers } from './list-handlers.ts'

interface KeyInput {
  readonly items: readonly Item[]
  /** -1 if no row is active. */
  readonly activeAt: number
  readonly rowHeight: number
  readonly handlers: ListHandlers
  readonly isStop: (item: Item | undefined) => boolean
  readonly scrollTo: (index: number) => void
}

/** Distance of the context menu from the row's left edge. */
const MENU_INSET_PX = 60

export const rowId = (key: string): string => `transfers-${key}`

function buttonsIn(item: Item | undefined): HTMLElement[] {
  const row = item === undefined ? null : document.getElementById(rowId(item.key))
  return [...(row?.querySelectorAll<HTMLElement>('button:not([disabled])') ?? [])]
}

/**
 * Returns -1 for the previous and 1 for the next button, depending on the text direction, and 0 if the key
 * doesn't move within a row.
 */
function buttonStep(key: string, grid: HTMLElement): number {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return 0
  const isForward = (key === 'ArrowRight') === (getComputedStyle(grid).direction === 'ltr')
  return isForward ? 1 : -1
}

/** Creates a handler for `onKeyDown` of the grid. */
export function listKeys({
  items,
  activeAt,
  rowHeight,
  handlers,
  isStop,
  scrollTo,
}: KeyInput): (event: KeyboardEvent<HTMLElement>) => void {
  const active = items[activeAt]

  /** Moves the focus between the buttons of the active row, or back to the grid. */
  const goToButton = (grid: HTMLElement, target: HTMLElement, step: number): void => {
    const buttons = buttonsIn(active)
    const to = (target === grid ? -1 : buttons.indexOf(target)) + step
    if (to < 0) grid.focus({ preventScroll: true })
    else buttons[to]?.focus({ preventScroll: true })
  }
  /**
   * Returns the index that this key moves to, or null if the key isn't a navigation key or there is no item
   * to stop at.
   */
  const rowOf = (event: KeyboardEvent, grid: HTMLElement): number | null => {
    const page = pageStep(grid.clientHeight, rowHeight)
    const aim = event.altKey ? null : rowAfterKey(event.key, activeAt, { count: items.length, page })
    return aim === null ? null : nearestStop(event.key, aim, items.length, (at) => isStop(items[at]))
  }
  /** Returns what this key does with the active row, or null if it does nothing. */
  const rowAction = (event: KeyboardEvent, item: Item, grid: HTMLElement): (() => void) | null => {
    const row = document.getElementById(rowId(item.key))
    if (isKey(event, 'copy-row')) return () => handlers.enter(item, row ?? grid)
    if (isKey(event, 'toggle')) return () => handlers.pick(item.key, 'toggle')
    if (isKey(event, 'extend')) return () => handlers.pick(item.key, 'extend')
    if (!isKey(event, 'menu')) return null
    const box = row?.getBoundingClientRect()
    return () => box !== undefined && handlers.contextMenu(item, box.left + MENU_INSET_PX, box.bottom)
  }

  return (event) => {
    const grid = event.currentTarget
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    const isInRow = target !== grid
    // A focused button handles these keys itself.
    if (isInRow && isForControl(event)) return
    if (isHeldAction(event)) {
      event.preventDefault()
      return
    }
    const step = buttonStep(event.key, grid)
    const to = rowOf(event, grid)
    const item = to === null ? undefined : items[to]
    const act = active === undefined ? null : rowAction(event, active, grid)
    if (step !== 0) goToButton(grid, target, step)
    else if (isInRow && isKey(event, 'escape')) grid.focus({ preventScroll: true })
    else if (to !== null && item !== undefined) {
      grid.focus({ preventScroll: true })
      handlers.pick(item.key, arrowGesture(event))
      scrollTo(to)
    } else if (act !== null) act()
    else if (!handlers.key(event)) return
    event.preventDefault()
  }
}
