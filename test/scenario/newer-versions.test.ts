// A file that changes while its earlier version is being checked, sent or looked up: what becomes of the
// earlier version is never recorded for the newer one, which would then count as uploaded.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const OTHER = '/home/other'

async function contentOf(w: World, name: string): Promise<string | null> {
  const fileId = (await w.byName(name))?.fileId
  const path = fileId == null ? null : w.service.blobPath(Number(fileId))
  return path === null ? null : readFileSync(path, 'utf8')
}

it('a lost upload that is listed late isn’t mistaken for a newer version of the same size', async () => {
  const w = await openWorld({
    dialect: { listLag: 'fixed', listLagMs: 300_000, ids: 'random' },
    faults: { rules: [{ on: 'upload', nth: 1, kinds: 'cut-after-store' }] },
  })
  w.disk.write(`${FOLDER}/a.txt`, 'AAAA')
  await w.watch()
  await w.until(async () => (await w.byName('a.txt'))?.state === 'unknown')
  await w.handlers.pause({})
  await w.handlers.retry({ ids: [(await w.byName('a.txt'))?.id ?? 0] })
  w.disk.write(`${FOLDER}/a.txt`, 'BBBB')
  await w.pass(10 * 60_000)
  await w.handlers.resume({})
  await w.until(() => w.allSettled())
  expect(await contentOf(w, 'a.txt')).toBe('BBBB')
})

it('a file that changes while the link of its content is checked gets its own link', async () => {
  let onFile = (): Promise<void> => Promise.resolve()
  const w = await openWorld({}, { onAnswer: (request) => (request === 'file' ? onFile() : undefined) })
  w.disk.write('/home/a.txt', 'AAAA')
  await w.handlers.upload({ paths: ['/home/a.txt'], again: false, token: '' })
  await w.until(() => w.allSettled())
  // The link is asked for only if an earlier run uploaded it.
  await w.pass(60_000)
  await w.crash()
  w.disk.mkdir(OTHER)
  w.disk.write(`${OTHER}/x.txt`, 'AAAA')
  await w.watch({ path: OTHER, existing: 'skip' })
  await w.pass(10_000)
  let isChanged = false
  onFile = async () => {
    if (isChanged) return
    isChanged = true
    w.disk.write(`${OTHER}/x.txt`, 'BBBBBB')
    for (let n = 0; n < 25; n++) await w.clock.advance(100)
  }
  await w.handlers.upload({ paths: [`${OTHER}/x.txt`], again: false, token: '' })
  await w.until(() => w.allSettled())
  await w.pass(10_000)
  expect(isChanged).toBe(true)
  expect(await contentOf(w, 'x.txt')).toBe('BBBBBB')
})
