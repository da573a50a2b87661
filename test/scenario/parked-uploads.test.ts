// Uploads that are prepared but wait for a place, because all places are taken by slow uploads: what must not
// be sent any more when they get one isn't sent.
import { afterEach, expect, it } from 'vitest'
import type { EnginePolicy } from '../../src-main/engine/ports.ts'
import { sleep } from '../../src-main/engine/sleep.ts'
import { createWorld, FOLDER, KEY, type World } from '../world/world.ts'

let world: World | null = null
afterEach(async () => {
  // What is under way would keep the engine open.
  await world?.pass(3 * MINUTE)
  const ended = world
  world = null
  await ended?.end()
})

/** Number of uploads that send at once. */
const PLACES = 8
const FILES = 12
const SYNC_MS = 20
const MINUTE = 60_000
const NO_POLICY: EnginePolicy = { forbidden: [], address: '' }

const inState = (w: World, state: string): number =>
  w.sql(`SELECT id FROM transfers WHERE state = '${state}'`).length

/** A world in which a folder's uploads are under way and more are prepared. Resolves to the folder's ID. */
async function parked(policy: () => EnginePolicy): Promise<{ readonly w: World; readonly folderId: number }> {
  // While an intent is synced to disk, the next upload is prepared.
  const sync = async (): Promise<void> => {
    if (world !== null) await sleep(world.clock, SYNC_MS, new AbortController().signal)
  }
  const w = await createWorld(
    { plan: 'enterprise' },
    { uploadAnswerMs: MINUTE, sync: () => ({ sync, close: () => undefined }), policy },
  )
  world = w
  for (let i = 0; i < FILES; i++) w.disk.write(`${FOLDER}/${i}.txt`, 'x'.repeat(i + 1))
  const folderId = await w.watch()
  await w.pass(5000)
  expect(w.service.ledger.files()).toHaveLength(PLACES)
  expect(inState(w, 'uploading')).toBeGreaterThan(PLACES)
  return { w, folderId }
}

it.each<[string, (w: World, folderId: number, forbid: () => void) => Promise<unknown> | void]>([
  ['is no longer watched', (w, folderId) => w.handlers.unwatch({ folderId })],
  ['ignores them by a rule', (w) => w.disk.write(`${FOLDER}/.slipwayignore`, '*.txt')],
  ['is forbidden by a policy', (_w, _folderId, forbid) => forbid()],
])('are not sent once their folder %s', async (_name, change) => {
  let policy = NO_POLICY
  const { w, folderId } = await parked(() => policy)
  await change(w, folderId, () => {
    policy = { ...policy, forbidden: [FOLDER] }
  })
  await w.pass(10 * MINUTE)
  expect(w.service.ledger.files()).toHaveLength(PLACES)
  expect([inState(w, 'done'), inState(w, 'cancelled')]).toEqual([PLACES, FILES - PLACES])
})

it('are sent if nothing has changed, each once', async () => {
  const { w } = await parked(() => NO_POLICY)
  await w.pass(10 * MINUTE)
  expect(w.service.ledger.files()).toHaveLength(FILES)
  expect(inState(w, 'done')).toBe(FILES)
})

it('are not sent once the service has refused the key, but after the user has entered it again', async () => {
  const { w } = await parked(() => NO_POLICY)
  w.service.setKey('another')
  await w.handlers.stats({})
  w.service.requests.clear()
  await w.pass(10 * MINUTE)
  // The key worked before, so it is tried again at least every two minutes, also after the uploads that were
  // under way.
  const asked = w.service.requests.list().map((request) => request.endpoint)
  expect(new Set(asked)).toEqual(new Set(['stats']))
  expect(asked.length).toBeGreaterThanOrEqual(5)
  expect([inState(w, 'done'), inState(w, 'queued')]).toEqual([PLACES, FILES - PLACES])
  w.service.setKey(KEY)
  await w.handlers.retry({ ids: null })
  await w.pass(10 * MINUTE)
  expect(w.service.ledger.files()).toHaveLength(FILES)
})
