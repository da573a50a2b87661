// Builds the list of accounts that the window and the tray show. It combines the stored list with the live state of every running engine.
// Pure. The window and the tray provide the labels for the states.
import type { AccountInfo, Connection } from '../../../src-shared/app.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import { overviewOf } from '../../../src-shared/overview.ts'
import type { AccountLine } from '../engine/protocol.ts'

/** An account whose engine runs in the app. */
export interface LiveAccount {
  readonly connection: Connection
  /** Null until the account's engine has answered. */
  readonly snapshot: Snapshot | null
}

/** Merges the stored list with the live accounts, which are keyed by account ID. `shown` is the ID of the account in the window. */
export function accountList(
  lines: readonly AccountLine[],
  live: ReadonlyMap<string, LiveAccount>,
  shown: string | null,
): readonly AccountInfo[] {
  return lines.map((line) => {
    const known = live.get(line.id)
    // Without a host, the session hasn't determined its connection yet. Until then, the stored list is more accurate.
    const running = known?.connection.host == null ? undefined : known
    const snapshot = running?.snapshot ?? null
    const key = running !== undefined ? running.connection.key : line.isKeyStored === true ? 'keychain' : null
    const { open, needs, uploading } = snapshot === null ? { open: line.open, needs: line.needs, uploading: 0 } : overviewOf(snapshot)
    return {
      id: line.id,
      name: line.name,
      host: line.host,
      shown: line.id === shown,
      key,
      ...(key === 'environment' && line.isKeyStored === true ? { stored: true } : {}),
      state: stateOf(key, snapshot, { open, needs, uploading }),
      open,
      needs,
      uploading,
      folders: snapshot?.folders.length ?? line.folders,
    }
  })
}

function stateOf(
  key: AccountInfo['key'],
  snapshot: Snapshot | null,
  { open, needs, uploading }: Pick<AccountInfo, 'open' | 'needs' | 'uploading'>,
): AccountInfo['state'] {
  const account = snapshot?.account.state
  if (key === null || account === 'none') return 'signed-out'
  if (account === 'key-refused' || account === 'no-api' || account === 'offline') return account
  if (snapshot?.paused === true) return 'paused'
  if (uploading > 0) return 'uploading'
  if (open > 0) return 'waiting'
  return needs > 0 ? 'needs-you' : 'ok'
}

/**
 * Whether the engine of an account in the background should run: its key is stored, and there is work to do. An unreadable journal counts
 * as work, because the engine repairs the journal or reports what is wrong.
 */
export function hasWork({ isKeyStored, folders, open, hasCleanup, isUnread }: AccountLine): boolean {
  return isKeyStored === true && (folders > 0 || open > 0 || hasCleanup || isUnread === true)
}

/**
 * Divides the global speed limit (bytes per second) equally among the busy engines; no share is below `SPEED_LEAST`. An idle engine may
 * start uploading at any moment, so it gets the share that it would have as one more busy engine.
 */
export function bandwidthShares(bytesPerSecond: number | null, busy: readonly boolean[]): readonly (number | null)[] {
  if (bytesPerSecond === null) return busy.map(() => null)
  const count = busy.filter((one) => one).length
  return busy.map((isBusy) => Math.max(SPEED_LEAST, Math.floor(bytesPerSecond / Math.max(1, isBusy ? count : count + 1))))
}

/** Bytes per second; the smallest limit that the contract accepts. */
const SPEED_LEAST = 1000
