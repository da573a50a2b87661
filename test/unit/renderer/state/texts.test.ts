// Loading the texts of a language: once, and again if its file couldn't be read.
// Vitest's module mocks take the place of a missing file.
import { afterEach, expect, it, vi } from 'vitest'
import { loadTexts, textsStore } from '../../../../src-renderer/state/texts.ts'

afterEach(() => vi.doUnmock('../../../../src-shared/i18n/de/german.ts'))

it('loads a language later if its file couldn’t be read at first', async () => {
  vi.doMock('../../../../src-shared/i18n/de/german.ts', () => {
    throw new Error('no such file')
  })
  await expect(loadTexts('de')).rejects.toThrow()
  expect(textsStore.getState().de).toBeUndefined()
  vi.doUnmock('../../../../src-shared/i18n/de/german.ts')
  await loadTexts('de')
  expect(textsStore.getState().de?.upload).toBe('Hochladen')
})

it('loads a language once', () => {
  expect(loadTexts('en')).toBe(loadTexts('en'))
})
