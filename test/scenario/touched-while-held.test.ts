// A file whose upload is held because its outcome is unknown: touching it doesn't send the same bytes again.
import { expect, it } from 'vitest'
import { FOLDER } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const HOUR_MS = 3_600_000

it('is not sent again without proof', async () => {
  const w = await openWorld({
    dialect: { listLag: 'fixed', listLagMs: 3 * HOUR_MS, ids: 'random', statsMembers: 'no-stats' },
    faults: { rules: [{ on: 'upload', nth: [1, 2], kinds: 'cut-after-store' }] },
  })
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
