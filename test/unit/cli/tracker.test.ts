// Which changes to a transfer become an output line, each only once; what the remaining transfers wait for;
// and when a command ends, with which exit code. Table-driven; no command is run.
import { describe, expect, it } from 'vitest'
import { accountEnding, decideEnding, waitsOf } from '../../../src-main/cli/follow/ending.ts'
import { Tracker } from '../../../src-main/cli/follow/tracker.ts'
import { lineJson } from '../../../src-main/cli/output/lines.ts'
import type { Gate, Transfer } from '../../../src-shared/model.ts'
import { account, done, NOW, snapshot, transfer } from './world.ts'

function tracker(goneFails = false): (over: Partial<Transfer>) => string[] {
  const t = new Tracker({ goneFails, now: () => NOW })
  return (over) =>
    t
      .see(over.state === 'done' ? done(1, over) : transfer(1, over))
      .map((line) => `${line.event}${'reason' in line ? ` ${line.reason}` : ''}`)
}

describe('lines', () => {
  it('queued comes before uploaded, whatever was seen first', () => {
    expect(tracker()({ state: 'done' })).toEqual(['queued', 'uploaded'])
  })

  it('tells what was sent from what was there already', () => {
    const t = new Tracker({ goneFails: true, now: () => NOW })
    expect(t.see(done(1)).at(-1)).toMatchObject({ event: 'uploaded', sent: true })
    expect(t.see(done(2, { unsent: true })).at(-1)).toMatchObject({ event: 'uploaded', sent: false })
  })

  it('a file that was deleted is no upload, whenever it was uploaded', () => {
    expect(tracker()({ state: 'done', ended: 'deleted', publicLink: null })).toEqual([])
    const see = tracker()
    see({ state: 'uploading' })
    expect(see({ state: 'done', ended: 'replaced', publicLink: null })).toEqual([])
  })

  it('tells the same state once, and a finished file never again', () => {
    const see = tracker()
    expect(see({})).toEqual(['queued'])
    expect(see({})).toEqual([])
    expect(see({ state: 'uploading' })).toEqual([])
    expect(see({ state: 'done' })).toEqual(['uploaded'])
    expect(see({ state: 'done' })).toEqual([])
    expect(see({})).toEqual([])
  })

  it('keeps no rows of files that a watched folder no longer has, and tells nothing twice if one comes back', () => {
    const t = new Tracker({ goneFails: false, now: () => NOW })
    for (let id = 1; id <= 2000; id++) {
      t.see(transfer(id))
      t.see(transfer(id, { state: id % 2 === 0 ? 'gone' : 'cancelled' }))
    }
    expect([[...t.rest()].length, t.has(1), t.has(2), t.hasCancelled(), t.pendingCount()]).toEqual([
      0,
      true,
      true,
      true,
      0,
    ])
    expect(t.see(transfer(2))).toEqual([])
    expect(t.see(done(2)).map((line) => line.event)).toEqual(['uploaded'])
    expect(t.see(transfer(3000, { state: 'gone' }))).toEqual([])
    expect(t.see(transfer(3000)).map((line) => line.event)).toEqual(['queued'])
  })

  it('keeps the rows of files that an upload names', () => {
    const t = new Tracker({ goneFails: true, now: () => NOW })
    t.see(transfer(1, { state: 'cancelled' }))
    t.see(transfer(2, { state: 'gone' }))
    expect([...t.rest()].map((row) => row.state)).toEqual(['cancelled', 'gone'])
    expect(t.hasCancelled()).toBe(true)
  })

  it('tells a wait of its own again when its time moves by more than a minute', () => {
    const see = tracker()
    expect(see({ state: 'waiting', reason: 'backoff', until: NOW + 1000 })).toEqual([
      'queued',
      'waiting backoff',
    ])
    expect(see({ state: 'waiting', reason: 'backoff', until: NOW + 50_000 })).toEqual([])
    expect(see({ state: 'waiting', reason: 'backoff', until: NOW + 90_000 })).toEqual(['waiting backoff'])
  })

  it('tells a wait of the account once for each file and reason, and not the pace of sending', () => {
    const see = tracker()
    expect(see({ state: 'waiting', reason: 'rate-minute', until: NOW + 1200 })).toEqual(['queued'])
    expect(see({ state: 'waiting', reason: 'rate-minute', until: NOW + 30_000 })).toEqual([
      'waiting rate-minute',
    ])
    expect(see({ state: 'waiting', reason: 'rate-minute', until: NOW + 900_000 })).toEqual([])
    expect(see({ state: 'waiting', reason: 'rate-day', until: NOW + 900_000 })).toEqual(['waiting rate-day'])
  })

  it('tells no wait until a time that has passed', () => {
    const see = tracker()
    expect(see({ state: 'waiting', reason: 'backoff', until: NOW - 7000 })).toEqual(['queued'])
    expect(see({ state: 'unknown', reason: 'checking', until: NOW - 7000 })).toEqual([])
    expect(see({ state: 'unknown', reason: 'checking', until: NOW + 5000 })).toEqual(['waiting checking'])
  })

  it('tells a check of a lost answer once its time is known', () => {
    const see = tracker()
    expect(see({ state: 'unknown', reason: 'checking' })).toEqual(['queued'])
    expect(see({ state: 'unknown', reason: 'checking', until: NOW + 5000 })).toEqual(['waiting checking'])
  })

  it('tells held and failed again only after something else', () => {
    const see = tracker()
    expect(see({ state: 'failed', reason: 'unreadable' })).toEqual(['failed unreadable'])
    expect(see({ state: 'failed', reason: 'unreadable' })).toEqual([])
    expect(see({ state: 'queued' })).toEqual(['queued'])
    expect(see({ state: 'failed', reason: 'unreadable' })).toEqual(['failed unreadable'])
  })

  it.each([
    [false, []],
    [true, ['failed missing']],
  ] as const)('a file that went away, named by a person: %s', (named, lines) => {
    const see = tracker(named)
    see({})
    expect(see({ state: 'gone', reason: 'missing' })).toEqual(lines)
  })

  it.each(['settling', 'cancelled'] as const)('says nothing of %s', (state) => {
    expect(tracker()({ state })).toEqual([])
  })

  it('never prints null, undefined or NaN', () => {
    const t = new Tracker({ goneFails: false, now: () => NOW })
    const lines = [
      ...t.see(transfer(1, { state: 'done', fileId: null, publicLink: null, filename: null, sha256: null })),
      ...t.see(transfer(2, { state: 'waiting', reason: 'account' })),
      ...t.see(transfer(3, { state: 'waiting', reason: 'backoff', until: Number.NaN })),
      ...t.see(transfer(4, { state: 'held', reason: null })),
      ...t.see(transfer(5, { state: 'failed', reason: null })),
    ].map(lineJson)
    expect(lines).toHaveLength(8)
    expect(lines.join()).not.toMatch(/null|undefined|NaN/)
  })

  it('shows bytes that belong to no character as a reader would see them', () => {
    const t = new Tracker({ goneFails: false, now: () => NOW })
    expect(t.see(transfer(1, { path: '/a/\u{10fffe}x' })).map(lineJson)).toEqual([
      '{"event":"queued","path":"/a/\ufffdx","size":12}',
    ])
  })
})

describe('a gate', () => {
  const gate: Gate = { reason: 'daily-uploads', until: NOW + 3_600_000, message: null }

  it('holds back what has not begun, and nothing else', () => {
    const t = new Tracker({ goneFails: false, now: () => NOW })
    t.see(transfer(1))
    t.see(transfer(2, { state: 'uploading' }))
    t.see(transfer(3, { state: 'waiting', reason: 'backoff', until: NOW + 5000 }))
    t.see(transfer(4, { state: 'waiting', reason: 'rate-minute', until: NOW + 5000 }))
    t.see(done(5))
    expect(t.gate(gate).map((line) => 'path' in line && line.path)).toEqual([
      '/home/u/1.txt',
      '/home/u/4.txt',
    ])
    expect(t.gate({ ...gate, until: NOW + 9_000_000 })).toEqual([])
    expect(t.gate(null)).toEqual([])
  })

  it('that is over in a moment is told only at the end', () => {
    const t = new Tracker({ goneFails: false, now: () => NOW })
    t.see(transfer(1))
    expect(t.gate({ ...gate, until: NOW + 1000 })).toEqual([])
    expect(t.gate({ ...gate, until: NOW + 1000 }, true)).toHaveLength(1)
  })
})

describe('what the live line counts', () => {
  it('leaves out what is held or failed, so that the rest comes to its end', () => {
    const t = new Tracker({ goneFails: true, now: () => NOW })
    t.see(transfer(1, { size: 100 }))
    t.see(transfer(2, { size: 50, state: 'held', reason: 'secret' }))
    t.see(transfer(3, { size: 7 }))
    expect(t.progress(new Map([[1, 40]]))).toEqual({
      filesDone: 0,
      filesTotal: 2,
      bytesDone: 40,
      bytesTotal: 107,
    })
    t.see(transfer(3, { size: 7, state: 'failed', reason: 'unreadable' }))
    t.see(done(1, { size: 100 }))
    expect(t.progress(new Map())).toEqual({ filesDone: 1, filesTotal: 1, bytesDone: 100, bytesTotal: 100 })
    t.see(transfer(2, { size: 60, state: 'queued' }))
    expect(t.progress(new Map())).toEqual({ filesDone: 1, filesTotal: 2, bytesDone: 100, bytesTotal: 160 })
  })
})

describe('an upload that ended before it was first seen', () => {
  it('is no part of what the live line counts', () => {
    const t = new Tracker({ goneFails: true, now: () => NOW })
    t.see(transfer(1, { size: 100 }))
    t.see(done(2, { size: 70, ended: 'deleted', publicLink: null }))
    expect(t.progress(new Map())).toEqual({ filesDone: 0, filesTotal: 1, bytesDone: 0, bytesTotal: 100 })
    t.see(done(1, { size: 100 }))
    t.see(done(2, { size: 70, ended: 'deleted', publicLink: null }))
    expect(t.progress(new Map())).toEqual({ filesDone: 1, filesTotal: 1, bytesDone: 100, bytesTotal: 100 })
  })
})

describe('does all that is left wait?', () => {
  const gate: Gate = { reason: 'rate-day', until: NOW + 1000, message: null }
  const wait = (over: Partial<Transfer>): Transfer =>
    transfer(1, { state: 'waiting', reason: 'backoff', until: NOW + 5000, ...over })

  it.each<[string, Transfer[], Gate | null, number | null | 'active']>([
    ['nothing left', [], null, 'active'],
    ['queued, no gate', [transfer(1)], null, 'active'],
    ['queued behind a gate', [transfer(1)], gate, NOW + 1000],
    ['one is on its way', [transfer(1, { state: 'uploading' }), wait({})], gate, 'active'],
    ['its own wait', [wait({})], null, NOW + 5000],
    ['the later of both', [wait({})], gate, NOW + 5000],
    ['the later of both, the gate', [wait({ until: NOW + 10 })], gate, NOW + 1000],
    ['the first of several', [wait({}), wait({ until: NOW + 2000 })], null, NOW + 2000],
    ['over already', [wait({ until: NOW - 1 })], null, 'active'],
    [
      'a gate that is over still shows on the row',
      [wait({ reason: 'server-pause', until: NOW + 3_600_000 })],
      null,
      'active',
    ],
    ['no time ends it', [transfer(1)], { reason: 'paused', until: null, message: null }, null],
    [
      'one ends by time, one does not',
      [wait({ reason: 'not-watched', until: null }), wait({})],
      null,
      NOW + 5000,
    ],
    ['a drive that does not answer', [wait({ reason: 'drive-silent', until: null })], null, 'active'],
    ['a file that is still being written', [wait({ reason: 'settling' })], null, 'active'],
    ['the same behind a gate', [wait({ reason: 'settling' })], gate, NOW + 1000],
    ['a check without a time', [transfer(1, { state: 'unknown', reason: 'checking' })], null, 'active'],
    [
      'a check with a time',
      [transfer(1, { state: 'unknown', reason: 'checking', until: NOW + 9000 })],
      null,
      NOW + 9000,
    ],
  ])('%s', (_name, rows, now, expected) => {
    const waits = waitsOf(rows, now, NOW)
    expect(waits.kind === 'active' ? 'active' : waits.until).toBe(expected)
  })
})

it('ends each sentence about denied access with a full stop', () => {
  const message = 'The service answered 403: no API'
  expect(accountEnding(account({ state: 'no-api', message }), null, 'keychain')?.title).toBe(
    `Access denied. ${message}. Nothing is sent.`,
  )
})

describe('the end', () => {
  const base = {
    snapshot: snapshot(),
    keySource: 'keychain' as const,
    unansweredSince: null,
    pausedSince: null,
    maxWaitMs: 900_000,
    now: NOW,
    waits: { kind: 'active' } as const,
  }
  const paused = {
    kind: 'waits' as const,
    until: null,
    gate: { reason: 'paused' as const, until: null, message: null },
  }
  const waits = (until: number | null) => ({
    kind: 'waits' as const,
    until,
    gate: { reason: 'rate-day' as const, until, message: null },
  })

  it.each([
    ['goes on while something moves', base, null],
    ['goes on for a short wait', { ...base, waits: waits(NOW + 900_000) }, null],
    ['5 for a long one', { ...base, waits: waits(NOW + 900_001) }, 5],
    ['5 for one without end', { ...base, waits: waits(null) }, 5],
    [
      'goes on while the engine compares with the service',
      {
        ...base,
        waits: {
          kind: 'waits' as const,
          until: null,
          gate: { reason: 'comparing' as const, until: null, message: null },
        },
      },
      null,
    ],
    [
      'goes on while a file waits for an earlier upload that is being looked for',
      {
        ...base,
        waits: {
          kind: 'waits' as const,
          until: null,
          gate: { reason: 'earlier-upload' as const, until: null, message: null },
        },
      },
      null,
    ],
    ['3 without a key', { ...base, snapshot: snapshot({ account: account({ state: 'none' }) }) }, 3],
    [
      '3 for a refused key',
      { ...base, snapshot: snapshot({ account: account({ state: 'key-refused' }) }) },
      3,
    ],
    [
      'offline just now',
      {
        ...base,
        snapshot: snapshot({ account: account({ state: 'offline' }) }),
        unansweredSince: NOW - 1000,
        waits: waits(null),
      },
      null,
    ],
    // A pause that begins while the command runs is waited out for up to --max-wait. One that was there at
    // the start ends it at once.
    ['a pause that began just now', { ...base, waits: paused, pausedSince: NOW - 1000 }, null],
    ['5 for a pause that is as old as --max-wait', { ...base, waits: paused, pausedSince: NOW - 900_000 }, 5],
    [
      '5 for a pause that was there before',
      { ...base, waits: paused, pausedSince: Number.NEGATIVE_INFINITY },
      5,
    ],
    [
      '6 when offline for long',
      {
        ...base,
        snapshot: snapshot({ account: account({ state: 'offline' }) }),
        unansweredSince: NOW - 30_000,
      },
      6,
    ],
  ] as const)('%s', (_name, situation, code) => {
    expect(decideEnding(situation)?.code ?? null).toBe(code)
  })
})
