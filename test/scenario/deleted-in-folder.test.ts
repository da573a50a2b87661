// An upload of a folder skips what the user deleted there, and nothing else.
import { expect, it } from 'vitest'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const FILE = `${FOLDER}/a.txt`
const HOUR = 60 * 60_000

async function open(): Promise<World> {
  const world = await openWorld({ plan: 'enterprise' })
  world.disk.write(FILE, 'content')
  return world
}
const live = (w: World): readonly string[] => w.service.ledger.live().map((file) => file.filename)

async function upload(w: World, path: string, token = `t${w.clock.mono()}`): Promise<void> {
  await valueOf(w.handlers.upload({ paths: [path], again: false, token }))
}

async function plan(w: World, path: string): Promise<unknown> {
  const got = await w.answered(w.handlers.plan({ paths: [path] }))
  return got.ok ? got.value : got.failure.title
}

async function remove(w: World): Promise<void> {
  const got = await w.answered(w.handlers.remove({ selectors: [FILE] }))
  expect(got.ok && got.value[0]?.outcome).toBe('deleted')
}

/**
 * Watches the folder, in which the same content appears again once its link has ended, and stops watching it.
 */
async function watchUntilWithdrawn(w: World, end: () => Promise<void>): Promise<void> {
  const folderId = await w.watch()
  await w.pass(60_000)
  expect(live(w)).toEqual(['a.txt'])
  await end()
  await w.pass(HOUR)
  w.disk.remove(FILE)
  await w.pass(10 * 60_000)
  w.disk.write(FILE, 'content')
  await w.pass(10 * 60_000)
  expect((await w.transfers()).filter((one) => one.state === 'cancelled')).toHaveLength(1)
  expect(live(w)).toEqual([])
  await w.handlers.unwatch({ folderId })
  await w.pass(60_000)
}

it('sends content that disappeared from the service, also after its watched folder has skipped it', async () => {
  const w = await open()
  await watchUntilWithdrawn(w, async () => {
    w.service.deleteBehindTheBack(w.service.ledger.live()[0]?.fileId ?? 0)
    await w.list()
  })
  expect((await w.transfers()).map((one) => one.ended)).toEqual(['gone', 'gone'])
  expect(await plan(w, FOLDER)).toMatchObject({ now: 1, ignored: 0 })
  await upload(w, FOLDER)
  await w.pass(60_000)
  expect(live(w)).toEqual(['a.txt'])
})

it('skips content that the user deleted, also after its watched folder has skipped it', async () => {
  const w = await open()
  await watchUntilWithdrawn(w, () => remove(w))
  expect((await w.transfers()).map((one) => one.ended)).toEqual(['deleted', 'deleted'])
  expect(await plan(w, FOLDER)).toMatchObject({ now: 0, ignored: 1 })
  await upload(w, FOLDER)
  await w.pass(60_000)
  expect(live(w)).toEqual([])
})

it('sends a file that the user names while it is being hashed', async () => {
  const w = await open()
  await upload(w, FILE)
  await w.pass(60_000)
  await remove(w)
  const { open: openFile } = w.disk
  let isNamed = false
  w.disk.open = async (path) => {
    if (!isNamed) {
      isNamed = true
      await upload(w, FILE, 'named')
    }
    return openFile.call(w.disk, path)
  }
  await upload(w, FOLDER, 'folder')
  await w.pass(60_000)
  expect(isNamed).toBe(true)
  expect(live(w)).toEqual(['a.txt'])
})

it.each([
  ['before', [FILE, FOLDER]],
  ['after', [FOLDER, FILE]],
])('sends a deleted file that the user names %s its folder', async (_where, paths) => {
  const w = await open()
  await upload(w, FILE)
  await w.pass(60_000)
  await remove(w)
  const got = await w.handlers.upload({ paths, again: false, token: 'both' })
  expect(got.ok).toBe(true)
  await w.pass(60_000)
  expect(live(w)).toEqual(['a.txt'])
})
