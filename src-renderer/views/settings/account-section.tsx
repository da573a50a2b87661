// Account: which service, which plan, where the key lives, a new key, and the way out. The key itself is never here: it stands in the form that
// takes it, and nowhere after that.
import { type ReactNode, useState } from 'react'
import { printable } from '../../../src-shared/format.ts'
import { call } from '../../app/client.ts'
import { failureWords, useLanguage } from '../../app/language.tsx'
import { appStore, notify, useApp } from '../../app/store.ts'
import { Button } from '../../components/button.tsx'
import { ConnectForm } from '../welcome/connect-form.tsx'
import { planName } from '../welcome/proof.ts'
import { Question, Sheet } from './dialog.tsx'
import { Row } from './row.tsx'

export function AccountSection(): ReactNode {
  const { t, f } = useLanguage()
  const words = t.settingsView
  const connection = useApp((state) => state.connection)
  const account = useApp((state) => state.snapshot?.account ?? null)
  const keychain = useApp((state) => state.boot?.keychain ?? null)
  const [open, setOpen] = useState<'key' | 'out' | null>(null)
  const close = (): void => setOpen(null)

  const signOut = async (): Promise<void> => {
    const got = await call('signOut', {})
    if (got.ok) appStore.setState({ connection: got.value })
    else notify({ level: 'problem', ...failureWords({ t, f }, got.failure) })
  }
  const key = connection?.key ?? null
  const state = account?.state ?? 'none'
  return (
    <>
      <Row id="address">
        {() => (
          <span className="settings-value selectable" dir="ltr">
            {connection?.baseUrl ?? words.notConnected}
          </span>
        )}
      </Row>
      <Row id="plan">
        {() => (
          <span className="settings-value">
            {planName(account?.plan ?? null) ?? t.unknown}
            <span className={state === 'key-refused' || state === 'no-api' ? 'problem' : 'second'}> · {words.accountStates[state]}</span>
          </span>
        )}
      </Row>
      <Row
        id="key"
        note={
          keychain === null || keychain.ok ? null : (
            <p className="settings-row-hint waiting">{words.keychainAway(printable(keychain.message ?? ''))}</p>
          )
        }
      >
        {(ids) => (
          <>
            <span className="settings-value">{key === null ? words.keyNone : words.keyIn[key]}</span>
            <Button aria-describedby={ids.labelledBy} onPress={() => setOpen('key')}>
              {key === null ? words.connect : words.replaceKey}
            </Button>
          </>
        )}
      </Row>
      {key === null ? null : (
        <Row id="signOut" note={key === 'environment' ? <p className="settings-row-hint waiting">{words.signOutEnvironment}</p> : null}>
          {() => (
            <Button variant="danger" isDisabled={key === 'environment'} onPress={() => setOpen('out')}>
              {words.signOut}
            </Button>
          )}
        </Row>
      )}
      <Sheet title={words.replaceTitle} open={open === 'key'} onClose={close}>
        <ConnectForm onConnected={close} />
      </Sheet>
      <Question
        title={words.signOutTitle}
        text={words.signOutText}
        go={words.signOutDo}
        open={open === 'out'}
        onClose={close}
        onGo={() => void signOut()}
      />
    </>
  )
}
