// One menu for the whole list, opened at a button, at the pointer or at the active row: all that can be done with some transfers. What it
// offers is decided in actions.ts; it closes when something is chosen.
import { type ReactNode, useRef } from 'react'
import { Menu, MenuItem, Popover } from 'react-aria-components'
import type { Transfer } from '../../../src-shared/model.ts'
import { useLanguage } from '../../app/language.tsx'
import { type Action, actionsOf } from './actions.ts'

export interface OpenMenu {
  readonly transfers: readonly Transfer[]
  readonly x: number
  readonly y: number
}

/** What can be done with all of these together. */
function common(transfers: readonly Transfer[]): readonly Action[] {
  const [first, ...rest] = transfers
  if (first === undefined) return []
  return actionsOf(first).filter(
    (action) => (rest.length === 0 || (action !== 'show' && action !== 'open')) && rest.every((one) => actionsOf(one).includes(action)),
  )
}

export function TransferMenu(props: {
  readonly open: OpenMenu | null
  readonly onClose: () => void
  readonly act: (action: Action, transfers: readonly Transfer[]) => void
}): ReactNode {
  const { t } = useLanguage()
  const anchor = useRef<HTMLSpanElement>(null)
  const { open } = props
  const actions = open === null ? [] : common(open.transfers)
  return (
    <>
      <span
        ref={anchor}
        className="transfers-anchor"
        aria-hidden="true"
        style={open === null ? undefined : { transform: `translate(${open.x}px, ${open.y}px)` }}
      />
      <Popover
        triggerRef={anchor}
        isOpen={open !== null && actions.length > 0}
        onOpenChange={(isOpen) => {
          if (!isOpen) props.onClose()
        }}
        placement="bottom start"
        offset={4}
        className="transfers-menu"
        aria-label={t.more}
      >
        <Menu
          autoFocus="first"
          aria-label={t.more}
          onClose={props.onClose}
          onAction={(key) => {
            const action = actions.find((one) => one === key)
            if (action !== undefined && open !== null) props.act(action, open.transfers)
          }}
        >
          {actions.map((action) => (
            <MenuItem key={action} id={action} className="transfers-menu-item">
              {t.transfersView.actions[action]}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </>
  )
}
