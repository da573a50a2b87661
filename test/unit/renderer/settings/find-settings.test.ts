// The search in the settings: all words must occur in the text, ignoring case and accents.
// An empty search filters nothing.
import { describe, expect, it } from 'vitest'
import { findSettings, searchableSettings } from '../../../../src-renderer/views/settings/settings-index.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'

const all = [
  { id: 'speed', text: 'Network Speed limit Over all uploads together' },
  { id: 'theme', text: 'Appearance Light, dark, or as the system has it' },
  { id: 'start', text: 'Start Beim Anmelden öffnen' },
] as const

describe('findSettings', () => {
  it.each([
    ['', null],
    ['   ', null],
    ['speed', ['speed']],
    ['LIMIT net', ['speed']],
    ['limit theme', []],
    ['offnen', ['start']],
    ['ÖFFNEN', ['start']],
    ['l', ['speed', 'theme', 'start']],
    ['(', []],
  ])('%j', (query, expected) => {
    const found = findSettings(query, all)
    expect(found === null ? null : [...found]).toEqual(expected)
  })
})

it.each([
  ['en', 'Markdown', ['linkStyle']],
  ['en', 'Dark', ['theme']],
  ['en', 'bin', ['watched', 'addFolder']],
  ['en', 'replace key', ['key']],
  ['en', 'compact', ['density']],
  ['de', 'BBCode', ['linkStyle']],
  ['de', 'Dunkel', ['theme']],
  ['de', 'Papierkorb', ['watched', 'addFolder']],
  ['de', 'nachfragen', ['watched', 'addFolder', 'onChange']],
  ['de', 'nur probleme', ['notify']],
] as const)('finds a setting by one of its choices, %s: %s', (code, query, expected) => {
  expect([...(findSettings(query, searchableSettings(textsOf(code))) ?? [])]).toEqual(expected)
})
