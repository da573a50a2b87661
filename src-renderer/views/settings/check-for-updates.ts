// Carries out "Check for updates" in the palette and the application menu: starts a check, and opens the
// settings section that shows its result.
import { call } from '../../state/client.ts'
import { go } from '../../state/store.ts'
import { chooseSection } from './section-store.ts'

export function checkForUpdates(): void {
  chooseSection('about')
  go('settings')
  void call('update', { action: 'check' })
}
