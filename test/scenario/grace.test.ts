// New files of a watched folder that wait before they are uploaded, so that the user can cancel them: until when,
// what ends the wait early, and what doesn't.
import { expect, it } from 'vitest'
import type { OnChange } from '../../src-shared/model.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000

async function open(graceSeconds: 0 | 10 | 60 = 60, onChange: OnChange = 'new-link'): Promise<World> {
  const w = await openWorld()
  w.disk.write(`${FOLDER}/there.txt`, 'there')
  await w.watch({ graceSeconds, onChange })
  await w.handlers.work({})
  await w.until(() => w.allSettled())
  return w
}

const stored = (w: World): readonly string[] =>
  w.service.ledger
    .files()
    .map((one) => one.filename)
    .toSorted()

/** Saves a file, and passes time until it waits. */
async function save(w: World, name: string, content = name): Promise<{ id: number; until: number }> {
  w.disk.write(`${FOLDER}/${name}`, content)
  await w.until(async () => (await w.byName(name))?.reason === 'grace')
  const row = await w.byName(name)
  expect(row).toMatchObject({ state: 'waiting', reason: 'grace' })
  return { id: row?.id ?? 0, until: row?.until ?? 0 }
}

it('a new file waits as long as its folder says; those of the first scan don’t', async () => {
  const w = await open()
  expect(stored(w)).toEqual(['there.txt'])
  const { until } = await save(w, 'new.txt')
  const got = await w.handlers.snapshot({})
  expect(got.ok && got.value.grace).toEqual({ count: 1, until })
  expect(until - w.clock.now()).toBeGreaterThan(50_000)
  expect(until - w.clock.now()).toBeLessThanOrEqual(60_000)
  await w.pass(until - w.clock.now() - 1000)
  expect(stored(w)).toEqual(['there.txt'])
  await w.pass(5000)
  expect(stored(w)).toEqual(['new.txt', 'there.txt'])
  const over = await w.handlers.snapshot({})
  expect(over.ok && over.value.grace).toBe(undefined)
})

it('a folder without a wait uploads a new file at once', async () => {
  const w = await open(0)
  w.disk.write(`${FOLDER}/new.txt`, 'new')
  await w.pass(10_000)
  expect(stored(w)).toEqual(['new.txt', 'there.txt'])
})

it('a file that is cancelled while it waits is never sent', async () => {
  const w = await open()
  const { id } = await save(w, 'new.txt')
  await w.handlers.cancel({ ids: [id] })
  await w.pass(10 * MINUTE)
  expect(stored(w)).toEqual(['there.txt'])
})

it('a cancelled file that is taken back waits as long again, and goes up then', async () => {
  const w = await open()
  const { id } = await save(w, 'new.txt')
  await w.engine().handlers.cancel({ ids: [id] })
  await w.pass(MINUTE)
  const again = await w.engine().handlers.restore({ ids: [id, 99] })
  expect(again.ok && again.value).toEqual({ count: 1 })
  await w.pass(50_000)
  expect([await w.byName('new.txt'), stored(w)]).toMatchObject([{ reason: 'grace' }, ['there.txt']])
  await w.pass(20_000)
  expect(stored(w)).toEqual(['new.txt', 'there.txt'])
  expect(await w.engine().handlers.restore({ ids: [id] })).toMatchObject({ value: { count: 0 } })
})

it('a held file that is taken back is held again, without a countdown, and is never sent', async () => {
  const w = await open()
  w.disk.write(`${FOLDER}/.env`, 'A=1')
  await w.until(async () => (await w.byName('.env'))?.state === 'held')
  const ids = [(await w.byName('.env'))?.id ?? 0]
  await w.engine().handlers.cancel({ ids })
  expect(await w.byName('.env')).toMatchObject({ state: 'cancelled' })
  await w.engine().handlers.restore({ ids })
  expect(await w.byName('.env')).not.toMatchObject({ reason: 'grace' })
  await w.pass(MINUTE)
  expect([await w.byName('.env'), stored(w)]).toMatchObject([
    { state: 'held', reason: 'secret' },
    ['there.txt'],
  ])
})

it.each<[OnChange, string, string]>([
  ['ask', 'other', 'changed'],
  ['replace', '', 'emptied'],
])(
  'a changed file that needs an answer (%s) is held at once, without a countdown',
  async (onChange, content, reason) => {
    const w = await open(60, onChange)
    const seen = new Set<string | null | undefined>()
    w.disk.write(`${FOLDER}/there.txt`, content)
    await w.until(async () => {
      seen.add((await w.byName('there.txt'))?.reason)
      return seen.has(reason)
    })
    expect([...seen]).not.toContain('grace')
  },
)

it('a file that something else holds back names that instead of a countdown', async () => {
  const w = await open()
  await save(w, 'new.txt')
  await w.engine().handlers.pause({})
  expect(await w.byName('new.txt')).toMatchObject({ state: 'waiting', reason: 'paused', until: null })
  await w.engine().handlers.resume({})
  expect(await w.byName('new.txt')).toMatchObject({ reason: 'grace' })
  await w.engine().handlers.pauseFolder({ folderId: 1, paused: true })
  expect(await w.byName('new.txt')).toMatchObject({ reason: 'folder-paused' })
  const got = await w.engine().handlers.snapshot({})
  expect(got.ok && got.value.grace).toBe(undefined)
})

it('“Upload now” ends the wait of one file, and of no other', async () => {
  const w = await open()
  const { id } = await save(w, 'now.txt')
  await save(w, 'later.txt')
  await w.handlers.sendNext({ ids: [id] })
  await w.pass(5000)
  expect(stored(w)).toEqual(['now.txt', 'there.txt'])
})

it.each<[string, (w: World) => Promise<unknown>]>([
  ['a kill', (w) => w.crash()],
  ['a retry of all files', (w) => w.handlers.retry({ ids: null })],
  ['an automatic retry', (w) => w.handlers.retry({ ids: null, automatic: true })],
  ['a scan', (w) => w.handlers.rescan({ folderId: 1 })],
  ['another save', async (w) => w.disk.write(`${FOLDER}/new.txt`, 'saved again')],
])('%s doesn’t end the wait, and the file goes up at the time that was said', async (_what, happens) => {
  const w = await open()
  const { until } = await save(w, 'new.txt')
  await w.pass(10_000)
  await happens(w)
  await w.pass(20_000)
  expect(await w.byName('new.txt')).toMatchObject({ reason: 'grace', until })
  expect(stored(w)).toEqual(['there.txt'])
  await w.pass(until - w.clock.now() + 5000)
  expect(stored(w)).toEqual(['new.txt', 'there.txt'])
})

it('a clock that is set back neither ends the wait nor prolongs it', async () => {
  const w = await open()
  await save(w, 'new.txt')
  w.clock.jumpWall(-60 * MINUTE)
  await w.pass(20_000)
  expect(stored(w)).toEqual(['there.txt'])
  await w.pass(50_000)
  expect(stored(w)).toEqual(['new.txt', 'there.txt'])
})

it('a folder keeps its wait when it is watched again by a client that doesn’t name one', async () => {
  const w = await open(10)
  const rules = {
    path: FOLDER,
    existing: 'upload',
    onChange: 'replace',
    ignore: [] as string[],
    keep: true,
  } as const
  const got = await w.handlers.watch({ ...rules, changeRules: true })
  expect(got.ok && got.value).toMatchObject({ onChange: 'replace', graceSeconds: 10 })
  const none = await w.handlers.watch({ ...rules, changeRules: true, graceSeconds: 0 })
  expect(none.ok && none.value.graceSeconds).toBe(undefined)
})
