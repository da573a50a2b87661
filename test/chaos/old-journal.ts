// Converts a journal to the first version of its tables, with a few thousand old rows, so that the next start
// has to migrate it. All data known to the first version is kept row by row; the migration has to add the
// rest.
import { chownSync, renameSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { migrations } from '../../src-main/engine/journal/schema.ts'

/** Tables that triggers fill while rows are inserted. */
const DERIVED = new Set(['tallies'])

export function takeBack(file: string, rows: number): void {
  const old = `${file}.old`
  rmSync(old, { force: true })
  const to = new DatabaseSync(old)
  to.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
  to.exec(migrations[0] ?? '')
  to.exec('PRAGMA user_version = 1')
  to.prepare('ATTACH ? AS now').run(file)
  const columns = (schema: string, table: string): readonly string[] =>
    to
      .prepare(`SELECT name FROM pragma_table_info(?, ?)`)
      .all(table, schema)
      .map((row) => String(row['name']))
  to.exec('BEGIN')
  for (const row of to.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table'").all()) {
    const table = String(row['name'])
    if (DERIVED.has(table)) continue
    const known = new Set(columns('now', table))
    const both = columns('main', table).filter((name) => known.has(name))
    if (both.length > 0)
      to.exec(
        `INSERT OR REPLACE INTO main.${table} (${both.join(', ')}) SELECT ${both.join(', ')} FROM now.${table}`,
      )
  }
  // Far from any ID used in the run.
  const base = 9_000_000
  const add = to.prepare(
    'INSERT OR IGNORE INTO main.remote (file_id, filename, size, upload_date, download_count, public_link, first_seen, last_seen, gone_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const count = to.prepare('INSERT OR IGNORE INTO main.pulse (file_id, at, count) VALUES (?, ?, ?)')
  for (let i = 0; i < rows; i++) {
    add.run(
      base + i,
      `Älteres Bild ${i}.jpg`,
      1000 + i,
      '2026-01-02 03:04:05',
      i % 7,
      `https://files.test/download/${i}`,
      1,
      1,
      2,
    )
    count.run(base + i, 1, 1)
    count.run(base + i, 2, 3)
  }
  to.exec('COMMIT')
  to.close()
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
  // Keep the file's owner, because the program may run as another user.
  const { uid, gid } = statSync(file)
  renameSync(old, file)
  chownSync(file, uid, gid)
}

/** The version of a journal's tables; null if the file is missing or unreadable. */
export function versionOf(file: string): number | null {
  try {
    const db = new DatabaseSync(file, { readOnly: true })
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)
    db.close()
    return version
  } catch {
    return null
  }
}
