// The search in the settings: all words must occur in the text, ignoring case and accents.
// An empty search filters nothing.
import { describe, expect, it } from 'vitest'
import { findSettings } from '../../../../src-renderer/views/settings/settings-index.ts'

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
