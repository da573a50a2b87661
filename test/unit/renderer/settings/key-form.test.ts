// Where a new account leads: the key form opens over any view, and the account's files come next.
import { expect, it } from 'vitest'
import { forgetAccount } from '../../../../src-renderer/state/account-switch.ts'
import { appStore, go } from '../../../../src-renderer/state/store.ts'
import { openKeyForm } from '../../../../src-renderer/views/settings/section-store.ts'

it.each([
  ['a new account leads to its files', 'add', 'files'],
  ['another account leaves the view as it was', null, 'settings'],
] as const)('%s', (_name, form, view) => {
  go('settings')
  if (form !== null) openKeyForm(form)
  expect(appStore.getState().view).toBe('settings')
  forgetAccount()
  expect(appStore.getState().view).toBe(view)
})
