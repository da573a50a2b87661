// A choice between a few options that are all visible. The arrow keys change the choice, as in any radio
// group. The component is controlled: it always shows `value`.
import type { ReactNode } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import './segmented.css'

export function Segmented<T extends string>(props: {
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
  readonly label?: string
  readonly labelledBy?: string
  readonly describedBy?: string
}): ReactNode {
  return (
    <RadioGroup
      className="segmented"
      orientation="horizontal"
      value={props.value}
      onChange={(value) => {
        const chosen = props.options.find((option) => option.value === value)
        if (chosen !== undefined) props.onChange(chosen.value)
      }}
      {...(props.label === undefined ? {} : { 'aria-label': props.label })}
      {...(props.labelledBy === undefined ? {} : { 'aria-labelledby': props.labelledBy })}
      {...(props.describedBy === undefined ? {} : { 'aria-describedby': props.describedBy })}
    >
      {props.options.map((option) => (
        <Radio key={option.value} value={option.value} className="segment">
          {option.label}
        </Radio>
      ))}
    </RadioGroup>
  )
}
