// A deletion that is queued while another one waits an hour for its retry.
import { expect, it } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

async function withStuck(): Promise<World> {
  const w = await openWorld({
    faults: {
      rules: [{ on: 'delete', nth: [1, 2, 3, 4, 5], kinds: { kind: 'error-before-store', status: 500 } }],
    },
  })
  await w.watch()
  await w.upload('a.txt', 'number a')
  await w.upload('b.txt', 'number b')
  const asked = await w.answered(
    w.handlers.remove({ selectors: [`${FOLDER}/a.txt`], which: 'all', later: true }),
  )
  expect(asked).toMatchObject({ value: [{ outcome: 'queued' }] })
  await w.until(() => w.service.requests.list().filter((one) => one.endpoint === 'delete').length === 5, 2)
  await w.pass(5000)
  return w
}

it('is sent at once', async () => {
  const w = await withStuck()
  await w.answered(w.handlers.remove({ selectors: [`${FOLDER}/b.txt`], which: 'all', later: true }))
  await w.pass(30 * 60_000)
  const id = (await w.byName('b.txt'))?.fileId
  expect(w.service.ledger.live().map((file) => file.filename)).toEqual(['a.txt'])
  expect(id).not.toBe(null)
})

it('is sent once the connection is back', async () => {
  const w = await withStuck()
  await w.service.goAway()
  const got = await w.answered(
    w.handlers.remove({ selectors: [`${FOLDER}/b.txt`], which: 'all', later: false }),
  )
  expect(got).toMatchObject({ value: [{ outcome: 'queued' }] })
  await w.service.comeBack()
  await w.pass(30 * 60_000)
  expect(w.service.ledger.live().map((file) => file.filename)).toEqual(['a.txt'])
})
