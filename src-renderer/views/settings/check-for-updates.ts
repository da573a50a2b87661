// Checks for updates and opens the settings section that shows the result, when the user asks for it in the palette or the application
// menu.
import { call } from '../../state/client.ts'
import { go } from '../../state/store.ts'
import { chooseSection } from './section-store.ts'

export function checkForUpdates(): void {
  chooseSection('about')
  go('settings')
  void call('update', { action: 'check' })
}
