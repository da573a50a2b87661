// A day of background work for a large account: refreshing the list, and looking up lost uploads that may
// still turn up. Tests how many requests that takes, that uploads take priority, and that it ends.
import { describe, expect, it } from 'vitest'
import { share } from '../tools/share.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const SECOND = 1000
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const STORED = share(20_000, 100_000)

async function open(stored: number): Promise<World> {
  return openWorld({ storage: 'discard', stored }, { isSteady: true })
}
/** Number of requests that reached the service between two times, of one kind or of all. */
function between(w: World, since: number, until: number, endpoint?: string): number {
  return w.service.requests
    .list()
    .filter(
      (one) => one.at >= since && one.at < until && (endpoint === undefined || one.endpoint === endpoint),
    ).length
}

async function drop(w: World, name: string): Promise<void> {
  w.disk.write(`${FOLDER}/${name}`, `content of ${name}`)
  await w.handlers.upload({ paths: [`${FOLDER}/${name}`], again: false, token: name })
}

async function readWholeList(w: World): Promise<void> {
  await w.handlers.presence({ person: true })
  const ask = () => w.list({ limit: 100, fresh: 'cache' })
  await w.until(async () => {
    const got = await ask()
    return got.ok && got.value.reading === undefined && got.value.asOf !== null
  })
}

describe(`an account with ${STORED} remote files`, () => {
  it('reads at most one page a minute while little changes, and looks up 2,000 lost uploads within the allowance', async () => {
    const w = await open(STORED)
    await drop(w, 'a.txt')
    await readWholeList(w)
    await w.handlers.presence({ person: false })
    for (let hour = 0; hour < 4; hour++) {
      const from = w.clock.now()
      w.service.plant({ filename: `from elsewhere ${hour}.zip` })
      await w.pass(HOUR)
      expect(between(w, from, w.clock.now(), 'list')).toBeLessThanOrEqual(60)
    }

    const id = (await w.byName('a.txt'))?.id ?? 0
    const began = w.clock.now()
    w.sql(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       INSERT INTO doubts (transfer_id, name, size, sha256, mark, above, server, opened_at, until, next_at)
       SELECT ${id}, 'lost ' || i, 500000000 + i, 'hash', 1, NULL, NULL, ${began}, ${began + 24 * HOUR}, ${began} FROM n`,
    )
    await w.crash()
    await w.pass(20 * MINUTE)
    expect(w.sql('SELECT id FROM doubts WHERE looks < 2')).toEqual([])
    const dropped = w.clock.now()
    await drop(w, 'b.txt')
    await w.pass(10 * SECOND)
    const [sent] = w.service.requests.list().filter((one) => one.endpoint === 'upload' && one.at >= dropped)
    expect((sent?.at ?? Number.POSITIVE_INFINITY) - dropped).toBeLessThanOrEqual(2 * SECOND)
    await w.pass(24 * HOUR)
    expect(w.sql('SELECT id FROM doubts')).toEqual([])
    // Less than one request a minute, and none too many.
    expect(between(w, began, w.clock.now())).toBeLessThanOrEqual(24 * 60)
    expect(w.service.requests.list().filter((one) => one.status === 429)).toEqual([])
  }, 600_000)
})
