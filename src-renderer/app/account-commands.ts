// Opens the account section of the settings.
import { go } from '../state/store.ts'
import { chooseSection } from '../views/settings/section-store.ts'

export function manageAccounts(): void {
  chooseSection('account')
  go('settings')
}
