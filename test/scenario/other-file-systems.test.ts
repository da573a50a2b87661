// A watched folder on the file systems of macOS, Windows and USB sticks: names in any letter case, and times
// in steps of two seconds. Each file has one link, and the last content is what it gives.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { FileSystem } from '../world/file-systems.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

const MINUTE = 60_000

async function settle(w: World): Promise<void> {
  await w.pass(15 * MINUTE)
  await w.until(() => w.allSettled())
}

async function linkOf(w: World, name: string): Promise<string | null> {
  const found = await w.handlers.links({ selectors: [`${FOLDER}/${name}`] })
  return found.ok ? (found.value[0]?.row?.publicLink ?? null) : null
}

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex')
/** The hashes of everything that was published, in order. */
const published = (w: World): readonly string[] => w.service.ledger.files().map(({ sha256 }) => sha256)

describe.each<FileSystem>(['apfs', 'ntfs', 'fat'])('on %s', (fileSystem) => {
  const watched = async (): Promise<World> => {
    const w = await openWorld({}, { fileSystem })
    await w.watch()
    return w
  }

  it('a rename that changes only letter case sends nothing, and the link stays', async () => {
    const w = await watched()
    w.disk.write(`${FOLDER}/Größe.txt`, 'one')
    await settle(w)
    const before = await linkOf(w, 'Größe.txt')
    w.disk.rename(`${FOLDER}/Größe.txt`, `${FOLDER}/GRÖßE.TXT`)
    await settle(w)
    await w.crash()
    await settle(w)
    expect([published(w), await linkOf(w, 'GRÖßE.TXT')]).toEqual([[hashOf('one')], before])
  })

  it('a file that is saved under its name in another letter case is one file with two versions', async () => {
    const w = await watched()
    w.disk.write(`${FOLDER}/Report.txt`, 'the first')
    await settle(w)
    w.disk.write(`${FOLDER}/report.tmp`, 'the second version')
    w.disk.rename(`${FOLDER}/report.tmp`, `${FOLDER}/report.TXT`)
    await settle(w)
    expect(published(w)).toEqual([hashOf('the first'), hashOf('the second version')])
  })

  it('a file written in several steps is uploaded in its final version, even if all have the same time', async () => {
    const w = await watched()
    w.disk.write(`${FOLDER}/log.txt`, 'a')
    for (const content of ['ab', 'abc', 'xyz.']) {
      await w.clock.advance(300)
      w.disk.write(`${FOLDER}/log.txt`, content)
    }
    await settle(w)
    expect(published(w).at(-1)).toBe(hashOf('xyz.'))
  })
})
