// A list that is late while the wall clock is set: an upload that is seconds old then looks hours old, but
// still exists.
import { describe, expect, it } from 'vitest'
import { FOLDER, KEY, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const START = Date.UTC(2026, 10, 20, 12, 0, 0)
const QUERY = { search: '', sort: 'name', descending: false, offset: 0, limit: 10, fresh: 'need' } as const

/** A service whose own clock isn't changed, and whose list is five minutes late. */
async function uploaded(names: readonly string[]): Promise<World> {
  let mono = (): number => 0
  const w = await openWorld({
    plan: 'enterprise',
    now: () => START + mono(),
    dialect: { dateForm: 'missing', listLag: 'fixed', listLagMs: 5 * MINUTE },
  })
  mono = () => w.clock.mono()
  for (const name of names) w.disk.write(`${FOLDER}/${name}`, name)
  await w.watch()
  if (names.length > 0) await w.until(() => w.allSettled(), 0.1)
  return w
}

async function listed(w: World): Promise<unknown> {
  const got = await w.answered(w.handlers.catalog(QUERY))
  return got.ok ? got.value.rows.map((row) => row.filename) : got.failure
}

describe('an upload that a delayed list doesn’t show yet isn’t mistaken for deleted', () => {
  it('after the clock was set back, the program crashed, and the clock was corrected', async () => {
    const w = await uploaded([])
    w.clock.jumpWall(-5 * HOUR)
    w.disk.write(`${FOLDER}/one.txt`, 'one')
    await w.until(async () => (await w.byName('one.txt'))?.state === 'done', 0.1)
    await w.crash()
    w.clock.jumpWall(3 * HOUR)
    await w.pass(1000)
    expect(await listed(w)).toEqual(['one.txt'])
    expect(w.sql('SELECT ended FROM transfers')).toEqual([{ ended: null }])
  })

  it('after the clock was set forward while the program ran', async () => {
    const w = await uploaded(['one.txt'])
    w.clock.jumpWall(5 * HOUR)
    expect(await listed(w)).toEqual(['one.txt'])
  })
})

describe('an upload that was deleted elsewhere before any list showed it', () => {
  it('disappears once the clock has run steadily for ten minutes', async () => {
    const w = await uploaded([])
    w.clock.jumpWall(-5 * HOUR)
    w.disk.write(`${FOLDER}/one.txt`, 'one')
    await w.until(async () => (await w.byName('one.txt'))?.state === 'done', 0.1)
    const [row] = w.sql('SELECT file_id FROM transfers')
    const answer = await fetch(`${w.service.url}/files/${Number(row?.['file_id'])}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${KEY}` },
    })
    expect(answer.status).toBe(200)
    await w.crash()
    await w.pass(11 * MINUTE)
    expect(await listed(w)).toEqual([])
    expect(w.sql("SELECT 1 FROM meta WHERE key = 'clock-set'")).toEqual([])
  })
})
