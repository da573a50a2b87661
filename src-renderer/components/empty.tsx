// The empty state of a list: what will appear here, and one action to start with.
// The view provides the texts.
import type { ReactNode } from 'react'
import './empty.css'

export function Empty(props: {
  readonly icon: ReactNode
  readonly title: string
  readonly hint: ReactNode
  readonly action?: ReactNode
}): ReactNode {
  return (
    <div className="empty">
      <span className="empty-icon" aria-hidden="true">
        {props.icon}
      </span>
      <h2 className="empty-title">{props.title}</h2>
      <p className="second">{props.hint}</p>
      {props.action === undefined ? null : <div className="empty-action">{props.action}</div>}
    </div>
  )
}
