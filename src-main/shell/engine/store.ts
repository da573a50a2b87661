// What the shell knows of the engine and of the settings, kept current from the engine's events: for the tray, the taskbar and the window's
// first answer. It asks and tells; what follows from a change is for who listens.
import type { Connection } from '../../../src-shared/app.ts'
import type { EngineEvent, Failure } from '../../../src-shared/contract.ts'
import type { Snapshot, Transfer } from '../../../src-shared/model.ts'
import type { AppSettings, SettingsPatch } from '../../../src-shared/settings.ts'
import { readSettings, writeSettings } from '../../platform/settings.ts'
import type { EngineLink } from './protocol.ts'

const RECENT = 10

export interface ShellStore {
  snapshot(): Snapshot | null
  connection(): Connection
  settings(): AppSettings
  recent(): readonly Transfer[]
  failure(): Failure | null
  /** Reads the file anew, changes it and writes it: the command line may have written in between. */
  change(patch: SettingsPatch): AppSettings
  setBaseUrl(baseUrl: string): void
  refreshConnection(): Promise<Connection>
  setConnection(connection: Connection): void
  /** Resolves once it is known whether there is a key: the keychain may take its time. */
  readonly connected: Promise<void>
  onConnection(listener: (connection: Connection) => void): void
  onChange(listener: () => void): void
  /** What was wrong with the settings file; null: nothing. */
  readonly settingsMessage: string | null
}

export function createShellStore(options: { readonly link: EngineLink; readonly file: string; readonly now: () => number }): ShellStore {
  const { link, file, now } = options
  const first = readSettings(file, now())
  let settings = first.settings.app
  let snapshot: Snapshot | null = null
  let connection: Connection = { host: null, baseUrl: null, key: null }
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
    connection = next
    known()
    changed()
    for (const listener of connectionListeners) listener(next)
  }

  const refreshConnection = async (): Promise<Connection> => {
    const got = await link.op('connection', {})
    if (got.ok) setConnection(got.value)
    return connection
  }

  const take = (event: EngineEvent): void => {
    if (event.kind === 'state') snapshot = event.snapshot
    else if (snapshot === null) return
    else if (event.kind === 'progress') snapshot = { ...snapshot, progress: event.progress }
    else if (event.kind === 'gate') snapshot = { ...snapshot, gate: event.gate }
    else if (event.kind === 'transfers') {
      if (event.items.some((item) => item.state === 'done')) void refreshRecent()
      return
    } else return
    changed()
  }

  link.onEvent(take)
  const readAnew = async (): Promise<void> => {
    const got = await link.call('snapshot', {})
    if (got.ok) snapshot = got.value
    await Promise.all([refreshConnection(), refreshRecent()])
  }
  link.onState((state) => {
    failure = state.failure
    if (state.up) void readAnew()
    else changed()
  })

  return {
    snapshot: () => snapshot,
    connection: () => connection,
    settings: () => settings,
    recent: () => recent,
    failure: () => failure,
    change: (patch) => {
      const { settings: read } = readSettings(file, now())
      const definite = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
      settings = { ...read.app, ...definite }
      writeSettings(file, { ...read, app: settings })
      changed()
      return settings
    },
    setBaseUrl: (baseUrl) => {
      const { settings: read } = readSettings(file, now())
      if (read.baseUrl !== baseUrl) writeSettings(file, { ...read, baseUrl })
    },
    refreshConnection,
    setConnection,
    connected,
    onConnection: (listener) => connectionListeners.add(listener),
    onChange: (listener) => listeners.add(listener),
    settingsMessage: first.message,
  }
}
