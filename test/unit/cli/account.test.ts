// The key and the address: where they come from, how a key is checked and stored, and what doctor finds. No
// output may ever contain a key. Keychain, service and disk are fakes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { proxyOf } from '../../../src-main/api/proxy.ts'
import type {
  ApiClient,
  ApiFailure,
  ApiResult,
  ListPage,
  RemoteFile,
  Stats,
} from '../../../src-main/api/types.ts'
import { type DoctorCtx, doctor } from '../../../src-main/cli/commands/doctor.ts'
import { type AccountCtx, login, logout } from '../../../src-main/cli/commands/login.ts'
import { openDatabase } from '../../../src-main/engine/journal/database.ts'
import type { Keychain } from '../../../src-main/engine/ports.ts'
import { type AccountDesk, createAccountDesk } from '../../../src-main/platform/account/account-finder.ts'
import type { AccountEntry } from '../../../src-main/platform/account/accounts.ts'
import {
  accountMark,
  addressOf,
  readIdentity,
  takeEnvironment,
} from '../../../src-main/platform/account/key-and-address.ts'
import { dataPaths } from '../../../src-main/platform/data/paths.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../src-main/platform/data/settings.ts'
import type { FailureCode, Result } from '../../../src-shared/engine-contract.ts'
import type { Snapshot, StatsView } from '../../../src-shared/model.ts'
import {
  account as accountOf,
  createFakeSession,
  createFakeTerminal,
  createFakeTime,
  type FakeTerminal,
  type FakeTime,
  folder,
  NOW,
  ok,
  settle,
  snapshot,
} from './world.ts'

const KEY = 'sk-very-secret-1'
const BASE = 'https://files.example.com/api/v1'
const META = {
  status: 200,
  serverDate: NOW,
  rate: { retryAfterMs: null, limit: null, remaining: null, resetMs: null },
}
const GOOD: ApiResult<Stats> = {
  ok: true,
  meta: META,
  value: { plan: 'pro', stats: { total_files: 3 }, limits: { max_file_size: 100, daily_uploads: 500 } },
}

const EMPTY_LIST: ApiResult<ListPage<string>> = {
  ok: true,
  meta: META,
  value: { files: [], pagination: { page: 1, limit: 100, total: 0, pages: 1 } },
}
const NOT_THERE: ApiResult<RemoteFile<string>> = {
  ok: false,
  failure: {
    kind: 'status',
    status: 404,
    detail: null,
    phase: 'sent',
    meta: { ...META, status: 404 },
    message: '404',
  },
}

function fakeKeychain(
  options: { missing?: boolean; secrets?: Record<string, string> } = {},
): Keychain & { readonly secrets: Map<string, string> } {
  const secrets = new Map(Object.entries(options.secrets ?? {}))
  const failure = { ok: false, failure: { code: 'missing', message: 'There is no keychain.' } } as const
  return {
    secrets,
    get: (account) =>
      Promise.resolve(
        options.missing === true ? failure : { ok: true, secret: secrets.get(account) ?? null },
      ),
    set: (account, secret) => {
      if (options.missing === true) return Promise.resolve(failure)
      secrets.set(account, secret)
      return Promise.resolve({ ok: true })
    },
    remove: (account) =>
      Promise.resolve(options.missing === true ? failure : { ok: true, existed: secrets.delete(account) }),
  }
}

function fakeApi(
  stats: ApiResult<Stats> | Promise<ApiResult<Stats>>,
  missingFiles: boolean,
): { api: AccountCtx['createApi']; used: { baseUrl: string; key: string | null }[] } {
  const used: { baseUrl: string; key: string | null }[] = []
  const unused = (): never => {
    throw new Error('only /stats is asked')
  }
  return {
    used,
    api: (baseUrl, key): ApiClient<string> => ({
      stats: () => {
        used.push({ baseUrl, key: key() })
        return Promise.resolve(stats)
      },
      upload: unused,
      list: missingFiles ? () => Promise.resolve(EMPTY_LIST) : unused,
      file: missingFiles ? () => Promise.resolve(NOT_THERE) : unused,
      remove: unused,
      download: unused,
      close: () => Promise.resolve(),
    }),
  }
}

const NO_ENGINE = { code: 'defect', title: 'No engine.', hint: null } as const

interface LoginWorld {
  readonly ctx: AccountCtx
  readonly desk: AccountDesk
  readonly term: FakeTerminal
  readonly time: FakeTime
  readonly keychain: ReturnType<typeof fakeKeychain>
  readonly session: ReturnType<typeof createFakeSession>
  readonly used: { baseUrl: string; key: string | null }[]
  settings(): Settings
  everything(): string
}

function loginWorld(
  options: {
    tty?: boolean
    answers?: (string | null)[]
    input?: string | null
    stats?: ApiResult<Stats> | Promise<ApiResult<Stats>>
    missing?: boolean
    settings?: Settings
    json?: boolean
    running?: boolean
    openFails?: boolean
    envBase?: string
    secrets?: Record<string, string>
    /** The service doesn't know any file. */
    missingFiles?: boolean
  } = {},
): LoginWorld {
  const term = createFakeTerminal(options)
  const time = createFakeTime()
  const keychain = fakeKeychain(options)
  const session = createFakeSession({ reloadKey: () => ok(snapshot()) })
  const { api, used } = fakeApi(options.stats ?? GOOD, options.missingFiles === true)
  let settings = options.settings ?? DEFAULT_SETTINGS
  const env = { apiKey: null, baseUrl: options.envBase ?? null }
  const root = dataPaths(mkdtempSync(join(tmpdir(), 'slipway-accounts-')), {})
  onTestFinished(() => rmSync(root.root, { recursive: true, force: true }))
  const desk = createAccountDesk({
    root,
    environment: () => env,
    processEnv: {},
    settings: () => settings,
    keychain,
    createApi: api,
    now: () => NOW,
  })
  return {
    desk,
    term,
    time,
    keychain,
    session,
    used,
    settings: () => settings,
    everything: () => [...term.lines, ...term.errors, ...term.asked, JSON.stringify(settings)].join('\n'),
    ctx: {
      term,
      time,
      json: options.json ?? false,
      quiet: false,
      env,
      desk,
      keychain,
      settings: {
        read: () => ({ settings, message: null }),
        write: (next) => {
          settings = next
        },
      },
      createApi: api,
      open: () => ({
        findRunning: () => Promise.resolve(options.running === true ? session : null),
        elect: () =>
          Promise.resolve(
            options.openFails === true
              ? { ok: false, failure: NO_ENGINE }
              : ok({ client: session, isOwner: true }),
          ),
      }),
      signal: new AbortController().signal,
    },
  }
}

const TYPED = { baseUrl: 'files.example.com', allowHttp: false, account: null }

describe('login', () => {
  it('asks without echo, proves, stores, tells a running engine and shows plan and limits', async () => {
    const w = loginWorld({ tty: true, answers: [KEY], running: true })
    expect(await login(w.ctx, TYPED)).toBe(0)
    expect(w.term.asked).toEqual(['API key for files.example.com (not shown): (hidden)'])
    expect(w.used).toEqual([{ baseUrl: BASE, key: KEY }])
    expect([...w.keychain.secrets]).toEqual([['files.example.com', KEY]])
    expect(w.settings().baseUrl).toBe(BASE)
    expect(w.session.calls.map((call) => call.procedure)).toEqual(['reloadKey'])
    expect(w.term.lines).toEqual([
      `Service        ${BASE}`,
      'Plan           pro',
      'max_file_size  100',
      'daily_uploads  500',
      'total_files    3',
    ])
    expect(w.everything()).not.toContain(KEY)
  })

  it('lets an engine learn what was proved where none runs, and does not fail where none can', async () => {
    const w = loginWorld({ input: KEY })
    expect(await login(w.ctx, TYPED)).toBe(0)
    expect(w.session.calls.map((call) => call.procedure)).toEqual(['reloadKey'])
    expect(await login(loginWorld({ input: KEY, openFails: true }).ctx, TYPED)).toBe(0)
  })

  it('takes a key typed in place of the address for no host, and asks again', async () => {
    const w = loginWorld({ tty: true, answers: [KEY, 'files.example.com', KEY] })
    expect(await login(w.ctx, { baseUrl: null, allowHttp: false, account: null })).toBe(0)
    expect(w.term.errors[0]).toBe(
      "slipway: This looks like an API key, not an address. It wasn't sent anywhere.",
    )
    expect(w.used).toEqual([{ baseUrl: BASE, key: KEY }])
    expect(w.everything()).not.toContain(KEY)
    const never = loginWorld({ tty: true, answers: [KEY, KEY, KEY, KEY] })
    expect(await login(never.ctx, { baseUrl: null, allowHttp: false, account: null })).toBe(2)
    expect(never.used).toEqual([])
    const option = loginWorld({ input: KEY })
    expect(await login(option.ctx, { baseUrl: KEY, allowHttp: false, account: null })).toBe(2)
    expect(option.used).toEqual([])
    expect(option.everything()).not.toContain(KEY)
  })

  it('says once that the service is slow to respond', async () => {
    const answer = Promise.withResolvers<ApiResult<Stats>>()
    const w = loginWorld({ input: KEY, stats: answer.promise })
    const code = login(w.ctx, TYPED)
    await w.time.pass(5000)
    expect(w.term.errors).toEqual([])
    await w.time.pass(20_000)
    expect(w.term.errors).toEqual(['Still waiting for the service.'])
    answer.resolve(GOOD)
    expect(await code).toBe(0)
  })

  it('reads the key from standard input', async () => {
    const w = loginWorld({ input: `  ${KEY}  `, json: true })
    expect(await login(w.ctx, TYPED)).toBe(0)
    expect(w.keychain.secrets.get('files.example.com')).toBe(KEY)
    expect(JSON.parse(w.term.lines[0] ?? '')).toEqual({
      account: 'files.example.com',
      added: true,
      base_url: BASE,
      plan: 'pro',
      stats: { total_files: 3 },
      limits: { max_file_size: 100, daily_uploads: 500 },
    })
    expect(w.everything()).not.toContain(KEY)
  })

  it('asks for an address that nobody knows, and takes one from the environment or the settings', async () => {
    const asked = loginWorld({ tty: true, answers: ['https://files.example.com/', KEY] })
    expect(await login(asked.ctx, { baseUrl: null, allowHttp: false, account: null })).toBe(0)
    expect(asked.term.asked[0]).toBe('Service address (you enter the key next): ')
    const env = loginWorld({
      input: KEY,
      envBase: 'https://env.example.com',
      settings: { ...DEFAULT_SETTINGS, baseUrl: BASE },
    })
    expect(await login(env.ctx, { baseUrl: null, allowHttp: false, account: null })).toBe(0)
    expect(env.used[0]?.baseUrl).toBe('https://env.example.com/api/v1')
    const blind = loginWorld({ input: KEY })
    expect(await login(blind.ctx, { baseUrl: null, allowHttp: false, account: null })).toBe(2)
  })

  it('keeps what else stands in the settings', async () => {
    const w = loginWorld({ input: KEY, settings: { ...DEFAULT_SETTINGS, later: 'kept' } })
    await login(w.ctx, TYPED)
    expect(w.settings()).toEqual({ ...DEFAULT_SETTINGS, baseUrl: BASE, later: 'kept' })
  })

  it('keeps what was changed in the settings while the key was entered', async () => {
    const w = loginWorld({ input: KEY })
    const read = w.keychain.set.bind(w.keychain)
    const rules = ['*.contract.pdf']
    w.ctx.keychain.set = (...args) => {
      w.ctx.settings.write({ ...w.settings(), guardHold: rules })
      return read(...args)
    }
    await login(w.ctx, TYPED)
    expect(w.settings()).toMatchObject({ guardHold: rules, baseUrl: BASE })
  })

  const status = (code: number): ApiResult<Stats> => ({
    ok: false,
    failure: {
      kind: 'status',
      status: code,
      detail: null,
      phase: 'sent',
      meta: { ...META, status: code },
      message: `${code}`,
    },
  })
  const failed = (failure: ApiFailure): ApiResult<Stats> => ({ ok: false, failure })

  it.each<[string, ApiResult<Stats>, number]>([
    ['401', status(401), 3],
    ['403', status(403), 3],
    ['404', status(404), 6],
    ['429', status(429), 5],
    ['500', status(500), 6],
    [
      'no connection',
      failed({ kind: 'connect', cause: 'dns', phase: 'unsent', message: 'No such name.' }),
      6,
    ],
    [
      'a page that is not the service',
      failed({ kind: 'garbage', phase: 'sent', meta: META, message: '' }),
      6,
    ],
    [
      'a redirect elsewhere',
      failed({ kind: 'redirect', phase: 'sent', meta: META, message: 'It leads elsewhere.' }),
      6,
    ],
  ])('stores nothing after %s', async (_name, stats, code) => {
    const w = loginWorld({ input: KEY, stats })
    expect(await login(w.ctx, TYPED)).toBe(code)
    expect(w.keychain.secrets.size).toBe(0)
    expect(w.settings()).toEqual(DEFAULT_SETTINGS)
    expect(w.term.errors.length).toBeGreaterThan(0)
    expect(w.everything()).not.toContain(KEY)
  })

  it.each([
    ['nothing', null, ''],
    ['two words', 'two words', "it contains spaces or other characters that can't be part of one"],
    ['other letters', 'ключ', "it contains spaces or other characters that can't be part of one"],
    ['too many characters', 'x'.repeat(4097), 'it is longer than 4096 characters'],
  ])('takes no key that can be none: %s', async (_what, input, why) => {
    const w = loginWorld({ input })
    expect(await login(w.ctx, TYPED)).toBe(3)
    expect(w.used).toEqual([])
    if (input === null) return
    expect(w.term.errors.join('\n')).toContain(why)
    expect(w.everything()).not.toContain(input)
  })

  it('says how to go on without a keychain, and keeps the address', async () => {
    const w = loginWorld({ input: KEY, missing: true })
    expect(await login(w.ctx, TYPED)).toBe(3)
    expect(w.term.errors.join('\n')).toContain('There is no keychain.')
    expect(w.term.errors.join('\n')).toContain('SLIPWAY_API_KEY')
    expect(w.settings().baseUrl).toBe(BASE)
    expect(w.everything()).not.toContain(KEY)
  })

  it('says so if another login took the keychain name and the key cannot be stored under the new one', async () => {
    const w = loginWorld({ input: KEY })
    const { desk } = w
    const register = desk.register.bind(desk)
    Object.assign(desk, {
      register: async (...proved: Parameters<typeof register>) => ({
        ...(await register(...proved)),
        keychain: 'files.example.com (2)',
      }),
    })
    const keychain: Keychain = {
      ...w.keychain,
      set: (account, secret) =>
        account === 'files.example.com'
          ? w.keychain.set(account, secret)
          : Promise.resolve({ ok: false, failure: { code: 'missing', message: 'The keychain is locked.' } }),
    }
    expect(await login({ ...w.ctx, keychain }, TYPED)).toBe(3)
    expect(w.term.errors.join('\n')).toContain(
      "The key is valid, but couldn't be stored. The keychain is locked.",
    )
    expect(w.term.lines.join('\n')).not.toContain('stored in the keychain')
  })

  it('insists on https beyond this machine', async () => {
    const plain = loginWorld({ input: KEY })
    expect(
      await login(plain.ctx, { baseUrl: 'http://files.example.com', allowHttp: false, account: null }),
    ).toBe(2)
    expect(plain.used).toEqual([])
    const insists = loginWorld({ input: KEY })
    expect(
      await login(insists.ctx, { baseUrl: 'http://files.example.com', allowHttp: true, account: null }),
    ).toBe(0)
  })

  it('ends with 130 when the person gives up', async () => {
    expect(await login(loginWorld({ tty: true, answers: [null] }).ctx, TYPED)).toBe(130)
  })
})

describe('login with several accounts', () => {
  const OTHER = { baseUrl: 'two.example', allowHttp: false, account: null }

  /** Creates the journal of an account that has sent a file and watches a folder. */
  function used(w: LoginWorld, entry: AccountEntry, fileId: number): void {
    const { journal, dir } = w.desk.pathsOf(entry)
    mkdirSync(dir, { recursive: true })
    const { db } = openDatabase({
      file: journal,
      files: { exists: () => false, rename: () => undefined, read: () => null },
      seal: null,
      now: NOW,
    })
    db.run("INSERT INTO meta (key, value) VALUES ('account', ?)", entry.id)
    db.run(
      "INSERT INTO folders (path, existing, on_change, created_at) VALUES ('/home/u/My Share', 'upload', 'new-link', 1)",
    )
    db.run(
      `INSERT INTO transfers (source, path, name, size, mtime, state, file_id, public_link, created_at)
       VALUES ('upload', '/a', 'a', 1, 1, 'done', ?, ?, 1)`,
      fileId,
      `https://files.example.com/download/token-of-${fileId}`,
    )
    db.close()
  }

  async function withFirst(
    options: Parameters<typeof loginWorld>[0] = {},
  ): Promise<{ w: LoginWorld; first: AccountEntry }> {
    const w = loginWorld({ input: KEY, ...options })
    await login(w.ctx, TYPED)
    const [first] = w.desk.accounts().accounts.accounts
    if (first === undefined) throw new Error('no account')
    used(w, first, 7)
    return { w, first }
  }
  const names = (w: LoginWorld): string[] => w.desk.accounts().accounts.accounts.map((one) => one.name)

  it('adds another account, makes it the current one, and says what stays with the first', async () => {
    const { w, first } = await withFirst({ missingFiles: true })
    expect(await login(w.ctx, OTHER)).toBe(0)
    expect(names(w)).toEqual(['files.example.com', 'two.example'])
    expect(w.desk.accounts().accounts.current).not.toBe(first.id)
    expect([...w.keychain.secrets.keys()]).toEqual(['files.example.com', 'two.example'])
    // The first account's address is stored where earlier versions expect it.
    expect(w.settings().baseUrl).toBe(BASE)
    const notes = w.term.errors.join('\n')
    expect(notes).toContain('Added the account two.example')
    const quoted = process.platform === 'win32' ? '"/home/u/My Share"' : "'/home/u/My Share'"
    expect(notes).toContain(
      `/home/u/My Share stays with files.example.com; for two.example as well: slipway watch ${quoted}`,
    )
  })

  it('names a new account, and renews the key of a known one', async () => {
    const { w } = await withFirst({ missingFiles: true })
    expect(await login(w.ctx, { ...OTHER, account: 'Work' })).toBe(0)
    expect(names(w)).toEqual(['files.example.com', 'Work'])
    expect(await login(w.ctx, { ...OTHER, account: 'work' })).toBe(0)
    expect(names(w)).toEqual(['files.example.com', 'Work'])
    expect(w.term.errors.at(-1)).toContain('The key of the account Work was renewed.')
  })

  it('takes no key of another account for a name, and no name that is none', async () => {
    const { w, first } = await withFirst({ missingFiles: true })
    expect(await login(w.ctx, { ...OTHER, account: first.name })).toBe(3)
    expect(w.term.errors.join('\n')).toContain(
      'This key belongs to another account, not to files.example.com.',
    )
    for (const account of ['-x', 'a b ', 'x'.repeat(65), 'a/b'])
      expect(await login(w.ctx, { ...OTHER, account })).toBe(2)
    expect([names(w), w.keychain.secrets.size]).toEqual([['files.example.com'], 1])
  })

  it('does not pass over a new name for a key that an account has already', async () => {
    const { w } = await withFirst()
    expect(await login(w.ctx, { ...TYPED, account: 'Work' })).toBe(3)
    expect(w.term.errors.slice(-2)).toEqual([
      'slipway: This key belongs to the account files.example.com, not to Work. Nothing was stored.',
      "  Leave out --account to renew its key. To rename the account, use the app's settings.",
    ])
    expect(names(w)).toEqual(['files.example.com'])
  })

  it('does not give an account to another key while its journal can not be read', async () => {
    const w = loginWorld({ input: KEY })
    await login(w.ctx, TYPED)
    const before = w.desk.accounts().accounts
    const [first] = before.accounts
    if (first === undefined) throw new Error('no account')
    const ask = () => w.desk.ownerOf({ baseUrl: BASE, key: 'sk-another' }, null, new AbortController().signal)
    expect(await ask()).toMatchObject({ value: { kind: 'takes-over' } })
    writeFileSync(w.desk.pathsOf(first).journal, 'neither a journal nor a database'.repeat(40))
    expect(await ask()).toMatchObject({ failure: { code: 'journal-unusable' } })
    expect(w.desk.accounts().accounts).toEqual(before)
  })

  it('removes the key of the account that is named, and of no other', async () => {
    const { w } = await withFirst({ missingFiles: true })
    await login(w.ctx, OTHER)
    expect(await logout(w.ctx, 'files.example.com')).toBe(0)
    expect([...w.keychain.secrets.keys()]).toEqual(['two.example'])
    expect(await logout(w.ctx, 'nobody')).toBe(7)
  })
})

describe('logout', () => {
  it('removes the key and tells a running engine', async () => {
    const w = loginWorld({ input: KEY, running: true, json: true })
    await login(w.ctx, TYPED)
    for (const removed of [true, false]) {
      expect(await logout(w.ctx, null)).toBe(0)
      expect(w.keychain.secrets.size).toBe(0)
      expect(JSON.parse(w.term.lines.at(-1) ?? '')).toEqual({ account: 'files.example.com', removed })
    }
    expect(w.session.calls.map((call) => call.procedure)).toEqual(['reloadKey', 'reloadKey', 'reloadKey'])
  })

  it('says that the environment still provides a key, and removes the one in the keychain', async () => {
    const w = loginWorld({ input: KEY })
    await login(w.ctx, TYPED)
    const env = { ...w.ctx.env, apiKey: 'sk-given' }
    expect(await logout({ ...w.ctx, env }, null)).toBe(0)
    expect(w.keychain.secrets.size).toBe(0)
    expect(w.term.errors.slice(-2)).toEqual([
      'The key was removed from the keychain.',
      'SLIPWAY_API_KEY still provides a key. To sign out, unset it.',
    ])
    expect(await logout({ ...w.ctx, env, json: true }, null)).toBe(0)
    expect(JSON.parse(w.term.lines.at(-1) ?? '')).toEqual({
      account: 'files.example.com',
      removed: false,
      environment_key: true,
    })
  })

  it('removes a key that no account was made of yet', async () => {
    const w = loginWorld({
      settings: { ...DEFAULT_SETTINGS, baseUrl: BASE },
      json: true,
      secrets: { 'files.example.com': KEY },
    })
    expect(await logout(w.ctx, null)).toBe(0)
    expect([w.keychain.secrets.size, w.term.lines]).toEqual([0, ['{"removed":true}']])
  })

  it.each([false, true])(
    'says what it could not remove without a keychain, and not how to set a key (environment: %s)',
    async (isGiven) => {
      const w = loginWorld({ settings: { ...DEFAULT_SETTINGS, baseUrl: BASE }, missing: true })
      expect(
        await logout({ ...w.ctx, env: { ...w.ctx.env, apiKey: isGiven ? 'sk-given' : null } }, null),
      ).toBe(3)
      expect(w.term.errors).toEqual([
        'slipway: No keychain responds, so no stored key could be removed.',
        isGiven
          ? '  SLIPWAY_API_KEY provides a key. To sign out, unset it.'
          : '  If a key was stored on this computer, log in to its desktop and run slipway logout again.',
      ])
    },
  )

  it('has nothing to do where no address is known', async () => {
    const w = loginWorld()
    expect(await logout(w.ctx, null)).toBe(0)
    expect(w.term.errors).toEqual(['There was no key in the keychain.'])
  })
})

describe('identity', () => {
  it('takes the key out of the environment', () => {
    const env: Record<string, string | undefined> = {
      SLIPWAY_API_KEY: ` ${KEY} `,
      SLIPWAY_BASE_URL: '',
      OTHER: 'x',
    }
    expect(takeEnvironment(env)).toEqual({ apiKey: KEY, baseUrl: null })
    expect(env).toEqual({ SLIPWAY_BASE_URL: '', OTHER: 'x' })
  })

  it.each([
    [
      'the environment first',
      { apiKey: 'env-key', baseUrl: null },
      { 'files.example.com': 'stored' },
      'env-key',
    ],
    ['else the keychain', { apiKey: null, baseUrl: null }, { 'files.example.com': 'stored' }, 'stored'],
    [
      'the host with its port is the account',
      { apiKey: null, baseUrl: 'localhost:81' },
      { 'localhost:81': 'local', 'files.example.com': 'stored' },
      'local',
    ],
  ])('%s', async (_name, env, secrets, key) => {
    const identity = await readIdentity({
      env,
      settings: { ...DEFAULT_SETTINGS, baseUrl: BASE },
      keychain: fakeKeychain({ secrets }),
    })
    expect(identity).toMatchObject({ value: { key } })
  })

  it.each([
    ['no address', { settings: DEFAULT_SETTINGS, keychain: fakeKeychain() }, 'no-key'],
    ['no key', { settings: { ...DEFAULT_SETTINGS, baseUrl: BASE }, keychain: fakeKeychain() }, 'no-key'],
    [
      'no keychain',
      { settings: { ...DEFAULT_SETTINGS, baseUrl: BASE }, keychain: fakeKeychain({ missing: true }) },
      'keychain',
    ],
  ])('%s', async (_name, options, code) => {
    expect(await readIdentity({ env: { apiKey: null, baseUrl: null }, ...options })).toMatchObject({
      failure: { code },
    })
  })

  it.each([
    ['in the environment', { apiKey: `${KEY}\u200b`, baseUrl: null }, {}, 'SLIPWAY_API_KEY'],
    [
      'in the keychain',
      { apiKey: null, baseUrl: null },
      { 'files.example.com': 'two\nlines' },
      'slipway login',
    ],
  ])('refuses a key that no request can carry, %s', async (_name, env, secrets, hint) => {
    const got = await readIdentity({
      env,
      settings: { ...DEFAULT_SETTINGS, baseUrl: BASE },
      keychain: fakeKeychain({ secrets }),
    })
    expect(got).toMatchObject({
      failure: { code: 'key-refused', hint: expect.stringContaining(hint) as string },
    })
  })

  it('does not need a keychain for a key of the environment', async () => {
    const identity = await readIdentity({
      env: { apiKey: KEY, baseUrl: BASE },
      settings: DEFAULT_SETTINGS,
      keychain: fakeKeychain({ missing: true }),
    })
    expect(identity).toMatchObject({ value: { baseUrl: BASE } })
  })

  it('marks an account without telling the key', () => {
    const mark = accountMark(BASE, KEY)
    expect(mark).toMatch(/^[0-9a-f]{32}$/)
    expect(accountMark(BASE, KEY)).toBe(mark)
    expect(accountMark(BASE, 'other')).not.toBe(mark)
    expect(accountMark('https://other.example.com/api/v1', KEY)).not.toBe(mark)
  })

  it('an address that was agreed to at the login is not refused later', () => {
    const http = 'http://files.example.com/api/v1'
    expect(
      addressOf(null, { apiKey: null, baseUrl: null }, { ...DEFAULT_SETTINGS, baseUrl: http }),
    ).toMatchObject({ value: { baseUrl: http } })
    expect(addressOf(null, { apiKey: null, baseUrl: http }, DEFAULT_SETTINGS)).toMatchObject({
      failure: { code: 'usage' },
    })
  })

  it.each([
    [{}, { http: null, https: null, noProxy: null }],
    [
      { HTTPS_PROXY: 'http://p:1', https_proxy: 'http://q:1', NO_PROXY: 'x' },
      { http: null, https: 'http://q:1', noProxy: 'x' },
    ],
    [
      { ALL_PROXY: 'http://p:1', HTTP_PROXY: '' },
      { http: 'http://p:1', https: 'http://p:1', noProxy: null },
    ],
    [
      { all_proxy: 'socks5://p:1', HTTPS_PROXY: 'http://q:1' },
      { http: 'socks5://p:1', https: 'http://q:1', noProxy: null },
    ],
  ])('proxies of %j', (env, expected) => {
    expect(proxyOf(env)).toEqual(expected)
  })
})

describe('doctor', () => {
  const view = {
    plan: 'pro',
    totalFiles: 1,
    totalSize: 1,
    stats: {},
    limits: { daily_uploads: 5 },
    maxFileSize: { kind: 'unknown' as const, value: null, unit: 'bytes' },
    minute: { limit: 50, used: 0, nextAt: null },
    day: { limit: 50, used: 0, nextAt: null },
    dailyUploads: { limit: 50, used: 0, nextAt: null },
  }

  function doctorWorld(
    over: Partial<DoctorCtx> = {},
    answers: Parameters<typeof createFakeSession>[0] = {},
  ): { ctx: DoctorCtx; term: FakeTerminal } {
    const term = createFakeTerminal()
    const session = createFakeSession({ snapshot: () => ok(snapshot()), stats: () => ok(view), ...answers })
    const env = over.env ?? { apiKey: null, baseUrl: null }
    const settings = over.readSettings?.().settings ?? { ...DEFAULT_SETTINGS, baseUrl: BASE }
    return {
      term,
      ctx: {
        term,
        json: true,
        quiet: false,
        session: { ok: true, value: session },
        env,
        address: addressOf(null, env, settings),
        keyName: null,
        keychain: fakeKeychain({ secrets: { 'files.example.com': KEY } }),
        readSettings: () => ({ settings: { ...DEFAULT_SETTINGS, baseUrl: BASE }, message: null }),
        dataDir: '/data',
        dataDirFault: () => Promise.resolve(null),
        dataDirAccess: () => null,
        freeBytes: () => Promise.resolve(5e9),
        reach: () => Promise.resolve({ ok: true, serverDate: NOW }),
        watchLimit: () => Promise.resolve(500_000),
        reachedLimit: () => null,
        nodeVersion: '24.0.0',
        version: '0.1.0',
        time: createFakeTime(),
        signal: new AbortController().signal,
        ...over,
      },
    }
  }

  async function run(
    w: ReturnType<typeof doctorWorld>,
  ): Promise<{ code: number; states: Record<string, string> }> {
    const code = await doctor(w.ctx)
    const document = JSON.parse(w.term.lines[0] ?? '') as {
      ok: boolean
      checks: { name: string; state: string; hint?: string }[]
    }
    for (const check of document.checks)
      if (check.state === 'problem' && check.name !== 'keychain') expect(check.hint).toBeTruthy()
    expect(document.ok).toBe(code === 0)
    expect(JSON.stringify(document)).not.toContain(KEY)
    return { code, states: Object.fromEntries(document.checks.map((check) => [check.name, check.state])) }
  }

  it('finds everything in order', async () => {
    const { code, states } = await run(doctorWorld())
    expect(code).toBe(0)
    expect(Object.keys(states)).toEqual([
      'program',
      'data folder',
      'engine',
      'address',
      'keychain',
      'network',
      'clock',
      'key',
      'plan',
      'watcher',
    ])
    expect(new Set(Object.values(states))).toEqual(new Set(['ok']))
  })

  it.each([
    ['a folder that is unavailable', {}, '/home/u/in is unavailable.'],
    ['a drive that does not answer', { silent: true }, "The drive of /home/u/in isn't responding."],
  ])('notes %s', async (_name, over, message) => {
    const w = doctorWorld(
      {},
      { snapshot: () => ok(snapshot({ folders: [folder({ state: 'away', ...over })] })) },
    )
    expect(await doctor(w.ctx)).toBe(0)
    const { checks } = JSON.parse(w.term.lines[0] ?? '') as { checks: { name: string; message: string }[] }
    expect(checks.find((check) => check.name === 'folder')?.message).toBe(message)
  })

  const unopened = <C extends FailureCode>(code: C) =>
    ({ ok: false, failure: { code, title: 'It could not be opened.', hint: 'Help.' } }) as const
  const gone = unopened('defect')
  const WITHOUT_OWN_KEY = { keychain: 'note', key: 'ok', plan: 'ok' }
  /** An engine of another process. */
  const elsewhere = (over: Partial<Snapshot> = {}): DoctorCtx['session'] => {
    const session = createFakeSession({ snapshot: () => ok(snapshot(over)), stats: () => ok(view) })
    session.owner = false
    return { ok: true, value: session }
  }
  it.each<[string, ReturnType<typeof doctorWorld>, number, Record<string, string>]>([
    ['no keychain', doctorWorld({ keychain: fakeKeychain({ missing: true }) }), 3, { keychain: 'problem' }],
    [
      'no keychain, but a key for this process',
      doctorWorld({ keychain: fakeKeychain({ missing: true }), env: { apiKey: KEY, baseUrl: null } }),
      0,
      { keychain: 'note', key: 'ok' },
    ],
    ['no key', doctorWorld({ keychain: fakeKeychain() }), 3, { keychain: 'problem' }],
    [
      'no address',
      doctorWorld({ readSettings: () => ({ settings: DEFAULT_SETTINGS, message: null }) }),
      3,
      { address: 'problem' },
    ],
    [
      'no network',
      doctorWorld({ reach: () => Promise.resolve({ ok: false, cause: 'dns', message: 'No such name.' }) }),
      6,
      { network: 'problem' },
    ],
    [
      'a wrong clock',
      doctorWorld({ reach: () => Promise.resolve({ ok: true, serverDate: NOW - 3_600_000 }) }),
      0,
      { clock: 'note' },
    ],
    [
      'a refused key',
      doctorWorld(
        {},
        {
          stats: () => ({ ok: false, failure: { code: 'key-refused', title: 'Refused.', hint: 'New one.' } }),
        },
      ),
      3,
      { key: 'problem' },
    ],
    [
      'a plan without API',
      doctorWorld(
        {},
        { stats: () => ({ ok: false, failure: { code: 'no-api', title: 'None.', hint: 'Pro.' } }) },
      ),
      3,
      { plan: 'problem' },
    ],
    [
      'a budget that is used up',
      doctorWorld(
        {},
        { stats: () => ({ ok: false, failure: { code: 'waits', title: 'Later.', hint: null } }) },
      ),
      0,
      { key: 'note' },
    ],
    [
      'figures that could not be read again',
      doctorWorld(
        {},
        {
          stats: () =>
            ok({
              ...view,
              stale: {
                at: NOW - 7_200_000,
                failure: { code: 'server', title: 'Error 500.', hint: 'Later.' },
              },
            }),
        },
      ),
      6,
      { key: 'problem', plan: 'note' },
    ],
    [
      'figures from before, with a budget that is used up',
      doctorWorld(
        {},
        {
          stats: () =>
            ok({ ...view, stale: { at: null, failure: { code: 'waits', title: 'Later.', hint: null } } }),
        },
      ),
      0,
      { key: 'note', plan: 'note' },
    ],
    [
      'a key that only the running engine has',
      doctorWorld({ keychain: fakeKeychain(), session: elsewhere() }),
      0,
      WITHOUT_OWN_KEY,
    ],
    [
      'a key that only the running engine has, without a keychain',
      doctorWorld({ keychain: fakeKeychain({ missing: true }), session: elsewhere() }),
      0,
      WITHOUT_OWN_KEY,
    ],
    [
      'no key, nor one of the running engine',
      doctorWorld({
        keychain: fakeKeychain(),
        session: elsewhere({ account: accountOf({ state: 'none' }) }),
      }),
      3,
      { keychain: 'problem' },
    ],
    [
      'a folder that can not be written',
      doctorWorld({ dataDirFault: () => Promise.resolve('No permission.') }),
      1,
      { 'data folder': 'problem' },
    ],
    [
      'a folder that others can read',
      doctorWorld({ dataDirAccess: () => 'it is the root of a drive' }),
      0,
      { 'data folder': 'note' },
    ],
    ['a full disk', doctorWorld({ freeBytes: () => Promise.resolve(1000) }), 1, { 'data folder': 'problem' }],
    ['an engine that hangs', doctorWorld({ session: gone }), 1, { engine: 'problem' }],
    // The other commands end with the same codes.
    [
      'an account that is not known',
      doctorWorld({ session: unopened('not-found'), keychain: fakeKeychain() }),
      7,
      { engine: 'problem' },
    ],
    [
      'a new key that is refused',
      doctorWorld({ session: unopened('key-refused') }),
      3,
      { engine: 'problem' },
    ],
    [
      'a key whose account could not be asked for',
      doctorWorld({ session: unopened('no-connection') }),
      6,
      { engine: 'problem' },
    ],
    ['a choice between accounts', doctorWorld({ session: unopened('usage') }), 2, { engine: 'problem' }],
    ['a service that asks to wait', doctorWorld({ session: unopened('waits') }), 5, { engine: 'problem' }],
    ['few watches', doctorWorld({ watchLimit: () => Promise.resolve(8192) }), 0, { watcher: 'note' }],
    ['a limit that is reached', doctorWorld({ reachedLimit: () => 'instances' }), 0, { watcher: 'note' }],
    ['no such limit', doctorWorld({ watchLimit: () => Promise.resolve(null) }), 0, {}],
    [
      'a folder that is away',
      doctorWorld({}, { snapshot: () => ok(snapshot({ folders: [folder({ state: 'away' })] })) }),
      0,
      { folder: 'note' },
    ],
    [
      'broken settings',
      doctorWorld({
        readSettings: () => ({ settings: { ...DEFAULT_SETTINGS, baseUrl: BASE }, message: 'Set aside.' }),
      }),
      0,
      { settings: 'note' },
    ],
    [
      'key and network both',
      doctorWorld({
        keychain: fakeKeychain(),
        reach: () => Promise.resolve({ ok: false, cause: 'dns', message: 'x' }),
      }),
      3,
      { network: 'problem' },
    ],
  ])('%s', async (_name, w, code, states) => {
    const found = await run(w)
    expect(found.code).toBe(code)
    expect(found.states).toMatchObject(states)
  })

  it.each([
    [true, ['{"error":{"code":"closing","title":"Interrupted."}}']],
    [false, []],
  ])('ends at a signal while the service does not answer (JSON: %s)', async (json, lines) => {
    const stop = new AbortController()
    const late = Promise.withResolvers<Result<StatsView>>()
    const w = doctorWorld({ json, signal: stop.signal }, { stats: () => late.promise })
    const code = doctor(w.ctx)
    await settle()
    const before = w.term.lines.length
    stop.abort()
    expect(await code).toBe(130)
    // The session is closed next, which answers all calls.
    late.resolve({ ok: false, failure: { code: 'closing', title: 'Slipway is closing.', hint: null } })
    await settle()
    expect(w.term.lines.slice(before)).toEqual(lines)
    expect(w.term.errors).toEqual(['slipway: Interrupted.'])
  })

  it('prints a line for each, with what to do below it', async () => {
    const w = doctorWorld({ json: false, watchLimit: () => Promise.resolve(8192) })
    await doctor(w.ctx)
    expect(w.term.lines.slice(-2)).toEqual([
      'note     watcher: This system lets a user watch 8192 directories. Larger folders are scanned every 20 seconds instead.',
      '         To raise it: sudo sysctl fs.inotify.max_user_watches=524288',
    ])
  })

  it('does not send its reader back to itself', async () => {
    const failure = {
      code: 'disk',
      title: "Couldn't write to disk.",
      hint: 'Check the disk, then try again. For details: slipway doctor',
    } as const
    const w = doctorWorld({ json: false, session: { ok: false, failure } })
    await doctor(w.ctx)
    expect(w.term.lines.join(' ')).toContain('Check the disk, then try again.')
    expect(w.term.lines.join(' ')).not.toContain('slipway doctor')
  })

  it('names the limit that is reached, and what raises it', async () => {
    const w = doctorWorld({ json: false, reachedLimit: () => 'instances' })
    await doctor(w.ctx)
    expect(w.term.lines.slice(-2)).toEqual([
      'note     watcher: The limit is reached: fs.inotify.max_user_instances. Folders are scanned every 20 seconds instead.',
      '         To raise it: sudo sysctl fs.inotify.max_user_instances=1024',
    ])
  })
})
