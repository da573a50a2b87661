// What a journal can't know by itself: which stamps reveal missing commits, which versions may have been sent
// without a record, and when the service has more files than expected. Also tests that our own downloads
// aren't reported. Mostly table-driven.
import { expect, it } from 'vitest'
import { possibleShown, sizeCouldBe } from '../../../../src-main/engine/budget/size-unit.ts'
import { createGap, hasUnknownFiles, mayBeSent } from '../../../../src-main/engine/journal/journal.ts'
import { createRemote } from '../../../../src-main/engine/journal/remote-list.ts'
import { createStamp, judgeStamp } from '../../../../src-main/engine/journal/stamp.ts'
import { factsIn } from '../journal/facts-store.ts'
import { memoryJournal } from '../journal/memory-journal.ts'

it.each([
  ['neither side knows one', null, null, 'none'],
  ['both agree', 'abcdefgh 5', 'abcdefgh 5\n', 'current'],
  ['the journal is ahead', 'abcdefgh 6', 'abcdefgh 5\n', 'current'],
  ['the file is ahead', 'abcdefgh 4', 'abcdefgh 5\n', 'older'],
  ['another journal was put there', 'hgfedcba 9', 'abcdefgh 5\n', 'older'],
  ['a journal from before stamps', null, 'abcdefgh 5\n', 'older'],
  ['the file is lost', 'abcdefgh 5', null, 'older'],
  ['the file is damaged', 'abcdefgh 5', 'abcdef', 'older'],
  ['the file was not written yet', 'abcdefgh 0', null, 'none'],
  ['another journal was put there, just begun', 'hgfedcba 0', 'abcdefgh 5\n', 'older'],
] as const)('a stamp: %s', (_name, journal, file, verdict) => {
  expect(judgeStamp(journal, file)).toBe(verdict)
})

it.each([
  ['ends before its first stamp is durable', [false]],
  ['ends before its second', [true, false]],
  ['goes on', [true, true]],
] as const)('a first start that %s raises no alarm at the next one', async (_name, syncs) => {
  const left = [...syncs]
  const stored = new Map<string, string>()
  const beside: { text: string | null } = { text: null }
  const keeper = createStamp({
    facts: factsIn(stored),
    file: {
      read: () => beside.text,
      write: (text) => {
        beside.text = text
      },
    },
    random: () => 0.5,
    clock: { mono: () => 0 },
    db: { durable: async () => left.shift() ?? false, soon: async (work) => work() },
  })
  keeper.touch()
  await new Promise((resolve) => setImmediate(resolve))
  const written = stored.get('stamp') ?? null
  expect(written).not.toBeNull()
  expect(judgeStamp(written, beside.text)).toBe(syncs[0] ? 'current' : 'none')
  // The journal's counter shows that a stamp file was written. If that file is missing, the journal comes
  // from elsewhere.
  if (syncs.every(Boolean)) expect(judgeStamp(written, null)).toBe('older')
})

it('trusts a version only if its time lies between the gap and now', () => {
  const past = { at: 1000, cause: 'fresh', walk: 'done' } as const
  expect([900, 1000, 1001, 2000, 2001].map((mtime) => mayBeSent(past, mtime, 2000))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
})

it.each([
  ['as many as expected', 10, 12, 2, 0, false],
  ['one more', 10, 13, 2, 0, true],
  ['one more, hidden by a deletion', 10, 12, 3, 1, false],
  ['fewer', 10, 8, 2, 0, false],
  ['not told before', null, 12, 2, 0, false],
  ['not told now', 10, null, 2, 0, false],
] as const)('files on the service: %s', (_name, before, after, sent, gone, expected) => {
  expect(hasUnknownFiles(before, after, sent, gone)).toBe(expected)
})

it('keeps the wider of two gaps, and reads the list once for it', () => {
  const facts = factsIn(new Map())
  const past = createGap(facts)
  expect(past.get()).toBeNull()
  past.open('fresh', 100, 'whole')
  past.open('more-files', 50, 'newest')
  expect(createGap(facts).get()).toEqual({ at: 100, cause: 'more-files', walk: 'whole' })
  past.listed()
  expect(createGap(facts).get()).toMatchObject({ walk: 'done' })
  past.open('older', 200, 'newest')
  expect(past.get()).toEqual({ at: 200, cause: 'older', walk: 'newest' })
  past.close()
  expect(createGap(facts).get()).toBeNull()
})

it('asks for just the sizes that a service could show', () => {
  for (const unit of ['bytes', 'kB', 'KiB', 'MB', 'MiB'] as const)
    for (const bytes of [0, 1, 999, 1024, 65_700, 1_048_576, 44_475_408])
      for (const shown of [
        0, 1, 2, 64, 65, 66, 67, 999, 1024, 42, 43, 44, 45, 65_700, 1_048_576, 44_475_408,
      ]) {
        const [range] = possibleShown(bytes, unit)
        expect(range !== undefined && shown >= range.least && shown <= range.most).toBe(
          sizeCouldBe(bytes, shown, unit),
        )
      }
})

it('takes our own downloads off the count, once it has grown by them', () => {
  const db = memoryJournal()
  const remote = createRemote(
    db,
    () => undefined,
    () => undefined,
  )
  const seen = (downloadCount: number): readonly [number | null, number, boolean] => {
    const file = { fileId: 1, filename: 'a', size: 1, uploadDate: null, publicLink: null, downloadCount }
    const { gain, first } = remote.put(file, 1, true)
    return [remote.get(1)?.downloadCount ?? null, gain, first]
  }
  expect(seen(0)).toEqual([0, 0, false])
  remote.noteLook(1)
  // The service updates its counter late.
  expect(seen(0)).toEqual([0, 0, false])
  expect(seen(1)).toEqual([0, 0, false])
  expect(seen(2)).toEqual([1, 1, true])
  remote.noteLook(1)
  expect(seen(5)).toEqual([3, 2, false])
  db.close()
})
