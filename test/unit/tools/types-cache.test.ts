// What makes `npm run check` check all types again, because tsc itself doesn't notice.
import { expect, it } from 'vitest'
import { isGlobal, typesKey } from '../../tools/types-cache.ts'

const TREE = {
  'README.md': 'Slipway',
  'package-lock.json': '{}',
  'src-renderer/env.d.ts': 'interface Window { a: number }',
  'src-shared/a.ts': 'export const a = 1',
  'tsconfig.json': '{ "strict": true }',
}
const keyOf = (change: Readonly<Record<string, string>>) => {
  const tree: Readonly<Record<string, string>> = { ...TREE, ...change }
  return typesKey(Object.keys(tree).toSorted(), (file) => tree[file] ?? '')
}

it.each([
  ['the compiler options', { 'tsconfig.json': '{ "strict": false }' }],
  ['the packages', { 'package-lock.json': '{ "a": 1 }' }],
  ['a global type', { 'src-renderer/env.d.ts': 'interface Window { a: string }' }],
  ['the list of files', { 'src-shared/b.ts': 'export const b = 1' }],
])('is a change of %s', (_name, change) => {
  expect(keyOf(change)).not.toBe(keyOf({}))
})

it.each([
  ['a module', { 'src-shared/a.ts': 'export const a = 2' }],
  ['a text', { 'README.md': 'Slipway 2' }],
])('is no change of %s', (_name, change) => {
  expect(keyOf(change)).toBe(keyOf({}))
})

it.each([
  ['a.d.ts', 'export type A = 1', true],
  ['a.ts', 'export {}\ndeclare global {\n  interface Window { a: number }\n}', true],
  ['a.ts', "import 'b'\ndeclare module 'b' {}", true],
  ['a.ts', 'const everywhere = 1', true],
  ['a.ts', "import { b } from './b.ts'\nb()", false],
  ['a.tsx', '// One.\nexport const A = () => <p />', false],
])('%s with %j is global: %s', (file, source, expected) => {
  expect(isGlobal(file, source)).toBe(expected)
})
