// A menu at a point of the window, opened at the pointer, at a button or at the row of the keyboard.
// It closes when something is chosen, by Escape and by a click beside it.
import { type ReactNode, useRef } from 'react'
import { Menu, MenuItem, Popover, Separator } from 'react-aria-components'
import './context-menu.css'

/** In CSS pixels from the upper left corner of the window. */
export interface MenuPoint {
  readonly x: number
  readonly y: number
}

export type MenuEntry =
  | {
      readonly id: string
      readonly label: string
      readonly icon?: ReactNode
      /** The shortcut that does the same, as it is shown. */
      readonly keys?: string
      readonly isDanger?: boolean
      readonly run: () => void
    }
  | { readonly id: string; readonly separator: true }

/** `at` null: closed. A menu without entries stays closed, too. */
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
          {props.entries.map((entry) =>
            'separator' in entry ? (
              <Separator key={entry.id} className="menu-separator" />
            ) : (
              <MenuItem
                key={entry.id}
                id={entry.id}
                className={entry.isDanger === true ? 'menu-item problem' : 'menu-item'}
                textValue={entry.label}
                onAction={entry.run}
              >
                {entry.icon}
                {entry.label}
                {entry.keys === undefined ? null : <kbd className="key">{entry.keys}</kbd>}
              </MenuItem>
            ),
          )}
        </Menu>
      </Popover>
    </>
  )
}
