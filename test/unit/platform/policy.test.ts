// Policy files: what they fix, what makes one unusable, and that an unusable one forbids everything. Mostly
// table-driven. Files are real, in a temporary folder, and so are permissions where the system has them.
import { chmodSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addressOf } from '../../../src-main/platform/account/key-and-address.ts'
import {
  addressFault,
  createPolicyReader,
  NO_POLICY,
  type PolicySystem,
  policyFiles,
  readPolicy,
  withPolicyAddress,
} from '../../../src-main/platform/data/policy.ts'
import { DEFAULT_SETTINGS } from '../../../src-main/platform/data/settings.ts'
import { apiFactory } from '../../../src-main/platform/host/engine-host.ts'
import { tempFolder } from '../../world/temp-folder.ts'

/** The administrator's file as a Flatpak sees it. */
const HOST = '/run/host/etc/slipway/policy.json'

let dir = ''
beforeEach(() => {
  dir = tempFolder()
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const system = (changes: Partial<PolicySystem> = {}): PolicySystem => ({
  platform: 'linux',
  env: { SLIPWAY_POLICY: join(dir, 'policy.json') },
  home: '/home/ada',
  uid: process.getuid?.() ?? null,
  // Hide the policy file that this machine may have.
  lstat: (path) => {
    if (!path.startsWith(dir)) throw Object.assign(new Error(path), { code: 'ENOENT' })
    return lstatSync(path)
  },
  read: (path) => readFileSync(path, 'utf8'),
  ...changes,
})
function policy(content: unknown, changes: Partial<PolicySystem> = {}): ReturnType<typeof readPolicy> {
  writeFileSync(join(dir, 'policy.json'), typeof content === 'string' ? content : JSON.stringify(content), {
    mode: 0o644,
  })
  return readPolicy(system(changes))
}

describe('a policy that changes while Slipway runs', () => {
  it('applies within a second, and is the same object until it changes', () => {
    let now = 0
    let reads = 0
    const read = (path: string): string => {
      reads++
      return readFileSync(path, 'utf8')
    }
    policy({})
    const current = createPolicyReader(() => now, system({ read }))
    const none = current()
    expect(none).toEqual(NO_POLICY)
    policy({ forbiddenFolders: ['/srv/private'] })
    for (let i = 0; i < 100; i++) current()
    expect(reads).toBe(1)
    now += 1000
    const forbidding = current()
    expect(forbidding.forbidden).toEqual(['/srv/private'])
    now += 1000
    expect(current()).toBe(forbidding)
    policy('{')
    now += 1000
    expect(current().fault?.title).toContain("isn't JSON")
    policy({})
    now += 1000
    expect(current()).toEqual(NO_POLICY)
  })
})

describe('a policy file', () => {
  it('is where only administrators write', () => {
    expect(policyFiles({ platform: 'linux', env: {} })).toEqual(['/etc/slipway/policy.json', HOST])
    expect(policyFiles({ platform: 'darwin', env: {} })).toEqual([
      '/Library/Application Support/Slipway/policy.json',
    ])
    // A 32-bit program, such as the starter of the portable version, has the folder for 32-bit programs in
    // ProgramFiles.
    const env = { ProgramFiles: 'D:\\Programs (x86)', ProgramW6432: 'D:\\Programs' }
    expect(policyFiles({ platform: 'win32', env })).toEqual(['D:\\Programs\\Slipway\\policy.json'])
    expect(policyFiles({ platform: 'win32', env: { ProgramFiles: 'D:\\Programs' } })).toEqual([
      'D:\\Programs\\Slipway\\policy.json',
    ])
    expect(policyFiles({ platform: 'win32', env: {} })).toEqual(['C:\\Program Files\\Slipway\\policy.json'])
  })

  describe('of the host, seen from a Flatpak', () => {
    // The sandbox has an /etc of its own, and maps no user but the one that runs it: the host's root becomes
    // nobody.
    const NOBODY = 65_534
    const sandboxed = (content: object, uid = NOBODY, mode = 0o644): ReturnType<typeof readPolicy> =>
      readPolicy(
        system({
          env: {},
          uid: 1000,
          lstat: (path) => {
            if (path !== HOST && path !== dirname(HOST))
              throw Object.assign(new Error(path), { code: 'ENOENT' })
            return { isFile: () => path === HOST, mode, uid }
          },
          read: () => JSON.stringify(content),
        }),
      )

    it('applies, whatever the environment says', () => {
      expect(sandboxed({ address: 'files.example.com', updates: false })).toEqual({
        address: 'https://files.example.com/api/v1',
        links: [],
        forbidden: [],
        updates: false,
        fault: null,
      })
    })

    it('is not trusted if others can write it', () => {
      expect(sandboxed({}, NOBODY, 0o666).fault?.title).toContain(`other users can write to ${HOST}`)
      expect(sandboxed({}, 4711).fault?.title).toContain('another user')
    })
  })

  it('of nobody is trusted nowhere else', () => {
    const owned = system({
      lstat: () => ({ isFile: () => true, mode: 0o644, uid: 65_534 }),
      read: () => '{}',
      env: {},
      uid: 1000,
    })
    expect(readPolicy(owned).fault?.title).toContain('/etc/slipway/policy.json belongs to another user')
  })

  it('is not one in %ProgramData%, where every user of Windows can create folders', () => {
    const planted = 'C:\\ProgramData\\Slipway\\policy.json'
    const found = readPolicy({
      platform: 'win32',
      env: { ProgramData: 'C:\\ProgramData', ProgramFiles: 'C:\\Program Files' },
      home: 'C:\\Users\\Ada',
      uid: null,
      lstat: (path) => {
        if (path !== planted) throw Object.assign(new Error(path), { code: 'ENOENT' })
        return { isFile: () => true, mode: 0o666, uid: 0 }
      },
      read: () => '{"address": "https://other.example"}',
    })
    expect(found).toEqual(NO_POLICY)
  })

  it('fixes nothing where there is none', () => {
    expect(readPolicy(system({ env: {} }))).toEqual(NO_POLICY)
    expect(policy({})).toEqual(NO_POLICY)
  })

  it('fixes the address, folders and updates', () => {
    expect(
      policy({
        address: 'files.example.com/',
        forbiddenFolders: ['/srv/private/../secret', '~/Private', '~'],
        updates: false,
      }),
    ).toEqual({
      address: 'https://files.example.com/api/v1',
      links: [],
      forbidden: ['/srv/secret', '/home/ada/Private', '/home/ada'],
      updates: false,
      fault: null,
    })
  })

  it('may begin with a byte order mark, as editors on Windows write it', () => {
    expect(policy('\ufeff{"updates": false}')).toMatchObject({ updates: false, fault: null })
  })

  it.each<[string, unknown, string]>([
    ['no JSON', '{', "it isn't JSON."],
    ['a list', [], 'expected object'],
    ['a misspelled name', { adress: 'files.example.com' }, 'adress'],
    ['a wrong type', { updates: 'no' }, 'updates'],
    ['no address', { address: 'ftp://files.example.com' }, 'address: '],
    ['an address without encryption', { address: 'http://files.example.com' }, 'plain http'],
    ['a relative folder', { forbiddenFolders: ['srv'] }, 'srv is not an absolute path'],
  ])('with %s forbids everything and says why and what to do', (_what, content, why) => {
    const { fault, updates } = policy(content)
    expect(updates).toBe(false)
    expect(fault?.title).toContain(join(dir, 'policy.json'))
    expect(fault?.title).toContain(why)
    expect(fault?.title).toContain('Nothing is uploaded until it is fixed')
    expect(fault?.hint).toContain('administrator')
  })

  it('that was asked for and is not there, or cannot be read, forbids everything', () => {
    expect(readPolicy(system()).fault?.title).toContain("doesn't exist")
    const denied = (): never => {
      throw Object.assign(new Error('x'), { code: 'EACCES' })
    }
    expect(policy({}, { env: {}, lstat: denied }).fault?.title).toContain("can't be read (EACCES)")
  })

  it('is added to the administrator’s: it can forbid more, but not lift anything', () => {
    const both = (own: unknown, further: unknown): ReturnType<typeof readPolicy> =>
      policy(further, {
        lstat: (path) => {
          if (path === HOST) throw Object.assign(new Error(path), { code: 'ENOENT' })
          return { isFile: () => path.endsWith('.json'), mode: 0o644, uid: 0 }
        },
        read: (path) => JSON.stringify(path.startsWith(dir) ? further : own),
      })
    expect(
      both({ forbiddenFolders: ['/a'], updates: false }, { forbiddenFolders: ['/b'], updates: true }),
    ).toMatchObject({
      links: [],
      forbidden: ['/a', '/b'],
      updates: false,
    })
    expect(both({ address: 'a.example' }, { address: 'https://a.example' }).fault).toBeNull()
    expect(both({ address: 'a.example' }, { address: 'b.example' })).toMatchObject({
      address: 'https://a.example/api/v1',
    })
    expect(both({ address: 'a.example' }, { address: 'b.example' }).fault?.title).toContain('differs from')
  })
})

describe.runIf(process.platform !== 'win32')('a policy file that others could have written', () => {
  it.each([0o666, 0o664, 0o646])('with mode %o is not trusted', (mode) => {
    policy({})
    chmodSync(join(dir, 'policy.json'), mode)
    expect(readPolicy(system()).fault?.title).toContain(
      `other users can write to ${join(dir, 'policy.json')}`,
    )
  })

  it('in a folder of theirs, of another user, or behind a link is not trusted', () => {
    policy({})
    chmodSync(dir, 0o777)
    expect(readPolicy(system()).fault?.title).toContain(`other users can write to ${dir} (mode 0777)`)
    chmodSync(dir, 0o700)
    expect(
      readPolicy(system({ lstat: () => ({ isFile: () => true, mode: 0o644, uid: 4711 }) })).fault?.title,
    ).toContain('another user')
    mkdirSync(join(dir, 'below'))
    symlinkSync(join(dir, 'policy.json'), join(dir, 'below/link.json'))
    expect(
      readPolicy(system({ env: { SLIPWAY_POLICY: join(dir, 'below/link.json') } })).fault?.title,
    ).toContain("isn't a regular file")
  })
})

describe('the fixed address', () => {
  const fixed = { ...NO_POLICY, address: 'https://files.example.com/api/v1' }
  const NONE = { apiKey: null, baseUrl: null }

  it('is used where none is set, and never replaces that of a known account', () => {
    expect(withPolicyAddress(DEFAULT_SETTINGS, fixed).baseUrl).toBe(fixed.address)
    expect(withPolicyAddress({ baseUrl: 'https://a.example/api/v1' }, fixed).baseUrl).toBe(
      'https://a.example/api/v1',
    )
  })

  it.each<[string, Parameters<typeof addressOf>]>([
    ['typed', [{ url: 'https://a.example', allowHttp: false }, NONE, DEFAULT_SETTINGS, fixed]],
    ['of the environment', [null, { apiKey: null, baseUrl: 'https://a.example' }, DEFAULT_SETTINGS, fixed]],
    ['of the settings', [null, NONE, { ...DEFAULT_SETTINGS, baseUrl: 'https://a.example/api/v1' }, fixed]],
  ])('refuses another one, %s', (_where, asked) => {
    expect(addressOf(...asked)).toMatchObject({
      failure: { title: expect.stringContaining('https://files.example.com') },
    })
  })

  it('is accepted however it is typed', () => {
    expect(
      addressOf({ url: 'files.example.com/', allowHttp: false }, NONE, DEFAULT_SETTINGS, fixed),
    ).toMatchObject({ ok: true })
    expect(addressFault(NO_POLICY, 'https://a.example/api/v1')).toBeNull()
  })

  it('holds for every client that is made, which then sends nothing', async () => {
    vi.stubEnv('SLIPWAY_POLICY', join(dir, 'policy.json'))
    writeFileSync(join(dir, 'policy.json'), JSON.stringify({ address: 'https://files.example.com' }), {
      mode: 0o644,
    })
    const api = apiFactory({ http: null, https: null, noProxy: null })(
      'http://127.0.0.1:1/api/v1',
      () => 'sk-a-key',
    )
    for (const got of [await api.stats(), await api.download('http://127.0.0.1:1/x', () => undefined)])
      expect(got).toMatchObject({
        failure: { kind: 'connect', phase: 'unsent', message: expect.stringContaining('files.example.com') },
      })
  })
})
