// The offline state ends on its own, even if nothing is waiting for the connection, and at once if the user
// tries again. Also tests a service that answers all calls but uploads, and how downloads of our own uploads
// are counted. engine.test.ts tests what happens to uploads while offline.
import { describe, expect, it } from 'vitest'
import { FOLDER, KEY, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000

/** Uploads everything, then a request finds the service unreachable. */
async function offline(): Promise<World> {
  const w = await openWorld({ plan: 'pro' })
  w.disk.write(`${FOLDER}/a.txt`, 'a')
  await w.watch()
  await w.until(() => w.allSettled())
  await w.service.goAway()
  await w.handlers.stats({})
  expect(await state(w)).toBe('offline')
  return w
}

/** One file waits for the daily upload limit, and the service can't be reached. */
async function offlineAtTheLimit(statsFields: 'two' | 'more' = 'two'): Promise<World> {
  const w = await openWorld({
    plan: 'pro',
    limits: { dailyUploads: 1, dayTurnsAt: 'rolling' },
    dialect: { statsFields },
  })
  w.disk.write(`${FOLDER}/a.txt`, 'a')
  await w.watch()
  await w.until(() => w.allSettled())
  w.disk.write(`${FOLDER}/b.txt`, 'b')
  await w.until(async () => (await w.byName('b.txt'))?.reason === 'daily-uploads')
  await w.service.goAway()
  await w.handlers.stats({})
  expect(await state(w)).toBe('offline')
  return w
}

async function state(w: World): Promise<string> {
  const got = await w.handlers.snapshot({})
  return got.ok ? got.value.account.state : got.failure.code
}

describe('plan figures that can’t be read', () => {
  it('are shown as last read, with the time of that reading and the reason', async () => {
    const w = await offline()
    const got = await w.handlers.stats({})
    expect(got).toMatchObject({
      ok: true,
      value: {
        plan: 'pro',
        stale: { failure: { code: expect.stringMatching(/no-connection|waits/) as string } },
      },
    })
    const at = got.ok ? (got.value.stale?.at ?? 0) : 0
    expect(w.clock.now() - at).toBeGreaterThan(0)
    expect(w.clock.now() - at).toBeLessThan(10 * MINUTE)
  })
})

describe('a refused key', () => {
  it('isn’t sent again after waking up or when the network is back, but when the user asks', async () => {
    const w = await openWorld({ plan: 'pro' })
    await w.setKey('sk-refused')
    expect(await state(w)).toBe('key-refused')
    w.service.requests.clear()
    await w.handlers.retry({ ids: [], automatic: true })
    await w.pass(10 * MINUTE)
    expect([w.service.requests.list(), await state(w)]).toEqual([[], 'key-refused'])
    await w.handlers.retry({ ids: null })
    expect(w.service.requests.list().map((one) => one.endpoint)).toEqual(['stats'])
  })
})

describe('a key that worked and is refused', () => {
  /** One file is uploaded before, and one afterwards. */
  async function refused(): Promise<World> {
    const w = await openWorld({ plan: 'pro' })
    w.disk.write(`${FOLDER}/a.txt`, 'a')
    await w.watch()
    await w.until(() => w.allSettled())
    w.service.setKey('another')
    w.disk.write(`${FOLDER}/b.txt`, 'b')
    await w.until(async () => (await state(w)) === 'key-refused')
    w.service.requests.clear()
    return w
  }

  it('is told as a possibility and tried again from time to time, while nothing else is sent', async () => {
    const w = await refused()
    const snapshot = await w.handlers.snapshot({})
    expect(snapshot.ok && snapshot.value.gate?.message).toContain('although it worked before')
    await w.pass(10 * MINUTE)
    const sent = w.service.requests.list().map((one) => one.endpoint)
    expect(new Set(sent)).toEqual(new Set(['stats']))
    expect(sent.length).toBeGreaterThan(5)
    expect(sent.length).toBeLessThan(15)
    expect(w.sql("SELECT count(*) AS n FROM meta WHERE key = 'refusal'")).toEqual([{ n: 1 }])
  })

  it('is used again by itself once the service accepts it', async () => {
    const w = await refused()
    await w.pass(10 * MINUTE)
    w.service.setKey(KEY)
    await w.pass(3 * MINUTE)
    expect([await state(w), w.service.ledger.live().length]).toEqual(['ok', 2])
  })

  it('is tried at once when the user asks', async () => {
    const w = await refused()
    w.service.setKey(KEY)
    await w.answered(w.handlers.retry({ ids: null }))
    await w.until(() => w.allSettled())
    expect(w.service.ledger.live()).toHaveLength(2)
  })
})

describe('a service without a route for uploads', () => {
  it.each([404, 405, 304])(
    'is retried less and less often, with the reason shown, and the file is stored once it works: %i',
    async (status) => {
      const w = await openWorld({ plan: 'enterprise' })
      w.service.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'error-before-store', status } }] })
      w.disk.write(`${FOLDER}/a.txt`, 'a')
      await w.watch()
      await w.pass(5 * MINUTE)
      const sent = w.service.requests.list().filter((one) => one.endpoint === 'upload').length
      expect(sent).toBe(2)
      expect(await w.byName('a.txt')).toMatchObject({
        state: 'waiting',
        reason: 'backoff',
        message: expect.stringMatching(/./),
      })
      w.service.setFaults(null)
      await w.until(() => w.allSettled())
      expect(w.service.ledger.live()).toHaveLength(1)
    },
  )
})

describe('with nothing to upload', () => {
  it('the connection is checked, and restored within two minutes', async () => {
    const w = await offline()
    await w.pass(10 * MINUTE)
    expect(await state(w)).toBe('offline')
    await w.service.comeBack()
    await w.pass(2 * MINUTE)
    expect(await state(w)).toBe('ok')
  })

  it('a retry by the user is answered at once', async () => {
    const w = await offline()
    await w.pass(10 * MINUTE)
    await w.service.comeBack()
    w.service.requests.clear()
    await w.handlers.retry({ ids: null })
    expect(w.service.requests.list().map((one) => one.endpoint)).toEqual(['stats'])
    expect(await state(w)).toBe('ok')
  })

  it('a pause doesn’t keep it offline', async () => {
    const w = await offline()
    await w.handlers.pause({})
    w.disk.write(`${FOLDER}/b.txt`, 'b')
    await w.service.comeBack()
    await w.pass(2 * MINUTE)
    expect(await state(w)).toBe('ok')
    expect(w.service.ledger.live()).toHaveLength(1)
  })

  it('an hour of it uses little of the budget', async () => {
    const w = await offline()
    await w.pass(60 * MINUTE)
    const got = await w.handlers.snapshot({})
    // One attempt a minute, after more frequent ones at first.
    expect(got.ok && got.value.day.used).toBeLessThan(100)
  })
})

describe('while a limit holds all uploads', () => {
  const gateOf = async (w: World): Promise<string | undefined> => {
    const got = await w.handlers.snapshot({})
    return got.ok ? got.value.gate?.reason : got.failure.code
  }

  it('the connection is checked, and the limit is shown again within two minutes', async () => {
    const w = await offlineAtTheLimit()
    await w.pass(10 * MINUTE)
    expect(await state(w)).toBe('offline')
    await w.service.comeBack()
    await w.pass(2 * MINUTE)
    expect([await state(w), await gateOf(w)]).toEqual(['ok', 'daily-uploads'])
    expect(w.service.ledger.live()).toHaveLength(1)
  })

  it('a retry by the user is answered at once', async () => {
    const w = await offlineAtTheLimit()
    await w.pass(10 * MINUTE)
    await w.service.comeBack()
    w.service.requests.clear()
    await w.handlers.retry({ ids: null })
    expect(w.service.requests.list().map((one) => one.endpoint)).toEqual(['stats'])
    expect(await state(w)).toBe('ok')
    // One upload tests whether the service's day has turned.
    await w.pass(MINUTE)
    expect(w.service.requests.list().filter((one) => one.endpoint === 'upload')).toHaveLength(1)
  })

  it('an hour of it uses little of the budget', async () => {
    const w = await offlineAtTheLimit()
    await w.pass(60 * MINUTE)
    const got = await w.handlers.snapshot({})
    expect(got.ok && got.value.day.used).toBeLessThan(100)
  })
})

describe('a service under maintenance', () => {
  it('is named as such, and uploads go on within six seconds of its end', async () => {
    const w = await openWorld({ plan: 'pro' })
    await w.watch()
    w.disk.write(`${FOLDER}/a.txt`, 'a')
    await w.until(() => w.allSettled())
    w.service.setIntercept({ page: 'maintenance-503' })
    w.disk.write(`${FOLDER}/b.txt`, 'b')
    const gate = async () => {
      const got = await w.handlers.snapshot({})
      return got.ok ? got.value.gate : null
    }
    await w.until(async () => (await gate())?.reason === 'unavailable')
    expect(await state(w)).toBe('ok')
    w.disk.write(`${FOLDER}/c.txt`, 'c')
    await w.pass(3 * MINUTE)
    expect((await gate())?.message).toContain('503')
    w.service.setIntercept(null)
    await w.pass(6000)
    expect(await gate()).toBeNull()
    expect((await w.byName('c.txt'))?.state).toBe('done')
    await w.until(() => w.allSettled())
    expect(w.service.ledger.live()).toHaveLength(3)
  })
})

describe('a service that can be reached but responds only with errors', () => {
  it.each([503, 429])('is checked less and less often, eventually every 15 minutes: %i', async (status) => {
    const w = await offline()
    w.service.setFaults({ rules: [{ on: 'stats', kinds: { kind: 'error-before-store', status } }] })
    await w.service.comeBack()
    w.service.requests.clear()
    await w.pass(30 * MINUTE)
    const sent = w.service.requests.list().length
    expect(sent).toBeGreaterThan(status === 503 ? 4 : 0)
    expect(sent).toBeLessThan(10)
    w.service.setFaults(null)
    await w.pass(16 * MINUTE)
    expect(await state(w)).toBe('ok')
  })

  it('is checked at short intervals again once the user has retried', async () => {
    const w = await offline()
    w.service.setFaults({ rules: [{ on: 'stats', kinds: { kind: 'error-before-store', status: 503 } }] })
    await w.service.comeBack()
    await w.pass(60 * MINUTE)
    for (const ask of [() => w.handlers.retry({ ids: null }), () => w.handlers.stats({})]) {
      await ask()
      w.service.requests.clear()
      await w.pass(5 * MINUTE)
      const sent = w.service.requests.list().length
      expect(sent).toBeGreaterThan(1)
      expect(sent).toBeLessThan(6)
    }
  })

  it.each(['two', 'more'] as const)(
    'uses little of the daily budget, even while a limit holds all uploads (fields: %s)',
    async (statsFields) => {
      const w = await offlineAtTheLimit(statsFields)
      w.service.setFaults({ rules: [{ on: 'stats', kinds: { kind: 'error-before-store', status: 503 } }] })
      await w.service.comeBack()
      w.service.requests.clear()
      await w.pass(20 * 60 * MINUTE)
      const sent = w.service.requests.list().length
      expect(sent).toBeGreaterThan(40)
      expect(sent).toBeLessThan(120)
    },
  )
})

describe('downloads of our own uploads', () => {
  it('are zero until the first download, and each is counted from then on', async () => {
    const w = await openWorld({ plan: 'pro' })
    w.service.plant({ filename: 'older.txt', size: 5, storedAt: w.clock.now() - 1000, downloads: 3 })
    const list = { search: '', sort: 'date', descending: true, offset: 0, limit: 10, fresh: 'need' } as const
    expect((await w.handlers.catalog(list)).ok).toBe(true)
    w.disk.write(`${FOLDER}/new.txt`, 'new')
    await w.watch()
    await w.until(() => w.allSettled())
    const cached = await w.handlers.catalog({ ...list, fresh: 'cache', unopened: true })
    expect(cached.ok && cached.value.rows.map((row) => [row.filename, row.downloadCount])).toEqual([
      ['new.txt', 0],
    ])
    const id = cached.ok ? (cached.value.rows[0]?.fileId ?? -1) : -1
    const link = cached.ok ? (cached.value.rows[0]?.publicLink ?? '') : ''
    for (let i = 0; i < 3; i++) await (await fetch(link)).arrayBuffer()
    await w.pass(MINUTE)
    const info = await w.handlers.info({ selector: String(id) })
    // The list and the days in the details both say three.
    expect(
      info.ok && [info.value.remote?.downloadCount, info.value.downloads.map((one) => one.count)],
    ).toEqual([3, [0, 3]])
  })
})
