// The queries that the engine makes on the transfers table before and after every upload: unconfirmed rows,
// the state of a row, the highest ID so far. Uses a journal in memory; other tests cover how rows get there.
import { join as native } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import { createTransfers, type Transfers } from '../../../../src-main/engine/journal/transfers.ts'
import { memoryJournal } from './memory-journal.ts'
import { queuedRow } from './queued-row.ts'

let db: Database
let transfers: Transfers
beforeEach(() => {
  db = memoryJournal()
  transfers = createTransfers(db)
})
afterEach(() => db.close())

function add(name: string): number {
  return transfers.add(queuedRow(`/files/${name}`))
}

function finish(id: number, fileId: number, at: number): void {
  const receipt = { fileId, publicLink: `https://x.example.com/${fileId}`, filename: 'x' }
  transfers.done(id, receipt, { sha256: null, adopted: false, sent: true, at, server: null })
}

const inDoubt = (): number[] => transfers.unknown(10).map((row) => row.id)

const LOST = { kind: 'answer-lost', message: null, until: null } as const

describe('rows in doubt', () => {
  it('are found however they came into it, also after a look that found none', () => {
    const [a, b, c] = [add('a'), add('b'), add('c')]
    expect(inDoubt()).toEqual([])
    transfers.transition(b, LOST)
    expect(inDoubt()).toEqual([b])
    transfers.transition(b, { kind: 'requeued' })
    expect(inDoubt()).toEqual([])
    transfers.transition(c, LOST)
    expect(inDoubt()).toEqual([c])
    transfers.transition(c, { kind: 'requeued' })
    expect(inDoubt()).toEqual([])
    transfers.intent(a, 1, null, null, 'a')
    expect(inDoubt()).toEqual([])
    transfers.markUploadingUnknown()
    expect(inDoubt()).toEqual([a])
  })

  it('are found by a table that is opened anew', () => {
    transfers.transition(add('a'), LOST)
    expect(createTransfers(db).unknown(10)).toHaveLength(1)
  })

  it('are found again when the write that settled them was undone', () => {
    const a = add('a')
    transfers.transition(a, LOST)
    expect(() =>
      db.tx(() => {
        transfers.transition(a, { kind: 'requeued' })
        throw new Error('the disk is full')
      }),
    ).toThrow('full')
    expect(inDoubt()).toEqual([a])
  })
})

describe('rows that wait until a time', () => {
  const wait = (id: number, until: number): void =>
    transfers.transition(id, { kind: 'deferred', reason: 'backoff', message: null, until })

  it('are found and woken however they came into it, also after a look that found none', () => {
    const [a, b] = [add('a'), add('b')]
    expect([transfers.nextUntil(), transfers.wake(1000)]).toEqual([null, []])
    wait(a, 50)
    expect([transfers.nextUntil(), transfers.wake(49)]).toEqual([50, []])
    wait(b, 40)
    expect([transfers.nextUntil(), transfers.wake(60)]).toEqual([40, [b, a]])
    expect([transfers.nextUntil(), transfers.wake(1000)]).toEqual([null, []])
    wait(b, 70)
    expect([createTransfers(db).nextUntil(), transfers.wake(70)]).toEqual([70, [b]])
  })

  it('are found again when the write that woke them was undone', () => {
    const a = add('a')
    wait(a, 50)
    expect(() =>
      db.tx(() => {
        transfers.wake(60)
        throw new Error('the disk is full')
      }),
    ).toThrow('full')
    expect([transfers.nextUntil(), transfers.wake(60)]).toEqual([50, [a]])
  })
})

it('writes what a receipt or an intent records together with the state, or not at all', () => {
  const a = add('a')
  transfers.intent(a, 7, 8, 'hash', 'sent')
  expect(transfers.get(a)).toMatchObject({
    state: 'uploading',
    attempts: 1,
    intentAt: 7,
    intentServer: 8,
    sha256: 'hash',
    sentName: 'sent',
  })
  finish(a, 5, 9)
  expect(transfers.get(a)).toMatchObject({ state: 'done', fileId: 5, doneAt: 9 })
  transfers.intent(a + 1, 1, null, null, 'none')
  expect(transfers.get(a + 1)).toBeNull()
})

it('tells where a row stands', () => {
  const a = add('a')
  expect(transfers.standing(a)).toMatchObject({ state: 'queued', until: null })
  transfers.transition(a, { kind: 'deferred', reason: 'backoff', message: null, until: 99 })
  expect(transfers.standing(a)).toMatchObject({ state: 'waiting', until: 99 })
  expect(transfers.standing(a + 1)).toBeNull()
})

describe('files of directories that are left out', () => {
  it('are not due, unless what is below them, or is an exception, or belongs to a folder', () => {
    const paths = ['/a/1', '/a/in/2', '/ab/3', '/t/4', '/t/in/5', '/t/not/6', '/t/not/in/7', '/tb/8'].map(
      (path) => native(path),
    )
    for (const path of paths) transfers.add(queuedRow(path))
    transfers.add(queuedRow(native('/a/9'), { folderId: 1, source: 'watch' }))
    const due = (after: { readonly priority: number; readonly id: number } | null): (string | undefined)[] =>
      transfers
        .due(20, after, [1], { dirs: [native('/a')], trees: [native('/t')], except: [native('/t/not')] })
        .map((row) => row.path.at(-1))
    expect(due(null)).toEqual(['2', '3', '6', '8', '9'])
    expect(due({ priority: 0, id: 3 })).toEqual(['6', '8', '9'])
  })
})

describe('what an intent knows', () => {
  const intentOf = (name: string, at: number): { mark: number | null; above: number | null } => {
    const id = add(name)
    transfers.intent(id, at, null, null, 'a')
    const row = transfers.get(id)
    return { mark: row?.intentMark ?? null, above: row?.intentAbove ?? null }
  }

  it('is its number and the highest id of the receipts until then, whatever the clock says', () => {
    expect(intentOf('first', 100)).toEqual({ mark: 1, above: null })
    for (const [i, fileId] of [10, 12, 11].entries()) finish(add(`f${i}`), fileId, 100 + i)
    expect(intentOf('second', 50)).toEqual({ mark: 2, above: 12 })
    finish(add('later'), 40, 3)
    expect(intentOf('third', 1)).toEqual({ mark: 3, above: 40 })
  })

  it('comes from the newest receipts alone', () => {
    finish(add('odd'), 5000, 1)
    for (let i = 0; i < 64; i++) finish(add(`f${i}`), 100 + i, 100 + i)
    expect(intentOf('next', 1000)).toEqual({ mark: 1, above: 163 })
  })
})

describe('another try that a person asks for', () => {
  const rows = (): readonly number[] => {
    const [a, b, c, d] = [add('a'), add('b'), add('c'), add('d')]
    transfers.transition(a, { kind: 'failed', reason: 'unreadable', message: null })
    transfers.transition(b, { kind: 'deferred', reason: 'backoff', message: null, until: 99 })
    transfers.transition(c, { kind: 'held', reason: 'secret', message: null })
    for (const id of [a, b, c, d]) transfers.attempts(id, 3)
    return [a, b, c, d]
  }
  const shown = (ids: readonly number[]): string =>
    ids.map((id) => `${transfers.get(id)?.state} ${transfers.get(id)?.attempts}`).join(', ')

  it('concerns all that failed or wait', () => {
    const ids = rows()
    expect(transfers.retry(null)).toEqual(ids.slice(0, 2))
    expect(shown(ids)).toBe('queued 0, queued 0, held 3, queued 3')
    expect(transfers.get(ids[1] ?? 0)).toMatchObject({ reason: null, until: null })
  })

  it('of all names each row that it changes, also a failed one that waits as paused from then on, and none that is paused already', () => {
    const [failed, waiting] = [add('failed'), add('waiting')]
    transfers.intent(failed, 1, null, null, 'failed')
    for (const id of [failed, waiting]) {
      transfers.setPaused([id], true)
      transfers.attempts(id, 3)
    }
    transfers.transition(failed, { kind: 'failed', reason: 'unreadable', message: null })
    expect(transfers.retry(null)).toEqual([failed])
    expect(shown([failed, waiting])).toBe('waiting 0, waiting 3')
    expect(transfers.get(failed)).toMatchObject({ reason: 'paused', until: null })
    expect(transfers.retry(null)).toEqual([])
  })

  it('concerns of some only those that failed or wait', () => {
    const ids = rows()
    expect(transfers.retry(ids.slice(1))).toEqual(ids.slice(1, 2))
    expect(shown(ids)).toBe('failed 3, queued 0, held 3, queued 3')
  })
})
