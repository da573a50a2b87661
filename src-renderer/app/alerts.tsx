// Banners for whatever blocks uploads, at the top of every view: a refused key, a plan without API access, an unreachable service, a missing folder,
// a pause, an engine that is restarting. Each says what Slipway does about it and what the user can do.
import type { ReactNode } from 'react'
import { Banner } from '../components/banner.tsx'
import { Button } from '../components/button.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { useNow } from '../hooks/use-now.ts'
import { folderName } from '../lib/path-names.ts'
import { call } from '../state/client.ts'
import { go, useApp } from '../state/store.ts'

export function Alerts(): ReactNode {
  const { t, f } = useLanguage()
  const snapshot = useApp((state) => state.snapshot)
  const engineUp = useApp((state) => state.engineUp)
  const now = useNow(1000)
  if (snapshot === null) return null
  const { account, gate } = snapshot
  const bands: ReactNode[] = []
  if (!engineUp) bands.push(<Banner key="engine" tone="waiting" title={t.engineDown} />)
  if (account.state === 'key-refused')
    bands.push(
      <Banner
        key="key"
        tone="problem"
        title={t.accountBlockedTitle}
        hint={t.accountBlockedHint}
        action={
          <Button size="small" onPress={() => go('settings')}>
            {t.enterKey}
          </Button>
        }
      />,
    )
  else if (account.state === 'no-api')
    bands.push(
      <Banner
        key="api"
        tone="problem"
        title={t.noApiTitle}
        hint={t.noApiHint}
        action={
          <Button size="small" onPress={() => void call('retry', { ids: null })}>
            {t.checkAgain}
          </Button>
        }
      />,
    )
  else if (account.state === 'offline')
    bands.push(
      <Banner
        key="offline"
        tone="waiting"
        title={t.offlineTitle}
        hint={t.offlineHint(gate?.until == null || gate.until <= now ? '' : f.when(gate.until, now))}
        action={
          <Button size="small" onPress={() => void call('retry', { ids: null })}>
            {t.retry}
          </Button>
        }
      />,
    )
  for (const folder of snapshot.folders)
    if (folder.state === 'away')
      bands.push(
        <Banner key={`folder ${folder.id}`} tone="waiting" title={t.folderGoneTitle(folderName(folder.path))} hint={t.folderGoneHint} />,
      )
  if (snapshot.paused)
    bands.push(
      <Banner
        key="paused"
        tone="info"
        title={t.pausedTitle}
        hint={t.pausedHint}
        action={
          <Button size="small" onPress={() => void call('resume', {})}>
            {t.resume}
          </Button>
        }
      />,
    )
  return bands.length === 0 ? null : <div className="alerts">{bands}</div>
}
