// Loading the texts of a language: once, and again if its file couldn't be read.
// Vitest's module mocks take the place of a missing file.
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { loadTexts, textsStore } from '../../../../src-renderer/state/texts.ts'
import { bootOf, installBridge, ok } from '../fake-bridge.ts'

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

it('leaves out a notice whose language can’t be loaded, without an unhandled rejection', async () => {
  vi.resetModules()
  vi.doMock('../../../../src-shared/i18n/en/english.ts', () => {
    throw new Error('no such file')
  })
  onTestFinished(() => {
    vi.doUnmock('../../../../src-shared/i18n/en/english.ts')
    vi.unstubAllGlobals()
  })
  const unhandled = vi.fn<(error: unknown) => void>()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  const bridge = installBridge()
  const { start } = await import('../../../../src-renderer/state/events.ts')
  start()
  await bridge.answer('boot', ok(bootOf()))
  bridge.say(1, {
    kind: 'engine',
    event: { seq: 1, kind: 'notice', level: 'info', title: 'Look', hint: null },
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(unhandled).not.toHaveBeenCalled()
})
