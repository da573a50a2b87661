// A bar that shows a fraction, with a text for screen readers.
// If the total is unknown, the bar stays empty.
import type { ReactNode } from 'react'
import './meter.css'

export function Meter(props: {
  readonly label: string
  /** 0 to 1; null if the total is unknown. */
  readonly value: number | null
  readonly words: string
  readonly tone?: 'accent' | 'waiting'
  readonly role?: 'meter' | 'progressbar'
}): ReactNode {
  const part =
    props.value === null || !Number.isFinite(props.value) ? 0 : Math.min(1, Math.max(0, props.value))
  return (
    <span
      className="meter"
      role={props.role ?? 'meter'}
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(part * 100)}
      aria-valuetext={props.words}
    >
      <span
        className={`meter-fill meter-${props.tone ?? 'accent'}`}
        style={{ inlineSize: `${part * 100}%` }}
      />
    </span>
  )
}
