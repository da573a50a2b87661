// Banners at the top of every view about what keeps files from being uploaded: a policy, a missing or refused key, a plan without API
// access, an unreachable service, a proxy that requires a login, a missing folder, a pause, or an engine that is restarting. If there is
// none of these, the files view may ask about copying links (copy-offer.tsx).
import type { ReactNode } from 'react'
import { printable } from '../../src-shared/format.ts'
import { Banner } from '../components/banner.tsx'
import { Button } from '../components/button.tsx'
import { useLanguage } from '../hooks/use-language.tsx'
import { useNow } from '../hooks/use-now.ts'
import { folderName } from '../lib/path-names.ts'
import { call } from '../state/client.ts'
import { go, openProxyDialog, useApp } from '../state/store.ts'
import { openKeyForm } from '../views/settings/section-store.ts'
import { CopyOffer } from './copy-offer.tsx'

export function Alerts(): ReactNode {
  const { t, f } = useLanguage()
  const snapshot = useApp((state) => state.snapshot)
  const engineUp = useApp((state) => state.engineUp)
  const accountName = useApp((state) => state.connection?.account ?? null)
  const baseUrl = useApp((state) => state.connection?.baseUrl ?? null)
  const keyFrom = useApp((state) => state.connection?.key)
  const managed = useApp((state) => state.boot?.managed ?? null)
  const proxyLogin = useApp((state) => state.boot?.proxyLogin ?? null)
  const isHome = useApp((state) => state.view === 'files')
  const now = useNow(1000)
  if (snapshot === null) return null
  const { account, counts, gate } = snapshot
  const bands: ReactNode[] = []
  if (!engineUp) bands.push(<Banner key="engine" tone="waiting" title={t.engineDown} />)
  if (managed !== null && managed.fault !== null)
    bands.push(<Banner key="managed" tone="problem" title={t.managedFaultTitle} hint={managed.fault} />)
  else if (account.state === 'none' && accountName !== null && managed !== null && managed.address !== null && managed.address !== baseUrl)
    bands.push(<Banner key="managed" tone="waiting" title={t.managedAddressTitle(managed.address)} hint={t.managedAddressHint} />)
  else if (account.state === 'none' && accountName !== null)
    bands.push(
      <Banner
        key="signed-out"
        tone="waiting"
        title={t.signedOutTitle(printable(accountName))}
        hint={t.signedOutHint}
        action={<EnterKey />}
      />,
    )
  else if (account.state === 'key-refused')
    bands.push(
      <Banner
        key="key"
        tone="problem"
        title={t.accountBlockedTitle}
        hint={keyFrom === 'environment' ? t.accountBlockedHintEnvironment : t.accountBlockedHint}
        action={<EnterKey />}
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
  else if (account.state === 'offline' && proxyLogin !== null && proxyLogin.refused)
    bands.push(
      <Banner
        key="proxy"
        tone="problem"
        title={t.proxyLoginTitle(proxyLogin.proxy ?? '')}
        hint={t.proxyLoginHint}
        action={
          <Button size="small" onPress={() => openProxyDialog(true)}>
            {t.proxyLoginDo}
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
        hint={t.pausedHint(counts.uploading, f.count(counts.uploading))}
        action={
          <>
            {counts.uploading === 0 ? null : (
              <Button size="small" onPress={() => void call('pause', { now: true })}>
                {t.pauseNow}
              </Button>
            )}
            <Button size="small" onPress={() => void call('resume', {})}>
              {t.resume}
            </Button>
          </>
        }
      />,
    )
  if (bands.length === 0 && isHome) bands.push(<CopyOffer key="copies" />)
  return bands.length === 0 ? null : <div className="alerts">{bands}</div>
}

function EnterKey(): ReactNode {
  const { t } = useLanguage()
  return (
    <Button
      size="small"
      onPress={() => {
        openKeyForm()
        go('settings')
      }}
    >
      {t.enterKey}
    </Button>
  )
}
