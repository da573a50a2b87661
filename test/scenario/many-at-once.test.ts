// The engine's part of the question about many files: it counts what isn't uploaded yet, registers nothing above
// the limit, and uploads in the order that the user chose.
import { expect, it } from 'vitest'
import type { Input, Output } from '../../src-shared/engine-contract.ts'
import { valueOf } from '../world/value-of.ts'
import type { World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const DIR = '/home/ada/album'

async function upload(w: World, more: Partial<Input<'upload'>>): Promise<Output<'upload'>> {
  return valueOf(w.handlers.upload({ paths: [DIR], again: false, token: 'drop', ...more }))
}

/** Files `1.txt` to `count.txt`, whose sizes and ages go in opposite directions, and not by their names. */
async function album(count: number): Promise<World> {
  const w = await openWorld()
  w.disk.mkdir(DIR)
  for (let n = 1; n <= count; n++) {
    w.disk.write(`${DIR}/${(n * 7) % 11}.txt`, 'x'.repeat(n))
    await w.pass(1000)
  }
  return w
}

it.each([
  ['files', { files: 4, bytes: 1000 }],
  ['bytes', { files: 100, bytes: 14 }],
])('registers nothing above the limit of %s, and says how much there is', async (_what, most) => {
  const w = await album(5)
  // A path that is named twice counts once.
  const got = await upload(w, { paths: [DIR, `${DIR}/7.txt`], most })
  expect(got).toEqual({ batch: 0, items: [], next: null, many: { files: 5, bytes: 15 } })
  expect(await w.transfers()).toEqual([])
  const allowed = await upload(w, { most: { files: 5, bytes: 15 } })
  expect(allowed.items).toHaveLength(5)
})

it('counts only what isn’t uploaded yet, unless everything is sent again', async () => {
  const w = await album(5)
  await upload(w, {})
  await w.until(() => w.allSettled())
  w.disk.write(`${DIR}/new.txt`, 'new')
  const most = { files: 1, bytes: 100 }
  expect((await upload(w, { most })).items).toHaveLength(6)
  expect((await upload(w, { most, again: true, token: 'again' })).many?.files).toBe(6)
  // Files that were deleted on the service would be public again.
  await w.until(() => w.allSettled())
  const ids = (await w.transfers()).flatMap((one) => (one.fileId === null ? [] : [`${one.fileId}`]))
  await w.handlers.remove({ selectors: ids })
  expect((await upload(w, { most, token: 'later' })).many?.files).toBe(6)
})

it('counts small uploads in quick succession as one, so that splitting doesn’t go around the question', async () => {
  const w = await openWorld()
  w.disk.mkdir(DIR)
  const files = Array.from({ length: 9 }, (_, n) => `${DIR}/${n}.txt`)
  for (const file of files) w.disk.write(file, 'x')
  await w.pass(5000)
  const most = { files: 4, bytes: 100 }
  const send = (from: number, to: number, more: Partial<Input<'upload'>> = {}) =>
    upload(w, { paths: files.slice(from, to), most, token: `${from}-${to}`, ...more })
  expect((await send(0, 2)).many).toBeUndefined()
  // Named again, they aren't more.
  expect((await send(0, 2, { token: 'again' })).many).toBeUndefined()
  expect((await send(2, 4)).items).toHaveLength(2)
  expect((await send(4, 5)).many).toEqual({ files: 1, bytes: 1 })
  // What was cancelled isn't public.
  const rows = (await w.transfers()).filter(({ state }) => state !== 'done')
  await w.handlers.pause({})
  await w.handlers.cancel({ ids: rows.map(({ id }) => id) })
  const left = (await w.transfers()).filter(({ state }) => state !== 'cancelled').length
  expect((await send(4, 8 - left)).many).toBeUndefined()
  expect((await send(8, 9)).many?.files).toBe(1)
  // The user's answer ends the count, and so does time.
  await send(8, 9, { most: undefined, order: 'name' })
  expect((await send(4, 8, { again: true, token: 'after' })).many).toBeUndefined()
  expect((await send(0, 1, { again: true, token: 'sooner' })).many?.files).toBe(1)
  await w.pass(60_001)
  expect((await send(0, 1, { again: true, token: 'later' })).many).toBeUndefined()
})

it.each([
  ['newest', ['2.txt', '6.txt', '10.txt', '3.txt', '7.txt']],
  ['smallest', ['7.txt', '3.txt', '10.txt', '6.txt', '2.txt']],
  ['name', ['2.txt', '3.txt', '6.txt', '7.txt', '10.txt']],
] as const)('uploads the %s first, over all parts of a large drop', async (order, names) => {
  const w = await album(5)
  const paths = [10, 7, 6, 3, 2].map((n) => `${DIR}/${n}.txt`)
  await w.handlers.planPart({ token: 'parts', paths: paths.slice(0, 3) })
  const got = await upload(w, { paths: paths.slice(3), parts: { token: 'parts', count: 3 }, order })
  // The items, and so the copied links, keep the order of the drop.
  expect(got.items.map((one) => one.path)).toEqual(paths)
  const rows = (await w.transfers()).toSorted((x, y) => x.id - y.id)
  expect(rows.map((one) => one.name)).toEqual(names)
})

it('refuses an upload of which parts are missing', async () => {
  const w = await album(1)
  const got = await w.handlers.upload({
    paths: [DIR],
    again: false,
    token: '',
    parts: { token: 'gone', count: 1 },
  })
  expect(got).toMatchObject({ failure: { code: 'usage' } })
  expect(await w.transfers()).toEqual([])
})

it('“I’ll wait” keeps everything without sending', async () => {
  const w = await album(3)
  await upload(w, { paused: true })
  await w.pass(3_600_000)
  expect(w.service.ledger.files()).toEqual([])
  expect((await w.transfers()).map((one) => one.reason)).toEqual(['paused', 'paused', 'paused'])
})
