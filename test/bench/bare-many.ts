// Baseline for many small files: the least that a Node program must do if it records each one. It reads,
// hashes and uploads every file over one of eight connections, and commits a row to SQLite before and after,
// with the journal's pragmas. No limits, no retries, no settling, no links printed. Runs in its own process:
// bare-many.ts FOLDER URL KEY DATABASE.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Pool } from 'undici'

const AT_ONCE = 8
const EDGE = 'slipway-bench-edge'
const TAIL = Buffer.from(`\r\n--${EDGE}--\r\n`)

const [folder = '', url = '', key = '', database = ''] = process.argv.slice(2)
const { origin, pathname } = new URL(url)
const db = new DatabaseSync(database)
db.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -16000;',
)
db.exec(
  'CREATE TABLE intents (name TEXT PRIMARY KEY, sha256 TEXT, at INTEGER); CREATE TABLE receipts (name TEXT PRIMARY KEY, answer TEXT);',
)
const before = db.prepare('INSERT INTO intents VALUES (?, ?, ?)')
const after = db.prepare('INSERT INTO receipts VALUES (?, ?)')
const pool = new Pool(origin, { connections: AT_ONCE })

async function send(name: string): Promise<void> {
  const bytes = await readFile(join(folder, name))
  before.run(name, createHash('sha256').update(bytes).digest('hex'), Date.now())
  const head = `--${EDGE}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const answer = await pool.request({
    path: pathname,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': `multipart/form-data; boundary=${EDGE}` },
    body: Buffer.concat([Buffer.from(head), bytes, TAIL]),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${text.slice(0, 200)}`)
  after.run(name, text)
}

const names = readdirSync(folder).values()
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (const name of names) await send(name)
  }),
)
await pool.close()
db.close()
