// A banner with an icon and a title, and optionally a hint, an action and a close button. Screen readers
// announce problems immediately, everything else when they are idle.
import { CircleAlert, Hourglass, Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import './banner.css'

const ICONS = { info: Info, waiting: Hourglass, warning: TriangleAlert, problem: CircleAlert } as const

export function Banner(props: {
  /**
   * `waiting`: something has to wait, or is missing for now. `warning`: a permanent risk or limitation. Both
   * have the same background.
   */
  readonly tone: 'info' | 'waiting' | 'warning' | 'problem'
  readonly title: string
  readonly hint?: string | null
  readonly action?: ReactNode
  readonly onClose?: { readonly label: string; readonly run: () => void }
}): ReactNode {
  const Icon = ICONS[props.tone]
  return (
    <div className={`banner banner-${props.tone}`} role={props.tone === 'problem' ? 'alert' : 'status'}>
      <Icon className="icon" aria-hidden="true" />
      <p className="banner-text">
        <span className="strong">{props.title}</span>
        {props.hint === undefined || props.hint === null ? null : <span> {props.hint}</span>}
      </p>
      {props.action === undefined && props.onClose === undefined ? null : (
        <div className="banner-actions">
          {props.action}
          {props.onClose === undefined ? null : (
            <IconButton
              label={props.onClose.label}
              icon={<X className="icon" />}
              onPress={props.onClose.run}
            />
          )}
        </div>
      )}
    </div>
  )
}
