// Searching in the palette: words in any order, and typing errors if nothing else matches.
// Which commands exist isn't tested here.
import { describe, expect, it } from 'vitest'
import { matchesAll, matchesNearly, searchWords } from '../../../../src-renderer/lib/search-text.ts'

const nearly = (typed: string, text: string): boolean => matchesNearly(searchWords(typed), text)

describe('typing errors', () => {
  it.each([
    ['markdwon', 'Copy link as Markdown', 'two letters swapped'],
    ['mrkdown', 'Copy link as Markdown', 'a letter missing'],
    ['delette', 'Delete selected files', 'a letter too many'],
    ['delte sel', 'Delete selected files', 'only the beginning of a word'],
    ['lamguage', 'Language: English', 'a wrong letter'],
    ['wacth', 'Watch folder…', 'at the end of a word, before a sign'],
    ['loschen', 'Ausgewählte Dateien löschen', 'an accent left out'],
    ['einstelungen', 'Gehe zu Einstellungen', 'in a long German word'],
  ])('%s finds “%s”: %s', (typed, text) => {
    expect(nearly(typed, text)).toBe(true)
  })
  it.each([
    ['log', 'Language: English', 'three letters are matched exactly'],
    ['watch', 'Pause all', 'another word'],
    ['delete', 'Details', 'three errors'],
    ['pavz', 'Pause all', 'two errors in a short word'],
    ['copy xylophone', 'Copy link', 'one of two words'],
  ])('%s does not find “%s”: %s', (typed, text) => {
    expect(nearly(typed, text)).toBe(false)
  })
  it('needs none where the words are there', () => {
    expect(matchesAll(searchWords('LINK cop'), 'Copy link')).toBe(true)
    expect(matchesAll(searchWords('markdwon'), 'Copy link as Markdown')).toBe(false)
  })
})
