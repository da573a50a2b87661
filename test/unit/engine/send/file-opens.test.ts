// How many files of a drive are opened at the same time, and what becomes of an open that isn't answered. The
// clock is simulated, and each open is answered when the test says so.

import { join as native } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TransferRow } from '../../../../src-main/engine/journal/transfers.ts'
import { DiskError, type OpenFile } from '../../../../src-main/engine/ports.ts'
import { FileOpens, type Opened } from '../../../../src-main/engine/send/file-opens.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { quietBus } from '../quiet-bus.ts'

const LIVE = new AbortController().signal

let clock: FakeClock
let opens: FileOpens
/** The opens that have begun, in order. */
let begun: PromiseWithResolvers<OpenFile>[]
let closed: number
let changes: number
/** The tops of drives, as the disk knows them. */
let mounts: readonly string[]
beforeEach(() => {
  clock = createFakeClock()
  begun = []
  closed = 0
  changes = 0
  mounts = []
  const open = (): Promise<OpenFile> => {
    const one = Promise.withResolvers<OpenFile>()
    begun.push(one)
    return one.promise
  }
  const mountOf = (path: string): string | null => mounts.find((mount) => path.startsWith(mount)) ?? null
  opens = new FileOpens({
    clock,
    disk: { open, mountOf },
    transfers: { queuedIds: () => [] },
    bus: quietBus({ wake: () => void changes++ }),
    stop: new AbortController().signal,
  })
})

const at = (folderId: number | null, path = '/folder/a'): TransferRow =>
  ({ folderId, path, size: 1 }) as TransferRow
const file = (): OpenFile => ({ close: async () => void closed++ }) as OpenFile
const openAll = (count: number, row = at(1), signal = LIVE): Promise<Opened>[] =>
  Array.from({ length: count }, () => opens.open(row, signal))

/** Opens a file that is answered at once. */
async function answer(row = at(1)): Promise<void> {
  const opening = opens.open(row, LIVE)
  await clock.advance(0)
  begun.at(-1)?.resolve(file())
  await opening
}

describe('a drive', () => {
  it('has one file opened until it answers, then all of them', async () => {
    const opening = openAll(3)
    await clock.advance(1000)
    expect(begun).toHaveLength(1)
    begun[0]?.resolve(file())
    await clock.advance(0)
    expect(begun).toHaveLength(3)
    for (const one of begun) one.resolve(file())
    expect(await Promise.all(opening)).toEqual([expect.anything(), expect.anything(), expect.anything()])
  })

  it('has several opened at once if it has answered lately, but not long after', async () => {
    await answer()
    await clock.advance(5000)
    void Promise.all(openAll(3))
    await clock.advance(0)
    expect(begun).toHaveLength(4)
    for (const one of begun) one.resolve(file())
    await clock.advance(11_000)
    void Promise.all(openAll(3))
    await clock.advance(0)
    expect(begun).toHaveLength(5)
  })

  it('is not taken for one that does not answer while a file waits for others to be read', async () => {
    const whole = Promise.withResolvers<OpenFile | null>()
    const disk = { open: () => whole.promise.then(file), openWhole: () => whole.promise }
    opens = new FileOpens({
      clock,
      disk,
      transfers: { queuedIds: () => [] },
      bus: quietBus({ wake: () => void changes++ }),
      stop: LIVE,
    })
    const opening = opens.open(at(1), LIVE)
    await clock.advance(60_000)
    expect(opens.isUnanswered(at(1))).toBe(false)
    whole.resolve(null)
    expect(await opening).not.toBeTypeOf('string')
    expect(changes).toBe(0)
  })

  it('counts a failure as an answer', async () => {
    const opening = openAll(2)
    await clock.advance(0)
    begun[0]?.reject(new DiskError({ code: 'denied', message: 'denied' }))
    await expect(opening[0]).rejects.toThrow('denied')
    await clock.advance(0)
    expect(begun).toHaveLength(2)
    expect(changes).toBe(0)
  })

  it('that does not answer has no other file opened, and another drive has', async () => {
    const opening = openAll(2)
    await clock.advance(2000)
    expect(await opening[1]).toBe('later')
    expect([opens.isUnanswered(at(1)), opens.isFolderUnanswered(1), opens.isUnanswered(at(2))]).toEqual([
      true,
      true,
      false,
    ])
    expect(await opens.open(at(1), LIVE)).toBe('later')
    await answer(at(2))
    expect(begun).toHaveLength(2)
    expect(changes).toBe(1)
  })

  it('is a directory for files without a folder', async () => {
    void Promise.all(openAll(1, at(null, '/dead/a')))
    await clock.advance(2000)
    expect([opens.isUnanswered(at(null, '/dead/b')), opens.isUnanswered(at(null, '/alive/b'))]).toEqual([
      true,
      false,
    ])
  })
})

describe('directories of named files', () => {
  const named = (dir: string): TransferRow => at(null, native(dir, 'a'))
  const all = (...paths: readonly string[]): readonly string[] => paths.map((path) => native(path))

  it('are tried one after the other until two do not answer, and then none near them', async () => {
    const tree = Array.from({ length: 20 }, (_, i) => opens.open(named(`/mnt/nas/${i % 4}/${i}`), LIVE))
    await clock.advance(1000)
    expect(begun).toHaveLength(1)
    await clock.advance(10_000)
    expect(begun).toHaveLength(2)
    expect(opens.unanswered()).toMatchObject({
      dirs: all('/mnt/nas/0/0', '/mnt/nas/1/1'),
      trees: all('/mnt/nas'),
    })
    expect((await Promise.all(tree.slice(2))).every((one) => one === 'later')).toBe(true)
    expect([opens.isUnanswered(named('/mnt/nas/9')), opens.isUnanswered(named('/mnt/usb'))]).toEqual([
      true,
      false,
    ])
    await answer(named('/home/me'))
    for (const one of begun) one.resolve(file())
    await clock.advance(0)
    expect(opens.isUnanswered(named('/mnt/nas/9'))).toBe(false)
  })

  it('count as silent on the drives of two that do not answer, and not beside these drives', async () => {
    mounts = all('/mnt/nas1', '/mnt/nas2')
    void Promise.all(['/mnt/nas1/a', '/mnt/nas2/a'].map((dir) => opens.open(named(dir), LIVE)))
    await clock.advance(5000)
    expect(opens.unanswered()).toEqual({ dirs: all('/mnt/nas1/a', '/mnt/nas2/a'), trees: mounts, except: [] })
    const dirs = ['/mnt/nas1/b', '/mnt/nas2', '/mnt/usb', '/mnt']
    expect(dirs.map((dir) => opens.isUnanswered(named(dir)))).toEqual([true, true, false, false])
    await answer(named('/mnt/usb'))
    begun[0]?.resolve(file())
    await clock.advance(0)
    expect(dirs.map((dir) => opens.isUnanswered(named(dir)))).toEqual([false, false, false, false])
    expect(opens.unanswered()).toMatchObject({ dirs: all('/mnt/nas2/a'), trees: [] })
  })

  it('are exceptions in a tree that is left out once they have answered, and those on other drives are not needed as such', async () => {
    void opens.open(named('/mnt/nas/a'), LIVE)
    await clock.advance(2001)
    for (const dir of ['/mnt/nas/c', '/home/1', '/home/2']) await answer(named(dir))
    void opens.open(named('/mnt/nas/b'), LIVE)
    await clock.advance(2001)
    expect(opens.unanswered()).toEqual({
      dirs: all('/mnt/nas/a', '/mnt/nas/b'),
      trees: all('/mnt/nas'),
      except: all('/mnt/nas/c'),
    })
  })

  it('are not tried one by one at the top of a drive that has no directory above it, as on Windows', async () => {
    mounts = all('/')
    void Promise.all(['/a', '/b', '/c', '/d'].map((dir) => opens.open(named(dir), LIVE)))
    await clock.advance(10_000)
    expect(begun).toHaveLength(2)
    expect(opens.isUnanswered(named('/e'))).toBe(true)
  })

  it('count as silent near two that do not answer where drives are not known, unless everything is', async () => {
    void Promise.all(['/a', '/b'].map((dir) => opens.open(named(dir), LIVE)))
    await clock.advance(5000)
    expect([begun.length, opens.isUnanswered(named('/c'))]).toEqual([2, false])
  })

  it('are opened at the same time near one that has answered', async () => {
    await answer(named('/home/me/1'))
    void Promise.all([2, 3, 4].map((i) => opens.open(named(`/home/me/${i}`), LIVE)))
    await clock.advance(0)
    expect(begun).toHaveLength(4)
  })
})

describe('an open that is not answered', () => {
  it('is given up after a while, and its file is closed once it is', async () => {
    const [opening] = openAll(1)
    await clock.advance(30_000)
    expect(await opening).toBe('unanswered')
    expect(opens.isUnanswered(at(1))).toBe(true)
    begun[0]?.resolve(file())
    await clock.advance(0)
    expect([closed, opens.isUnanswered(at(1)), changes]).toEqual([1, false, 2])
  })

  it('is given up at once if the upload is aborted, as is one that waits for it', async () => {
    const abort = new AbortController()
    const opening = openAll(2, at(1), abort.signal)
    await clock.advance(100)
    abort.abort()
    expect(await Promise.all(opening)).toEqual(['later', 'later'])
    begun[0]?.reject(new DiskError({ code: 'io', message: 'at last' }))
    await clock.advance(0)
    expect([begun.length, closed]).toEqual([1, 0])
  })
})

describe('a file that was opened', () => {
  it('is given up if a read is not answered, and closed once it is', async () => {
    const reading = Promise.withResolvers<number>()
    const opening = opens.open(at(1), LIVE)
    await clock.advance(0)
    begun[0]?.resolve({ ...file(), read: () => reading.promise })
    const opened = await opening
    if (typeof opened === 'string') throw new Error(opened)
    const read = opened.read(new Uint8Array(1), 0)
    void clock.advance(30_000)
    await expect(read).rejects.toMatchObject({ failure: { code: 'silent' } })
    await opened.close()
    await clock.advance(0)
    expect(closed).toBe(0)
    reading.resolve(1)
    await clock.advance(0)
    expect(closed).toBe(1)
  })

  it('by way of a disk is an error if its drive does not answer', async () => {
    const asked = opens.diskOf(at(1), LIVE).open('/folder/a')
    void clock.advance(30_000)
    await expect(asked).rejects.toMatchObject({ failure: { code: 'silent' } })
  })
  it('by way of a disk is no error of the drive if the upload is aborted', async () => {
    const abort = new AbortController()
    const asked = [1, 2].map(() => opens.diskOf(at(1), abort.signal).open('/folder/a'))
    void clock.advance(100).then(() => abort.abort())
    const aborted = { status: 'rejected', reason: expect.objectContaining({ name: 'AbortError' }) }
    expect(await Promise.allSettled(asked)).toEqual([aborted, aborted])
  })
})
