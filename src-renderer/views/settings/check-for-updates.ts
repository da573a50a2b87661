// Looks for updates on request, and opens the place that says what came of it.
// Used by the palette and the command of the menu.
import { call } from '../../state/client.ts'
import { go } from '../../state/store.ts'
import { chooseSection } from './section-store.ts'

export function checkForUpdates(): void {
  chooseSection('about')
  go('settings')
  void call('update', { action: 'check' })
}
