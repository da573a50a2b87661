// Where the key is, and signing out: the key leaves the keychain and memory, and a keychain that can't be
// used is reported, because it may still hold the key. e2e/welcome.spec signs out with a real keychain.
import { describe, expect, it } from 'vitest'
import type { Keychain, KeychainFailure } from '../../../src-main/engine/ports.ts'
import type { ChosenAccount } from '../../../src-main/platform/account/account-finder.ts'
import { DEFAULT_SETTINGS } from '../../../src-main/platform/data/settings.ts'
import { Credentials } from '../../../src-main/shell/engine/credentials.ts'
import type { HeldKey } from '../../../src-main/shell/engine/protocol.ts'

const BASE = 'https://files.example/api/v1'
const HELD: HeldKey = { baseUrl: BASE, key: 'sk-typed', saved: false }

function open(
  failure: KeychainFailure['code'] | null,
  held: HeldKey | null = null,
  given: string | null = null,
  stored = true,
) {
  const secrets = new Map(stored ? [['files.example', 'sk-stored']] : [])
  const failed = { ok: false, failure: { code: failure ?? 'other', message: 'no' } } as const
  const keychain: Keychain = {
    get: async (account) => (failure === null ? { ok: true, secret: secrets.get(account) ?? null } : failed),
    set: async () => failed,
    remove: async (account) => (failure === null ? { ok: true, existed: secrets.delete(account) } : failed),
  }
  const address = { host: 'files.example', origin: 'https://files.example', baseUrl: BASE }
  const chosen = { entry: null, address: () => ({ ok: true, value: address }) } as unknown as ChosenAccount
  const told: (HeldKey | null)[] = []
  const credentials = new Credentials(
    {
      environment: { apiKey: given, baseUrl: null },
      keychain,
      desk: () => ({ accounts: () => ({ accounts: { accounts: [] } }) }) as never,
      chosen: () => chosen,
      settings: () => DEFAULT_SETTINGS,
      createApi: () => {
        throw new Error('Signing out asks the service nothing.')
      },
      onHeld: (next) => told.push(next),
    },
    held,
  )
  return { credentials, secrets, told, keychain }
}

describe('the connection', () => {
  it.each([
    [null, { key: 'keychain' }],
    ['locked', { key: null, unread: 'failed' }],
    ['timeout', { key: null, unread: 'failed' }],
    ['other', { key: null, unread: 'failed' }],
    ['missing', { key: null, unread: 'missing' }],
  ] as const)(
    'says whether there is no key or the keychain could not be read: %s',
    async (code, expected) => {
      expect(await open(code).credentials.connection()).toMatchObject(expected)
    },
  )

  it('says nothing about the keychain if it has none or needs none', async () => {
    for (const { credentials } of [open(null, null, null, false), open('locked', HELD)])
      expect(await credentials.connection()).not.toHaveProperty('unread')
  })
})

describe('signing out', () => {
  it('removes the key from the keychain and from memory', async () => {
    const { credentials, secrets, told } = open(null, HELD)
    expect(await credentials.forget()).toEqual({ ok: true, value: undefined })
    expect(secrets.size).toBe(0)
    expect(told).toEqual([null])
  })

  it.each(['locked', 'timeout', 'other'] as const)(
    'says so if the keychain may still hold the key: %s',
    async (code) => {
      expect(await open(code).credentials.forget()).toMatchObject({ failure: { code: 'keychain' } })
    },
  )

  it.each([
    ['saved in this run', { ...HELD, saved: true }, 'sk-given', 'keychain'],
    ['entered for this run beside a saved one', HELD, null, 'session'],
  ] as const)(
    'that fails leaves the key in use, for this thread and the next: %s',
    async (_name, held, given, key) => {
      const { credentials, told, keychain } = open(null, held, given)
      keychain.remove = async () => ({ ok: false, failure: { code: 'locked', message: 'no' } })
      expect(await credentials.forget()).toMatchObject({ failure: { code: 'keychain' } })
      expect(await credentials.connection()).toMatchObject({ key })
      expect([credentials.environment().apiKey, told]).toEqual([held.key, []])
    },
  )

  it.each([
    ['only there', null],
    ['entered and saved in this run as well', { ...HELD, saved: true }],
    ['and another one entered for this run', HELD],
  ])(
    'removes the key from the keychain even if the environment gives another, and says which one is left: %s',
    async (_name, held) => {
      const { credentials, secrets } = open(null, held, 'sk-given')
      expect(await credentials.forget()).toEqual({ ok: true, value: undefined })
      expect(secrets.size).toBe(0)
      expect(await credentials.connection()).toMatchObject({ key: 'environment' })
    },
  )

  it('is refused if there is only the key of the environment', async () => {
    expect(await open(null, null, 'sk-given', false).credentials.forget()).toMatchObject({
      failure: { code: 'usage' },
    })
  })

  it('succeeds on a system without a keychain, and then it is known that there is no key', async () => {
    const { credentials } = open('missing', HELD)
    expect(await credentials.forget()).toMatchObject({ ok: true })
    expect(await credentials.connection()).not.toHaveProperty('unread')
    credentials.use(null)
    expect(await credentials.connection()).toMatchObject({ key: null, unread: 'missing' })
  })

  it('succeeds with a locked keychain if the key was only in memory', async () => {
    expect(await open('locked', HELD).credentials.forget()).toMatchObject({ ok: true })
  })
})

describe('a new key', () => {
  it('is stored under the name that its account got if another account took the first one in the meantime', async () => {
    const secrets = new Map<string, string>()
    const keychain: Keychain = {
      get: async (account) => ({ ok: true, secret: secrets.get(account) ?? null }),
      set: async (account, secret) => {
        secrets.set(account, secret)
        return { ok: true }
      },
      remove: async (account) => ({ ok: true, existed: secrets.delete(account) }),
    }
    const entry = {
      id: 'two',
      name: 'Two',
      folder: 'accounts/two',
      baseUrl: BASE,
      keychain: 'files.example (2)',
    }
    const desk = {
      ownerOf: async () => ({ ok: true, value: { kind: 'new' } }),
      prepare: () => ({ ...entry, keychain: 'files.example' }),
      register: async () => entry,
      pathsOf: () => ({ account: '/nowhere/account.json', root: '/nowhere', dir: '/nowhere' }),
    }
    const value = {
      plan: 'pro',
      stats: { total_files: 3 },
      limits: { max_file_size: 100, daily_uploads: 500 },
    }
    const credentials = new Credentials(
      {
        environment: { apiKey: null, baseUrl: null },
        keychain,
        desk: () => desk as never,
        chosen: () => null,
        settings: () => DEFAULT_SETTINGS,
        createApi: () =>
          ({ stats: async () => ({ ok: true, value, meta: {} }), close: async () => undefined }) as never,
        onHeld: () => undefined,
      },
      null,
    )
    await credentials.connect({ token: 'token', address: BASE, key: 'sk-typed-1234567890', plainHttp: false })
    expect(await credentials.keep({ token: 'token', save: true })).toMatchObject({
      value: { account: 'two' },
    })
    expect(secrets.get('files.example (2)')).toBe('sk-typed-1234567890')
  })
})
