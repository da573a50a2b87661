// What holds uploads back because of the plan: the day's uploads and refused sizes. Uses a journal in memory.
// plan-limits.test.ts tests what a single refusal means.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUploadLimits, type UploadLimits } from '../../../../src-main/engine/budget/upload-limits.ts'
import { type Database, openDatabase } from '../../../../src-main/engine/journal/database.ts'
import { createFacts } from '../../../../src-main/engine/journal/single-values.ts'
import {
  createTransfers,
  type TransferRow,
  type Transfers,
} from '../../../../src-main/engine/journal/transfers.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { queuedRow } from '../journal/queued-row.ts'

let clock: FakeClock
let db: Database
let transfers: Transfers
let limits: UploadLimits
let open: () => UploadLimits
beforeEach(() => {
  clock = createFakeClock()
  const files = { exists: () => false, rename: () => undefined, read: () => null }
  db = openDatabase({ file: ':memory:', files, seal: null, now: clock.now() }).db
  transfers = createTransfers(db)
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  open = () => createUploadLimits({ clock, log: silent, transfers, facts: createFacts(db) })
  limits = open()
})
afterEach(() => db.close())

function row(path: string): TransferRow {
  const added = transfers.get(transfers.add(queuedRow(path)))
  if (added === null) throw new Error('not added')
  return added
}

describe('full storage', () => {
  const read = (files: number): void =>
    limits.setStats({ plan: 'pro', stats: { total_files: files }, limits: { max_files: 3 } }, clock.now())

  it('holds uploads until /stats shows room again', () => {
    read(3)
    limits.diagnose(row('/a.txt'), null, true)
    read(3)
    expect(limits.gate(0)).toMatchObject({ reason: 'storage-full' })
    read(2)
    expect(limits.gate(0)).toBeNull()
  })

  it('holds them until the next try where only the refusal speaks of it', () => {
    read(2)
    limits.diagnose(row('/a.txt'), 'Storage quota exceeded', true)
    read(1)
    expect(limits.gate(0)).toMatchObject({ reason: 'storage-full' })
  })
})

describe('a limit of uploads a day', () => {
  it('still counts an upload of a day ago for the margin, right after a recount, too', async () => {
    limits.setStats({ plan: 'pro', stats: {}, limits: { daily_uploads: 1 } }, clock.now())
    const { id } = row('/a.txt')
    const receipt = { fileId: 1, publicLink: null, filename: null }
    transfers.done(id, receipt, { sha256: null, adopted: false, sent: true, at: clock.now(), server: null })
    limits.uploaded()
    expect(limits.gate(0)).toMatchObject({ reason: 'daily-uploads' })
    await clock.advance(86_400_000 + 10_000)
    expect(limits.daily()).toMatchObject({ used: 1, nextAt: clock.now() + 20_000 })
    await clock.advance(20_000)
    expect(limits.daily()).toMatchObject({ used: 0, nextAt: null })
  })

  it.each([
    ['the service does not count', {}],
    ['the service has counted it, and says so', { uploads_today: 1 }],
  ])('counts an upload that was taken back for a day, where %s', async (_name, stats) => {
    limits.setStats({ plan: 'pro', stats: {}, limits: { daily_uploads: 1 } }, clock.now())
    limits.takenBack(clock.now())
    expect(limits.gate(0)).toMatchObject({ reason: 'daily-uploads' })
    await clock.advance(120_000)
    limits.setStats({ plan: 'pro', stats, limits: { daily_uploads: 1 } }, clock.now())
    expect(limits.gate(0)).toMatchObject({ reason: 'daily-uploads' })
    expect(limits.daily()).toMatchObject({ used: 1 })
    await clock.advance(86_400_000 + 30_000)
    expect(limits.gate(0)).toBeNull()
  })

  it('counts an upload that was taken back after a restart, too, until the account changes', async () => {
    const read = (): void =>
      limits.setStats({ plan: 'pro', stats: {}, limits: { daily_uploads: 2 } }, clock.now())
    read()
    limits.takenBack(clock.now() - 3_600_000)
    limits.takenBack(clock.now())
    limits = open()
    read()
    expect(limits.daily()).toMatchObject({ used: 2 })
    expect(limits.gate(0)).toMatchObject({ reason: 'daily-uploads' })
    await clock.advance(86_400_000 - 3_600_000 + 30_001)
    expect(limits.daily()).toMatchObject({ used: 1 })
    limits.reset()
    limits = open()
    read()
    expect(limits.daily()).toMatchObject({ used: 0 })
  })

  it('does not count an upload that was taken back while the clock was ahead', async () => {
    limits.setStats({ plan: 'pro', stats: {}, limits: { daily_uploads: 1 } }, clock.now())
    clock.jumpWall(30 * 86_400_000)
    limits.takenBack(clock.now())
    clock.jumpWall(-30 * 86_400_000)
    await clock.advance(120_000)
    limits.setStats({ plan: 'pro', stats: {}, limits: { daily_uploads: 1 } }, clock.now())
    expect(limits.gate(0)).toBeNull()
  })
})

describe('a size that the service refused', () => {
  const SIZE = 150_000_000
  const read = (plan: string | null, maxFileSize?: string): void =>
    limits.setStats(
      { plan, stats: {}, limits: maxFileSize === undefined ? {} : { max_file_size: maxFileSize } },
      clock.now(),
    )
  const isHeld = (): boolean => limits.tooBig(SIZE) !== null

  it.each<readonly [string, readonly (readonly [string | null, string?])[], boolean]>([
    ['while the plan is the same', [['pro'], ['pro'], [' Pro ']], true],
    ['under another plan', [['pro'], ['business']], false],
    ['under another plan, which an answer without one came before', [['pro'], [null], ['business']], false],
    ['while the plan is not always named', [['pro'], [null], ['pro']], true],
    ['under another stated size', [['pro', '100 MB'], ['pro', '200 MB'], ['pro']], false],
    [
      'under the same stated size, which is not always named',
      [['pro', '100 MB'], ['pro'], ['pro', '100 MB'], ['pro']],
      true,
    ],
    ['where the plan states that there is no limit', [['pro', 'unlimited']], false],
  ])('is held without asking or not: %s', (_what, [first, ...answers], expected) => {
    read(...(first ?? [null]))
    limits.refusedSize(SIZE)
    for (const answer of answers) read(...answer)
    expect(isHeld()).toBe(expected)
  })

  it('stays forgotten, or known, after a restart', () => {
    read('pro')
    limits.refusedSize(SIZE)
    limits = open()
    expect(isHeld()).toBe(true)
    read('pro')
    expect(isHeld()).toBe(true)
    read('business')
    limits = open()
    expect(isHeld()).toBe(false)
  })
})

describe('a limit that the service has stated', () => {
  const DAILY = 'daily upload limit exceeded'
  const read = (of: UploadLimits, daily_uploads: number): void =>
    of.setStats({ plan: 'pro', stats: {}, limits: { daily_uploads } }, clock.now())
  const state = (): number | null => limits.diagnose(row('/a.txt'), DAILY, true).until

  it('holds uploads back until the time that was shown, also in the next process', () => {
    read(limits, 10)
    const until = state()
    const next = open()
    read(next, 10)
    expect(next.gate(0)).toMatchObject({ reason: 'daily-uploads', until })
    expect(next.dailyBudget()).toMatchObject({ free: 0, releases: [{ at: until }] })
  })

  it('is part of the forecast if no limit is known', () => {
    const until = state()
    expect(limits.dailyBudget()).toMatchObject({ free: 0, releases: [{ at: until }] })
  })

  it('is asked about again if a person names a file, at most every five minutes', async () => {
    read(limits, 10)
    state()
    await clock.advance(299_000)
    limits.asked()
    expect(limits.gate(0)).not.toBeNull()
    await clock.advance(1000)
    limits.asked()
    expect([limits.gate(0), open().gate(0)]).toEqual([null, null])
  })

  it('no longer counts once the plan allows another number', () => {
    read(limits, 10)
    state()
    read(limits, 20)
    expect([limits.gate(0), open().gate(0)]).toEqual([null, null])
  })

  it('no longer counts after a clock rollback', () => {
    state()
    clock.jumpWall(-7_200_000)
    expect(open().gate(0)).toBeNull()
  })
})
