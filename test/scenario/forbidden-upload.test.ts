// A large file whose upload is refused, and that changes or disappears while the statistics are read to find
// out why: the verdict applies only to the version that was refused.
import { expect, it } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const FILE = `${FOLDER}/export.bin`
/** Until a receipt has shown in which unit the service counts, a file isn't held without asking. */
const MAX = 12_000_000

/** Refuses `export.bin` and runs `meanwhile` while the diagnosis waits for the statistics. */
async function refused(meanwhile: (w: World) => unknown): Promise<World> {
  let answered: PromiseWithResolvers<void> | null = null
  const w = await openWorld(
    { plan: 'enterprise', limits: { maxFileSize: MAX } },
    {
      onAnswer: (request) => {
        if (request !== 'stats' || w.service.requests.counts()['403'] === undefined || answered !== null)
          return undefined
        answered = Promise.withResolvers()
        return answered.promise
      },
    },
  )
  w.disk.write(FILE, Buffer.alloc(2 * MAX, 1))
  await w.watch()
  await w.until(() => answered !== null)
  await meanwhile(w)
  await w.pass(1000)
  ;(answered as PromiseWithResolvers<void> | null)?.resolve()
  await w.pass(60_000)
  return w
}

it('is held as too big if it hasn’t changed', async () => {
  const w = await refused(() => undefined)
  expect(await w.byName('export.bin')).toMatchObject({ state: 'held', reason: 'too-big' })
})

it('is sent if it has been exported again, smaller', async () => {
  const w = await refused(({ disk }) => disk.write(FILE, 'small'))
  expect(await w.byName('export.bin')).toMatchObject({ state: 'done' })
  expect(w.service.ledger.live()).toMatchObject([{ size: 'small'.length }])
})

it('stays gone if it has been deleted', async () => {
  const w = await refused(({ disk }) => disk.remove(FILE))
  expect(await w.byName('export.bin')).toMatchObject({ state: 'gone' })
})

it('stays cancelled if a rule ignores it now', async () => {
  const w = await refused(({ disk }) => disk.write(`${FOLDER}/.slipwayignore`, '*.bin'))
  expect(await w.byName('export.bin')).toMatchObject({ state: 'cancelled' })
})
