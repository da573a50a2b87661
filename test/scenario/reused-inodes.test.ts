// A new file that gets the inode number of a deleted one, with the same size and modification time, as when
// an archive is unpacked again. It is another file, so it never gets the deleted file's link, and is never
// skipped in its place.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { FileSystem } from '../world/file-systems.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MTIME = Date.UTC(2026, 0, 1)

async function open(fileSystem: FileSystem): Promise<World> {
  const world = await openWorld({ plan: 'enterprise' }, { fileSystem })
  world.disk.reuseInodes()
  return world
}

function put(w: World, name: string, content: string): void {
  w.disk.write(`${FOLDER}/${name}`, content)
  w.disk.setMtime(`${FOLDER}/${name}`, MTIME)
}

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The hash of what the path's link gives; null if it has no link. */
async function behind(w: World, name: string): Promise<string | null> {
  const found = await w.handlers.links({ selectors: [`${FOLDER}/${name}`] })
  const row = found.ok ? found.value[0]?.row : null
  return row == null
    ? null
    : (w.service.ledger.files().find((file) => file.fileId === row.fileId)?.sha256 ?? 'unknown')
}

describe.each<FileSystem>(['ext4', 'nfs'])('on %s', (fileSystem) => {
  it.each([true, false])(
    'a new file never gives the bytes of the deleted one (while Slipway runs: %s)',
    async (isRunning) => {
      const w = await open(fileSystem)
      for (let i = 0; i < 5; i++) put(w, `a${i}.txt`, `old ${i}`)
      await w.watch()
      await w.until(() => w.allSettled())
      await w.pass(1000)
      if (!isRunning) await w.crash()
      for (let i = 0; i < 5; i++) w.disk.remove(`${FOLDER}/a${i}.txt`)
      for (let i = 0; i < 5; i++) put(w, `b${i}.txt`, `new ${i}`)
      if (!isRunning) await w.watch()
      const seen = new Set<string | null>()
      for (let step = 0; step < 40; step++) {
        await w.pass(250)
        for (let i = 0; i < 5; i++) seen.add(await behind(w, `b${i}.txt`))
      }
      await w.pass(20 * 60_000)
      for (let i = 0; i < 5; i++) seen.add(await behind(w, `b${i}.txt`))
      seen.delete(null)
      expect(seen).toEqual(new Set([0, 1, 2, 3, 4].map((i) => sha(`new ${i}`))))
    },
  )

  it('a file that was moved keeps its link, and is not sent again', async () => {
    const w = await open(fileSystem)
    put(w, 'a.txt', 'the same')
    await w.watch()
    await w.until(() => w.allSettled())
    w.disk.rename(`${FOLDER}/a.txt`, `${FOLDER}/b.txt`)
    await w.pass(20 * 60_000)
    expect(await behind(w, 'b.txt')).toBe(sha('the same'))
    expect(w.service.ledger.files()).toHaveLength(1)
  })
})

it('a new file is sent although the deleted one was skipped as existing', async () => {
  const w = await open('ext4')
  put(w, 'a.txt', 'old 1')
  await w.watch({ existing: 'skip' })
  await w.pass(10_000)
  w.disk.remove(`${FOLDER}/a.txt`)
  put(w, 'b.txt', 'new 1')
  await w.pass(20 * 60_000)
  expect(await behind(w, 'b.txt')).toBe(sha('new 1'))
})
