// Table-driven tests of the accounts: what is shown about each, which of them work in the background, and how
// all engines share the speed limit. Pure decisions; nothing is running.
import { describe, expect, it } from 'vitest'
import { accountList, bandwidthShares, hasWork } from '../../../src-main/shell/accounts/account-list.ts'
import type { AccountLine } from '../../../src-main/shell/engine/protocol.ts'
import type { Snapshot } from '../../../src-shared/model.ts'
import type { Connection } from '../../../src-shared/window-contract.ts'
import { folder, gate, snapshot } from './world.ts'

const LINE: AccountLine = {
  id: 'w',
  name: 'work',
  host: 'files.example.com',
  isKeyStored: true,
  folders: 0,
  open: 0,
  hasCleanup: false,
  needs: 0,
}
const CONNECTION: Connection = {
  host: 'files.example.com',
  baseUrl: 'https://files.example.com/api/v1',
  key: 'session',
}

function stateOf(now: Snapshot | null, connection: Partial<Connection> = {}): string {
  const live = new Map([
    ['w', { connection: { ...CONNECTION, ...connection }, snapshot: now, isStopped: false }],
  ])
  return accountList([LINE], live, 'w')[0]?.state ?? ''
}

describe('an account whose engine runs', () => {
  it.each<[string, Snapshot | null, string]>([
    ['nothing to do', snapshot(), 'ok'],
    ['not answered yet', null, 'ok'],
    ['uploads', snapshot({ counts: { uploading: 1, queued: 3, held: 1 } }), 'uploading'],
    ['files wait', snapshot({ counts: { queued: 3 }, gate: gate('rate-day') }), 'waiting'],
    ['files need the user', snapshot({ counts: { held: 1, failed: 1 } }), 'needs-you'],
    ['paused', snapshot({ counts: { queued: 3 }, paused: true }), 'paused'],
    ['no connection', snapshot({ counts: { queued: 3 }, account: 'offline' }), 'offline'],
    ['key refused', snapshot({ account: 'key-refused', paused: true }), 'key-refused'],
    ['plan without API', snapshot({ account: 'no-api' }), 'no-api'],
    ['no key', snapshot({ account: 'none' }), 'signed-out'],
  ])('%s', (_name, now, expected) => {
    expect(stateOf(now)).toBe(expected)
  })

  it('is signed out without a key, whatever it was doing', () => {
    expect(stateOf(snapshot({ counts: { uploading: 1 } }), { key: null })).toBe('signed-out')
  })

  it.each([
    ['failed', snapshot({ account: 'none', counts: { queued: 3 } }), 'key-unread'],
    ['missing', snapshot({ account: 'none' }), 'key-unread'],
    ['failed', null, 'key-unread'],
    // The engine of another process may have the key.
    ['failed', snapshot({ counts: { queued: 3 } }), 'waiting'],
  ] as const)('whose key can not be read (%s) is not signed out', (unread, now, expected) => {
    expect(stateOf(now, { key: null, unread })).toBe(expected)
  })

  it.each([CONNECTION, { host: null, baseUrl: null, key: null }])(
    'that has stopped is never said to be fine: %j',
    (connection) => {
      const live = new Map([['w', { connection, snapshot: snapshot(), isStopped: true }]])
      expect(accountList([LINE], live, 'w')[0]?.state).toBe('stopped')
    },
  )

  it('has the figures of its engine, not of its journal', () => {
    const now = snapshot({ counts: { uploading: 2, queued: 3, failed: 1 }, folders: [folder('/a')] })
    const live = new Map([['w', { connection: CONNECTION, snapshot: now, isStopped: false }]])
    expect(accountList([{ ...LINE, open: 99, needs: 99, folders: 99 }], live, null)).toEqual([
      {
        id: 'w',
        name: 'work',
        host: 'files.example.com',
        shown: false,
        key: 'session',
        state: 'uploading',
        open: 5,
        needs: 1,
        uploading: 2,
        folders: 1,
      },
    ])
  })
})

it.each([
  ['environment', true, true],
  ['environment', false, undefined],
  ['environment', null, undefined],
  ['keychain', true, undefined],
] as const)(
  'a key from %s: a key in the keychain (%s) can be removed as well: %s',
  (key, isKeyStored, stored) => {
    const live = new Map([['w', { connection: { ...CONNECTION, key }, snapshot: null, isStopped: false }]])
    expect(accountList([{ ...LINE, isKeyStored }], live, 'w')[0]?.stored).toBe(stored)
  },
)

describe('an account at rest', () => {
  const at = (line: Partial<AccountLine>) => accountList([{ ...LINE, ...line }], new Map(), 'other')[0]
  it.each([
    [{}, 'ok', 'keychain'],
    [{ open: 2 }, 'waiting', 'keychain'],
    [{ needs: 2 }, 'needs-you', 'keychain'],
    [{ isKeyStored: false, open: 2 }, 'signed-out', null],
    [{ isKeyStored: null, open: 2 }, 'key-unread', null],
  ] as const)('%j', (line, state, key) => {
    expect(at(line)).toMatchObject({ state, key, shown: false, uploading: 0 })
  })

  it.each([
    [{}, false],
    [{ folders: 1 }, true],
    [{ open: 1 }, true],
    [{ hasCleanup: true }, true],
    [{ hasCleanup: true, isKeyStored: false }, false],
    [{ needs: 1 }, false],
    [{ isUnread: true }, true],
    [{ folders: 1, open: 1, isKeyStored: false }, false],
    [{ folders: 1, isKeyStored: null }, false],
  ] as const)('with %j works in the background: %s', (line, expected) => {
    expect(hasWork({ ...LINE, ...line })).toBe(expected)
  })
})

describe('the speed limit', () => {
  it.each([
    [null, [true, false], [null, null]],
    [90_000, [true], [90_000]],
    [90_000, [false], [90_000]],
    [90_000, [true, true, false], [45_000, 45_000, 30_000]],
    [90_000, [false, false], [90_000, 90_000]],
    // No engine's share is smaller than 1,000 bytes per second.
    [1000, [true, true], [1000, 1000]],
    [90_000, [], []],
  ] as const)('of %s among %j is %j', (limit, busy, shares) => {
    expect(bandwidthShares(limit, busy)).toEqual(shares)
  })
})
