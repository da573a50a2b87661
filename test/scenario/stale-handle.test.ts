// A large file on a network drive whose open handle becomes stale while the answer to its upload is under
// way, because the file is replaced on the server or the drive disconnects. What is stored keeps its link and
// isn't sent again.
import { expect, it } from 'vitest'
import { DiskError, type OpenFile } from '../../src-main/engine/ports.ts'
import type { FaultKind } from '../service/faults.ts'
import { FOLDER, type World } from '../world/world.ts'
import { openWorld } from './open-world.ts'

/** Larger than what is read completely before it is sent. */
const CONTENT = 'f'.repeat(3 * 1024 * 1024)

/** A world in which every handle that was opened before the upload was stored can't be examined after it. */
async function stale(): Promise<World> {
  const w = await openWorld()
  const isStored = (): boolean => w.service.ledger.files().length > 0
  const open = w.disk.open
  const opened = async (path: string): Promise<OpenFile> => {
    const file = await open(path)
    if (isStored()) return file
    const stat = async () => {
      if (isStored()) throw new DiskError({ code: 'io', message: 'ESTALE: stale file handle' })
      return file.stat()
    }
    return { ...file, stat }
  }
  Object.assign(w.disk, { open: opened })
  w.disk.write(`${FOLDER}/film.mov`, CONTENT)
  return w
}

it.each<[string, readonly FaultKind[]]>([
  ['arrives', []],
  ['is lost', ['cut-after-store']],
])('is sent once if the response %s', async (_name, kinds) => {
  const w = await stale()
  if (kinds.length > 0) w.service.setFaults({ rules: [{ on: 'upload', nth: 1, kinds }] })
  await w.watch()
  await w.until(() => w.allSettled())
  await w.pass(60_000)
  expect(await w.byName('film.mov')).toMatchObject({ state: 'done' })
  expect(w.service.ledger.files()).toMatchObject([{ deletedAt: null }])
})
