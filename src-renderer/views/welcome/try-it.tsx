// The offer to try Slipway without an account, in the first step of the welcome screen. The shell starts a service on this computer; once
// the service is connected, the window shows the files view.
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { call } from '../../state/client.ts'
import { notifyFailure } from '../../state/notices.ts'

export function TryIt(): ReactNode {
  const words = useLanguage()
  const own = words.t.welcomeView
  const [isStarting, setStarting] = useState(false)
  const start = async (): Promise<void> => {
    setStarting(true)
    const started = await call('startTrial', {})
    setStarting(false)
    if (!started.ok) notifyFailure(words, started.failure)
  }
  return (
    <div className="welcome-try">
      <Button isPending={isStarting} onPress={() => void start()}>
        {isStarting ? own.tryStarting : own.tryIt}
      </Button>
      <p className="third small">{own.tryHint}</p>
    </div>
  )
}
