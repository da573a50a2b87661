// Which of two equal files gets the link of a remote file that has the name of one of them. The journal is a real one in memory, the disk
// is simulated, and the remote bytes are already known.
import { hash } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLikes } from '../../../../src-main/engine/journal/likes.ts'
import { type Database, openDatabase } from '../../../../src-main/engine/journal/open.ts'
import { createRemote } from '../../../../src-main/engine/journal/remote.ts'
import { createTransfers, type TransferRow } from '../../../../src-main/engine/journal/transfers.ts'
import { type Compared, ContentComparison } from '../../../../src-main/engine/presence/comparison-content.ts'
import { ComparisonNeed, createPast } from '../../../../src-main/engine/presence/gap.ts'
import { LinkDownloads } from '../../../../src-main/engine/presence/link-downloads.ts'
import { RemoteBytes } from '../../../../src-main/engine/presence/remote-bytes.ts'
import { FileOpens } from '../../../../src-main/engine/transfer/file-opens.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { createMemDisk, type MemDisk } from '../../../world/mem-disk.ts'
import { queuedRow } from '../journal/queued-row.ts'

const BYTES = 'the same bytes'
/** More comparisons than a file waits for the one with the exact name. */
const MANY = 200

let db: Database
let comparison: ContentComparison
let copy: TransferRow
let clock: FakeClock
let disk: MemDisk

beforeEach(async () => {
  clock = createFakeClock()
  disk = createMemDisk(clock)
  const files = { exists: () => false, rename: () => undefined, read: () => null }
  db = openDatabase({ file: ':memory:', files, seal: null, now: clock.now() }).db
  const remote = createRemote(db, () => undefined)
  const transfers = createTransfers(db)
  const likes = createLikes(db)
  const past = createPast(remote.facts)
  disk.mkdir('/share')
  const rows: TransferRow[] = []
  for (const path of ['/share/copy.txt', '/share/original.txt']) {
    disk.write(path, BYTES)
    const [entry] = await disk.stat([path])
    if (entry === undefined || entry === null || !('mtime' in entry)) throw new Error('not there')
    const row = transfers.get(transfers.add(queuedRow(path, { size: entry.size, mtime: entry.mtime, createdAt: clock.now() })))
    if (row !== null) rows.push(row)
  }
  const [first] = rows
  if (first === undefined) throw new Error('no row')
  copy = first
  past.open('fresh', clock.now(), 'whole')
  const shown = { filename: 'original.txt', size: BYTES.length, uploadDate: null, downloadCount: 0, publicLink: 'https://x.example.com/1' }
  remote.put({ ...shown, fileId: 1 }, clock.now(), true)
  likes.setBytes(1, { bytes: BYTES.length, sha256: hash('sha256', BYTES) })
  const limits = { unit: () => 'bytes' as const, sizesTell: () => true, learnSize: () => undefined }
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const hashing = {
    now: (data: Uint8Array) => hash('sha256', data),
    stream: () => ({ update: () => undefined, digest: async () => hash('sha256', BYTES), drop: () => undefined }),
  }
  comparison = new ContentComparison(
    {
      ports: { clock, hashing, log },
      opens: new FileOpens({ clock, disk, onChange: () => undefined }),
      db,
      transfers,
      remote,
      likes,
      catalog: { file: async () => ({ ok: false, failure: { kind: 'aborted' } }) },
      bytes: new RemoteBytes({ ports: { hashing }, db, remote, likes, downloads: new LinkDownloads({ api: () => null }), limits }),
      limits,
      sendName: (row) => row.name,
      isOpen: () => true,
    },
    new ComparisonNeed(clock, past),
  )
})
afterEach(() => db.close())

const compare = (): Promise<Compared> => comparison.compare(copy, new AbortController().signal)

it('is the one with its name, which the other waits for, but not for ever; and on another account it waits again', async () => {
  expect(await compare()).toEqual({ again: expect.any(Number) })
  let last = await compare()
  for (let tries = 0; tries < MANY && 'again' in Object(last); tries++) last = await compare()
  expect(last).toMatchObject({ found: { fileId: 1 } })
  comparison.reset()
  expect(await compare()).toEqual({ again: expect.any(Number) })
})

it('is not looked for while the drive of the file does not answer, however often, and is found once it does', async () => {
  const { open } = disk
  const revived = Promise.withResolvers<void>()
  let opened = 0
  Object.assign(disk, {
    open: async (path: string) => {
      opened++
      await revived.promise
      return open(path)
    },
  })
  for (let tries = 0; tries < 10; tries++) {
    const comparing = compare()
    await clock.advance(60_000)
    expect(await comparing).toEqual({ again: expect.any(Number) })
  }
  expect(opened).toBe(1)
  revived.resolve()
  await clock.advance(0)
  expect(await compare()).toEqual({ again: clock.now() + 200 })
})
