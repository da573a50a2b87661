// What a plan that names no limit does: the uploads of the day are counted all the same (nobody should read "0 used" after an hour of uploads), and a
// file that is refused without a reason is not sent again every few minutes. The simulated world; the reference service names its plan only.
import { expect, it } from 'vitest'
import { dialects } from '../service/dialect.ts'
import { createWorld, FOLDER } from '../world/world.ts'

it('counts the uploads of the day without a limit', async () => {
  const w = await createWorld({ plan: 'enterprise', dialect: dialects['stats with the plan only'] })
  try {
    for (let i = 0; i < 12; i++) w.disk.write(`${FOLDER}/${i}.txt`, `content ${i}`)
    await w.watch()
    await w.until(() => w.allSettled())
    const snapshot = await w.engine().handlers.snapshot({})
    expect(snapshot.ok && snapshot.value.dailyUploads).toMatchObject({ limit: null, used: 12 })
  } finally {
    await w.end()
  }
})

it('sends a file that the service refuses without a reason about once an hour, however many others it accepts', async () => {
  const w = await createWorld({ plan: 'enterprise', dialect: { maxFileSize: 'missing' } })
  try {
    w.service.setLimits({ maxFileSize: 100_000 })
    w.disk.write(`${FOLDER}/large.bin`, 'x'.repeat(150_000))
    await w.watch()
    for (let i = 0; i < 12 * 12; i++) {
      w.disk.write(`${FOLDER}/small ${i}.txt`, `content ${i}`)
      await w.pass(5 * 60_000)
    }
    expect(await w.byName('large.bin')).toMatchObject({ state: 'waiting', reason: 'limit' })
    const refused = w.service.requests.counts()['403'] ?? 0
    expect(refused).toBeGreaterThan(3)
    expect(refused).toBeLessThan(20)
  } finally {
    await w.end()
  }
})
