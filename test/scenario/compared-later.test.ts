// Files that the service already has, after the journal was lost, and that can't be read when they are
// compared: they are neither sent nor given up, and once they can be read, they get their links.
import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DiskError, type DiskFailureCode } from '../../src-main/engine/ports.ts'
import { slashes } from '../world/slashes.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const FILE = `${FOLDER}/report.txt`
const MINUTE = 60_000
const uploads = (w: World): number =>
  w.service.requests.list().filter((request) => request.endpoint === 'upload').length

/** A world whose journal was lost after `report.txt` was uploaded. */
async function lost(): Promise<World> {
  const w = await openWorld({ plan: 'enterprise' })
  w.disk.write(FILE, 'content')
  await w.watch()
  await w.until(() => w.allSettled())
  await w.pass(5000)
  await w.crash((journal) => {
    for (const suffix of ['', '-wal', '-shm', '-seal']) rmSync(journal + suffix, { force: true })
  })
  return w
}

/** Makes every attempt to open the file fail. Returns a function that ends that. */
function failing(w: World, code: DiskFailureCode): () => void {
  const { open } = w.disk
  Object.assign(w.disk, {
    open: async (path: string) => {
      if (slashes(path) === FILE) throw new DiskError({ code, message: code })
      return open(path)
    },
  })
  return () => void Object.assign(w.disk, { open })
}

async function expectAdopted(w: World): Promise<void> {
  await w.until(async () => (await w.byName('report.txt'))?.state === 'done')
  expect(await w.byName('report.txt')).toMatchObject({ adopted: true, fileId: 1 })
  expect({ files: w.service.ledger.files().length, uploads: uploads(w) }).toEqual({ files: 1, uploads: 1 })
}

describe('a file that may be on the service already', () => {
  it('fails if it can’t be read, and gets its link once the permission is restored', async () => {
    const w = await lost()
    w.disk.deny(FILE, true)
    await w.watch()
    await w.until(() => w.allSettled())
    expect(await w.byName('report.txt')).toMatchObject({ state: 'failed', reason: 'unreadable' })
    w.disk.deny(FILE, false)
    w.disk.chmod(FILE)
    await expectAdopted(w)
  })

  it.each<readonly [DiskFailureCode, string]>([
    ['busy', 'backoff'],
    ['io', 'backoff'],
    ['silent', 'drive-silent'],
  ])('waits where the disk says %s, through a restart, and gets its link', async (code, reason) => {
    const w = await lost()
    const end = failing(w, code)
    await w.watch()
    await w.until(async () => (await w.byName('report.txt'))?.reason === reason)
    expect(uploads(w)).toBe(1)
    await w.crash()
    end()
    await expectAdopted(w)
  })

  it('is sent if it was replaced in the meantime without an event', async () => {
    const w = await lost()
    const end = failing(w, 'busy')
    await w.handlers.upload({ paths: [FILE], again: false, token: 't' })
    await w.pass(2000)
    w.disk.write(FILE, 'another')
    w.disk.setMtime(FILE, w.clock.now() + 3 * MINUTE)
    end()
    await w.until(async () => (await w.byName('report.txt'))?.state === 'done')
    expect(w.service.ledger.live()).toHaveLength(2)
  })
})
