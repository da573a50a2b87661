// The frame of a plot: its title, a note, its tools, and what replaces the plot while it loads or if there is
// nothing to draw. plot.tsx draws the plot itself.
import { ChartColumn } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useUsage } from './usage-data.ts'
import './plot.css'

export function PlotCard(props: {
  readonly className: string
  readonly title: string
  readonly note: string
  readonly tools?: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className={`usage-card usage-plot-card ${props.className}`} aria-label={props.title}>
      <header className="usage-plot-head">
        <h2 className="usage-plot-title">{props.title}</h2>
        <p className="usage-plot-note second cut figures">
          <bdi>{props.note}</bdi>
        </p>
        {props.tools}
      </header>
      {props.children}
    </section>
  )
}

/**
 * Replaces a plot: a placeholder while the data is being read, or a text that explains why there is nothing
 * to draw.
 */
export function PlotGap({ text }: { readonly text: string | null }): ReactNode {
  const { t } = useLanguage()
  const failed = useUsage((data) => data.historyFailure !== null)
  return text === null && !failed ? (
    <div className="usage-plot-gap usage-plot-placeholder" aria-hidden="true" />
  ) : (
    <div className="usage-plot-gap third">
      <ChartColumn className="icon" aria-hidden="true" />
      <p>{text ?? t.usageView.notNow}</p>
    </div>
  )
}
