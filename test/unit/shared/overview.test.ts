// When uploads are done: rounded up to a minute, and with the day unless it is today.
// Both surfaces that say so, the tray and the window, use this one rule.
import { describe, expect, it } from 'vitest'
import { createFormats } from '../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../src-shared/i18n/texts.ts'
import { doneTime } from '../../../src-shared/overview.ts'

const HOUR = 3_600_000
const formats = createFormats('en-GB', textsOf('en').time)
const now = new Date(2026, 10, 20, 14, 3, 20).getTime()

describe('doneTime', () => {
  it.each([
    ['soon', 10_000, '14:04'],
    ['at the full minute', 40_000, '14:04'],
    ['late today', 9 * HOUR, '23:04'],
    ['after midnight', 16 * HOUR, '21 Nov, 06:04'],
    ['a day later, at the same time', 24 * HOUR, '21 Nov, 14:04'],
    ['on the same day of another month', 30 * 24 * HOUR, '20 Dec, 14:04'],
  ])('%s', (_name, leftMs, expected) => {
    expect(doneTime(leftMs, now, formats)).toBe(expected)
  })
})
