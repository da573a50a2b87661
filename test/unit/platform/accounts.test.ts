// The list of accounts: written as a whole, rebuilt from the folders if it is damaged, changed by several
// processes at once without loss. In real folders; no service is involved.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src-main/engine/journal/database.ts'
import { createAccountDesk } from '../../../src-main/platform/account/account-finder.ts'
import {
  type Accounts,
  addAccount,
  changeAccounts,
  changeEntry,
  readAccounts,
  takeOver,
  withAddress,
} from '../../../src-main/platform/account/accounts.ts'
import { accountMark } from '../../../src-main/platform/account/key-and-address.ts'
import { journalFiles } from '../../../src-main/platform/data/journal-files.ts'
import { dataPaths, ownDirs } from '../../../src-main/platform/data/paths.ts'
import { DEFAULT_SETTINGS, writeSettings } from '../../../src-main/platform/data/settings.ts'
import { tempFolder } from '../../world/temp-folder.ts'

const NOW = Date.UTC(2026, 10, 20)
const ONE = 'https://one.example/api/v1'
const EMPTY: Accounts = { current: null, accounts: [] }
const mark = (key: string): string => accountMark(ONE, key)

function folder(): string {
  const root = tempFolder()
  return root
}

it('writes nothing that it would not read again', async () => {
  const root = folder()
  const add = (accounts: Accounts, baseUrl: string, name: string | null): Accounts =>
    addAccount(accounts, { mark: accountMark(baseUrl, 'k'), baseUrl, name }).accounts
  await changeAccounts(
    root,
    () => NOW,
    (accounts) => add(accounts, ONE, null),
  )
  const before = readFileSync(join(root, 'accounts.json'), 'utf8')
  for (const [baseUrl, name] of [
    [`https://${'x'.repeat(301)}/api/v1`, null],
    [`https://two.example/${'p'.repeat(4096)}/api/v1`, 'two'],
  ] as const)
    await expect(
      changeAccounts(
        root,
        () => NOW,
        (accounts) => add(accounts, baseUrl, name),
      ),
    ).rejects.toThrow()
  expect(readFileSync(join(root, 'accounts.json'), 'utf8')).toBe(before)
  const settings = join(root, 'settings.json')
  expect(() =>
    writeSettings(settings, { ...DEFAULT_SETTINGS, baseUrl: `https://${'x'.repeat(4096)}` }),
  ).toThrow()
  expect(existsSync(settings)).toBe(false)
})

const none = { ok: true, secret: null, existed: false } as const
const fakeKeychain = {
  get: () => Promise.resolve(none),
  set: () => Promise.resolve(none),
  remove: () => Promise.resolve(none),
}

const add = (accounts: Accounts, key: string, baseUrl = ONE, name: string | null = null): Accounts =>
  addAccount(accounts, { mark: mark(key), baseUrl, name }).accounts

async function stored(root: string, ...keys: readonly string[]): Promise<Accounts> {
  return changeAccounts(
    root,
    () => NOW,
    (accounts) => keys.reduce((all, key) => add(all, key), accounts),
  )
}

describe('an account', () => {
  it('is named after its host, has a folder unless it is the first, and a place of its own in the keychain', () => {
    const all = add(add(add(EMPTY, 'a'), 'b'), 'c', 'https://two.example:81/api/v1', 'Work')
    expect(all.current).toBe(mark('a'))
    expect(all.accounts.map(({ name, folder: at, keychain }) => [name, at, keychain])).toEqual([
      ['one.example', '', 'one.example'],
      ['one.example-2', mark('b').slice(0, 12), 'one.example#one.example-2'],
      ['Work', mark('c').slice(0, 12), 'two.example:81'],
    ])
  })

  it('that is taken over stays where it is, and its old key is new again', () => {
    const all = takeOver(add(add(EMPTY, 'a'), 'b'), mark('a'), {
      mark: mark('new'),
      baseUrl: ONE,
      name: null,
    })
    expect([all.current, all.accounts[0]]).toEqual([
      mark('new'),
      { ...all.accounts[0], folder: '', marks: [mark('new')], name: 'one.example' },
    ])
    const moved = takeOver(all, mark('new'), {
      mark: mark('x'),
      baseUrl: 'https://x.example/api/v1',
      name: null,
    })
    expect(moved.accounts[0]).toMatchObject({
      name: 'x.example',
      keychain: 'x.example',
      baseUrl: 'https://x.example/api/v1',
    })
  })

  it('shares neither its folder nor its key with one that was taken over or renamed', () => {
    const taken = takeOver(add(add(EMPTY, 'a'), 'b'), mark('b'), {
      mark: mark('new'),
      baseUrl: ONE,
      name: null,
    })
    const again = add(taken, 'b')
    expect(again.accounts.map((one) => one.id)).toEqual([mark('a'), mark('new'), mark('b')])
    const renamed = changeEntry(again, mark('new'), (one) => ({ ...one, name: 'Work' }))
    const all = add(renamed, 'c')
    expect(new Set(all.accounts.map((one) => one.folder)).size).toBe(4)
    expect(new Set(all.accounts.map((one) => one.keychain)).size).toBe(4)
    const old = {
      id: 'm',
      name: 'Work',
      baseUrl: null,
      keychain: 'default',
      marks: ['m'],
      folder: 'abcdefabcdef' as const,
    }
    const both = withAddress(
      { ...all, accounts: [...all.accounts, { ...old, name: 'one.example-2' }] },
      'm',
      ONE,
    )
    expect(new Set(both.accounts.map((one) => one.keychain)).size).toBe(5)
  })

  it('of an earlier version takes its name once its address is known', () => {
    const old = {
      current: 'm',
      accounts: [
        { id: 'm', name: 'default', baseUrl: null, keychain: 'default', marks: ['m'], folder: '' as const },
      ],
    }
    expect(withAddress(old, 'm', ONE).accounts[0]).toMatchObject({
      name: 'one.example',
      keychain: 'one.example',
      baseUrl: ONE,
    })
  })

  it('is never published: its folder is one of our own', () => {
    const paths = dataPaths('/data', {}, 'abcdefabcdef')
    expect([paths.dir, paths.settings]).toEqual(['/data/accounts/abcdefabcdef', '/data/settings.json'])
    expect(ownDirs(paths)).toEqual(expect.arrayContaining(['/data']))
  })
})

describe('the list', () => {
  it('is private, and read as it was written', async () => {
    const root = folder()
    expect(readAccounts(root, NOW)).toEqual({ accounts: EMPTY, isStored: false, message: null })
    const all = await stored(root, 'a', 'b')
    expect(readAccounts(root, NOW)).toEqual({ accounts: all, isStored: true, message: null })
    if (process.platform !== 'win32') expect(statSync(join(root, 'accounts.json')).mode & 0o077).toBe(0)
    expect(existsSync(join(root, 'accounts', mark('b').slice(0, 12), 'account.json'))).toBe(true)
  })

  it.each([
    '',
    '{"current":',
    '[]',
    'null',
    '{"current":null,"accounts":[{"id":"a"}]}',
    // Two accounts in one folder would share a journal.
    JSON.stringify({
      current: null,
      accounts: ['a', 'b'].map((id) => ({
        id,
        name: id,
        baseUrl: null,
        keychain: id,
        marks: [],
        folder: '',
      })),
    }),
    JSON.stringify({
      current: null,
      accounts: [{ id: 'a', name: 'a', baseUrl: null, keychain: 'a', marks: [], folder: '../../elsewhere' }],
    }),
  ])('is set aside and rebuilt where it is damaged: %s', async (text) => {
    const root = folder()
    const all = await stored(root, 'a', 'b')
    writeFileSync(join(root, 'accounts.json'), text)
    const read = readAccounts(root, NOW)
    expect(read.accounts).toEqual(all)
    expect(read.message).toContain('set aside')
    const aside = readdirSync(root).find((name) => name.startsWith('accounts.json.broken-')) ?? ''
    expect(readFileSync(join(root, aside), 'utf8')).toBe(text)
    expect(readAccounts(root, NOW)).toEqual({ accounts: all, isStored: true, message: null })
  })

  it('finds the account of an earlier version in its journal, and its address in the settings', () => {
    const root = folder()
    const { journal, settings } = dataPaths(root, {})
    const { db } = openDatabase({
      file: journal,
      files: { ...journalFiles, rename: () => undefined },
      seal: null,
      now: NOW,
    })
    db.run("INSERT INTO meta (key, value) VALUES ('account', 'old-mark')")
    db.close()
    expect(readAccounts(root, NOW).accounts.accounts).toMatchObject([
      { id: 'old-mark', name: 'default', baseUrl: null, folder: '' },
    ])
    writeSettings(settings, { ...DEFAULT_SETTINGS, baseUrl: ONE })
    expect(readAccounts(root, NOW)).toMatchObject({
      accounts: {
        current: 'old-mark',
        accounts: [
          { id: 'old-mark', marks: ['old-mark'], name: 'one.example', keychain: 'one.example', baseUrl: ONE },
        ],
      },
      isStored: false,
    })
  })

  it('stays readable however often the key of an account is replaced', async () => {
    const root = folder()
    const [first] = (await stored(root, 'a')).accounts
    if (first === undefined) throw new Error('nothing was stored')
    const marks = Array.from({ length: 1000 }, (_, n) => (n === 0 ? first.id : mark(`key-${n}`)))
    await changeAccounts(
      root,
      () => NOW,
      (accounts) => changeEntry(accounts, first.id, (one) => ({ ...one, name: 'Work', marks })),
    )
    const desk = createAccountDesk({
      root: dataPaths(root, {}),
      environment: () => ({ apiKey: null, baseUrl: null }),
      processEnv: {},
      settings: () => DEFAULT_SETTINGS,
      keychain: fakeKeychain,
      createApi: () => {
        throw new Error('nothing is sent')
      },
      now: () => NOW,
    })
    await desk.register({ baseUrl: ONE, key: 'new' }, { kind: 'known', entry: first }, null)
    const { accounts, message } = readAccounts(root, NOW)
    expect([message, accounts.accounts[0]?.name]).toEqual([null, 'Work'])
    expect(accounts.accounts[0]?.marks).toEqual([first.id, ...marks.slice(2), mark('new')])
  })

  it('loses no account where several are added at once', async () => {
    const root = folder()
    const keys = Array.from({ length: 12 }, (_, i) => `key-${i}`)
    await Promise.all(keys.map((key) => stored(root, key)))
    expect(
      readAccounts(root, NOW)
        .accounts.accounts.map((one) => one.id)
        .toSorted(),
    ).toEqual(keys.map(mark).toSorted())
  })
})
