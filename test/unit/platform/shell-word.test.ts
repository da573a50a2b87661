// Words in commands that the user copies: a real shell must read them as they are.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { shownWord } from '../../../src-main/platform/data/shell-word.ts'

const NAMES = [
  'a.txt',
  'My Docs/a.txt',
  "it's",
  '$(touch owned)',
  '`x`',
  '"quoted"',
  'a\\b',
  '*',
  '-n',
  'ä ö',
  '',
  '~root',
  '#x',
  'a;b&c|d',
]

describe('a quoted word', () => {
  it.skipIf(process.platform === 'win32')('is read as it is by a shell', () => {
    const read = (name: string): string =>
      execFileSync('/bin/sh', ['-c', `printf '%s' ${shownWord(name, 'linux')}`]).toString()
    for (const name of NAMES) expect(read(name)).toBe(name)
  })

  it('leaves the home folder to the shell', () => {
    expect(['~/a', "~/it's here", '~ x'].map((word) => shownWord(word, 'linux'))).toEqual([
      '~/a',
      "~/'it'\\''s here'",
      "'~ x'",
    ])
  })

  it('is in double quotes on Windows', () => {
    expect(['C:\\Users\\u\\a.txt', 'C:\\My Docs'].map((word) => shownWord(word, 'win32'))).toEqual([
      'C:\\Users\\u\\a.txt',
      '"C:\\My Docs"',
    ])
  })
})
