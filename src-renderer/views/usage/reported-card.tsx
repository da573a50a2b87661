// A card with the values that the service reports and that aren't shown elsewhere on the page.
// The fields keep the service's names; see reported.ts.
import { type ReactNode, useMemo } from 'react'
import type { StatsView } from '../../../src-shared/model.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { createReporter, type Reported } from './reported.ts'

function useReported(stats: StatsView | null): readonly Reported[] {
  const { t, f } = useLanguage()
  const reporter = useMemo(() => createReporter(f.locale, { yes: t.usageView.yes, no: t.usageView.no, none: t.usageView.none }), [f, t])
  return useMemo(() => (stats === null ? [] : reporter(stats)), [stats, reporter])
}

export function ReportedCard({ stats }: { readonly stats: StatsView | null }): ReactNode {
  const { t } = useLanguage()
  const words = t.usageView
  const fields = useReported(stats)
  if (stats === null || fields.length === 0) return null
  return (
    <section className="usage-card usage-reported" aria-label={words.reported}>
      <header className="usage-plot-head">
        <h2 className="usage-plot-title">{words.reported}</h2>
        <p className="usage-plot-note second">{words.reportedHint}</p>
      </header>
      <dl className="usage-fields">
        {fields.map((field, i) => (
          <div key={`${String(i)} ${field.name}`} className="usage-field">
            <dt className="second">{field.name}</dt>
            <dd className="figures selectable">{field.value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
