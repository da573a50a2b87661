// When refusals that don't say which limit was reached hold back all uploads.
// Uses a journal in memory. plan-limits.test.ts tests what a single refusal means.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFacts } from '../../../../src-main/engine/journal/facts.ts'
import { type Database, openDatabase } from '../../../../src-main/engine/journal/open.ts'
import { createTransfers, type TransferRow, type Transfers } from '../../../../src-main/engine/journal/transfers.ts'
import { createUploadLimits, type UploadLimits } from '../../../../src-main/engine/limits/plan/upload-limits.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { queuedRow } from '../journal/queued-row.ts'

let db: Database
let transfers: Transfers
let limits: UploadLimits
beforeEach(() => {
  const clock = createFakeClock()
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
