// The watch of a folder ends while a folder around it is still watched: the outer folder uploads what appears
// or changes from then on, and nothing that the inner folder had not uploaded.
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Input } from '../../src-shared/engine-contract.ts'
import { live } from '../world/live.ts'
import { slashes } from '../world/slashes.ts'
import { FOLDER, type World } from '../world/world.ts'
import { lists } from './audit-lists.ts'
import { openWorld } from './open-world.ts'

const INNER = `${FOLDER}/inner`
const SKIPPED = 'ignored: was in a folder that is no longer watched'

async function open(
  options: Parameters<typeof openWorld>[0] = {},
  hooks: Parameters<typeof openWorld>[1] = {},
): Promise<World> {
  const world = await openWorld({ plan: 'enterprise', ...options }, hooks)
  world.disk.mkdir(INNER)
  return world
}
async function watch(w: World, path: string, more: Partial<Input<'watch'>> = {}) {
  const folderId = await w.watch({ path, ...more })
  await w.pass(5000)
  return folderId
}

/** Watches both folders, with a file in the inner one that its own rule excludes. */
async function nested(w: World, inner: Parameters<typeof watch>[2] = {}): Promise<number> {
  await watch(w, FOLDER)
  const id = await watch(w, INNER, { ignore: ['*.log'], ...inner })
  w.disk.write(`${INNER}/private.log`, 'private')
  await w.pass(30_000)
  expect(live(w)).toEqual([])
  return id
}

function changeJournal(journal: string, statement: string): void {
  const db = new DatabaseSync(journal)
  db.exec(statement)
  db.close()
}

const unwatch = (w: World, folderId: number, watcher?: string) =>
  w.handlers.unwatch({ folderId, ...(watcher === undefined ? {} : { watcher }) })

describe('an outer folder that is watched only now and then, as by `watch --once`', () => {
  const once = async (w: World): Promise<void> => {
    const id = await watch(w, FOLDER, { keep: false, watcher: 'once' })
    await w.pass(30_000)
    await unwatch(w, id, 'once')
    await w.pass(5000)
  }

  it.each<readonly [string, (w: World, id: number) => Promise<unknown>]>([
    ['by the user', (w, id) => unwatch(w, id)],
    ['with its command', (w, id) => unwatch(w, id, 'inner')],
  ])(
    'skips what an inner folder excluded whose watch was ended %s, until the user stops watching it',
    async (_how, end) => {
      const w = await open()
      w.disk.write(`${FOLDER}/a.txt`, 'a')
      await once(w)
      const id = await watch(w, INNER, { ignore: ['*.log'], keep: false, watcher: 'inner' })
      w.disk.write(`${INNER}/private.log`, 'private')
      await w.pass(30_000)
      await end(w, id)
      await w.pass(5000)
      await once(w)
      expect(live(w)).toEqual(['a.txt'])
      w.disk.write(`${INNER}/later.log`, 'later')
      await once(w)
      expect(live(w)).toEqual(['a.txt', 'later.log'])
      const outer = await watch(w, FOLDER, { keep: false, watcher: 'last' })
      await unwatch(w, outer)
      await w.pass(5000)
      await once(w)
      expect(live(w)).toEqual(['a.txt', 'later.log', 'private.log'])
    },
  )
})

describe('a file that the inner folder didn’t upload', () => {
  it('stays unpublished, and the outer folder uploads only what appears or changes later', async () => {
    const w = await open({ limits: { dailyUploads: 2, windows: 'aligned', dayTurnsAt: 'rolling' } })
    w.disk.write(`${INNER}/old.txt`, 'old')
    w.disk.write(`${INNER}/older.txt`, 'older')
    await w.pass(10_000)
    const inner = await watch(w, INNER, { existing: 'skip', ignore: ['*.log'] })
    await watch(w, FOLDER)
    for (const name of ['1.txt', '2.txt', '3.txt', 'private.log']) w.disk.write(`${INNER}/${name}`, name)
    await w.pass(60_000)
    expect(live(w)).toEqual(['1.txt', '2.txt'])
    await unwatch(w, inner)
    await w.pass(30 * 3_600_000)
    expect(live(w)).toEqual(['1.txt', '2.txt'])
    const left = {
      'inner/3.txt': SKIPPED,
      'inner/old.txt': SKIPPED,
      'inner/older.txt': SKIPPED,
      'inner/private.log': SKIPPED,
    }
    expect(await lists(w, FOLDER)).toEqual({ 'inner/1.txt': 'uploaded', 'inner/2.txt': 'uploaded', ...left })
    expect(await lists(w, INNER)).toMatchObject({
      '1.txt': 'uploaded',
      '3.txt': SKIPPED,
      'old.txt': SKIPPED,
      'private.log': SKIPPED,
    })
    w.disk.write(`${INNER}/new.txt`, 'new')
    w.disk.write(`${INNER}/old.txt`, 'changed')
    await w.pass(60_000)
    expect(live(w)).toEqual(['1.txt', '2.txt', 'new.txt', 'old.txt'])
    expect(w.service.ledger.files().length).toBe(4)
  })

  it.each([
    ['at the user’s request', {}, undefined],
    ['with its command', { keep: false, watcher: 'one' }, 'one'],
  ])('stays so if the watch ends %s, also after restarts and renames', async (_how, more, watcher) => {
    const w = await open()
    const id = await nested(w, more)
    await unwatch(w, id, watcher)
    await w.crash()
    await w.pass(60_000)
    expect(live(w)).toEqual([])
    w.disk.rename(`${INNER}/private.log`, `${FOLDER}/renamed.log`)
    await w.pass(60_000)
    await w.crash()
    await w.pass(30 * 60_000)
    expect(await lists(w, FOLDER)).toEqual({ 'renamed.log': SKIPPED })
    expect(live(w)).toEqual([])
  })

  it.each([
    ['ended', false],
    ['was killed', true],
  ])(
    'stays so if the process of its command %s, and what appears from then on is uploaded',
    async (_how, isKilled) => {
      const w = await open()
      await nested(w, { keep: false, watcher: 'one' })
      const began = Number(w.sql('SELECT watched_at FROM nestings')[0]?.['watched_at'])
      await w.crash((journal) => {
        // A process that was killed couldn't record the time.
        if (isKilled) changeJournal(journal, `UPDATE nestings SET watched_at = ${began}`)
        w.clock.jumpWall(3 * 86_400_000)
        w.disk.write(`${INNER}/report.log`, 'written days later')
      })
      await w.pass(30 * 60_000)
      expect(live(w)).toEqual(['report.log'])
      expect(await lists(w, FOLDER)).toEqual({ 'inner/private.log': SKIPPED, 'inner/report.log': 'uploaded' })
      w.disk.write(`${INNER}/new.log`, 'new')
      await w.pass(60_000)
      expect(live(w)).toEqual(['new.log', 'report.log'])
    },
  )

  it('stays so if another process continues the watch', async () => {
    const w = await open()
    await nested(w, { keep: false, watcher: 'one' })
    await w.crash(() => w.disk.write(`${INNER}/new.log`, 'new'))
    await watch(w, INNER, { keep: false, watcher: 'one', continued: true, ignore: ['*.log'] })
    await w.pass(3_600_000)
    expect(live(w)).toEqual([])
    expect(await lists(w, FOLDER)).toEqual({ inner: 'ignored: watched as a separate folder' })
    expect(await lists(w, INNER)).toEqual({ 'new.log': 'ignored: *.log', 'private.log': 'ignored: *.log' })
  })

  it.each([200, 2000])(
    'stays so if another process continues the watch %i ms after the outer folder was opened',
    async (ms) => {
      const w = await open()
      await nested(w, { keep: false, watcher: 'one' })
      await w.crash(() => {
        w.clock.jumpWall(1000)
        w.disk.write(`${INNER}/new.log`, 'new')
      })
      await w.pass(ms)
      await watch(w, INNER, { keep: false, watcher: 'one', continued: true, ignore: ['*.log'] })
      await w.pass(3_600_000)
      expect(live(w)).toEqual([])
    },
  )

  it.each([0, 3 * 86_400_000])(
    'stays so if it is a directory that was excluded as a whole, and the process is killed (%i ms)',
    async (gapMs) => {
      const w = await open()
      await watch(w, FOLDER)
      await watch(w, INNER, { ignore: ['secret/'], keep: false, watcher: 'one' })
      w.disk.mkdir(`${INNER}/secret/deeper`)
      w.disk.write(`${INNER}/secret/first.txt`, 'first')
      await w.pass(15 * 60_000)
      w.disk.write(`${INNER}/secret/deeper/private.txt`, 'private')
      await w.pass(4 * 60_000)
      await w.crash((journal) => {
        changeJournal(
          journal,
          'UPDATE nestings SET watched_at = (SELECT last_scan_at FROM folders WHERE id = inner_id)',
        )
        w.clock.jumpWall(gapMs)
      })
      await w.pass(3_600_000)
      expect(live(w)).toEqual([])
    },
  )

  it('stays so if its disk is away at that moment', async () => {
    const w = await open()
    const id = await nested(w)
    w.disk.rename(INNER, '/unplugged')
    await w.pass(60_000)
    await unwatch(w, id)
    await w.pass(3_600_000)
    w.disk.rename('/unplugged', INNER)
    await w.pass(3_600_000)
    expect(live(w)).toEqual([])
    expect(await lists(w, FOLDER)).toEqual({ 'inner/private.log': SKIPPED })
  })

  it('stays so if no command watches the outer folder at that moment', async () => {
    const w = await open()
    await watch(w, FOLDER, { keep: false, watcher: 'one' })
    const id = await watch(w, INNER, { ignore: ['*.log'] })
    w.disk.write(`${INNER}/private.log`, 'private')
    await w.crash()
    await unwatch(w, id)
    await watch(w, FOLDER, { keep: false, watcher: 'two' })
    await w.pass(60_000)
    expect(live(w)).toEqual([])
  })

  it('stays so if a single command ends the watch, with a journal in which no engine has recorded that the folder is inside', async () => {
    let isPassive = false
    const w = await open({}, { isPassive: () => isPassive })
    const id = await nested(w)
    isPassive = true
    await w.crash((journal) => changeJournal(journal, 'DELETE FROM nestings'))
    await unwatch(w, id)
    isPassive = false
    await w.crash()
    await w.pass(60_000)
    expect(live(w)).toEqual([])
    expect(await lists(w, FOLDER)).toEqual({ 'inner/private.log': SKIPPED })
  })

  it('stays so if its folder is renamed before the outer folder has recorded it', async () => {
    const w = await open()
    await watch(w, FOLDER, { keep: false, watcher: 'one' })
    const id = await watch(w, INNER, { ignore: ['*.log'] })
    w.disk.mkdir(`${INNER}/deep`)
    w.disk.write(`${INNER}/deep/private.log`, 'private')
    await w.crash()
    await unwatch(w, id)
    w.disk.mkdir(`${FOLDER}/old`)
    w.disk.rename(INNER, `${FOLDER}/old/inner`)
    await watch(w, FOLDER, { keep: false, watcher: 'two' })
    await w.pass(3_600_000)
    expect(live(w)).toEqual([])
    expect(await lists(w, FOLDER)).toEqual({ 'old/inner/deep/private.log': SKIPPED })
  })

  it('is uploaded if it changes while the outer folder records what it skips', async () => {
    const w = await open()
    const id = await nested(w)
    const { list } = w.disk
    w.disk.list = async (dirs) => {
      const listed = await list(dirs)
      if (dirs.some((dir) => slashes(dir) === INNER)) {
        w.disk.list = list
        await new Promise<void>((resolve) => void w.clock.after(10, resolve))
        w.disk.write(`${INNER}/private.log`, 'changed now')
      }
      return listed
    }
    await w.pass(1000)
    await unwatch(w, id)
    await w.pass(60_000)
    expect(live(w)).toEqual(['private.log'])
  })

  it('is found again if the watch of the outer folder has ended, too, and begins again', async () => {
    const w = await open()
    const inner = await nested(w)
    const outer = await watch(w, FOLDER)
    await unwatch(w, inner)
    await w.pass(60_000)
    await unwatch(w, outer)
    await watch(w, FOLDER)
    await w.pass(60_000)
    expect(live(w)).toEqual(['private.log'])
  })

  it('is found again only if the user stops watching the outer folder, not if the commands that watch it end', async () => {
    const w = await open()
    const outer = await watch(w, FOLDER, { keep: false, watcher: 'one' })
    const inner = await watch(w, INNER, { keep: false, watcher: 'two', ignore: ['*.log'] })
    w.disk.write(`${INNER}/private.log`, 'private')
    await w.pass(30_000)
    await unwatch(w, inner, 'two')
    await w.pass(60_000)
    await unwatch(w, outer, 'one')
    await watch(w, FOLDER, { keep: false, watcher: 'three', changeRules: true, ignore: ['*.tmp'] })
    await w.pass(600_000)
    expect(live(w)).toEqual([])
    await unwatch(w, outer, 'three')
    await unwatch(w, outer)
    await watch(w, FOLDER, { keep: false, watcher: 'four' })
    await w.pass(600_000)
    expect(live(w)).toEqual(['private.log'])
  })

  it('stays so outside the inner folder if that is watched again', async () => {
    const w = await open()
    const id = await nested(w)
    await unwatch(w, id)
    await w.pass(60_000)
    w.disk.rename(`${INNER}/private.log`, `${FOLDER}/renamed.log`)
    await w.pass(60_000)
    await watch(w, INNER, { ignore: ['*.log'] })
    await w.pass(3_600_000)
    expect(live(w)).toEqual([])
    expect(await lists(w, FOLDER)).toEqual({ 'renamed.log': SKIPPED })
  })

  it('stays so if the inner folder was renamed and another one is watched in its place', async () => {
    const w = await open()
    const id = await nested(w)
    await unwatch(w, id)
    await w.pass(60_000)
    w.disk.rename(INNER, `${FOLDER}/archive`)
    await w.pass(60_000)
    w.disk.mkdir(INNER)
    await watch(w, INNER)
    await w.pass(3_600_000)
    expect(live(w)).toEqual([])
    expect(await lists(w, FOLDER)).toMatchObject({ 'archive/private.log': SKIPPED })
  })

  it('stays so if the outer folder excluded the inner one until later', async () => {
    const w = await open()
    w.disk.write(`${FOLDER}/.slipwayignore`, 'inner/\n.slipwayignore\n')
    const id = await nested(w)
    await unwatch(w, id)
    await w.pass(60_000)
    w.disk.write(`${FOLDER}/.slipwayignore`, '.slipwayignore\n')
    await w.pass(3_600_000)
    expect(live(w)).toEqual([])
    expect(await lists(w, FOLDER)).toMatchObject({ 'inner/private.log': SKIPPED })
  })

  it('is uploaded by the rules of the inner folder if that is watched again', async () => {
    const w = await open()
    const inner = await nested(w)
    await unwatch(w, inner)
    await w.pass(60_000)
    w.disk.write(`${INNER}/new.log`, 'new')
    w.disk.write(`${INNER}/new.txt`, 'new')
    await watch(w, INNER, { ignore: ['new.*'], changeRules: true })
    await w.pass(60_000)
    expect(live(w)).toEqual(['private.log'])
    await unwatch(w, inner)
    await w.pass(60_000)
    expect(live(w)).toEqual(['private.log'])
    expect(await lists(w, FOLDER)).toEqual({
      'inner/new.log': SKIPPED,
      'inner/new.txt': SKIPPED,
      'inner/private.log': 'uploaded',
    })
  })
})

it('skips existing files of a folder that both folders excluded until later', async () => {
  const w = await open()
  w.disk.write(`${INNER}/old.txt`, 'old')
  await w.pass(60_000)
  await watch(w, FOLDER, { existing: 'skip', ignore: ['inner/'] })
  const id = await watch(w, INNER, { existing: 'skip' })
  await unwatch(w, id)
  await w.pass(60_000)
  await watch(w, FOLDER, { existing: 'skip', changeRules: true })
  await w.pass(3_600_000)
  expect(live(w)).toEqual([])
  expect(await lists(w, FOLDER)).toEqual({ 'inner/old.txt': 'ignored: was here before' })
})

it('uploads a directory that is moved in later, although another directory has replaced the inner one', async () => {
  const w = await open()
  w.disk.mkdir('/elsewhere')
  w.disk.write('/elsewhere/photo.jpg', 'photo')
  await w.pass(60_000)
  const id = await nested(w)
  w.disk.rename(INNER, '/trash')
  await w.pass(60_000)
  await unwatch(w, id)
  await w.pass(60_000)
  w.disk.mkdir(INNER)
  w.disk.write(`${INNER}/new.txt`, 'new')
  await w.pass(3_600_000)
  w.disk.rename('/elsewhere', `${INNER}/album`)
  await w.pass(3_600_000)
  expect(live(w)).toEqual(['new.txt', 'photo.jpg'])
})

it('skips files on a disk that comes back after its mount point was empty for a long time', async () => {
  const w = await open()
  const id = await nested(w)
  w.disk.rename(INNER, '/unplugged')
  w.disk.mkdir(INNER)
  await w.pass(60_000)
  await unwatch(w, id)
  await w.pass(3_600_000)
  w.disk.remove(INNER)
  w.disk.rename('/unplugged', INNER)
  await w.pass(3_600_000)
  expect(live(w)).toEqual([])
  expect(await lists(w, FOLDER)).toEqual({ 'inner/private.log': SKIPPED })
})

it('uploads a directory that is moved in later, however old its files are', async () => {
  const w = await open()
  w.disk.mkdir('/elsewhere')
  w.disk.write('/elsewhere/photo.jpg', 'photo')
  await w.pass(60_000)
  const id = await nested(w)
  await unwatch(w, id)
  await w.pass(60_000)
  w.disk.rename('/elsewhere', `${INNER}/album`)
  await w.pass(60_000)
  expect(live(w)).toEqual(['photo.jpg'])
})

describe('shows a file as uploaded', () => {
  it('that was saved again with the same bytes when the watch ended', async () => {
    const w = await open()
    await watch(w, FOLDER)
    const id = await watch(w, INNER)
    w.disk.write(`${INNER}/a.txt`, 'a')
    await w.pass(60_000)
    await unwatch(w, id)
    w.disk.write(`${INNER}/a.txt`, 'a')
    await w.pass(600_000)
    expect(await lists(w, FOLDER)).toEqual({ 'inner/a.txt': 'uploaded' })
    w.disk.write(`${INNER}/a.txt`, 'another')
    await w.pass(600_000)
    expect(live(w)).toEqual(['a.txt', 'a.txt'])
    expect(w.service.ledger.files().length).toBe(2)
  })

  it('but not if it was saved with other bytes of the same size', async () => {
    const w = await open()
    await watch(w, FOLDER)
    const id = await watch(w, INNER)
    w.disk.write(`${INNER}/a.txt`, 'a')
    await w.pass(60_000)
    await unwatch(w, id)
    w.disk.write(`${INNER}/a.txt`, 'b')
    await w.pass(600_000)
    expect(await lists(w, FOLDER)).toEqual({ 'inner/a.txt': SKIPPED })
    expect(w.service.ledger.files().length).toBe(1)
  })

  it('that was left and that the user then uploads by name', async () => {
    const w = await open()
    const id = await nested(w)
    await unwatch(w, id)
    await w.pass(60_000)
    await w.handlers.upload({ paths: [`${INNER}/private.log`], again: false, token: 'named' })
    await w.pass(60_000)
    expect(live(w)).toEqual(['private.log'])
    expect(await lists(w, FOLDER)).toEqual({ 'inner/private.log': 'uploaded' })
    w.disk.rename(`${INNER}/private.log`, `${FOLDER}/renamed.log`)
    await w.pass(600_000)
    expect(await lists(w, FOLDER)).toEqual({ 'renamed.log': 'uploaded' })
    expect(w.service.ledger.files().length).toBe(1)
  })
})

it('shows a file as uploaded whose upload was in progress', async () => {
  const world = await openWorld({ plan: 'enterprise' }, { uploadAnswerMs: 20_000 })
  const w = world
  w.disk.mkdir(INNER)
  await watch(w, FOLDER)
  const id = await watch(w, INNER)
  w.disk.write(`${INNER}/a.txt`, 'a')
  await w.until(async () => (await w.byName('a.txt'))?.state === 'uploading')
  await unwatch(w, id)
  await w.pass(30 * 60_000)
  expect(live(w)).toEqual(['a.txt'])
  expect(await lists(w, FOLDER)).toEqual({ 'inner/a.txt': 'uploaded' })
  expect(w.service.ledger.files().length).toBe(1)
})
