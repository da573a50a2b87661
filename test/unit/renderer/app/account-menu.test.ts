// The account menu. At start, the account's name is known before the list of accounts. The menu can be opened
// without the list, and when the list arrives, its rows push "Add account…" and "Manage accounts…" down below
// the pointer. React Aria's menu carries out what is under the pointer when the button is released, so a
// press on "Add account…" switches to the account that has moved there.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { AccountMenu } from '../../../../src-renderer/app/account-menu.tsx'
import { LanguageProvider } from '../../../../src-renderer/hooks/use-language.tsx'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { loadTexts, textsStore } from '../../../../src-renderer/state/texts.ts'
import { bootOf, installBridge } from '../fake-bridge.ts'

it('does not offer the account menu before the list of accounts is known', async () => {
  installBridge()
  await loadTexts('en')
  const connection = {
    host: 'a.test',
    baseUrl: 'https://a.test',
    key: 'environment',
    account: 'a.test',
    accountId: 'A',
  } as const
  const boot = bootOf({ connection, accounts: [] })
  appStore.setState({ boot, settings: boot.settings, connection, accounts: [] })
  vi.spyOn(appStore, 'getInitialState').mockImplementation(() => appStore.getState())
  vi.spyOn(textsStore, 'getInitialState').mockImplementation(() => textsStore.getState())
  const page = renderToStaticMarkup(
    createElement(LanguageProvider, { waiting: null, children: createElement(AccountMenu) }),
  )
  expect(page === '' || page.includes(' disabled=""'), page).toBe(true)
})
