// The banner that is always shown during a trial. It says that links work only on this computer and that files will be deleted, and offers
// to connect an account. Connecting ends the trial, after a system dialog of the shell, and leads back to the welcome screen.
import type { ReactNode } from 'react'
import { Banner } from '../components/banner.tsx'
import { Button } from '../components/button.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { call } from '../state/client.ts'
import { notifyFailure } from '../state/notices.ts'
import { appStore, useApp } from '../state/store.ts'

export function TrialBanner(): ReactNode {
  const words = useLanguage()
  const { t } = words
  const isTrial = useApp((state) => state.connection?.trial === true)
  if (!isTrial) return null
  const end = async (): Promise<void> => {
    const { view } = appStore.getState()
    // Start with the files view after the trial.
    appStore.setState({ view: 'files' })
    const ended = await call('endTrial', {})
    if (!ended.ok || !ended.value.ended) appStore.setState({ view })
    if (!ended.ok) notifyFailure(words, ended.failure)
  }
  return (
    <div className="alerts">
      <Banner
        tone="info"
        title={t.trialTitle}
        action={
          <Button size="small" onPress={() => void end()}>
            {t.trialConnect}
          </Button>
        }
      />
    </div>
  )
}
