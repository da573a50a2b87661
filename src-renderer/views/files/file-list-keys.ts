// Handles the keys of the file list, which move, select, open, copy, delete and open the context menu. Any
// other character goes to the search field. list-navigation.ts decides where an arrow key leads, and
// range-selection.ts decides what it selects.
import type { KeyboardEvent, RefObject } from 'react'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { type Gesture, pageStep, rowAfterKey } from '../../lib/list-navigation.ts'
import { arrowGesture, isForControl, isHeldAction, isKey, isTyping } from '../../state/keyboard.ts'
import {
  allChosen,
  chosen,
  cleared,
  countOf,
  type FileSelection,
  isFileSelected,
  type SelectionChange,
} from './file-selection.ts'
import type { OffsetPages, PagesState } from './offset-pages.ts'

export interface FileListKeyProps {
  readonly gridRef: RefObject<HTMLDivElement | null>
  readonly pages: OffsetPages
  readonly state: PagesState
  readonly selection: FileSelection
  readonly onSelection: (change: SelectionChange) => void
  readonly onOpen: (row: RemoteRow) => void
  readonly onCopy: () => void
  readonly onCopyRow: (row: RemoteRow) => void
  readonly onDelete: () => void
  /** `x` and `y` are CSS pixels from the top left corner of the window. */
  readonly onMenu: (at: { readonly x: number; readonly y: number }) => void
  /** Called when a character is typed, without Ctrl, Cmd or Alt, while the list has the focus. */
  readonly onType: (letter: string) => void
}

/** Distance of the context menu from the row's left edge. */
const MENU_INSET_PX = 60

/** Creates a handler for `onKeyDown`. `rowHeight` is in CSS pixels. */
export function fileListKeys(
  props: FileListKeyProps,
  rowHeight: number,
  scrollTo: (index: number) => void,
): (event: KeyboardEvent) => void {
  const { gridRef, pages, state, selection } = props
  const { active } = selection
  const isSelectionEmpty = countOf(selection) === 0

  const goTo = (index: number, gesture: Gesture): void => {
    props.onSelection(chosen(index, gesture))
    scrollTo(index)
  }

  /** Returns the action of this key, or null. */
  const actionOf = (event: KeyboardEvent): (() => void) | null => {
    const page = pageStep(gridRef.current?.clientHeight ?? 0, rowHeight)
    const target = rowAfterKey(event.key, active, { count: state.total, page })
    if (target !== null) return () => goTo(target, arrowGesture(event))
    if (active >= 0 && isKey(event, 'toggle')) return () => goTo(active, 'toggle')
    if (active >= 0 && isKey(event, 'extend')) return () => goTo(active, 'extend')
    if (active >= 0 && (isKey(event, 'copy-row') || isKey(event, 'open'))) {
      const row = pages.at(active)
      if (row === undefined) return () => undefined
      if (isKey(event, 'open')) return () => props.onOpen(row)
      // As Ctrl+C does, if the row is one of several that are selected.
      return () => (isFileSelected(selection, active, row) ? props.onCopy() : props.onCopyRow(row))
    }
    if (isKey(event, 'select-all')) return () => props.onSelection(allChosen)
    if (isKey(event, 'copy'))
      // If text is selected, the browser copies that instead.
      return window.getSelection()?.isCollapsed === false ? null : props.onCopy
    if (isKey(event, 'delete')) return props.onDelete
    if (isKey(event, 'escape')) return isSelectionEmpty ? null : () => props.onSelection(cleared)
    if (isKey(event, 'menu'))
      return () => {
        const box = gridRef.current?.querySelector(`[data-index="${active}"]`)?.getBoundingClientRect()
        if (box === undefined) return
        // The menu applies to the selected rows. If there are none, select the active row, as a right click
        // would.
        if (isSelectionEmpty) props.onSelection(chosen(active, 'only'))
        props.onMenu({ x: box.left + MENU_INSET_PX, y: box.bottom })
      }
    return isKey(event, 'type') && !isKey(event, 'shortcuts') ? () => props.onType(event.key) : null
  }

  return (event) => {
    if (isTyping(event.target)) return
    // A focused column header handles these keys itself.
    if (event.target !== event.currentTarget && isForControl(event)) return
    const action = actionOf(event)
    if (action === null) return
    event.preventDefault()
    if (!isHeldAction(event)) action()
  }
}
