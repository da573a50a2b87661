// Typed ignore rules: which lines become rules, which keep the previous rules in effect, and the hint for
// each unusual line. Rules reported as usable are checked against the engine, too.
import { describe, expect, it } from 'vitest'
import { createIgnoreRules, NO_RULES } from '../../../../src-main/engine/rules/ignore-rules.ts'
import { readRules } from '../../../../src-renderer/lib/ignore-rules.ts'

describe('readRules', () => {
  it('leaves out empty lines, comments and spaces at the ends', () => {
    expect(readRules('\n# drafts\n *.bak\r\n\n drafts/ \n')).toEqual({
      rules: ['*.bak', 'drafts/'],
      hints: [{ line: 5, fault: false, what: 'spaces' }],
      usable: true,
    })
  })

  it.each([
    ['*.bak', null],
    ['drafts/', null],
    ['/only-here', null],
    ['a/**/b', null],
    ['**/node_modules', null],
    ['[a-z]*.tmp', null],
    ['[]]x', null],
    ['[!a].x', null],
    ['\\[x', null],
    ['\\#not-a-comment', null],
    ['\\!not-a-way-back', null],
    ['name\\ ', null],
    ['!important.bak', 'lets'],
    ['./drafts', 'relative'],
    ['*', 'everything'],
    ['**', 'everything'],
    ['/*', 'everything'],
    ['**/*', 'everything'],
    ['*.{jpg,png}', 'brace'],
  ])('takes %j (%s)', (line, note) => {
    const read = readRules(line)
    expect(read.usable).toBe(true)
    expect(read.rules).toHaveLength(1)
    expect(read.hints).toEqual(note === null ? [] : [{ line: 1, fault: false, what: note }])
  })

  it.each([
    ['drafts\\old', 'backslash'],
    ['drafts\\', 'backslash'],
    ['C:\\Users\\ada', 'absolute'],
    ['c:/x', 'absolute'],
    ['\\\\server\\share', 'absolute'],
    ['/home/ada/Share/x', 'absolute'],
    ['/Users/ada/x', 'absolute'],
    ['~/x', 'absolute'],
    ['[a-z', 'bracket'],
    ['[]', 'bracket'],
    ['[!]', 'bracket'],
    ['!', 'nothing'],
    ['! ', 'nothing'],
    ['x'.repeat(4097), 'long'],
  ])('refuses %j', (line, what) => {
    expect(readRules(`*.bak\n${line}`)).toEqual({
      rules: ['*.bak'],
      hints: [{ line: 2, fault: true, what }],
      usable: false,
    })
  })

  it('keeps a rule that stands there twice once', () => {
    expect(readRules('*.bak\nx\n*.bak')).toEqual({
      rules: ['*.bak', 'x'],
      hints: [{ line: 3, fault: false, what: 'again' }],
      usable: true,
    })
  })

  it.each([
    ['excludes again what an exception lets in', ['*.log', '!public.log', '*.log'], 'public.log', true],
    [
      'lets in again what a later rule excludes',
      ['!public.log', '*.log', '!public.log'],
      'public.log',
      false,
    ],
  ])('keeps a repeated rule that %s', (_name, typed, path, isExcluded) => {
    const { rules, usable } = readRules(typed.join('\n'))
    expect({ rules, usable }).toEqual({ rules: typed, usable: true })
    expect(createIgnoreRules({ ...NO_RULES, patterns: rules }).file(path, 1) !== null).toBe(isExcluded)
  })

  it('refuses more rules than the settings hold', () => {
    const read = readRules(Array.from({ length: 1001 }, (_, i) => `x${i}`).join('\n'))
    expect(read.hints).toEqual([{ line: 1001, fault: true, what: 'many' }])
    expect(read.usable).toBe(false)
  })

  it('gives rules that catch what they say', () => {
    const { rules } = readRules('*.bak\n./drafts/\n!keep.bak\n[0-9]*.raw')
    const engine = createIgnoreRules({ ...NO_RULES, patterns: rules })
    expect(engine.file('a/b.bak', 1)).not.toBeNull()
    expect(engine.dir('drafts')).not.toBeNull()
    expect(engine.file('keep.bak', 1)).toBeNull()
    expect(engine.file('01.raw', 1)).not.toBeNull()
    expect(engine.file('photo.jpg', 1)).toBeNull()
  })
})

it('takes absolute paths where rules begin at the top of the disk', () => {
  expect(readRules('/home/ada/Private/\nC:/Users/Ada/\n*.psd', 'disk')).toMatchObject({
    usable: true,
    hints: [],
  })
  expect(readRules('~/Private/', 'disk').hints).toEqual([{ line: 1, fault: true, what: 'absolute' }])
  expect(readRules('C:\\Users\\Ada', 'disk').hints).toEqual([{ line: 1, fault: true, what: 'backslash' }])
})
