// Renaming and removing accounts, in real folders with a fake keychain: what is deleted, what remains, and
// that a later account inherits nothing from a removed one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { KeychainFailure } from '../../../src-main/engine/ports.ts'
import {
  isAccountName,
  removeAccount,
  renameAccount,
} from '../../../src-main/platform/account/account-changes.ts'
import {
  type Accounts,
  addAccount,
  changeAccounts,
  readAccounts,
} from '../../../src-main/platform/account/accounts.ts'
import { accountMark } from '../../../src-main/platform/account/key-and-address.ts'
import { dataPaths } from '../../../src-main/platform/data/paths.ts'
import { acquireOwner } from '../../../src-main/platform/host/owner-lock.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const NOW = Date.UTC(2026, 10, 20)
const ONE = 'https://one.example/api/v1'
const failing = (code: KeychainFailure['code']) =>
  ({ ok: false, failure: { code, message: `The keychain: ${code}.` } }) as const

async function room(
  given: { readonly get?: KeychainFailure['code']; readonly remove?: KeychainFailure['code'] } = {},
) {
  const root = tempFolder()
  const ids = ['a', 'b'].map((key) => accountMark(ONE, key))
  const kept = await changeAccounts(
    root,
    () => NOW,
    (accounts) =>
      ids.reduce(
        (all: Accounts, mark) => addAccount(all, { mark, baseUrl: ONE, name: null }).accounts,
        accounts,
      ),
  )
  const secrets = new Map(kept.accounts.map((one) => [one.keychain, `key of ${one.name}`]))
  const parts: Parameters<typeof removeAccount>[0] = {
    root,
    now: () => NOW,
    keychain: {
      get: async (name) =>
        given.get === undefined ? { ok: true, secret: secrets.get(name) ?? null } : failing(given.get),
      remove: async (name) =>
        given.remove === undefined ? { ok: true, existed: secrets.delete(name) } : failing(given.remove),
    },
  }
  const [first = '', second = ''] = ids
  const dirs = kept.accounts.map((one) => dataPaths(root, {}, one.folder).dir)
  for (const dir of dirs) {
    mkdirSync(join(dir, 'pasted'), { recursive: true })
    const journal = ['journal.db', 'journal.db-wal', 'journal.db-stamp']
    for (const name of [
      ...journal,
      'slipway.log',
      'slipway.log.1',
      'drops.json',
      'deletes.json',
      'pasted/a.png',
    ])
      writeFileSync(join(dir, name), 'x')
  }
  writeFileSync(join(root, 'settings.json'), '{}')
  const list = () => readAccounts(root, NOW).accounts
  return { root, parts, first, second, dirs, secrets, list }
}

/**
 * Opens the file in another process, exclusively on Windows (libuv's flag), until that process ends by
 * itself. Resolves once it is open.
 */
async function holdForAMoment(file: string): Promise<{ readonly ended: Promise<unknown> }> {
  const flags = process.platform === 'win32' ? 0x10000000 : 0
  const code = `require('fs').openSync(${JSON.stringify(file)}, ${flags}); console.log('open'); setTimeout(() => {}, 300)`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  return { ended }
}

describe('a name', () => {
  it.each(['work', 'Büro 2', '2nd', 'a.b_c-d', 'x'.repeat(64)])('may be %j', (name) => {
    expect(isAccountName(name)).toBe(true)
  })
  it.each(['', ' work', 'work ', '-work', 'a/b', 'a\nb', 'a\u202eb', 'x'.repeat(65)])(
    'may not be %j',
    (name) => {
      expect(isAccountName(name)).toBe(false)
    },
  )

  it('is changed, and nothing else of the account', async () => {
    const { parts, first, list } = await room()
    const before = list()
    expect(await renameAccount(parts, first, 'Work files')).toMatchObject({ value: { name: 'Work files' } })
    expect(list()).toEqual({
      ...before,
      accounts: [{ ...before.accounts[0], name: 'Work files' }, before.accounts[1]],
    })
    // The account's own name in another letter case isn't a conflict, because no other account has it.
    expect(await renameAccount(parts, first, 'work files')).toMatchObject({ ok: true })
  })

  it('that another account has, or that is none, changes nothing', async () => {
    const { parts, first, list } = await room()
    const before = list()
    expect(await renameAccount(parts, first, 'ONE.example-2')).toMatchObject({ failure: { code: 'usage' } })
    expect(await renameAccount(parts, first, '../x')).toMatchObject({ failure: { code: 'usage' } })
    expect(await renameAccount(parts, 'gone', 'free')).toMatchObject({ failure: { code: 'not-found' } })
    expect(list()).toEqual(before)
  })
})

describe('an account that is removed', () => {
  it('leaves the data folder as if it had never been there, and the others as they were', async () => {
    const { root, parts, first, second, dirs, secrets, list } = await room()
    expect(await removeAccount(parts, first)).toEqual({ ok: true, value: undefined })
    expect(list().accounts.map((one) => one.id)).toEqual([second])
    expect(list().current).toBe(second)
    expect([...secrets.values()]).toEqual(['key of one.example-2'])
    expect(readdirSync(root).toSorted()).toEqual([
      'accounts',
      'accounts.json',
      'accounts.lock',
      'owner.db',
      'settings.json',
    ])
    expect(readFileSync(join(dirs[1] ?? '', 'journal.db'), 'utf8')).toBe('x')
    // A damaged list is rebuilt without the removed account.
    writeFileSync(join(root, 'accounts.json'), 'broken')
    expect(list().accounts.map((one) => one.id)).toEqual([second])
    // The next account gets the folder that is free now.
    const third = accountMark(ONE, 'c')
    const kept = await changeAccounts(
      root,
      () => NOW,
      (accounts) => addAccount(accounts, { mark: third, baseUrl: ONE, name: null }).accounts,
    )
    expect(kept.accounts.find((one) => one.id === third)).toMatchObject({ folder: '' })
  })

  it('with a folder of its own takes that along', async () => {
    const { parts, first, second, dirs, list } = await room()
    expect(await removeAccount(parts, second)).toMatchObject({ ok: true })
    expect(existsSync(dirs[1] ?? '')).toBe(false)
    expect([list().current, existsSync(join(dirs[0] ?? '', 'journal.db'))]).toEqual([first, true])
  })

  it('goes although another program has one of its files open for a moment, which keeps Windows from deleting it', async () => {
    const { parts, first, second, dirs, list } = await room()
    const holders = await Promise.all(dirs.map((dir) => holdForAMoment(join(dir, 'pasted', 'a.png'))))
    for (const id of [first, second])
      expect(await removeAccount(parts, id)).toEqual({ ok: true, value: undefined })
    expect(list().accounts).toEqual([])
    expect(dirs.map((dir) => existsSync(join(dir, 'pasted')))).toEqual([false, false])
    await Promise.all(holders.map(({ ended }) => ended))
  })

  it('stays while an engine of another process works with it', async () => {
    const { root, parts, first, dirs, secrets, list } = await room()
    const owner = acquireOwner(dataPaths(root, {}).owner)
    expect(owner.ok).toBe(true)
    expect(await removeAccount(parts, first)).toMatchObject({ failure: { code: 'usage' } })
    expect([list().accounts.length, secrets.size, existsSync(join(dirs[0] ?? '', 'journal.db'))]).toEqual([
      2,
      2,
      true,
    ])
    if (owner.ok) owner.release()
  })

  it.each<[string, Parameters<typeof room>[0]]>([
    ['can’t be read because the keychain is locked', { get: 'locked' }],
    ['can’t be read in time', { get: 'timeout' }],
    ['can’t be read for another reason', { get: 'other' }],
    ['can’t be deleted', { remove: 'locked' }],
    ['can’t be deleted because the keychain has ended', { remove: 'missing' }],
  ])('stays with all that is its own where its key %s', async (_name, given) => {
    const { parts, first, dirs, secrets, list } = await room(given)
    const before = list()
    expect(await removeAccount(parts, first)).toMatchObject({
      failure: {
        code: 'keychain',
        title: expect.stringContaining('the key of one.example'),
        hint: expect.stringMatching(/keychain.*, then remove the account again\.$/),
      },
    })
    expect([list(), secrets.size, existsSync(join(dirs[0] ?? '', 'journal.db'))]).toEqual([before, 2, true])
  })

  it('goes where there is no keychain, which never held its key', async () => {
    const away = await room({ get: 'missing', remove: 'missing' })
    expect(await removeAccount(away.parts, away.first)).toMatchObject({ ok: true })
    expect(await removeAccount(away.parts, away.second)).toMatchObject({ ok: true })
    expect(away.list()).toMatchObject({ current: null, accounts: [] })
    expect(await removeAccount(away.parts, away.second)).toMatchObject({ failure: { code: 'not-found' } })
  })
})
