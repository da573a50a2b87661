// The journal's log is synced through a separate descriptor beside SQLite's. SQLite's locks must survive
// that, and a log that doesn't exist yet or was emptied by a checkpoint needs no special handling.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it } from 'vitest'
import { createFileSync } from '../../../src-main/platform/data/file-sync.ts'
import { tempFolder } from '../../world/temp-folder.ts'

let home = ''
beforeEach(() => {
  home = tempFolder()
})

it('syncs a log that is not there, grows, and is emptied', async () => {
  const file = join(home, 'a.db')
  const sync = createFileSync()
  await sync.sync(`${file}-wal`)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)')
  await Promise.all([sync.sync(`${file}-wal`), sync.sync(`${file}-wal`)])
  db.exec('INSERT INTO t VALUES (1); PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES (2)')
  await expect(sync.sync(`${file}-wal`)).resolves.toBeUndefined()
  sync.close()
  await expect(sync.sync(`${file}-wal`)).resolves.toBeUndefined()
  db.close()
})

it("leaves SQLite's locks in place when its descriptor is closed", async () => {
  const file = join(home, 'a.db')
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)')
  const sync = createFileSync()
  await sync.sync(`${file}-wal`)
  sync.close()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const other = `import { DatabaseSync } from 'node:sqlite'
    const db = new DatabaseSync(${JSON.stringify(file)}, { timeout: 0 })
    try { db.exec('BEGIN IMMEDIATE'); console.log('free') } catch (error) { console.log(error.message) }`
  expect(
    spawnSync(process.execPath, ['--input-type=module', '-e', other], { encoding: 'utf8' }).stdout,
  ).toContain('database is locked')
  db.exec('COMMIT')
  db.close()
})
