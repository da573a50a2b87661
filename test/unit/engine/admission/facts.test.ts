// The facts about directories: how much of the disk is examined for them.
import { expect, it } from 'vitest'
import { createAdmission } from '../../../../src-main/engine/admission/facts.ts'
import { createOwnPlaces } from '../../../../src-main/engine/admission/own-places.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { createMemDisk, type MemDisk } from '../../../world/mem-disk.ts'

const DIR = '/home/someone/project'

async function examined(disk: MemDisk): Promise<number> {
  const own = await createOwnPlaces(disk, { dirs: [], pasted: null }, () => [])
  const guard = { byName: () => null }
  const admission = createAdmission({ disk, clock: createFakeClock(), guard, own, watched: () => [], isOpen: () => true })
  const before = disk.stats()
  await admission.chain(DIR)
  return disk.stats() - before
}

it('examines four paths for each directory, and more only where a data folder of Slipway is likely', async () => {
  const disk = createMemDisk(createFakeClock())
  disk.mkdir(DIR)
  const directories = ['/', '/home', '/home/someone', DIR].length
  expect(await examined(disk)).toBe(4 * directories)
  disk.write(`${DIR}/accounts.json`, '{}')
  expect(await examined(disk)).toBe(4 * directories + 3)
})
