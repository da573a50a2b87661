// A file whose upload is held because its outcome is unknown: touching it doesn't send the same bytes again.
import { afterEach, expect, it } from 'vitest'
import { createWorld, FOLDER, type World } from '../world/world.ts'

let world: World | null = null
afterEach(async () => {
  await world?.end()
  world = null
})

const HOUR_MS = 3_600_000

it('is not sent again without proof', async () => {
  const w = await createWorld({
    dialect: { listLag: 'fixed', listLagMs: 3 * HOUR_MS, ids: 'random', statsMembers: 'no-stats' },
    faults: { rules: [{ on: 'upload', nth: [1, 2], kinds: 'cut-after-store' }] },
  })
  world = w
  w.disk.write(`${FOLDER}/lost.txt`, 'lost')
  await w.watch()
  await w.until(() => w.allSettled(), 1)
  expect(await w.byName('lost.txt')).toMatchObject({ state: 'held', reason: 'unconfirmed' })
  const uploads = (): number => w.service.requests.list().filter((one) => one.endpoint === 'upload').length
  expect(uploads()).toBe(2)
  w.disk.write(`${FOLDER}/lost.txt`, 'lost')
  await w.pass(10 * 60_000)
  expect(uploads()).toBe(2)
})
