// Files of others on the same account, and earlier versions that are listed late: neither is taken for an
// upload whose answer was lost, and none is deleted in its place, even if name, size and time match.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { FaultKind } from '../service/faults.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MIB = 1024 * 1024
const THEIRS = Buffer.alloc(2000, 'A')
const OURS = Buffer.alloc(2000, 'B')

/** How long each answer to an upload takes: long enough to end the process before it. */
const ANSWER_MS = 1000

/**
 * A watched folder with four uploads; the fifth is lost in this way. `isKnown`: someone else has stored
 * another file before.
 */
async function withUploads(
  fifth: FaultKind,
  isKnown: boolean,
  onChange: 'new-link' | 'replace' = 'new-link',
): Promise<World> {
  const w = await openWorld(
    { faults: { rules: [{ on: 'upload', nth: 5, kinds: fifth }] } },
    { uploadAnswerMs: ANSWER_MS },
  )
  if (isKnown) w.service.plant({ filename: 'by another.txt' })
  await w.watch({ onChange })
  for (const n of [1, 2, 3, 4]) await w.upload(`${n}.txt`, `number ${n}`)
  return w
}

/**
 * Stores another client's file, which the catalog doesn't know yet: now if that client was seen before,
 * otherwise five seconds ago.
 */
function plant(w: World, isKnown: boolean, bytes: Buffer): number {
  return w.service.plant({ filename: 'data.db', bytes, storedAt: w.clock.now() - (isKnown ? 0 : 5000) })
    .fileId
}

async function contentOf(w: World, name: string): Promise<Buffer | null> {
  const fileId = (await w.byName(name))?.fileId
  const path = fileId == null ? null : w.service.blobPath(Number(fileId))
  return path === null ? null : readFileSync(path)
}

function isLive(w: World, fileId: number): boolean {
  return w.service.ledger.live().some((file) => file.fileId === fileId)
}

const WHO = [
  ['of someone who was seen before', true],
  ['of someone who is new', false],
] as const

describe.each(WHO)("another file with the upload's name and size, %s", (_who, isKnown) => {
  it('isn’t mistaken for an upload that was not stored', async () => {
    const w = await withUploads('cut-after-body', isKnown)
    const theirs = plant(w, isKnown, THEIRS)
    w.disk.write(`${FOLDER}/data.db`, OURS)
    await w.until(async () => (await w.byName('data.db'))?.state === 'done')
    expect(await contentOf(w, 'data.db')).toEqual(OURS)
    expect(isLive(w, theirs)).toBe(true)
  })

  it('is left alone if the local file has changed since', async () => {
    const w = await withUploads('cut-after-body', isKnown)
    const theirs = plant(w, isKnown, Buffer.alloc(3 * MIB, 'A'))
    w.disk.write(`${FOLDER}/data.db`, Buffer.alloc(3 * MIB, 'B'))
    await w.until(
      () => w.service.requests.list().filter((request) => request.endpoint === 'upload').length === 5,
    )
    const changed = Buffer.alloc(2 * MIB, 'C')
    await w.crash(() => w.disk.write(`${FOLDER}/data.db`, changed))
    await w.until(async () => (await w.byName('data.db'))?.state === 'done')
    expect(await contentOf(w, 'data.db')).toEqual(changed)
    expect(isLive(w, theirs)).toBe(true)
  })
})

it('an earlier file with the same bytes provides the link, and stays when the local file changes', async () => {
  const w = await withUploads('cut-after-body', false, 'replace')
  const theirs = plant(w, false, OURS)
  await w.upload('data.db', OURS)
  expect(await w.byName('data.db')).toMatchObject({ fileId: theirs, adopted: true })
  w.disk.write(`${FOLDER}/data.db`, THEIRS)
  await w.until(async () => (await w.byName('data.db'))?.fileId !== theirs && (await w.allSettled()))
  await w.pass(60_000)
  expect(isLive(w, theirs)).toBe(true)
})

it('an upload of one writer is still found without reading its bytes', async () => {
  const w = await withUploads('cut-after-store', false)
  await w.upload('data.db', OURS)
  expect(await w.byName('data.db')).toMatchObject({ adopted: true })
  expect(w.service.requests.list().filter((request) => request.endpoint === 'download')).toEqual([])
})

it('an earlier version that is listed late isn’t mistaken for a newer one of the same size', async () => {
  const w = await openWorld({
    dialect: { listLag: 'fixed', listLagMs: 60_000, ids: 'random' },
    faults: {
      rules: [
        { on: 'upload', nth: 4, kinds: 'cut-after-store' },
        { on: 'upload', nth: 5, kinds: 'cut-after-body' },
      ],
    },
  })
  await w.watch()
  for (const n of [1, 2, 3]) await w.upload(`${n}.txt`, `number ${n}`)
  w.disk.write(`${FOLDER}/data.db`, THEIRS)
  await w.until(async () => (await w.byName('data.db'))?.state === 'unknown')
  await w.handlers.pause({})
  await w.handlers.retry({ ids: [(await w.byName('data.db'))?.id ?? 0] })
  w.disk.write(`${FOLDER}/data.db`, OURS)
  await w.pass(10_000)
  await w.handlers.resume({})
  await w.until(async () => (await w.byName('data.db'))?.state === 'done')
  expect(await contentOf(w, 'data.db')).toEqual(OURS)
})

it.each(['unrelated.txt', 'data.db'])(
  'the same bytes stay if another writer shows up with them, or they have another name: %s',
  async (name) => {
    const w = await withUploads('cut-after-body', false)
    await w.upload('data.db', OURS)
    const own = Number((await w.byName('data.db'))?.fileId)
    const theirs =
      name === 'data.db'
        ? w.service.plant({ filename: 'copy of it.db', bytes: OURS }).fileId
        : plant(w, true, OURS)
    if (name !== 'data.db') w.service.plant({ filename: name, bytes: Buffer.alloc(2000, 'C') })
    await w.pass(3_600_000)
    expect([isLive(w, own), isLive(w, theirs)]).toEqual([true, true])
  },
)

it('the bytes of a cancelled upload that was proved not to be there stay if somebody stores them', async () => {
  const w = await withUploads('cut-after-body', false)
  w.disk.write(`${FOLDER}/data.db`, OURS)
  await w.until(async () => (await w.byName('data.db'))?.state === 'unknown')
  const removed = await w.answered(
    w.handlers.remove({ selectors: [`${FOLDER}/data.db`], which: 'all', later: false }),
  )
  expect(removed).toMatchObject({ value: [{ ok: true }] })
  await w.pass(5000)
  const theirs = plant(w, true, OURS)
  await w.pass(3_600_000)
  expect(isLive(w, theirs)).toBe(true)
  expect(w.sql(`SELECT fate FROM twins WHERE file_id = ${theirs}`)).toEqual([{ fate: 'left' }])
})

it('a twin stays, and is reported, if only the list that shows it shows another writer', async () => {
  const w = await withUploads('cut-after-body', false)
  w.disk.write(`${FOLDER}/data.db`, OURS)
  await w.until(async () => (await w.byName('data.db'))?.state === 'unknown')
  await w.handlers.retry({ ids: [(await w.byName('data.db'))?.id ?? 0] })
  await w.until(async () => (await w.byName('data.db'))?.state === 'done')
  w.service.plant({ filename: 'unrelated.txt', bytes: Buffer.from('something else') })
  const theirs = plant(w, true, OURS)
  await w.pass(3_600_000)
  expect(isLive(w, theirs)).toBe(true)
  expect(w.sql(`SELECT fate FROM twins WHERE file_id = ${theirs}`)).toEqual([{ fate: 'left' }])
})
