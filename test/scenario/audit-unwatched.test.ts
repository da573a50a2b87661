// The audit of unwatched folders.
// Every file on the disk is counted and listed, whether it was uploaded by name, withdrawn or never queued.
import { describe, expect, it } from 'vitest'
import type { Output } from '../../src-shared/engine-contract.ts'
import { slashes } from '../world/slashes.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, FOLDER_RULES, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

async function open(options: Parameters<typeof openWorld>[0] = { plan: 'enterprise' }): Promise<World> {
  return openWorld(options)
}
function put(w: World, name: string, content = name): string {
  const path = `${FOLDER}/${name}`
  w.disk.mkdir(path.slice(0, path.lastIndexOf('/')))
  w.disk.write(path, content)
  return path
}

async function upload(w: World, paths: readonly string[]) {
  await valueOf(w.handlers.upload({ paths: [...paths], again: false, token: `t${paths.join()}` }))
  await w.pass(5000)
}

/** The audit's list of each file, by name. `limit` is the size of a page. */
async function lists(w: World, path: string, limit = 500): Promise<Readonly<Record<string, string>>> {
  const { handlers } = w.engine()
  const { sums, folder, look } = await valueOf(handlers.audit({ path, rescan: true }))
  expect(sums.seen).toBe(sums.uploaded + sums.waiting + sums.held + sums.failed + sums.ignored)
  const found: Record<string, string> = {}
  let seen = 0
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const page: Output<'auditPage'> = await valueOf(
      handlers.auditPage({
        folderId: folder.id,
        list: null,
        after,
        limit,
        ...(look === undefined ? {} : { look }),
      }),
    )
    for (const { path: file, list, reason, count } of page.entries) {
      found[slashes(file.slice(path.length + 1))] = reason === null ? list : `${list}: ${reason}`
      seen += count
    }
    after = page.next
    isLast = after === null
  }
  expect(seen).toBe(sums.seen)
  return found
}

describe('a folder that was never watched', () => {
  it('accounts for every file in it', async () => {
    const w = await open()
    const [up, changed] = [put(w, 'up.txt'), put(w, 'changed.txt')]
    put(w, 'deep/never.txt')
    put(w, 'x.tmp')
    put(w, '.slipwayignore', 'drafts/\n')
    put(w, 'drafts/one.txt')
    put(w, 'drafts/in/two.txt')
    await upload(w, [up, changed, put(w, '.env', 'SECRET=1')])
    put(w, 'changed.txt', 'other bytes')
    const expected = {
      'up.txt': 'uploaded',
      'changed.txt': 'ignored: changed',
      'deep/never.txt': 'ignored: not-watched',
      '.env': 'held: secret',
    }
    expect(await lists(w, FOLDER)).toMatchObject(expected)
    expect(await lists(w, FOLDER, 2)).toMatchObject(expected)
    expect(Object.keys(await lists(w, FOLDER))).toContain('drafts')
    expect(await lists(w, `${FOLDER}/deep`)).toEqual({ 'never.txt': 'ignored: not-watched' })
  })

  it('isn’t known to a request without a scan', async () => {
    const w = await open()
    put(w, 'a.txt')
    expect(await w.handlers.audit({ path: FOLDER, rescan: false })).toMatchObject({
      failure: { code: 'not-found' },
    })
  })
})

describe('a folder whose watch has ended', () => {
  const watch = async (w: World) => {
    const { handlers } = w.engine()
    const got = await valueOf(handlers.watch({ ...FOLDER_RULES, keep: false }))
    await w.pass(5000)
    return got.id
  }

  it('lists files that were withdrawn, and files that arrived since', async () => {
    const w = await open({ limits: { dailyUploads: 1 } })
    put(w, 'a.txt')
    const folderId = await watch(w)
    put(w, 'b.txt')
    put(w, '.env', 'SECRET=1')
    await w.pass(30_000)
    await w.handlers.unwatch({ folderId })
    put(w, 'later.txt')
    expect(await lists(w, FOLDER)).toEqual({
      'a.txt': 'uploaded',
      'b.txt': 'ignored: withdrawn',
      '.env': 'ignored: withdrawn',
      'later.txt': 'ignored: not-watched',
    })
  })
})

describe('a folder that ignores changes', () => {
  it('reports an ignored change, while it is watched and afterwards', async () => {
    const w = await open()
    put(w, 'a.txt', 'one')
    put(w, 'b.txt', 'two')
    const { handlers } = w.engine()
    const got = await valueOf(handlers.watch({ ...FOLDER_RULES, onChange: 'ignore', keep: false }))
    await w.pass(5000)
    put(w, 'a.txt', 'another one')
    await w.pass(30_000)
    const expected = { 'a.txt': 'ignored: change-ignored', 'b.txt': 'uploaded' }
    expect(await lists(w, FOLDER)).toEqual(expected)
    const sums = await handlers.folderSums({ folderIds: [got.id] })
    expect(sums).toMatchObject({ value: [{ sums: { seen: 2, uploaded: 1, ignored: 1 } }] })
    await handlers.unwatch({ folderId: got.id })
    expect(await lists(w, FOLDER)).toEqual(expected)
  })
})

describe('a file that was only touched', () => {
  const touch = (w: World, path: string): void => w.disk.setMtime(path, w.clock.now() - 1234)

  it('still counts as uploaded in a folder that ignores changes, while it is watched and afterwards', async () => {
    const w = await open()
    const path = put(w, 'a.txt', 'one')
    const { handlers } = w.engine()
    const got = await valueOf(handlers.watch({ ...FOLDER_RULES, onChange: 'ignore', keep: false }))
    await w.pass(20_000)
    touch(w, path)
    await w.pass(30_000)
    expect(await lists(w, FOLDER)).toEqual({ 'a.txt': 'uploaded' })
    put(w, 'a.txt', 'two')
    await w.pass(30_000)
    expect(await lists(w, FOLDER)).toEqual({ 'a.txt': 'ignored: change-ignored' })
    await handlers.unwatch({ folderId: got.id })
    put(w, 'a.txt', 'one')
    touch(w, path)
    expect(await lists(w, FOLDER)).toEqual({ 'a.txt': 'uploaded' })
    expect(w.service.ledger.duplicates().bySha).toEqual([])
  })

  it('still counts as uploaded in a folder that isn’t watched', async () => {
    const w = await open()
    const path = put(w, 'a.txt', 'one')
    await upload(w, [path])
    touch(w, path)
    expect(await lists(w, FOLDER)).toEqual({ 'a.txt': 'uploaded' })
  })
})

describe('a folder inside a watched one', () => {
  it('is part of it', async () => {
    const w = await open()
    put(w, 'deep/a.txt')
    const { handlers } = w.engine()
    await handlers.watch({ ...FOLDER_RULES, keep: false })
    await w.pass(5000)
    expect(await lists(w, `${FOLDER}/deep`)).toEqual({ 'a.txt': 'uploaded' })
  })
})
