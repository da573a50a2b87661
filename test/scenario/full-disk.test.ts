// A journal that temporarily can't be written to: everything is written later, and the program keeps running.
// If there is no space for a newer version's tables, the journal stays unchanged.
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it } from 'vitest'
import { migrations } from '../../src-main/engine/journal/schema.ts'
import { ROOT } from '../tools/tree.ts'
import { createWorld, FOLDER, type World } from '../world/world.ts'
import { createPlace } from './cli-process.ts'

let world: World | null = null
afterEach(async () => {
  await world?.end()
  world = null
})

it.each([
  ['new versions', 'BEFORE INSERT ON transfers'],
  ['what a look at the folder finds', 'BEFORE INSERT ON files'],
  ['what was taken up', 'BEFORE UPDATE ON files'],
  ['states', 'BEFORE UPDATE ON transfers'],
  ['spent requests', 'BEFORE INSERT ON requests'],
  ['what the service has told', 'BEFORE INSERT ON remote'],
])('that refuses %s for a minute loses none of them', async (_name, when) => {
  const w = await createWorld({ plan: 'enterprise' })
  world = w
  await w.watch()
  w.disk.write(`${FOLDER}/first.txt`, 'first')
  await w.until(() => w.allSettled())
  w.sql(`CREATE TRIGGER full_disk ${when} BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`)
  for (let i = 0; i < 5; i++) w.disk.write(`${FOLDER}/${i}.txt`, `content ${i}`)
  await w.pass(60_000)
  w.sql('DROP TRIGGER full_disk')
  await w.until(async () => (await w.transfers()).filter((t) => t.state === 'done').length === 6, 3)
  expect(w.service.ledger.files().length).toBe(6)
})

it.skipIf(process.platform === 'win32')('that has no room for its new tables is neither damaged nor set aside', async () => {
  const place = createPlace()
  try {
    mkdirSync(place.data, { mode: 0o700 })
    const db = new DatabaseSync(join(place.data, 'journal.db'))
    for (const name of ['fold', 'file_kind', 'date_ms']) db.function(name, (value) => value)
    const done = migrations.length - 4
    db.exec(`PRAGMA journal_mode = WAL; ${migrations.slice(0, done).join('')} PRAGMA user_version = ${done}`)
    for (let i = 0; i < 400; i++) db.exec(`INSERT INTO meta VALUES ('filler ${i}', '${'x'.repeat(400)}')`)
    db.close()
    // No file of this process may grow beyond 40 KiB. The system reports that as an error instead of sending a signal.
    const line = `trap '' XFSZ; ulimit -f 40; exec '${join(ROOT, 'node_modules/.bin/node')}' '${join(ROOT, 'src-main/cli/main.ts')}' status`
    const { PATH } = process.env
    const env = { PATH, HOME: place.home, SLIPWAY_BASE_URL: 'http://127.0.0.1:9', SLIPWAY_API_KEY: place.key, SLIPWAY_DATA_DIR: place.data }
    const err = await new Promise<string>((resolve) => {
      execFile('bash', ['-c', line], { env }, (_error, _out, text) => resolve(text))
    })
    expect(err).toContain("Couldn't write to disk")
    expect(readdirSync(place.data).filter((name) => name.includes('corrupt'))).toEqual([])
  } finally {
    place.remove()
  }
})
