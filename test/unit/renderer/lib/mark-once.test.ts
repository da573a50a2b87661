// Marks for measurements don't add up while the window is used.
import { afterEach, expect, it } from 'vitest'
import { markOnce } from '../../../../src-renderer/lib/mark-once.ts'
import { readTree, treeFiles } from '../../../tools/tree.ts'

afterEach(() => performance.clearMarks())

it('sets one mark, at the first time', () => {
  markOnce('rows')
  const [first] = performance.getEntriesByName('rows')
  for (let i = 0; i < 2000; i++) markOnce('rows')
  expect(performance.getEntriesByName('rows')).toEqual([first])
})

it('is the only way in which the window sets marks', () => {
  const sources = treeFiles().filter((file) => /^src-renderer\/.*\.tsx?$/.test(file))
  expect(sources.filter((file) => readTree(file).includes('performance.mark('))).toEqual([
    'src-renderer/lib/mark-once.ts',
  ])
})
