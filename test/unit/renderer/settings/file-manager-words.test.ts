// The texts in the settings about file manager menus: where the entry is, what was just done, and what
// failed, in both languages. The name of each file manager is followed by where to find the entry.
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../src-renderer/views/settings/links-section.tsx'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'

const view = (on: readonly ('nautilus' | 'nemo')[], failed: readonly 'nemo'[] = []) => ({
  managers: (['nautilus', 'nemo'] as const).map((name) => ({ name, isOn: on.includes(name) })),
  failed: [...failed],
})

describe('linesOf', () => {
  it.each([
    [view([]), null, ['The entry can be in: Files (under Scripts), Nemo.']],
    [view(['nemo']), null, ['The entry is in: Nemo.', 'The entry can be in: Files (under Scripts).']],
    [view(['nautilus', 'nemo']), true, ['Added to: Files (under Scripts), Nemo.']],
    [view([]), false, ['Removed from: Files (under Scripts), Nemo.']],
  ])('%j, asked for %s', (state, asked, lines) => {
    expect(linesOf(state, asked, textsOf('en')).map((line) => line.text)).toEqual(lines)
  })

  it.each([
    [
      'en',
      true,
      view(['nautilus'], ['nemo']),
      ['Added to: Files (under Scripts).', 'Couldn’t change the menu of: Nemo.'],
    ],
    [
      'de',
      false,
      view(['nemo'], ['nemo']),
      ['Entfernt: Dateien (unter „Skripte“).', 'Das Menü ließ sich nicht ändern: Nemo.'],
    ],
  ] as const)('%s: says what could not be done as a fault, not as done', (language, asked, state, texts) => {
    const lines = linesOf(state, asked, textsOf(language))
    expect(lines.map((line) => line.isFault)).toEqual([false, true])
    for (const [at, text] of texts.entries()) expect(lines[at]?.text.startsWith(text)).toBe(true)
  })
})
