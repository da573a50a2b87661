// The licences that a package may have. Code inside the program may require no more than attribution; tools
// may have file-level copyleft. Evaluates SPDX expressions; doesn't read licence texts.

const FOR_THE_PROGRAM: readonly string[] = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'CC0-1.0',
  'BlueOak-1.0.0',
  'Unlicense',
  // Fonts: the licence text must be included (dist/licences.txt), and a modified font needs another name.
  'OFL-1.1',
]
const FOR_TOOLS: readonly string[] = [...FOR_THE_PROGRAM, 'MPL-2.0', 'Python-2.0', 'WTFPL']

/**
 * Whether the expression can be satisfied: all parts of an AND, one part of an OR. More complex expressions
 * need a person's decision.
 */
export function allowed(expression: string, use: 'program' | 'tool'): boolean {
  const list = use === 'program' ? FOR_THE_PROGRAM : FOR_TOOLS
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((one) => list.includes(one)))
}
