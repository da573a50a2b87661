// The catalog in a simulated world: how the list is kept up to date with spare requests, first downloads are
// noticed and gaps are filled, what a command may do and what the app does, and how many requests that takes.
// The first part uses the reference service, the second a minimal one.
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { AnswerMeta, ApiClient, RemoteFile } from '../../src-main/api/types.ts'
import { type Engine, openEngine } from '../../src-main/engine/engine.ts'
import type { EngineEvent } from '../../src-shared/events.ts'
import type { History, RemoteRow, Snapshot } from '../../src-shared/model.ts'
import { createFakeClock, type FakeClock } from '../world/fake-clock.ts'
import { createWorldInspection } from '../world/inspection.ts'
import { createMemDisk, type MemDisk } from '../world/mem-disk.ts'
import { createWorldMover } from '../world/mover.ts'
import { slashes } from '../world/slashes.ts'
import { valueOf } from '../world/value-of.ts'
import { createWorld, FOLDER, FOLDER_RULES, type World } from '../world/world.ts'

const MINUTE = 60_000
const HOUR = 3_600_000

let world: World | null = null
let bare: Bare | null = null
async function open(options: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  world = await createWorld(options)
  return world
}
afterEach(async () => {
  await world?.end()
  world = null
  await bare?.engine.close(0)
  bare = null
})

async function upload(w: World, ...names: readonly string[]): Promise<void> {
  for (const name of names) w.disk.write(`${FOLDER}/${name}`, `content of ${name}`)
  await w.handlers.upload({
    paths: names.map((name) => `${FOLDER}/${name}`),
    again: false,
    token: names.join(),
  })
  await w.until(() => w.allSettled())
}

async function catalog(
  engine: Engine,
  over: Partial<Parameters<Engine['handlers']['catalog']>[0]> = {},
): Promise<readonly RemoteRow[]> {
  const got = await valueOf(
    engine.handlers.catalog({
      search: '',
      sort: 'date',
      descending: true,
      offset: 0,
      limit: 100,
      fresh: 'cache',
      ...over,
    }),
  )
  return got.rows
}

async function snapshot(engine: Engine): Promise<Snapshot> {
  return valueOf(engine.handlers.snapshot({}))
}

async function history(engine: Engine): Promise<History> {
  return valueOf(engine.handlers.history({}))
}

/** Another person opens the link. */
async function download(link: string | null | undefined): Promise<void> {
  const answer = await fetch(link ?? '')
  await answer.arrayBuffer()
}

function notices(events: readonly EngineEvent[]): readonly string[] {
  return events.filter((event) => event.kind === 'notice').map((event) => event.title)
}

describe('downloads', () => {
  it('are noticed within ten minutes when a new file is first downloaded, once', async () => {
    const w = await open()
    await upload(w, 'one.pdf', 'two.pdf')
    await w.pass(15 * MINUTE)
    await download((await w.byName('one.pdf'))?.publicLink)
    await w.pass(10 * MINUTE)
    expect(notices(w.events)).toEqual(['First download of one.pdf'])
    await download((await w.byName('one.pdf'))?.publicLink)
    await w.pass(40 * MINUTE)
    expect(notices(w.events)).toEqual(['First download of one.pdf'])
    const [row] = await catalog(w.engine(), { search: 'ONE' })
    expect(row).toMatchObject({ downloadCount: 2, pulse: [0, 1, 2], source: 'upload', original: 'there' })
    expect((await catalog(w.engine(), { unopened: true })).map((r) => r.filename)).toEqual(['two.pdf'])
    const past = await history(w.engine())
    expect(past.days.at(-1)).toMatchObject({ downloads: 2, uploads: 2 })
    expect(past.top).toEqual([
      { fileId: row?.fileId, filename: 'one.pdf', gained: 2, total: 2, pulse: [0, 1, 2] },
    ])
  })

  it('are noticed file by file if the list has no counts', async () => {
    const w = await open({ dialect: { listFields: 'no-count' } })
    await upload(w, 'one.pdf')
    await w.pass(12 * MINUTE)
    await download((await w.byName('one.pdf'))?.publicLink)
    await w.pass(11 * MINUTE)
    expect(notices(w.events)).toEqual(['First download of one.pdf'])
  })

  it('are counted even if the file could not be read at first when it was compared', async () => {
    const w = await open({
      dialect: { filename: 'uuid', ids: 'random' },
      faults: {
        rules: [
          { on: 'upload', nth: 1, kinds: 'cut-after-store' },
          { on: 'download', nth: [1, 2, 3], kinds: 'error-before-store' },
        ],
      },
    })
    await upload(w, 'one.pdf')
    const sent = await w.byName('one.pdf')
    expect(sent).toMatchObject({ adopted: true })
    await w.pass(15 * MINUTE)
    await download(sent?.publicLink)
    await w.pass(15 * MINUTE)
    expect((await catalog(w.engine()))[0]).toMatchObject({ downloadCount: 1 })
    expect(notices(w.events)).toHaveLength(1)
  })

  it('cause a single notice for many files at once', async () => {
    const w = await open()
    await upload(w, 'a.txt', 'b.txt', 'c.txt')
    await w.pass(12 * MINUTE)
    for (const t of await w.transfers()) await download(t.publicLink)
    await w.pass(10 * MINUTE)
    expect(notices(w.events)).toEqual([expect.stringMatching(/^First downloads of [abc]\.txt and 2 more$/)])
  })
})

describe('the list', () => {
  it('is read at the start and again every half hour, and shows added and deleted files', async () => {
    const w = await open()
    const planted = w.service.plant({ filename: 'from elsewhere.zip' })
    await w.pass(5000)
    expect((await catalog(w.engine())).map((row) => row.filename)).toEqual(['from elsewhere.zip'])
    expect((await catalog(w.engine()))[0]).toMatchObject({
      kind: 'archive',
      transferId: null,
      source: null,
      original: null,
    })
    w.service.deleteBehindTheBack(planted.fileId)
    w.service.plant({ filename: 'another.png' })
    const before = w.events.length
    await w.pass(31 * MINUTE)
    expect((await catalog(w.engine())).map((row) => row.filename)).toEqual(['another.png'])
    expect(w.events.slice(before).filter((event) => event.kind === 'catalog' && event.changed > 0)).toEqual([
      expect.objectContaining({ kind: 'catalog', changed: 2 }),
    ])
    expect((await snapshot(w.engine())).stored).toMatchObject({ files: 1 })
  })

  it('marks no file as gone if its items have neither ID nor link, and ends', async () => {
    const w = await open({ dialect: { listFields: 'name-size', listCap: 3, pageBeyond: 'repeat-last' } })
    await upload(w, 'one.pdf', 'two.pdf', 'three.pdf')
    for (let i = 0; i < 3; i++) w.service.plant({ filename: `planted ${i}.bin` })
    await w.pass(2 * HOUR)
    expect(await catalog(w.engine())).toHaveLength(3)
    for (const t of await w.transfers()) expect([t.state, t.ended]).toEqual(['done', undefined])
    const before = w.service.ledger.files().length
    await w.handlers.upload({ paths: [`${FOLDER}/one.pdf`], again: false, token: 'later' })
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files().length).toBe(before)
    expect(w.service.requests.list().length).toBeLessThan(60)
  })

  it('notices a deletion by links if its items have no ID', async () => {
    const w = await open({ dialect: { listFields: 'no-id' } })
    await upload(w, 'one.pdf', 'two.pdf')
    await w.pass(2 * HOUR)
    expect(await catalog(w.engine())).toHaveLength(2)
    w.service.deleteBehindTheBack(Number((await w.byName('one.pdf'))?.fileId))
    await w.pass(31 * MINUTE)
    expect((await catalog(w.engine())).map((row) => row.filename)).toEqual(['two.pdf'])
  })

  it('costs little while nothing happens, and nothing while paused', async () => {
    const w = await open()
    await upload(w, 'one.pdf')
    const count = (): number => w.service.requests.list().length
    await w.pass(MINUTE)
    const start = count()
    await w.pass(4 * HOUR)
    // 5 % of 5,000 a day is 42 in four hours, plus what was saved in two hours.
    expect(count() - start).toBeLessThanOrEqual(63)
    expect(count() - start).toBeGreaterThanOrEqual(20)
    await w.handlers.pause({})
    const paused = count()
    await w.pass(2 * HOUR)
    expect(count()).toBe(paused)
  })

  it('costs little while its first read fails', async () => {
    const w = await open({
      faults: { rules: [{ on: 'list', kinds: { kind: 'error-before-store', status: 422 } }] },
    })
    await w.pass(24 * HOUR)
    expect(w.service.requests.list().length).toBeLessThan(600)
    w.service.setFaults({ rules: [] })
    w.service.plant({ filename: 'one.pdf' })
    await w.pass(20 * MINUTE)
    expect((await catalog(w.engine())).map((row) => row.filename)).toEqual(['one.pdf'])
  })

  it('costs no more while /stats fails', async () => {
    const w = await open()
    await upload(w, 'one.pdf')
    w.service.setFaults({ rules: [{ on: 'stats', kinds: 'error-before-store' }] })
    await w.pass(6 * HOUR)
    const start = w.service.requests.list().length
    await w.pass(4 * HOUR)
    expect(w.service.requests.list().length - start).toBeLessThanOrEqual(63)
  })

  it('has missing fields filled with spare budget, each requested once', async () => {
    const w = await open({ dialect: { listFields: 'id-name' }, plan: 'enterprise' })
    for (let i = 0; i < 30; i++)
      w.service.plant({ filename: `planted ${i}.bin`, storedAt: w.clock.now() - 48 * HOUR })
    await w.pass(2 * HOUR)
    const rows = await catalog(w.engine())
    expect(rows.length).toBe(30)
    expect(rows.every((row) => row.publicLink !== null && row.size !== null && row.uploadDate !== null)).toBe(
      true,
    )
    expect(w.service.requests.list().filter((request) => request.endpoint === 'get').length).toBe(30)
  })
})

describe('usage', () => {
  it('is recorded in the history by day and by minute, across a restart', async () => {
    const w = await open({ dialect: { sizeUnit: 'bytes' } })
    await upload(w, 'one.pdf', 'two.pdf', 'three.pdf')
    await w.pass(2 * MINUTE)
    await w.crash()
    await w.pass(5 * MINUTE)
    const past = await history(w.engine())
    const today = past.days.at(-1)
    const sizes = ['one', 'two', 'three'].map((name) => `content of ${name}.pdf`.length)
    expect(today).toMatchObject({ uploads: 3, bytes: sizes.reduce((a, b) => a + b, 0) })
    const sent = w.service.requests.list().length
    expect(today?.requests).toBe(sent)
    expect(past.minutes.reduce((sum, minute) => sum + minute.requests, 0)).toBe(sent)
  })
})

// A minimal service, for what shows only in the engine's own calls and events
// ---------------------------------------------------------

interface Bare {
  readonly engine: Engine
  readonly clock: FakeClock
  readonly disk: MemDisk
  readonly calls: string[]
  /** Uploads in progress, their maximum so far, and all bytes received. */
  readonly flying: { now: number; most: number; bytes: number }
  setAccount(name: string): void
}

const META: AnswerMeta = {
  status: 200,
  serverDate: null,
  rate: { retryAfterMs: null, limit: null, remaining: null, resetMs: null },
}

async function openBare(options: {
  readonly passive: boolean
  readonly journal?: string
  readonly uploadMs?: number
  readonly countsFiles?: boolean
  /** Files that the service stores at the start. */
  readonly stored?: readonly RemoteFile<string>[]
}): Promise<Bare> {
  const clock = createFakeClock()
  const disk = createMemDisk(clock)
  disk.mkdir(FOLDER)
  const calls: string[] = []
  const flying = { now: 0, most: 0, bytes: 0 }
  const files: RemoteFile<string>[] = [...(options.stored ?? [])]
  let account = 'one'
  const good = <T>(value: T) => ({ ok: true as const, value, meta: META })
  const api: ApiClient<string> = {
    upload: async (request) => {
      calls.push('upload')
      flying.most = Math.max(flying.most, ++flying.now)
      let sent = 0
      for await (const chunk of request.body()) {
        flying.bytes += chunk.length
        sent += chunk.length
        // Like the real client: a small body is sent as a whole.
        if (request.size > 1024 * 1024 || sent === request.size) request.onProgress?.(sent)
      }
      if (options.uploadMs !== undefined)
        await new Promise<void>((resolve) => clock.after(options.uploadMs ?? 0, resolve))
      flying.now--
      const file: RemoteFile<string> = {
        fileId: String(files.length + 1),
        filename: request.filename,
        size: request.size,
        uploadDate: null,
        downloadCount: null,
        publicLink: `https://x.example.com/download/${files.length + 1}`,
      }
      files.push(file)
      return good(file)
    },
    list: async () => {
      calls.push('list')
      return good({ files: [...files], pagination: { page: 1, limit: 500, total: files.length, pages: 1 } })
    },
    file: async (fileId) => {
      calls.push('file')
      return good(
        files[Number(fileId) - 1] ?? {
          fileId,
          filename: null,
          size: null,
          uploadDate: null,
          downloadCount: null,
          publicLink: null,
        },
      )
    },
    remove: async () => good({ message: null }),
    stats: async () => {
      calls.push('stats')
      return good({
        plan: 'enterprise',
        stats: options.countsFiles === false ? {} : { total_files: 77, total_size: 7700 },
        limits: {},
      })
    },
    download: async () => good(0),
    close: async () => undefined,
  }
  const engine = await openEngine({
    ports: {
      clock,
      random: () => 0.5,
      disk,
      watch: disk.watch,
      hashing: {
        now: (data) => hash('sha256', data),
        stream: () => ({
          update: async () => undefined,
          digest: async () => 'ab'.repeat(32),
          drop: () => undefined,
        }),
      },
      inspection: createWorldInspection(disk),
      mover: createWorldMover(disk),
      log: {
        info: () => undefined,
        warn: () => undefined,
        error: (event, fields) => process.stderr.write(`${event} ${JSON.stringify(fields)}\n`),
      },
    },
    journal: options.journal ?? ':memory:',
    files: { exists: () => false, rename: () => undefined, read: () => null },
    seal: null,
    version: 'test',
    createApi: () => api,
    identity: async () => ({
      ok: true,
      value: { baseUrl: 'https://x.example.com/api/v1', key: 'k', account },
    }),
    wireName: (name) => name,
    own: { dirs: [], pasted: null },
    passive: options.passive,
  })
  bare = {
    engine,
    clock,
    disk,
    calls,
    flying,
    setAccount: (name) => {
      account = name
    },
  }
  return bare
}

async function send(b: Bare, paths: readonly string[]): Promise<void> {
  await b.engine.handlers.upload({ paths: [...paths], again: false, token: paths.join() })
}

describe('files without an ID', () => {
  it('are counted in addition to the list, also in a later process', async () => {
    const one = { filename: 'a', size: 1, uploadDate: null, downloadCount: null }
    const stored = ['1', null, null].map((fileId, at) => ({
      ...one,
      fileId,
      publicLink: `https://x.example.com/download/${at}`,
    }))
    const journal = join(mkdtempSync(join(tmpdir(), 'slipway-catalog-')), 'journal.db')
    onTestFinished(() => rmSync(dirname(journal), { recursive: true }))
    const query = { search: '', sort: 'date', descending: true, offset: 0, limit: 100 } as const
    const first = await openBare({ passive: true, stored, journal })
    for (let times = 0; times < 2; times++)
      expect(await first.engine.handlers.catalog({ ...query, fresh: 'need' })).toMatchObject({
        value: { total: 1, unnumbered: 2 },
      })
    await first.engine.close(0)
    const second = await openBare({ passive: true, journal })
    expect(await second.engine.handlers.catalog({ ...query, fresh: 'cache' })).toMatchObject({
      value: { total: 1, unnumbered: 2 },
    })
  })
})

describe('a command', () => {
  it('that only reads sends nothing, however long it runs', async () => {
    const b = await openBare({ passive: true })
    await b.clock.advance(2 * HOUR)
    expect(b.calls).toEqual([])
  })

  it('that uploads runs no background jobs', async () => {
    const b = await openBare({ passive: true })
    b.disk.write(`${FOLDER}/a.txt`, 'a')
    await send(b, [`${FOLDER}/a.txt`])
    await b.clock.advance(2 * HOUR)
    expect(b.calls).toEqual(['stats', 'upload'])
  })

  it('gives way to the app, which watches every kept folder and reads the list', async () => {
    const b = await openBare({ passive: true })
    b.disk.write(`${FOLDER}/a.txt`, 'a')
    const { handlers } = b.engine
    const watched = await handlers.watch(FOLDER_RULES)
    const folderId = watched.ok ? watched.value.id : 0
    await b.clock.advance(5000)
    expect(b.calls).not.toContain('list')
    expect((await handlers.work({})).ok).toBe(true)
    await b.clock.advance(2 * MINUTE)
    expect(b.calls).toContain('list')
    const { folders } = await snapshot(b.engine)
    expect(folders.map((folder) => slashes(folder.path))).toEqual([FOLDER])
    expect(await handlers.folderSums({ folderIds: [folderId] })).toEqual({
      ok: true,
      value: [{ folderId, sums: { seen: 1, uploaded: 1, waiting: 0, held: 0, failed: 0, ignored: 0 } }],
    })
    // The app calls `work` again whenever the engine changes. Nothing is done twice because of that.
    await handlers.work({})
    await b.clock.advance(10_000)
    expect(b.calls.filter((call) => call === 'upload').length).toBe(1)
  })
})

describe('a window', () => {
  it('doesn’t wait for the list: it shows what is known, and is notified of the rest', async () => {
    const b = await openBare({ passive: false })
    const told: EngineEvent[] = []
    b.engine.onEvent((event) => told.push(event))
    const ask = { search: '', sort: 'date', descending: true, offset: 0, limit: 10, fresh: 'cache' } as const
    expect(await b.engine.handlers.catalog(ask)).toEqual({
      ok: true,
      value: { rows: [], total: 0, asOf: null, revision: expect.any(String) },
    })
    for (let i = 0; i < 10; i++) await b.engine.handlers.catalog({ ...ask, search: 'x'.repeat(i) })
    await b.clock.advance(1000)
    expect(b.calls.filter((call) => call === 'list').length).toBe(1)
    expect(told.some((event) => event.kind === 'catalog')).toBe(true)
    const then = await b.engine.handlers.catalog(ask)
    expect(then.ok && then.value.asOf).not.toBe(null)
  })
})

describe('the stored amount', () => {
  it('doesn’t grow when the service answers an upload with a file that it already stores', async () => {
    const w = await open({ dialect: { sameBytes: 'existing' } })
    w.service.plant({ filename: 'theirs.txt', bytes: Buffer.from('theirs') })
    await w.pass(MINUTE)
    for (const [name, content] of Object.entries({
      'one.txt': 'one',
      'copy.txt': 'one',
      'like theirs.txt': 'theirs',
      'two.txt': 'two',
    }))
      w.disk.write(`${FOLDER}/${name}`, content)
    await w.handlers.upload({ paths: [FOLDER], again: true, token: 'all' })
    await w.until(() => w.allSettled())
    expect(w.service.ledger.live()).toHaveLength(3)
    expect((await snapshot(w.engine())).stored).toMatchObject({ files: 3 })
  })

  it('is what the service reports, or what the last complete list showed if that is newer', async () => {
    const b = await openBare({ passive: false })
    await b.clock.advance(1000)
    expect((await snapshot(b.engine)).stored).toEqual({ files: 77, bytes: null })
    expect((await history(b.engine)).days.at(-1)).toMatchObject({ storedFiles: 77, storedBytes: null })
    await b.clock.advance(31 * MINUTE)
    expect((await snapshot(b.engine)).stored).toEqual({ files: 0, bytes: null })
  })

  it('keeps uploads since the last list when a /stats without a file count is read', async () => {
    const b = await openBare({ passive: false, countsFiles: false })
    await b.clock.advance(31 * MINUTE)
    expect((await snapshot(b.engine)).stored).toMatchObject({ files: 0 })
    b.disk.write(`${FOLDER}/a.txt`, 'a')
    await send(b, [`${FOLDER}/a.txt`])
    await b.clock.advance(1000)
    expect((await snapshot(b.engine)).stored).toMatchObject({ files: 1 })
    const lists = b.calls.filter((call) => call === 'list').length
    const reads = b.calls.filter((call) => call === 'stats').length
    const reading = b.engine.handlers.stats({})
    await b.clock.advance(1000)
    expect(await reading).toMatchObject({ ok: true })
    expect(b.calls.filter((call) => call === 'stats').length).toBe(reads + 1)
    expect(b.calls.filter((call) => call === 'list').length).toBe(lists)
    expect((await snapshot(b.engine)).stored).toMatchObject({ files: 1 })
  })
})

describe('another account', () => {
  it('takes over a journal that has sent nothing, and reads its own list', async () => {
    const b = await openBare({ passive: false })
    await b.clock.advance(2 * MINUTE)
    const lists = b.calls.filter((call) => call === 'list').length
    b.setAccount('two')
    await b.engine.handlers.reloadKey({})
    await b.clock.advance(3 * MINUTE)
    expect(b.calls.filter((call) => call === 'list').length).toBe(lists + 1)
  })

  it('never sees the links of a journal that has sent files, and sends nothing with it', async () => {
    const b = await openBare({ passive: false })
    b.disk.write(`${FOLDER}/a.txt`, 'a')
    await send(b, [`${FOLDER}/a.txt`])
    await b.clock.advance(2 * MINUTE)
    b.setAccount('two')
    expect(await b.engine.handlers.reloadKey({})).toMatchObject({ failure: { code: 'key-refused' } })
    const calls = b.calls.length
    b.disk.write(`${FOLDER}/b.txt`, 'b')
    await send(b, [`${FOLDER}/b.txt`])
    await b.clock.advance(3 * MINUTE)
    expect(b.calls.length).toBe(calls)
    expect((await snapshot(b.engine)).account.state).toBe('none')
    b.setAccount('one')
    await b.engine.handlers.reloadKey({})
    await b.clock.advance(MINUTE)
    expect(b.calls.slice(calls)).toContain('upload')
  })
})

describe('concurrency and speed', () => {
  const names = Array.from({ length: 12 }, (_, i) => `${FOLDER}/file ${i}.bin`)

  it.each([
    [1, 1],
    [3, 3],
    [16, 12],
  ])('%i uploads at once', async (concurrency, most) => {
    const b = await openBare({ passive: false, uploadMs: 100 })
    await b.engine.handlers.configure({ concurrency, bytesPerSecond: null })
    for (const name of names) b.disk.write(name, name)
    await send(b, names)
    await b.clock.advance(10_000)
    expect(b.flying.most).toBe(most)
    expect((await snapshot(b.engine)).counts.done).toBe(12)
  })

  it.each([
    [1, 1],
    [8, 3],
    [16, 6],
  ])('fewer for large files: %i at once, %i of them', async (concurrency, most) => {
    const b = await openBare({ passive: false, uploadMs: 100 })
    await b.engine.handlers.configure({ concurrency, bytesPerSecond: null })
    const large = Buffer.alloc(17 * 1024 * 1024)
    for (const name of names.slice(0, 7)) b.disk.write(name, large)
    await send(b, names.slice(0, 7))
    await b.clock.advance(10_000)
    expect(b.flying.most).toBe(most)
  })

  it('follow a cap across all uploads, small and large, and its removal', async () => {
    const b = await openBare({ passive: false })
    await b.engine.handlers.configure({ concurrency: 8, bytesPerSecond: 200_000 })
    for (const [i, name] of names.entries()) b.disk.write(name, Buffer.alloc(i < 4 ? 3_000_000 : 100_000, i))
    await send(b, names)
    await b.clock.advance(1000)
    const before = b.flying.bytes
    await b.clock.advance(6000)
    expect(Math.abs(b.flying.bytes - before - 1_200_000) / 1_200_000).toBeLessThan(0.05)
    // The displayed speed approaches the limit, too, although it is smoothed.
    const { speed } = (await snapshot(b.engine)).progress
    expect(speed).toBeGreaterThan(120_000)
    expect(speed).toBeLessThan(220_000)
    await b.engine.handlers.configure({ concurrency: 8, bytesPerSecond: null })
    await b.clock.advance(2000)
    expect(b.flying.bytes).toBe(4 * 3_000_000 + 8 * 100_000)
    await b.clock.advance(10_000)
    expect((await snapshot(b.engine)).counts.done).toBe(12)
  })
})
