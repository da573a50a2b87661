// A large upload whose answer is lost with the process, and whose local file can't be read when the upload is
// looked up: what is stored must not be deleted as a mixture of two versions, only because the file couldn't
// be compared.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const FILE = `${FOLDER}/film.mov`
/** Larger than what is hashed before it is sent, so that only the local file shows what was sent. */
const CONTENT = 'f'.repeat(3 * 1024 * 1024)

const stored = (w: World): readonly number[] =>
  w.service.ledger.files().flatMap((file) => (file.deletedAt === null ? [file.fileId] : []))

const EARLIER = 30

/**
 * A world in which `film.mov` is stored, and whose process was killed before the answer came. `meanwhile`
 * runs before the next start.
 */
async function killedAfterStoring(meanwhile: (w: World) => void): Promise<World> {
  const w = await openWorld({}, { uploadAnswerMs: 60_000 })
  // Earlier uploads show how the service numbers, names and measures files, so that a listed one is
  // recognized without its bytes.
  for (let i = 0; i < EARLIER; i++) w.disk.write(`${FOLDER}/earlier ${i}.txt`, `${i}`.repeat(1000 + i))
  await w.watch()
  await w.until(() => w.allSettled())
  w.disk.write(FILE, CONTENT)
  await w.until(() => stored(w).length > EARLIER)
  await w.crash(() => meanwhile(w))
  expect(w.sql("SELECT sha256 FROM transfers WHERE name = 'film.mov'")).toEqual([{ sha256: null }])
  return w
}

it('is adopted once its folder can be reached again', async () => {
  const w = await killedAfterStoring((killed) => killed.disk.rename(FOLDER, '/unplugged'))
  const before = stored(w)
  await w.watch().catch(() => undefined)
  await w.pass(30 * 60_000)
  expect(stored(w)).toEqual(before)
  w.disk.rename('/unplugged', FOLDER)
  await w.until(async () => (await w.byName('film.mov'))?.state === 'done')
  expect(stored(w)).toEqual(before)
})

it('is adopted once its file can be read again', async () => {
  const w = await killedAfterStoring((killed) => killed.disk.deny(FILE, true))
  const before = stored(w)
  await w.watch()
  await w.pass(30 * 60_000)
  expect(stored(w)).toEqual(before)
  w.disk.deny(FILE, false)
  await w.until(async () => (await w.byName('film.mov'))?.state === 'done')
  expect(stored(w)).toEqual(before)
})

it('shows why another file with its name and size waits', async () => {
  const w = await killedAfterStoring((killed) => killed.disk.deny(FILE, true))
  await w.watch()
  w.disk.mkdir(`${FOLDER}/copy`)
  w.disk.write(`${FOLDER}/copy/film.mov`, 'g'.repeat(CONTENT.length))
  await w.pass(60_000)
  const copy = async () => (await w.transfers()).find((one) => one.path === join(FOLDER, 'copy/film.mov'))
  expect(await copy()).toMatchObject({ state: 'waiting', reason: 'earlier-upload' })
  w.disk.deny(FILE, false)
  await w.until(async () => (await copy())?.state === 'done')
  expect((await copy())?.reason).toBeNull()
})

it('is left alone by an engine that closes while it compares', async () => {
  const w = await killedAfterStoring((killed) =>
    killed.disk.onceRead(FILE, () => void killed.engine().close(0)),
  )
  const before = stored(w)
  await w.watch()
  await w.pass(60_000)
  await w.crash()
  await w.watch()
  await w.until(async () => (await w.byName('film.mov'))?.state === 'done')
  expect(stored(w)).toEqual(before)
})

it('is still deleted if its file has changed since, because the service may hold a mixture', async () => {
  const w = await killedAfterStoring((killed) => killed.disk.write(FILE, `${CONTENT}more`))
  const before = stored(w)
  await w.watch()
  await w.until(async () => (await w.byName('film.mov'))?.state === 'done')
  await w.until(() => stored(w).length === before.length)
  expect(stored(w)).not.toEqual(before)
})
