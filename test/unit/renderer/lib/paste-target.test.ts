// Which pastes on the welcome screen are meant for the focused field.
// The formats are those of real browsers.
import { describe, expect, it } from 'vitest'
import { isForField } from '../../../../src-renderer/lib/paste-target.ts'

describe('a paste while a field has the focus', () => {
  it.each([
    ['a text', ['text/plain'], 'files.example.com', true],
    ['nothing', [], '', true],
    ['a table with a picture of it', ['text/plain', 'text/html', 'Files'], 'a\tb', true],
    ['an address with a picture', ['text/plain', 'Files'], 'https://files.example.com/api/v1', true],
    ['a picture', ['Files'], '', false],
    ['a file of Linux', ['text/plain', 'Files'], '/home/ada/a.txt', false],
    ['a file as an address', ['text/plain', 'Files'], 'file:///home/ada/a.txt', false],
    ['a file of Windows', ['text/plain', 'Files'], 'C:\\Users\\ada\\a.txt', false],
    ['a file of a network', ['text/plain', 'Files'], '\\\\server\\share\\a.txt', false],
    ['a path that was copied as text', ['text/plain'], '/home/ada/a.txt', true],
  ])('%s', (_name, types, text, expected) => {
    expect(isForField(types, text)).toBe(expected)
  })
})
