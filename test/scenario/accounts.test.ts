// Several accounts, used by the command line as a process. Nothing of one account is ever printed, counted or
// used for another, a renewed key keeps everything, and the list of accounts survives damage. SLIPWAY_API_KEY
// selects the account, as on machines without a keychain.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createService, type Service } from '../service/service.ts'
import { createPlace, type Ended, filesBelow, type Place, type StartOptions } from './cli-process.ts'
import { createFront, type Front } from './front.ts'

/** An account as passed to a command. */
interface Login {
  readonly url: string
  readonly key: string
}

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

function place(): Place {
  const made = createPlace()
  ends.push(() => made.remove())
  return made
}

async function service(options: Parameters<typeof createService>[0] = {}): Promise<Service> {
  const made = await createService({ plan: 'enterprise', ...options })
  ends.push(() => made.close())
  return made
}

async function front(): Promise<Front> {
  const made = await createFront()
  ends.push(() => made.close())
  return made
}

function runIn(at: Place): (login: Login | null, ...args: readonly string[]) => Promise<Ended> {
  return (login, ...args) => at.run(args, optionsOf(login))
}

function optionsOf(login: Login | null): StartOptions {
  return login === null
    ? { url: '', env: { SLIPWAY_API_KEY: undefined, SLIPWAY_BASE_URL: undefined } }
    : { url: login.url, env: { SLIPWAY_API_KEY: login.key } }
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')
const json = (ended: Ended): Record<string, unknown> => JSON.parse(ended.out) as Record<string, unknown>
const linksOf = (one: Service): string[] => one.ledger.live().map((file) => file.filename)

interface Listed {
  readonly name: string
  readonly base_url: string
  readonly current: boolean
  readonly uploaded: number
  readonly waiting: number
  readonly folders: readonly string[]
}

async function listed(
  at: Place,
  login: Login | null,
  ...args: readonly string[]
): Promise<readonly Listed[]> {
  const ended = await runIn(at)(login, 'accounts', '--json', ...args)
  expect(ended.code).toBe(0)
  return json(ended)['accounts'] as readonly Listed[]
}

/** Two services behind one address, each with a key of its own. */
async function twoKeys() {
  const shared = await front()
  const [a, b] = [await service(), await service()]
  shared.admit('key-a', a)
  shared.admit('key-b', b)
  return { shared, a, b, asA: { url: shared.url, key: 'key-a' }, asB: { url: shared.url, key: 'key-b' } }
}

describe('another service', () => {
  it('learns nothing about the first: upload, watch, audit, link, ls and info', async () => {
    const [a, b] = [await service(), await service()]
    const at = place()
    const run = runIn(at)
    const [one, two] = [at.write('one.txt', 'first file'), at.write('two.txt', 'second file')]
    const first = await run(a, 'upload', one)
    expect([first.code, (await run(a, 'watch', at.folder, '--once')).code]).toEqual([0, 0])
    expect(linksOf(a).toSorted()).toEqual(['one.txt', 'two.txt'])

    // Before anything is sent to B, no file is known there.
    const link = await run(b, 'link', one)
    expect([link.code, link.out]).toEqual([7, ''])
    expect((await run(b, 'info', one)).out).not.toContain(lines(first.out)[0])
    expect(json(await run(b, 'audit', at.folder, '--json'))).toMatchObject({ uploaded: 0, waiting: 0 })
    expect(lines((await run(b, 'ls', '--json')).out).join('')).not.toContain('one.txt')

    const uploaded = await run(b, 'upload', one)
    expect([uploaded.code, lines(uploaded.out).length]).toEqual([0, 1])
    expect(uploaded.out).not.toBe(first.out)
    expect((await run(b, 'watch', at.folder, '--once')).code).toBe(0)
    expect(linksOf(b).toSorted()).toEqual(['one.txt', 'two.txt'])
    expect(json(await run(b, 'audit', at.folder, '--json'))).toMatchObject({ uploaded: 2 })

    // The first account recognizes its own files and uploads nothing.
    const links = await run(a, 'link', one, two)
    expect(lines(links.out)[0]).toBe(lines(first.out)[0])
    expect((await run(a, 'upload', one)).out).toBe(first.out)
    expect(a.ledger.files().length).toBe(2)
    expect(b.ledger.files().length).toBe(2)
  })

  it('is a new account even at the same address', async () => {
    const at = place()
    const run = runIn(at)
    const { shared, a, b, asA, asB } = await twoKeys()
    const file = at.write('one.txt', 'first file')
    const first = await run(asA, 'upload', file)
    const second = await run(asB, 'upload', file)
    expect([first.code, second.code]).toEqual([0, 0])
    expect(first.out).not.toBe(second.out)
    const all = await listed(at, asB)
    const { host } = new URL(shared.url)
    expect(all.map(({ name, current, uploaded }) => ({ name, current, uploaded }))).toEqual([
      { name: host, current: false, uploaded: 1 },
      { name: `${host}-2`, current: true, uploaded: 1 },
    ])
    // Both accounts' files have the same ID on their services, so an ID proves nothing.
    expect([a.ledger.files()[0]?.fileId, a.ledger.files().length, b.ledger.files().length]).toEqual([
      b.ledger.files()[0]?.fileId,
      1,
      1,
    ])
  })

  it('is a new account even if the first has sent nothing yet, and gets none of the files that wait there', async () => {
    const at = place()
    const run = runIn(at)
    const { a, b, asA, asB } = await twoKeys()
    expect((await run(asA, 'stats')).code).toBe(0)
    await run(asA, 'pause')
    expect((await run(asA, 'upload', at.write('one.txt', 'first file'), '--max-wait', '0')).code).toBe(5)
    await run(asB, 'resume')
    expect((await run(asB, 'upload', at.write('two.txt', 'second file'))).code).toBe(0)
    expect([linksOf(a), linksOf(b)]).toEqual([[], ['two.txt']])
    await run(asA, 'resume')
    expect((await run(asA, 'upload', at.write('three.txt', 'third file'))).code).toBe(0)
    expect([linksOf(a).toSorted(), linksOf(b)]).toEqual([['one.txt', 'three.txt'], ['two.txt']])
  })
})

describe('another key of the same account', () => {
  it('keeps everything, sends nothing twice, and is looked up once', async () => {
    const at = place()
    const run = runIn(at)
    const shared = await front()
    const a = await service()
    shared.admit('old-key', a)
    const [one, two] = [at.write('one.txt', 'first file'), at.write('two.txt', 'second file')]
    const first = await run({ url: shared.url, key: 'old-key' }, 'upload', one, two)
    shared.admit('old-key', null)
    shared.admit('new-key', a)
    const renewed = { url: shared.url, key: 'new-key' }
    expect((await run(renewed, 'link', one, two)).out).toBe(first.out)
    // One request asks whose key it is, and one for each of the two links whether its file is still there.
    expect(shared.asked.get('new-key')?.length).toBe(3)
    await run(renewed, 'status')
    expect(shared.asked.get('new-key')?.length).toBe(3)
    expect((await run(renewed, 'upload', one, two)).out).toBe(first.out)
    expect((await run(renewed, 'watch', at.folder, '--once')).code).toBe(0)
    expect(a.ledger.files().length).toBe(2)
    expect(await listed(at, renewed)).toMatchObject([{ uploaded: 2, current: true }])
  })

  it('is the same account if nothing was sent yet, and a mistyped key and address leave nothing behind', async () => {
    const at = place()
    const run = runIn(at)
    const shared = await front()
    const a = await service()
    shared.admit('good-key', a)
    expect((await run({ url: 'http://127.0.0.1:1', key: 'good-key' }, 'status')).code).toBe(0)
    expect((await run({ url: shared.url, key: 'mistyped' }, 'status')).code).toBe(0)
    const good = { url: shared.url, key: 'good-key' }
    expect((await run(good, 'upload', at.write('one.txt', 'x'))).code).toBe(0)
    expect(await listed(at, good)).toMatchObject([{ name: new URL(shared.url).host, uploaded: 1 }])
    expect(existsSync(join(at.data, 'accounts'))).toBe(false)
  })

  it('can’t be recognized without a connection, or if the key is refused', async () => {
    const at = place()
    const run = runIn(at)
    const a = await service()
    const file = at.write('one.txt', 'x')
    const first = await run(a, 'upload', file)
    const refused = await run({ url: a.url, key: 'wrong' }, 'link', file)
    expect([refused.code, refused.out]).toEqual([3, ''])
    const nobody = { url: 'http://127.0.0.1:1', key: a.key }
    const offline = await run(nobody, 'link', file)
    expect([offline.code, offline.out]).toEqual([6, ''])
    expect(offline.err).toContain('--account')
    // The user says whose key it is.
    const [{ name } = { name: '' }] = await listed(at, null)
    expect((await run(nobody, 'link', file, '--account', name)).out).toBe(first.out)
    const upload = await run(nobody, 'upload', file, '--json')
    expect([upload.code, lines(upload.out).length, json(upload)['event']]).toEqual([6, 1, 'summary'])
  })
})

describe('the accounts', () => {
  async function two(): Promise<{
    readonly at: Place
    readonly a: Service
    readonly b: Service
    readonly names: readonly [string, string]
  }> {
    const [a, b] = [await service(), await service()]
    const at = place()
    const run = runIn(at)
    at.write('one.txt', 'first file')
    expect((await run(a, 'watch', at.folder, '--once')).code).toBe(0)
    expect((await run(b, 'upload', at.write('two.txt', 'second file'))).code).toBe(0)
    return { at, a, b, names: [new URL(a.url).host, new URL(b.url).host] }
  }

  it('can be listed, chosen by name, and made current', async () => {
    const { at, a, b, names } = await two()
    const run = runIn(at)
    expect(await listed(at, null)).toMatchObject([
      { name: names[0], base_url: a.url, current: true, uploaded: 1, waiting: 0, folders: [at.folder] },
      { name: names[1], base_url: b.url, current: false, uploaded: 1, waiting: 0, folders: [] },
    ])
    const table = lines((await run(null, 'accounts')).out)
    expect(table[0]).toMatch(/NAME +SERVICE +PLAN +UPLOADED +WAITING +KEY +FOLDERS/)
    expect(table[1]).toMatch(new RegExp(`^\\* +${names[0]} .*enterprise +1 +0 `))
    expect(table[2]).toMatch(new RegExp(`^ +${names[1]} `))
    expect(await listed(at, null, '--account', names[1])).toMatchObject([{ name: names[1] }])

    // Even without a key, local data is found by name.
    const [one, second] = [join(at.folder, 'one.txt'), join(at.folder, 'two.txt')]
    expect((await run(null, 'link', one)).code).toBe(0)
    expect((await run(null, 'link', one, '--account', names[1])).code).toBe(7)
    expect((await run(null, '--account', names[1], 'link', second)).code).toBe(0)
    expect(json(await run(null, 'status', '--json', `--account=${names[1]}`))).toMatchObject({
      account: { name: names[1], base_url: b.url },
    })
    expect((await run(b, 'status')).out).toContain(names[1])

    expect((await run(null, 'accounts', '--use', names[1])).code).toBe(0)
    expect((await listed(at, null)).map(({ current }) => current)).toEqual([false, true])
    expect((await run(null, 'link', second)).code).toBe(0)
  })

  it('are refused for an unknown name or another account’s key', async () => {
    const { at, a, b, names } = await two()
    const run = runIn(at)
    for (const args of [
      ['status'],
      ['accounts'],
      ['upload', join(at.folder, 'one.txt')],
      ['accounts', '--use', 'nobody'],
    ]) {
      const ended = await run(a, ...args, ...(args.includes('--use') ? [] : ['--account', 'nobody']))
      expect([args, ended.code]).toEqual([args, 7])
      expect(ended.err).toContain(names.join(', '))
    }
    const before = b.requests.list().length
    const foreign = await run(a, 'upload', join(at.folder, 'one.txt'), '--account', names[1])
    expect([foreign.code, foreign.out]).toEqual([3, ''])
    expect(foreign.err).toContain(names[0])
    expect([b.requests.list().length, linksOf(b)]).toEqual([before, ['two.txt']])
  })

  it('work side by side: a watch of one, and commands for the other', async () => {
    const { at, a, b } = await two()
    const run = runIn(at)
    const watching = at.start(['watch', at.folder, '--json'], { url: a.url, env: { SLIPWAY_API_KEY: a.key } })
    await watching.lines(1)
    expect(json(await run(a, 'status', '--json'))).toMatchObject({ engine: 'another-process' })
    expect(json(await run(b, 'status', '--json'))).toMatchObject({ engine: 'this-command' })
    const file = at.write('three.txt', 'third file')
    const sent = await run(b, 'upload', file)
    expect(sent.code).toBe(0)
    await watching.lines(4)
    watching.child.kill('SIGTERM')
    await watching.ended
    expect(linksOf(b).toSorted()).toEqual(['three.txt', 'two.txt'])
    expect(linksOf(a).toSorted()).toEqual(['one.txt', 'three.txt', 'two.txt'])
  })

  it('are found again if their list is damaged or lost', async () => {
    const { at, a, names } = await two()
    const run = runIn(at)
    const file = join(at.data, 'accounts.json')
    const before = await listed(at, null)
    writeFileSync(file, '{"accounts": [')
    const damaged = await run(a, 'link', join(at.folder, 'one.txt'))
    expect([damaged.code, damaged.err.includes('set aside')]).toEqual([0, true])
    expect(await listed(at, null)).toEqual(before)
    expect(readdirSync(at.data).filter((name) => name.startsWith('accounts.json.broken-')).length).toBe(1)
    rmSync(file)
    mkdirSync(file)
    const blocked = await run(a, 'link', join(at.folder, 'one.txt'))
    expect([blocked.code, blocked.err]).toEqual([2, expect.stringContaining(file)])
    rmSync(file, { recursive: true })
    expect(await listed(at, null)).toEqual(before)
    expect(before.map((one) => one.name)).toEqual(names)
  })

  it('may be none, which isn’t an error, and the key is stored in no file', async () => {
    const at = place()
    const run = runIn(at)
    expect(await listed(at, null)).toEqual([])
    expect((await run(null, 'accounts')).code).toBe(0)
    const { at: used, a } = await two()
    for (const { path, data } of filesBelow(used.data))
      expect([path, data.includes(a.key)]).toEqual([path, false])
  })
})

describe('a data folder of an earlier version', () => {
  it('keeps everything: its account becomes the first one, in the same place', async () => {
    const a = await service()
    const at = place()
    const run = runIn(at)
    const file = at.write('one.txt', 'first file')
    const first = await run(a, 'upload', file)
    for (const name of ['accounts.json', 'account.json', 'accounts.lock'])
      rmSync(join(at.data, name), { force: true })
    // An earlier version stored the address in the settings, or not at all.
    expect((await run(null, 'link', file)).out).toBe(first.out)
    expect((await run(a, 'upload', file)).out).toBe(first.out)
    expect(await listed(at, a)).toMatchObject([{ name: new URL(a.url).host, base_url: a.url, uploaded: 1 }])
    expect(a.ledger.files().length).toBe(1)
    expect(JSON.parse(readFileSync(join(at.data, 'accounts.json'), 'utf8'))).toMatchObject({
      accounts: [{ folder: '' }],
    })
    expect(existsSync(join(at.data, 'accounts'))).toBe(false)
  })
})

it('an account whose journal can’t be read isn’t assigned to a new key, and the suggested command repairs it', async () => {
  const at = place()
  const one = await service()
  const run = runIn(at)
  expect((await run(one, 'upload', at.write('a.txt', 'a'))).code).toBe(0)
  const list = join(at.data, 'accounts.json')
  const before = readFileSync(list, 'utf8')
  for (const ending of ['-wal', '-shm']) rmSync(join(at.data, `journal.db${ending}`), { force: true })
  writeFileSync(join(at.data, 'journal.db'), 'not a journal'.repeat(1000))
  one.setKey('the-renewed-key-0123456789')
  const refused = await run(one, 'status')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain("Couldn't read the journal of the account")
  expect(readFileSync(list, 'utf8')).toBe(before)
  expect((await listed(at, null))[0]).not.toHaveProperty('uploaded')
  const [, name = ''] = /slipway status --account (\S+)\./.exec(refused.err) ?? []
  const repaired = await run(null, 'status', '--account', name)
  expect(repaired.err).toContain('It was set aside as')
  expect((await run(one, 'status')).code).toBe(0)
})
