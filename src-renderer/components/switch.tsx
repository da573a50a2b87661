// A switch for a setting that is on or off. The row of the setting provides its name. The component is
// controlled: it always shows `value`.
import type { ReactNode } from 'react'
import { Switch as AriaSwitch } from 'react-aria-components'
import type { LabelIds } from './labelling.ts'
import './switch.css'

export function Switch(props: {
  readonly ids: LabelIds
  readonly value: boolean
  readonly onChange: (value: boolean) => void
}): ReactNode {
  return (
    <AriaSwitch
      className="switch"
      isSelected={props.value}
      onChange={props.onChange}
      aria-labelledby={props.ids.labelledBy}
      aria-describedby={props.ids.describedBy}
    >
      <span className="switch-track" aria-hidden="true">
        <span className="switch-thumb" />
      </span>
    </AriaSwitch>
  )
}
