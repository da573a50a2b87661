// The key form is inside the account section, which a search in the settings would hide.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { addAccount } from '../../../../src-renderer/app/account-commands.ts'
import { LanguageProvider } from '../../../../src-renderer/hooks/use-language.tsx'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { loadTexts, textsStore } from '../../../../src-renderer/state/texts.ts'
import { searchSettings } from '../../../../src-renderer/views/settings/section-store.ts'
import { SettingsView } from '../../../../src-renderer/views/settings/settings-view.tsx'
import { bootOf, installBridge } from '../fake-bridge.ts'

it('shows the account section, which holds the key form, after "Add account…" while a search is typed in the settings', async () => {
  installBridge()
  await loadTexts('en')
  const boot = bootOf()
  appStore.setState({ boot, settings: boot.settings, connection: boot.connection })
  // What the person has typed in the search of the settings.
  searchSettings('shortcut')
  addAccount()
  const render = (): string =>
    renderToStaticMarkup(
      createElement(LanguageProvider, { waiting: null, children: createElement(SettingsView) }),
    )
  // React's server rendering reads the initial state of a store, so give it the current one.
  vi.spyOn(appStore, 'getInitialState').mockImplementation(() => appStore.getState())
  vi.spyOn(textsStore, 'getInitialState').mockImplementation(() => textsStore.getState())
  expect(render()).toContain('role="group" aria-label="Account"')
})
