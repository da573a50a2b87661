// Bugs found by chaos runs, each as the smallest test that reproduces it.
// The seeds aren't kept, because a new kind of fault changes what they draw.
import { describe, expect, it } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const HOUR = 3_600_000

describe('a service that is away from the start', () => {
  it('is retried again and again, even for the last file of the queue', async () => {
    const world = await openWorld()
    world.disk.write(`${FOLDER}/one.txt`, 'one')
    await world.service.goAway()
    await world.watch()
    await world.pass(20_000)
    await world.service.comeBack()
    await world.until(() => world.allSettled(), 0.03)
    expect(await world.byName('one.txt')).toMatchObject({ state: 'done' })
  })
})

describe('a folder that becomes unavailable before its first scan', () => {
  it('doesn’t count as done', async () => {
    const world = await openWorld()
    const id = await world.watch()
    await world.pass(1000)
    world.disk.write(`${FOLDER}/one.txt`, 'one')
    world.disk.rename(FOLDER, '/home/elsewhere')
    await world.crash()
    await world.pass(1000)
    const away = await world.handlers.folderIdle({ folderId: id })
    expect(away).toMatchObject({ value: { idle: false, reason: 'folder-away' } })
    world.disk.rename('/home/elsewhere', FOLDER)
    await world.until(() => world.allSettled(), 0.1)
    await world.pass(5000)
    const there = await world.handlers.folderIdle({ folderId: id })
    expect(there).toMatchObject({ value: { idle: true, sums: { seen: 1, uploaded: 1 } } })
  })
})

describe('an unconfirmed upload whose drive was away when it was looked up', () => {
  it('is looked up soon after the drive is back', async () => {
    const w = await openWorld({
      dialect: { dateForm: 'missing' },
      faults: { rules: [{ on: 'upload', nth: [1], kinds: 'stall-after-store' }] },
    })
    w.disk.write(`${FOLDER}/large.bin`, Buffer.alloc(2_598_484, 7))
    await w.watch()
    await w.until(() => w.service.ledger.files().length === 1, 0.1)
    await w.crash()
    w.disk.rename(FOLDER, '/home/elsewhere')
    await w.pass(20_000)
    expect(await w.byName('large.bin')).toMatchObject({ state: 'unknown' })
    w.disk.rename('/home/elsewhere', FOLDER)
    await w.until(() => w.allSettled(), 0.02)
    expect(await w.byName('large.bin')).toMatchObject({ state: 'done' })
    expect(w.service.ledger.files()).toHaveLength(1)
  })
})

describe('an unconfirmed file whose bytes can’t be read at the moment', () => {
  const doubtful = (
    downloads: readonly number[],
    lost: readonly number[] = [1],
  ): Parameters<typeof openWorld>[0] => ({
    dialect: { dateForm: 'missing' },
    faults: {
      rules: [
        { on: 'upload', nth: lost, kinds: 'cut-after-store' },
        { on: 'download', nth: downloads, kinds: 'error-before-store' },
      ],
    },
  })

  it('is compared later, without asking the user', async () => {
    const world = await openWorld(doubtful([1, 2, 3, 4]))
    world.disk.write(`${FOLDER}/one.txt`, 'one')
    await world.watch()
    await world.until(() => world.allSettled(), 0.1)
    expect(await world.byName('one.txt')).toMatchObject({ state: 'done', adopted: true })
    expect(world.service.ledger.files()).toHaveLength(1)
  })

  it('isn’t mistaken for another file because a web page was returned instead of it', async () => {
    const world = await openWorld({
      dialect: { dateForm: 'missing' },
      faults: {
        rules: [
          { on: 'upload', nth: 2, kinds: 'cut-after-store' },
          { on: 'download', nth: [1, 2], kinds: 'garbage-before-store' },
        ],
      },
    })
    // The first upload reveals the unit of sizes.
    world.disk.write(`${FOLDER}/first.bin`, Buffer.alloc(4321, 1))
    await world.watch()
    await world.until(() => world.allSettled(), 0.1)
    world.disk.write(`${FOLDER}/one.bin`, Buffer.alloc(5432, 2))
    await world.until(async () => (await world.byName('one.bin'))?.state === 'done', 0.1)
    expect(world.service.ledger.files()).toHaveLength(2)
  })

  it('that the user retries while the bytes are read is decided by its new upload alone', async () => {
    let isFirst = true
    const reading = Promise.withResolvers<() => void>()
    const hold = (request: string): Promise<void> | undefined => {
      if (request !== 'download' || !isFirst) return undefined
      isFirst = false
      return new Promise((release) => reading.resolve(release))
    }
    const w = await openWorld(doubtful([1]), { uploadAnswerMs: 20_000, onAnswer: hold })
    w.disk.write(`${FOLDER}/one.txt`, 'one')
    await w.watch()
    const release = await w.answered(reading.promise)
    const row = await w.byName('one.txt')
    expect(row).toMatchObject({ state: 'unknown' })
    await w.handlers.retry({ ids: [row?.id ?? 0] })
    await w.until(async () => (await w.byName('one.txt'))?.state === 'uploading')
    release()
    await w.pass(1000)
    expect(await w.byName('one.txt')).toMatchObject({ state: 'uploading' })
    await w.until(() => w.allSettled(), 0.1)
    expect(await w.byName('one.txt')).toMatchObject({ state: 'done' })
  })

  it('that is sent again and lost again while the bytes are read is decided by its second loss', async () => {
    let isFirst = true
    const reading = Promise.withResolvers<() => void>()
    const hold = (request: string): Promise<void> | undefined => {
      if (request !== 'download' || !isFirst) return undefined
      isFirst = false
      return new Promise((release) => reading.resolve(release))
    }
    const w = await openWorld(
      {
        dialect: { dateForm: 'missing', listLag: 'fixed', listLagMs: 60_000 },
        faults: {
          rules: [
            { on: 'upload', nth: 1, kinds: 'cut-after-body' },
            { on: 'upload', nth: 2, kinds: 'cut-after-store' },
          ],
        },
      },
      { onAnswer: hold },
    )
    w.disk.write(`${FOLDER}/one.txt`, 'one')
    await w.watch()
    await w.until(async () => (await w.byName('one.txt'))?.state === 'unknown')
    // Another program's file with the same name and size: its bytes are compared.
    w.service.plant({ filename: 'one.txt', bytes: Buffer.from('two') })
    const release = await w.answered(reading.promise)
    // By now, the first upload counts as absent.
    await w.pass(150_000)
    const row = await w.byName('one.txt')
    expect(row).toMatchObject({ state: 'unknown' })
    await w.handlers.retry({ ids: [row?.id ?? 0] })
    await w.until(
      async () => w.service.ledger.files().length === 2 && (await w.byName('one.txt'))?.state === 'unknown',
      0.1,
    )
    release()
    await w.until(() => w.allSettled(), 0.1)
    expect(await w.byName('one.txt')).toMatchObject({ state: 'done' })
    expect(w.service.ledger.files()).toHaveLength(2)
  })

  it('is held for the user if that never ends', async () => {
    const world = await openWorld(doubtful(Array.from({ length: 100 }, (_, i) => i + 1)))
    world.disk.write(`${FOLDER}/one.txt`, 'one')
    await world.watch()
    await world.until(() => world.allSettled(), 2)
    expect(await world.byName('one.txt')).toMatchObject({ state: 'held', reason: 'ambiguous' })
    expect(world.service.ledger.files()).toHaveLength(1)
  })

  it('is compared for just as long when it is sent again and lost again', async () => {
    const world = await openWorld(
      doubtful(
        Array.from({ length: 100 }, (_, i) => i + 1),
        [1, 2],
      ),
    )
    world.disk.write(`${FOLDER}/one.txt`, 'one')
    await world.watch()
    await world.pass(20 * 60_000)
    const row = await world.byName('one.txt')
    expect(row).toMatchObject({ state: 'unknown' })
    await world.handlers.retry({ ids: [row?.id ?? 0] })
    await world.pass(20 * 60_000)
    expect(world.service.ledger.files()).toHaveLength(2)
    expect(await world.byName('one.txt')).toMatchObject({ state: 'unknown' })
  })
})

describe('a clock that is set ahead by hours', () => {
  it.each([
    ['before a crash', 0],
    ['before the system restarts', 40_000],
  ])(
    '%s does not make a fresh loss look old, so nothing is sent again before the list shows it',
    async (_, rebootedMs) => {
      const START = Date.UTC(2026, 10, 20, 12, 0, 0)
      // The service's own clock isn't changed, so its list is late by real time.
      let mono = (): number => 0
      const w = await openWorld({
        now: () => START + mono(),
        dialect: { listLag: 'fixed', listLagMs: 30_000 },
        faults: { rules: [{ on: 'upload', nth: 1, kinds: 'cut-after-store' }] },
      })
      mono = () => w.clock.mono()
      w.disk.write(`${FOLDER}/one.txt`, 'one')
      await w.watch()
      await w.until(async () => (await w.byName('one.txt'))?.state === 'unknown')
      w.clock.jumpWall(6 * HOUR)
      if (rebootedMs > 0) w.clock.reboot(rebootedMs)
      await w.crash()
      await w.until(() => w.allSettled())
      expect(await w.byName('one.txt')).toMatchObject({ state: 'done' })
      expect(w.service.ledger.files()).toHaveLength(1)
    },
  )
})

describe('a clock rollback by hours', () => {
  it('doesn’t make the lookup of a lost response wait for hours', async () => {
    const world = await openWorld({ faults: { rules: [{ on: 'upload', nth: 1, kinds: 'cut-after-body' }] } })
    world.disk.write(`${FOLDER}/one.txt`, 'one')
    await world.watch()
    await world.until(async () => (await world.byName('one.txt'))?.state === 'unknown')
    world.clock.jumpWall(-3 * HOUR)
    await world.until(() => world.allSettled(), 0.1)
    expect(await world.byName('one.txt')).toMatchObject({ state: 'done' })
    expect(world.service.ledger.live()).toHaveLength(1)
  })

  it('doesn’t extend a back-off by hours', async () => {
    const world = await openWorld({
      faults: { rules: [{ on: 'upload', nth: [1, 2, 3], kinds: 'error-before-body' }] },
    })
    world.disk.write(`${FOLDER}/one.txt`, 'one')
    await world.watch()
    await world.until(async () => (await world.byName('one.txt'))?.state === 'waiting')
    world.clock.jumpWall(-3 * HOUR)
    await world.until(() => world.allSettled(), 0.1)
    expect(await world.byName('one.txt')).toMatchObject({ state: 'done' })
  })

  it('has no such effect while the program is off either', async () => {
    const world = await openWorld({
      faults: { rules: [{ on: 'upload', nth: [1, 2, 3], kinds: 'error-before-body' }] },
    })
    world.disk.write(`${FOLDER}/one.txt`, 'one')
    await world.watch()
    await world.until(async () => (await world.byName('one.txt'))?.state === 'waiting')
    world.clock.jumpWall(-3 * HOUR)
    await world.crash()
    await world.until(() => world.allSettled(), 0.1)
    expect(await world.byName('one.txt')).toMatchObject({ state: 'done' })
  })

  it('doesn’t make an unreachable service stay unreachable for hours', async () => {
    const world = await openWorld()
    world.disk.write(`${FOLDER}/one.txt`, 'one')
    await world.service.goAway()
    await world.watch()
    await world.pass(20_000)
    await world.service.comeBack()
    world.clock.jumpWall(-3 * HOUR)
    await world.until(() => world.allSettled(), 0.1)
    expect(await world.byName('one.txt')).toMatchObject({ state: 'done' })
  })

  it('doesn’t cause uploads that arrived before it to be sent again, however new the IDs that came after', async () => {
    // A lost upload, then another one whose receipt has a higher ID and, after the clock change, an earlier
    // time.
    const w = await openWorld({ faults: { rules: [{ on: 'upload', nth: 3, kinds: 'cut-after-store' }] } })
    for (const name of ['a', 'b']) w.disk.write(`${FOLDER}/${name}.txt`, name)
    await w.watch()
    await w.until(() => w.allSettled())
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.until(
      async () =>
        (await w.byName('lost.txt'))?.state === 'unknown' || (await w.byName('lost.txt'))?.state === 'done',
    )
    w.clock.jumpWall(-3 * HOUR)
    w.disk.write(`${FOLDER}/later.txt`, 'later')
    await w.until(async () => (await w.byName('later.txt'))?.state === 'done' && w.allSettled(), 0.2)
    expect(
      w.service.ledger
        .live()
        .map((file) => file.filename)
        .toSorted(),
    ).toEqual(['a.txt', 'b.txt', 'later.txt', 'lost.txt'])
  })

  it('doesn’t cause uploads from before a crash to be sent again, however imprecisely the journal records the rollback', async () => {
    // Recorded early, sent a minute later, never answered: the latest time in the journal is a minute older
    // than the jump.
    const w = await openWorld({
      faults: {
        rules: [
          { on: 'upload', nth: 5, kinds: { kind: 'answer-late', ms: 1000 } },
          { on: 'list', nth: [1, 2, 3, 4, 5, 6], kinds: 'error-before-body' },
        ],
      },
    })
    await w.watch()
    // One at a time, so that each receipt shows that IDs increase.
    for (const name of ['a', 'b', 'c', 'd']) {
      w.disk.write(`${FOLDER}/${name}.txt`, name)
      await w.until(async () => (await w.byName(`${name}.txt`))?.state === 'done')
    }
    await w.handlers.pause({})
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.until(async () => (await w.byName('lost.txt')) !== undefined)
    await w.pass(60_000)
    await w.handlers.resume({})
    // The service has received lost.txt, but its answer hasn't arrived yet.
    const arrived = async (): Promise<number> => {
      await w.clock.advance(1)
      return w.service.ledger.live().length
    }
    await expect.poll(arrived).toBe(5)
    w.clock.jumpWall(-3 * HOUR)
    w.disk.write(`${FOLDER}/later.txt`, 'later')
    await w.crash()
    for (const name of ['later.txt', 'lost.txt'])
      await w.until(async () => (await w.byName(name))?.state === 'done', 0.2)
    expect(
      w.service.ledger
        .live()
        .map((file) => file.filename)
        .toSorted(),
    ).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt', 'later.txt', 'lost.txt'])
  })
})

describe('a lookup on the service that is in progress when Slipway quits', () => {
  /**
   * A world in which the check of an unconfirmed upload waits for bytes that the disk returns only after
   * `letGo`. The upload is unconfirmed because of a crash before its answer, and its body is too large to be
   * hashed before it is sent.
   */
  const looking = async (): Promise<{ readonly w: World; readonly letGo: () => void }> => {
    const w = await openWorld({
      faults: { rules: [{ on: 'upload', nth: 1, kinds: { kind: 'answer-late', ms: 2000 } }] },
    })
    w.disk.write(`${FOLDER}/large.bin`, Buffer.alloc(2 * 1024 * 1024, 'x'))
    await w.watch()
    const arrived = async (): Promise<number> => {
      await w.clock.advance(500)
      return w.service.ledger.live().length
    }
    await expect.poll(arrived).toBe(1)
    const { open } = w.disk
    let letGo: () => void = () => undefined
    let held = false
    const gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    Object.assign(w.disk, {
      open: async (path: string) => {
        held = true
        await gate
        return open(path)
      },
    })
    await w.crash()
    await expect.poll(async () => (await w.clock.advance(500), held)).toBe(true)
    return { w, letGo: () => letGo() }
  }
  const within = (ms: number, work: Promise<unknown>): Promise<boolean> =>
    Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setTimeout(resolve, ms, false))])

  it('is aborted without a response from the disk, and the file is recognized at the next start', async () => {
    const { w, letGo } = await looking()
    await w.engine().close(0)
    letGo()
    await w.crash()
    await w.until(() => w.allSettled(), 0.1)
    expect(await w.byName('large.bin')).toMatchObject({ state: 'done' })
    expect(w.service.ledger.live()).toHaveLength(1)
  })

  it('isn’t awaited if the disk never responds, and causes no failure if it responds after all', async () => {
    const { w, letGo } = await looking()
    const closing = w.engine().close(0)
    await expect.poll(async () => (await w.clock.advance(1000), await within(20, closing))).toBe(true)
    letGo()
    // If the check failed now, that would be an unhandled rejection, which fails the run.
    expect(await within(100, new Promise(() => undefined))).toBe(false)
  })
})

describe('a clock that is corrected between an upload and the lookup of another', () => {
  it('doesn’t make the other look older than its request', async () => {
    // Until the client's clock is set right, the service's is five hours ahead. Only the service's list
    // contains the dates of files.
    let passed = (): number => 0
    const w = await openWorld({
      now: () => Date.UTC(2026, 10, 20, 17, 2, 36) + passed(),
      faults: {
        rules: [
          { on: 'upload', nth: 2, kinds: 'cut-after-store' },
          { on: 'list', nth: [1, 2, 3], kinds: 'error-before-body' },
        ],
      },
    })
    const began = w.clock.mono()
    passed = () => w.clock.mono() - began
    await w.watch()
    w.disk.write(`${FOLDER}/first.txt`, 'first')
    await w.until(() => w.allSettled())
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown')
    w.clock.jumpWall(5 * HOUR + 156_000)
    await w.until(() => w.allSettled(), 0.2)
    expect(
      w.service.ledger
        .live()
        .map((file) => file.filename)
        .toSorted(),
    ).toEqual(['first.txt', 'lost.txt'])
  })
})

describe('a clock that is set forward right after a response was lost', () => {
  it('doesn’t make the loss look old enough to send the file again', async () => {
    const w = await openWorld({
      faults: { rules: [{ on: 'upload', nth: 2, kinds: { kind: 'late-store-cut', ms: 3000 } }] },
    })
    await w.watch()
    w.disk.write(`${FOLDER}/first.txt`, 'first')
    await w.until(() => w.allSettled())
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown', 0.1)
    w.clock.jumpWall(5 * HOUR)
    await w.until(() => w.allSettled(), 0.2)
    await w.pass(20_000)
    expect(await w.byName('lost.txt')).toMatchObject({ attempts: 1, adopted: true })
    expect(
      w.service.ledger
        .files()
        .map((file) => file.filename)
        .toSorted(),
    ).toEqual(['first.txt', 'lost.txt'])
  })
})
