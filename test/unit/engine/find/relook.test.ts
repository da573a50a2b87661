// How often a file is checked again after it was considered finished: a few times, and for longer while it is
// mapped for writing. The disk is in memory and the clock is fake; scenario tests use real mappings.
import { expect, it } from 'vitest'
import { createRelook } from '../../../../src-main/engine/find/content-check.ts'
import { createFakeClock } from '../../../world/fake-clock.ts'
import { createMemDisk } from '../../../world/mem-disk.ts'

const DAY_MS = 24 * 3_600_000

it.each([
  ['that is not mapped seven times', false, 7],
  ['that stays mapped another 24 times', true, 31],
])('checks a file %s', async (_what, isMapped, checks) => {
  const clock = createFakeClock()
  const disk = createMemDisk(clock)
  disk.mkdir('/in')
  disk.write('/in/f.bin', 'data')
  if (isMapped) disk.mapped.add('/in/f.bin')
  const { entry } = await disk
    .resolve('/in/f.bin')
    .then((found) => ('entry' in found ? found : Promise.reject(new Error(found.code))))
  const moved: string[] = []
  const mapped: string[] = []
  const before = disk.stats()
  const relook = createRelook({
    clock,
    disk,
    onMoved: (path) => moved.push(path),
    onMapped: (path) => mapped.push(path),
  })
  relook.watch('/in/f.bin', entry)
  await clock.advance(DAY_MS)
  expect(disk.stats() - before).toBe(checks)
  expect([moved, mapped]).toEqual([[], isMapped ? ['/in/f.bin'] : []])
  expect(clock.next()).toBeNull()
  relook.close()
})
