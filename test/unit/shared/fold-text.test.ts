// Folding text for searching: case, accents, and characters that are written in several ways.
// The engine's search and those of the window use the same function.
import { describe, expect, it } from 'vitest'
import { foldText } from '../../../src-shared/fold-text.ts'

describe('folded text', () => {
  it.each([
    ['RESUME', 'resume'],
    ['Résumé', 'resume'],
    ['Ärger Öl Übung', 'arger ol ubung'],
    // Composed and decomposed, as written by different disks.
    ['\u00e9', 'e'],
    ['e\u0301', 'e'],
    ['ﬁle', 'file'],
    ['日本語', '日本語'],
    ['50 % off_now', '50 % off_now'],
  ])('of %j is %j', (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })
})
