// When the cause of a notice is gone, so that a problem is shown no longer than it lasts. Pure.
// A code that is not named here has no state to read it from: its notice stays until it is dismissed.
import type { FailureCode, NoticeAbout } from '../../src-shared/contract.ts'
import type { Snapshot } from '../../src-shared/model.ts'

export type NoticeCode = FailureCode | NoticeAbout['what']

export function isAway({ account, gate }: Snapshot): boolean {
  return account.state === 'offline' || gate?.reason === 'offline'
}

function rescans({ folders }: Snapshot): boolean {
  return folders.some((folder) => folder.watching === 'rescans')
}

/** Whether what a notice of this code is about is over. A notice may come before the snapshot that shows its cause, so most need a change. */
export function isSolved(code: NoticeCode, before: Snapshot | null, after: Snapshot): boolean {
  switch (code) {
    case 'key-refused':
    case 'no-key':
    case 'no-api':
      return after.account.state === 'ok'
    case 'no-connection':
      return before !== null && isAway(before) && !isAway(after)
    case 'disk':
      return before?.gate?.reason === 'disk' && after.gate?.reason !== 'disk'
    case 'watch-limit':
    case 'watch-blind':
      return before !== null && rescans(before) && !rescans(after)
    default:
      return false
  }
}
