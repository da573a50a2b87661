// The state of an account in a few words, for the account menu and the settings.
// Pure: texts and formats come in, text goes out.
import type { AccountInfo } from '../../src-shared/app.ts'
import type { Words } from './words.ts'

export function accountStateWords({ t, f }: Words, { state, uploading, open, needs }: AccountInfo): string {
  switch (state) {
    case 'ok':
      return t.statusAllSafe
    case 'uploading':
      return t.statusUploading(f.count(uploading))
    case 'waiting':
      return t.statusWaiting(f.count(open))
    case 'needs-you':
      return t.statusNeedsYou(needs, f.count(needs))
    case 'paused':
      return t.accountPaused
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

/** Whether an account needs the user: files are held or failed, or the service refuses its key or its plan has no API access. */
export function needsLook({ state, needs }: AccountInfo): boolean {
  return needs > 0 || state === 'key-refused' || state === 'no-api'
}
