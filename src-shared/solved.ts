// Decides when the cause of a notice is gone, so that the notice can be closed. Pure. For codes that
// `isSolved` doesn't handle, no snapshot shows whether the problem is solved. Their notices stay until the
// user dismisses them or the caller closes them for another reason.
import type { FailureCode } from './engine-contract.ts'
import type { NoticeAbout } from './events.ts'
import type { Snapshot } from './model.ts'

export type NoticeCode = FailureCode | NoticeAbout['what']

function isAway({ account, gate }: Snapshot): boolean {
  return account.state === 'offline' || gate?.reason === 'offline'
}

function rescans({ folders }: Snapshot): boolean {
  return folders.some((folder) => folder.watching === 'rescans')
}

/**
 * Whether the problem behind a notice with this code is solved. Some codes need a change between two
 * snapshots, because a notice may arrive before the snapshot that shows its cause. `name`: what the notice is about.
 */
export function isSolved(code: NoticeCode, before: Snapshot | null, after: Snapshot, name?: string): boolean {
  switch (code) {
    case 'key-refused':
    case 'no-key':
    case 'no-api':
      return after.account.state === 'ok'
    case 'no-connection':
      // Or the banner says it from now on.
      return before !== null && isAway(before) !== isAway(after)
    case 'keychain':
      return before?.account.state === 'none' && after.account.state !== 'none'
    case 'disk':
      return before?.gate?.reason === 'disk' && after.gate?.reason !== 'disk'
    case 'watch-limit':
    case 'watch-blind':
      return before !== null && rescans(before) && !rescans(after)
    case 'not-moved':
      return (
        name !== undefined &&
        (before === null || before.notMoved?.includes(name) === true) &&
        after.notMoved?.includes(name) !== true
      )
    default:
      return false
  }
}
