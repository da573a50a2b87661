// What SQLite's log and its index reveal about lost commits. The logs are written by SQLite itself and copied
// as a killed process leaves them, intact and damaged in every way that loses something.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { hasLostCommits } from '../../../../src-main/engine/journal/database.ts'
import { tempFolder } from '../../../world/temp-folder.ts'

const COMMITS = 40

let home = ''
beforeEach(() => {
  home = tempFolder()
})

interface Left {
  readonly log: Buffer
  readonly index: Buffer
}

/**
 * Returns what a killed process leaves after these commits. `checkpoint` copies the log into the database
 * before the last `after` of them.
 */
function leave(options: { readonly checkpoint?: string; readonly after?: number } = {}): Left {
  const file = join(home, 'journal.db')
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x TEXT)')
  const commit = db.prepare('INSERT INTO t VALUES (?)')
  for (let i = 0; i < COMMITS; i++) commit.run(`row ${i} ${'.'.repeat(500)}`)
  if (options.checkpoint !== undefined) db.exec(`PRAGMA wal_checkpoint(${options.checkpoint})`)
  for (let i = 0; i < (options.after ?? 0); i++) commit.run(`later ${i} ${'.'.repeat(500)}`)
  const left = { log: readFileSync(`${file}-wal`), index: readFileSync(`${file}-shm`) }
  db.close()
  return left
}

function flipped(bytes: Buffer, part: number): Buffer {
  const copy = Buffer.from(bytes)
  const at = Math.min(copy.length - 1, Math.floor(copy.length * part))
  copy[at] = (copy[at] ?? 0) ^ 0xff
  return copy
}

describe('a log that is whole', () => {
  it.each([
    {},
    { checkpoint: 'PASSIVE' },
    { checkpoint: 'FULL' },
    { checkpoint: 'RESTART', after: 3 },
    { checkpoint: 'TRUNCATE', after: 2 },
  ])('has lost nothing: %o', (options) => {
    const { log, index } = leave(options)
    expect(hasLostCommits(log, index)).toBe(false)
    expect(hasLostCommits(log, null)).toBe(false)
  })

  it('has lost nothing where a write that was never committed is torn', () => {
    const { log, index } = leave()
    const frame = log.subarray(-(24 + 4096))
    const uncommitted = Buffer.concat([log, frame.subarray(0, 2000)])
    expect(hasLostCommits(uncommitted, index)).toBe(false)
  })

  it('has lost nothing where there are no files', () => {
    expect(hasLostCommits(null, null)).toBe(false)
    expect(hasLostCommits(new Uint8Array(0), new Uint8Array(32_768))).toBe(false)
  })
})

describe('a log that lost commits', () => {
  it.each([0, 0.001, 0.1, 0.5, 0.9, 0.999, 1])(
    'is found by its index, with a bit flipped at %d of it',
    (part) => {
      const { log, index } = leave()
      expect(hasLostCommits(flipped(log, part), index)).toBe(true)
    },
  )

  it.each([0.1, 0.5, 0.9])('is found without its index, with a bit flipped at %d of it', (part) => {
    const { log } = leave()
    expect(hasLostCommits(flipped(log, part), null)).toBe(true)
  })

  it.each([0, 10, 0.3, 0.7, 0.999])('is found where it was cut to %d', (part) => {
    const { log, index } = leave()
    expect(hasLostCommits(log.subarray(0, part > 1 ? part : Math.floor(log.length * part)), index)).toBe(true)
    expect(hasLostCommits(null, index)).toBe(true)
  })

  it('is found after a checkpoint too, by what was committed since then', () => {
    const { log, index } = leave({ checkpoint: 'RESTART', after: 3 })
    expect(hasLostCommits(flipped(log, 0.0001), index)).toBe(true)
  })

  it('is not made out of what a checkpoint has copied already', () => {
    const { log, index } = leave({ checkpoint: 'FULL' })
    expect(hasLostCommits(log.subarray(0, 5000), index)).toBe(false)
    expect(hasLostCommits(null, index)).toBe(false)
  })
})

describe('bytes that are no log', () => {
  it.each([Buffer.alloc(100), Buffer.alloc(5000, 0x37), Buffer.from('no log at all')])(
    'say nothing, and break nothing',
    (bytes) => {
      expect(hasLostCommits(bytes, null)).toBe(false)
      expect(hasLostCommits(bytes, bytes)).toBe(false)
    },
  )
})
