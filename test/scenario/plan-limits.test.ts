// What a plan allows, and how it is displayed: daily uploads are counted even without a known limit (not
// displayed as "0 used"), a file refused without a reason isn't retried every few minutes, and `plan` accepts
// an empty folder. Runs in the simulated world.
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { dialects } from '../service/dialect.ts'
import { FOLDER, KEY, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

it('counts the day’s uploads even without a limit', async () => {
  const w = await openWorld({ plan: 'enterprise', dialect: dialects['stats with the plan only'] })
  for (let i = 0; i < 12; i++) w.disk.write(`${FOLDER}/${i}.txt`, `content ${i}`)
  await w.watch()
  await w.until(() => w.allSettled())
  const snapshot = await w.handlers.snapshot({})
  expect(snapshot.ok && snapshot.value.dailyUploads).toMatchObject({ limit: null, used: 12 })
})

it('sends a file that the service refuses without a reason about once an hour, however many others it accepts', async () => {
  const w = await openWorld({ plan: 'enterprise', dialect: { maxFileSize: 'missing' } })
  w.service.setLimits({ maxFileSize: 100_000 })
  w.disk.write(`${FOLDER}/large.bin`, 'x'.repeat(150_000))
  await w.watch()
  for (let i = 0; i < 12 * 12; i++) {
    w.disk.write(`${FOLDER}/small ${i}.txt`, `content ${i}`)
    await w.pass(5 * 60_000)
  }
  expect(await w.byName('large.bin')).toMatchObject({ state: 'waiting', reason: 'limit' })
  const refused = w.service.requests.counts()['403'] ?? 0
  expect(refused).toBeGreaterThan(3)
  expect(refused).toBeLessThan(20)
})

it('explains what it does about refused sizes, and retries under another plan', async () => {
  const w = await openWorld({
    plan: 'pro',
    dialect: { maxFileSize: 'missing', tooBigStatus: 413 },
    limits: { maxFileSize: 100_000 },
  })
  const heldIfSent = async (name: string): Promise<boolean> => {
    w.disk.write(`${FOLDER}/${name}`, name.padEnd(150_000))
    const planned = await w.handlers.plan({ paths: [`${FOLDER}/${name}`] })
    await w.handlers.upload({ paths: [`${FOLDER}/${name}`], again: false, token: name })
    await w.until(() => w.allSettled())
    const isHeld = (await w.byName(name))?.state === 'held'
    expect(planned).toMatchObject({
      ok: true,
      value: isHeld ? { tooBig: 1, now: 0 } : { tooBig: 0, now: 1 },
    })
    return isHeld
  }
  w.disk.write(`${FOLDER}/first.bin`, 'first'.padEnd(150_000))
  await w.handlers.upload({ paths: [`${FOLDER}/first.bin`], again: false, token: 'first' })
  await w.until(() => w.allSettled())
  expect(await w.byName('first.bin')).toMatchObject({ state: 'held', reason: 'too-big' })
  expect(await heldIfSent('second.bin')).toBe(true)
  expect(w.service.requests.counts()['413']).toBe(1)
  w.service.setPlan('business')
  w.service.setLimits({ maxFileSize: 10 ** 9 })
  expect((await w.handlers.stats({})).ok).toBe(true)
  expect(await heldIfSent('third.bin')).toBe(false)
  // The files that were held fit now, too.
  expect(w.service.ledger.live()).toHaveLength(3)
})

it('a plan leaves out files that the folder’s rules would ignore', async () => {
  const w = await openWorld()
  w.disk.mkdir(`${FOLDER}/clips`)
  for (const name of ['a.txt', 'b.mov', 'clips/c.mov', 'clips/d.txt']) w.disk.write(`${FOLDER}/${name}`, name)
  const files = async (ignore?: string[]) => {
    const got = await w.handlers.plan({ paths: [FOLDER], ...(ignore === undefined ? {} : { ignore }) })
    return got.ok ? got.value.files : got.failure
  }
  expect([await files(), await files(['*.mov']), await files(['*', '!a.txt'])]).toEqual([4, 2, 1])
  await w.watch()
  // The rules of a form replace those that the folder is watched with, but only for this folder itself.
  expect([await files(['*.txt']), await files([])]).toEqual([2, 4])
})

it('a plan counts a file once, however often it is named', async () => {
  const w = await openWorld({ plan: 'enterprise' })
  w.disk.write(`${FOLDER}/a.txt`, 'a')
  w.disk.write(`${FOLDER}/b.tmp`, 'b')
  const plan = (...paths: readonly string[]) => w.handlers.plan({ paths: [...paths] })
  const again = await plan(`${FOLDER}/a.txt`, FOLDER, `${FOLDER}/a.txt`)
  expect(again).toMatchObject({ value: { files: 1, bytes: 1, ignored: 1 } })
  // A temporary file counts as named, although its folder leaves it out.
  const named = await plan(FOLDER, `${FOLDER}/b.tmp`, FOLDER)
  expect(named).toMatchObject({ value: { files: 2, bytes: 2, ignored: 0 } })
})

it('a plan treats paths sent in several calls as one upload, and fails if some of them are missing', async () => {
  const w = await openWorld()
  const { handlers } = w.engine()
  const paths = ['a.txt', 'b.txt', 'c.txt', '.env'].map((name) => `${FOLDER}/${name}`)
  for (const path of paths) w.disk.write(path, path)
  const whole = await handlers.plan({ paths })
  expect(whole).toMatchObject({ value: { files: 4, held: 1 } })
  const send = async (): Promise<void> => {
    expect(await handlers.planPart({ token: 't', paths: paths.slice(0, 1) })).toEqual({
      ok: true,
      value: {},
    })
    expect(await handlers.planPart({ token: 't', paths: paths.slice(1, 3) })).toEqual({
      ok: true,
      value: {},
    })
  }
  const last = { paths: paths.slice(3), parts: { token: 't', count: 3 } }
  await send()
  expect(await handlers.plan(last)).toEqual(whole)
  // The parts have been used up, as they are after a restart of the engine.
  expect(await handlers.plan(last)).toMatchObject({ failure: { code: 'usage' } })
  await send()
  for (let other = 0; other < 10; other++) await handlers.planPart({ token: `other ${other}`, paths })
  expect(await handlers.plan(last)).toMatchObject({ failure: { code: 'usage' } })
})

it('a plan has nothing to upload for an empty folder, and fails for a path that doesn’t exist', async () => {
  const w = await openWorld({ plan: 'enterprise' })
  const empty = await w.handlers.plan({ paths: [FOLDER] })
  expect(empty).toMatchObject({ value: { files: 0, now: 0 } })
  const missing = await w.handlers.plan({ paths: [`${FOLDER}/none`] })
  expect(missing).toMatchObject({ failure: { code: 'not-found' } })
})

const HOUR = 3_600_000
const statsRead = (w: World): number =>
  w.service.requests.list().filter((request) => request.endpoint === 'stats').length

describe('a daily limit that another device has used up', () => {
  /**
   * Drops a file half an hour before the service's day turns at midnight, when nothing is left of the day and
   * no folder is watched.
   */
  async function inLateWorld(run: (w: World) => Promise<void>): Promise<void> {
    const w = await openWorld({ limits: { dailyUploads: 2, windows: 'aligned', dayTurnsAt: 0 } })
    w.clock.jumpWall(11.5 * HOUR)
    for (const name of ['a.txt', 'b.txt']) {
      const body = new FormData()
      body.set('file', new Blob([name]), name)
      await fetch(`${w.service.url}/files/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}` },
        body,
      })
    }
    w.disk.write(`${FOLDER}/dropped.txt`, 'dropped')
    await w.handlers.upload({ paths: [`${FOLDER}/dropped.txt`], again: false, token: 'dropped' })
    await w.pass(60_000)
    expect(await w.byName('dropped.txt')).toMatchObject({ state: 'waiting', reason: 'daily-uploads' })
    await run(w)
  }

  it('is checked again within the hour, so that a dropped file is uploaded soon after the day has ended', async () => {
    await inLateWorld(async (w) => {
      await w.pass(HOUR)
      expect(await w.byName('dropped.txt')).toMatchObject({ state: 'done' })
      expect(w.service.requests.counts()['403']).toBeUndefined()
    })
  })

  it('is checked once a minute while the service fails, which is the wait that is displayed', async () => {
    await inLateWorld(async (w) => {
      w.service.setFaults({ rules: [{ on: 'stats', kinds: 'error-before-store' }] })
      await w.pass(HOUR)
      const before = statsRead(w)
      await w.pass(HOUR)
      expect(statsRead(w) - before).toBeGreaterThan(50)
      expect(statsRead(w) - before).toBeLessThan(70)
      const snapshot = await w.handlers.snapshot({})
      const until = snapshot.ok ? (snapshot.value.gate?.until ?? 0) : 0
      expect(until - w.clock.now()).toBeGreaterThan(5000)
      w.service.setFaults({ rules: [] })
      await w.pass(120_000)
      expect(await w.byName('dropped.txt')).toMatchObject({ state: 'done' })
    })
  })
})

it('checks a used-up daily limit less and less often while the service fails, eventually every 15 minutes', async () => {
  const w = await openWorld({ limits: { dailyUploads: 2, dayTurnsAt: 'rolling' } })
  for (const name of ['a.txt', 'b.txt']) w.disk.write(`${FOLDER}/${name}`, name)
  await w.watch()
  await w.until(() => w.allSettled())
  w.service.setFaults({ rules: [{ on: 'stats', kinds: 'error-before-store' }] })
  const before = statsRead(w)
  await w.pass(HOUR / 4)
  expect(statsRead(w) - before).toBeGreaterThan(3)
  expect(statsRead(w) - before).toBeLessThan(12)
  w.disk.write(`${FOLDER}/c.txt`, 'c.txt')
  await w.pass(2 * HOUR)
  expect(await w.byName('c.txt')).toMatchObject({ state: 'waiting', reason: 'daily-uploads' })
  const later = statsRead(w)
  await w.pass(2 * HOUR)
  expect(statsRead(w) - later).toBeGreaterThan(6)
  expect(statsRead(w) - later).toBeLessThan(10)
  // A larger plan ends the wait soon after the service answers again.
  w.service.setLimits({ dailyUploads: 9 })
  w.service.setFaults({ rules: [] })
  await w.pass(HOUR / 4)
  expect(await w.byName('c.txt')).toMatchObject({ state: 'done' })
})

describe('a daily limit used up while the clock was ten days ahead', () => {
  it.each(['while Slipway runs', 'while it is off'])(
    'is free again a day later if the clock is set back %s',
    async (when) => {
      const ahead = 240 * HOUR
      let steady: World['clock'] | null = null
      let jumped = 0
      // The service's clock is right throughout.
      const now = (): number => (steady === null ? Date.UTC(2026, 10, 20, 12) : steady.now() - jumped)
      const w = await openWorld({ limits: { dailyUploads: 2, dayTurnsAt: 'rolling' }, now })
      steady = w.clock
      const jump = (ms: number): void => {
        jumped += ms
        w.clock.jumpWall(ms)
      }
      jump(ahead)
      await w.watch()
      for (const name of ['a.txt', 'b.txt']) w.disk.write(`${FOLDER}/${name}`, name)
      await w.until(() => w.allSettled())
      w.disk.write(`${FOLDER}/c.txt`, 'c.txt')
      await w.pass(HOUR)
      expect(await w.byName('c.txt')).toMatchObject({ state: 'waiting', reason: 'daily-uploads' })
      if (when === 'while it is off') await w.crash(() => jump(-ahead))
      else jump(-ahead)
      const before = statsRead(w)
      await w.pass(HOUR)
      expect(await w.byName('c.txt')).toMatchObject({ state: 'waiting', reason: 'daily-uploads' })
      expect(statsRead(w) - before).toBeLessThan(10)
      await w.until(() => w.allSettled(), 24)
      expect(w.service.requests.counts()['403']).toBeUndefined()
    },
  )
})

it('a plan waits for the day’s requests as long as the status says, also if more were sent than the plan allows', async () => {
  const w = await openWorld({ plan: 'pro' })
  await w.handlers.stats({})
  // As after a change from the Business plan: 6,000 requests within a day, of which Pro allows 5,000.
  await w.crash((journal) => {
    const db = new DatabaseSync(journal)
    const add = db.prepare('INSERT INTO requests (id, kind, at, settled_at) VALUES (?, ?, ?, ?)')
    for (let i = 0; i < 6000; i++) {
      const at = w.clock.now() - (i < 1000 ? 20 : 10) * HOUR
      add.run(i + 1000, 'list', at, at)
    }
    db.close()
  })
  w.disk.write(`${FOLDER}/a.txt`, 'a')
  const planned = await w.handlers.plan({ paths: [`${FOLDER}/a.txt`] })
  const snapshot = await w.handlers.snapshot({})
  const nextAt = snapshot.ok ? snapshot.value.day.nextAt : null
  expect(nextAt).toBeGreaterThan(w.clock.now() + 13 * HOUR)
  expect(planned).toMatchObject({ value: { now: 0, later: 1 } })
  expect(planned.ok ? planned.value.doneAt : null).toBeGreaterThanOrEqual(nextAt ?? 0)
})

describe('a file that is held as too big', () => {
  const SIZE = 3_000_000
  const LIMITS = { maxFileSize: 2_000_000 }
  const upload = async (w: World, name: string): Promise<void> => {
    // A receipt shows in which unit the service counts.
    w.disk.write(`${FOLDER}/small.txt`, 'small'.padEnd(50_000))
    w.disk.write(`${FOLDER}/${name}`, name.padEnd(SIZE))
    await w.handlers.upload({ paths: [`${FOLDER}/small.txt`], again: false, token: 'small' })
    await w.pass(60_000)
    await w.handlers.upload({ paths: [`${FOLDER}/${name}`], again: false, token: name })
    await w.pass(60_000)
  }

  it.each([
    ['the plan’s limit', {}],
    ['a 413', { maxFileSize: 'missing', tooBigStatus: 413 } as const],
  ])('because of %s is uploaded by itself once the limits are raised', async (_name, dialect) => {
    const w = await openWorld({ plan: 'pro', dialect, limits: LIMITS })
    await upload(w, 'first.bin')
    expect(await w.byName('first.bin')).toMatchObject({ state: 'held', reason: 'too-big' })
    w.service.setPlan('business')
    w.service.setLimits({ maxFileSize: 10 ** 9 })
    expect((await w.handlers.stats({})).ok).toBe(true)
    await w.pass(60_000)
    expect(await w.byName('first.bin')).toMatchObject({ state: 'done' })
  })

  it('is tried again by a retry, which reads the limits first', async () => {
    const w = await openWorld({ plan: 'pro', limits: LIMITS })
    await upload(w, 'first.bin')
    const id = (await w.byName('first.bin'))?.id ?? 0
    const sent = w.service.requests.list().filter((one) => one.endpoint === 'upload').length
    expect(await w.handlers.retry({ ids: [id] })).toEqual({ ok: true, value: { count: 0 } })
    w.service.setLimits({ maxFileSize: 10 ** 9 })
    expect(await w.handlers.retry({ ids: [id] })).toEqual({ ok: true, value: { count: 1 } })
    await w.pass(60_000)
    expect(await w.byName('first.bin')).toMatchObject({ state: 'done' })
    expect(w.service.requests.list().filter((one) => one.endpoint === 'upload')).toHaveLength(sent + 1)
  })

  it('after a 413 is sent again by a retry, although no limit has changed', async () => {
    const w = await openWorld({ plan: 'enterprise' })
    w.service.setFaults({
      rules: [{ on: 'upload', nth: 2, kinds: { kind: 'error-before-store', status: 413 } }],
    })
    await upload(w, 'first.bin')
    expect(await w.byName('first.bin')).toMatchObject({ state: 'held', reason: 'too-big' })
    w.service.setFaults(null)
    expect(await w.handlers.retry({ ids: null })).toEqual({ ok: true, value: { count: 1 } })
    await w.pass(60_000)
    expect(await w.byName('first.bin')).toMatchObject({ state: 'done' })
  })
})

describe('a daily limit whose day the service does not tell', () => {
  const uploads = (w: World): number =>
    w.service.requests.list().filter((one) => one.endpoint === 'upload').length

  /** Uses up the day's two uploads at noon, and adds three files. The service's day turns at midnight. */
  async function fullWorld(): Promise<World> {
    const dialect = { statsFields: 'two' } as const
    const w = await openWorld({ limits: { dailyUploads: 2, windows: 'aligned', dayTurnsAt: 0 }, dialect })
    await w.watch()
    for (const name of ['a.txt', 'b.txt']) w.disk.write(`${FOLDER}/${name}`, name)
    await w.until(() => w.allSettled())
    for (const name of ['c.txt', 'd.txt']) w.disk.write(`${FOLDER}/${name}`, name)
    await w.pass(60_000)
    return w
  }

  it('is tested with one upload an hour, and is free again once one is accepted', async () => {
    const w = await fullWorld()
    const snapshot = await w.handlers.snapshot({})
    const gate = snapshot.ok ? snapshot.value.gate : null
    expect(gate).toMatchObject({ reason: 'daily-uploads', message: expect.stringContaining('probably') })
    expect((gate?.until ?? 0) - w.clock.now()).toBeLessThanOrEqual(HOUR)
    const before = uploads(w)
    await w.pass(6 * HOUR)
    expect(uploads(w) - before).toBeGreaterThan(4)
    expect(uploads(w) - before).toBeLessThan(8)
    await w.pass(7.5 * HOUR)
    expect(await w.allSettled()).toBe(true)
    expect(w.service.ledger.live()).toHaveLength(4)
  })

  it('is tested at once when the user retries or names a file, but not again within five minutes', async () => {
    const w = await fullWorld()
    try {
      const before = uploads(w)
      await w.handlers.retry({ ids: null })
      await w.pass(1000)
      await w.handlers.retry({ ids: null })
      await w.pass(1000)
      expect(uploads(w) - before).toBe(1)
      await w.pass(400_000)
      w.clock.jumpWall(12 * HOUR)
      w.disk.write('/home/named.txt', 'named')
      await w.answered(w.handlers.upload({ paths: ['/home/named.txt'], again: false, token: 'named' }))
      await w.pass(60_000)
      expect(w.service.ledger.live()).toHaveLength(4)
    } finally {
      await w.end()
    }
  })
})

it('a copy of an uploaded file needs no place in the day’s limit', async () => {
  const w = await openWorld({ limits: { dailyUploads: 2, dayTurnsAt: 'rolling' } })
  await w.watch()
  for (const name of ['a.txt', 'b.txt']) w.disk.write(`${FOLDER}/${name}`, `content ${name}`)
  await w.until(() => w.allSettled())
  w.disk.write('/home/copy.txt', 'content a.txt')
  w.disk.write('/home/other.txt', 'content x.txt')
  for (const name of ['copy.txt', 'other.txt'])
    await w.answered(w.handlers.upload({ paths: [`/home/${name}`], again: false, token: name }))
  await w.pass(60_000)
  expect(await w.byName('copy.txt')).toMatchObject({
    state: 'done',
    fileId: (await w.byName('a.txt'))?.fileId,
  })
  expect(await w.byName('other.txt')).toMatchObject({ state: 'waiting', reason: 'daily-uploads' })
  expect(w.service.ledger.live()).toHaveLength(2)
})
