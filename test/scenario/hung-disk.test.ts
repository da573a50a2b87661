// A network drive that doesn't answer any more: the engine still ends, whatever it was waiting for, and the next start finishes the work.
// The clock is the simulated one.
import { afterEach, expect, it } from 'vitest'
import { createWorld, FOLDER, type World } from '../world/world.ts'

let world: World | null = null
afterEach(async () => {
  await world?.end()
  world = null
})

it.each([
  ['lists a folder', 'list'],
  ['opens a file', 'open'],
] as const)('ends while it %s on a drive that does not answer', async (_name, method) => {
  const w = await createWorld()
  world = w
  w.disk.write(`${FOLDER}/first.txt`, 'first')
  const folderId = await w.watch()
  await w.until(() => w.allSettled())
  const answers = w.disk[method]
  let isHung = false
  const hang = (): Promise<never> => {
    isHung = true
    return new Promise<never>(() => undefined)
  }
  Object.assign(w.disk, { [method]: hang })
  w.disk.write(`${FOLDER}/late.txt`, 'late')
  void w.engine().handlers.rescan({ folderId })
  await w.until(() => isHung)
  let isClosed = false
  const close = async (): Promise<void> => {
    await w.engine().close(0)
    isClosed = true
  }
  void close()
  await w.pass(30_000)
  await expect.poll(() => isClosed).toBe(true)
  Object.assign(w.disk, { [method]: answers })
  await w.crash()
  await w.until(() => w.allSettled())
  expect(w.service.ledger.files().map((file) => file.filename)).toEqual(['first.txt', 'late.txt'])
})
