// A card with one figure and its unit, below a title. An optional bar shows how much of a limit is used, and lines of text follow. Grey
// placeholders replace values that aren't known yet.
import type { ReactNode } from 'react'
import type { Window } from '../../../src-shared/model.ts'
import { Meter } from '../../components/meter.tsx'

/** The fraction of a limit at which the bar changes colour. */
const NEARLY_FULL = 0.8

function Placeholder({ wide }: { readonly wide: 'figure' | 'line' }): ReactNode {
  return <span className={`usage-placeholder usage-placeholder-${wide}`} aria-hidden="true" />
}

export function FigureCard(props: {
  readonly title: string
  /** Null if not known yet. */
  readonly figure: string | null
  readonly unit: string
  readonly bar?: { readonly window: Window; readonly words: string }
  /** A null line isn't known yet. */
  readonly lines: readonly (string | null)[]
}): ReactNode {
  const { bar } = props
  const part = bar === undefined || bar.window.limit === null || bar.window.limit === 0 ? null : bar.window.used / bar.window.limit
  return (
    <div className="usage-card" role="group" aria-label={props.title}>
      <h2 className="usage-card-title">{props.title}</h2>
      <p className="usage-figure figures">
        {props.figure === null ? <Placeholder wide="figure" /> : props.figure}
        {props.unit === '' || props.figure === null ? null : <span className="usage-unit second"> {props.unit}</span>}
      </p>
      {bar === undefined ? null : (
        <Meter label={props.title} value={part} words={bar.words} tone={part !== null && part >= NEARLY_FULL ? 'waiting' : 'accent'} />
      )}
      <div className="usage-card-lines second">
        {props.lines.map((line, i) =>
          line === null ? <Placeholder key={`placeholder-${String(i)}`} wide="line" /> : <p key={line}>{line}</p>,
        )}
      </div>
    </div>
  )
}
