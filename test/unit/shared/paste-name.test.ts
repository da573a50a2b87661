// How pasted content and screenshots are named: the words of a pattern, and that every result is a valid name
// on every system, whatever the pattern is.
import { assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { common as german } from '../../../src-shared/i18n/de/common.ts'
import { common as english } from '../../../src-shared/i18n/en/common.ts'
import { pasteName } from '../../../src-shared/paste-name.ts'

const NOW = new Date(2026, 10, 4, 9, 5, 7).getTime()
const name = (pattern: string | null): string => pasteName(pattern, 'screenshot', NOW, english.pasteNames)

describe('a name', () => {
  it.each([
    [null, 'Screenshot 2026-11-04 at 09.05.07'],
    ['Shot {date} {time}', 'Shot 2026-11-04 09.05.07'],
    ['{kind}', 'Screenshot'],
    ['{other} {date}', '{other} 2026-11-04'],
    ['$& {time}', '$& 09.05.07'],
    ['', 'Screenshot 2026-11-04 at 09.05.07'],
    [' .. ', 'Screenshot 2026-11-04 at 09.05.07'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a-b-c-d-e-f-g-h-i-j'],
    ['../../.ssh/{date}', '-..-.ssh-2026-11-04'],
    ['.hidden', 'hidden'],
    ['ends. . ', 'ends'],
    ['con', '_con'],
    ['COM1.x', '_COM1.x'],
    ['console', 'console'],
    ['tab\there\nand\u202eback', 'tab here and back'],
    ['x'.repeat(300), 'x'.repeat(80)],
    [`${'x'.repeat(79)}😀`, 'x'.repeat(79)],
  ])('%j becomes %j', (pattern, expected) => {
    expect(name(pattern)).toBe(expected)
  })

  it('by default is in the language', () => {
    expect(pasteName(null, 'text', NOW, german.pasteNames)).toBe('Text 2026-11-04 um 09.05.07')
  })

  it('is valid on every system', () => {
    const pieces = constantFrom(
      '/',
      '\\',
      ':',
      '.',
      ' ',
      '\0',
      '\u202e',
      '😀',
      '{date}',
      '{kind}',
      'nul',
      '\ud800',
    )
    assert(
      property(string({ unit: pieces, maxLength: 40 }), (pattern) => {
        const got = name(pattern)
        expect(got).toMatch(/^[^\s./\\:*?"<>|\p{Cc}]+(?:[ .]+[^\s./\\:*?"<>|\p{Cc}]+)*$/u)
        expect(got.isWellFormed()).toBe(true)
        expect(got).not.toMatch(/^nul(?:$|[.\s])/i)
        expect(Buffer.byteLength(got)).toBeLessThan(245)
      }),
    )
  })
})
