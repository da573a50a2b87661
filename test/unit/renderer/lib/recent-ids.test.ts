// IDs are remembered for as long as they are needed, and however many there are, they don't add up.
import { expect, it } from 'vitest'
import { RecentIds } from '../../../../src-renderer/lib/recent-ids.ts'

it('knows an ID for its time after it was last added', () => {
  const ids = new RecentIds(10_000)
  ids.add(1, 0)
  ids.add(2, 4000)
  ids.add(1, 9000)
  ids.add(3, 14_001)
  expect([1, 2, 3].map((id) => ids.has(id))).toEqual([true, false, true])
  ids.clear()
  expect([ids.has(1), ids.size]).toEqual([false, 0])
})

it('keeps no more of 2,000 IDs than those of its time', () => {
  const ids = new RecentIds(10_000)
  for (let id = 1; id <= 2000; id++) ids.add(id, id * 100)
  expect(ids.size).toBe(101)
})
