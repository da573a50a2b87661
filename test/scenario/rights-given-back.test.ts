// A file that could not be read when it was due goes out once it can be read again, without anyone asking for it: the right may be given
// back to the file itself, or to a directory above it, which leaves the file's own times as they are.
import { afterEach, describe, expect, it } from 'vitest'
import { createWorld, FOLDER, type World } from '../world/world.ts'

let world: World | null = null
afterEach(async () => {
  await world?.end()
  world = null
})

const MINUTE = 60_000

describe('a file that could not be read', () => {
  it.each([
    ['itself', `${FOLDER}/sub/a.txt`],
    ['for its directory', `${FOLDER}/sub`],
  ])('is uploaded once the right is given back: %s', async (_what, path) => {
    const w = await createWorld()
    world = w
    w.disk.mkdir(`${FOLDER}/sub`)
    await w.watch()
    await w.pass(MINUTE)
    await w.engine().handlers.pause({})
    w.disk.write(`${FOLDER}/sub/a.txt`, 'content')
    await w.pass(MINUTE)
    w.disk.deny(path, true)
    await w.engine().handlers.resume({})
    await w.until(() => w.allSettled())
    expect(await w.byName('a.txt')).toMatchObject({ state: 'failed', reason: 'unreadable' })
    await w.pass(20 * MINUTE)
    w.disk.deny(path, false)
    w.disk.chmod(path)
    await w.pass(20 * MINUTE)
    expect(await w.byName('a.txt')).toMatchObject({ state: 'done' })
    expect(w.service.ledger.files()).toHaveLength(1)
  })
})
