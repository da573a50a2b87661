// An error message next to the field whose value can't be used.
// The element is always rendered, because fields refer to its ID in `aria-describedby`.
import type { ReactNode } from 'react'
import './field.css'

/** Renders no text while `text` is null. `more` follows in the secondary text colour. */
export function FieldError(props: {
  readonly id: string
  readonly text: string | null
  readonly more?: string
}): ReactNode {
  return (
    <p id={props.id} className="field-error" role="status">
      {props.text === null ? '' : props.text}
      {props.text === null || props.more === undefined ? null : <span className="second"> {props.more}</span>}
    </p>
  )
}
