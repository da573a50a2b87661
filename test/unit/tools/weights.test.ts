// The weights of the house, each with a small house whose weight is known.
import { expect, it } from 'vitest'
import { crumbsIn, linesOf, optionCallbacks, wayWeights, wideLines } from '../../tools/weights.ts'

it('counts every return to a folder that the way has left, but not the files within one folder', () => {
  expect(wayWeights(['a/1.ts', 'a/2.ts', 'b/1.ts', 'a/3.ts', 'c/1.ts', 'b/2.ts'])).toEqual({
    files: 6,
    changes: 4,
    returns: 2,
  })
  expect(wayWeights([])).toEqual({ files: 0, changes: 0, returns: 0 })
})

it('counts the functions that are handed over in options, and nothing else', () => {
  const source = `
    interface FolderOptions { readonly roots: () => string[]; isOpen(id: number): boolean; readonly name: string }
    type LookOptions = { readonly done: (value: string) => void }
    interface Clock { now(): number }
  `
  expect(optionCallbacks('a.ts', source)).toBe(3)
})

it('names a small file that only one other imports', () => {
  const large = '\n'.repeat(60)
  const sources = new Map([
    ['a/crumb.ts', 'export const one = 1'],
    ['a/shared.ts', 'export const two = 2'],
    ['a/large.ts', `${large}import { two } from './shared.ts'`],
    [
      'b/main.ts',
      `import { one } from '../a/crumb.ts'\nimport { two } from '../a/shared.ts'\nimport '../a/large.ts'`,
    ],
  ])
  expect(crumbsIn(sources)).toEqual(['a/crumb.ts'])
})

it('counts lines and wide lines', () => {
  expect(linesOf('one\ntwo\n')).toBe(2)
  expect(wideLines(`${'x'.repeat(121)}\n${'x'.repeat(120)}\n`)).toBe(1)
})
