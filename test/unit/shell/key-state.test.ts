// What is known about an account's key, for every connection and every answer of its engine: the list of
// accounts and the tray say what the window's banner says.
import { describe, expect, it } from 'vitest'
import { accountList } from '../../../src-main/shell/accounts/account-list.ts'
import { trayView } from '../../../src-main/shell/tray/tray-view.ts'
import { shell as texts } from '../../../src-shared/i18n/en/shell.ts'
import { type KeyState, keyState } from '../../../src-shared/key-state.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import { DEFAULT_APP_SETTINGS } from '../../../src-shared/settings.ts'
import type { Connection } from '../../../src-shared/window-contract.ts'
import { FORMATS, NOW, snapshot } from './world.ts'

const LINE = {
  id: 'w',
  name: 'work',
  host: 'files.example.com',
  isKeyStored: null,
  folders: 0,
  open: 0,
  hasCleanup: false,
  needs: 0,
}
const SETTINGS = { ...DEFAULT_APP_SETTINGS, notify: 'none', welcomed: true } as const

function inList(connection: Connection, now: Snapshot | null): string {
  return (
    accountList([LINE], new Map([['w', { connection, snapshot: now, isStopped: false }]]), 'w')[0]?.state ??
    ''
  )
}

function inTray(connection: Connection, now: Snapshot | null): string {
  const { menu } = trayView({
    snapshot: now,
    isStopped: false,
    recent: [],
    lastDrop: null,
    settings: SETTINGS,
    connection,
    accounts: [],
    now: NOW,
    platform: 'linux',
    texts,
    formats: FORMATS,
  })
  const [first] = menu
  return first?.type === 'text' ? first.label : ''
}

const LIST: Readonly<Record<KeyState, readonly string[]>> = {
  known: ['ok', 'offline'],
  pending: ['ok'],
  'key-unread': ['key-unread'],
  'signed-out': ['signed-out'],
}
const TRAY: Readonly<Record<KeyState, readonly string[]>> = {
  known: [texts.tray.starting, texts.tray.allSafe, texts.tray.waiting.offline('')],
  pending: [texts.tray.starting],
  'key-unread': [texts.tray.keyUnread],
  'signed-out': [texts.tray.notConnected],
}

const none = snapshot({ account: 'none' })
const fine = snapshot()
const offline = snapshot({ account: 'offline' })

describe.each<[string, Pick<Connection, 'key' | 'unread'>, readonly KeyState[]]>([
  // The engine hasn't answered, has no key, works, is offline.
  ['a stored key', { key: 'keychain' }, ['known', 'signed-out', 'known', 'known']],
  ['no key', { key: null }, ['signed-out', 'signed-out', 'signed-out', 'signed-out']],
  ['a keychain not read yet', { key: null, unread: 'pending' }, ['pending', 'pending', 'known', 'known']],
  ['a locked keychain', { key: null, unread: 'failed' }, ['key-unread', 'key-unread', 'known', 'known']],
  ['a missing keychain', { key: null, unread: 'missing' }, ['key-unread', 'key-unread', 'known', 'known']],
])('%s', (_name, key, expected) => {
  it.each([
    ['that hasn’t answered', null, 0],
    ['without a key', none, 1],
    ['that works', fine, 2],
    ['that is offline', offline, 3],
  ] as const)('with an engine %s', (_engine, now, at) => {
    const connection = { host: 'files.example.com', baseUrl: 'https://files.example.com/api/v1', ...key }
    const state = keyState(connection, now)
    expect(state).toBe(expected[at])
    expect(LIST[state]).toContain(inList(connection, now))
    expect(TRAY[state]).toContain(inTray(connection, now))
  })
})
