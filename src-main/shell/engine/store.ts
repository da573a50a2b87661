// Holds what the shell knows about one account: its connection, its engine's snapshot, its latest links, and
// why its engine has stopped. The engine's events keep the store up to date. The tray, the taskbar and the
// window read it.

import type { Failure } from '../../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../../src-shared/events.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings, SettingsPatch } from '../../../src-shared/settings.ts'
import type { Connection } from '../../../src-shared/window-contract.ts'
import type { AppSettingsFile } from './app-settings.ts'
import type { EngineLink } from './protocol.ts'

const RECENT = 10

export interface ShellStore {
  snapshot(): Snapshot | null
  connection(): Connection
  settings(): AppSettings
  recent(): readonly Transfer[]
  failure(): Failure | null
  /** Changes the app's settings, which all accounts share. */
  change(patch: SettingsPatch): AppSettings
  setBaseUrl(baseUrl: string): void
  refreshConnection(): Promise<Connection>
  setConnection(connection: Connection): void
  /** Sets the snapshot from the result of a call, which may arrive before the event with the same state. */
  setSnapshot(snapshot: Snapshot): void
  /** Resolves once it is known whether there is a key. The keychain may take a while. */
  readonly connected: Promise<void>
  onConnection(listener: (connection: Connection) => void): void
  onChange(listener: () => void): void
}

export function createShellStore(options: {
  readonly link: EngineLink
  readonly settings: AppSettingsFile
  /** Whether the engine belongs to a trial. */
  readonly isTrial: boolean
}): ShellStore {
  const { link, settings, isTrial } = options
  let snapshot: Snapshot | null = null
  let connection: Connection = { host: null, baseUrl: null, key: null, unread: 'pending' }
  let recent: readonly Transfer[] = []
  let failure: Failure | null = null
  const listeners = new Set<() => void>()
  const connectionListeners = new Set<(connection: Connection) => void>()
  const { promise: connected, resolve: known } = Promise.withResolvers<void>()
  const changed = (): void => {
    for (const listener of listeners) listener()
  }

  const refreshRecent = async (): Promise<void> => {
    const got = await link.call('transfers', {
      folderId: null,
      states: ['done'],
      linked: true,
      afterId: 0,
      beforeId: Number.MAX_SAFE_INTEGER,
      limit: RECENT,
    })
    if (!got.ok) return
    recent = got.value
    changed()
  }

  const setConnection = (next: Connection): void => {
    // A trial has no account name. Its key is reported as a session key, because it is deleted when the trial
    // ends.
    connection = isTrial
      ? { ...next, account: null, key: next.key === null ? null : 'session', trial: true }
      : next
    known()
    changed()
    for (const listener of connectionListeners) listener(connection)
  }

  const refreshConnection = async (): Promise<Connection> => {
    const got = await link.op('connection', {})
    if (got.ok) setConnection(got.value)
    return connection
  }

  const take = (event: EngineEvent): void => {
    if (event.kind === 'state') {
      const hasGotKey = snapshot?.account.state === 'none' && event.snapshot.account.state !== 'none'
      snapshot = event.snapshot
      // `onKeyRead` would update the connection only after a request has checked the key, so refresh the
      // connection now.
      if (hasGotKey && connection.unread !== undefined) void refreshConnection()
    } else if (snapshot === null) return
    else if (event.kind === 'progress') snapshot = { ...snapshot, progress: event.progress }
    else if (event.kind === 'gate') snapshot = { ...snapshot, gate: event.gate }
    else if (event.kind === 'transfers') {
      if (event.items.some((item) => item.state === 'done')) void refreshRecent()
      return
    } else return
    changed()
  }

  settings.onChange(changed)
  link.onEvent(take)
  link.onKeyRead(setConnection)
  const readAnew = async (): Promise<void> => {
    const got = await link.call('snapshot', {})
    if (got.ok) snapshot = got.value
    await Promise.all([refreshConnection(), refreshRecent()])
  }
  link.onState((state) => {
    // Keep the failure until an engine is available. Otherwise it would disappear during each further attempt
    // to start one.
    failure = state.up ? null : (state.failure ?? failure)
    if (state.up) void readAnew()
    else changed()
    // No engine could be started, but the thread can still read the address, the account and the key. Without
    // them, the window would look as if there were no account.
    if (state.failure !== null && connection.unread === 'pending') void refreshConnection()
  })

  return {
    snapshot: () => snapshot,
    connection: () => connection,
    settings: () => settings.read(),
    recent: () => recent,
    failure: () => failure,
    change: (patch) => settings.change(patch),
    setBaseUrl: (baseUrl) => settings.setBaseUrl(baseUrl),
    refreshConnection,
    setConnection,
    setSnapshot: (next) => {
      snapshot = next
      changed()
    },
    connected,
    onConnection: (listener) => connectionListeners.add(listener),
    onChange: (listener) => listeners.add(listener),
  }
}
