// A context menu, which opens at a point in the window: at the pointer, a button or the active row.
// It closes after a choice, on Escape, and on a click outside. An entry may open another menu.
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Menu, MenuItem, Popover, Separator, SubmenuTrigger } from 'react-aria-components'
import './context-menu.css'

/** A point in the window, in CSS pixels from its top left corner. */
export interface MenuPoint {
  readonly x: number
  readonly y: number
}

export type MenuEntry =
  | {
      readonly id: string
      readonly label: string
      readonly icon?: ReactNode
      /** The shortcut for the same action, as displayed. */
      readonly keys?: string
      readonly isDanger?: boolean
      readonly run: () => void
    }
  | {
      readonly id: string
      readonly label: string
      readonly icon?: ReactNode
      readonly entries: readonly MenuEntry[]
    }
  | { readonly id: string; readonly separator: true }

/** The menu is open while `at` isn't null and there are entries. */
export function ContextMenu(props: {
  readonly label: string
  readonly at: MenuPoint | null
  readonly entries: readonly MenuEntry[]
  readonly onClose: () => void
}): ReactNode {
  const anchor = useRef<HTMLSpanElement>(null)
  const { at } = props
  return (
    <>
      <span
        ref={anchor}
        className="menu-anchor"
        aria-hidden="true"
        style={at === null ? undefined : { transform: `translate(${at.x}px, ${at.y}px)` }}
      />
      <Popover
        className="menu-popover"
        aria-label={props.label}
        triggerRef={anchor}
        isOpen={at !== null && props.entries.length > 0}
        onOpenChange={(isOpen) => {
          if (!isOpen) props.onClose()
        }}
        placement="bottom start"
        offset={4}
      >
        <Menu className="menu" aria-label={props.label} autoFocus="first" onClose={props.onClose}>
          {props.entries.map((entry) => menuItem(entry, props.onClose))}
        </Menu>
      </Popover>
    </>
  )
}

function menuItem(entry: MenuEntry, onClose: () => void): ReactNode {
  if ('separator' in entry) return <Separator key={entry.id} className="menu-separator" />
  if ('entries' in entry)
    return (
      <SubmenuTrigger key={entry.id}>
        <MenuItem id={entry.id} className="menu-item" textValue={entry.label}>
          {entry.icon}
          {entry.label}
          <ChevronRight className="icon menu-more" aria-hidden="true" />
        </MenuItem>
        <Popover className="menu-popover" offset={-2}>
          <Menu className="menu" aria-label={entry.label}>
            {entry.entries.map((one) => menuItem(one, onClose))}
          </Menu>
        </Popover>
      </SubmenuTrigger>
    )
  return (
    <MenuItem
      key={entry.id}
      id={entry.id}
      className={entry.isDanger === true ? 'menu-item problem' : 'menu-item'}
      textValue={entry.label}
      onAction={() => {
        entry.run()
        // A choice in a submenu closes only that one.
        onClose()
      }}
    >
      {entry.icon}
      {entry.label}
      {entry.keys === undefined ? null : <kbd className="key">{entry.keys}</kbd>}
    </MenuItem>
  )
}
