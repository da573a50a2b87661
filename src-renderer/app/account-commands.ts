// Opens the account section of the settings, with or without the form that adds an account.
import { go } from '../state/store.ts'
import { chooseSection, openKeyForm } from '../views/settings/section-store.ts'

export function addAccount(): void {
  openKeyForm('add')
  go('settings')
}

export function manageAccounts(): void {
  chooseSection('account')
  go('settings')
}
