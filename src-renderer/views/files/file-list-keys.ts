// Handles the keys of the file list, which move, select, open, copy, delete and open the context menu. Any
// other character goes to the search field. list-navigation.ts decides where an arrow key leads, and
// range-selection.ts decides what it selects.
import type { KeyboardEvent, RefObject } from 'react'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { type Gesture, pageStep, rowAfterKey } from '../../lib/list-navigation.ts'
import { arrowGesture, isDeleteKey, isHeldAction, isTyping, withMod } from '../../state/keyboard.ts'
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
    const mod = withMod(event)
    const letter = event.key.toLowerCase()
    const page = pageStep(gridRef.current?.clientHeight ?? 0, rowHeight)
    const target = rowAfterKey(event.key, active, { count: state.total, page })
    if (target !== null) return () => goTo(target, arrowGesture(event))
    if (event.key === ' ' && active >= 0) return () => goTo(active, event.shiftKey ? 'extend' : 'toggle')
    if (event.key === 'Enter' && active >= 0) {
      const row = pages.at(active)
      if (row === undefined) return () => undefined
      if (mod) return () => props.onOpen(row)
      // As Ctrl+C does, if the row is one of several that are selected.
      return () => (isFileSelected(selection, active, row) ? props.onCopy() : props.onCopyRow(row))
    }
    if (mod && letter === 'a') return () => props.onSelection(allChosen)
    if (mod && letter === 'c' && !event.shiftKey)
      // If text is selected, the browser copies that instead.
      return window.getSelection()?.isCollapsed === false ? null : props.onCopy
    if (isDeleteKey(event)) return props.onDelete
    if (event.key === 'Escape') return isSelectionEmpty ? null : () => props.onSelection(cleared)
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))
      return () => {
        const box = gridRef.current?.querySelector(`[data-index="${active}"]`)?.getBoundingClientRect()
        if (box === undefined) return
        // The menu applies to the selected rows. If there are none, select the active row, as a right click
        // would.
        if (isSelectionEmpty) props.onSelection(chosen(active, 'only'))
        props.onMenu({ x: box.left + MENU_INSET_PX, y: box.bottom })
      }
    // `?` opens the list of shortcuts.
    if (event.key.length === 1 && event.key !== '?' && !event.ctrlKey && !event.metaKey && !event.altKey)
      return () => props.onType(event.key)
    return null
  }

  return (event) => {
    if (isTyping(event.target)) return
    // A focused column header handles these keys itself.
    if (event.target !== event.currentTarget && (event.key === 'Enter' || event.key === ' ')) return
    const action = actionOf(event)
    if (action === null) return
    event.preventDefault()
    if (!isHeldAction(event)) action()
  }
}
