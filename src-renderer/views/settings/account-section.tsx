// Account: the service, the plan, where the API key is kept, replacing it, and signing out. The key itself never comes here: only the form that
// takes it holds it, and only until it is sent.
import { type ReactNode, useState } from 'react'
import { printable } from '../../../src-shared/format.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useAsk } from '../../hooks/use-ask.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { planName } from '../../lib/words.ts'
import { appStore, useApp } from '../../state/store.ts'
import { ConnectForm } from '../connect/connect-form.tsx'
import { SettingRow } from './setting-row.tsx'

export function AccountSection(): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const connection = useApp((state) => state.connection)
  const account = useApp((state) => state.snapshot?.account ?? null)
  const keychain = useApp((state) => state.boot?.keychain ?? null)
  const [open, setOpen] = useState<'key' | 'out' | null>(null)
  const close = (): void => setOpen(null)

  const ask = useAsk()
  const signOut = async (): Promise<void> => {
    const left = await ask('signOut', {})
    if (left !== null) appStore.setState({ connection: left })
  }
  const key = connection?.key ?? null
  const state = account?.state ?? 'none'
  return (
    <>
      <SettingRow id="address">
        {() => (
          <span className="settings-value selectable" dir="ltr">
            {connection?.baseUrl ?? words.notConnected}
          </span>
        )}
      </SettingRow>
      <SettingRow id="plan">
        {() => (
          <span className="settings-value">
            {planName(account?.plan ?? null) ?? t.unknown}
            <span className={state === 'key-refused' || state === 'no-api' ? 'problem' : 'second'}> · {words.accountStates[state]}</span>
          </span>
        )}
      </SettingRow>
      <SettingRow
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
      </SettingRow>
      {key === null ? null : (
        <SettingRow
          id="signOut"
          note={key === 'environment' ? <p className="settings-row-hint waiting">{words.signOutEnvironment}</p> : null}
        >
          {() => (
            <Button variant="danger" isDisabled={key === 'environment'} onPress={() => setOpen('out')}>
              {words.signOut}
            </Button>
          )}
        </SettingRow>
      )}
      <Dialog title={words.replaceTitle} isOpen={open === 'key'} onClose={close}>
        <ConnectForm onConnected={close} />
      </Dialog>
      <ConfirmDialog
        question={
          open === 'out'
            ? {
                title: words.signOutTitle,
                text: [words.signOutText],
                confirm: words.signOutDo,
                cancel: t.cancel,
                run: () => void signOut(),
              }
            : null
        }
        onClose={close}
      />
    </>
  )
}
