// Individually paused transfers wait through restarts, changes to their files and "retry all" until the user
// resumes them, while all others continue. Runs in the simulated world.
import { describe, expect, it } from 'vitest'
import { overviewOf } from '../../src-shared/overview.ts'
import { live } from '../world/live.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const HOUR = 3_600_000

async function open(): Promise<World> {
  const w = await openWorld({ plan: 'enterprise' })
  return w
}

async function idOf(w: World, name: string): Promise<number> {
  const row = await w.byName(name)
  if (row === undefined) throw new Error(`no transfer of ${name}`)
  return row.id
}

/**
 * Queues three files while everything is paused, pauses the second one individually, then resumes everything.
 */
async function secondPaused(w: World): Promise<number> {
  await w.handlers.pause({})
  for (const name of ['a.txt', 'b.txt', 'c.txt']) w.disk.write(`${FOLDER}/${name}`, `content of ${name}`)
  await w.watch()
  await w.until(async () => (await w.transfers()).length === 3)
  const id = await idOf(w, 'b.txt')
  expect(await w.handlers.pauseFiles({ ids: [id] })).toEqual({ ok: true, value: { count: 1 } })
  await w.handlers.resume({})
  await w.until(() => w.service.ledger.live().length === 2)
  return id
}

const PAUSED = { state: 'waiting', reason: 'paused', until: null }

describe('a file that is paused by itself', () => {
  it('may be paused from the start, and is uploaded once it is resumed', async () => {
    const w = await open()
    w.disk.write(`${FOLDER}/a.txt`, 'content')
    await w.handlers.upload({ paths: [`${FOLDER}/a.txt`], again: false, token: 't', paused: true })
    await w.pass(HOUR)
    expect([live(w), await w.byName('a.txt')]).toEqual([[], expect.objectContaining(PAUSED)])
    await w.handlers.resumeFiles({ ids: [await idOf(w, 'a.txt')] })
    await w.until(() => live(w).length === 1)
  })

  it('waits while others are uploaded, for hours, across restarts and "retry all", until it is resumed', async () => {
    const w = await open()
    const id = await secondPaused(w)
    await w.pass(2 * HOUR)
    expect(await w.byName('b.txt')).toMatchObject(PAUSED)
    await w.crash()
    await w.pass(HOUR)
    expect(await w.handlers.retry({ ids: null })).toEqual({ ok: true, value: { count: 0 } })
    await w.pass(HOUR)
    expect([live(w), await w.byName('b.txt')]).toEqual([['a.txt', 'c.txt'], expect.objectContaining(PAUSED)])
    // A second call has no effect.
    expect(await w.handlers.pauseFiles({ ids: [id] })).toEqual({ ok: true, value: { count: 0 } })
    expect(await w.handlers.resumeFiles({ ids: [id] })).toEqual({ ok: true, value: { count: 1 } })
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })

  it('counts as paused, and not among the files that go by themselves', async () => {
    const w = await open()
    await secondPaused(w)
    const got = await w.handlers.snapshot({})
    expect(got).toMatchObject({ value: { counts: { queued: 0, waiting: 0, paused: 1 } } })
    expect(got.ok && overviewOf(got.value)).toMatchObject({ open: 0, waiting: 0, paused: 1 })
    const page = { folderId: null, states: [], afterId: 0, limit: 10 }
    const names = async (paused: boolean): Promise<unknown> => {
      const rows = await w.handlers.transfers({ ...page, paused })
      return rows.ok ? rows.value.map(({ name }) => name) : rows
    }
    expect([await names(true), await names(false)]).toEqual([['b.txt'], ['a.txt', 'c.txt']])
  })

  it('stays paused when its file changes, and sends the last version alone', async () => {
    const w = await open()
    const id = await secondPaused(w)
    for (const content of ['second version', 'third version, longer']) {
      w.disk.write(`${FOLDER}/b.txt`, content)
      await w.pass(HOUR)
      expect(await w.byName('b.txt')).toMatchObject(PAUSED)
    }
    await w.handlers.resumeFiles({ ids: [await idOf(w, 'b.txt'), id] })
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files().filter((file) => file.filename === 'b.txt')).toMatchObject([
      { size: 'third version, longer'.length },
    ])
  })

  it.each(['retry', 'sendNext'] as const)('is resumed by a %s that names it', async (name) => {
    const w = await open()
    const id = await secondPaused(w)
    expect(await w.handlers[name]({ ids: [id] })).toEqual({ ok: true, value: { count: 1 } })
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })

  it('can be cancelled', async () => {
    const w = await open()
    const id = await secondPaused(w)
    expect(await w.handlers.cancel({ ids: [id] })).toEqual({ ok: true, value: { count: 1 } })
    await w.pass(HOUR)
    expect((await w.byName('b.txt'))?.state).toBe('cancelled')
    expect(await w.handlers.resumeFiles({ ids: [id] })).toEqual({ ok: true, value: { count: 0 } })
    expect(live(w)).toEqual(['a.txt', 'c.txt'])
  })

  it('is no longer paused once it turns out to have arrived', async () => {
    const w = await open()
    w.service.setFaults({ rules: [{ on: 'upload', kinds: 'cut-after-store' }] })
    w.disk.write(`${FOLDER}/a.txt`, 'the only version')
    await w.watch()
    await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown')
    expect(await w.handlers.pauseFiles({ ids: [await idOf(w, 'a.txt')] })).toEqual({
      ok: true,
      value: { count: 1 },
    })
    w.service.setFaults({ rules: [] })
    await w.until(async () => (await w.byName('a.txt'))?.state !== 'unknown')
    expect(w.sql("SELECT state, paused FROM transfers WHERE name = 'a.txt'")).toEqual([
      { state: 'done', paused: 0 },
    ])
  })

  it('waits if it turns out not to have arrived', async () => {
    const w = await open()
    w.service.setFaults({ rules: [{ on: 'upload', kinds: 'cut-before-body' }] })
    w.disk.write(`${FOLDER}/a.txt`, 'the only version')
    await w.watch()
    await w.until(async () => ['waiting', 'unknown'].includes((await w.byName('a.txt'))?.state ?? ''))
    const id = await idOf(w, 'a.txt')
    await w.handlers.pauseFiles({ ids: [id] })
    w.service.setFaults({ rules: [] })
    await w.pass(2 * HOUR)
    expect([live(w), await w.byName('a.txt')]).toEqual([[], expect.objectContaining(PAUSED)])
    await w.handlers.resumeFiles({ ids: [id] })
    await w.until(() => w.allSettled())
    expect(live(w)).toEqual(['a.txt'])
  })
})

it('an upload that is still being checked when everything is paused is shown as paused', async () => {
  const answered = Promise.withResolvers<void>()
  let isHeld = false
  const w = await openWorld(
    { plan: 'enterprise' },
    { onAnswer: (request) => (isHeld && request === 'file' ? answered.promise : undefined) },
  )
  w.disk.write(`${FOLDER}/a.txt`, 'content')
  await w.handlers.upload({ paths: [`${FOLDER}/a.txt`], again: false, token: 't' })
  await w.until(() => live(w).length === 1)
  await w.pass(1000)
  // A link of an earlier run is checked before it is reused for the same bytes.
  await w.crash()
  w.disk.write(`${FOLDER}/b.txt`, 'content')
  isHeld = true
  const requests = () => w.service.requests.list().filter((one) => one.endpoint === 'get').length
  const before = requests()
  await w.handlers.upload({ paths: [`${FOLDER}/b.txt`], again: false, token: 'u' })
  await w.until(() => requests() > before)
  const checked = await w.byName('b.txt')
  await w.handlers.pause({})
  const paused = await w.byName('b.txt')
  answered.resolve()
  await w.pass(HOUR)
  expect([checked?.state, live(w).length]).toEqual(['uploading', 1])
  expect(paused).toMatchObject(PAUSED)
})
