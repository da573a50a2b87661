// Files that a folder skips because they existed before, and that have the size and modification time of an
// upload whose file was moved away: they count as that upload only if the bytes match. Many archives give all
// of their files the same time.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DiskError } from '../../src-main/engine/ports.ts'
import { createWorld, FOLDER, type World } from '../world/world.ts'

const MINUTE = 60_000
const PACKED_AT = Date.UTC(2020, 0, 1)
const RULE = 'was here before'

let w: World
beforeEach(async () => {
  w = await createWorld()
})
afterEach(() => w.end())

function put(name: string, content: string): void {
  w.disk.write(`${FOLDER}/${name}`, content)
  w.disk.setMtime(`${FOLDER}/${name}`, PACKED_AT)
}

/** Watches the folder, skipping existing files, until `leave` is called. */
async function watch(): Promise<{ readonly leave: () => Promise<void> }> {
  const watcher = `watcher ${w.clock.mono()}`
  const folderId = await w.watch({
    existing: 'skip',
    keep: false,
    since: w.clock.now(),
    changeRules: true,
    watcher,
  })
  await w.pass(MINUTE)
  return {
    leave: async () => {
      await w.handlers.unwatch({ folderId, watcher })
      await w.pass(MINUTE)
    },
  }
}

/** Uploads these files and deletes them locally while nothing watches. */
async function uploaded(files: Readonly<Record<string, string>>): Promise<void> {
  const { leave } = await watch()
  for (const [name, content] of Object.entries(files)) put(name, content)
  await w.pass(MINUTE)
  await w.until(() => w.allSettled())
  for (const name of Object.keys(files)) w.disk.remove(`${FOLDER}/${name}`)
  await w.pass(MINUTE)
  await leave()
}

const sent = (): number => w.service.ledger.files().length
const linkOf = async (name: string): Promise<string | null | undefined> => (await w.byName(name))?.publicLink

async function lists(): Promise<Readonly<Record<string, string>>> {
  const rows = w.sql("SELECT name, class, rule FROM files WHERE name <> '' ORDER BY name")
  return Object.fromEntries(rows.map(({ name, class: cls, rule }) => [String(name), String(rule ?? cls)]))
}

describe('a file with the size and time of an upload whose file was moved away', () => {
  it('is skipped if its bytes differ, then and later', async () => {
    await uploaded({ 'a.txt': 'first', 'b.txt': 'other' })
    put('old.txt', 'third')
    for (let i = 0; i < 2; i++) {
      const { leave } = await watch()
      await w.pass(30 * MINUTE)
      expect(await lists()).toEqual({ 'old.txt': RULE })
      await leave()
    }
    expect([sent(), await w.byName('old.txt')]).toEqual([2, undefined])
    // Its bytes are read once for each command.
    expect(w.sql('SELECT name FROM files WHERE ctime = -1')).toEqual([])
  })

  it('has the link of the upload whose bytes it has', async () => {
    await uploaded({ 'a.txt': 'first', 'b.txt': 'other' })
    const links = [await linkOf('a.txt'), await linkOf('b.txt')]
    put('c.txt', 'other')
    put('a.txt', 'first')
    await watch()
    await w.until(async () => Object.values(await lists()).every((list) => list === 'tracked'))
    await w.until(() => w.allSettled())
    expect([sent(), await linkOf('a.txt'), await linkOf('c.txt')]).toEqual([2, ...links])
  })

  it('also has it under the name of another upload', async () => {
    await uploaded({ 'a.txt': 'first', 'b.txt': 'other' })
    const links = [await linkOf('a.txt'), await linkOf('b.txt')]
    put('a.txt', 'other')
    put('b.txt', 'first')
    await watch()
    await w.until(async () => Object.values(await lists()).every((list) => list === 'tracked'))
    await w.until(() => w.allSettled())
    expect([sent(), await linkOf('b.txt'), await linkOf('a.txt')]).toEqual([2, ...links])
  })

  it.each([
    ['one of two copies', 'p.txt'],
    ['one of two copies, in the place of the upload', 'a.txt'],
  ])('has its link as %s; the other is skipped', async (_what, first) => {
    await uploaded({ 'a.txt': 'first' })
    const link = await linkOf('a.txt')
    put(first, 'first')
    put('q.txt', 'first')
    await watch()
    await w.pass(30 * MINUTE)
    expect(sent()).toBe(1)
    expect(Object.values(await lists()).toSorted()).toEqual(['tracked', RULE])
    const done = (await w.transfers()).filter((t) => t.state === 'done')
    expect(new Set(done.map((t) => t.publicLink))).toEqual(new Set([link]))
  })

  it('is sent if it is changed, or named by the user, after another file has the link', async () => {
    await uploaded({ 'a.txt': 'first' })
    for (const name of ['p.txt', 'q.txt', 'r.txt']) put(name, 'first')
    await watch()
    await w.pass(30 * MINUTE)
    const [changed = '', named = ''] = Object.entries(await lists()).flatMap(([name, list]) =>
      list === RULE ? [name] : [],
    )
    expect(sent()).toBe(1)
    w.disk.write(`${FOLDER}/${changed}`, 'first and more')
    await w.until(() => sent() === 2)
    expect(
      await w.handlers.upload({ paths: [`${FOLDER}/${named}`], again: true, token: 'one' }),
    ).toMatchObject({ ok: true })
    await w.until(() => sent() === 3)
  })

  it.each([
    ['skipped', 'third', RULE],
    ['uploaded', 'first', 'tracked'],
  ])('is compared later if it can’t be read at first, and then %s', async (_what, content, list) => {
    await uploaded({ 'a.txt': 'first' })
    put('old.txt', content)
    let reads = 0
    w.disk.onceRead(`${FOLDER}/old.txt`, () => {
      reads++
      throw new DiskError({ code: 'io', message: 'read error' })
    })
    await watch()
    await w.pass(30 * MINUTE)
    expect([reads, sent(), await lists()]).toEqual([1, 1, { 'old.txt': list }])
  })

  it.each([
    ['its permissions', () => w.disk.chmod(`${FOLDER}/old.txt`)],
    ['its name', () => w.disk.rename(`${FOLDER}/old.txt`, `${FOLDER}/renamed.txt`)],
  ])('is skipped if %s change before it could be compared', async (_what, change) => {
    await uploaded({ 'a.txt': 'first' })
    put('old.txt', 'third')
    w.disk.deny(`${FOLDER}/old.txt`, true)
    await watch()
    expect(await lists()).toEqual({ 'old.txt': RULE })
    w.disk.deny(`${FOLDER}/old.txt`, false)
    change()
    await w.pass(30 * MINUTE)
    expect([sent(), Object.values(await lists())]).toEqual([1, [RULE]])
  })

  it('is sent once it is changed', async () => {
    await uploaded({ 'a.txt': 'first' })
    put('old.txt', 'third')
    await watch()
    w.disk.write(`${FOLDER}/old.txt`, 'third and more')
    await w.until(() => sent() === 2)
    expect(await lists()).toEqual({ 'old.txt': 'tracked' })
  })
})
