// How much pasted and piped content has no copy but the one that is deleted with its account.
// A real folder and a real journal.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../../../src-main/engine/journal/database.ts'
import { createTransfers } from '../../../src-main/engine/journal/transfers.ts'
import { journalFiles, seal } from '../../../src-main/platform/data/journal-files.ts'
import { countUnsentPastes } from '../../../src-main/platform/data/spool.ts'
import { tempFolder } from '../../world/temp-folder.ts'
import { queuedRow } from '../engine/journal/queued-row.ts'

let paths = { pasted: '', journal: '' }
beforeEach(() => {
  const home = tempFolder()
  paths = { pasted: join(home, 'pasted'), journal: join(home, 'journal.db') }
})

function paste(name: string): string {
  const path = join(paths.pasted, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'x')
  return path
}

/** Writes a journal with these transfers. It stays open while `run` reads it. */
function withJournal<T>(rows: readonly (readonly [path: string, state: string])[], run: () => T): T {
  const { db } = openDatabase({ file: paths.journal, files: journalFiles, seal, now: 1 })
  try {
    const transfers = createTransfers(db)
    for (const [path, state] of rows)
      db.run('UPDATE transfers SET state = ? WHERE id = ?', state, transfers.add(queuedRow(path)))
    return run()
  } finally {
    db.close()
  }
}

const count = (): number => countUnsentPastes(paths)

it.each(['queued', 'uploading', 'waiting', 'held', 'unknown', 'failed'])(
  'counts what may still be uploaded: %s',
  (state) => {
    const rows = [
      [paste('Text.txt'), 'done'],
      [paste('Text.txt'), state],
      [paste('stdin-7-0123456789abcdef/dump.sql'), state],
    ] as const
    expect(withJournal(rows, count)).toBe(2)
  },
)

it.each(['done', 'cancelled', 'gone'])('leaves out what is over: %s', (state) => {
  expect(withJournal([[paste('Text.txt'), state]], count)).toBe(0)
})

it('counts what no journal lists, or none that can be read', () => {
  paste('Text.txt')
  expect(count()).toBe(1)
  expect(withJournal([['/elsewhere/pasted/Text.txt', 'done']], count)).toBe(1)
  writeFileSync(paths.journal, 'no journal')
  expect(count()).toBe(1)
})

it('is nothing where nothing was pasted', () => {
  expect(count()).toBe(0)
})
