// Little left of the day's uploads, against the reference service: told within a minute, once for each level, and not
// again after a restart.
import { expect, it } from 'vitest'
import type { World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const told = (w: World): readonly string[] =>
  w.events.flatMap((event) =>
    event.kind === 'notice' && event.about?.what === 'near-limit' ? [event.title] : [],
  )

it('each level is told once, also across a restart', async () => {
  const w = await openWorld({ limits: { dailyUploads: 20 } })
  await w.watch()
  const upload = async (count: number): Promise<void> => {
    const done = w.service.ledger.files().length
    for (let n = 0; n < count; n++) await w.upload(`${done + n}.txt`, `file ${done + n}`)
    await w.until(() => w.allSettled())
    await w.pass(90_000)
  }
  await upload(15)
  expect(told(w)).toEqual([])
  await upload(1)
  expect(told(w)).toEqual(["80% of today's uploads used"])
  const got = await w.handlers.snapshot({})
  expect(got.ok && got.value.near).toEqual([{ limit: 'uploads', percent: 80 }])
  await w.crash()
  await upload(1)
  expect(told(w)).toHaveLength(1)
  await upload(1)
  expect(told(w).slice(1)).toEqual(["90% of today's uploads used"])
  await w.crash()
  await w.pass(180_000)
  expect(told(w)).toHaveLength(2)
})
