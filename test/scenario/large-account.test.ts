// An account with so many remote files that reading their list takes longer than anyone waits. Tests what has
// priority during that time, which progress is displayed, and that the list is read only once.
import { describe, expect, it } from 'vitest'
import { share } from '../tools/share.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const SECOND = 1000
const MINUTE = 60_000
const PAGES_OF_20 = { listCap: 20, listDefault: 20 } as const

async function open(options: Parameters<typeof openWorld>[0] = {}): Promise<World> {
  return openWorld(
    { storage: 'discard', stored: 20_000, dialect: PAGES_OF_20, ...options },
    { isSteady: true },
  )
}
function ask(w: World, fresh: 'cache' | 'need' = 'cache') {
  return w.handlers.catalog({ search: '', sort: 'date', descending: true, offset: 0, limit: 100, fresh })
}

/** The window is open and shows the list. */
async function look(w: World): Promise<void> {
  await w.handlers.presence({ person: true })
  await ask(w)
}

async function drop(w: World, ...names: readonly string[]): Promise<void> {
  for (const name of names) w.disk.write(`${FOLDER}/${name}`, `content of ${name}`)
  await w.handlers.upload({
    paths: names.map((name) => `${FOLDER}/${name}`),
    again: false,
    token: names.join(),
  })
}

/** How long after `since` each request of this kind reached the service. */
function after(w: World, endpoint: string, since: number): readonly number[] {
  return w.service.requests
    .list()
    .filter((one) => one.endpoint === endpoint && one.at >= since)
    .map((one) => one.at - since)
}

describe('while a long list is read', () => {
  it('each drop is uploaded within two seconds, and the list continues', async () => {
    const w = await open()
    await look(w)
    for (const minute of [1, 2, 3, 4]) {
      await w.pass(40 * SECOND)
      const since = w.clock.now()
      await drop(w, `drop ${minute}.pdf`)
      await w.pass(20 * SECOND)
      const [first] = after(w, 'upload', since)
      expect(first, `the drop of minute ${minute}`).toBeLessThanOrEqual(2 * SECOND)
    }
    expect(after(w, 'list', 0).length).toBeGreaterThan(150)
    expect(w.service.requests.list().filter((one) => one.status === 429)).toEqual([])
  })

  it('several files dropped at once are uploaded one after the other, not a minute later', async () => {
    const w = await open()
    await look(w)
    await w.pass(90 * SECOND)
    const since = w.clock.now()
    await drop(w, ...Array.from({ length: 12 }, (_, n) => `many ${n}.pdf`))
    await w.pass(30 * SECOND)
    const sent = after(w, 'upload', since)
    expect(sent).toHaveLength(12)
    expect(sent.filter((ms) => ms <= 2 * SECOND).length).toBeGreaterThanOrEqual(4)
  })

  it('nearly all of the allowance is used', async () => {
    const w = await open()
    await look(w)
    await w.pass(10 * MINUTE)
    const used = w.service.requests.list().filter((one) => one.counted).length
    expect(used).toBeGreaterThanOrEqual(0.85 * 10 * 50)
  })

  it('a deletion and files in a watched folder also go first', async () => {
    const w = await open()
    await look(w)
    await w.watch()
    await w.pass(90 * SECOND)
    const since = w.clock.now()
    for (let n = 0; n < 40; n++) w.disk.write(`${FOLDER}/watched ${n}.txt`, `number ${n}`)
    await w.pass(10 * SECOND)
    const removed = w.clock.now()
    const { fileId } = w.service.ledger.live()[0] ?? { fileId: 0 }
    await w.handlers.remove({ selectors: [String(fileId)], later: true })
    await w.pass(MINUTE)
    expect(after(w, 'delete', removed)[0]).toBeLessThanOrEqual(2 * SECOND)
    // The list used few of the remaining requests.
    expect(after(w, 'upload', since)).toHaveLength(40)
    const [, , , last] = [...after(w, 'upload', since)].toReversed()
    expect(
      after(w, 'list', since + 5 * SECOND).filter((ms) => ms < (last ?? 0) - 5 * SECOND).length,
    ).toBeLessThanOrEqual(8)
  })

  it('a backlog slows it down, but never stops it', async () => {
    const w = await open()
    await look(w)
    await w.watch()
    // Files older than the journal would be compared with the list first, so write these later.
    await w.pass(SECOND)
    for (let n = 0; n < 400; n++) w.disk.write(`${FOLDER}/watched ${n}.txt`, `number ${n}`)
    await w.pass(90 * SECOND)
    const since = w.clock.now()
    await w.pass(4 * MINUTE)
    expect(after(w, 'list', since).length).toBeGreaterThanOrEqual(8)
    expect(after(w, 'upload', since).length).toBeGreaterThanOrEqual(4 * 40)
  })
})

describe('a long list', () => {
  async function listing(w: World) {
    return valueOf(ask(w))
  }

  it('is usable from its first page on, and shows its progress until it is complete', async () => {
    const w = await open({ stored: 600 })
    await look(w)
    await w.pass(SECOND)
    const early = await listing(w)
    expect(early.reading).toEqual({ read: early.total, total: 600 })
    expect(early.rows).toHaveLength(100)
    const shown = await w.handlers.snapshot({})
    expect(shown.ok && shown.value.listing).toEqual(early.reading)
    await w.pass(2 * MINUTE)
    const late = await listing(w)
    expect(late.total).toBe(600)
    expect(late.reading).toBeUndefined()
  })

  it('continues where it was after a restart', async () => {
    const w = await open({ stored: 2000 })
    await look(w)
    await w.pass(40 * SECOND)
    const before = (await listing(w)).reading?.read ?? 0
    expect(before).toBeGreaterThan(500)
    await w.crash()
    const since = w.clock.now()
    await look(w)
    await w.pass(SECOND)
    const { reading } = await listing(w)
    expect(reading?.total).toBe(2000)
    expect(reading?.read).toBeGreaterThanOrEqual(before)
    await w.until(async () => (await listing(w)).reading === undefined)
    expect((await listing(w)).total).toBe(2000)
    // The remaining pages, with the last page read once more.
    expect(after(w, 'list', since).length).toBeLessThanOrEqual((2000 - before) / 20 + 3)
  })

  it.each(['newest', 'oldest'] as const)(
    'misses no file that moves to another page while it is read: %s first',
    async (listOrder) => {
      const w = await open({ stored: 800, dialect: { ...PAGES_OF_20, listOrder } })
      await look(w)
      const all = w.service.ledger.live()
      for (let n = 0; n < 6; n++) {
        await w.pass(5 * SECOND)
        if (n === 3) await w.crash()
        // Deletes some files at each end of the list.
        for (const one of [...all.slice(n * 30, n * 30 + 25), ...all.slice(-(n + 1) * 30, -n * 30 - 5)])
          w.service.deleteBehindTheBack(one.fileId)
        w.service.plant({ filename: `new ${n}`, size: 10 })
        await look(w)
      }
      await w.until(async () => (await listing(w)).reading === undefined)
      const live = w.service.ledger.live().filter((one) => one.filename.startsWith('stored'))
      const known = new Set(
        w.sql('SELECT file_id FROM remote WHERE gone_at IS NULL').map((row) => row['file_id']),
      )
      expect(live.filter((one) => !known.has(one.fileId))).toEqual([])
    },
  )

  it('isn’t read again from the start if the user requests it', async () => {
    const w = await open({ stored: 600 })
    await look(w)
    await w.until(async () => (await listing(w)).reading === undefined && (await listing(w)).asOf !== null)
    w.service.plant({ filename: 'from elsewhere.zip' })
    const since = w.clock.now() + 1
    await w.pass(SECOND)
    const got = await ask(w, 'need')
    expect(got.ok && got.value.rows[0]?.filename).toBe('from elsewhere.zip')
    expect(after(w, 'list', since).length).toBeLessThanOrEqual(3)
  })

  it('shows a command what has been read after a few seconds', async () => {
    const w = await open()
    const asked = ask(w, 'need')
    let isAnswered = false
    void asked.then(() => {
      isAnswered = true
    })
    await w.pass(15 * SECOND)
    expect(isAnswered).toBe(true)
    const got = await asked
    expect(got.ok && got.value.rows).toHaveLength(100)
    expect(got.ok && got.value.reading?.total).toBe(20_000)
  })

  const stored = share(20_000, 100_000)
  it(`of ${stored} files is read as fast as the rate limit allows, even with a drop in between`, async () => {
    const w = await open({ stored, dialect: {} })
    await look(w)
    await w.pass(2 * MINUTE)
    const since = w.clock.now()
    await drop(w, 'early.pdf')
    await w.pass(5 * SECOND)
    expect(after(w, 'upload', since)[0]).toBeLessThanOrEqual(2 * SECOND)
    // 50 pages a minute, and a minute more.
    await w.pass((stored / 5000 + 1) * MINUTE)
    await w.until(async () => (await listing(w)).reading === undefined, 0.1)
    expect((await listing(w)).total).toBe(stored + 1)
    expect(after(w, 'list', 0).length).toBeLessThanOrEqual(stored / 100 + 3)
    expect(w.service.requests.list().filter((one) => one.status === 429)).toEqual([])
  }, 600_000)
})
