// Pure functions on the accounts of this computer. They merge the stored list with the live state of the
// engines for the window and the tray, decide which background accounts need an engine, and divide the speed
// limit among the engines.

import { type KeyState, keyState } from '../../../src-shared/key-state.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import { overviewOf } from '../../../src-shared/overview.ts'
import type { AccountInfo, Connection } from '../../../src-shared/window-contract.ts'
import type { AccountLine } from '../engine/protocol.ts'

/** The live state of an account that has a session in the app. */
export interface LiveAccount {
  readonly connection: Connection
  /** Null until the account's engine has answered. */
  readonly snapshot: Snapshot | null
  /** Whether an attempt to start the engine has failed, and no engine has become available since. */
  readonly isStopped: boolean
}

/**
 * Merges the stored list with the live accounts, which are keyed by account ID. `shown` is the ID of the
 * account in the window.
 */
export function accountList(
  lines: readonly AccountLine[],
  live: ReadonlyMap<string, LiveAccount>,
  shown: string | null,
): readonly AccountInfo[] {
  return lines.map((line) => {
    const known = live.get(line.id)
    // A session without a host hasn't determined its connection yet, so use the stored list instead.
    const running = known?.connection.host == null ? undefined : known
    const snapshot = running?.snapshot ?? null
    const connection = running?.connection ?? storedKey(line)
    const { key } = connection
    const { open, needs, uploading } =
      snapshot === null ? { open: line.open, needs: line.needs, uploading: 0 } : overviewOf(snapshot)
    return {
      id: line.id,
      name: line.name,
      host: line.host,
      shown: line.id === shown,
      key,
      ...(key === 'environment' && line.isKeyStored === true ? { stored: true } : {}),
      state:
        known?.isStopped === true
          ? 'stopped'
          : stateOf(keyState(connection, snapshot), snapshot, { open, needs, uploading }),
      open,
      needs,
      uploading,
      folders: snapshot?.folders.length ?? line.folders,
    }
  })
}

function storedKey({ isKeyStored }: AccountLine): Pick<Connection, 'key' | 'unread'> {
  return isKeyStored === null ? { key: null, unread: 'failed' } : { key: isKeyStored ? 'keychain' : null }
}

function stateOf(
  key: KeyState,
  snapshot: Snapshot | null,
  { open, needs, uploading }: Pick<AccountInfo, 'open' | 'needs' | 'uploading'>,
): AccountInfo['state'] {
  if (key === 'key-unread' || key === 'signed-out') return key
  const account = snapshot?.account.state
  if (account === 'key-refused' || account === 'no-api' || account === 'offline') return account
  if (snapshot?.paused === true) return 'paused'
  if (uploading > 0) return 'uploading'
  if (open > 0) return 'waiting'
  return needs > 0 ? 'needs-you' : 'ok'
}

/**
 * Whether the engine of a background account should run: the account's key must be stored, and there must be
 * work to do. An unreadable journal counts as work, because the engine repairs it or reports what is wrong.
 */
export function hasWork({ isKeyStored, folders, open, hasCleanup, isUnread }: AccountLine): boolean {
  return isKeyStored === true && (folders > 0 || open > 0 || hasCleanup || isUnread === true)
}

/**
 * Divides the global speed limit (bytes per second) equally among the busy engines; no share is below
 * `SPEED_LEAST`. An idle engine may start uploading at any moment, so it gets the share that it would have as
 * one more busy engine. Returns one share per engine, in the same order. Null means no limit.
 */
export function bandwidthShares(
  bytesPerSecond: number | null,
  busy: readonly boolean[],
): readonly (number | null)[] {
  if (bytesPerSecond === null) return busy.map(() => null)
  const count = busy.filter((one) => one).length
  return busy.map((isBusy) =>
    Math.max(SPEED_LEAST, Math.floor(bytesPerSecond / Math.max(1, isBusy ? count : count + 1))),
  )
}

/** Bytes per second; the smallest limit that the contract accepts. */
const SPEED_LEAST = 1000
