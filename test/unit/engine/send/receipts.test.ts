// What confirming a transfer again leaves of its first upload: the daily upload limit still counts it.
// Uses a journal in memory.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUploadLimits, type UploadLimits } from '../../../../src-main/engine/budget/upload-limits.ts'
import { createClaims } from '../../../../src-main/engine/journal/claims.ts'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import { createOwners } from '../../../../src-main/engine/journal/owners.ts'
import { createRemote } from '../../../../src-main/engine/journal/remote-list.ts'
import {
  createTransfers,
  type TransferRow,
  type Transfers,
} from '../../../../src-main/engine/journal/transfers.ts'
import type { FileFailures } from '../../../../src-main/engine/send/file-failures.ts'
import { RowWriter } from '../../../../src-main/engine/send/file-failures.ts'
import { Receipts } from '../../../../src-main/engine/send/receipts.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import { queuedRow } from '../journal/queued-row.ts'

const HOUR = 3_600_000
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let clock: FakeClock
let db: Database
let transfers: Transfers
let limits: UploadLimits
let receipts: Receipts
let lose: (fileId: number) => void
/** Makes the next commit fail, after its work is done. */
let failNext: boolean
/** Whether the link that is known for an ID leads to its file. */
let isLinked: boolean

beforeEach(() => {
  clock = createFakeClock()
  const { soon, ...rest } = memoryJournal(clock.now())
  failNext = false
  isLinked = false
  db = {
    ...rest,
    soon: (work) =>
      soon(() => {
        work()
        if (!failNext) return
        failNext = false
        throw new Error('the disk is full')
      }),
  }
  transfers = createTransfers(db)
  const remote = createRemote(
    db,
    () => undefined,
    () => undefined,
  )
  const claims = createClaims(db)
  lose = (fileId) => void claims.lose(fileId)
  limits = createUploadLimits({ clock, log, transfers, facts: remote.facts })
  const { signal: stop } = new AbortController()
  const bus = { changed: () => undefined, touched: () => undefined }
  const rows = new RowWriter({
    clock,
    db,
    transfers,
    bus,
    failed: () => void clock.advance(HOUR / 60),
    stop,
  })
  const failures = { confirmed: () => undefined } as unknown as FileFailures
  const catalog = {
    file: async () => ({ ok: false as const, failure: 'closing' as never }),
    linkShows: async () => (isLinked ? ('lives' as const) : ('dead' as const)),
  }
  receipts = new Receipts(
    {
      ports: { clock, log },
      transfers,
      remote,
      claims,
      owners: createOwners(claims, remote),
      budget: { serverNow: () => null },
      catalog,
      limits,
      putAway: { wake: () => undefined },
      stop,
    },
    rows,
    failures,
  )
})
afterEach(() => db.close())

function row(id: number): TransferRow {
  const found = transfers.get(id)
  if (found === null) throw new Error('no transfer')
  return found
}

function remoteFile(fileId: number) {
  const publicLink = `https://files.example.com/d/${fileId}`
  return { fileId, filename: 'a.txt', size: 1, publicLink, uploadDate: null, downloadCount: null }
}

async function upload(id: number, fileId: number): Promise<void> {
  transfers.intent(id, clock.now(), null, 'a'.repeat(64), 'a.txt')
  await receipts.finish(row(id), remoteFile(fileId), {
    sha256: 'a'.repeat(64),
    adopted: false,
    sent: true,
    server: null,
  })
  limits.uploaded()
}

describe('an upload whose file is gone from the service', () => {
  beforeEach(() => limits.setStats({ plan: 'pro', stats: {}, limits: { daily_uploads: 2 } }, clock.now()))

  it.each([
    ['it is sent again', 2, async (id: number) => upload(id, 8)],
    [
      'it is sent again and the journal fails meanwhile',
      2,
      async (id: number) => {
        failNext = true
        await upload(id, 8)
      },
    ],
    [
      'it takes over the link of another upload',
      1,
      async (id: number) => {
        await receipts.reuse(row(id), 'a'.repeat(64), () => remoteFile(9))
      },
    ],
  ])('counts against the daily limit for a day also if %s', async (_what, used, confirm) => {
    const id = transfers.add(queuedRow('/a.txt'))
    await upload(id, 7)
    await clock.advance(HOUR)
    lose(7)
    expect(row(id)).toMatchObject({ state: 'queued', fileId: null })
    await confirm(id)
    expect(row(id).state).toBe('done')
    await clock.advance(HOUR / 2)
    expect(limits.daily()).toMatchObject({ used })
    expect(limits.gate(0)?.reason ?? null).toBe(used === 2 ? 'daily-uploads' : null)
    await clock.advance(23.5 * HOUR)
    expect(limits.daily()).toMatchObject({ used: used - 1 })
  })
})

describe('an ID that the service gives a second time, with another link', () => {
  const again = { ...remoteFile(7), publicLink: 'https://files.example.com/d/other' }

  it.each([
    ['to other content of another size', 5, 'b', null],
    ['to other content of the same size', 1, 'b', null],
    ['to the same content', 1, 'a', 7],
  ])('identifies neither file while the first link lives: %s', async (_what, size, hex, fileId) => {
    const first = transfers.add(queuedRow('/a.txt'))
    await upload(first, 7)
    const second = transfers.add({ ...queuedRow('/a.txt'), path: '/elsewhere/a.txt', size })
    const sha256 = hex.repeat(64)
    isLinked = true
    const receipt = await receipts.identified(row(second), { ...again, size }, sha256)
    expect(receipt).toEqual({ ...again, size, fileId })
    transfers.intent(second, clock.now(), null, sha256, 'a.txt')
    await receipts.finish(row(second), receipt, { sha256, adopted: false, sent: true, server: null })
    expect(row(first)).toMatchObject({ state: 'done', ended: null })
    expect(row(second)).toMatchObject({ state: 'done', ended: null, publicLink: again.publicLink })
  })

  it('belongs to the second file if the first link is dead', async () => {
    const first = transfers.add(queuedRow('/a.txt'))
    await upload(first, 7)
    const second = transfers.add({ ...queuedRow('/b.txt'), size: 5 })
    const receipt = await receipts.identified(row(second), { ...again, size: 5 }, 'b'.repeat(64))
    expect(receipt.fileId).toBe(7)
    transfers.intent(second, clock.now(), null, 'b'.repeat(64), 'b.txt')
    await receipts.finish(row(second), receipt, {
      sha256: 'b'.repeat(64),
      adopted: false,
      sent: true,
      server: null,
    })
    expect(row(first)).toMatchObject({ ended: 'gone' })
    expect(row(second)).toMatchObject({ fileId: 7, ended: null })
  })
})
