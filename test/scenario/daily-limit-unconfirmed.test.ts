// The daily upload limit where our own count of the day is wrong: unconfirmed uploads may count, and a clock
// that is set ahead makes the day's uploads look old.
import { expect, it } from 'vitest'
import { FOLDER } from '../world/world.ts'
import { openWorld } from './open-world.ts'

it('uploads whose responses were lost don’t exceed the daily limit', async () => {
  const w = await openWorld({
    limits: { dailyUploads: 10, dayTurnsAt: 'rolling' },
    faults: { rules: [{ on: 'upload', nth: [8, 9, 10], kinds: 'cut-after-store' }] },
  })
  for (let i = 0; i < 20; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
  await w.watch()
  await w.until(async () => (await w.transfers()).filter((t) => t.state === 'done').length === 10)
  await w.pass(60_000)
  expect(w.service.ledger.files()).toHaveLength(10)
  expect(w.service.requests.counts()['403']).toBeUndefined()
})

it('the daily limit isn’t exceeded after the clock was set ahead by more than a day', async () => {
  const start = Date.UTC(2026, 10, 20, 12, 0, 0)
  let mono = (): number => 0
  const w = await openWorld({
    now: () => start + mono(),
    limits: { dailyUploads: 10, dayTurnsAt: 'rolling' },
  })
  mono = () => w.clock.mono()
  for (let i = 0; i < 10; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
  await w.watch()
  await w.until(() => w.allSettled())
  await w.pass(60_000)
  w.clock.jumpWall(25 * 3_600_000)
  w.disk.write(`${FOLDER}/late.txt`, 'late')
  await w.pass(60_000)
  expect(await w.byName('late.txt')).toMatchObject({ state: 'waiting', reason: 'daily-uploads' })
  expect(w.service.requests.counts()['403']).toBeUndefined()
})

it('counts unconfirmed uploads in the figures as it does for the limit', async () => {
  const w = await openWorld({
    limits: { dailyUploads: 10, dayTurnsAt: 'rolling' },
    faults: { rules: [{ on: 'upload', nth: [8, 9, 10], kinds: 'cut-after-store' }] },
    dialect: { listLag: 'fixed', listLagMs: 20_000 },
  })
  for (let i = 0; i < 20; i++) w.disk.write(`${FOLDER}/file ${i}.txt`, `content ${i}`)
  await w.watch()
  let unconfirmed = 0
  for (let i = 0; i < 60; i++) {
    await w.pass(1000)
    const snapshot = await w.handlers.snapshot({})
    if (!snapshot.ok || snapshot.value.gate?.reason !== 'daily-uploads') continue
    const { counts, gate, dailyUploads } = snapshot.value
    if (counts.uploading > 0) continue
    unconfirmed += counts.unknown
    expect(gate.message).toContain(`${dailyUploads.used} of ${dailyUploads.limit} uploads a day are used.`)
    expect(await w.handlers.plan({ paths: [`${FOLDER}/file 19.txt`] })).toMatchObject({
      value: { now: 0, later: 1 },
    })
  }
  expect(unconfirmed).toBeGreaterThan(0)
})
