// Walks of the whole list. A comparison shares a walk in progress if that began late enough to show all files
// that it is about, but never pages that an older walk has read. Also incomplete walks, and a change of the
// account. The service is a stub with ten files a page.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ApiClient, ApiFailure, ListPage } from '../../../../src-main/api/types.ts'
import { type Database, openDatabase } from '../../../../src-main/engine/journal/database.ts'
import { createRemote, type Remote } from '../../../../src-main/engine/journal/remote-list.ts'
import {
  type Catalog,
  type CatalogOptions,
  createCatalog,
} from '../../../../src-main/engine/remote/remote-files.ts'
import type { Calls } from '../../../../src-main/engine/remote/requests.ts'
import { createFakeClock, type FakeClock } from '../../../world/fake-clock.ts'
import { quietBus } from '../quiet-bus.ts'

const PAGE_FILES = 10
const HOUR = 3_600_000
const META = {
  status: 200,
  serverDate: null,
  rate: { retryAfterMs: null, limit: null, remaining: null, resetMs: null },
}

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
/** Pages for which the service answers with this status. */
let refused: { readonly pages: readonly number[]; readonly status: number } | null = null
/** Files that were given the ID of a deleted one, and so have another link. */
const reused = new Set<number>()
/** The answer to every request for a single file. */
let fileFailure: ApiFailure | null = null
/** Pages that the service shows without their files. */
let emptied: readonly number[] = []

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

function shown(page: number): ListPage {
  const files = ids
    .toReversed()
    .slice((page - 1) * PAGE_FILES, page * PAGE_FILES)
    .map((fileId) => ({
      fileId,
      filename: `f${fileId}`,
      size: 1,
      uploadDate: null,
      downloadCount: 0,
      publicLink: `https://x/${fileId}${reused.has(fileId) ? '-2' : ''}`,
    }))
  return {
    files,
    pagination: {
      page,
      limit: PAGE_FILES,
      total: ids.length,
      pages: Math.max(1, Math.ceil(ids.length / PAGE_FILES)),
    },
  }
}

function refusal(status: number): { readonly ok: false; readonly failure: ApiFailure } {
  return {
    ok: false,
    failure: {
      kind: 'status',
      status,
      detail: null,
      phase: 'sent',
      meta: { ...META, status },
      message: String(status),
    },
  }
}

const api: Pick<ApiClient, 'list' | 'file' | 'remove'> = {
  list: async ({ page }) => {
    asked.push(page)
    const value = shown(page)
    await beforeResponse(page)
    if (refused?.pages.includes(page) === true) return refusal(refused.status)
    return { ok: true, value: emptied.includes(page) ? { ...value, files: [] } : value, meta: META }
  },
  file: async (fileId) => {
    if (fileFailure !== null) return { ok: false, failure: fileFailure }
    const known = shown(1 + Math.floor(ids.toReversed().indexOf(fileId) / PAGE_FILES)).files.find(
      (file) => file.fileId === fileId,
    )
    if (known !== undefined) return { ok: true, value: known, meta: META }
    return refusal(404)
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
  trouble: () => null,
  unanswered: () => null,
  noteUpload: () => undefined,
  run: async ({ signal }, call) => {
    if (signal.aborted) return { ok: false, failure: { kind: 'aborted' } }
    const got = await call(api as ApiClient, signal)
    return got.ok
      ? { ok: true, value: got.value }
      : { ok: false, failure: { kind: 'api', failure: got.failure } }
  },
}

beforeEach(() => {
  clock = createFakeClock()
  const files = { exists: () => false, rename: () => undefined, read: () => null }
  db = openDatabase({ file: ':memory:', files, seal: null, now: clock.now() }).db
  remote = createRemote(db, () => undefined)
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  let isComplete = false
  catalog = createCatalog({
    clock,
    log: silent,
    journal: {
      db,
      remote,
      owners: { isFree: (fileId: number) => !owned.has(fileId) },
      transfers: { byFileId: () => null },
    },
    calls,
    links: { shows: async () => 'dead' },
    limits: { learnDate: () => undefined },
    budget: { spacing: () => 0 },
    stored: {
      listed: () => {
        isComplete = true
      },
      removed: () => undefined,
    },
    bus: quietBus({
      remoteChanged: () => {
        walks.push(isComplete)
        isComplete = false
      },
    }),
    stop: new AbortController().signal,
  } as unknown as CatalogOptions)
  ids = range(1, 60)
  asked = []
  walks = []
  owned.clear()
  reused.clear()
  refused = null
  emptied = []
  fileFailure = null
  beforeResponse = async () => undefined
})
afterEach(() => db.close())

function changeAccount(): void {
  tenure.abort()
  tenure = new AbortController()
  catalog.reset()
}

/**
 * Makes the response to the next request for `page` wait. Returns when it was requested, and how to let it
 * arrive.
 */
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

describe('a walk of the whole list with several callers', () => {
  it('goes on for the others when the one that began it stops waiting', async () => {
    const impatient = new AbortController()
    const page = hold(4)
    const first = catalog.refresh('person', impatient.signal)
    await page.requested
    const others = [
      catalog.refresh('person', new AbortController().signal),
      catalog.refresh('spare', new AbortController().signal),
    ]
    impatient.abort()
    page.release()
    expect(await first).toMatchObject({ ok: false })
    expect(await Promise.all(others)).toEqual([
      { ok: true, value: 60 },
      { ok: true, value: 60 },
    ])
    expect(asked.filter((one) => one === 6)).toHaveLength(1)
  })

  it('doesn’t keep one that joined it and stops waiting', async () => {
    const page = hold(4)
    const first = catalog.refresh('spare', new AbortController().signal)
    await page.requested
    const impatient = new AbortController()
    const joined = catalog.refresh('person', impatient.signal)
    impatient.abort()
    expect(await joined).toEqual({ ok: false, failure: { kind: 'aborted' } })
    page.release()
    expect(await first).toEqual({ ok: true, value: 60 })
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
    expect([walks, remote.facts.get('catalog-held')]).toEqual([[false], null])
    expect(await catalog.refresh('person', signal)).toMatchObject({ ok: true })
    expect([walks, remote.facts.get('catalog-held')?.files]).toEqual([[false, true], 59])
  })
})

describe('a list of which a page is refused', () => {
  const { signal } = new AbortController()
  const live = (): number => remote.live(-1, 100).length

  it('leaves no file as gone, whether the service refuses everything for a while or this page for good', async () => {
    await catalog.refresh('person', signal)
    await clock.advance(HOUR)
    beforeResponse = async (page) => {
      if (page === 3) refused = { pages: range(1, 6), status: 404 }
    }
    expect(await catalog.refresh('person', signal)).toMatchObject({ ok: false })
    expect([live(), walks]).toEqual([60, [true]])
    beforeResponse = async () => undefined
    refused = { pages: [4], status: 404 }
    expect(await catalog.refresh('person', signal)).toMatchObject({ ok: true })
    expect([live(), walks]).toEqual([60, [true, false]])
    expect(await compare(clock.now())).toMatchObject({ value: { isComplete: false } })
    refused = null
    ids = range(1, 59)
    await clock.advance(1)
    expect(await catalog.refresh('person', signal)).toMatchObject({ ok: true })
    expect([live(), walks.at(-1)]).toEqual([59, true])
  })

  it('leaves no file as gone where a page in the middle is empty for a while', async () => {
    await catalog.refresh('person', signal)
    await clock.advance(HOUR)
    emptied = [4]
    expect(await catalog.refresh('person', signal)).toMatchObject({ ok: true })
    expect([live(), walks]).toEqual([60, [true, false]])
    emptied = []
    await clock.advance(1)
    expect(await catalog.refresh('person', signal)).toMatchObject({ ok: true })
    expect([live(), walks.at(-1)]).toEqual([60, true])
  })

  it('is read from its start if a walk that goes on may ask for too many files a page', async () => {
    await interruptWalk()
    refused = { pages: range(1, 6), status: 400 }
    expect(await catalog.refresh('person', signal)).toMatchObject({ ok: false })
    refused = null
    asked = []
    expect(await catalog.refresh('person', signal)).toMatchObject({ value: 60 })
    expect(asked[0]).toBe(1)
  })
})

describe('the next file whose details are missing', () => {
  const { signal } = new AbortController()

  it.each<readonly [string, ApiFailure, number]>([
    [
      'is another one once the service has answered about another file',
      {
        kind: 'garbage',
        phase: 'sent',
        meta: null,
        message: 'The response is about another file.',
        isOther: true,
      },
      59,
    ],
    [
      'is the same while the network answers in place of the service',
      { kind: 'garbage', phase: 'sent', meta: null, message: 'A page' },
      60,
    ],
  ])('%s', async (_what, failure, next) => {
    await catalog.refresh('person', signal)
    expect(remote.incomplete()).toBe(60)
    fileFailure = failure
    expect((await catalog.file(60, 'spare', signal)).ok).toBe(false)
    expect(remote.incomplete()).toBe(next)
  })
})

describe('an own upload that the list has shown and shows no more', () => {
  it('is deleted elsewhere two minutes after its upload at the latest, and before only perhaps', async () => {
    const { signal } = new AbortController()
    owned.add(7)
    await catalog.refresh('person', signal)
    ids = range(1, 60).filter((id) => id !== 7)
    await clock.advance(100_000)
    await catalog.refresh('person', signal)
    expect(remote.get(7)?.goneAt).toBeNull()
    await clock.advance(30_000)
    await catalog.refresh('person', signal)
    expect(remote.get(7)?.goneAt).not.toBeNull()
  })
})

describe('a file that was deleted a moment ago', () => {
  const { signal } = new AbortController()
  beforeEach(async () => {
    await catalog.refresh('person', signal)
    remote.addRemoval(7, 'asked', clock.now())
    expect(await catalog.carry({ fileId: 7, reason: 'asked', attempts: 0 }, 'person', signal)).toEqual({
      ok: true,
      value: 'deleted',
    })
    ids = range(1, 60)
    await clock.advance(1000)
  })

  it('stays deleted if a list that is out of date still shows it', async () => {
    await catalog.refresh('person', signal)
    expect(remote.get(7)?.goneAt).not.toBeNull()
  })

  it('doesn’t hide a new file that the service has given its ID', async () => {
    reused.add(7)
    await catalog.refresh('person', signal)
    expect(remote.get(7)).toMatchObject({ goneAt: null, publicLink: 'https://x/7-2' })
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
    expect(remote.facts.get('catalog-held')).toMatchObject({ files: 60 })
  })

  it('its list shows the files whose IDs were deleted under the old account', async () => {
    await catalog.refresh('person', signal)
    remote.addRemoval(7, 'asked', clock.now())
    expect(await catalog.carry({ fileId: 7, reason: 'asked', attempts: 0 }, 'person', signal)).toEqual({
      ok: true,
      value: 'deleted',
    })
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
