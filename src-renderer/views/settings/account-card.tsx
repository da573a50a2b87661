// A card for one account on this computer. It shows the service and the state, and offers to use, rename,
// sign out or remove the account. The shell confirms signing out and removing in a system dialog.
import { LogOut, PencilLine, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { printable } from '../../../src-shared/format.ts'
import type { AccountInfo } from '../../../src-shared/window-contract.ts'
import { Button } from '../../components/button.tsx'
import { useAsk } from '../../hooks/use-ask.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { accountStateWords, needsLook } from '../../lib/account-words.ts'
import { switchAccount } from '../../state/accounts.ts'
import { notifyIn } from '../../state/notices.ts'
import { RenameDialog } from './rename-dialog.tsx'
import './folder-card.css'

export function AccountCard({ account }: { readonly account: AccountInfo }): ReactNode {
  const language = useLanguage()
  const { t } = language
  const words = t.settingsView
  const ask = useAsk()
  const [isRenaming, setRenaming] = useState(false)
  const name = printable(account.name)
  const isGiven = account.key === 'environment'
  const signOut = async (): Promise<void> => {
    const connection = await ask('signOut', { account: account.id })
    if (connection?.key !== 'environment') return
    notifyIn(language, { level: 'warning' }, ({ t: { settingsView } }) => ({
      title: settingsView.signOutStoredTitle,
      hint: settingsView.signOutStoredHint,
    }))
  }
  return (
    <li className="settings-folder" aria-current={account.shown ? 'true' : undefined}>
      <div className="settings-folder-head">
        <div className="settings-folder-words">
          <p className="strong cut">{name}</p>
          {account.host === account.name ? null : (
            <p className="settings-row-hint selectable" dir="ltr">
              {account.host ?? words.notConnected}
            </p>
          )}
        </div>
        <span className={`settings-folder-state ${needsLook(account) ? 'problem' : 'second'}`}>
          {account.shown ? `${words.accountCurrent} · ` : ''}
          {accountStateWords(language, account)}
        </span>
      </div>
      {isGiven ? <p className="settings-row-hint waiting">{words.signOutEnvironment}</p> : null}
      <div className="settings-folder-tools settings-account-tools">
        {account.shown ? null : (
          <Button
            size="small"
            aria-label={`${words.accountUse}, ${name}`}
            onPress={() => void switchAccount(language, account.id)}
          >
            {words.accountUse}
          </Button>
        )}
        <Button
          size="small"
          aria-label={`${words.accountRename}, ${name}`}
          icon={<PencilLine className="icon" />}
          onPress={() => setRenaming(true)}
        >
          {words.accountRename}
        </Button>
        {account.key === null ? null : (
          <Button
            size="small"
            aria-label={`${words.signOut}, ${name}`}
            icon={<LogOut className="icon" />}
            isDisabled={isGiven && account.stored !== true}
            onPress={() => void signOut()}
          >
            {words.signOut}
          </Button>
        )}
        <Button
          size="small"
          variant="danger"
          aria-label={`${words.accountRemove}, ${name}`}
          icon={<Trash2 className="icon" />}
          isDisabled={isGiven}
          onPress={() => void ask('removeAccount', { account: account.id })}
        >
          {words.accountRemove}
        </Button>
      </div>
      <RenameDialog account={isRenaming ? account : null} onClose={() => setRenaming(false)} />
    </li>
  )
}
