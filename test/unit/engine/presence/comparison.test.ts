// Which of two equal files gets the link of a remote file that has the name of one of them. The journal is a
// real one in memory, the disk is simulated, and the remote bytes are already known.

import { hash } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../../src-main/engine/journal/database.ts'
import { createGap } from '../../../../src-main/engine/journal/journal.ts'
import { createLikes } from '../../../../src-main/engine/journal/match-queries.ts'
import { createRemote } from '../../../../src-main/engine/journal/remote-list.ts'
import { createTransfers, type Transfers } from '../../../../src-main/engine/journal/transfers.ts'
import type { Shared } from '../../../../src-main/engine/presence/adoption.ts'
import { Comparison } from '../../../../src-main/engine/presence/comparison.ts'
import { NO_NAME_HABITS } from '../../../../src-main/engine/presence/naming.ts'
import { FileOpens } from '../../../../src-main/engine/send/file-opens.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { createMemDisk } from '../../../world/mem-disk.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import { queuedRow } from '../journal/queued-row.ts'
import { quietBus } from '../quiet-bus.ts'

const BYTES = 'the same bytes'
const SHA256 = hash('sha256', BYTES)

let db: Database
let clock: FakeClock
let transfers: Transfers
let comparison: Comparison
let adopted: string[]

beforeEach(async () => {
  clock = createFakeClock()
  adopted = []
  db = memoryJournal(clock.now())
  transfers = createTransfers(db)
  const remote = createRemote(db, () => undefined)
  const disk = createMemDisk(clock)
  disk.mkdir('/share')
  for (const path of ['/share/copy.txt', '/share/original.txt']) {
    disk.write(path, BYTES)
    const [entry] = await disk.stat([path])
    if (entry == null || !('mtime' in entry)) throw new Error('not there')
    transfers.add(queuedRow(path, { size: entry.size, mtime: entry.mtime, createdAt: clock.now() }))
  }
  const past = createGap(remote.facts)
  past.open('fresh', clock.now(), 'whole')
  past.listed()
  const shown = {
    filename: 'original.txt',
    size: BYTES.length,
    uploadDate: null,
    downloadCount: 0,
    publicLink: 'https://x.example.com/1',
  }
  remote.put({ ...shown, fileId: 1 }, clock.now(), true)
  const hashing = {
    stream: () => ({ update: () => undefined, digest: async () => SHA256, drop: () => undefined }),
  }
  const { signal: stop } = new AbortController()
  comparison = new Comparison({
    ports: {
      clock,
      hashing: { ...hashing, now: () => SHA256 },
      log: { info: () => undefined, error: () => undefined },
    },
    db,
    transfers,
    remote,
    past,
    likes: createLikes(db),
    links: { bytes: async () => ({ bytes: BYTES.length, sha256: SHA256 }) },
    limits: { unit: () => 'bytes', sizesTell: () => true },
    habits: { names: NO_NAME_HABITS, sendName: ({ name }: { readonly name: string }) => name },
    opens: new FileOpens({ clock, disk, transfers, bus: quietBus(), stop }),
    folders: { isOpen: () => true, ended: () => undefined },
    catalog: { complete: async (file: unknown) => file },
    sender: { finish: async (row: { readonly name: string }) => void adopted.push(row.name) },
    bus: quietBus(),
    identity: { tenure: () => stop },
    stop,
  } as unknown as Shared)
})
afterEach(() => db.close())

/** Offers the row for sending again and again for this long, as the scheduler does. */
async function offer(id: number, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    const row = transfers.get(id)
    if (row !== null) comparison.mayGo(row)
    await clock.advance(100)
  }
}

it('is the one with its name, however long the other was offered before', async () => {
  await offer(1, 5000)
  expect(adopted).toEqual([])
  await offer(2, 1000)
  expect(adopted[0]).toBe('original.txt')
})

it('is the other one if the one with its name is not compared for long', async () => {
  await offer(1, 120_000)
  expect(adopted[0]).toBe('copy.txt')
})
