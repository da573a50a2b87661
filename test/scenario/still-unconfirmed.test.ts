// Files whose upload stays unconfirmed for hours or days: what they hold up, and what becomes of newer
// versions of them.
import { readFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { createWorld, FOLDER, type World } from '../world/world.ts'

let world: World | null = null
let answerMs = 0
afterEach(async () => {
  answerMs = 0
  await world?.end()
  world = null
})

const HOUR_MS = 3_600_000

/**
 * An upload that the service stored, whose response a crash lost, and whose local file can't be read any
 * more.
 */
async function withUnreadable(dailyUploads: number, earlier: number): Promise<World> {
  const w = await createWorld(
    { limits: { dailyUploads, dayTurnsAt: 'rolling' } },
    {
      get uploadAnswerMs() {
        return answerMs
      },
    },
  )
  world = w
  for (let i = 0; i < earlier; i++) w.disk.write(`${FOLDER}/earlier ${i}.txt`, `${i}`.repeat(1000 + i))
  await w.watch()
  if (earlier > 0) await w.until(() => w.allSettled())
  answerMs = 1e12
  w.disk.write(`${FOLDER}/film.mov`, 'f'.repeat(3 * 1024 * 1024))
  await w.until(() => w.service.ledger.files().length > earlier)
  answerMs = 0
  await w.crash(() => w.disk.deny(`${FOLDER}/film.mov`, true))
  await w.watch()
  await w.pass(60_000)
  expect(await w.byName('film.mov')).toMatchObject({ state: 'unknown' })
  return w
}

it('one of them counts against the daily limit for a day, not forever', async () => {
  const w = await withUnreadable(1, 0)
  w.disk.write(`${FOLDER}/late.txt`, 'late')
  await w.pass(HOUR_MS)
  expect(await w.byName('late.txt')).toMatchObject({ state: 'waiting', reason: 'daily-uploads' })
  for (let i = 0; i < 25; i++) await w.pass(HOUR_MS)
  expect(await w.byName('late.txt')).toMatchObject({ state: 'done' })
  expect(w.service.requests.counts()['403']).toBeUndefined()
})

it('the wait for the daily limit has the same end in every view', async () => {
  const w = await withUnreadable(20, 19)
  w.disk.write(`${FOLDER}/late.txt`, 'late')
  await w.pass(10 * 60_000)
  const got = await w.answered(w.handlers.snapshot({}))
  const until = got.ok ? (got.value.gate?.until ?? 0) : 0
  expect(got).toMatchObject({ value: { gate: { reason: 'daily-uploads' } } })
  expect(until - w.clock.now()).toBeGreaterThan(60_000)
  expect((await w.byName('late.txt'))?.until).toBe(until)
})

/** A file whose upload is held after two lost responses. */
async function withHeld(onChange: 'new-link' | 'ignore'): Promise<World> {
  const w = await createWorld({
    dialect: { listLag: 'fixed', listLagMs: 3 * HOUR_MS, ids: 'random', statsMembers: 'no-stats' },
    faults: { rules: [{ on: 'upload', nth: [1, 2], kinds: 'cut-after-store' }] },
  })
  world = w
  w.disk.write(`${FOLDER}/lost.txt`, 'lost')
  await w.watch({ onChange })
  await w.until(() => w.allSettled(), 1)
  expect(await w.byName('lost.txt')).toMatchObject({ state: 'held', reason: 'unconfirmed' })
  return w
}

function isStored(w: World, text: string): boolean {
  const paths = w.service.ledger.live().flatMap((file) => w.service.blobPath(file.fileId) ?? [])
  return paths.some((path) => readFileSync(path, 'utf8') === text)
}

it.each(['until it can be read again', 'until a crash'])(
  'a new version of the same size that can’t be read %s is uploaded',
  async (when) => {
    const w = await withHeld('new-link')
    w.disk.write(`${FOLDER}/lost.txt`, 'tsol')
    w.disk.deny(`${FOLDER}/lost.txt`, true)
    await w.pass(10_000)
    if (when === 'until a crash') {
      await w.crash(() => w.disk.deny(`${FOLDER}/lost.txt`, false))
      await w.watch()
    } else {
      await w.pass(30 * 60_000)
      w.disk.deny(`${FOLDER}/lost.txt`, false)
    }
    await w.pass(HOUR_MS)
    expect(isStored(w, 'tsol')).toBe(true)
  },
)

it('a folder that ignores changes sends the newest bytes of a file that was never confirmed', async () => {
  const w = await withHeld('ignore')
  w.disk.write(`${FOLDER}/lost.txt`, 'tsol')
  await w.pass(HOUR_MS)
  expect(isStored(w, 'tsol')).toBe(true)
})

it('an approved secret that changes while it is held needs approval again', async () => {
  const w = await createWorld({
    dialect: { listLag: 'fixed', listLagMs: 3 * HOUR_MS, ids: 'random', statsMembers: 'no-stats' },
    faults: { rules: [{ on: 'upload', nth: [1, 2], kinds: 'cut-after-store' }] },
  })
  world = w
  const path = `${FOLDER}/.env`
  const written = w.clock.now()
  w.disk.write(path, 'A=1')
  w.disk.setMtime(path, written)
  await w.watch()
  await w.until(async () => (await w.byName('.env'))?.reason === 'secret')
  await w.handlers.release({ ids: (await w.transfers()).map((t) => t.id) })
  await w.until(async () => (await w.byName('.env'))?.reason === 'unconfirmed')
  w.disk.write(path, 'B=2')
  w.disk.setMtime(path, written)
  await w.pass(HOUR_MS)
  expect(isStored(w, 'B=2')).toBe(false)
  expect(await w.byName('.env')).toMatchObject({ state: 'held', reason: 'secret' })
})
