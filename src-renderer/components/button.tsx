// Buttons in four variants, based on React Aria's button.
// `IconButton` adds an accessible name and a tooltip.
import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  type ButtonProps as AriaProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components'
import './button.css'

export interface ButtonProps extends Omit<AriaProps, 'children' | 'className'> {
  readonly children?: ReactNode
  readonly icon?: ReactNode
  readonly variant?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly size?: 'normal' | 'small'
  readonly className?: string
}

export function Button({
  children,
  icon,
  variant = 'plain',
  size = 'normal',
  className = '',
  ...rest
}: ButtonProps): ReactNode {
  return (
    <AriaButton {...rest} className={`button button-${variant} button-${size} ${className}`}>
      {icon}
      {children === undefined ? null : <span className="button-label">{children}</span>}
    </AriaButton>
  )
}

/** A button that shows only an icon. `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  icon,
  size = 'small',
  className = '',
  ...rest
}: Omit<ButtonProps, 'children'> & { readonly label: string }): ReactNode {
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={`button button-quiet button-icon button-${size} ${className}`}
      >
        {icon}
      </AriaButton>
      <Tooltip className="tooltip" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  )
}
