// The service in every dialect, with the engine in the simulated world: each file is stored once with the
// right bytes behind its link, and a restart sends nothing. Also with lost responses, where the dialect hides
// most of what the service stores. watch-once.test.ts runs some dialects as a process, and all of them in its
// long share.
import { describe, expect, it } from 'vitest'
import { dialects } from '../service/dialect.ts'
import type { FaultPlan } from '../service/faults.ts'
import { FOLDER, type World } from '../world/world.ts'
import { sha256 } from './cli-process.ts'
import { openWorld } from './open-world.ts'
import { HIDING, SAMPLES, UNSEEN } from './samples.ts'

type Options = NonNullable<Parameters<typeof openWorld>[0]>

/** Watches a folder with the samples until nothing is left to do. */
async function watched(options: Options): Promise<World> {
  const w = await openWorld(options)
  w.disk.mkdir(`${FOLDER}/sub`)
  for (const [file, content] of SAMPLES) w.disk.write(`${FOLDER}/${file}`, content)
  await w.watch()
  await w.until(async () => (await w.transfers()).length === SAMPLES.length && (await w.allSettled()))
  return w
}

/** Each file is uploaded, and its own link leads to its bytes. */
async function expectAllUploaded(w: World): Promise<void> {
  const transfers = await w.transfers()
  expect(Object.fromEntries(transfers.map(({ path, state }) => [path, state]))).toEqual(
    Object.fromEntries(SAMPLES.map(([file]) => [`${FOLDER}/${file}`, 'done'])),
  )
  for (const [file, content] of SAMPLES) {
    const transfer = transfers.find(({ path }) => path === `${FOLDER}/${file}`)
    expect(transfer?.sha256).toBe(sha256(content))
    expect(sha256(new Uint8Array(await (await fetch(transfer?.publicLink ?? 'missing')).arrayBuffer()))).toBe(
      sha256(content),
    )
  }
  expect(
    w.service.ledger
      .live()
      .map((file) => file.sha256)
      .toSorted(),
  ).toEqual(SAMPLES.map(([, content]) => sha256(content)).toSorted())
  expect(w.service.requests.counts()['429']).toBeUndefined()
}

describe('every dialect', () => {
  it.each(Object.keys(dialects))('%s', async (name) => {
    const w = await watched({ dialect: dialects[name] ?? {} })
    await expectAllUploaded(w)
    const before = w.service.ledger.files().length
    await w.crash()
    await w.pass(60_000)
    await w.until(() => w.allSettled())
    expect(w.service.ledger.files().length).toBe(before)
  })
})

describe('lost responses in the dialects that hide most', () => {
  const faults: FaultPlan = {
    seed: 3,
    rules: [
      { on: 'upload', nth: [2, 4], kinds: ['cut-after-store'] },
      { on: 'upload', nth: [5], kinds: ['error-before-store'] },
    ],
  }

  it.each(UNSEEN)('%s: nothing is lost, and nothing is sent more than twice', async (name) => {
    const w = await watched({ dialect: dialects[name] ?? {}, plan: 'enterprise', faults })
    // Uploads that can't be confirmed are held for the user.
    for (const { state } of await w.transfers()) expect(['done', 'held']).toContain(state)
    const stored = Map.groupBy(w.service.ledger.live(), (file) => file.sha256)
    for (const [, content] of SAMPLES) expect([1, 2]).toContain(stored.get(sha256(content))?.length)
  })

  it.each(HIDING)('%s', async (name) => {
    const w = await watched({ dialect: dialects[name] ?? {}, plan: 'enterprise', faults })
    await expectAllUploaded(w)
    expect(w.service.ledger.duplicates().byNameAndSha).toEqual([])
  })
})
