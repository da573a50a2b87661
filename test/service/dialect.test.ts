// Dialects of the service: a simple client runs against every named dialect, and each option must have its
// effect. Other tests check whether the real client can handle them.
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock } from '../world/fake-clock.ts'
import { idText, inOrder, pageOf, shownName, uploadDate } from './answers.ts'
import { type Dialect, dialectSchema, dialects, parseDialect, plainDialect, withDialect } from './dialect.ts'
import { call, json, type Reply, upload } from './raw-client.ts'
import { createService, type Service } from './service.ts'

let service: Service
let now: number
let timers: { readonly at: number; readonly run: () => void }[]

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1, 23, 30, 0)
  timers = []
  service = await createService({ now: () => now, after: (ms, run) => timers.push({ at: now + ms, run }) })
})

function pass(ms: number): void {
  now += ms
  const due = timers.filter((timer) => timer.at <= now)
  timers = timers.filter((timer) => timer.at > now)
  for (const { run } of due) run()
}

afterEach(() => service.close())

type Json = Record<string, unknown>

describe('named dialects', () => {
  it('use every value of every option', () => {
    for (const [option, schema] of Object.entries(dialectSchema.shape)) {
      if (!('options' in schema)) continue
      const values = schema.options.map((one) => (typeof one === 'string' ? one : one.value))
      const used = [plainDialect, ...Object.values(dialects)].map(
        (dialect) => dialect[option as keyof Dialect],
      )
      expect(
        values.filter((value) => !used.some((one) => one === value)),
        option,
      ).toEqual([])
    }
  })

  it.each(Object.entries(dialects))('%s: a file goes in, is found, is got and goes', async (_, dialect) => {
    service.setDialect(dialect)
    for (let n = 0; n < 12; n++) service.plant({ filename: `p${n}.txt` })
    const sent = await upload(service, 'Größe.TXT', 'hello')
    expect([200, 201]).toContain(sent.status)
    const stored = service.ledger.live().find((file) => file.requestNo > 0)
    const id = stored === undefined ? 'none' : idText(stored, withDialect(dialect))
    expect(textOf(sent)).toContain(dialect.receipt === 'only-link' ? '/download/' : id)
    // By then a delayed list has caught up.
    pass(3_600_000)

    const found = new Set<string>()
    for (let page = withDialect(dialect).firstPage as number; page < 8; page++) {
      const reply = await call(service, { path: `/files?page=${page}&limit=10` })
      if (reply.status === 404) break
      const { files } = body(reply) as { files: readonly unknown[] }
      expect(files.length).toBeLessThanOrEqual(10)
      // An integer beyond 2^53 is only exact as text.
      for (const [, each] of textOf(reply).matchAll(/"file_id":"?([\w-]+)/g)) found.add(each ?? '')
      if (files.length === 0) break
    }
    expect(found.has(id)).toBe(dialect.listFields !== 'no-id' && dialect.listFields !== 'name-size')
    const single = body(await call(service, { path: `/files/${id}` }))
    expect(single).toMatchObject(
      dialect.singleFile === 'never' ? { success: false } : { success: true, file: {} },
    )
    expect(body(await call(service, { path: '/stats' }))).toMatchObject({ success: true })
    expect(body(await call(service, { method: 'DELETE', path: `/files/${id}` }))).toMatchObject({
      success: true,
    })
    pass(3_600_000)
    expect((await call(service, { path: `/files/${id}` })).status).toBe(
      dialect.errorStatus === 'ok-200' ? 200 : 404,
    )
  })
})

function textOf(reply: Reply): string {
  return (reply.headers['content-encoding'] === 'gzip' ? gunzipSync(reply.body) : reply.body).toString()
}

function body(reply: Reply): Json {
  return JSON.parse(textOf(reply)) as Json
}

const set = (dialect: Partial<Dialect>): void => {
  service.setDialect(null)
  service.setDialect(dialect)
}
const stats = async (): Promise<Json> => json(await call(service, { path: '/stats' }))

describe('answers', () => {
  const sizes: readonly (readonly [Dialect['sizeUnit'], unknown])[] = [
    ['bytes', 1025],
    ['KB', 2],
    ['MB', 1],
    ['text', '2 KB'],
  ]
  it.each(sizes)('size in %s', async (sizeUnit, size) => {
    set({ sizeUnit })
    expect(json(await upload(service, 'a', 'x'.repeat(1025)))['size']).toBe(size)
    expect(await stats()).toMatchObject({ stats: { total_size: size } })
  })

  const forms: readonly (readonly [Partial<Dialect>, unknown])[] = [
    [{}, { max_file_size: 5_242_880, daily_uploads: 9 }],
    [
      { maxFileSizeUnit: 'MB', dailyUploads: 'zero' },
      { max_file_size: 5, daily_uploads: 0 },
    ],
    [
      { maxFileSizeUnit: 'text', dailyUploads: 'minus-one' },
      { max_file_size: '5 MB', daily_uploads: -1 },
    ],
    [
      { maxFileSizeUnit: 'KB', dailyUploads: 'null' },
      { max_file_size: 5120, daily_uploads: null },
    ],
    [
      { maxFileSize: 'huge', dailyUploads: 'string' },
      { max_file_size: 9e15, daily_uploads: '9' },
    ],
    [{ maxFileSize: 'missing', dailyUploads: 'unlimited' }, { daily_uploads: 'unlimited' }],
  ]
  it.each(forms)('limits as %j', async (dialect, limits) => {
    service.setLimits({ maxFileSize: 5 * 1024 * 1024, dailyUploads: 9 })
    set({ ...dialect, statsFields: 'two' })
    expect((await stats())['limits']).toEqual(limits)
  })

  it('limits that do not exist, as a number', async () => {
    service.setLimits({ maxFileSize: Infinity, dailyUploads: Infinity, perMinute: Infinity })
    expect(await stats()).toMatchObject({
      limits: { daily_uploads: Number.MAX_SAFE_INTEGER, requests_per_minute: null },
    })
  })

  it.each<[Dialect['statsMembers'], readonly string[]]>([
    ['all', ['success', 'stats', 'limits', 'plan']],
    ['no-stats', ['success', 'limits', 'plan']],
    ['no-limits', ['success', 'stats', 'plan']],
    ['no-plan', ['success', 'stats', 'limits']],
    ['only-plan', ['success', 'plan']],
    ['none', ['success']],
  ])('stats with %s', async (statsMembers, members) => {
    set({ statsMembers })
    expect(Object.keys(await stats())).toEqual(members)
  })

  it.each<[Dialect['planName'], unknown]>([
    ['upper', 'PRO'],
    ['spaced', ' Pro Plan'],
    ['number', 3],
    ['null', null],
  ])('plan name %s', async (planName, plan) => {
    set({ planName })
    expect((await stats())['plan']).toBe(plan)
  })

  it.each<[Dialect['errorBody'], string | undefined, RegExp]>([
    ['success-error', 'application/json', /^\{"success":false,"error":"File not found"\}$/],
    ['error-object', 'application/json', /^\{"error":\{"code":404,"message":"File not found"\}\}$/],
    ['message', 'application/json', /^\{"message":"File not found"\}$/],
    ['nested', 'application/json', /^\{"errors":\[\{"detail":\[\{"message":"File not found"\}\]\}\]\}$/],
    ['html', 'text/html; charset=utf-8', /<h1>404 Not Found<\/h1>/],
    ['text', 'text/plain; charset=utf-8', /^File not found\n$/],
    ['empty', undefined, /^$/],
    ['html-as-json', 'application/json', /^<!doctype html>/],
    ['json-as-html', 'text/html; charset=utf-8', /^\{"success":false/],
  ])('error body %s', async (errorBody, type, text) => {
    set({ errorBody })
    const reply = await call(service, { path: '/files/9' })
    expect([reply.status, reply.headers['content-type']]).toEqual([404, type])
    expect(reply.body.toString()).toMatch(text)
  })

  it('errors with status 200', async () => {
    set({ errorStatus: 'ok-200' })
    const reply = await call(service, { path: '/stats', key: 'wrong' })
    expect([reply.status, json(reply)]).toEqual([
      200,
      { success: false, error: 'API key invalid or missing', code: 401 },
    ])
  })

  it('gzip when accepted, or always', async () => {
    const encoding = async (accept: string): Promise<unknown> =>
      (await call(service, { path: '/stats', headers: { 'accept-encoding': accept } })).headers[
        'content-encoding'
      ]
    set({ gzip: 'accepted' })
    expect([await encoding('br, gzip'), await encoding('br')]).toEqual(['gzip', undefined])
    set({ gzip: 'always' })
    expect(await encoding('br')).toBe('gzip')
  })

  it('closes the connection after an early answer, if told so', async () => {
    set({ earlyAnswer: 'close' })
    service.setFaults({ rules: [{ kinds: 'error-before-body' }] })
    const reply = await upload(service, 'a', Buffer.alloc(100_000))
    expect(reply.status === null || reply.headers['connection'] === 'close').toBe(true)
    expect(service.requests.list()[0]?.status).toBe(503)
  })
})

describe('names, dates, ids, links', () => {
  const taken = new Set(['a.txt', 'a (1).txt', '.env'])
  it.each<[Dialect['filename'], string, string]>([
    ['same', 'Ä b.TXT', 'Ä b.TXT'],
    ['ascii', 'Ä😀.txt', 'A__.txt'],
    ['suffixed', 'a.txt', 'a (2).txt'],
    ['suffixed', '.env', '.env (1)'],
    ['suffixed', 'b.txt', 'b.txt'],
    ['lower', 'ÄB.TXT', 'äb.txt'],
    ['url-encoded', 'a b.txt', 'a%20b.txt'],
    ['truncated', '😀'.repeat(120), '😀'.repeat(100)],
    ['slug', 'Ä b/C!.TXT', 'a-b-c.txt'],
    ['slug', 'A.txt', 'a (2).txt'],
    ['slug', '!?', 'file'],
    ['spelled', 'Größe план 日.txt', 'Groesse plan x.txt'],
  ])('%s: %s', (filename, sent, shown) => {
    expect(shownName(sent, { filename, nameLength: 100 }, (name) => taken.has(name), 1)).toBe(shown)
  })

  it.each<[Dialect['filename'], RegExp]>([
    ['prefixed', /^[0-9a-f]{8}_a b\.txt$/],
    ['random-suffix', /^a b-[0-9a-f]{6}\.txt$/],
    ['uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}\.txt$/],
  ])('%s: a word of its own for each file', (filename, form) => {
    const names = [1, 2, 1].map((unique) =>
      shownName('a b.txt', { filename, nameLength: 100 }, () => false, unique),
    )
    expect(names[0]).toMatch(form)
    expect([names[0] === names[1], names[0] === names[2]]).toEqual([false, true])
  })

  it.each<[Dialect['dateForm'], number, unknown]>([
    ['plain', 0, '2026-01-01 23:30:00'],
    ['plain', 120, '2026-01-02 01:30:00'],
    ['plain', -480, '2026-01-01 15:30:00'],
    ['iso', 120, '2026-01-01T23:30:00.000Z'],
    ['iso-zone', 330, '2026-01-02T05:00:00+05:30'],
    ['iso-zone', -210, '2026-01-01T20:00:00-03:30'],
    ['epoch', 0, 1_767_310_200],
  ])('date %s at %d minutes', (dateForm, zoneMinutes, text) => {
    expect(uploadDate(Date.UTC(2026, 0, 1, 23, 30), { dateForm, zoneMinutes })).toBe(text)
  })

  it('ids near the end of what a number holds, and ids in no order', async () => {
    set({ ids: 'big' })
    expect(json(await upload(service, 'a', 'x'))['file_id']).toBe(9_007_199_254_000_001)
    expect((await call(service, { path: '/files/9007199254000001' })).status).toBe(200)
    set({ ids: 'random' })
    const id = json(await upload(service, 'b', 'x'))['file_id']
    expect(Number.isInteger(id) && id !== 2).toBe(true)
  })

  it.each(['same', 'other-path', 'localhost'] as const)(
    'a link of the form %s leads to the bytes',
    async (form) => {
      set({ publicLink: form })
      const link = String(json(await upload(service, 'a', 'bytes'))['public_link'])
      // `localhost` may resolve to another address family than the one that the service listens on.
      expect(
        (await call(service, { path: link.replace('localhost', '127.0.0.1'), key: null })).body.toString(),
      ).toBe('bytes')
    },
  )
})

describe('list', () => {
  const page = (
    wish: { page?: string; limit?: string },
    total: number,
    dialect: Partial<Dialect>,
  ): unknown => {
    const got = pageOf({ page: wish.page ?? null, limit: wish.limit ?? null }, total, withDialect(dialect))
    return got.ok ? [got.from, got.to, got.pagination] : got.status
  }
  const block = (at: number, limit: number, total: number, pages: number): Json => ({
    page: at,
    limit,
    total,
    pages,
  })

  it.each<[string, unknown, unknown]>([
    ['default', page({}, 45, {}), [0, 20, block(1, 20, 45, 3)]],
    ['last', page({ page: '3' }, 45, {}), [40, 45, block(3, 20, 45, 3)]],
    ['beyond: empty', page({ page: '4' }, 45, {}), [45, 45, block(4, 20, 45, 3)]],
    ['beyond: 404', page({ page: '4' }, 45, { pageBeyond: 'not-found' }), 404],
    [
      'beyond: the last again',
      page({ page: '9' }, 45, { pageBeyond: 'repeat-last' }),
      [40, 45, block(3, 20, 45, 3)],
    ],
    ['page number ignored', page({ page: '3' }, 45, { pageNumber: 'ignored' }), [0, 20, block(1, 20, 45, 3)]],
    ['nothing there', page({}, 0, { pageBeyond: 'not-found' }), [0, 0, block(1, 20, 0, 0)]],
    ['above the cap', page({ limit: '500' }, 450, {}), [0, 100, block(1, 100, 450, 5)]],
    ['above the cap: 400', page({ limit: '101' }, 450, { aboveCap: 'reject' }), 400],
    ['from zero', page({ page: '1' }, 45, { firstPage: 0 }), [20, 40, block(1, 20, 45, 3)]],
    ['page 0 of pages from one', page({ page: '0' }, 45, {}), [0, 20, block(1, 20, 45, 3)]],
    ['nonsense', page({ page: 'x' }, 45, {}), 400],
    ['no items', page({ limit: '0' }, 45, {}), 400],
    [
      'strings',
      page({}, 5, { pagination: 'strings' }),
      [0, 5, { page: '1', limit: '20', total: '5', pages: '1' }],
    ],
    ['too high', page({}, 20, { pagination: 'too-high' }), [0, 20, block(1, 20, 27, 2)]],
    ['too low', page({}, 5, { pagination: 'too-low' }), [0, 5, block(1, 20, 0, 0)]],
    ['missing', page({}, 5, { pagination: 'missing' }), [0, 5, null]],
    ['empty', page({}, 5, { pagination: 'empty' }), [0, 5, {}]],
  ])('page: %s', (_, got, expected) => {
    expect(got).toEqual(expected)
  })

  it('orders', () => {
    for (const filename of ['b', 'c', 'a', 'd']) service.plant({ filename })
    const live = service.ledger.live().map((file) => ({ ...file, token: '', blob: null }))
    const names = (order: Dialect['listOrder']): string =>
      inOrder(live, order)
        .map((file) => file.filename)
        .join('')
    expect([names('oldest'), names('newest'), names('name')]).toEqual(['bcad', 'dacb', 'abcd'])
    expect([...names('shuffled')].toSorted().join('')).toBe('abcd')
    expect(names('shuffled')).toBe(names('shuffled'))
  })

  it.each<[Dialect['listFields'], readonly string[]]>([
    ['all', ['file_id', 'filename', 'size', 'upload_date', 'download_count', 'public_link']],
    ['id-name', ['file_id', 'filename']],
    ['id-only', ['file_id']],
    ['id-size', ['file_id', 'size']],
    ['name-size', ['filename', 'size']],
    ['no-id', ['filename', 'size', 'upload_date', 'download_count', 'public_link']],
    ['no-size', ['file_id', 'filename', 'upload_date', 'download_count', 'public_link']],
    ['no-date', ['file_id', 'filename', 'size', 'download_count', 'public_link']],
    ['no-link', ['file_id', 'filename', 'size', 'upload_date', 'download_count']],
    ['no-count', ['file_id', 'filename', 'size', 'upload_date', 'public_link']],
  ])('items with %s', async (listFields, fields) => {
    service.plant({ filename: 'a' })
    set({ listFields })
    const { files } = json(await call(service, { path: '/files' })) as { files: readonly Json[] }
    expect(files.map((file) => Object.keys(file))).toEqual([fields])
  })

  it('shifts while it is paged, but never takes an upload away', async () => {
    await upload(service, 'mine', 'x')
    for (let n = 0; n < 4; n++) service.plant({ filename: `p${n}` })
    const count = (): number => service.ledger.live().length
    set({ listShift: 'insert' })
    await call(service, { path: '/files?limit=2' })
    expect(count()).toBe(5)
    await call(service, { path: '/files?limit=2&page=2' })
    expect(count()).toBe(6)
    set({ listShift: 'delete' })
    for (let n = 0; n < 9; n++) await call(service, { path: '/files?limit=2&page=2' })
    expect(service.ledger.live()).toMatchObject([{ filename: 'mine' }])
  })
})

describe('a list that is late', () => {
  const clock = createFakeClock()
  let late: Service
  beforeEach(async () => {
    late = await createService({ now: clock.now, after: clock.after })
  })
  afterEach(() => late.close())
  const shown = async (): Promise<readonly string[]> => {
    const { files } = json(await call(late, { path: '/files' })) as { files: readonly Json[] }
    return files.map((file) => String(file['filename'])).toSorted()
  }

  it('shows a file after the lag of all files, which the single file does not have', async () => {
    late.setDialect({ listLag: 'fixed', listLagMs: 15_000 })
    const id = String(json(await upload(late, 'a', 'x'))['file_id'])
    expect(await shown()).toEqual([])
    expect((await call(late, { path: `/files/${id}` })).status).toBe(200)
    await clock.advance(14_999)
    expect(await shown()).toEqual([])
    await clock.advance(1)
    expect(await shown()).toEqual(['a'])
  })

  it('shows files after lags of their own', async () => {
    late.setDialect({ listLag: 'random', listLagMs: 10_000 })
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await upload(late, name, name)
    await clock.advance(5000)
    const count = (await shown()).length
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThan(6)
    await clock.advance(5000)
    expect(await shown()).toHaveLength(6)
  })

  it('jumps back where a replica answers', async () => {
    await upload(late, 'old', 'x')
    await clock.advance(60_000)
    const gone = Number(json(await upload(late, 'gone', 'y'))['file_id'])
    await clock.advance(60_000)
    late.deleteBehindTheBack(gone)
    await upload(late, 'new', 'z')
    late.setDialect({ listReplicaMs: 30_000 })
    const answers = new Set<string>()
    for (let n = 0; n < 12; n++) answers.add((await shown()).join(' '))
    expect([...answers].toSorted()).toEqual(['gone old', 'new old'])
  })

  it('stores late by its own clock', async () => {
    late.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'late-store-cut', ms: 8000, mostMs: 60_000 } }] })
    expect((await upload(late, 'a', 'x')).status).toBeNull()
    await clock.advance(7999)
    expect(late.ledger.live()).toEqual([])
    await clock.advance(52_001)
    expect(late.ledger.live()).toHaveLength(1)
  })

  it('knows a single file after its lag, while link and list have it', async () => {
    late.setDialect({ singleLagMs: 10_000 })
    const { file_id: id, public_link: link } = json(await upload(late, 'a', 'x'))
    const single = async (method: string): Promise<number | null> =>
      (await call(late, { method, path: `/files/${String(id)}` })).status
    await clock.advance(9999)
    expect([await single('GET'), await single('DELETE'), await shown()]).toEqual([404, 404, ['a']])
    expect((await call(late, { path: String(link) })).body.toString()).toBe('x')
    await clock.advance(1)
    expect([await single('GET'), await single('DELETE'), await single('GET')]).toEqual([200, 200, 404])
  })

  it('shows a deleted file until its deletion takes effect', async () => {
    late.setDialect({ deleteLagMs: 5000 })
    const { file_id: id, public_link: link } = json(await upload(late, 'a', 'x'))
    expect((await call(late, { method: 'DELETE', path: `/files/${String(id)}` })).status).toBe(200)
    const status = async (path: string): Promise<number | null> => (await call(late, { path })).status
    expect([await status(`/files/${String(id)}`), await status(String(link)), await shown()]).toEqual([
      200,
      200,
      ['a'],
    ])
    await clock.advance(5000)
    expect([await status(`/files/${String(id)}`), await status(String(link)), await shown()]).toEqual([
      404,
      404,
      [],
    ])
  })

  it('has a second copy that lags with everything but uploads and links', async () => {
    await upload(late, 'old', 'x')
    await clock.advance(60_000)
    const { file_id: id, public_link: link } = json(await upload(late, 'new', 'y'))
    late.setDialect({ replica: 'alternate', replicaMs: 20_000 })
    const path = `/files/${String(id)}`
    /** The answers of both copies. */
    const both = async (what: () => Promise<unknown>): Promise<ReadonlySet<unknown>> =>
      new Set([await what(), await what()])
    const statusOf = (method: string) => async (): Promise<unknown> =>
      (await call(late, { method, path })).status
    const count = async (): Promise<unknown> =>
      (json(await call(late, { path: '/stats' })) as { stats: Json }).stats['total_files']
    expect(await both(statusOf('GET'))).toEqual(new Set([200, 404]))
    expect(await both(count)).toEqual(new Set([1, 2]))
    expect(await both(async () => (await shown()).join())).toEqual(new Set(['new,old', 'old']))
    expect((await call(late, { path: String(link) })).status).toBe(200)
    await clock.advance(20_000)
    expect(await both(statusOf('GET'))).toEqual(new Set([200]))
    expect(await both(statusOf('DELETE'))).toContain(200)
    expect(await both(statusOf('GET'))).toEqual(new Set([200, 404]))
    await clock.advance(20_000)
    expect(await both(statusOf('GET'))).toEqual(new Set([404]))
  })

  it('knows no single file, where told so', async () => {
    late.setDialect({ singleFile: 'never' })
    const id = String(json(await upload(late, 'a', 'x'))['file_id'])
    expect((await call(late, { path: `/files/${id}` })).status).toBe(404)
    expect(await shown()).toEqual(['a'])
  })
})

describe('receipts', () => {
  it.each<[Dialect['receipt'], readonly string[]]>([
    ['plain', ['success', 'file_id', 'filename', 'size', 'public_link']],
    ['no-size', ['success', 'file_id', 'filename', 'public_link']],
    ['no-filename', ['success', 'file_id', 'size', 'public_link']],
    ['no-link', ['success', 'file_id', 'filename', 'size']],
    ['only-id', ['success', 'file_id']],
    ['in-file', ['success', 'file']],
    ['in-data', ['success', 'data']],
  ])('%s', async (form, fields) => {
    set({ receipt: form })
    expect(Object.keys(json(await upload(service, 'a', 'x')))).toEqual(fields)
  })
})

describe('sizes that aren’t those of the bytes', () => {
  it('are the same wherever the content appears, and differ from its length both ways', async () => {
    set({ sizeOf: 'compressed' })
    const sizes: number[] = []
    for (let n = 0; n < 40; n++)
      sizes.push(Number(json(await upload(service, `${n}`, `${n}`.padEnd(1000, '.')))['size']))
    expect(sizes.filter((size) => size < 1000).length).toBeGreaterThan(20)
    expect(sizes.filter((size) => size > 1000).length).toBeGreaterThan(0)
    expect(json(await upload(service, 'again', '7'.padEnd(1000, '.')))['size']).toBe(sizes[7])
    expect(json(await call(service, { path: '/files/8' }))).toMatchObject({ file: { size: sizes[7] } })
    expect(service.ledger.live()[7]?.size).toBe(1000)
  })
})

describe('a file of another user', () => {
  it('has a link that works, and can be neither listed nor requested nor deleted', async () => {
    set({ othersShare: 1 })
    const receipts = [json(await upload(service, 'a', 'known')), json(await upload(service, 'b', 'known'))]
    const [id, link] = [String(receipts[0]?.['file_id']), String(receipts[0]?.['public_link'])]
    expect(receipts.map((one) => [String(one['file_id']), one['public_link']])).toEqual([
      [id, link],
      [id, link],
    ])
    for (const method of ['GET', 'DELETE'])
      expect((await call(service, { method, path: `/files/${id}` })).status).toBe(404)
    expect(json(await call(service, { path: '/files' }))['files']).toEqual([])
    expect(await stats()).toMatchObject({ stats: { total_files: 0 } })
    expect((await call(service, { path: link })).body.toString()).toBe('known')
  })
})

describe('words', () => {
  it('reads a name or JSON, and says what there is', () => {
    expect(parseDialect('bare')).toBe(dialects['bare'])
    expect(parseDialect('{"ids":"big"}')).toEqual({ ids: 'big' })
    expect(() => parseDialect('nothing')).toThrow(/plain, bare/)
    expect(() => parseDialect('{"ids":"none"}')).toThrow()
    expect(() => withDialect({ listCap: 0 })).toThrow()
  })
})
