// What a file costs must not grow with the number of files: no query that runs once per file reads a whole table.
import { StatementSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import { memoryJournal } from '../unit/engine/journal/memory-journal.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const FILES = 40
const GROWING = /^SCAN (?:transfers|files|remote|remote_bytes|doubts|file_ids|removals|pulse|put_away)\b/

it('asks no query that reads a whole table once per uploaded, changed, linked or deleted file', async () => {
  const runs = new Map<string, number>()
  for (const method of ['get', 'all', 'run', 'iterate'] as const) {
    const original = StatementSync.prototype[method] as (...bind: unknown[]) => unknown
    vi.spyOn(StatementSync.prototype, method).mockImplementation(function (
      this: StatementSync,
      ...bind: unknown[]
    ) {
      runs.set(this.sourceSQL, (runs.get(this.sourceSQL) ?? 0) + 1)
      return original.apply(this, bind) as never
    })
  }
  const w = await openWorld({ plan: 'enterprise' })
  const path = (n: number): string => `${FOLDER}/${n}.txt`
  for (let n = 0; n < FILES; n++) w.disk.write(path(n), `file ${n}`)
  await w.watch()
  await w.until(() => w.allSettled())
  for (let n = 0; n < FILES; n++) w.disk.write(path(n), `file ${n}, changed`)
  await w.until(
    async () => (await w.transfers()).filter(({ state }) => state === 'done').length === 2 * FILES,
  )
  for (let n = 0; n < FILES; n++) await valueOf(w.answered(w.handlers.links({ selectors: [path(n)] })))
  const rows = (await w.transfers()).filter(({ state }) => state === 'done')
  const links = rows.slice(0, FILES).map(({ publicLink }) => publicLink ?? '')
  for (const link of links) await valueOf(w.answered(w.handlers.remove({ selectors: [link] })))
  vi.restoreAllMocks()
  expect(w.service.ledger.live()).toHaveLength(FILES)

  const db = memoryJournal()
  const partial = db.all("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '% WHERE %'")
  const scans = [...runs]
    .filter(([sql, count]) => count >= FILES && /^\s*(?:SELECT|UPDATE|DELETE|INSERT|WITH)\b/.test(sql))
    .flatMap(([sql]) =>
      db
        .all(`EXPLAIN QUERY PLAN ${sql}`, ...Array.from({ length: sql.split('?').length - 1 }, () => 1))
        .map(({ detail }) => ({ sql, detail: String(detail) })),
    )
    .filter(({ detail }) => GROWING.test(detail))
    .filter(({ detail }) => !partial.some(({ name }) => detail.endsWith(`INDEX ${String(name)}`)))
  db.close()
  expect(scans).toEqual([])
})
