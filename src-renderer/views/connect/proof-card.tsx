// The result of a connection check: the plan, the host, and the plan's limits.
// Unknown limits are learned while uploading.
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StatsView } from '../../../src-shared/model.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { planName } from '../../lib/words.ts'
import { limitWords } from './proof.ts'

export function ProofCard({ host, stats }: { readonly host: string; readonly stats: StatsView }): ReactNode {
  const words = useLanguage()
  const own = words.t.welcomeView
  const { parts, someUnknown } = limitWords(words, stats)
  return (
    <div className="form-note connect-proof">
      <CircleCheck className="icon good" aria-hidden="true" />
      <div>
        <p className="strong">
          {own.connected(planName(stats.plan))} <span className="second connect-host">{own.connectedTo(host)}</span>
        </p>
        <p className="second figures">{parts.join(' · ')}</p>
        {someUnknown ? <p className="third small">{own.learns}</p> : null}
      </div>
    </div>
  )
}
