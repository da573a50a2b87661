// A file that is saved again and again: the journal forgets its replaced versions after a month, and
// everything else stays as it was.
import { expect, it } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const DAY_MS = 86_400_000
const VERSIONS = 12

function liveNames(w: World): readonly string[] {
  const names = w.service.ledger.live().map((one) => one.filename)
  return names.toSorted()
}

const count = (w: World, table: string): number =>
  Number(w.sql(`SELECT count(*) AS n FROM ${table}`)[0]?.['n'])

it('replaced versions are forgotten after a month; the newest keeps its link, and no file is sent again', async () => {
  const w = await openWorld()
  w.disk.write(`${FOLDER}/kept.txt`, 'kept')
  await w.watch({ onChange: 'replace' })
  for (let version = 0; version < VERSIONS; version++) {
    w.disk.write(`${FOLDER}/log.txt`, 'x'.repeat(version + 1))
    w.disk.write(`${FOLDER}/temporary-${version}.txt`, '')
    await w.pass(100)
    w.disk.remove(`${FOLDER}/temporary-${version}.txt`)
    await w.pass(60_000)
    await w.until(() => w.allSettled())
  }
  const [log, kept] = [await w.byName('log.txt'), await w.byName('kept.txt')]
  expect(liveNames(w)).toEqual(['kept.txt', 'log.txt'])
  const uploads = w.service.ledger.files().length
  await w.pass(2 * 3_600_000)
  expect(w.sql("SELECT id FROM transfers WHERE ended = 'replaced'")).toHaveLength(VERSIONS - 1)

  w.clock.jumpWall(31 * DAY_MS)
  await w.pass(26 * 3_600_000)
  expect([count(w, 'transfers'), count(w, 'transfer_names'), count(w, 'remote')]).toEqual([2, 2, 2])
  expect((await w.byName('log.txt'))?.publicLink).toBe(log?.publicLink)
  expect((await w.byName('kept.txt'))?.publicLink).toBe(kept?.publicLink)

  // Neither a restart nor an earlier content is confused by what was forgotten.
  await w.crash()
  await w.pass(60_000)
  expect(w.service.ledger.files()).toHaveLength(uploads)
  w.disk.write(`${FOLDER}/log.txt`, 'x')
  await w.pass(60_000)
  await w.until(() => w.allSettled())
  expect(w.service.ledger.files()).toHaveLength(uploads + 1)
  expect(liveNames(w)).toEqual(['kept.txt', 'log.txt'])
  const audit = await w.handlers.audit({ path: FOLDER, rescan: true })
  expect(audit.ok && audit.value.sums).toMatchObject({ seen: 2, uploaded: 2 })
})
