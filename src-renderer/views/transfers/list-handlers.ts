// The events that rows and headings of the transfer list report to the view.
// use-list-handlers.ts handles them.
import type { KeyboardEvent } from 'react'
import type { Transfer } from '../../../src-shared/model.ts'
import type { Gesture } from '../../lib/list-navigation.ts'
import type { Item } from './groups.ts'
import type { Action } from './transfer-actions.ts'

export interface RowHandlers {
  readonly act: (action: Action, transfers: readonly Transfer[]) => void
  /** Opens the menu of these transfers next to an element. */
  readonly menu: (transfers: readonly Transfer[], at: Element) => void
  readonly toggleFold: (key: string) => void
}

export interface ListHandlers extends RowHandlers {
  readonly pick: (key: string, gesture: Gesture) => void
  /** Handles Enter or a double click on an item. */
  readonly enter: (item: Item, at: Element) => void
  /** Handles a key that isn't used for navigation. Returns whether the key was used. */
  readonly key: (event: KeyboardEvent) => boolean
  /** Opens the context menu of an item. `x` and `y` are CSS pixels from the top left corner of the window. */
  readonly contextMenu: (item: Item, x: number, y: number) => void
  readonly rest: (item: Extract<Item, { kind: 'rest' }>) => void
  /** Reports the visible items and some after them, so that their pages are read. */
  readonly seen: (items: readonly Item[]) => void
}
