// The banner above the list where the daily upload limit is too small for what is open: how much goes today, and when the rest does.
// Without a known limit, or with room for everything, there is none.
import type { ReactNode } from 'react'
import { Banner } from '../../components/banner.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import { planSentence } from './sentences.ts'
import { planOf } from './upload-plan.ts'

export function PlanBanner({ now }: { readonly now: number }): ReactNode {
  const words = useLanguage()
  const counts = useApp((state) => state.snapshot?.counts)
  const dailyUploads = useApp((state) => state.snapshot?.dailyUploads)
  const plan = counts === undefined || dailyUploads === undefined ? null : planOf({ counts, dailyUploads })
  if (plan === null) return null
  const { title, hint } = planSentence(words, plan, now)
  return (
    <div className="transfers-banner">
      <Banner tone="waiting" title={title} hint={hint} />
    </div>
  )
}
