// The account changes while the engine works for the old one, in the simulated world with one service for
// each account, which give the same IDs to different files: no request or answer of the old account may
// affect the new one.
import { hash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createService, type Service } from '../service/service.ts'
import { createWorld, FOLDER, type Hooks, type World } from '../world/world.ts'

const MINUTE = 60_000

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

interface Held {
  readonly hooks: Hooks
  /**
   * Holds back the next answer to such a request. Once the service has answered, resolves to a function that
   * releases the answer.
   */
  next(request: Parameters<NonNullable<Hooks['onAnswer']>>[0]): Promise<() => void>
}

function holding(): Held {
  let wanted: { readonly request: string; readonly answered: (release: () => void) => void } | null = null
  return {
    hooks: {
      onAnswer: (request) => {
        if (wanted?.request !== request) return undefined
        const { answered } = wanted
        wanted = null
        return new Promise<void>((release) => answered(release))
      },
    },
    next: (request) =>
      new Promise((answered) => {
        wanted = { request, answered }
      }),
  }
}

interface Two {
  readonly w: World
  readonly held: Held
  /** The service of the other account. */
  readonly other: Service
}

/** Both accounts have files 1 to 3, with different names and bytes. */
async function open(options: Parameters<typeof createWorld>[0] = {}): Promise<Two> {
  const held = holding()
  const w = await createWorld({ plan: 'enterprise', ...options }, held.hooks)
  ends.push(() => w.end())
  const other = await createService({
    plan: 'business',
    key: 'other-key-1234567890',
    now: w.clock.now,
    after: w.clock.after,
  })
  ends.push(() => other.close())
  for (const n of [1, 2, 3]) {
    w.service.plant({ filename: `one ${n}.txt`, bytes: Buffer.from(`bytes of one, ${n}`) })
    other.plant({ filename: `two ${n}.txt`, bytes: Buffer.from(`bytes of two, ${n}`) })
  }
  return { w, held, other }
}

/** Runs the world until the promise is settled. */
async function during<T>(w: World, work: Promise<T>): Promise<T> {
  const box: { settled: boolean } = { settled: false }
  void work.finally(() => {
    box.settled = true
  })
  await w.until(() => box.settled)
  return work
}

const QUERY = { search: '', sort: 'name', descending: false, offset: 0, limit: 10 } as const

/** The names in the list as the window shows it now. */
async function names(w: World, fresh: 'cache' | 'need' = 'cache'): Promise<readonly (string | null)[]> {
  const got = await during(w, w.handlers.catalog({ ...QUERY, fresh }))
  return got.ok ? got.value.rows.map((row) => row.filename) : []
}

const ONE = ['one 1.txt', 'one 2.txt', 'one 3.txt']
const TWO = ['two 1.txt', 'two 2.txt', 'two 3.txt']

describe('a request that waits while the account changes', () => {
  it('is not sent to the new account: a deletion deletes nothing there', async () => {
    const { w, other } = await open()
    expect(await names(w, 'need')).toEqual(ONE)
    w.service.setFaults({ rules: [{ on: 'get', nth: 1, kinds: { kind: 'rate-limited', seconds: 30 } }] })
    await during(w, w.handlers.info({ selector: '3' }))
    const removing = w.handlers.remove({ selectors: ['2'] })
    await w.clock.advance(1000)
    const switching = w.switchTo('two', other)
    const removed = await during(w, removing)
    await during(w, switching)
    await w.pass(30 * MINUTE)
    expect(other.ledger.live().map((file) => file.filename)).toEqual(TWO)
    expect(w.service.ledger.live().map((file) => file.filename)).toEqual(ONE)
    expect(removed.ok && removed.value[0]).toMatchObject({
      ok: false,
      outcome: 'failed',
      message: 'The account was changed in the meantime.',
    })
    expect(await names(w, 'need')).toEqual(TWO)
    // The deletion that is still queued for the first account says nothing about the file with this ID here.
    const snapshot = await w.handlers.snapshot({})
    expect(snapshot.ok && snapshot.value.deleting).toBeUndefined()
    const rows = await w.handlers.catalog({ ...QUERY, fresh: 'cache' })
    expect(rows.ok && rows.value.rows.map((row) => row.deleting === true)).toEqual([false, false, false])
  })
})

describe('an answer that arrives after the account has changed', () => {
  it('about one file is not stored', async () => {
    const { w, held, other } = await open()
    const answered = held.next('file')
    const asking = w.handlers.info({ selector: '2' })
    const release = await during(w, answered)
    await during(w, w.switchTo('two', other))
    release()
    await during(w, asking)
    expect(w.sql('SELECT filename FROM remote')).toEqual([])
  })

  it('that a file is gone has no effect', async () => {
    const { w, held, other } = await open()
    await names(w, 'need')
    w.service.deleteBehindTheBack(2)
    const answered = held.next('file')
    const asking = w.handlers.info({ selector: '2' })
    const release = await during(w, answered)
    await during(w, w.switchTo('two', other))
    expect(await names(w, 'need')).toEqual(TWO)
    release()
    await during(w, asking)
    await w.pass(MINUTE)
    expect(await names(w)).toEqual(TWO)
  })

  it('about the plan isn’t applied to the new account', async () => {
    const { w, held, other } = await open()
    const answered = held.next('stats')
    const asking = w.handlers.stats({})
    const release = await during(w, answered)
    const switching = w.switchTo('two', other)
    await during(w, switching)
    release()
    await during(w, asking)
    const snapshot = await w.handlers.snapshot({})
    expect(snapshot.ok && snapshot.value.account).toMatchObject({ plan: 'business', state: 'ok' })
    expect(w.sql("SELECT value FROM meta WHERE key = 'stats'")[0]?.['value']).toContain('business')
  })

  it('about a page of the list isn’t stored, however late it arrives', async () => {
    const { w, held, other } = await open()
    const answered = held.next('list')
    const listing = w.handlers.catalog({ ...QUERY, fresh: 'need' })
    const release = await during(w, answered)
    await during(w, w.switchTo('two', other))
    expect(await names(w, 'need')).toEqual(TWO)
    release()
    await during(w, listing)
    expect(await names(w)).toEqual(TWO)
  })

  it('about a deletion removes nothing from the new account’s list', async () => {
    const { w, held, other } = await open()
    await names(w, 'need')
    const answered = held.next('remove')
    const removing = w.handlers.remove({ selectors: ['2'] })
    const release = await during(w, answered)
    await during(w, w.switchTo('two', other))
    expect(await names(w, 'need')).toEqual(TWO)
    release()
    await during(w, removing)
    await w.pass(MINUTE)
    expect(await names(w, 'need')).toEqual(TWO)
    expect(other.ledger.live()).toHaveLength(3)
  })

  it('that the former key was refused doesn’t block the new one', async () => {
    const { w, held, other } = await open()
    w.service.setKey('revoked-1234567890')
    const answered = held.next('file')
    const asking = w.handlers.info({ selector: '2' })
    const release = await during(w, answered)
    await during(w, w.switchTo('two', other))
    release()
    await during(w, asking)
    const snapshot = await w.handlers.snapshot({})
    expect(snapshot.ok && snapshot.value.account).toMatchObject({ plan: 'business', state: 'ok' })
  })

  it('isn’t reported as the link of a local file', async () => {
    const { w, held, other } = await open()
    // A journal with a gap: files are compared with those on the service before they are sent.
    w.disk.write(`${FOLDER}/one 2.txt`, 'bytes of one, 2')
    const answered = held.next('download')
    await w.watch()
    const release = await during(w, answered)
    await during(w, w.switchTo('two', other))
    release()
    await w.pass(MINUTE)
    await w.until(() => w.allSettled())
    const row = await w.byName('one 2.txt')
    expect(row?.state).toBe('done')
    expect(new URL(row?.publicLink ?? '').host).toBe(new URL(other.url).host)
    const compared = w.sql('SELECT sha256 FROM remote_bytes').map((read) => read['sha256'])
    expect(compared).not.toContain(hash('sha256', 'bytes of one, 2'))
  })
})

describe('a key of the same account that is replaced while requests are in flight', () => {
  it('answers them with the new key, which isn’t blocked by refusals of the former one', async () => {
    const { w, held } = await open()
    await during(w, w.handlers.stats({}))
    w.service.setPlan('free')
    const answered = [held.next('stats'), w.handlers.stats({})] as const
    const release = await during(w, answered[0])
    w.service.setPlan('enterprise')
    w.service.setKey('renewed-key-1234567890')
    await during(w, w.setKey('renewed-key-1234567890'))
    release()
    expect(await during(w, answered[1])).toMatchObject({ value: { plan: 'enterprise' } })
    const snapshot = await w.handlers.snapshot({})
    expect(snapshot.ok && snapshot.value.account).toMatchObject({ plan: 'enterprise', state: 'ok' })
  })

  it('is used to request again a page that the former key was refused', async () => {
    const { w, held } = await open()
    const answered = held.next('list')
    w.service.setKey('renewed-key-1234567890')
    const listing = w.handlers.catalog({ ...QUERY, fresh: 'need' })
    const release = await during(w, answered)
    await during(w, w.setKey('renewed-key-1234567890'))
    release()
    const got = await during(w, listing)
    expect(got.ok && got.value.rows.map((row) => row.filename)).toEqual(ONE)
  })
})

describe('the window, after the account has changed', () => {
  it('shows its list at once, even if the former account’s list was requested just before', async () => {
    const { w, other } = await open()
    await names(w)
    await during(w, w.switchTo('two', other))
    await names(w)
    await w.pass(500)
    expect(await names(w)).toEqual(TWO)
  })

  it('shows nothing of the former account in the daily figures', async () => {
    const { w, other } = await open()
    await names(w, 'need')
    await during(w, w.handlers.stats({}))
    w.sql("INSERT INTO usage_days (day, downloads, stored_files) VALUES ('2026-11-01', 9, 8)")
    await during(w, w.switchTo('two', other))
    const got = await w.handlers.history({})
    const days = got.ok ? got.value.days : []
    expect(days.at(-1)).toMatchObject({ storedFiles: 3, downloads: 0 })
    expect(days.filter((day) => day.storedFiles !== null || day.downloads > 0)).toHaveLength(1)
  })
})

describe('a file that waits while the account changes', () => {
  const BYTES = 'bytes of two, 2'

  it.each([0, 1])(
    'isn’t sent to the new account if that already has it, after %i attempts with the old one',
    async (attempts) => {
      const w = await createWorld({
        plan: 'enterprise',
        faults: { rules: [{ on: 'upload', kinds: { kind: 'rate-limited', seconds: 50 } }] },
      })
      ends.push(() => w.end())
      const other = await createService({
        plan: 'business',
        key: 'other-key-1234567890',
        now: w.clock.now,
        after: w.clock.after,
      })
      ends.push(() => other.close())
      const stored = other.plant({ filename: 'two 2.txt', bytes: Buffer.from(BYTES) })
      w.disk.write(`${FOLDER}/two 2.txt`, BYTES)
      await w.watch()
      await w.until(async () => w.service.requests.counts()['429'] === 1)
      w.sql(`UPDATE transfers SET attempts = ${attempts}`)
      await during(w, w.switchTo('two', other))
      await w.until(() => w.allSettled())
      expect(await w.byName('two 2.txt')).toMatchObject({ state: 'done', fileId: stored.fileId })
      expect(other.ledger.live()).toHaveLength(1)
    },
  )
})
