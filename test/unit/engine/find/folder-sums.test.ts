// The sums of a folder computed in steps: the result equals a computation in one step, is exact if nothing
// changes, and other work can run in between. Uses a journal in memory and no engine.
import { setImmediate as yieldNow } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { directoryRow, fileRow } from '../../../../src-main/engine/find/entries.ts'
import { FolderSums } from '../../../../src-main/engine/find/folder-state.ts'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import { createFiles, type Files } from '../../../../src-main/engine/journal/files.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { memoryJournal } from '../journal/memory-journal.ts'

/** More than two steps. */
const FILES = 12_000
const ENTRY = { size: 1, mtime: 1, ctime: 1, ino: 1, dev: 1 }

let db: Database
let files: Files
let stop: AbortController
let sums: FolderSums

beforeEach(() => {
  db = memoryJournal()
  files = createFiles(db)
  stop = new AbortController()
  sums = new FolderSums({ clock: createFakeClock(), db, files, stop: stop.signal })
  db.tx(() => {
    for (let i = 0; i < FILES; i++) {
      const cls = i % 3 === 0 ? 'ignored' : 'settling'
      files.put(fileRow(1, `d${i % 7}`, `f${i}`, ENTRY, { class: cls }))
    }
    files.put(directoryRow(1, 'd3', 'ignored', 500, 'left out'))
    files.put(fileRow(2, '', 'of another folder', ENTRY, { class: 'settling' }))
  })
})
afterEach(() => db.close())

it('are those that are taken at once, and others come in between', async () => {
  let turns = 0
  let isOver = false
  const counting = (async () => {
    for (; !isOver; turns++) await yieldNow()
  })()
  const taken = await sums.of(1, false)
  isOver = true
  await counting
  expect(taken).toEqual(files.sums(1))
  expect(taken).toEqual({ seen: 12_500, uploaded: 0, waiting: 8000, held: 0, failed: 0, ignored: 4500 })
  expect(turns).toBeGreaterThan(1)
})

it('count what was written meanwhile, in what was counted already', async () => {
  const taking = sums.of(1, false)
  files.put(fileRow(1, '', 'first of all', ENTRY, { class: 'settling' }))
  expect(await taking).toMatchObject({ seen: 12_501, waiting: 8001 })
})

it('end where the journal is written to all the time, and are exact', async () => {
  let isOver = false
  let written = 0
  const writing = (async () => {
    for (; !isOver; written++) {
      files.put(fileRow(2, '', `${written}`, ENTRY, { class: 'settling' }))
      await yieldNow()
    }
  })()
  expect(await sums.of(1, false)).toMatchObject({ seen: 12_500 })
  isOver = true
  await writing
  expect(written).toBeGreaterThan(2)
})

it('of a busy folder are taken once for all who ask', async () => {
  let steps = 0
  const counted = {
    ...files,
    sumsAfter: (...of: Parameters<Files['sumsAfter']>) => (steps++, files.sumsAfter(...of)),
  }
  const busy = new FolderSums({ clock: createFakeClock(), db, files: counted, stop: stop.signal })
  const asked = [busy.of(1, true), busy.of(1, true)]
  files.put(fileRow(1, 'd9', 'new', ENTRY, { class: 'settling' }))
  for (const one of await Promise.all(asked)) expect(one).toMatchObject({ seen: 12_501 })
  expect(steps).toBe(3)
})

it('are not told by an engine that is closing', async () => {
  const taking = sums.of(1, false)
  stop.abort()
  expect(await taking).toBeNull()
})
