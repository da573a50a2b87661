// The search for a file's bytes among earlier uploads while the drive of one of these doesn't answer. The
// clock and the disk are simulated.
import { beforeEach, expect, it } from 'vitest'
import type { TransferRow } from '../../../../src-main/engine/journal/transfers.ts'
import type { Disk, Entry } from '../../../../src-main/engine/ports.ts'
import type { RowWriter } from '../../../../src-main/engine/send/file-failures.ts'
import {
  type Known,
  KnownContent,
  type KnownContentOptions,
} from '../../../../src-main/engine/send/known-content.ts'
import type { Receipts } from '../../../../src-main/engine/send/receipts.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'

const DEAD = 1
const ALIVE = 2

let clock: FakeClock
let abort: AbortController
let known: KnownContent
/** Earlier uploads of the bytes. */
let earlier: TransferRow[]
/** How many paths each request was about: those of earlier uploads, and that of the file. */
let asked: number[]
let revived: PromiseWithResolvers<void>
let isHung: 'stat' | 'isAway' | null
beforeEach(() => {
  clock = createFakeClock()
  abort = new AbortController()
  earlier = []
  asked = []
  revived = Promise.withResolvers()
  isHung = 'stat'
  const stat: Disk['stat'] = async (paths) => {
    asked.push(paths.length)
    if (isHung === 'stat' && paths.some((path) => path.startsWith('/dead'))) await revived.promise
    return paths.map((path) => (path.endsWith('left') ? null : { code: 'denied', message: 'there' }))
  }
  const options = {
    ports: { clock, disk: { stat, resolve: async (path: string) => ({ real: path, entry: {} as Entry }) } },
    transfers: { doneContent: () => earlier, unknown: () => earlier },
    remote: { get: () => null, isRemoval: () => false },
    folders: {
      isAway: async () => {
        if (isHung === 'isAway') await revived.promise
        return false
      },
    },
  } as unknown as KnownContentOptions
  known = new KnownContent(options, {} as RowWriter, {} as Receipts)
})

function done(path: string, folderId: number): TransferRow {
  const row = {
    id: earlier.length + 1,
    path,
    folderId,
    source: 'watch',
    state: 'done',
    size: 4,
    sha256: 'x',
    publicLink: 'https://x/1',
  }
  return { ...row, fileId: null, ended: null, away: false } as TransferRow
}

const COPY = { id: 99, path: '/alive/copy', folderId: ALIVE, source: 'watch', size: 4 } as TransferRow
const find = (): Promise<Known | null> => known.find(COPY, 'x', abort.signal)
const silent = { name: 'Error', message: expect.stringContaining("doesn't answer") }

it.each(['stat', 'isAway'] as const)(
  'gives up soon if %s is not answered, and asks again only once it is',
  async (hung) => {
    isHung = hung
    earlier = [done('/dead/left', DEAD)]
    const first = find().catch((error: unknown) => error)
    await clock.advance(2000)
    expect(await first).toMatchObject(silent)
    await expect(find()).rejects.toMatchObject(silent)
    await expect(known.underWay(COPY, 'x', abort.signal)).rejects.toMatchObject(silent)
    expect(asked).toEqual([2])
    isHung = null
    revived.resolve()
    await clock.advance(0)
    expect(await find()).toMatchObject({ row: { path: '/dead/left' }, hasLeft: true })
  },
)

it('ends at once if the upload is aborted, which says nothing about the drive', async () => {
  earlier = [done('/dead/left', DEAD)]
  const finding = find().catch((error: unknown) => error)
  await clock.advance(100)
  abort.abort()
  expect(await finding).toMatchObject({ name: 'AbortError' })
  await expect(find()).rejects.toMatchObject({ name: 'AbortError' })
  expect(asked).toEqual([2])
})

it('finds a file that has left another drive', async () => {
  earlier = [done('/alive/left', ALIVE), done('/dead/left', DEAD)]
  expect(await find()).toMatchObject({ row: { path: '/alive/left' }, hasLeft: true })
})

it('asks about many paths in parts, each of which has its time', async () => {
  earlier = Array.from({ length: 150 }, (_, i) => done(`/alive/${i}`, ALIVE))
  expect(await find()).toBeNull()
  expect(asked).toEqual([65, 65, 23])
})
