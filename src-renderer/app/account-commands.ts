// Opens the place where accounts are added and managed: the account section of the settings.
// Used by the account menu, the palette and the tray's commands.
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
