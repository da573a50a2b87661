// Why a typed value can't be used, next to its field.
// The element is always there, so that a screen reader notices when it gets a text.
import type { ReactNode } from 'react'
import './field.css'

/** Empty while `text` is null. `more` is shown in a lighter colour behind it. */
export function FieldError(props: { readonly id: string; readonly text: string | null; readonly more?: string }): ReactNode {
  return (
    <p id={props.id} className="field-error" role="status">
      {props.text === null ? '' : props.text}
      {props.text === null || props.more === undefined ? null : <span className="second"> {props.more}</span>}
    </p>
  )
}
