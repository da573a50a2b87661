// How often nested folders whose watch has ended are searched for. Scenario tests (watch-ends-inside.test.ts)
// cover what is found in them.
import { expect, it } from 'vitest'
import { LeftInside } from '../../../../src-main/engine/find/left-inside.ts'

it('searches the ended folders once for all files of a directory', () => {
  let searched = 0
  const ended = { innerId: 2, path: '', rootDev: 1, rootIno: 7, endedAt: 6000, counted: false }
  const one = Object.defineProperty(ended, 'path', { get: () => (searched++, '/watched/inner') })
  const files = {
    endedInside: () => [one],
    setCountedInside: () => undefined,
    dirsBelow: () => [],
    file: () => null,
  }
  const left = new LeftInside({ files, folder: { id: 1, path: '/watched' } })
  left.around('photos')
  const once = searched
  for (let i = 0; i < 1000; i++) expect(left.around('photos')).toBe(null)
  expect(searched).toBe(once)
})
