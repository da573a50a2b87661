// Which licences a package may have. What ends in the program must ask for no more than naming its authors; a tool may be copyleft by file.
// It judges SPDX expressions; it does not read licence texts.

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
  // Fonts: asks for its text to go along (dist/licences.txt), and that a changed font gets another name.
  'OFL-1.1',
]
const FOR_TOOLS: readonly string[] = [...FOR_THE_PROGRAM, 'MPL-2.0', 'Python-2.0', 'WTFPL']

/** True where the expression can be met: every part of an AND, one part of an OR. Anything more tangled is for a person to look at. */
export function allowed(expression: string, use: 'program' | 'tool'): boolean {
  const list = use === 'program' ? FOR_THE_PROGRAM : FOR_TOOLS
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((one) => list.includes(one)))
}
