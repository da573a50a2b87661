// A journal that temporarily can't be written to: everything is written later, and the program keeps running.
// If there is no space for a newer version's tables, the journal stays unchanged.
import { execFile } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { migrations } from '../../src-main/engine/journal/schema.ts'
import { ROOT } from '../tools/tree.ts'
import { FOLDER, type World } from '../world/world.ts'
import { createPlace, inWorld } from './cli-process.ts'
import { openWorld } from './open-world.ts'

it.each([
  ['new versions', 'BEFORE INSERT ON transfers'],
  ['what a look at the folder finds', 'BEFORE INSERT ON files'],
  ['what was taken up', 'BEFORE UPDATE ON files'],
  ['states', 'BEFORE UPDATE ON transfers'],
  ['spent requests', 'BEFORE INSERT ON requests'],
  ['what the service has told', 'BEFORE INSERT ON remote'],
])('that refuses %s for a minute loses none of them', async (_name, when) => {
  const w = await openWorld({ plan: 'enterprise' })
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

/** Runs `during` while the journal refuses one kind of write, and for a minute after that. */
async function refusing(w: World, when: string, during: () => Promise<void> | void): Promise<void> {
  w.sql(`CREATE TRIGGER full_disk ${when} BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`)
  await during()
  await w.pass(60_000)
  w.sql('DROP TRIGGER full_disk')
}

const FIRST = `${FOLDER}/first.txt`

async function withFirst(): Promise<World> {
  const w = await openWorld({ plan: 'enterprise' })
  await w.watch()
  w.disk.write(FIRST, 'first')
  await w.until(() => w.allSettled())
  await w.pass(60_000)
  return w
}

it("that refuses the plan's figures doesn't keep them from being returned, and they are stored later", async () => {
  const w = await withFirst()
  let asked = 0
  await refusing(w, "BEFORE INSERT ON meta WHEN NEW.key = 'stats'", async () => {
    asked = w.clock.now()
    expect(await w.handlers.stats({})).toMatchObject({ ok: true })
  })
  await w.pass(10_000)
  const stored = JSON.parse(String(w.sql("SELECT value FROM meta WHERE key = 'stats'")[0]?.['value'])) as {
    readonly at: number
  }
  expect(stored.at).toBeGreaterThanOrEqual(asked)
})

it('that refuses the result of a comparison causes it to be repeated', async () => {
  const w = await withFirst()
  await refusing(w, 'BEFORE UPDATE ON files', () => w.disk.chmod(FIRST))
  await w.pass(60_000)
  const entry = w.disk.peek(FIRST)
  expect(w.sql("SELECT ctime FROM files WHERE name = 'first.txt'")).toEqual([
    { ctime: typeof entry === 'string' ? null : entry.entry.ctime },
  ])
  expect(w.service.ledger.files()).toHaveLength(1)
})

it('that refuses a mapped file’s outcome records it later', async () => {
  const w = await withFirst()
  w.disk.write(FIRST, 'First')
  w.disk.mapped.add(FIRST)
  await w.until(async () => (await w.transfers()).length === 2 && (await w.allSettled()))
  await w.pass(2000)
  await refusing(w, 'BEFORE UPDATE ON files', async () => {
    w.disk.poke(FIRST, 'fIRST', false)
    w.disk.mapped.delete(FIRST)
    await w.pass(30_000)
  })
  await w.until(async () => (await w.transfers()).length === 3 && (await w.allSettled()))
  expect(w.service.ledger.live()).toHaveLength(3)
})

it('that refuses to record a deletion uses no rate limit, and the file is deleted later', async () => {
  const w = await withFirst()
  const used = async (): Promise<number> => {
    const got = await w.handlers.snapshot({})
    return got.ok ? got.value.minute.used : Number.NaN
  }
  await w.until(async () => (await used()) === 0)
  await refusing(w, 'BEFORE UPDATE ON removals', async () => {
    await w.handlers.remove({ selectors: [FIRST] }).catch(() => undefined)
    expect(await used()).toBe(0)
  })
  await w.until(() => w.service.ledger.live().length === 0)
  await w.until(async () => (await used()) === 0)
})

it('that refuses to record a file’s hash causes another comparison, but not continuously', async () => {
  const w = await openWorld({ plan: 'enterprise' })
  w.service.plant({ filename: 'other.txt', bytes: Buffer.from('other') })
  w.disk.write(FIRST, 'first')
  await w.pass(60_000)
  await refusing(w, 'BEFORE UPDATE OF sha256 ON transfers', async () => {
    await w.watch()
    await w.pass(60_000)
    expect(w.disk.opened()).toBeLessThan(10)
  })
  await w.until(() => w.allSettled())
  expect(w.service.ledger.live()).toHaveLength(2)
})

it.skipIf(process.platform === 'win32')(
  'that has no room for its new tables is neither damaged nor set aside',
  async () => {
    const place = createPlace()
    try {
      mkdirSync(place.data, { mode: 0o700 })
      const db = new DatabaseSync(join(place.data, 'journal.db'))
      for (const name of ['fold', 'file_kind', 'date_ms']) db.function(name, (value) => value)
      const done = migrations.length - 4
      db.exec(
        `PRAGMA journal_mode = WAL; ${migrations.slice(0, done).join('')} PRAGMA user_version = ${done}`,
      )
      for (let i = 0; i < 400; i++) db.exec(`INSERT INTO meta VALUES ('filler ${i}', '${'x'.repeat(400)}')`)
      db.close()
      // No file of this process may grow beyond 40 KiB. The system reports that as an error instead of sending
      // a signal.
      const line = `trap '' XFSZ; ulimit -f 40; exec '${process.execPath}' '${join(ROOT, 'src-main/cli/main.ts')}' status`
      const { PATH } = process.env
      const env = {
        PATH,
        HOME: place.home,
        SLIPWAY_BASE_URL: 'http://127.0.0.1:9',
        SLIPWAY_API_KEY: place.key,
        SLIPWAY_DATA_DIR: place.data,
      }
      const err = await new Promise<string>((resolve) => {
        execFile('bash', ['-c', line], { env }, (_error, _out, text) => resolve(text))
      })
      expect(err).toContain("Couldn't write to disk")
      expect(readdirSync(place.data).filter((name) => name.includes('corrupt'))).toEqual([])
    } finally {
      place.remove()
    }
  },
)

it('that allows no writing is reported once, as such', () =>
  inWorld(async (place, { url }) => {
    const path = place.write('a.txt', 'a')
    expect((await place.run(['upload', path], { url })).code).toBe(0)
    // A higher write version in the header makes SQLite treat the file as read-only, also for root.
    const journal = openSync(join(place.data, 'journal.db'), 'r+')
    writeSync(journal, Buffer.of(3), 0, 1, 18)
    closeSync(journal)
    const { code, err } = await place.run(['upload', path], { url })
    expect(code).toBe(1)
    expect(err.split('\n').filter((line) => line.startsWith('slipway: '))).toEqual([
      `slipway: Couldn't write to disk: no writing is allowed in ${place.data}.`,
    ])
  }))
