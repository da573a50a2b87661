// Checks for updates on request and opens the settings section that shows the result.
// Used by the palette and the application menu.
import { call } from '../../state/client.ts'
import { go } from '../../state/store.ts'
import { chooseSection } from './section-store.ts'

export function checkForUpdates(): void {
  chooseSection('about')
  go('settings')
  void call('update', { action: 'check' })
}
