// A file that was unreadable when it was due is uploaded automatically once it becomes readable. The
// permission may be restored on the file itself or on a parent directory, which leaves the file's own
// timestamps unchanged.
import { describe, expect, it } from 'vitest'
import { FOLDER } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000

describe('a file that could not be read', () => {
  it.each([
    ['itself', `${FOLDER}/sub/a.txt`],
    ['for its directory', `${FOLDER}/sub`],
  ])('is uploaded once the permission is restored: %s', async (_what, path) => {
    const w = await openWorld()
    w.disk.mkdir(`${FOLDER}/sub`)
    await w.watch()
    await w.pass(MINUTE)
    await w.handlers.pause({})
    w.disk.write(`${FOLDER}/sub/a.txt`, 'content')
    await w.pass(MINUTE)
    w.disk.deny(path, true)
    await w.handlers.resume({})
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

it('a directory that can’t be read is reported until it can, whatever else changes in the folder', async () => {
  const w = await openWorld()
  const said = async (): Promise<string | null> => {
    const got = await w.handlers.snapshot({})
    return got.ok ? (got.value.folders[0]?.message ?? null) : got.failure.title
  }
  for (const dir of ['sub', 'other']) w.disk.mkdir(`${FOLDER}/${dir}`)
  w.disk.deny(`${FOLDER}/sub`, true)
  await w.watch()
  await w.pass(MINUTE)
  expect(await said()).toBe("1 place can't be read.")
  await w.upload('new.txt', 'content')
  expect(await said()).toBe("1 place can't be read.")
  w.disk.mkdir(`${FOLDER}/other/deep`)
  w.disk.deny(`${FOLDER}/other/deep`, true)
  await w.pass(MINUTE)
  expect(await said()).toBe("2 places can't be read.")
  w.disk.deny(`${FOLDER}/sub`, false)
  w.disk.chmod(`${FOLDER}/sub`)
  await w.pass(MINUTE)
  expect(await said()).toBe("1 place can't be read.")
  w.disk.deny(`${FOLDER}/other/deep`, false)
  w.disk.chmod(`${FOLDER}/other/deep`)
  await w.pass(MINUTE)
  expect(await said()).toBeNull()
})
