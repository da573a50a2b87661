// Lost answers on services that show files late or rename them: a table of dialects and losses over seeds,
// and individual cases. In the end nothing may be lost, reported wrongly, or exist twice.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Dialect } from '../service/dialect.ts'
import { draw, type Fault } from '../service/faults.ts'
import { upload as uploadByOther } from '../service/raw-client.ts'
import { share } from '../tools/share.ts'
import { createWorld, FOLDER, type World } from '../world/world.ts'

let world: World | null = null
afterEach(async () => {
  await world?.end()
  world = null
})

const HOUR_MS = 3_600_000
/** After this time, every file of the table is stored, visible in the list and found by the check. */
const HEALED_MS = 22 * 60_000

/** The services. Most have random IDs, because consecutive IDs alone can show whether a file was stored. */
const DIALECTS: Readonly<Record<string, Partial<Dialect>>> = {
  'list at once': {},
  'list 15 s late': { listLag: 'fixed', listLagMs: 15_000, ids: 'random' },
  'list up to 45 s late': { listLag: 'random', listLagMs: 45_000, ids: 'random' },
  'list 15 s late, dense ids': { listLag: 'fixed', listLagMs: 15_000 },
  'stale replica': { listReplicaMs: 20_000, ids: 'random' },
  prefixed: { filename: 'prefixed', ids: 'random' },
  suffixed: { filename: 'random-suffix', ids: 'random' },
  slug: { filename: 'slug' },
  uuid: { filename: 'uuid', ids: 'random', listOrder: 'oldest' },
  cut: { filename: 'truncated', nameLength: 12, ids: 'random' },
  'lower case': { filename: 'lower', ids: 'random', listFields: 'no-link' },
}

const LOSSES: Readonly<Record<string, readonly Fault[]>> = {
  'answer lost': [{ kind: 'cut-after-store' }, { kind: 'answer-truncated', fraction: 0.4 }],
  cut: [{ kind: 'cut-after-body' }, { kind: 'late-store-cut', ms: 2000, mostMs: 90_000 }],
  502: [
    { kind: 'error-after-store', status: 502 },
    { kind: 'error-before-store', status: 502 },
  ],
  504: [
    { kind: 'late-store-error', ms: 5000, mostMs: 180_000, status: 504 },
    { kind: 'error-before-store', status: 504 },
  ],
  kill: [{ kind: 'cut-after-store' }],
}

const CELLS = Object.keys(DIALECTS).flatMap((dialect) =>
  Object.keys(LOSSES).map((loss) => [dialect, loss] as const),
)
const FILES = 6

/** Runs one cell of the table with a seed. Returns what is wrong at the end. */
async function run(dialect: string, loss: string, seed: number): Promise<readonly string[]> {
  const dice = (...words: readonly (string | number)[]): number => draw(seed, dialect, loss, ...words)
  const w = await createWorld({
    seed,
    dialect: DIALECTS[dialect] ?? {},
    faults: { seed, rules: [{ on: 'upload', rate: 0.35, kinds: LOSSES[loss] ?? [] }] },
  })
  world = w
  const contents = new Map<string, string>()
  for (let n = 0; n < FILES; n++) {
    // Equal sizes and beginnings, so that neither identifies a file.
    const name = `A file of work ${n}.TXT`
    contents.set(name, `${seed} ${dice('content', n).toString(16).padEnd(20, '0')}`)
  }
  const names = [...contents.keys()]
  const late = names.splice(Math.floor(dice('split') * FILES))
  for (const name of names) w.disk.write(`${FOLDER}/${name}`, contents.get(name) ?? '')
  await w.watch()
  for (const name of late) {
    await w.pass(Math.floor(dice('pause', name) * 20_000))
    w.disk.write(`${FOLDER}/${name}`, contents.get(name) ?? '')
    if (loss === 'kill' && dice('kill', name) < 0.5) {
      await w.pass(Math.floor(dice('until', name) * 6000))
      await w.crash()
    }
  }
  await w.until(async () => (await w.transfers()).length === FILES && (await w.allSettled()), 2)
  await w.pass(HEALED_MS)
  return judge(w, contents)
}

async function judge(w: World, contents: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const wrong: string[] = []
  const rows = await w.transfers()
  for (const [name, content] of contents) {
    const row = rows.findLast((one) => one.name === name)
    const file = w.service.ledger.live().find((one) => one.fileId === row?.fileId)
    const path = row?.fileId == null ? null : w.service.blobPath(Number(row.fileId))
    if (row?.state !== 'done' || file === undefined || path === null)
      wrong.push(`lost ${name}: ${row?.state} ${row?.reason}`)
    else if (readFileSync(path, 'utf8') !== content) wrong.push(`wrong link of ${name}`)
  }
  for (const group of w.service.ledger.duplicates().bySha)
    wrong.push(`twice ${group.map((one) => `${one.filename} ${one.fileId} ${one.fault}`).join(' | ')}`)
  return wrong
}

/** Number of seeds per cell; can be raised with LOST_ANSWERS_SEEDS. */
const SEEDS = Number(process.env['LOST_ANSWERS_SEEDS'] ?? share(1, 3))
const KINDS = Object.keys(LOSSES).length
/**
 * A fixed share of the cells that has each dialect twice and each loss at least four times: the diagonals of
 * the table.
 */
const SHARE = CELLS.filter((_, n) => (n + Math.floor(n / KINDS)) % KINDS < share(2, KINDS))

describe('a table of dialects and losses', () => {
  it.each(SHARE)('%s, %s', async (dialect, loss) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      expect(await run(dialect, loss, seed), `seed ${seed}`).toEqual([])
      await world?.end()
      world = null
    }
  })
})

function uploads(w: World): number {
  return w.service.requests.list().filter((request) => request.endpoint === 'upload').length
}

describe('the usual case', () => {
  it.each([
    ['the list shows it', 'cut-after-store', 1500],
    ['the list shows later ones, and not it', 'cut-after-body', 6500],
  ] as const)('has its link as soon as before: %s', async (_name, kind, mostMs) => {
    world = await createWorld({ faults: { rules: [{ on: 'upload', nth: 5, kinds: kind }] } })
    const w = world
    await w.watch()
    for (const n of [1, 2, 3, 4]) await w.upload(`${n}.txt`, `number ${n}`)
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown')
    const from = w.clock.mono()
    w.disk.write(`${FOLDER}/later.txt`, 'later')
    await w.until(() => w.allSettled())
    expect((await w.byName('lost.txt'))?.state).toBe('done')
    expect(w.clock.mono() - from).toBeLessThan(mostMs + 3000)
    expect(w.service.ledger.live()).toHaveLength(6)
  })

  it('is decided by the IDs if the list is delayed', async () => {
    world = await createWorld({
      dialect: { listLag: 'fixed', listLagMs: 60_000 },
      faults: { rules: [{ on: 'upload', nth: 5, kinds: 'cut-after-store' }] },
    })
    const w = world
    await w.watch()
    for (const n of [1, 2, 3, 4]) await w.upload(`${n}.txt`, `number ${n}`)
    await w.pass(60_000)
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown')
    const from = w.clock.mono()
    await w.until(() => w.allSettled())
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'done', adopted: true })
    expect(w.clock.mono() - from).toBeLessThan(2000)
  })
})

describe('a service that stores files late, and whose list is delayed as well', () => {
  it('isn’t assumed to lack the file because its list already shows a later upload', async () => {
    world = await createWorld({
      dialect: { listLag: 'fixed', listLagMs: 5500, ids: 'random' },
      faults: {
        rules: [
          { on: 'upload', nth: 1, kinds: { kind: 'late-store-cut', ms: 4000 } },
          // The list is first read when the later upload is shown already, so that its lag isn't known.
          { on: 'list', nth: [1, 2, 3], kinds: { kind: 'error-before-store', status: 503 } },
        ],
      },
    })
    const w = world
    await w.watch()
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown')
    w.disk.write(`${FOLDER}/later.txt`, 'later')
    await w.until(() => w.allSettled())
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'done', adopted: true })
    expect(uploads(w)).toBe(2)
  })
})

describe('a delayed list that shows another upload whose response was lost', () => {
  it('doesn’t count as prompt, because that upload was confirmed only when the list showed it', async () => {
    world = await createWorld({
      dialect: { listLag: 'fixed', listLagMs: 4000, ids: 'random' },
      faults: {
        rules: [
          { on: 'upload', nth: 1, kinds: { kind: 'late-store-cut', ms: 4000 } },
          { on: 'upload', nth: 2, kinds: 'cut-after-store' },
        ],
      },
    })
    const w = world
    await w.watch()
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown')
    w.disk.write(`${FOLDER}/lost too.txt`, 'lost too')
    w.disk.write(`${FOLDER}/later.txt`, 'later')
    await w.until(() => w.allSettled())
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'done', adopted: true })
    expect(uploads(w)).toBe(3)
  })
})

describe('an account with another writer, whose list is delayed', () => {
  it.each([
    ['one file', 1],
    ['three files', 3],
  ])('finds an upload behind %s of the other', async (_name, count) => {
    world = await createWorld({
      dialect: { listLag: 'fixed', listLagMs: 60_000 },
      faults: { rules: [{ on: 'upload', nth: 5 + count, kinds: 'cut-after-store' }] },
    })
    const w = world
    await w.watch()
    for (const n of [1, 2, 3, 4]) await w.upload(`${n}.txt`, `number ${n}`)
    await w.pass(60_000)
    for (let n = 0; n < count; n++) await uploadByOther(w.service, `by another ${n}.txt`, 'else')
    await w.upload('lost.txt', 'lost')
    expect(await w.byName('lost.txt')).toMatchObject({ adopted: true })
    await w.pass(HEALED_MS)
    expect(uploads(w)).toBe(5 + count)
    expect(w.service.ledger.live().filter((file) => file.filename === 'lost.txt')).toHaveLength(1)
  })

  it('causes an upload that never arrived to be sent again, once', async () => {
    world = await createWorld({
      dialect: { listLag: 'fixed', listLagMs: 60_000 },
      faults: { rules: [{ on: 'upload', nth: 6, kinds: 'cut-after-body' }] },
    })
    const w = world
    await w.watch()
    for (const n of [1, 2, 3, 4]) await w.upload(`${n}.txt`, `number ${n}`)
    await w.pass(60_000)
    await uploadByOther(w.service, 'by another.txt', 'else')
    await w.upload('lost.txt', 'lost')
    expect(await w.byName('lost.txt')).toMatchObject({ adopted: false })
    expect(uploads(w)).toBe(7)
  })
})

describe('a service that changes only names with letters outside ASCII', () => {
  it.each(['Maßnahme.txt', 'план 5а.txt'])(
    'doesn’t get %s again if its links can’t be read',
    async (name) => {
      world = await createWorld({
        dialect: { filename: 'spelled', ids: 'random' },
        faults: {
          rules: [
            { on: 'upload', nth: 4, kinds: 'cut-after-store' },
            { on: 'download', kinds: { kind: 'error-before-store', status: 403 } },
          ],
        },
      })
      const w = world
      await w.watch()
      // These names are kept.
      for (const n of [1, 2, 3]) await w.upload(`${n}.txt`, `number ${n}`)
      w.disk.write(`${FOLDER}/${name}`, 'lost')
      await w.pass(HEALED_MS)
      expect(uploads(w)).toBe(4)
      expect(await w.byName(name)).toMatchObject({ state: 'held', reason: 'ambiguous' })
    },
  )

  it.each([
    ['as seen before', 'отчёт.pdf', 'file.txt', 'план.txt'],
    ['for the first time', 'report.pdf', '2024.txt', 'план 2024.txt'],
  ])(
    'never gives a file the link of another whose letters it dropped, %s',
    async (_when, first, plain, other) => {
      world = await createWorld({
        dialect: { filename: 'slug' },
        faults: {
          rules: [
            { on: 'upload', nth: 2, kinds: 'cut-after-body' },
            { on: 'upload', nth: 3, kinds: 'cut-after-store' },
          ],
        },
      })
      const w = world
      await w.watch()
      await w.upload(first, 'report')
      const contents = new Map([
        [plain, 'one'],
        [other, 'two'],
      ])
      for (const [name, content] of contents) w.disk.write(`${FOLDER}/${name}`, content)
      await w.until(() => w.allSettled(), 2)
      await w.pass(HEALED_MS)
      expect(await judge(w, contents)).toEqual([])
    },
  )
})

describe('a list that returns the same page for every request', () => {
  it('proves nothing by the later uploads on it, which may have pushed the file off', async () => {
    world = await createWorld({
      plan: 'enterprise',
      dialect: { pageNumber: 'ignored', listCap: 3, listDefault: 3, ids: 'random' },
      faults: { rules: [{ on: 'upload', nth: 2, kinds: 'cut-after-store' }] },
    })
    const w = world
    const send = async (...names: readonly string[]): Promise<void> => {
      for (const name of names) w.disk.write(`${FOLDER}/${name}`, `content of ${name}`)
      await w.handlers.upload({
        paths: names.map((name) => `${FOLDER}/${name}`),
        again: false,
        token: names.join(),
      })
    }
    await send('first.txt')
    await w.until(() => w.allSettled())
    await send('lost.txt')
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown')
    await send('a.txt', 'b.txt', 'c.txt')
    await w.until(async () => (await w.transfers()).filter((one) => one.state === 'done').length === 4)
    await w.pass(60_000)
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'unknown' })
    expect(w.service.ledger.files().filter((file) => file.filename === 'lost.txt')).toHaveLength(1)
  })
})

describe('an account with a few files, where neither later uploads nor dense IDs prove anything', () => {
  it('is decided by the count of its files', async () => {
    world = await createWorld({
      dialect: { ids: 'random' },
      faults: { rules: [{ on: 'upload', nth: 3, kinds: 'cut-after-body' }] },
    })
    const w = world
    await w.watch()
    for (const n of [1, 2]) await w.upload(`${n}.txt`, `number ${n}`)
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown')
    const from = w.clock.mono()
    await w.until(() => w.allSettled())
    expect((await w.byName('lost.txt'))?.state).toBe('done')
    expect(w.clock.mono() - from).toBeLessThan(8000)
    expect(w.service.ledger.live()).toHaveLength(3)
  })
})

describe('an account with dense IDs, whose list is delayed', () => {
  it.each([404, 410])('is decided by requests for single IDs that are answered %i', async (status) => {
    world = await createWorld({
      dialect: { listLag: 'fixed', listLagMs: 3 * HOUR_MS, statsMembers: 'no-stats' },
    })
    const w = world
    await w.watch()
    for (const n of [1, 2, 3, 4]) await w.upload(`${n}.txt`, `number ${n}`)
    w.service.setFaults({
      rules: [
        { on: 'upload', nth: 1, kinds: 'cut-after-body' },
        // Each lookup requests a known file first, then the next ID.
        {
          on: 'get',
          nth: Array.from({ length: 50 }, (_, i) => 2 * i + 2),
          kinds: { kind: 'error-before-store', status },
        },
      ],
    })
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown')
    const from = w.clock.mono()
    await w.until(() => w.allSettled())
    expect((await w.byName('lost.txt'))?.state).toBe('done')
    expect(w.clock.mono() - from).toBeLessThan(20_000)
    expect(w.service.ledger.live()).toHaveLength(5)
  })
})

describe('a wait for proof', () => {
  const late = { listLag: 'fixed', listLagMs: 3 * HOUR_MS, ids: 'random', statsMembers: 'no-stats' } as const

  it('is a state with a next time, holds up no other file, and ends when the user says so', async () => {
    world = await createWorld({
      dialect: late,
      faults: { rules: [{ on: 'upload', nth: 1, kinds: 'cut-after-body' }] },
    })
    const w = world
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.watch()
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown')
    await w.pass(30_000)
    const row = await w.byName('lost.txt')
    expect(row).toMatchObject({ state: 'unknown', reason: 'checking' })
    expect(row?.until).toBeGreaterThan(w.clock.now())
    await w.upload('other.txt', 'other')
    expect((await w.byName('lost.txt'))?.state).toBe('unknown')
    expect(await w.handlers.retry({ ids: [row?.id ?? 0] })).toEqual({
      ok: true,
      value: { count: 1 },
    })
    await w.until(() => w.allSettled(), 0.01)
    expect((await w.byName('lost.txt'))?.state).toBe('done')
    expect(w.service.ledger.live()).toHaveLength(2)
  })

  it('ends with a hold after the second time, and the file that turns up then is adopted', async () => {
    world = await createWorld({
      dialect: late,
      faults: { rules: [{ on: 'upload', kinds: 'cut-after-store' }] },
    })
    const w = world
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.watch()
    await w.until(() => w.allSettled(), 1)
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'held', reason: 'unconfirmed' })
    expect(uploads(w)).toBe(2)
    await w.pass(20 * HOUR_MS)
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'done', adopted: true })
    expect(uploads(w)).toBe(2)
    expect(w.service.ledger.live()).toHaveLength(1)
  })

  it('that ended with a hold: rm says that the file may have arrived', async () => {
    world = await createWorld({
      dialect: late,
      faults: { rules: [{ on: 'upload', kinds: 'cut-after-store' }] },
    })
    const w = world
    const path = `${FOLDER}/lost.txt`
    w.disk.write(path, 'lost')
    await w.watch()
    await w.until(() => w.allSettled(), 1)
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'held', reason: 'unconfirmed' })
    const { handlers } = w.engine()
    expect(await handlers.versions({ selectors: [path] })).toMatchObject({
      value: [{ versions: [{ fileId: null, unconfirmed: true }] }],
    })
    const unsure = {
      value: [
        {
          ok: false,
          outcome: 'unconfirmed',
          message: expect.stringContaining('may have arrived') as string,
          failure: { code: 'waits' },
        },
      ],
    }
    expect(await handlers.remove({ selectors: [path] })).toMatchObject(unsure)
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'cancelled' })
    expect(await handlers.remove({ selectors: [path] })).toMatchObject(unsure)
    await w.pass(2 * 24 * HOUR_MS)
    expect(await handlers.remove({ selectors: [path] })).toMatchObject({
      value: [{ ok: true, message: 'deleted already' }],
    })
  })

  it('that ended with a hold resumes when a later upload proves that nothing arrived', async () => {
    world = await createWorld({
      dialect: { ...late, listLagMs: 1000 },
      faults: { rules: [{ on: 'upload', nth: [1, 2], kinds: 'cut-after-body' }] },
    })
    const w = world
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.watch()
    await w.until(() => w.allSettled(), 1)
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'held', reason: 'unconfirmed' })
    await w.upload('other.txt', 'other')
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'done', 0.5)
    expect(w.service.ledger.live()).toHaveLength(2)
  })

  it('that ended with a hold, and is approved and lost again during the lookup, is not sent again by that lookup', async () => {
    let isHeld = false
    const counting = Promise.withResolvers<() => void>()
    const hold = (request: string): Promise<void> | undefined => {
      if (request !== 'stats' || !isHeld) return undefined
      isHeld = false
      return new Promise((release) => counting.resolve(release))
    }
    const w = await createWorld(
      {
        dialect: { ...late, listLagMs: 1000 },
        faults: {
          rules: [
            { on: 'upload', nth: [1, 2], kinds: 'cut-after-body' },
            { on: 'upload', nth: 4, kinds: 'cut-after-store' },
          ],
        },
      },
      { onAnswer: hold },
    )
    world = w
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.watch()
    await w.until(() => w.allSettled(), 1)
    const row = await w.byName('lost.txt')
    expect(row).toMatchObject({ state: 'held', reason: 'unconfirmed' })
    await w.upload('other.txt', 'other')
    // The next list shows that upload, which proves that the lost one didn't arrive.
    await w.pass(1500)
    isHeld = true
    const release = await w.answered(counting.promise)
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'held' })
    expect(await w.handlers.release({ ids: [row?.id ?? 0] })).toMatchObject({ value: { count: 1 } })
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'unknown', 0.1)
    release()
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'done', 0.5)
    expect(w.service.ledger.files().filter((file) => file.filename === 'lost.txt')).toHaveLength(1)
  })
})

/** The share of the requests since `from` (an index) that were for the list. */
function listShare(w: World, from: number): number {
  const sent = w.service.requests.list().slice(from)
  return sent.filter((request) => request.endpoint === 'list').length / sent.length
}

/**
 * How long the answer to an upload takes. Eight uploads at a time then match a plan of 50 requests a minute,
 * without bursts.
 */
const STEADY_MS = 9000

describe('an unconfirmed upload during a backlog', () => {
  it('takes little of the allowance while the list can’t be read, and is looked up within minutes of its recovery', async () => {
    world = await createWorld({
      faults: {
        rules: [
          { on: 'upload', nth: 1, kinds: 'cut-after-store' },
          { on: 'list', kinds: 'error-before-store' },
        ],
      },
    })
    const w = world
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.handlers.upload({ paths: [`${FOLDER}/lost.txt`], again: false, token: 'lost' })
    const from = w.clock.now()
    await w.pass(3 * HOUR_MS)
    expect(
      w.service.requests.list().filter((one) => one.at >= from && one.endpoint === 'list').length,
    ).toBeLessThan(100)
    w.service.setFaults({ rules: [] })
    await w.pass(5 * 60_000)
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'done', adopted: true })
  })

  it('that is held takes little of the allowance', async () => {
    world = await createWorld(
      {
        dialect: { listLag: 'fixed', listLagMs: 3 * HOUR_MS, ids: 'random', statsMembers: 'no-stats' },
        faults: { rules: [{ on: 'upload', nth: [1, 2], kinds: 'cut-after-body' }] },
      },
      { uploadAnswerMs: STEADY_MS },
    )
    const w = world
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.watch()
    await w.until(() => w.allSettled(), 1)
    expect(await w.byName('lost.txt')).toMatchObject({ state: 'held', reason: 'unconfirmed' })
    const from = w.service.requests.list().length
    for (let n = 0; n < 300; n++) w.disk.write(`${FOLDER}/${n}.txt`, `number ${n}`)
    await w.until(async () => (await w.transfers()).filter((row) => row.state === 'done').length === 300)
    expect(listShare(w, from)).toBeLessThan(0.05)
  })

  it.each([
    ['small files', 200, 300],
    ['files that are hashed as they are sent', 60, 1_100_000],
  ])('whose file may belong to others of its size takes little of it: %s', async (_name, count, bytes) => {
    world = await createWorld(
      {
        dialect: { filename: 'uuid', ids: 'random' },
        faults: { rules: [{ on: 'upload', nth: 5, kinds: 'cut-after-store' }] },
      },
      { uploadAnswerMs: STEADY_MS },
    )
    const w = world
    await w.watch()
    const from = w.service.requests.list().length
    for (let n = 0; n < count; n++) w.disk.write(`${FOLDER}/${n}.bin`, Buffer.alloc(bytes, n + 1))
    await w.until(async () => (await w.transfers()).filter((row) => row.state === 'done').length === count)
    expect(listShare(w, from)).toBeLessThan(0.05)
    expect(w.service.ledger.live()).toHaveLength(count)
  })
})

describe('a file that is stored after it was sent again', () => {
  const story =
    (planted: boolean): (() => Promise<World>) =>
    async () => {
      world = await createWorld({
        dialect: { statsFields: 'two' },
        faults: { rules: [{ on: 'upload', nth: 5, kinds: { kind: 'late-store-cut', ms: 30_000 } }] },
      })
      const w = world
      // A file from before the first contact is no sign of another writer.
      w.service.plant({ filename: 'from before.txt' })
      await w.watch()
      for (const n of [1, 2, 3, 4]) await w.upload(`${n}.txt`, `number ${n}`)
      if (planted) w.service.plant({ filename: 'by another.txt' })
      await w.upload('late.txt', 'late')
      await w.pass(10 * 60_000)
      return w
    }

  it('is deleted, and the link that was shown stays valid', async () => {
    const w = await story(false)()
    const row = await w.byName('late.txt')
    expect(w.service.ledger.live().filter((file) => file.filename === 'late.txt')).toMatchObject([
      { fileId: row?.fileId, fault: null },
    ])
    expect(w.service.ledger.files().filter((file) => file.filename === 'late.txt')).toHaveLength(2)
    // It counts against the daily upload limit.
    expect(await w.handlers.snapshot({})).toMatchObject({ value: { dailyUploads: { used: 6 } } })
  })

  it('is also deleted if Slipway didn’t run for more than a day', async () => {
    world = await createWorld({
      faults: { rules: [{ on: 'upload', nth: 5, kinds: { kind: 'late-store-cut', ms: 30_000 } }] },
    })
    const w = world
    await w.watch()
    for (const n of [1, 2, 3, 4]) await w.upload(`${n}.txt`, `number ${n}`)
    await w.upload('late.txt', 'late')
    const live = () => w.service.ledger.live().filter((file) => file.filename === 'late.txt')
    await w.until(() => live().length === 2, 0.02)
    await w.crash(() => w.clock.jumpWall(25 * HOUR_MS))
    await w.pass(60_000)
    expect(live()).toMatchObject([{ fileId: (await w.byName('late.txt'))?.fileId }])
    expect(w.sql('SELECT id FROM doubts')).toEqual([])
  })

  it('is deleted as soon if the clock is rolled back in the meantime', async () => {
    world = await createWorld({
      faults: { rules: [{ on: 'upload', nth: 5, kinds: { kind: 'late-store-cut', ms: 30_000 } }] },
    })
    const w = world
    await w.watch()
    for (const n of [1, 2, 3, 4]) await w.upload(`${n}.txt`, `number ${n}`)
    await w.upload('late.txt', 'late')
    const live = () => w.service.ledger.live().filter((file) => file.filename === 'late.txt')
    await w.until(async () => live().length > 0 && (await w.byName('late.txt'))?.state === 'done', 0.02)
    w.clock.jumpWall(-5 * HOUR_MS)
    await w.pass(10 * 60_000)
    expect(live()).toMatchObject([{ fileId: (await w.byName('late.txt'))?.fileId }])
  })

  it('is also deleted if it was sent again right after the clock was rolled back by more than a day', async () => {
    world = await createWorld({
      faults: { rules: [{ on: 'upload', nth: 5, kinds: { kind: 'late-store-cut', ms: 60_000 } }] },
    })
    const w = world
    await w.watch()
    for (const n of [1, 2, 3, 4]) await w.upload(`${n}.txt`, `number ${n}`)
    w.disk.write(`${FOLDER}/late.txt`, 'late')
    await w.until(async () => (await w.byName('late.txt'))?.state === 'unknown', 0.02)
    w.clock.jumpWall(-30 * HOUR_MS)
    expect(await w.handlers.retry({ ids: [(await w.byName('late.txt'))?.id ?? 0] })).toMatchObject({
      value: { count: 1 },
    })
    await w.pass(10 * 60_000)
    const files = w.service.ledger.files().filter((file) => file.filename === 'late.txt')
    const live = w.service.ledger.live().filter((file) => file.filename === 'late.txt')
    expect(files).toHaveLength(2)
    expect(live).toMatchObject([{ fileId: (await w.byName('late.txt'))?.fileId }])
  })

  it('is left if the account has another writer', async () => {
    const w = await story(true)()
    expect(w.service.ledger.live().filter((file) => file.filename === 'late.txt')).toHaveLength(2)
    expect(w.sql("SELECT fate FROM twins WHERE fate = 'left'")).toHaveLength(1)
    const audit = () => w.handlers.audit({ path: FOLDER, rescan: true })
    const told = await audit()
    const kept = (await w.byName('late.txt'))?.fileId
    const twin = w.service.ledger.live().find((file) => file.filename === 'late.txt' && file.fileId !== kept)
    expect(told.ok && told.value.twins).toMatchObject([
      { fileId: twin?.fileId, path: join(FOLDER, 'late.txt') },
    ])
    expect(await w.handlers.secondCopies({})).toMatchObject({ value: [{ fileId: twin?.fileId }] })
    await w.handlers.remove({ selectors: [String(twin?.fileId)] })
    expect(w.service.ledger.live().filter((file) => file.filename === 'late.txt')).toMatchObject([
      { fileId: kept },
    ])
    expect(await audit()).toMatchObject({ value: { sums: { uploaded: 5 } } })
    expect(await audit()).not.toHaveProperty('value.twins')
    expect(await w.handlers.secondCopies({})).toEqual({ ok: true, value: [] })
  })

  it('makes the next wait longer', async () => {
    const w = await story(false)()
    w.service.setFaults({ rules: [{ on: 'upload', nth: 1, kinds: { kind: 'late-store-cut', ms: 30_000 } }] })
    await w.upload('again.txt', 'once more')
    expect(await w.byName('again.txt')).toMatchObject({ adopted: true })
    expect(w.service.ledger.files().filter((file) => file.filename === 'again.txt')).toHaveLength(1)
  })
})

it('an upload that is stored and answered with 408 is not sent again', async () => {
  world = await createWorld({
    faults: { rules: [{ on: 'upload', nth: 1, kinds: { kind: 'error-after-store', status: 408 } }] },
  })
  const w = world
  await w.watch()
  await w.upload('a.txt', 'a')
  expect(w.service.ledger.files()).toHaveLength(1)
  expect(await w.byName('a.txt')).toMatchObject({ state: 'done', adopted: true })
})

describe('more lost uploads that may turn up than one lookup considers', () => {
  it('are looked up when they are due, the longest overdue first', async () => {
    world = await createWorld()
    const w = world
    await w.watch()
    await w.upload('a.txt', 'a')
    const id = (await w.byName('a.txt'))?.id ?? 0
    const now = w.clock.now()
    // The last one is due, and all before it are not.
    for (let n = 1; n <= 501; n++)
      w.sql(
        `INSERT INTO doubts (transfer_id, name, size, sha256, mark, above, server, opened_at, until, next_at)
         VALUES (${id}, 'x', ${1000 + n}, 'hash', 1, NULL, NULL, ${now}, ${now + 24 * HOUR_MS}, ${n === 501 ? now : now + 6 * HOUR_MS})`,
      )
    await w.crash()
    await w.pass(60_000)
    expect(w.sql('SELECT looks FROM doubts WHERE size = 1501')[0]?.['looks']).toBeGreaterThan(0)
  })
})

describe('a file whose upload is lost each time, although it is proved each time that nothing arrived', () => {
  it.each([
    ['a cut connection', 'cut-after-body', 5],
    ['a receipt that names nothing', 'receipt-of-nothing', 2],
    ['an error', 'error-before-store', 13],
  ] as const)('by %s is held until the user decides', async (_name, kind, most) => {
    world = await createWorld({ faults: { rules: [{ on: 'upload', kinds: kind }] } })
    const w = world
    w.disk.write(`${FOLDER}/lost.txt`, 'lost')
    await w.watch()
    await w.until(async () => (await w.byName('lost.txt'))?.state === 'held', 24)
    expect(await w.byName('lost.txt')).toMatchObject({ reason: 'unconfirmed' })
    await w.crash()
    await w.pass(25 * HOUR_MS)
    expect(uploads(w)).toBe(most)
  })
})

describe('a service that replaces names and whose links open a page', () => {
  it('gets a file once, by its receipt', async () => {
    world = await createWorld({ dialect: { filename: 'uuid' } })
    const w = world
    w.service.setIntercept({ page: 'portal-200', on: ['download'] })
    w.disk.write(`${FOLDER}/one.txt`, 'hello one')
    await w.watch()
    await w.pass(60_000)
    expect(await w.byName('one.txt')).toMatchObject({ state: 'done' })
    expect(uploads(w)).toBe(1)
  })

  it('shows what became of the first upload of all by name, size and time', async () => {
    world = await createWorld({ faults: { rules: [{ on: 'upload', nth: 1, kinds: 'cut-after-store' }] } })
    const w = world
    w.service.setIntercept({ page: 'portal-200', on: ['download'] })
    w.disk.write(`${FOLDER}/one.txt`, 'hello one')
    w.disk.write(`${FOLDER}/two.txt`, 'hello number two')
    await w.watch()
    await w.until(() => w.allSettled(), 0.1)
    for (const name of ['one.txt', 'two.txt']) expect(await w.byName(name)).toMatchObject({ state: 'done' })
    expect(uploads(w)).toBe(2)
  })

  it('keeps a lost file from being sent again before the user is asked', async () => {
    world = await createWorld({
      dialect: { filename: 'uuid' },
      faults: { rules: [{ on: 'upload', nth: 1, kinds: 'cut-after-store' }] },
    })
    const w = world
    w.service.setIntercept({ page: 'portal-200', on: ['download'] })
    w.disk.write(`${FOLDER}/one.txt`, 'hello one')
    await w.watch()
    await w.pass(HOUR_MS)
    expect(await w.byName('one.txt')).toMatchObject({ state: 'held', reason: 'ambiguous' })
    expect(uploads(w)).toBe(1)
  })
})

describe('a service that stores, answers 500 each time and names no file', () => {
  it('gets each version at most twice, and the account pauses and says why', async () => {
    world = await createWorld({
      plan: 'enterprise',
      dialect: { listFields: 'id-size', singleFile: 'never' },
      faults: { rules: [{ on: 'upload', kinds: { kind: 'error-after-store', status: 500 } }] },
    })
    const w = world
    for (let n = 0; n < 28; n++) w.disk.write(`${FOLDER}/${n}.bin`, Buffer.alloc(100 + n, n))
    await w.watch()
    await w.pass(40_000)
    expect(uploads(w)).toBeLessThanOrEqual(16)
    const snapshot = await w.handlers.snapshot({})
    expect(snapshot).toMatchObject({ value: { gate: { reason: 'answers-lost' } } })
    // A restart proves nothing: nothing more is sent, and the pause ends at the same time as before.
    const sent = uploads(w)
    const until = snapshot.ok ? snapshot.value.gate?.until : null
    await w.crash()
    await w.pass(1000)
    const after = await w.handlers.snapshot({})
    expect(after).toMatchObject({ value: { gate: { reason: 'answers-lost', until } } })
    expect(uploads(w)).toBe(sent)
    await w.pass(24 * HOUR_MS)
    for (const group of w.service.ledger.duplicates().bySha) expect(group.length).toBeLessThanOrEqual(2)
    expect(uploads(w)).toBeLessThanOrEqual(56)
    for (const row of await w.transfers()) expect(['held', 'waiting', 'unknown']).toContain(row.state)
  })
})
