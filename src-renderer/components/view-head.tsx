// The header of every view: its title, a line about its content, and its tools.
// If space is limited, the line is shortened first.
import type { ReactNode } from 'react'
import './view-head.css'

export function ViewHead(props: {
  readonly title: string
  readonly detail?: string
  readonly children?: ReactNode
}): ReactNode {
  return (
    <header className="view-head">
      <h1 className="title">{props.title}</h1>
      <p className="view-head-detail second cut">
        <bdi>{props.detail ?? ''}</bdi>
      </p>
      <div className="view-head-tools">{props.children}</div>
    </header>
  )
}
