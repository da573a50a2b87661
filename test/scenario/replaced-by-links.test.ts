// A watched folder, or a directory in it, whose place a symbolic link takes: what the link leads to isn't in
// the folder, so nothing of it is sent, and what was there has left. Runs in the simulated world, in which
// disks follow links like real ones.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { slashes } from '../world/slashes.ts'
import { createWorld, FOLDER, FOLDER_RULES, type World } from '../world/world.ts'

const ELSEWHERE = '/home/elsewhere'
const HOUR = 3_600_000

let w: World
let folderId: number
beforeEach(async () => {
  w = await createWorld({ plan: 'enterprise' })
  w.disk.mkdir(`${FOLDER}/docs/deep`)
  w.disk.write(`${FOLDER}/docs/a.txt`, 'a')
  w.disk.write(`${FOLDER}/docs/deep/b.txt`, 'bb')
  w.disk.write(`${FOLDER}/top.txt`, 'top')
  w.disk.mkdir(`${ELSEWHERE}/deep`)
  w.disk.write(`${ELSEWHERE}/a.txt`, 'private')
  w.disk.write(`${ELSEWHERE}/deep/b.txt`, 'private, too')
  w.disk.write(`${ELSEWHERE}/deep/c.txt`, 'never in the folder')
  folderId = await w.watch()
  await w.until(() => w.allSettled())
})
afterEach(() => w.end())

const sent = (): readonly string[] => w.service.ledger.files().map((file) => file.filename)
const unfinished = async (): Promise<readonly string[]> =>
  (await w.transfers()).filter(({ state }) => state !== 'done').map(({ name, state }) => `${name} ${state}`)

async function sums(): Promise<unknown> {
  const idle = await w.handlers.folderIdle({ folderId })
  return idle.ok ? idle.value.sums : null
}

async function folder(): Promise<{ readonly state: string; readonly message: string | null } | undefined> {
  const snapshot = await w.handlers.snapshot({})
  return snapshot.ok ? snapshot.value.folders.find(({ id }) => id === folderId) : undefined
}

describe('a directory that becomes a link to one with the same names', () => {
  it.each([
    ['noticed by its event', 60_000, () => undefined],
    ['noticed by a rescan', HOUR / 2, () => w.disk.setDeaf(true)],
  ])('has lost its files, and nothing is sent from there: %s', async (_how, ms, before) => {
    before()
    w.disk.rename(`${FOLDER}/docs`, '/home/kept')
    w.disk.symlink(ELSEWHERE, `${FOLDER}/docs`)
    await w.pass(ms)
    expect([sent().toSorted(), await unfinished()]).toEqual([['a.txt', 'b.txt', 'top.txt'], []])
    expect(await sums()).toEqual({ seen: 2, uploaded: 1, waiting: 0, held: 0, failed: 0, ignored: 1 })
  })

  it('has lost its files even if that happened while Slipway was off', async () => {
    await w.crash(() => {
      w.disk.rename(`${FOLDER}/docs`, '/home/kept')
      w.disk.symlink(ELSEWHERE, `${FOLDER}/docs`)
    })
    await w.watch()
    await w.pass(60_000)
    expect([sent().toSorted(), await unfinished()]).toEqual([['a.txt', 'b.txt', 'top.txt'], []])
    expect(await sums()).toEqual({ seen: 2, uploaded: 1, waiting: 0, held: 0, failed: 0, ignored: 1 })
  })

  it.each([
    ['noticed by its event', 60_000, () => undefined],
    ['noticed by a rescan', HOUR / 2, () => w.disk.setDeaf(true)],
  ])('has moved its files if the link leads to where they are now: %s', async (_how, ms, before) => {
    before()
    w.disk.rename(`${FOLDER}/docs`, `${FOLDER}/papers`)
    w.disk.symlink(`${FOLDER}/papers`, `${FOLDER}/docs`)
    await w.pass(ms)
    expect([sent().toSorted(), await unfinished()]).toEqual([['a.txt', 'b.txt', 'top.txt'], []])
    const links = new Map((await w.transfers()).map(({ path, publicLink }) => [publicLink, slashes(path)]))
    expect([...links.values()].toSorted()).toEqual([
      `${FOLDER}/papers/a.txt`,
      `${FOLDER}/papers/deep/b.txt`,
      `${FOLDER}/top.txt`,
    ])
    expect(await sums()).toEqual({ seen: 4, uploaded: 3, waiting: 0, held: 0, failed: 0, ignored: 1 })
  })
})

describe('a watched folder that becomes a link', () => {
  it.each([
    ['to another one', ELSEWHERE],
    ['to where it is now', '/home/moved'],
  ])('%s is away, says so, and sends again once it is back', async (_where, target) => {
    w.disk.rename(FOLDER, '/home/moved')
    w.disk.symlink(target, FOLDER)
    await w.pass(60_000)
    expect(await folder()).toMatchObject({
      state: 'away',
      message: expect.stringContaining('A link has taken'),
    })
    w.disk.write('/home/moved/new.txt', 'new')
    await w.pass(HOUR)
    expect([sent().toSorted(), await unfinished()]).toEqual([['a.txt', 'b.txt', 'top.txt'], []])
    w.disk.remove(FOLDER)
    w.disk.rename('/home/moved', FOLDER)
    await w.until(() => sent().includes('new.txt'))
    expect(await folder()).toMatchObject({ state: 'watching', message: null })
    expect(await sums()).toEqual({ seen: 4, uploaded: 4, waiting: 0, held: 0, failed: 0, ignored: 0 })
  })

  it('keeps its uploads waiting', async () => {
    await w.handlers.pause({})
    w.disk.write(`${FOLDER}/later.txt`, 'later')
    await w.until(async () => (await w.byName('later.txt')) !== undefined)
    w.disk.rename(FOLDER, '/home/moved')
    w.disk.symlink('/home/moved', FOLDER)
    await w.handlers.resume({})
    await w.pass(60_000)
    expect(await w.byName('later.txt')).toMatchObject({ state: 'waiting', reason: 'folder-away' })
    w.disk.remove(FOLDER)
    w.disk.rename('/home/moved', FOLDER)
    await w.until(() => w.allSettled())
    expect(await w.byName('later.txt')).toMatchObject({ state: 'done' })
  })

  it('is watched again by its new path, and its files keep their links', async () => {
    w.disk.rename(FOLDER, '/home/moved')
    w.disk.symlink('/home/moved', FOLDER)
    await w.pass(60_000)
    w.disk.write('/home/moved/new.txt', 'new')
    const got = await w.handlers.watch(FOLDER_RULES)
    expect(got).toMatchObject({ ok: true })
    await w.until(() => sent().includes('new.txt'))
    await w.pass(60_000)
    expect(sent()).toHaveLength(4)
    expect((await w.transfers()).map(({ path }) => slashes(path)).toSorted()).toEqual(
      ['docs/a.txt', 'docs/deep/b.txt', 'new.txt', 'top.txt'].map((name) => `/home/moved/${name}`),
    )
  })

  it('keeps its links if it was moved to another drive and is watched there', async () => {
    // A move to another drive makes new files.
    for (const name of ['docs/a.txt', 'docs/deep/b.txt', 'top.txt']) w.disk.remove(`${FOLDER}/${name}`)
    w.disk.mkdir('/home/moved/docs/deep')
    w.disk.write('/home/moved/docs/a.txt', 'a')
    w.disk.write('/home/moved/docs/deep/b.txt', 'bb')
    w.disk.write('/home/moved/top.txt', 'top')
    w.disk.rename(FOLDER, '/home/emptied')
    w.disk.symlink('/home/moved', FOLDER)
    await w.pass(60_000)
    expect(await folder()).toMatchObject({ state: 'away' })
    const before = new Set((await w.transfers()).map(({ publicLink }) => publicLink))
    await w.watch({ path: '/home/moved' })
    await w.pass(HOUR)
    expect([sent().toSorted(), await unfinished()]).toEqual([['a.txt', 'b.txt', 'top.txt'], []])
    const links = new Map((await w.transfers()).map(({ path, publicLink }) => [publicLink, slashes(path)]))
    expect(new Set(links.keys())).toEqual(before)
    expect([...links.values()].toSorted()).toEqual(
      ['docs/a.txt', 'docs/deep/b.txt', 'top.txt'].map((name) => `/home/moved/${name}`),
    )
  })
})
