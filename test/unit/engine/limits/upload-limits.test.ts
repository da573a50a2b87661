// When refusals that don't say which limit was reached hold back all uploads.
// Uses a journal in memory. plan-limits.test.ts tests what a single refusal means.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFacts } from '../../../../src-main/engine/journal/facts.ts'
import { type Database, openDatabase } from '../../../../src-main/engine/journal/open.ts'
import { createTransfers, type TransferRow, type Transfers } from '../../../../src-main/engine/journal/transfers.ts'
import { createUploadLimits, type UploadLimits } from '../../../../src-main/engine/limits/plan/upload-limits.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { queuedRow } from '../journal/queued-row.ts'

let clock: FakeClock
let db: Database
let transfers: Transfers
let limits: UploadLimits
beforeEach(() => {
  clock = createFakeClock()
  const files = { exists: () => false, rename: () => undefined, read: () => null }
  db = openDatabase({ file: ':memory:', files, seal: null, now: clock.now() }).db
  transfers = createTransfers(db)
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  limits = createUploadLimits({ clock, log: silent, transfers, facts: createFacts(db) })
})
afterEach(() => db.close())

function row(path: string): TransferRow {
  const added = transfers.get(transfers.add(queuedRow(path)))
  if (added === null) throw new Error('not added')
  return added
}

describe('refusals for an unknown reason', () => {
  it('close the gate once different files were refused', () => {
    limits.diagnose(row('/a.txt'), null, true)
    expect(limits.gate(0)).toBeNull()
    limits.diagnose(row('/b.txt'), null, true)
    expect(limits.gate(0)).toMatchObject({ reason: 'limit' })
  })

  it('by another account do not count', () => {
    limits.diagnose(row('/a.txt'), null, true)
    limits.reset()
    limits.diagnose(row('/b.txt'), null, true)
    expect(limits.gate(0)).toBeNull()
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
    expect(limits.gate(0)).toMatchObject({ reason: 'daily-uploads', until: clock.now() + 20_000 })
    await clock.advance(20_000)
    expect(limits.gate(0)).toBeNull()
  })
})
