// A multi-line text field for a setting, such as rules or patterns. Its height follows the text, within
// limits. Errors and notes about the lines are shown elsewhere; `describedBy` refers to them.
import type { ReactNode } from 'react'
import { TextArea as AriaTextArea, TextField } from 'react-aria-components'
import { isKey } from '../state/keyboard.ts'
import './field.css'

const LINES_MIN = 3
const LINES_MAX = 10

/** The accessible name is `label`, or the text of the element with the ID `labelledBy`. */
export function TextArea(props: {
  readonly label?: string
  readonly labelledBy?: string
  /** Element IDs, separated by spaces. */
  readonly describedBy: string
  readonly value: string
  readonly isInvalid: boolean
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly onEscape?: () => void
}): ReactNode {
  const { label, labelledBy, onBlur, onEscape } = props
  return (
    <TextField
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(labelledBy === undefined ? {} : { 'aria-labelledby': labelledBy })}
      {...(onBlur === undefined ? {} : { onBlur })}
      onKeyDown={(event) => {
        if (isKey(event, 'escape') && onEscape !== undefined) onEscape()
        else event.continuePropagation()
      }}
      aria-describedby={props.describedBy}
      value={props.value}
      onChange={props.onChange}
      isInvalid={props.isInvalid}
    >
      <AriaTextArea
        className="input input-area mono"
        rows={Math.min(LINES_MAX, Math.max(LINES_MIN, props.value.split('\n').length))}
        spellCheck={false}
      />
    </TextField>
  )
}
