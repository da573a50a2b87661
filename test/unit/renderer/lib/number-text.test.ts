// What is typed into number fields, in both languages, and where their buttons go.
import { describe, expect, test } from 'vitest'
import { readNumber, stepped } from '../../../../src-renderer/components/number-input.tsx'

describe('readNumber', () => {
  test.each([
    ['12', 'en', 12],
    [' 12 ', 'en', 12],
    ['0.5', 'en', 0.5],
    ['.5', 'en', 0.5],
    ['5.', 'en', 5],
    ['0,5', 'en', 0.5],
    ['1,000', 'en', 1000],
    ['1,000.25', 'en', 1000.25],
    ['10,000,000', 'en', 10_000_000],
    ['0,5', 'de', 0.5],
    ['0.5', 'de', 0.5],
    ['1.000', 'de', 1000],
    ['1.000,25', 'de', 1000.25],
    ['10\u00a0000', 'de-AT', 10_000],
    ['10 000,25', 'de-AT', 10_000.25],
    ['10.000', 'de-AT', 10_000],
    ['10’000.5', 'de-CH', 10_000.5],
    ["1'000'000", 'de-CH', 1_000_000],
    ['10 000', 'en-ZA', 10_000],
  ])('%j in %s is %d', (text, locale, expected) => {
    expect(readNumber(text, locale)).toBe(expected)
  })

  test.each([
    '',
    ' ',
    '-1',
    '+1',
    '1e3',
    '0x10',
    '1 2',
    '.',
    ',',
    'Infinity',
    'NaN',
    '1,00,0',
    '1.0.0',
    '٣',
    '4 MB/s',
  ])('%j is none', (text) => {
    expect(readNumber(text, 'en')).toBeNull()
    expect(readNumber(text, 'de')).toBeNull()
  })
})

test.each(['de-AT', 'de-CH', 'en-ZA', 'en', 'de'])('numbers as %s writes them are read', (locale) => {
  for (const number of [0.25, 1000, 10_000, 1_234_567.5])
    expect(readNumber(new Intl.NumberFormat(locale).format(number), locale)).toBe(number)
  expect(readNumber('1 2', locale)).toBeNull()
  expect(readNumber("1 000'000", locale)).toBeNull()
})

describe('stepped', () => {
  const whole = { min: 1, max: 16, step: 1 }
  const halves = { min: 0.01, max: 10, step: 0.5 }
  const tenths = { min: 0, max: 1, step: 0.1 }

  test.each([
    [4, 1, whole, 5],
    [4, -1, whole, 3],
    [1, -1, whole, 1],
    [16, 1, whole, 16],
    [0.7, 1, halves, 1],
    [0.7, -1, halves, 0.5],
    [0.5, -1, halves, 0.5],
    [0.2, -1, halves, 0.2],
    [0.2, 1, halves, 0.5],
    [9.8, 1, halves, 10],
    [0.3, 1, tenths, 0.4],
    [0.3, -1, tenths, 0.2],
    [0.7, -1, tenths, 0.6],
  ] as const)('from %d by %d in %j is %d', (value, direction, steps, expected) => {
    expect(stepped(value, direction, steps)).toBe(expected)
  })
})
