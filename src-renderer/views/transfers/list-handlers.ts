// What the rows and headings of the list of transfers report to the view.
// Who handles it: use-list-handlers.ts.
import type { KeyboardEvent } from 'react'
import type { Transfer } from '../../../src-shared/model.ts'
import type { Gesture } from '../../lib/list-navigation.ts'
import type { Item } from './groups.ts'
import type { Action } from './transfer-actions.ts'

export interface RowHandlers {
  readonly act: (action: Action, transfers: readonly Transfer[]) => void
  /** Opens the menu of these transfers at an element. */
  readonly menu: (transfers: readonly Transfer[], at: Element) => void
  readonly toggleFold: (key: string) => void
}

export interface ListHandlers extends RowHandlers {
  readonly pick: (key: string, gesture: Gesture) => void
  /** Enter or a double click on an item. */
  readonly enter: (item: Item, at: Element) => void
  /** A key that moves nothing. Returns true where it was used. */
  readonly key: (event: KeyboardEvent) => boolean
  /** `x` and `y` in CSS pixels of the window. */
  readonly contextMenu: (item: Item, x: number, y: number) => void
  readonly rest: (item: Extract<Item, { kind: 'rest' }>) => void
  /** The items in sight, and some beyond them. */
  readonly seen: (items: readonly Item[]) => void
}
