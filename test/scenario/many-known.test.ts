// Uploading and planning thousands of files must yield to other work on the engine's thread, so that signals,
// the window and other commands are answered. Also finds one held file among thousands of others.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { valueOf } from '../world/value-of.ts'
import { FOLDER, FOLDER_RULES } from '../world/world.ts'
import { openWorld } from './open-world.ts'

async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let over = false
  const count = (): void => {
    turns++
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  await work.finally(() => {
    over = true
  })
  return turns
}

it('upload and plan of many files let other requests run in between', async () => {
  const world = await openWorld({ plan: 'enterprise' })
  const { engine, disk } = world
  await engine().handlers.pause({})
  for (let i = 0; i < 3000; i++) disk.write(`${FOLDER}/${i}.txt`, 'one content')
  const upload = (): Promise<unknown> =>
    engine().handlers.upload({ paths: [FOLDER], again: false, token: 't' })
  expect(await turnsDuring(upload())).toBeGreaterThan(10)
  expect(await turnsDuring(upload())).toBeGreaterThan(10)
  expect(await turnsDuring(engine().handlers.plan({ paths: [FOLDER] }))).toBeGreaterThan(10)
})

it('a page of the audit finds a few files of a kind among many, wherever they are', async () => {
  const world = await openWorld({ plan: 'enterprise' })
  const { engine, disk } = world
  await engine().handlers.pause({})
  for (const dir of ['a', 'z']) disk.mkdir(`${FOLDER}/${dir}`)
  for (let i = 0; i < 6000; i++) disk.write(`${FOLDER}/a/${i}.txt`, `content ${i}`)
  disk.write(`${FOLDER}/z/.env`, 'KEY=1')
  const watched = await valueOf(engine().handlers.watch({ ...FOLDER_RULES, keep: false }))
  await world.pass(5000)
  const page = await engine().handlers.auditPage({
    folderId: watched.id,
    list: 'held',
    after: null,
    limit: 10,
  })
  expect(page).toMatchObject({ value: { entries: [{ path: join(FOLDER, 'z/.env') }], next: null } })
})
