// The Account section lists all accounts on this computer. For the current one, it shows the service, the
// plan and where the API key is stored, and offers to replace the key, in a dialog (app/dialogs.tsx).
import { UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { printable } from '../../../src-shared/format.ts'
import { Button } from '../../components/button.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { planName } from '../../lib/words.ts'
import { useApp } from '../../state/store.ts'
import { AccountCard } from './account-card.tsx'
import { openKeyForm } from './section-store.ts'
import { SettingRow } from './setting-row.tsx'

export function AccountSection(): ReactNode {
  const { t } = useLanguage()
  const words = t.settingsView
  const connection = useApp((state) => state.connection)
  const accounts = useApp((state) => state.accounts)
  const account = useApp((state) => state.snapshot?.account ?? null)
  const keychain = useApp((state) => state.boot?.keychain ?? null)
  const managed = useApp((state) => state.boot?.managed ?? null)
  const key = connection?.key ?? null
  const state = account?.state ?? 'none'
  return (
    <>
      <SettingRow id="accounts" wide>
        {() => (
          <ul className="settings-folders">
            {accounts.map((one) => (
              <AccountCard key={one.id} account={one} />
            ))}
          </ul>
        )}
      </SettingRow>
      <SettingRow id="addAccount">
        {() => (
          <Button icon={<UserPlus className="icon" />} onPress={() => openKeyForm('add')}>
            {t.addAccount}
          </Button>
        )}
      </SettingRow>
      <SettingRow
        id="address"
        note={managed?.address == null ? null : <p className="settings-row-hint">{words.managed}</p>}
      >
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
            <span className={state === 'key-refused' || state === 'no-api' ? 'problem' : 'second'}>
              {' '}
              · {words.accountStates[state]}
            </span>
          </span>
        )}
      </SettingRow>
      <SettingRow
        id="key"
        note={
          keychain === null || keychain.ok ? null : (
            <p className="settings-row-hint waiting">
              {words.keychainAway(printable(keychain.message ?? ''))}
            </p>
          )
        }
      >
        {(ids) => (
          <>
            <span className="settings-value">
              {key !== null ? words.keyIn[key] : connection?.unread === undefined ? words.keyNone : t.unknown}
            </span>
            <Button aria-describedby={ids.labelledBy} onPress={() => openKeyForm()}>
              {key === null ? words.connect : words.replaceKey}
            </Button>
          </>
        )}
      </SettingRow>
    </>
  )
}
