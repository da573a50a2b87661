// What a response that is older than a deletion can bring back: nothing, in this process or the next. Uses a
// journal in memory.
import { expect, it } from 'vitest'
import { createRemote } from '../../../../src-main/engine/journal/remote-list.ts'
import { CatalogStore } from '../../../../src-main/engine/remote/list-store.ts'
import { memoryJournal } from '../journal/memory-journal.ts'

const NOW = 1_000_000_000
const MINUTE = 60_000

const listed = (fileId: number, token = 'a') => ({
  fileId,
  filename: 'a.txt',
  size: 2,
  uploadDate: null,
  downloadCount: 0,
  publicLink: `https://x.test/download/${token}`,
})

it.each([
  ['a list', true],
  ['a response about the file', false],
])('a deleted file isn’t shown again by %s of a new process until it can’t be stale', (_what, isListed) => {
  const db = memoryJournal(NOW)
  const remote = createRemote(
    db,
    () => undefined,
    () => undefined,
  )
  // Each command is a new process with a store of its own.
  const shown = (fileId: number, at: number, token?: string): boolean => {
    const journal = { remote, owners: { isFree: () => false }, transfers: {} }
    const store = new CatalogStore({ journal, limits: { learnDate: () => undefined }, bus: {} } as never)
    db.tx(() => store.put(listed(fileId, token), at, isListed))
    return remote.get(fileId)?.goneAt === null
  }
  for (const fileId of [1, 2, 3]) remote.put(listed(fileId), NOW, true)
  remote.markGone(1, NOW, true)
  remote.markGone(2, NOW)
  remote.markGone(3, NOW, true)
  expect(shown(1, NOW + MINUTE)).toBe(false)
  expect(shown(1, NOW + 9 * MINUTE)).toBe(false)
  expect(shown(1, NOW + 11 * MINUTE)).toBe(true)
  // That a list lacks a file is no deletion, and another link is another file.
  expect(shown(2, NOW + MINUTE)).toBe(true)
  expect(shown(3, NOW + MINUTE, 'b')).toBe(true)
  db.close()
})
