// The state of an account in a few words, for the account menu and the settings.
// Pure; the caller passes the texts and formats of the language.
import type { AccountInfo } from '../../src-shared/window-contract.ts'
import type { Words } from './words.ts'

export function accountStateWords({ t, f }: Words, { state, uploading, open, needs }: AccountInfo): string {
  // The state is shown as a problem then (needsLook), so the words say which.
  if (needs > 0 && !isBlocked(state)) return t.statusNeedsYou(needs, f.count(needs))
  switch (state) {
    case 'ok':
      return t.statusAllSafe
    case 'uploading':
      return t.statusUploading(uploading, f.count(uploading))
    case 'waiting':
      return t.statusWaiting(open, f.count(open))
    case 'needs-you':
      return t.statusNeedsYou(needs, f.count(needs))
    case 'paused':
      return t.accountPaused
    case 'stopped':
      return t.accountStopped
    case 'key-unread':
      return t.accountKeyUnread
    case 'signed-out':
      return t.accountSignedOut
    case 'offline':
    case 'key-refused':
    case 'no-api':
      return t.settingsView.accountStates[state]
    default:
      return state satisfies never
  }
}

/**
 * Whether an account needs the user's attention: files are held or failed, its engine couldn't be started,
 * its key can't be read, the service refuses its key, or its plan has no API access.
 */
export function needsLook({ state, needs }: AccountInfo): boolean {
  return needs > 0 || isBlocked(state)
}

function isBlocked(state: AccountInfo['state']): boolean {
  return state === 'stopped' || state === 'key-unread' || state === 'key-refused' || state === 'no-api'
}
