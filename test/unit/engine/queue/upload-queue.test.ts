// Which upload is next: by urgency, then by age, and never one that couldn't be distinguished from another
// one in progress. Uses a journal in memory with real rows.

import { join as native } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TransferRow } from '../../../../src-main/engine/journal/transfers.ts'
import {
  SchedulerLog,
  type UnderWay,
  UploadQueue,
  type UploadQueueOptions,
} from '../../../../src-main/engine/queue/upload-queue.ts'
import { FileOpens } from '../../../../src-main/engine/send/file-opens.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { quietBus } from '../quiet-bus.ts'
import { allAnswered, nothingToCompare, type QueueJournal, queueJournal } from './scheduler-world.ts'

const LARGE = 17 * 1024 * 1024
const NOTHING: UnderWay = {
  isActive: () => false,
  isFullOfLarge: false,
  unconfirmed: new Set(),
  isProbe: false,
}
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

let journal: QueueJournal
let folders: number[]
beforeEach(() => {
  journal = queueJournal()
  folders = []
})
afterEach(() => journal.db.close())

function queueWith(options: Partial<UploadQueueOptions> = {}): UploadQueue {
  return new UploadQueue({
    transfers: journal.transfers,
    compare: nothingToCompare,
    debug: new SchedulerLog(log),
    folders: { sendingIds: () => folders, isOpen: () => true, isPaused: () => false },
    opens: allAnswered,
    propagator: { isSearching: () => false },
    habits: { sendName: (row) => row.name, sentName: (row) => row.sentName ?? row.name },
    bus: quietBus(),
    ...options,
  })
}
const rowOf = (id: number): TransferRow => {
  const row = journal.transfers.get(id)
  if (row === null) throw new Error(`no row ${id}`)
  return row
}
/** Takes rows as the scheduler does; all of them stay in progress. */
function take(queue: UploadQueue, count: number, underWay: Partial<UnderWay> = {}): (number | undefined)[] {
  const taken = new Set<number>()
  return Array.from({ length: count }, () => {
    const next = queue.next({ ...NOTHING, isActive: (id) => taken.has(id), ...underWay })
    if (next === null) return undefined
    taken.add(next.row.id)
    queue.hold(next.row)
    return next.row.id
  })
}

describe('the order', () => {
  it('is the most urgent first, and the oldest of those', () => {
    const [a, b, c] = [journal.add(), journal.add({ priority: 2 }), journal.add({ priority: 2 })]
    expect(take(queueWith(), 4)).toEqual([b, c, a, undefined])
  })

  it('does not end with the first page of the queue', () => {
    const ids = Array.from({ length: 150 }, () => journal.add())
    expect(take(queueWith(), 151)).toEqual([...ids, undefined])
  })

  it('takes in a more urgent row that came since it was read, once it is told', () => {
    const [a, b] = [journal.add(), journal.add()]
    const queue = queueWith()
    expect(take(queue, 1)).toEqual([a])
    const urgent = journal.add({ priority: 9 })
    queue.invalidate()
    journal.transfers.transition(a, { kind: 'cancelled' })
    expect(take(queue, 2)).toEqual([urgent, b])
  })
})

describe('a row is passed over', () => {
  it('when it left the queue since it was read', () => {
    const [a, b, c] = [journal.add(), journal.add(), journal.add()]
    const queue = queueWith()
    expect(take(queue, 1)).toEqual([a])
    journal.transfers.transition(b, { kind: 'cancelled' })
    expect(take(queue, 1)).toEqual([c])
  })

  it('while its drive does not answer, however many of them there are', () => {
    const isDead = (path: string): boolean => path.startsWith(native('/mnt/'))
    for (let i = 0; i < 400; i++)
      journal.add({ path: native(`/mnt/${i % 2 === 0 ? 'dead' : 'near it'}/${i}`), priority: 10 })
    const below = journal.add({ path: native('/mnt/dead/below/a') })
    const other = journal.add({ path: native('/mnt2/a') })
    const dirs = [native('/mnt/dead'), native('/mnt/near it')]
    const isUnanswered = ({ path }: { readonly path: string }): boolean => isDead(path)
    const opens = {
      ...allAnswered,
      isUnanswered,
      unanswered: () => ({ dirs, trees: [native('/mnt')], except: [] }),
    }
    expect(queueWith({ opens }).next(NOTHING)?.row.id).toBe(other)
    // What is below a directory may be on another drive.
    const belowAlive = {
      ...allAnswered,
      isUnanswered: ({ path }: { readonly path: string }) => isDead(path) && !path.endsWith('a'),
      unanswered: () => ({ dirs, trees: [], except: [] }),
    }
    expect(queueWith({ opens: belowAlive }).next(NOTHING)?.row.id).toBe(below)
  })

  it('while it is being sent itself', () => {
    const id = journal.add()
    expect(queueWith().next({ ...NOTHING, isActive: (one) => one === id })).toBeNull()
  })

  it('while its drive does not answer, however many files of however many directories there are', async () => {
    const clock = createFakeClock()
    const disk = { open: () => new Promise<never>(() => undefined), mountOf: () => native('/mnt/nas') }
    const opens = new FileOpens({
      clock,
      disk,
      transfers: journal.transfers,
      bus: quietBus(),
      stop: new AbortController().signal,
    })
    const dead = Array.from({ length: 14_000 }, (_, i) => native(`/mnt/nas/${i}/a`))
    const ids = journal.db.tx(() => dead.map((path) => journal.add({ path, priority: 10 })))
    const other = journal.add({ path: native('/mnt/nas2/a') })
    for (const id of ids.slice(0, 2)) void opens.open(rowOf(id), new AbortController().signal)
    await clock.advance(5000)
    expect(queueWith({ opens }).next(NOTHING)?.row.id).toBe(other)
  })

  it('while its folder is not watched', () => {
    const folder = 7
    const id = journal.add({ source: 'watch', folderId: folder })
    const queue = queueWith()
    expect(queue.next(NOTHING)).toBeNull()
    folders = [folder]
    queue.invalidate()
    expect(queue.next(NOTHING)?.row.id).toBe(id)
  })

  it('while one of the same name and size is under way, as the service may show it', () => {
    const first = journal.add({ name: 'My file.txt' })
    const like = journal.add({ name: 'my-file.txt' })
    const longer = journal.add({ name: 'my-file.TXT', size: 2 })
    const queue = queueWith()
    expect(take(queue, 3)).toEqual([first, longer, undefined])
    queue.letGo(rowOf(first))
    journal.transfers.transition(first, { kind: 'cancelled' })
    expect(queue.next({ ...NOTHING, isActive: (id) => id === longer })?.row.id).toBe(like)
  })

  it('while one of the same name and size is under way, even if it had another size when it was last passed over', () => {
    const add = (dir: string, size: number) =>
      journal.add({ path: native(`/${dir}/log.txt`), name: 'log.txt', size })
    const [first, other, row] = [add('a', 99), add('b', 100), add('c', 99)]
    const queue = queueWith()
    expect(take(queue, 3)).toEqual([first, other, undefined])
    journal.transfers.setVersion(row, 100, 5)
    queue.invalidate()
    queue.letGo(rowOf(first))
    const isActive = (id: number): boolean => id === first || id === other
    expect(queue.next({ ...NOTHING, isActive })).toBeNull()
    queue.letGo(rowOf(other))
    expect(queue.next({ ...NOTHING, isActive })?.row.id).toBe(row)
  })

  it('while an upload of its name and size is unconfirmed, under the name that was sent then', () => {
    const lost = journal.add({ name: 'old name.txt' })
    journal.transfers.intent(lost, 1, null, null, 'old name.txt')
    journal.transfers.transition(lost, { kind: 'answer-lost', message: null, until: null })
    journal.transfers.setPath(lost, '/files/new name.txt', 'new name.txt')
    journal.add({ name: 'Old-name.txt' })
    const other = journal.add({ name: 'new name.txt' })
    const queue = queueWith()
    const unconfirmed = new Set(journal.transfers.unknown(10).map((row) => queue.keyOf(row)))
    expect(take(queue, 2, { unconfirmed })).toEqual([other, undefined])
  })

  it('and is said to wait for an unconfirmed upload, as long as it does', () => {
    const id = journal.add()
    const changed: number[] = []
    const queue = queueWith({ bus: quietBus({ changed: (one) => void changed.push(one) }) })
    const unconfirmed = new Set([queue.keyOf(rowOf(id))])
    expect([queue.next({ ...NOTHING, unconfirmed }), queue.next({ ...NOTHING, unconfirmed })]).toEqual([
      null,
      null,
    ])
    expect([queue.isBehindUnconfirmed(rowOf(id)), changed]).toEqual([true, [id]])
    expect(queue.next(NOTHING)?.row.id).toBe(id)
    expect([queue.isBehindUnconfirmed(rowOf(id)), changed]).toEqual([false, [id, id]])
  })

  it('if it is large, while enough large ones are under way', () => {
    const large = journal.add({ size: LARGE })
    const small = journal.add()
    const queue = queueWith()
    expect(queue.next({ ...NOTHING, isFullOfLarge: true })?.row.id).toBe(small)
    expect(queue.next({ ...NOTHING, isActive: (id) => id === small })?.row.id).toBe(large)
  })
})

describe('rows that have to be compared with the service first', () => {
  it('wait, and are next once they may go', () => {
    const id = journal.add()
    let mayGo = false
    const queue = queueWith({ compare: { mayGo: () => mayGo, isNeeded: () => !mayGo } })
    expect(queue.next(NOTHING)).toBeNull()
    mayGo = true
    queue.invalidate()
    expect(queue.next(NOTHING)).toMatchObject({ row: { id }, why: 'next' })
  })

  it('do not hold up what was written since, however many they are', () => {
    for (let i = 0; i < 400; i++) journal.add({ mtime: 1 })
    const fresh = journal.add({ mtime: 2 })
    journal.add({ mtime: 1 })
    const isNeeded = (row: TransferRow): boolean => row.mtime === 1
    const queue = queueWith({ compare: { mayGo: (row) => !isNeeded(row), isNeeded } })
    expect(queue.next(NOTHING)).toMatchObject({ row: { id: fresh }, why: 'newest' })
  })
})
