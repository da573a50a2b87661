// Cancelling and deleting uploads whose files may be public: on services that don't show whether an upload
// arrived, or that never send its ID, `cancel`, `rm` and `info` say so instead of calling it done.
import { rmSync } from 'node:fs'
import { join as native } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Output } from '../../src-shared/engine-contract.ts'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, type Hooks, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const HOUR_MS = 3_600_000
const PATH = `${FOLDER}/a.txt`

async function open(options: Parameters<typeof openWorld>[0], hooks: Hooks = {}): Promise<World> {
  const world = await openWorld({ plan: 'enterprise', ...options }, hooks)
  world.disk.write(PATH, 'content')
  await world.watch()
  return world
}

/**
 * Holds back the answers to the list until `release` is called. `isHeld` is true once the service has given
 * one.
 */
function holdList(): { readonly hooks: Hooks; readonly isHeld: () => boolean; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isHeld = false
  const onAnswer: Hooks['onAnswer'] = (request) => {
    if (request !== 'list') return undefined
    isHeld = true
    return promise
  }
  return { hooks: { onAnswer }, isHeld: () => isHeld, release: () => resolve() }
}

async function cancelled(w: World): Promise<Output<'cancel'>> {
  const id = (await w.byName('a.txt'))?.id ?? 0
  return valueOf(w.answered(w.handlers.cancel({ ids: [id], confirm: true })))
}

it('an upload held because its lookup was inconclusive: cancel says that it may have arrived', async () => {
  const w = await open({
    dialect: { listLag: 'fixed', listLagMs: 3 * HOUR_MS, ids: 'random', statsMembers: 'no-stats' },
    faults: { rules: [{ on: 'upload', kinds: 'cut-after-store' }] },
  })
  await w.until(() => w.allSettled(), 1)
  const row = await w.byName('a.txt')
  expect(row).toMatchObject({ state: 'held', reason: 'unconfirmed' })
  expect(await cancelled(w)).toMatchObject({
    count: 1,
    unproved: { ids: [row?.id], failure: { code: 'waits' } },
  })
  expect(w.service.ledger.live().length).toBeGreaterThan(0)
  expect(await w.byName('a.txt')).toMatchObject({ state: 'cancelled', reason: 'ambiguous' })
  // Also later, when it is asked for again.
  expect(await w.answered(w.handlers.cancel({ ids: [row?.id ?? 0], confirm: true }))).toMatchObject({
    ok: true,
  })
  const folderId = row?.folderId ?? 0
  expect(await w.handlers.auditPage({ folderId, list: 'ignored', after: null, limit: 10 })).toMatchObject({
    value: { entries: [{ list: 'ignored', reason: 'maybe-published' }] },
  })
})

it('an upload held because its lookup was inconclusive: if its file is deleted, it isn’t reported as never uploaded', async () => {
  const w = await open({
    dialect: { listLag: 'fixed', listLagMs: 3 * HOUR_MS, ids: 'random', statsMembers: 'no-stats' },
    faults: { rules: [{ on: 'upload', kinds: 'cut-after-store' }] },
  })
  await w.until(() => w.allSettled(), 1)
  expect(await w.byName('a.txt')).toMatchObject({ state: 'held', reason: 'unconfirmed' })
  w.disk.remove(PATH)
  await w.until(async () => (await w.byName('a.txt'))?.state !== 'held')
  expect(w.service.ledger.live().length).toBeGreaterThan(0)
  expect(await w.byName('a.txt')).toMatchObject({ state: 'cancelled', reason: 'ambiguous' })
})

it.each(['cancel', 'rm'])(
  'an upload whose possible match on the service cannot be compared: %s says that it may have arrived',
  async (how) => {
    const w = await open({
      dialect: { listFields: 'id-size', singleFile: 'never' },
      faults: { rules: [{ on: 'upload', kinds: 'cut-after-store' }] },
    })
    await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown')
    const row = await w.byName('a.txt')
    if (how === 'cancel') expect(await cancelled(w)).toMatchObject({ count: 1, unproved: { ids: [row?.id] } })
    else
      expect(await w.answered(w.handlers.remove({ selectors: [PATH] }))).toMatchObject({
        value: [{ ok: false, outcome: 'unconfirmed' }],
      })
    expect(await w.byName('a.txt')).toMatchObject({ state: 'cancelled', reason: 'ambiguous' })
    expect(w.service.ledger.live()).toHaveLength(1)
  },
)

it.each(['cancel', 'rm'])(
  'an upload that was published under an ID that the service never sends: %s says so, and so does rm later',
  async (how) => {
    const list = holdList()
    const w = await open(
      {
        dialect: { receipt: 'only-link', listFields: 'no-link', singleFile: 'never' },
      },
      list.hooks,
    )
    // The list is read for the ID.
    await w.until(list.isHeld)
    const row = await w.byName('a.txt')
    expect(row?.state).toBe('uploading')
    const message = expect.stringMatching(
      /^It was published as http\S+ before it was cancelled.* Delete it on the service\.$/,
    ) as string
    const left = { value: [{ ok: false, outcome: 'failed', message }] }
    const { cancel, remove } = w.handlers
    const asking =
      how === 'cancel' ? cancel({ ids: [row?.id ?? 0], confirm: true }) : remove({ selectors: [PATH] })
    list.release()
    expect(await w.answered<unknown>(asking)).toMatchObject(
      how === 'cancel' ? { value: { count: 1, published: [{ id: row?.id, message }] } } : left,
    )
    expect(await w.byName('a.txt')).toMatchObject({
      state: 'cancelled',
      message,
      leftPublic: true,
      leftLink: expect.stringContaining('/download/'),
    })
    expect(w.service.ledger.live()).toHaveLength(1)
    expect(await w.answered(w.handlers.versions({ selectors: [PATH] }))).toMatchObject({
      value: [
        {
          found: 'versions',
          versions: [{ fileId: null, publicLink: expect.stringContaining('/download/') as string }],
        },
      ],
    })
    expect(await w.answered(w.handlers.remove({ selectors: [PATH] }))).toMatchObject(left)
  },
)

/**
 * A file that changed while it was sent, and whose mixture is published under an ID that the service never
 * sends.
 */
async function torn(): Promise<{ readonly w: World; readonly link: string }> {
  let isTorn = false
  const w: World = await open({
    dialect: { receipt: 'only-link', listFields: 'no-link', singleFile: 'never' },
    onMoment: (moment, endpoint) => {
      if (endpoint !== 'upload' || moment !== 'answered' || isTorn) return
      isTorn = true
      w.disk.append(PATH, ' and more')
    },
  })
  await w.until(async () => (await w.byName('a.txt'))?.state === 'held')
  const row = await w.byName('a.txt')
  const link = /https?:\/\/\S+(?=,)/.exec(row?.message ?? '')?.[0] ?? 'none'
  expect(row).toMatchObject({
    reason: 'ambiguous',
    message: expect.stringContaining("and Slipway can't delete it") as string,
  })
  return { w, link }
}

it.each(['cancel', 'rm'])(
  'a torn upload that is published under an unknown ID: %s names its link, and so do info and rm later',
  async (how) => {
    const { w, link } = await torn()
    const row = await w.byName('a.txt')
    const message = expect.stringContaining(link) as string
    const left = { value: [{ ok: false, outcome: 'failed', message }] }
    expect(await w.answered(w.handlers.versions({ selectors: [PATH] }))).toMatchObject({
      value: [{ versions: [{ publicLink: link }] }],
    })
    expect(await w.answered(w.handlers.remove({ selectors: [link] }))).toMatchObject(left)
    expect((await w.byName('a.txt'))?.state).toBe('held')
    if (how === 'rm') expect(await w.answered(w.handlers.remove({ selectors: [PATH] }))).toMatchObject(left)
    else {
      const got = await cancelled(w)
      expect(got).toMatchObject({ count: 1, published: [{ id: row?.id, message }] })
      expect(got).not.toHaveProperty('unproved')
    }
    expect(await w.answered(w.handlers.info({ selector: PATH }))).toMatchObject({
      value: { transfers: [{ state: 'cancelled', publicLink: null, message, leftPublic: true }] },
    })
    expect(await w.answered(w.handlers.remove({ selectors: [PATH] }))).toMatchObject(left)
  },
)

it('a torn upload that is published under an unknown ID keeps its message when its file changes or is deleted', async () => {
  const { w, link } = await torn()
  w.disk.append(PATH, ' and more again')
  await w.pass(60_000)
  expect(await w.byName('a.txt')).toMatchObject({
    state: 'held',
    size: 31,
    message: expect.stringContaining(link) as string,
  })
  w.disk.remove(PATH)
  await w.pass(60_000)
  expect(await w.byName('a.txt')).toMatchObject({
    state: 'cancelled',
    message: expect.stringContaining(link) as string,
  })
})

it('a torn upload that is published under an unknown ID keeps its message when its file gets the name of a secret and another one', async () => {
  const { w, link } = await torn()
  const message = expect.stringContaining(link) as string
  w.disk.rename(PATH, `${FOLDER}/.env`)
  await w.pass(60_000)
  expect(await w.byName('.env')).toMatchObject({ state: 'held', reason: 'ambiguous', message })
  w.disk.rename(`${FOLDER}/.env`, `${FOLDER}/b.txt`)
  await w.pass(60_000)
  const row = await w.byName('b.txt')
  expect(row).toMatchObject({ state: 'held', reason: 'ambiguous', message })
  w.disk.rename(`${FOLDER}/b.txt`, `${FOLDER}/.env`)
  await w.pass(60_000)
  // That is an approval to send the file again, not to send a secret.
  await w.handlers.release({ ids: [row?.id ?? 0] })
  await w.pass(60_000)
  expect(await w.transfers()).toMatchObject([
    { id: row?.id, state: 'cancelled', message },
    { state: 'held', reason: 'secret' },
  ])
  expect(w.service.ledger.live()).toHaveLength(1)
})

it.each([
  ['cancel', 'waiting', 'backoff'],
  ['cancel', 'failed', 'unreadable'],
  ['rm', 'waiting', 'backoff'],
  ['rm', 'failed', 'unreadable'],
])(
  'a torn upload that is published under an unknown ID and no longer held: %s names its link if it is %s',
  async (how, state, reason) => {
    const { w, link } = await torn()
    const row = await w.byName('a.txt')
    await w.crash()
    w.sql(
      `UPDATE transfers SET state = '${state}', reason = '${reason}', message = 'No.', until = 9e15 WHERE id = ${row?.id ?? 0}`,
    )
    const message = expect.stringContaining(link) as string
    expect(await w.answered(w.handlers.versions({ selectors: [PATH] }))).toMatchObject({
      value: [{ versions: [{ publicLink: link }] }],
    })
    if (how === 'cancel')
      expect(await cancelled(w)).toMatchObject({ count: 1, published: [{ id: row?.id, message }] })
    else
      expect(await w.answered(w.handlers.remove({ selectors: [PATH] }))).toMatchObject({
        value: [{ ok: false, outcome: 'failed', message }],
      })
    expect(await w.byName('a.txt')).toMatchObject({ state: 'cancelled', message })
  },
)

it('a torn upload that is published under an unknown ID is still reported after its file was released and uploaded', async () => {
  const { w, link } = await torn()
  const row = await w.byName('a.txt')
  expect(await w.handlers.release({ ids: [row?.id ?? 0] })).toMatchObject({ value: { count: 1 } })
  await w.until(async () => (await w.byName('a.txt'))?.state === 'done')
  const message = expect.stringContaining(link) as string
  expect(await w.transfers()).toMatchObject([
    { id: row?.id, state: 'cancelled', message },
    { state: 'done', path: native(PATH), folderId: row?.folderId, source: 'watch', size: 16 },
  ])
  const own = (await w.byName('a.txt'))?.publicLink
  expect(own).not.toBe(link)
  expect(await w.answered(w.handlers.versions({ selectors: [PATH] }))).toMatchObject({
    value: [{ versions: [{ publicLink: own }, { publicLink: link }] }],
  })
  // The watched file belongs to the new transfer: it isn't sent again until it changes.
  await w.crash()
  await w.pass(60_000)
  expect(w.service.ledger.live()).toHaveLength(2)
  w.disk.append(PATH, ' at last')
  await w.until(async () => (await w.transfers()).filter((t) => t.state === 'done').length === 2)
  expect(await w.answered(w.handlers.remove({ selectors: [link] }))).toMatchObject({
    value: [{ ok: false, outcome: 'failed', message }],
  })
})

it('a torn upload that is published under an unknown ID: rm names its link while its released file waits', async () => {
  const { w, link } = await torn()
  const row = await w.byName('a.txt')
  await w.handlers.pause({})
  await w.handlers.release({ ids: [row?.id ?? 0] })
  expect(await w.byName('a.txt')).toMatchObject({ state: 'waiting' })
  expect(await w.answered(w.handlers.remove({ selectors: [PATH] }))).toMatchObject({
    value: [
      { outcome: 'cancelled' },
      { ok: false, outcome: 'failed', message: expect.stringContaining(link) as string },
    ],
  })
})

it('a file that was held before it was ever sent: cancel does not say that it may have arrived', async () => {
  const w = await open({})
  // Bytes of this name and size that can't be read, on an account of which this journal knows nothing.
  w.service.plant({ filename: 'b.txt', size: 9 })
  w.disk.write(`${FOLDER}/b.txt`, 'nine char')
  await w.crash((journal) => {
    for (const suffix of ['', '-wal', '-shm', '-seal']) rmSync(journal + suffix, { force: true })
  })
  await w.watch()
  await w.until(async () => (await w.byName('b.txt'))?.state === 'held')
  const id = (await w.byName('b.txt'))?.id ?? 0
  expect(await w.answered(w.handlers.cancel({ ids: [id], confirm: true }))).toEqual({
    ok: true,
    value: { count: 1 },
  })
})

describe('an upload whose ID the service shows later, with its link', () => {
  const LAG_MS = 10 * 60_000

  async function removed(w: World): Promise<unknown> {
    const got = await w.answered(w.handlers.remove({ selectors: [PATH] }))
    return got.ok ? got.value.map(({ ok, outcome }) => ({ ok, outcome })) : got.failure
  }

  /** An upload that was done, cancelled while it was sent, or torn and then held. */
  async function nameless(how: 'done' | 'cancelled' | 'held'): Promise<World> {
    const list = holdList()
    const w: World = await open(
      {
        dialect: { receipt: 'only-link', singleFile: 'never', listLag: 'fixed', listLagMs: LAG_MS },
        onMoment: (moment, endpoint) => {
          if (how === 'held' && endpoint === 'upload' && moment === 'answered')
            w.disk.append(PATH, ' and more')
        },
      },
      how === 'cancelled' ? list.hooks : {},
    )
    if (how === 'cancelled') {
      await w.until(list.isHeld)
      const asking = w.handlers.cancel({ ids: [(await w.byName('a.txt'))?.id ?? 0], confirm: true })
      list.release()
      await w.answered(asking)
    }
    await w.until(async () => (await w.byName('a.txt'))?.state === how)
    expect((await w.byName('a.txt'))?.fileId).toBeNull()
    return w
  }

  async function listed(w: World): Promise<void> {
    await w.pass(LAG_MS)
    await w.answered(w.list({ limit: 100 }))
  }

  it.each(['done', 'cancelled', 'held'] as const)(
    'is deleted by its path once it is listed: %s',
    async (how) => {
      const w = await nameless(how)
      await listed(w)
      expect(await w.handlers.versions({ selectors: [PATH] })).toMatchObject({
        value: [{ versions: [{ publicLink: expect.stringContaining('/download/') as string }] }],
      })
      expect(await removed(w)).toEqual([{ ok: true, outcome: 'deleted' }])
      expect(w.service.ledger.live()).toEqual([])
      expect(await removed(w)).toEqual([{ ok: true, outcome: 'deleted-before' }])
      expect(await w.handlers.info({ selector: PATH })).toMatchObject({
        value: { transfers: [{ ended: 'deleted' }] },
      })
    },
  )

  it.each([
    ['cancelled', 'deleted-before'],
    ['held', 'cancelled'],
  ] as const)('counts as deleted once it is gone from the service: %s', async (how, outcome) => {
    const w = await nameless(how)
    if (how === 'cancelled') expect(await removed(w)).toEqual([{ ok: false, outcome: 'failed' }])
    await listed(w)
    const [file] = w.service.ledger.live()
    await w.answered(w.handlers.remove({ selectors: [String(file?.fileId)] }))
    expect(w.service.ledger.live()).toEqual([])
    expect(await removed(w)).toEqual([{ ok: true, outcome }])
  })

  it.each(['cancelled', 'held'] as const)(
    'is reported as published again if its deletion is undone: %s',
    async (how) => {
      const w = await nameless(how)
      await listed(w)
      const [file] = w.service.ledger.live()
      // The content of a cancelled upload is recorded, and reading it takes time.
      w.disk.onceRead(PATH, () => w.clock.jumpWall(5))
      expect(await w.handlers.remove({ selectors: [PATH], later: true })).toMatchObject({
        value: [{ outcome: 'queued' }],
      })
      expect(await w.handlers.keepFiles({ fileIds: [file?.fileId ?? 0] })).toMatchObject({
        value: { count: 1 },
      })
      const info = await w.answered(w.handlers.info({ selector: PATH }))
      expect(info).toMatchObject({
        value: {
          transfers: [{ state: 'cancelled', message: expect.stringContaining('/download/') as string }],
        },
      })
      expect(info).not.toHaveProperty('value.transfers.0.ended')
      expect(await removed(w)).toEqual([{ ok: true, outcome: 'deleted' }])
    },
  )
})

it('an upload that is cancelled before its outcome is known gets a link if it is requested again', async () => {
  const w = await open({
    dialect: { listLag: 'fixed', listLagMs: 30_000, ids: 'random' },
    faults: { rules: [{ on: 'upload', nth: 1, kinds: 'cut-after-store' }] },
  })
  await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown', 0.02)
  await w.handlers.cancel({ ids: [(await w.byName('a.txt'))?.id ?? 0] })
  await w.handlers.upload({ paths: [PATH], again: false, token: 'again' })
  await w.until(() => w.allSettled(), 1)
  expect((await w.transfers()).map((row) => row.state).toSorted()).toEqual(['cancelled', 'done'])
  await w.pass(HOUR_MS)
  expect(w.service.ledger.live()).toHaveLength(1)
})
