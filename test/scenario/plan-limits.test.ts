// What a plan allows, and how it is displayed: daily uploads are counted even without a known limit (not displayed as "0 used"), a file
// refused without a reason isn't retried every few minutes, and `plan` accepts an empty folder. Runs in the simulated world.
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

it('plans an empty folder as nothing to upload, and refuses a path that is not there', async () => {
  const w = await createWorld({ plan: 'enterprise' })
  try {
    const empty = await w.engine().handlers.plan({ paths: [FOLDER] })
    expect(empty).toMatchObject({ ok: true, value: { files: 0, now: 0 } })
    const missing = await w.engine().handlers.plan({ paths: [`${FOLDER}/none`] })
    expect(missing).toMatchObject({ ok: false, failure: { code: 'not-found' } })
  } finally {
    await w.end()
  }
})
