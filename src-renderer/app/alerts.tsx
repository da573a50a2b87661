// Shows banners at the top of every view about what keeps files from being uploaded: a policy, a disk, a
// missing, unreadable or refused key, a plan without API access, an unreachable or refusing service, a proxy
// that requires a login, a missing folder, a pause, or an engine that is restarting or can't start. If none
// of these applies, the files view may ask about copying links (alerts.tsx).
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../src-shared/engine-contract.ts'
import { printable } from '../../src-shared/format.ts'
import { keyState } from '../../src-shared/key-state.ts'
import type { Gate } from '../../src-shared/model.ts'
import type { Picked } from '../../src-shared/window-contract.ts'
import { Banner } from '../components/banner.tsx'
import { Button } from '../components/button.tsx'
import { CheckAgain } from '../components/check-again.tsx'
import { useAsk } from '../hooks/use-ask.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { useNowNear } from '../hooks/use-now.ts'
import { SERVICE_REASONS } from '../lib/causes.ts'
import { folderName } from '../lib/path-names.ts'
import { failureWords, type Words } from '../lib/words.ts'
import { call } from '../state/client.ts'
import { retryStuckDrops } from '../state/kept.ts'
import { notifyFailure } from '../state/notices.ts'
import { appStore, go, openProxyDialog, useApp } from '../state/store.ts'
import { chooseSection, openKeyForm } from '../views/settings/section-store.ts'
import { offlineWords, refusedKeyWords, serviceWords } from './gauge-words.ts'

export function Alerts(): ReactNode {
  const { t, f } = useLanguage()
  const ask = useAsk()
  const snapshot = useApp((state) => state.snapshot)
  const engineUp = useApp((state) => state.engineUp)
  const stopped = useApp((state) => state.stopped)
  const connection = useApp((state) => state.connection)
  const fault = useApp((state) => state.boot?.managed.fault ?? null)
  const isHome = useApp((state) => state.view === 'files')
  const accountBand = useAccountBand()
  const stuck = useApp((state) => state.stuckDrops)
  const managedFault =
    fault === null ? null : (
      <Banner
        key="managed"
        tone="problem"
        title={t.managedFaultTitle}
        hint={t.managedFaultHint(fault)}
        action={<CheckAgain />}
      />
    )
  // Without an engine, the last snapshot is out of date.
  if (stopped !== null) return <div className="alerts">{managedFault ?? <Stopped failure={stopped} />}</div>
  if (snapshot === null || connection === null) return null
  const { counts } = snapshot
  const bands: ReactNode[] = []
  if (!engineUp) bands.push(<Banner key="engine" tone="waiting" title={t.engineDown} />)
  const band = managedFault ?? diskBanner({ t, f }, snapshot.gate, stuck) ?? accountBand
  if (band !== null) bands.push(band)
  for (const folder of snapshot.folders)
    if (folder.state === 'away')
      bands.push(
        <Banner
          key={`folder ${folder.id}`}
          tone="waiting"
          title={(folder.silent === true ? t.folderSilentTitle : t.folderGoneTitle)(folderName(folder.path))}
          hint={folder.silent === true ? t.folderSilentHint : t.folderGoneHint}
        />,
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
              <Button size="small" onPress={() => void ask('pause', { now: true })}>
                {t.pauseNow}
              </Button>
            )}
            <Button size="small" onPress={() => void ask('resume', {})}>
              {t.resume}
            </Button>
          </>
        }
      />,
    )
  if (bands.length === 0 && isHome) bands.push(<CopyOffer key="copies" />)
  return bands.length === 0 ? null : <div className="alerts">{bands}</div>
}

/** The banner about the account or the connection to its service; null if uploads can reach it. */
function useAccountBand(): ReactNode {
  const { t, f } = useLanguage()
  const snapshot = useApp((state) => state.snapshot)
  const connection = useApp((state) => state.connection)
  const managed = useApp((state) => state.boot?.managed ?? null)
  const proxyLogin = useApp((state) => state.boot?.proxyLogin ?? null)
  const now = useNowNear(snapshot?.gate?.until)
  if (snapshot === null || connection === null) return null
  const accountName = connection.account ?? null
  const key = keyState(connection, snapshot)
  const { account } = snapshot
  if (
    account.state === 'none' &&
    accountName !== null &&
    managed !== null &&
    managed.address !== null &&
    managed.address !== connection.baseUrl
  )
    return (
      <Banner
        key="managed"
        tone="waiting"
        title={t.managedAddressTitle(managed.address)}
        hint={t.managedAddressHint}
      />
    )
  if (key === 'key-unread') return <KeyUnread key="key-unread" />
  if (key === 'signed-out' && accountName !== null)
    return (
      <Banner
        key="signed-out"
        tone="waiting"
        title={t.signedOutTitle(printable(accountName))}
        hint={t.signedOutHint}
        action={<EnterKey />}
      />
    )
  if (account.state === 'key-refused')
    return (
      <Banner
        key="key"
        tone="problem"
        title={t.accountBlockedTitle}
        hint={
          connection.key === 'environment'
            ? t.accountBlockedHintEnvironment
            : refusedKeyWords(snapshot, { t, f }, now)
        }
        action={
          <>
            <CheckAgain />
            <EnterKey />
          </>
        }
      />
    )
  if (account.state === 'no-api')
    return <Banner key="api" tone="problem" title={t.noApiTitle} hint={t.noApiHint} action={<CheckAgain />} />
  if (account.state === 'offline' && proxyLogin !== null && proxyLogin.refused)
    return (
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
      />
    )
  if (account.state === 'offline')
    return (
      <Banner
        key="offline"
        tone="waiting"
        title={t.offlineTitle}
        hint={offlineWords(snapshot, { t, f }, now)}
        action={<CheckAgain />}
      />
    )
  const { gate } = snapshot
  if (gate !== null && SERVICE_REASONS.some((reason) => reason === gate.reason))
    return (
      <Banner
        key="service"
        tone="waiting"
        title={`${t.reasons[gate.reason]('')}.`}
        hint={serviceWords(gate, { t, f }, now)}
        action={<CheckAgain />}
      />
    )
  return null
}

/** The banner about the disk with Slipway's own data; it stays until that can be written to. Names drops that wait for it. */
function diskBanner({ t, f }: Words, gate: Gate | null, stuck: readonly Picked[]): ReactNode {
  const [first] = stuck
  if (first !== undefined) {
    const count = stuck.reduce((sum, one) => sum + one.paths, 0)
    return (
      <Banner
        key="disk"
        tone="problem"
        title={gate?.disk === undefined ? t.failures.disk.title : t.diskFaults[gate.disk.fault].title}
        hint={t.stuckDrops(printable(first.name), count - 1, f.count(count - 1))}
        action={
          <Button size="small" onPress={retryStuckDrops}>
            {t.checkAgain}
          </Button>
        }
      />
    )
  }
  if (gate?.disk === undefined) return null
  const { title, hint } = t.diskFaults[gate.disk.fault]
  const folder = printable(gate.disk.folder)
  return <Banner key="disk" tone="problem" title={title} hint={hint(folder)} action={<CheckAgain />} />
}

function Stopped({ failure }: { readonly failure: Failure }): ReactNode {
  const words = useLanguage()
  const { code } = failure
  // The code `usage` has too many causes for one translated text, so the failure's own English text is shown.
  const { title, hint } = code === 'usage' ? failure : failureWords(words, failure, 'start')
  return (
    <Banner
      tone="problem"
      title={words.t.engineStopped}
      hint={`${title} ${hint ?? ''}`}
      action={code === 'key-refused' || code === 'no-key' ? <EnterKey /> : undefined}
    />
  )
}

function KeyUnread(): ReactNode {
  const { t } = useLanguage()
  const ask = useAsk()
  const [isReading, setReading] = useState(false)
  const readAgain = async (): Promise<void> => {
    setReading(true)
    await ask('readKeyAgain', {})
    setReading(false)
  }
  return (
    <Banner
      tone="problem"
      title={t.keyUnreadTitle}
      hint={t.keyUnreadHint}
      action={
        <>
          <Button size="small" isPending={isReading} onPress={() => void readAgain()}>
            {t.retry}
          </Button>
          <EnterKey />
        </>
      }
    />
  )
}

function EnterKey(): ReactNode {
  const { t } = useLanguage()
  return (
    <Button size="small" onPress={() => openKeyForm()}>
      {t.enterKey}
    </Button>
  )
}

// Asks whether links should be copied automatically for folders that were already watched before Slipway had
// this feature. The user can change the answer in each folder's settings.
const NAMED_MOST = 3

function CopyOffer(): ReactNode {
  const { t, f } = useLanguage()
  const ask = useAsk()
  const settings = useApp((state) => state.settings)
  const folders = useApp((state) => state.snapshot?.folders)
  const asked = folders?.filter((folder) => settings?.copyAsk?.includes(folder.path)) ?? []
  if (settings?.copyWatched !== 'chosen' || asked.length === 0) return null
  const names = asked.slice(0, NAMED_MOST).map((folder) => folderName(folder.path))
  const more = asked.length - names.length
  const answer = (copy: boolean): void => void ask('answerCopies', { copy })
  return (
    <Banner
      tone="info"
      title={t.copyOffer}
      hint={t.copyOfferHint(t.deleteNames(names, more, f.count(more)))}
      action={
        <>
          {asked.length === 1 ? null : (
            <Button
              size="small"
              onPress={() => {
                answer(false)
                chooseSection('folders')
                go('settings')
              }}
            >
              {t.copyOfferChoose}
            </Button>
          )}
          <Button size="small" onPress={() => answer(false)}>
            {t.copyOfferLater}
          </Button>
          <Button size="small" onPress={() => answer(true)}>
            {t.copyOfferDo}
          </Button>
        </>
      }
    />
  )
}

// The banner that is always shown during a trial. It says that links work only on this computer and that
// files will be deleted, and offers to connect an account. Connecting ends the trial, after a system dialog
// of the shell, and leads back to the welcome screen.
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
