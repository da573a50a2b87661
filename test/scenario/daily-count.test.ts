// The day's uploads are counted where the plan names no limit as well: nobody should read "0 used" after an hour of uploads.
// The simulated world; the reference service names its plan only.
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
