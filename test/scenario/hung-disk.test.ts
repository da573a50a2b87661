// A network drive that stops answering: files on other drives are still sent, and the engine still ends,
// whatever it was waiting for. The next start, or the drive's answer, finishes the work. The clock is the
// simulated one.
import { join as native } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OpenFile } from '../../src-main/engine/ports.ts'
import { silentDrive } from '../../src-main/engine/sleep.ts'
import { slashes } from '../world/slashes.ts'
import { FOLDER, FOLDER_RULES, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

it.each([
  ['lists a folder', 'list'],
  ['opens a file', 'open'],
] as const)('ends while it %s on a drive that does not answer', async (_name, method) => {
  const w = await openWorld()
  w.disk.write(`${FOLDER}/first.txt`, 'first')
  const folderId = await w.watch()
  await w.until(() => w.allSettled())
  const answers = w.disk[method]
  let isHung = false
  const hang = (): Promise<never> => {
    isHung = true
    return new Promise<never>(() => undefined)
  }
  Object.assign(w.disk, { [method]: hang })
  w.disk.write(`${FOLDER}/late.txt`, 'late')
  void w.handlers.rescan({ folderId })
  await w.until(() => isHung)
  let isClosed = false
  const close = async (): Promise<void> => {
    await w.engine().close(0)
    isClosed = true
  }
  void close()
  await w.pass(30_000)
  await expect.poll(() => isClosed).toBe(true)
  Object.assign(w.disk, { [method]: answers })
  await w.crash()
  await w.until(() => w.allSettled())
  expect(w.service.ledger.files().map((file) => file.filename)).toEqual(['first.txt', 'late.txt'])
})

it('pausing at once while a file is about to be hashed says nothing about its drive', async () => {
  const w = await openWorld()
  const large = Buffer.alloc(2 * 1024 * 1024, 1)
  w.disk.write(`${FOLDER}/first.bin`, large)
  await w.watch()
  await w.until(() => w.allSettled())
  const { open } = w.disk
  let begun = 0
  // It is opened to be sent, and then, because a file of its size was sent before, to be hashed.
  Object.assign(w.disk, {
    open: (path: string) => (++begun < 2 ? open(path) : new Promise<never>(() => undefined)),
  })
  w.disk.write(`${FOLDER}/second.bin`, Buffer.alloc(large.length, 2))
  await w.until(() => begun === 2)
  await w.answered(w.handlers.pause({ now: true }))
  expect(await w.byName('second.bin')).toMatchObject({ state: 'waiting', reason: 'paused' })
  Object.assign(w.disk, { open })
  await w.handlers.resume({})
  await w.until(() => w.allSettled())
  expect(w.service.ledger.files().map((file) => file.filename)).toEqual(['first.bin', 'second.bin'])
})

it('deleting a file that is still to be sent doesn’t wait for its drive for long', async () => {
  const w = await openWorld()
  await w.watch()
  await w.handlers.pause({})
  for (const name of ['a.txt', 'b.txt']) w.disk.write(`${FOLDER}/${name}`, name)
  await w.until(async () => (await w.transfers()).length === 2)
  const { open } = w.disk
  Object.assign(w.disk, { open: () => new Promise<never>(() => undefined) })
  let outcomes: readonly string[] | null = null
  const remove = async (): Promise<void> => {
    const got = await w.handlers.remove({ selectors: [`${FOLDER}/a.txt`, `${FOLDER}/b.txt`], which: 'all' })
    outcomes = got.ok ? got.value.map((item) => String(item.outcome)) : [got.failure.title]
  }
  void remove()
  await w.pass(60_000)
  Object.assign(w.disk, { open })
  expect(outcomes).toEqual(['cancelled', 'cancelled'])
})

it('an archive that can’t be searched because its drive doesn’t respond waits for it, and no attempt is counted', async () => {
  const w = await openWorld()
  const { peek } = w.disk
  const fail = (): never => {
    throw silentDrive()
  }
  Object.assign(w.disk, { peek: fail })
  w.disk.write(`${FOLDER}/a.zip`, Buffer.from('PK\x03\x04 and more'))
  await w.watch()
  await w.until(async () => (await w.byName('a.zip'))?.state === 'waiting')
  expect(await w.byName('a.zip')).toMatchObject({ reason: 'drive-silent', message: null, attempts: 0 })
  Object.assign(w.disk, { peek })
  await w.until(() => w.allSettled())
  expect(w.service.ledger.files()).toHaveLength(1)
})

it('a folder whose first scan gets no response is away, says why, and is scanned once its drive responds', async () => {
  const w = await openWorld()
  const { list } = w.disk
  const revived = Promise.withResolvers<void>()
  let silent: readonly string[] = [native(FOLDER)]
  Object.assign(w.disk, {
    list: async (dirs: readonly string[]) => revived.promise.then(() => list(dirs)),
    unanswered: () => silent,
  })
  w.disk.write(`${FOLDER}/a.txt`, 'content')
  const folderId = await w.watch()
  const view = async (): Promise<unknown> => {
    const snapshot = await w.handlers.snapshot({})
    return snapshot.ok
      ? snapshot.value.folders.map(({ state, message, silent: isSilent }) => ({ state, message, isSilent }))
      : snapshot
  }
  await w.pass(10_000)
  expect(await view()).toEqual([{ state: 'scanning', message: null, isSilent: undefined }])
  expect(w.engine().isScanning()).toBe(true)
  await w.pass(30_000)
  expect(await view()).toEqual([
    {
      state: 'away',
      message: expect.stringContaining("The drive isn't responding.") as string,
      isSilent: true,
    },
  ])
  expect(await w.handlers.folderIdle({ folderId })).toMatchObject({
    value: { idle: false, reason: 'drive-silent' },
  })
  silent = []
  await w.pass(20_000)
  expect(await view()).toEqual([{ state: 'scanning', message: null, isSilent: undefined }])
  revived.resolve()
  await w.until(() => w.allSettled())
  expect(w.engine().isScanning()).toBe(false)
  expect(w.service.ledger.files()).toHaveLength(1)
  expect(await view()).toEqual([{ state: 'watching', message: null, isSilent: undefined }])
})

it('a folder isn’t done while a scan waits for its drive, even if everything found before is uploaded', async () => {
  const w = await openWorld()
  w.disk.write(`${FOLDER}/a.txt`, 'content')
  const folderId = await w.watch()
  await w.until(() => w.allSettled())
  const { list } = w.disk
  const revived = Promise.withResolvers<void>()
  let silent: readonly string[] = [native(FOLDER)]
  Object.assign(w.disk, {
    list: async (dirs: readonly string[]) => revived.promise.then(() => list(dirs)),
    unanswered: () => silent,
  })
  w.disk.setDeaf(true)
  w.disk.write(`${FOLDER}/b.txt`, 'another')
  void w.handlers.rescan({ folderId })
  await w.pass(40_000)
  expect(await w.handlers.folderIdle({ folderId })).toMatchObject({
    value: { idle: false, reason: 'drive-silent' },
  })
  silent = []
  revived.resolve()
  await w.until(() => w.service.ledger.files().length === 2)
})

describe('a folder whose drive stops answering', () => {
  const ALIVE = '/home/alive'
  const DEAD_FILES = 10

  interface Dead {
    readonly w: World
    /** Paths whose open was begun. */
    readonly begun: readonly string[]
    /** Number of handles that were opened on the dead drive and not closed. */
    readonly left: () => number
    /** Makes the drive answer, the opens that were begun included. */
    readonly revive: () => void
  }

  /** A world with ten files on a drive that doesn't answer, and one on another drive. */
  async function dead(): Promise<Dead> {
    const w = await openWorld()
    const { open } = w.disk
    const begun: string[] = []
    const alive = Promise.withResolvers<void>()
    let left = 0
    Object.assign(w.disk, {
      open: async (path: string): Promise<OpenFile> => {
        if (!slashes(path).startsWith(FOLDER)) return open(path)
        begun.push(path)
        await alive.promise
        const file = await open(path)
        left++
        const close = (): Promise<void> => {
          left--
          return file.close()
        }
        return { ...file, close }
      },
    })
    w.disk.mkdir(ALIVE)
    for (let i = 0; i < DEAD_FILES; i++) w.disk.write(`${FOLDER}/dead ${i}.txt`, `dead ${i}`)
    w.disk.write(`${ALIVE}/alive.txt`, 'alive')
    await w.watch()
    await w.pass(500)
    return { w, begun, left: () => left, revive: () => alive.resolve() }
  }

  it('doesn’t hold up other folders, and blocks at most one thread', async () => {
    const { w, begun } = await dead()
    await w.watch({ path: ALIVE })
    await w.pass(5000)
    expect(await w.byName('alive.txt')).toMatchObject({ state: 'done' })
    await w.pass(10 * 60_000)
    expect(begun).toHaveLength(1)
    const rest = (await w.transfers()).filter((one) => one.name !== 'alive.txt')
    expect(rest).toHaveLength(DEAD_FILES)
    for (const one of rest) expect(one).toMatchObject({ state: 'waiting', reason: 'drive-silent' })
  })

  it('doesn’t hold up files found in other folders, whatever the request to it', async () => {
    const w = await openWorld()
    w.disk.mkdir(ALIVE)
    await w.watch()
    await w.watch({ path: ALIVE })
    await w.pass(60_000)
    const revived = Promise.withResolvers<void>()
    for (const method of ['list', 'stat', 'resolve', 'open', 'text'] as const) {
      const answer = w.disk[method] as (asked: string | readonly string[]) => Promise<unknown>
      const isDead = (asked: string | readonly string[]): boolean =>
        [asked].flat().some((path) => slashes(path).startsWith(FOLDER))
      Object.assign(w.disk, {
        [method]: async (asked: string | readonly string[]) => {
          if (isDead(asked)) await revived.promise
          return answer(asked)
        },
      })
    }
    w.disk.write(`${FOLDER}/dead.txt`, 'dead')
    await w.pass(60_000)
    w.disk.setDeaf(true)
    w.disk.write(`${ALIVE}/alive.txt`, 'alive')
    await w.until(async () => (await w.byName('alive.txt'))?.state === 'done')
    expect(await w.byName('dead.txt')).toBeUndefined()
    revived.resolve()
    await w.until(async () => (await w.byName('dead.txt'))?.state === 'done')
  })

  it('holds up only files that may be copies of its own, but neither pausing nor cancelling them', async () => {
    const w = await openWorld()
    w.disk.write(`${FOLDER}/first.txt`, 'same')
    w.disk.mkdir(ALIVE)
    await w.watch()
    await w.watch({ path: ALIVE })
    await w.until(() => w.allSettled())
    const { stat } = w.disk
    const revived = Promise.withResolvers<void>()
    let asked = 0
    Object.assign(w.disk, {
      stat: async (paths: readonly string[]) => {
        if (!paths.some((path) => slashes(path).startsWith(FOLDER))) return stat(paths)
        asked++
        await revived.promise
        return stat(paths)
      },
    })
    for (let i = 0; i < DEAD_FILES; i++) w.disk.write(`${ALIVE}/copy ${i}.txt`, 'same')
    await w.until(() => asked > 0)
    await w.answered(w.handlers.pause({ now: true }))
    expect((await w.transfers()).filter((one) => one.state === 'uploading')).toEqual([])
    await w.handlers.resume({})
    await w.until(async () => (await w.byName('copy 0.txt'))?.state === 'waiting')
    expect(await w.byName('copy 0.txt')).toMatchObject({
      reason: 'drive-silent',
      message: expect.stringContaining('same content is on a drive that'),
      until: expect.any(Number),
      attempts: 0,
    })
    w.disk.write(`${ALIVE}/other.txt`, 'another')
    await w.until(async () => (await w.byName('other.txt'))?.state === 'done')
    const copy = await w.byName('copy 1.txt')
    await w.handlers.cancel({ ids: [copy?.id ?? 0] })
    expect(await w.byName('copy 1.txt')).toMatchObject({ state: 'cancelled' })
    revived.resolve()
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(DEAD_FILES + 1)
  })

  it('with many files that the user named does not hold up watched folders', async () => {
    const w = await openWorld()
    const { open } = w.disk
    const revived = Promise.withResolvers<void>()
    Object.assign(w.disk, {
      open: async (path: string) =>
        (slashes(path).startsWith(FOLDER) ? revived.promise : Promise.resolve()).then(() => open(path)),
    })
    w.disk.mkdir(ALIVE)
    const paths = Array.from({ length: 3000 }, (_, i) => `${FOLDER}/${i}.txt`)
    for (const path of paths) w.disk.write(path, path)
    await w.answered(w.handlers.upload({ paths, again: false, token: 't' }))
    await w.pass(5000)
    await w.answered(w.handlers.watch({ ...FOLDER_RULES, path: ALIVE }))
    w.disk.write(`${ALIVE}/alive.txt`, 'alive')
    await w.until(async () => (await w.byName('alive.txt'))?.state === 'done')
    expect(w.service.ledger.files()).toHaveLength(1)
    revived.resolve()
    await w.until(async () => w.service.ledger.files().length > 30)
  })

  it('lets its transfers be cancelled', async () => {
    const { w, begun } = await dead()
    const [first] = begun
    const row = (await w.transfers()).find((one) => one.path === first)
    await w.handlers.cancel({ ids: [row?.id ?? 0] })
    await w.pass(1000)
    expect((await w.transfers()).find((one) => one.path === first)).toMatchObject({ state: 'cancelled' })
    await w.pass(10_000)
    expect((await w.transfers()).filter((one) => one.state === 'uploading')).toEqual([])
  })

  it('is reported for each of its files, and as what its work waits for', async () => {
    const { w } = await dead()
    const folderId = (await w.transfers())[0]?.folderId ?? 0
    await w.pass(10_000)
    const reported = new Map(
      w.events
        .flatMap((event) => (event.kind === 'transfers' ? event.items : []))
        .map((item) => [item.id, item.reason]),
    )
    expect([...reported.values()].filter((reason) => reason === 'drive-silent')).toHaveLength(DEAD_FILES)
    const idle = await w.handlers.folderIdle({ folderId })
    expect(idle).toMatchObject({ value: { idle: false, waitsUntil: null, reason: 'drive-silent' } })
  })

  it('is reported as not responding when a transfer is retried', async () => {
    const { w, begun } = await dead()
    await w.pass(31_000)
    const row = (await w.transfers()).find((one) => one.path === begun[0])
    expect(row).toMatchObject({ state: 'waiting', reason: 'drive-silent', until: expect.any(Number) })
  })

  it('gives up a file whose rules it does not read', async () => {
    const w = await openWorld()
    const { stat } = w.disk
    w.disk.write(`${FOLDER}/a.txt`, 'content')
    await w.handlers.pause({})
    await w.handlers.upload({ paths: [`${FOLDER}/a.txt`], again: false, token: 't' })
    await w.pass(1000)
    Object.assign(w.disk, { stat: () => new Promise<never>(() => undefined) })
    await w.handlers.resume({})
    await w.pass(31_000)
    expect(await w.byName('a.txt')).toMatchObject({
      state: 'waiting',
      reason: 'drive-silent',
      until: expect.any(Number),
    })
    Object.assign(w.disk, { stat })
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(1)
  })

  it('resumes once it responds again, sends each file once and closes all of them', async () => {
    const { w, left, revive } = await dead()
    await w.pass(5 * 60_000)
    revive()
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files()).toHaveLength(DEAD_FILES)
    expect((await w.transfers()).map((one) => one.state)).toEqual(
      Array.from({ length: DEAD_FILES }, () => 'done'),
    )
    expect(left()).toBe(0)
  })
})
