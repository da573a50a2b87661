// How the service's time zone is learned from the uploads of this program: by the service's clock, regardless
// of this machine's clock, and again when the zone changes. The tests of matching names and dates cover its
// use.
import { afterEach, describe, expect, it } from 'vitest'
import { createUploadLimits, type UploadLimits } from '../../../../src-main/engine/budget/upload-limits.ts'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import { createFacts } from '../../../../src-main/engine/journal/single-values.ts'
import { createTransfers } from '../../../../src-main/engine/journal/transfers.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { memoryJournal } from './memory-journal.ts'
import { queuedRow } from './queued-row.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The time on the service's clock. */
const STORED = Date.UTC(2026, 9, 20, 10, 0, 0)

let db: Database | null = null
afterEach(() => {
  db?.close()
  db = null
})

interface Room {
  readonly clock: FakeClock
  /** As after a restart of the program with the same journal. */
  limits(): UploadLimits
  /**
   * Records an upload of this program. `server` is its time on the service's clock; null if the answer didn't
   * contain it.
   */
  done(fileId: number, server: number | null): void
}

function room(): Room {
  const opened = memoryJournal()
  db = opened
  const clock = createFakeClock(STORED - 5 * HOUR)
  const transfers = createTransfers(opened)
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  return {
    clock,
    limits: () => createUploadLimits({ clock, log: silent, transfers, facts: createFacts(opened) }),
    done: (fileId, server) => {
      const id = transfers.add(queuedRow(`/tmp/${fileId}`, { state: 'uploading', createdAt: clock.now() }))
      const receipt = { fileId, publicLink: `https://files.example.com/d/${fileId}`, filename: `${fileId}` }
      transfers.done(id, receipt, { sha256: null, adopted: false, sent: true, at: clock.now(), server })
    },
  }
}

describe("the service's zone", () => {
  it("is learned by the service's clock, also where this machine's was set meanwhile", () => {
    const r = room()
    const limits = r.limits()
    r.done(1, STORED)
    r.clock.jumpWall(5 * HOUR)
    limits.learnDate(1, '2026-10-20 10:00:00')
    expect(limits.zone()).toBe(0)
  })

  it('is not guessed from an upload whose moment the service did not tell', () => {
    const r = room()
    const limits = r.limits()
    r.done(1, null)
    limits.learnDate(1, '2026-10-20 10:00:00')
    limits.learnDate(2, '2026-10-20 10:00:00')
    expect(limits.zone()).toBeNull()
  })

  it('is learned anew when the clocks of the service are changed, not unlearned by older files, and kept', () => {
    const r = room()
    const limits = r.limits()
    r.done(1, STORED)
    limits.learnDate(1, '2026-10-20 12:00:00')
    expect(limits.zone()).toBe(2 * HOUR)
    r.done(2, STORED + 6 * DAY)
    limits.learnDate(2, '2026-10-26 11:00:00')
    expect(limits.zone()).toBe(HOUR)
    limits.learnDate(1, '2026-10-20 12:00:00')
    expect(limits.zone()).toBe(HOUR)
    const later = r.limits()
    expect(later.zone()).toBe(HOUR)
    later.learnDate(1, '2026-10-20 12:00:00')
    expect(later.zone()).toBe(HOUR)
  })

  it('that an earlier build learned wrongly is put right by the next upload', () => {
    const r = room()
    db?.run("INSERT INTO meta VALUES ('zone', '18000000')")
    const limits = r.limits()
    expect(limits.zone()).toBe(5 * HOUR)
    r.done(1, STORED)
    limits.learnDate(1, '2026-10-20 10:00:00')
    expect(limits.zone()).toBe(0)
  })
})
