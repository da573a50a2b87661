// Decides what is known about an account's API key. The list of accounts, the tray and the window's banner
// all use this decision, so that they agree. Pure; the words are in i18n.
import type { Connection } from './account.ts'
import type { Snapshot } from './model.ts'

/**
 * `known`: there is a key that the engine uses or will use, or the keychain couldn't be read but the engine,
 * which may run in another process, has a key. `pending`: the keychain hasn't been read yet. `key-unread`: no
 * keychain is available at the moment, or it can't be read, so it isn't known whether there is a key.
 * `signed-out`: there is no key, or the engine has responded that it has none.
 */
export type KeyState = 'known' | 'pending' | 'key-unread' | 'signed-out'

type Key = Pick<Connection, 'key' | 'unread'>

/** `snapshot` is null until the account's engine has responded. */
export function keyState({ key, unread }: Key, snapshot: Pick<Snapshot, 'account'> | null): KeyState {
  if (key === null && unread === undefined) return 'signed-out'
  if (snapshot !== null && snapshot.account.state !== 'none') return 'known'
  if (unread !== undefined) return unread === 'pending' ? 'pending' : 'key-unread'
  return snapshot === null ? 'known' : 'signed-out'
}

/** Whether the account's uploads go on without the user, now or once its service can be reached. */
export function goesOn(
  { key }: Pick<Key, 'key'>,
  snapshot: Pick<Snapshot, 'account' | 'paused'> | null,
): boolean {
  if (key === null || snapshot === null || snapshot.paused) return false
  const { state } = snapshot.account
  return state === 'ok' || state === 'unproved' || state === 'offline'
}

/**
 * Whether there is a key, or may be one in a keychain that hasn't been read yet or is locked. If not, the
 * window asks for the key. Without a keychain, the user must enter the key at each start. Until the user has
 * completed the welcome steps (`isWelcomed`), there is probably no key yet.
 */
export function mayHaveKey({ key, unread }: Key, isWelcomed: boolean): boolean {
  return key !== null || (isWelcomed && (unread === 'pending' || unread === 'failed'))
}
