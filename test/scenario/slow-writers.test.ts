// Files that are written slowly or without an event, such as a browser's placeholder or a memory-mapped file.
// Everything that is published is a version that the file actually had, the last version is published, and an
// empty file never is.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { slashes } from '../world/slashes.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

async function open(): Promise<World> {
  const world = await openWorld({ plan: 'enterprise' })
  await world.watch()
  await world.pass(1000)
  return world
}
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
const stored = (w: World): readonly string[] => w.service.ledger.files().map((file) => file.sha256)

describe('a download under its final name', () => {
  it.each(['.aria2', '.st', '.ytdl', '.lftp-pget-status'])(
    'is not published while its %s file is next to it',
    async (control) => {
      const w = await openWorld({ plan: 'enterprise' })
      w.disk.write(`${FOLDER}/movie.mkv`, 'half')
      w.disk.write(`${FOLDER}/movie.mkv${control}`, 'state')
      w.disk.write(`${FOLDER}/other.mkv`, 'whole')
      // A download that was paused an hour ago, found by the first scan; and one that is moved here.
      await w.pass(3_600_000)
      await w.watch()
      w.disk.mkdir('/home/elsewhere')
      w.disk.write(`/home/elsewhere/b.mkv${control}`, 'state')
      w.disk.write('/home/elsewhere/b.mkv', 'half of b')
      w.disk.setMtime('/home/elsewhere/b.mkv', w.clock.now() - 3_600_000)
      w.disk.rename(`/home/elsewhere/b.mkv${control}`, `${FOLDER}/b.mkv${control}`)
      w.disk.rename('/home/elsewhere/b.mkv', `${FOLDER}/b.mkv`)
      await w.pass(30 * 60_000)
      expect(stored(w)).toEqual([sha('whole')])
      w.disk.append(`${FOLDER}/movie.mkv`, ' and half')
      w.disk.remove(`${FOLDER}/movie.mkv${control}`)
      await w.pass(60_000)
      expect(stored(w)).toEqual([sha('whole'), sha('half and half')])
    },
  )
})

describe("a browser's placeholder", () => {
  it.each([
    ['Firefox', 'x7Gh2.pdf.part'],
    ['Firefox, older', 'report.pdf.part'],
    ['Chrome', 'Unconfirmed 420815.crdownload'],
    ['Chrome, older', 'report.pdf.crdownload'],
  ])('of %s is not published, however long the download takes', async (_name, partial) => {
    const w = await open()
    w.disk.write(`${FOLDER}/report.pdf`, '')
    w.disk.write(`${FOLDER}/${partial}`, 'first half')
    await w.pass(40 * 60_000)
    const settling = await w.handlers.auditPage({ folderId: 1, list: 'waiting', after: null, limit: 10 })
    expect(settling.ok && settling.value.entries.map((e) => [slashes(e.path), e.reason])).toEqual([
      [`${FOLDER}/report.pdf`, 'settling'],
    ])
    await w.crash()
    await w.pass(60_000)
    w.disk.write(`${FOLDER}/${partial}`, 'first half, second half')
    w.disk.remove(`${FOLDER}/report.pdf`)
    w.disk.rename(`${FOLDER}/${partial}`, `${FOLDER}/report.pdf`)
    await w.until(() => w.allSettled())
    await w.pass(60_000)
    expect(stored(w)).toEqual([sha('first half, second half')])
  })

  it('of Safari, whose partial download is a folder', async () => {
    const w = await open()
    w.disk.write(`${FOLDER}/report.pdf`, '')
    w.disk.mkdir(`${FOLDER}/report.pdf.download`)
    await w.pass(20 * 60_000)
    expect(stored(w)).toEqual([])
  })

  it('is an empty file like any other without a download, and does not hold up others', async () => {
    const w = await open()
    w.disk.write(`${FOLDER}/empty.txt`, '')
    w.disk.write(`${FOLDER}/movie.mkv.part`, 'half')
    w.disk.write(`${FOLDER}/full.txt`, 'full')
    await w.pass(1000)
    expect(stored(w)).toEqual([sha('full')])
    await w.pass(5000)
    expect(stored(w).toSorted()).toEqual([sha('full'), sha('')].toSorted())
  })
})

describe('a write through a memory mapping', () => {
  it('is found without an event, long before the rescan', async () => {
    const w = await open()
    const path = `${FOLDER}/mapped.bin`
    w.disk.write(path, 'one')
    await w.pass(2000)
    w.disk.poke(path, 'two', true)
    await w.pass(30_000)
    w.disk.poke(path, 'three', true)
    await w.pass(4 * 60_000)
    expect(stored(w)).toEqual(['one', 'two', 'three'].map(sha))
  })

  it('is found even if the mtime doesn’t change, once the mapping is gone', async () => {
    const w = await open()
    const path = `${FOLDER}/mapped.bin`
    w.disk.write(path, 'one')
    w.disk.mapped.add(path)
    await w.pass(1000)
    w.disk.poke(path, 'two', false)
    await w.pass(5 * 60_000)
    w.disk.mapped.delete(path)
    await w.pass(10 * 60_000)
    expect(stored(w)).toEqual(['one', 'two'].map(sha))
  })

  it('leaves nothing to do after a few checks', async () => {
    const w = await open()
    for (let i = 0; i < 400; i++) w.disk.write(`${FOLDER}/${i}.txt`, `${i}`)
    await w.until(() => w.allSettled())
    await w.pass(9 * 60_000)
    const before = w.disk.stats()
    await w.pass(60_000)
    // The rescan reads directory listings and doesn't call stat on single files, only on rules and marks in
    // the folder and above it.
    expect(w.disk.stats() - before).toBeLessThan(40)
  })
})
