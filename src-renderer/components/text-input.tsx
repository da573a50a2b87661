// A single-line text field for a setting. It is named by its row or by `label`.
// A FieldError elsewhere explains why the text can't be used; `errorId` refers to it.
import type { ReactNode } from 'react'
import { Input, TextField } from 'react-aria-components'
import { isKey } from '../state/keyboard.ts'
import type { LabelIds } from './labelling.ts'
import './field.css'
import './text-input.css'

export function TextInput(props: {
  readonly ids: LabelIds
  readonly label?: string
  readonly value: string
  readonly placeholder?: string
  /** Set for URLs, which are written from left to right in every language. */
  readonly ltr?: boolean
  readonly error: string | null
  readonly errorId: string
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
  readonly onEnter: () => void
  readonly onEscape: () => void
}): ReactNode {
  return (
    <TextField
      className="text-input"
      value={props.value}
      onChange={props.onChange}
      onBlur={props.onBlur}
      onKeyDown={(event) => {
        // Otherwise, the window's shortcuts wouldn't get the key.
        event.continuePropagation()
        if (event.key === 'Enter') props.onEnter()
        else if (isKey(event, 'escape')) props.onEscape()
      }}
      isInvalid={props.error !== null}
      maxLength={2000}
      {...(props.label === undefined
        ? { 'aria-labelledby': props.ids.labelledBy }
        : { 'aria-label': props.label })}
      aria-describedby={`${props.ids.describedBy} ${props.errorId}`}
    >
      <Input
        className="input"
        spellCheck={false}
        autoComplete="off"
        placeholder={props.placeholder ?? ''}
        dir={props.ltr === true ? 'ltr' : 'auto'}
      />
    </TextField>
  )
}
