// Walks of the whole list. A comparison shares a walk in progress if that began late enough to show all files that it is about, but never
// pages that an older walk has read. Also incomplete walks, and a change of the account. The service is a stub with ten files a page.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ApiClient, ListPage } from '../../../../src-main/api/types.ts'
import { type Database, openDatabase } from '../../../../src-main/engine/journal/open.ts'
import { createRemote, type Remote } from '../../../../src-main/engine/journal/remote.ts'
import { type Catalog, createCatalog } from '../../../../src-main/engine/remote/catalog.ts'
import type { Calls } from '../../../../src-main/engine/remote/requests.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'

const PAGE_FILES = 10
const HOUR = 3_600_000
const META = { status: 200, serverDate: null, rate: { retryAfterMs: null, limit: null, remaining: null, resetMs: null } }

let clock: FakeClock
let db: Database
let remote: Remote
let catalog: Catalog
let ids: number[] = []
/** Pages in the order of their requests. */
let asked: number[] = []
/** Files that an upload of this journal owns. */
const owned = new Set<number>()
/** For each walk of the whole list that has ended, whether it was complete. */
let walks: boolean[] = []
/** Runs when the service has composed a page, before its response arrives. */
let beforeResponse: (page: number) => Promise<void> = async () => undefined

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

function shown(page: number): ListPage {
  const files = ids
    .toReversed()
    .slice((page - 1) * PAGE_FILES, page * PAGE_FILES)
    .map((fileId) => ({ fileId, filename: `f${fileId}`, size: 1, uploadDate: null, downloadCount: 0, publicLink: `https://x/${fileId}` }))
  return { files, pagination: { page, limit: PAGE_FILES, total: ids.length, pages: Math.max(1, Math.ceil(ids.length / PAGE_FILES)) } }
}

const api: Pick<ApiClient, 'list' | 'file' | 'remove'> = {
  list: async ({ page }) => {
    asked.push(page)
    const value = shown(page)
    await beforeResponse(page)
    return { ok: true, value, meta: META }
  },
  file: async (fileId) => {
    const known = shown(1 + Math.floor(ids.toReversed().indexOf(fileId) / PAGE_FILES)).files.find((file) => file.fileId === fileId)
    if (known !== undefined) return { ok: true, value: known, meta: META }
    const meta = { ...META, status: 404 }
    return { ok: false, failure: { kind: 'status', status: 404, detail: null, phase: 'sent', meta, message: '404' } }
  },
  remove: async (fileId) => {
    ids = ids.filter((id) => id !== fileId)
    return { ok: true, value: { message: null }, meta: META }
  },
}

let tenure = new AbortController()
const calls: Calls = {
  tenure: () => tenure.signal,
  hasWaiting: () => false,
  run: async ({ signal }, call) => {
    if (signal.aborted) return { ok: false, failure: { kind: 'aborted' } }
    const got = await call(api as ApiClient, signal)
    return got.ok ? { ok: true, value: got.value } : { ok: false, failure: { kind: 'api', failure: got.failure } }
  },
}

beforeEach(() => {
  clock = createFakeClock()
  const files = { exists: () => false, rename: () => undefined, read: () => null }
  db = openDatabase({ file: ':memory:', files, seal: null, now: clock.now() }).db
  remote = createRemote(db, () => undefined)
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  catalog = createCatalog({
    clock,
    log: silent,
    db,
    remote,
    calls,
    learnDate: () => undefined,
    firstDownloads: () => undefined,
    isFree: (fileId) => !owned.has(fileId),
    listed: (complete) => walks.push(complete),
    progressed: () => undefined,
    removed: () => undefined,
    orphaned: () => undefined,
    spacing: () => 0,
  })
  ids = range(1, 60)
  asked = []
  walks = []
  owned.clear()
  beforeResponse = async () => undefined
})
afterEach(() => db.close())

function changeAccount(): void {
  tenure.abort()
  tenure = new AbortController()
  catalog.reset()
}

/** Makes the response to the next request for `page` wait. Returns when it was requested, and how to let it arrive. */
function hold(page: number): { readonly requested: Promise<void>; readonly release: () => void } {
  const requested = Promise.withResolvers<void>()
  const response = Promise.withResolvers<void>()
  beforeResponse = async (one) => {
    if (one !== page) return
    requested.resolve()
    await response.promise
  }
  return { requested: requested.promise, release: response.resolve }
}

/** Leaves a walk of the whole list that has read the first three pages. */
async function interruptWalk(): Promise<void> {
  const stop = new AbortController()
  beforeResponse = async (page) => {
    if (page === 3) stop.abort()
  }
  const got = await catalog.refresh('person', stop.signal)
  expect(got.ok).toBe(false)
  beforeResponse = async () => undefined
  asked = []
}

function compare(since: number, signal = new AbortController().signal) {
  return catalog.readForComparison({ newerThan: null, since, priority: 'watched' }, () => undefined, signal)
}

describe('a comparison that needs the list while it is being read', () => {
  it('does not take over what a resumed walk has read before the gap', async () => {
    await interruptWalk()
    // Uploads that this journal doesn't know about.
    ids = range(1, 63)
    await clock.advance(HOUR)
    const since = clock.now()
    const page = hold(4)
    const resumed = catalog.refresh('person', new AbortController().signal)
    await page.requested
    const comparing = compare(since)
    page.release()
    expect(await resumed).toMatchObject({ ok: true })
    expect(await comparing).toEqual({ ok: true, value: { isComplete: true } })
    for (const id of ids) expect(remote.get(id), String(id)).not.toBeNull()
  })

  it('shares a walk that began after the gap', async () => {
    const since = clock.now()
    const page = hold(4)
    const reading = catalog.refresh('person', new AbortController().signal)
    await page.requested
    const comparing = compare(since)
    page.release()
    expect(await Promise.all([reading, comparing])).toEqual([
      { ok: true, value: 60 },
      { ok: true, value: { isComplete: true } },
    ])
    expect(asked.filter((one) => one === 4)).toHaveLength(1)
  })

  it('stops waiting for a resumed walk when it is cancelled', async () => {
    await interruptWalk()
    await clock.advance(HOUR)
    const page = hold(4)
    const resumed = catalog.refresh('person', new AbortController().signal)
    await page.requested
    const stop = new AbortController()
    const comparing = compare(clock.now(), stop.signal)
    stop.abort()
    expect(await comparing).toEqual({ ok: false, failure: { kind: 'aborted' } })
    page.release()
    expect(await resumed).toMatchObject({ ok: true })
  })
})

describe('what a walk of the whole list reports', () => {
  it('is whether it has missed files', async () => {
    // In a list without order, a deletion may move any file to a page that was read before.
    ids = [...range(1, 50), ...range(51, 60).toReversed()].map((id, i) => (i % 2 === 0 ? id : 200 - id))
    const [, , gone] = ids
    beforeResponse = async (page) => {
      if (page === 3) ids = ids.filter((id) => id !== gone)
    }
    const { signal } = new AbortController()
    expect(await catalog.refresh('person', signal)).toMatchObject({ ok: true })
    expect([walks, catalog.held()]).toEqual([[false], null])
    expect(await catalog.refresh('person', signal)).toMatchObject({ ok: true })
    expect([walks, catalog.held()?.files]).toEqual([[false, true], 59])
  })
})

describe('after the account has changed', () => {
  const { signal } = new AbortController()

  it('a walk in progress ends, and nothing of it is taken for a file of the new account', async () => {
    const page = hold(4)
    const reading = catalog.refresh('person', signal)
    await page.requested
    changeAccount()
    ids = range(101, 160)
    const since = clock.now()
    const comparing = compare(since)
    page.release()
    expect(await reading).toEqual({ ok: false, failure: { kind: 'switched' } })
    expect(await comparing).toEqual({ ok: true, value: { isComplete: true } })
    expect(remote.live(-1, 100).map((row) => row.fileId)).toEqual(range(101, 160))
    expect(catalog.held()).toMatchObject({ files: 60 })
  })

  it('its list shows the files whose IDs were deleted under the old account', async () => {
    await catalog.refresh('person', signal)
    remote.addRemoval(7, 'asked', clock.now())
    expect(await catalog.carry({ fileId: 7, reason: 'asked', attempts: 0 }, 'person', signal)).toEqual({ ok: true, value: 'deleted' })
    changeAccount()
    ids = range(1, 60)
    await catalog.refresh('person', signal)
    expect(remote.get(7)).not.toBeNull()
  })

  it('an upload that its list shows late is not taken for gone because the old account had no such file', async () => {
    await catalog.refresh('person', signal)
    await catalog.file(61, 'person', signal)
    changeAccount()
    owned.add(61)
    const [file] = shown(1).files
    if (file === undefined) throw new Error('no file')
    db.tx(() => remote.put({ ...file, fileId: 61 }, clock.now(), false))
    await clock.advance(1000)
    await catalog.refresh('person', signal)
    expect(remote.get(61)).toMatchObject({ goneAt: null })
  })
})
