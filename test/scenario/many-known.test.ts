// Thousands of files that are known already: naming them again must leave the engine's thread to others in between, so that a signal, the
// window and other commands are answered.
import { afterEach, expect, it } from 'vitest'
import { createWorld, FOLDER, type World } from '../world/world.ts'

let world: World | null = null
afterEach(async () => {
  await world?.end()
  world = null
})

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

it('upload and plan of many files let others in between', async () => {
  world = await createWorld({ plan: 'enterprise' })
  const { engine, disk } = world
  await engine().handlers.pause({})
  for (let i = 0; i < 3000; i++) disk.write(`${FOLDER}/${i}.txt`, 'one content')
  const upload = (): Promise<unknown> => engine().handlers.upload({ paths: [FOLDER], again: false, token: 't' })
  expect(await turnsDuring(upload())).toBeGreaterThan(10)
  expect(await turnsDuring(upload())).toBeGreaterThan(10)
  expect(await turnsDuring(engine().handlers.plan({ paths: [FOLDER] }))).toBeGreaterThan(10)
})
