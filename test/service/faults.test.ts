// Every kind of fault from the perspective of a simple client, and the ledger afterwards. Also checks that
// runs are repeatable. Real time passes only if the fault itself is a delay.
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createFaultChooser,
  draw,
  type Endpoint,
  type FaultKind,
  type FaultPlan,
  faultKinds,
  interceptPages,
} from './faults.ts'
import { call, json, type Reply, upload } from './raw-client.ts'
import { createService, type Service } from './service.ts'

type Kinds = FaultPlan['rules'][number]['kinds']

let service: Service
let clock = 0

beforeEach(async () => {
  clock = Date.UTC(2026, 0, 1)
  service = await createService({ now: () => clock })
})

afterEach(() => service.close())

function strike(kinds: Kinds, on: Endpoint = 'upload'): void {
  service.setFaults({ rules: [{ on, nth: 1, kinds }] })
}

const died = (reply: Reply): boolean => reply.status === null && reply.error !== null
const answered =
  (status: number) =>
  (reply: Reply): boolean =>
    reply.status === status && reply.whole

/** Faults of uploads: what the client sees, and how many files are stored in the end. */
const uploads: readonly (readonly [
  name: string,
  kind: Kinds,
  seen: (reply: Reply) => boolean,
  stored: number,
])[] = [
  ['cut before the body', 'cut-before-body', died, 0],
  ['cut in the body', { kind: 'cut-in-body', fraction: 0.3 }, died, 0],
  ['cut with the last byte', { kind: 'cut-in-body', fraction: 1 }, died, 0],
  ['a connection that nobody reads on', 'stall-in-body', died, 0],
  ['cut after the last byte', 'cut-after-body', died, 0],
  ['cut after storing', 'cut-after-store', died, 1],
  ['truncated answer', 'answer-truncated', (r) => r.status === 200 && !r.whole && r.body.length > 0, 1],
  ['slow answer', { kind: 'answer-slow', ms: 30 }, answered(200), 1],
  ['late answer', { kind: 'answer-late', ms: 30 }, answered(200), 1],
  ['no answer, nothing stored', 'stall-before-store', died, 0],
  ['no answer, stored', 'stall-after-store', died, 1],
  ['stored after the connection died', { kind: 'late-store-cut', ms: 30 }, died, 1],
  ['stored after an error', { kind: 'late-store-error', ms: 30, status: 504 }, answered(504), 1],
  ['503 before the body', 'error-before-body', answered(503), 0],
  ['500 before storing', 'error-before-store', answered(500), 0],
  ['502 after storing', 'error-after-store', answered(502), 1],
  [
    '429 with seconds',
    { kind: 'rate-limited', seconds: 7 },
    (r) => r.status === 429 && r.headers['retry-after'] === '7',
    0,
  ],
  [
    '429 with a date',
    { kind: 'rate-limited', retryAfter: 'date', seconds: 60 },
    (r) => r.status === 429 && r.headers['retry-after'] === 'Thu, 01 Jan 2026 00:01:00 GMT',
    0,
  ],
  [
    '429 with nothing',
    { kind: 'rate-limited', retryAfter: 'none' },
    (r) => r.status === 429 && r.headers['retry-after'] === undefined,
    0,
  ],
  ['HTML with 200', 'garbage-before-store', (r) => r.status === 200 && /<html/.test(r.body.toString()), 0],
  [
    'bytes with 200',
    { kind: 'garbage-before-store', form: 'bytes' },
    (r) => r.status === 200 && r.body.length === 8,
    0,
  ],
  [
    'other JSON with 200, stored',
    { kind: 'garbage-after-store', form: 'json' },
    (r) => r.status === 200 && Array.isArray(json(r)),
    1,
  ],
  [
    'nothing with 200, stored',
    { kind: 'garbage-after-store', form: 'empty' },
    (r) => r.status === 200 && r.body.length === 0,
    1,
  ],
  [
    'redirect to another origin',
    'redirect',
    (r) => r.status === 307 && !String(r.headers['location']).startsWith(service.origin),
    0,
  ],
  [
    'redirect to the same origin',
    { kind: 'redirect', status: 308, to: 'same-origin' },
    (r) => r.status === 308 && r.headers['location'] === '/moved/api/v1/files/upload',
    0,
  ],
  [
    'redirect to itself',
    { kind: 'redirect', status: 302, to: 'itself' },
    (r) => r.status === 302 && r.headers['location'] === '/api/v1/files/upload',
    0,
  ],
  ['key revoked', 'revoke-key', answered(401), 0],
  ['plan downgraded', 'downgrade', answered(403), 0],
  ['limit lowered', { kind: 'lower-limit', perMinute: 1 }, answered(200), 1],
  ['listener gone', { kind: 'go-away', ms: 30 }, died, 0],
  ['vanished', 'vanish', answered(200), 1],
  [
    'a receipt of nothing',
    'receipt-of-nothing',
    (r) => r.status === 200 && json(r)['file_id'] === 0 && json(r)['public_link'] === null,
    0,
  ],
  [
    'something in front',
    { kind: 'intercepted', page: 'basic-401' },
    (r) => r.headers['www-authenticate'] === 'Basic realm="proxy"',
    0,
  ],
]

describe('an upload meets', () => {
  it.each(uploads)('%s', async (_, kind, seen, stored) => {
    strike(kind)
    const stalls = typeof kind === 'string' && kind.startsWith('stall')
    const reply = await upload(service, 'a.bin', randomBytes(400_000), stalls ? { giveUpMs: 60 } : {})
    await service.idle()
    expect(seen(reply), JSON.stringify({ ...reply, body: reply.body.toString().slice(0, 200) })).toBe(true)
    expect(service.ledger.files()).toHaveLength(stored)
    const name = typeof kind === 'string' ? kind : 'kind' in kind ? kind.kind : null
    expect(service.requests.list()[0]).toMatchObject({ fault: name, status: reply.status, counted: true })
    for (const file of service.ledger.files())
      expect(file).toMatchObject({ fault: name, requestNo: 1, size: 400_000 })
  })

  it('a late answer that a test doesn’t wait for any longer', async () => {
    service.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'answer-late', ms: 600_000 } }] })
    const stored = upload(service, 'stored.bin', randomBytes(10))
    await expect.poll(() => service.ledger.files()).toHaveLength(1)
    service.setUploadRate(1_000_000)
    const arriving = upload(service, 'arriving.bin', randomBytes(400_000))
    await expect.poll(() => service.requests.list()).toHaveLength(2)
    service.answerNow()
    expect([(await stored).status, (await arriving).status]).toEqual([200, 200])
    // The next one is late again.
    expect((await upload(service, 'next.bin', randomBytes(10), { giveUpMs: 60 })).status).toBeNull()
  })

  it('every kind there is', () => {
    const met = new Set(
      uploads.map(([, kind]) => (typeof kind === 'string' ? kind : 'kind' in kind ? kind.kind : '')),
    )
    // The receipt of another upload needs one.
    expect(faultKinds.filter((kind) => !met.has(kind))).toEqual(['receipt-of-another'])
  })

  it.each([
    ['that is stored', true, ['a.txt', 'b.txt']],
    ['that isn’t', false, ['a.txt']],
  ])('the receipt of another upload, %s', async (_name, isStored, stored) => {
    service.setFaults({ rules: [{ on: 'upload', kinds: { kind: 'receipt-of-another', isStored } }] })
    const first = json(await upload(service, 'a.txt', 'one'))
    expect(first).toMatchObject({ filename: 'a.txt', size: 3 })
    expect(json(await upload(service, 'b.txt', 'number two'))).toEqual(first)
    expect(service.ledger.live().map((file) => file.filename)).toEqual(stored)
  })
})

describe('something in front of the service', () => {
  const ask = (path: string, method = 'GET'): Promise<Reply> => call(service, { path, method })

  it.each(interceptPages)('answers %s with its status, and the service is asked nothing', async (page) => {
    const { fileId } = service.plant({ filename: 'a' })
    service.setIntercept({ page })
    const status = Number(/\d+/.exec(page)?.[0])
    for (const reply of [
      await ask('/stats'),
      await ask(`/files/${fileId}`, 'DELETE'),
      await upload(service, 'b', 'bytes'),
    ])
      expect([reply.status, reply.whole, reply.body.length > 0]).toEqual([status, true, true])
    expect(service.ledger.live()).toHaveLength(1)
    expect(service.requests.list()).toMatchObject(
      Array.from({ length: 3 }, () => ({ fault: 'intercepted', counted: false })),
    )
    service.setIntercept(null)
    expect(json(await ask('/stats'))).toMatchObject({ success: true })
  })

  it('goes after its time, which a page of maintenance may announce', async () => {
    service.setIntercept({ page: 'maintenance-503-retry', forMs: 30_000 })
    clock += 10_000
    expect((await ask('/stats')).headers['retry-after']).toBe('20')
    clock += 20_000
    expect((await ask('/stats')).status).toBe(200)
  })

  it('begins with a fault', async () => {
    service.setFaults({
      rules: [
        {
          on: 'list',
          nth: 2,
          kinds: { kind: 'intercepted', page: 'json-410', on: ['list', 'get'], forMs: 5000 },
        },
      ],
    })
    expect([(await ask('/files')).status, (await ask('/files')).status]).toEqual([200, 410])
    expect([
      (await ask('/files')).status,
      (await ask('/files/1')).status,
      (await ask('/stats')).status,
    ]).toEqual([410, 410, 200])
    clock += 5000
    expect((await ask('/files')).status).toBe(200)
  })

  it('answers a share of the calls, or some of them, and links only if it says so', async () => {
    service.setIntercept({ page: 'nginx-404', share: 0.5 })
    const statuses = new Set<number | null>()
    for (let n = 0; n < 20; n++) statuses.add((await ask('/stats')).status)
    expect(statuses).toEqual(new Set([200, 404]))
    service.setIntercept({ page: 'portal-200', on: ['upload'] })
    expect((await upload(service, 'a', 'bytes')).headers['content-type']).toBe('text/html')
    expect(json(await ask('/stats'))).toMatchObject({ success: true })
    service.setIntercept(null)
    const link = String(json(await upload(service, 'a', 'bytes'))['public_link'])
    for (const [on, seen] of [
      [undefined, 'bytes'],
      [['download'], 'Access denied'],
    ] as const) {
      service.setIntercept({ page: 'blocked-403', ...(on === undefined ? {} : { on: [...on] }) })
      expect((await ask(link)).body.toString()).toContain(seen)
    }
  })
})

/** Faults of other calls. The last column says whether the file is deleted in the end. */
describe('other calls meet the same', () => {
  const deletes: readonly (readonly [FaultKind, (reply: Reply) => boolean, boolean])[] = [
    ['cut-before-body', died, false],
    ['cut-in-body', died, false],
    ['cut-after-body', died, false],
    ['error-before-store', answered(500), false],
    ['garbage-before-store', answered(200), false],
    ['cut-after-store', died, true],
    ['error-after-store', answered(502), true],
    ['answer-truncated', (reply) => reply.status === 200 && !reply.whole, true],
    ['late-store-cut', died, true],
    ['vanish', answered(404), true],
  ]
  it.each(deletes)('a deletion: %s', async (kind, seen, gone) => {
    const { fileId } = service.plant({ filename: 'a' })
    strike(kind, 'delete')
    const reply = await call(service, { method: 'DELETE', path: `/files/${fileId}` })
    await service.idle()
    expect(seen(reply)).toBe(true)
    expect(service.ledger.live()).toHaveLength(gone ? 0 : 1)
  })

  it.each(['list', 'get', 'stats'] as const)('%s: cut, error, garbage', async (endpoint) => {
    const { fileId } = service.plant({ filename: 'a' })
    const path = endpoint === 'list' ? '/files' : endpoint === 'get' ? `/files/${fileId}` : '/stats'
    for (const [kind, seen] of [
      ['cut-after-store', died],
      ['error-before-body', answered(503)],
      ['garbage-after-store', answered(200)],
    ] as const) {
      strike(kind, endpoint)
      expect(seen(await call(service, { path }))).toBe(true)
      expect((await call(service, { path })).status).toBe(200)
    }
  })

  it.each<[FaultKind, (reply: Reply) => boolean]>([
    ['cut-before-body', died],
    ['answer-truncated', (reply) => reply.status === 200 && !reply.whole],
    ['error-before-store', answered(500)],
    ['garbage-before-store', answered(200)],
    ['answer-late', answered(200)],
    ['vanish', answered(404)],
  ])('a download: %s', async (kind, seen) => {
    const reply = await upload(service, 'a', randomBytes(100_000))
    strike(kind, 'download')
    expect(seen(await call(service, { path: String(json(reply)['public_link']), key: null }))).toBe(true)
  })
})

describe('what lasts', () => {
  const stats = () => call(service, { path: '/stats' })

  it('a revoked key and a downgraded plan come back after their time', async () => {
    for (const [kind, status] of [
      ['revoke-key', 401],
      ['downgrade', 403],
    ] as const) {
      strike({ kind, forMs: 5000 }, 'stats')
      expect((await stats()).status).toBe(status)
      clock += 4999
      expect((await stats()).status).toBe(status)
      clock += 1
      expect((await stats()).status).toBe(200)
    }
  })

  it('a lowered limit stays until it is raised', async () => {
    strike({ kind: 'lower-limit', perMinute: 2 }, 'stats')
    expect([(await stats()).status, (await stats()).status, (await stats()).status]).toEqual([200, 200, 429])
    service.setLimits({ perMinute: 50 })
    expect((await stats()).status).toBe(200)
  })

  it('an absent service refuses and comes back on the same port', async () => {
    const { url } = service
    await service.goAway()
    expect((await stats()).error).toBe('ECONNREFUSED')
    await service.comeBack()
    expect(service.url).toBe(url)
    expect((await stats()).status).toBe(200)
    await service.goAway(20)
    await expect.poll(async () => (await stats()).status, { timeout: 10_000 }).toBe(200)
  })

  it('the other origin notes who shows it a key; the same origin serves one prefix deeper', async () => {
    strike('redirect', 'stats')
    const { location } = (await stats()).headers
    await call(service, { path: String(location) })
    await call(service, { path: String(location), key: null })
    expect(service.strangerRequests()).toEqual([
      { method: 'GET', path: '/api/v1/stats', hadKey: true },
      { method: 'GET', path: '/api/v1/stats', hadKey: false },
    ])
    strike({ kind: 'redirect', to: 'same-origin' }, 'stats')
    const moved = (await stats()).headers['location']
    expect((await call(service, { path: service.origin + String(moved) })).status).toBe(200)
  })

  it('closing drops what was to be stored late', async () => {
    strike({ kind: 'late-store-cut', ms: 60_000 })
    await upload(service, 'a', 'x')
    await service.close()
    expect(service.ledger.files()).toEqual([])
  })
})

describe('choice', () => {
  const plan: FaultPlan = {
    seed: 7,
    rules: [{ rate: 0.2, kinds: ['cut-after-store', 'error-after-store', 'garbage-before-store'] }],
  }
  const run = (given: FaultPlan, order: readonly Endpoint[]): readonly string[] => {
    const choose = createFaultChooser(given, 1)
    return order.map((endpoint) => `${endpoint} ${choose(endpoint)?.kind ?? '-'}`)
  }
  const mixed: readonly Endpoint[] = Array.from({ length: 600 }, (_, n) =>
    n % 3 === 0 ? 'upload' : n % 3 === 1 ? 'stats' : 'download',
  )

  it('is the same for the same seed, whatever other endpoints do in between', () => {
    expect(run(plan, mixed)).toEqual(run(plan, mixed))
    expect(run(plan, mixed).filter((one) => one.startsWith('upload'))).toEqual(
      run(
        plan,
        Array.from({ length: 200 }, () => 'upload' as const),
      ),
    )
    expect(run({ ...plan, seed: 8 }, mixed)).not.toEqual(run(plan, mixed))
  })

  it('strikes about as often as told, with every kind, and downloads only when named', () => {
    const struck = run(plan, mixed).filter((one) => !one.endsWith('-'))
    expect(struck.length).toBeGreaterThan(50)
    expect(struck.length).toBeLessThan(110)
    expect(new Set(struck.map((one) => one.split(' ')[1])).size).toBe(3)
    expect(struck.filter((one) => one.startsWith('download'))).toEqual([])
  })

  it('strikes the requests that are named, and the first rule wins', () => {
    const given: FaultPlan = {
      rules: [
        { on: ['upload', 'list'], nth: [2, 4], kinds: { kind: 'error-before-store', status: 507 } },
        { on: 'upload', nth: 4, kinds: 'vanish' },
        { on: 'upload', nth: 5, kinds: 'vanish' },
      ],
    }
    const choose = createFaultChooser(given, 1)
    expect(Array.from({ length: 6 }, () => choose('upload')?.kind ?? null)).toEqual([
      null,
      'error-before-store',
      null,
      'error-before-store',
      'vanish',
      null,
    ])
    expect([choose('list'), choose('list')]).toEqual([null, { kind: 'error-before-store', status: 507 }])
    expect(choose('stats')).toBeNull()
  })

  it('refuses a plan that it does not understand', () => {
    expect(() => createFaultChooser({ rules: [{ rate: 2, kinds: 'vanish' }] }, 1)).toThrow()
    expect(() => createFaultChooser({ rules: [{ kinds: { kind: 'cut' } as never }] }, 1)).toThrow()
  })

  it('draws evenly', () => {
    const tenths = Array.from({ length: 10 }, () => 0)
    for (let n = 0; n < 10_000; n++) {
      const tenth = Math.floor(draw(3, 'x', n) * 10)
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
    }
    expect(Math.min(...tenths)).toBeGreaterThan(850)
    expect(Math.max(...tenths)).toBeLessThan(1150)
  })
})
