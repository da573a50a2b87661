// Copies of the journal's write-ahead log, which contains what the journal's file doesn't have yet.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { APPLICATION_ID } from '../../../../src-main/engine/journal/schema.ts'
import { secretByContent } from '../../../../src-main/engine/rules/secrets.ts'

it.each([
  ['its own log', APPLICATION_ID, { rule: "Slipway's own data" }],
  ["another program's log", 1, null],
])('holds a copy of %s as what it is', (_what, id, expected) => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-own-files-'))
  const db = new DatabaseSync(join(dir, 'x.db'))
  db.exec(
    `PRAGMA application_id = ${id}; PRAGMA journal_mode = WAL; CREATE TABLE one (a); INSERT INTO one VALUES (1)`,
  )
  const log = readFileSync(join(dir, 'x.db-wal'))
  db.close()
  rmSync(dir, { recursive: true })
  expect(secretByContent(log, 'copy.bin')).toEqual(expected)
})
