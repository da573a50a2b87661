// The banner that is shown above the list when the daily upload limit is too low for the open transfers. It says how many are uploaded
// today and when the others follow, and lets the user choose which go first. It isn't shown if the limit is unknown or sufficient. It is
// also hidden while uploads are paused or the account can't upload, because other parts of the window explain this.
import type { ReactNode } from 'react'
import type { Account } from '../../../src-shared/model.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { useAhead } from '../../hooks/use-ahead.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useApp } from '../../state/store.ts'
import { planSentence } from './sentences.ts'
import { planOf } from './upload-plan.ts'

const SENDING: ReadonlySet<Account['state']> = new Set(['ok', 'unproved'])

interface PlanBannerProps {
  readonly now: number
  /** Whether the user is choosing which transfers go first. */
  readonly isOrdering: boolean
  /** Null if no transfer is waiting. */
  readonly onOrder: ((isOrdering: boolean) => void) | null
}

export function PlanBanner({ now, isOrdering, onOrder }: PlanBannerProps): ReactNode {
  const words = useLanguage()
  const counts = useApp((state) => state.snapshot?.counts)
  const dailyUploads = useApp((state) => state.snapshot?.dailyUploads)
  const isSending = useApp(({ snapshot }) => snapshot !== null && !snapshot.paused && SENDING.has(snapshot.account.state))
  const plan = counts === undefined || dailyUploads === undefined || !isSending ? null : planOf({ counts, dailyUploads }, now)
  const from = useAhead(plan?.from ?? null)
  if (plan === null) return null
  const { title, hint } = planSentence(words, { ...plan, from }, now)
  const own = words.t.transfersView
  return (
    <div className="transfers-banner">
      <Banner
        tone="waiting"
        title={title}
        hint={isOrdering ? own.orderHint : hint}
        action={
          onOrder === null ? null : (
            <Button size="small" onPress={() => onOrder(!isOrdering)}>
              {isOrdering ? own.orderDone : own.chooseOrder}
            </Button>
          )
        }
      />
    </div>
  )
}
