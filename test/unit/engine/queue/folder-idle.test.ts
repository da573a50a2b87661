// When a folder counts as done, and otherwise what is reported: one line for each thing that may be waited
// for, in the order in which they are checked.
import { describe, expect, it } from 'vitest'
import { type FolderFacts, folderIdle } from '../../../../src-main/engine/queue/folder-idle.ts'

const NOW = 1_000_000
const NONE = { queued: 0, waiting: 0, uploading: 0, unknown: 0 }
const GATE = { reason: 'daily-uploads', until: NOW + 5000, message: null } as const

const done: FolderFacts = {
  counts: NONE,
  isAway: false,
  isSilent: false,
  isUnanswered: false,
  hasScanned: true,
  isQuiet: true,
  isSettling: false,
  gate: null,
  wait: { until: null, reason: null },
  removalAt: null,
  now: NOW,
}

describe('folderIdle', () => {
  it.each<readonly [string, Partial<FolderFacts>, boolean, number | null, string | null]>([
    ['all is done', {}, true, null, null],
    ['all is done, and the account is held back', { gate: GATE }, true, null, null],
    ['away, and never seen', { isAway: true, hasScanned: false }, false, null, 'folder-away'],
    ['away, and done before', { isAway: true }, true, null, 'folder-away'],
    ['away, done before, and looked for', { isAway: true, isQuiet: false }, true, null, 'folder-away'],
    [
      'away while a scan waits for its drive',
      { isAway: true, isSilent: true, isQuiet: false },
      false,
      null,
      'drive-silent',
    ],
    [
      'away with a silent drive, and nothing waits for it',
      { isAway: true, isSilent: true },
      true,
      null,
      'drive-silent',
    ],
    ['away with rows left', { isAway: true, counts: { ...NONE, waiting: 1 } }, false, null, 'folder-away'],
    [
      'away with an unconfirmed upload',
      { isAway: true, counts: { ...NONE, unknown: 1 } },
      false,
      null,
      'folder-away',
    ],
    [
      'uploading, whatever else waits',
      { counts: { ...NONE, uploading: 1, queued: 3 }, gate: GATE },
      false,
      null,
      null,
    ],
    ['only unconfirmed, being looked up', { counts: { ...NONE, unknown: 1 } }, false, null, null],
    [
      'only unconfirmed, held back',
      { counts: { ...NONE, unknown: 1 }, gate: GATE },
      false,
      NOW + 5000,
      'daily-uploads',
    ],
    [
      'unconfirmed beside a wait of its own, nothing held back',
      { counts: { ...NONE, unknown: 1, waiting: 1 }, wait: { until: NOW + 9, reason: 'backoff' } },
      false,
      null,
      null,
    ],
    [
      'queued at the gate',
      { counts: { ...NONE, queued: 2 }, gate: GATE },
      false,
      NOW + 5000,
      'daily-uploads',
    ],
    ['queued, and next', { counts: { ...NONE, queued: 2 } }, false, null, null],
    [
      'waiting for its own time, not for the gate',
      { counts: { ...NONE, waiting: 1 }, gate: GATE, wait: { until: NOW + 9, reason: 'offline' } },
      false,
      NOW + 9,
      'offline',
    ],
    [
      'waiting without a reason',
      { counts: { ...NONE, waiting: 1 }, wait: { until: NOW + 9, reason: null } },
      false,
      NOW + 9,
      'backoff',
    ],
    [
      'queued on a drive that does not answer',
      { isUnanswered: true, counts: { ...NONE, queued: 2 } },
      false,
      null,
      'drive-silent',
    ],
    [
      'the same, with a time for the next try',
      {
        isUnanswered: true,
        counts: { ...NONE, queued: 1, waiting: 1 },
        gate: GATE,
        wait: { until: NOW + 9, reason: 'drive-silent' },
      },
      false,
      null,
      'drive-silent',
    ],
    ['done on a drive that does not answer', { isUnanswered: true }, true, null, null],
    ['a deletion later', { removalAt: NOW + 1 }, false, NOW + 1, 'backoff'],
    ['a deletion later, held back', { removalAt: NOW + 1, gate: GATE }, false, NOW + 1, 'daily-uploads'],
    ['a deletion that is due', { removalAt: NOW }, false, null, null],
    ['a deletion that is due, held back', { removalAt: NOW, gate: GATE }, false, NOW + 5000, 'daily-uploads'],
    ['a file that is being written', { isQuiet: false, isSettling: true }, false, null, 'settling'],
    ['a folder that is being read', { isQuiet: false }, false, null, null],
  ])('%s', (_name, facts, idle, waitsUntil, reason) => {
    expect(folderIdle({ ...done, ...facts })).toMatchObject({ idle, waitsUntil, reason })
  })

  it('asks for one more look only where nothing but quiet is missing', () => {
    expect(folderIdle({ ...done, isQuiet: false }).isUnconfirmed).toBe(true)
    expect(folderIdle(done).isUnconfirmed).toBeUndefined()
    expect(
      folderIdle({ ...done, isQuiet: false, counts: { ...NONE, waiting: 1 } }).isUnconfirmed,
    ).toBeUndefined()
  })
})
