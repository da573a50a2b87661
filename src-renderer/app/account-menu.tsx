// The button with the current account in the sidebar. Its menu lists all accounts with their service and
// state, and offers to add or manage accounts. A dot indicates that another account needs attention.
import { Check, ChevronsUpDown, CircleUser, Plus, Settings2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import {
  Button,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
  Text,
} from 'react-aria-components'
import { printable } from '../../src-shared/format.ts'
import type { AccountInfo } from '../../src-shared/window-contract.ts'
import { useLanguage } from '../hooks/use-language.tsx'
import { accountStateWords, needsLook } from '../lib/account-words.ts'
import { switchAccount } from '../state/accounts.ts'
import { call } from '../state/client.ts'
import { useApp } from '../state/store.ts'
import { openKeyForm } from '../views/settings/section-store.ts'
import { manageAccounts } from './account-commands.ts'
import '../components/context-menu.css'
import './account-menu.css'

export function AccountMenu(): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const accounts = useApp((state) => state.accounts)
  const name = useApp((state) => state.connection?.account ?? null)
  const isTrial = useApp((state) => state.connection?.trial === true)
  /**
   * IDs of the accounts known when the menu opened; null while it is closed. Later ones aren't shown, because
   * rows mustn't move.
   */
  const [listed, setListed] = useState<readonly string[] | null>(null)
  if (name === null) return null
  const needs = accounts.filter((one) => !one.shown && needsLook(one)).length
  const shown = printable(name)
  const rows = listed === null ? accounts : accounts.filter(({ id }) => listed.includes(id))
  const opened = (isOpen: boolean): void => {
    setListed(isOpen ? accounts.map(({ id }) => id) : null)
    if (isOpen) void call('accounts', {})
  }
  return (
    <MenuTrigger onOpenChange={opened}>
      <Button
        className="account"
        // At startup, the account's name is known before the list of accounts. A trial has no list.
        isDisabled={accounts.length === 0 && !isTrial}
        aria-label={
          needs === 0 ? t.account(shown) : `${t.account(shown)}, ${t.accountsNeed(needs, f.count(needs))}`
        }
      >
        <CircleUser className="icon" aria-hidden="true" />
        <span className="sidebar-label account-name cut" dir="auto" title={shown}>
          {shown}
        </span>
        {needs === 0 ? null : <span className="account-dot" title={t.accountsNeed(needs, f.count(needs))} />}
        <ChevronsUpDown className="icon account-more" aria-hidden="true" />
      </Button>
      <Popover className="menu-popover account-popover" placement="bottom start" offset={4}>
        <Menu className="menu" aria-label={t.accounts}>
          <MenuSection
            aria-label={t.accounts}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={accounts.flatMap((one) => (one.shown ? [one.id] : []))}
          >
            {rows.map((one) => (
              <MenuItem
                key={one.id}
                id={one.id}
                className="menu-item account-item"
                textValue={one.name}
                onAction={() => void switchAccount(words, one.id)}
              >
                <AccountLine account={one} />
                <Check
                  className={`icon account-check${one.shown ? '' : ' account-unchecked'}`}
                  aria-hidden="true"
                />
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="menu-separator" />
          <MenuItem className="menu-item" onAction={() => openKeyForm('add')}>
            <Plus className="icon" aria-hidden="true" />
            {t.addAccount}
          </MenuItem>
          <MenuItem className="menu-item" onAction={manageAccounts}>
            <Settings2 className="icon" aria-hidden="true" />
            {t.manageAccounts}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

function AccountLine({ account }: { readonly account: AccountInfo }): ReactNode {
  const words = useLanguage()
  const state = accountStateWords(words, account)
  // Don't repeat the host if the account is named after it.
  const host = account.host === null || account.host === account.name ? null : account.host
  return (
    <span className="account-line">
      <Text slot="label" className="strong cut">
        {printable(account.name)}
      </Text>
      <Text slot="description" className={`small cut ${needsLook(account) ? 'problem' : 'second'}`}>
        {host === null ? state : `${host} · ${state}`}
      </Text>
    </span>
  )
}
