// The menu of the selected rows in the current view, for the palette, which offers the same actions.
import { useEffect } from 'react'
import type { MenuEntry } from './context-menu.tsx'

interface SelectionMenu {
  /** The selected file, or how many there are. */
  readonly name: string
  /** Empty if nothing is selected. */
  readonly entries: readonly MenuEntry[]
}

const NONE: SelectionMenu = { name: '', entries: [] }
let shown = NONE

/** Offers the menu while the view is mounted. Call it with each render, because the entries act on what it shows. */
export function useSelectionMenu(name: string, entries: readonly MenuEntry[]): void {
  useEffect(() => {
    shown = { name, entries }
    return () => {
      shown = NONE
    }
  })
}

export function selectionMenu(): SelectionMenu {
  return shown
}
