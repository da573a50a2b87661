// What a watch says about its files if no engine answers at the end, and that it doesn't remember more paths
// for that than it has to.
import { expect, it } from 'vitest'
import { reportedSums, UploadedPaths } from '../../../src-main/cli/follow/reported-sums.ts'
import { transfer } from './world.ts'

it('counts a file once, by its newest version', () => {
  const uploaded = new UploadedPaths()
  for (const path of ['/in/a', '/in/b', '/in/a']) uploaded.add(path)
  const rest = [
    transfer(3, { path: '/in/b', state: 'held', reason: 'secret' }),
    transfer(4, { path: '/in/c' }),
  ]
  expect(reportedSums(uploaded, rest)).toEqual({
    seen: 3,
    uploaded: 1,
    waiting: 1,
    held: 1,
    failed: 0,
    ignored: 0,
  })
})

it('keeps the number of all files, but not all paths', () => {
  const uploaded = new UploadedPaths()
  uploaded.add('/in/first')
  uploaded.add('/in/second')
  uploaded.add('/in/first')
  for (let n = 3; n <= 100_001; n++) uploaded.add(`/in/${n}`)
  expect([
    uploaded.size,
    uploaded.has('/in/second'),
    uploaded.has('/in/first'),
    uploaded.has('/in/100001'),
  ]).toEqual([100_001, false, true, true])
})
