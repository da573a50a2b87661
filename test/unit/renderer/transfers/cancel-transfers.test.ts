// Cancelling transfers: the card that undoes it, and the notice about those that had been uploaded by then, in
// both languages. A file that was cancelled before isn't one of them.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Words } from '../../../../src-renderer/lib/words.ts'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { cancelTransfers } from '../../../../src-renderer/views/transfers/run-actions.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import { type FakeBridge, installBridge, ok } from '../fake-bridge.ts'

const initial = appStore.getState()
let bridge: FakeBridge
beforeEach(() => {
  bridge = installBridge()
})
afterEach(() => appStore.setState(initial))

const NONE = { checking: 0, deleting: 0, deleted: 0, kept: 0 }
const en: Words = { t: textsOf('en'), f: createFormats('en-GB', textsOf('en').time) }
const de: Words = { t: textsOf('de'), f: createFormats('de-DE', textsOf('de').time) }
const shown = (words: Words): string[] =>
  appStore.getState().notices.map((one) => (one.say?.(words) ?? one).title)

it('shows a card with Undo for what was cancelled', async () => {
  const cancelling = cancelTransfers(en, [1, 2])
  const undone = { what: 'upload', name: 'a.txt', count: 2, cancelled: 2, ...NONE, redo: 'token' }
  await bridge.answer('cancel', ok({ uploaded: 0, undone }))
  await cancelling
  expect(appStore.getState().notices).toMatchObject([
    { level: 'info', title: 'Uploads cancelled', card: { name: 'a.txt', count: 2, undo: 'token' } },
  ])
})

it('says nothing of a file that was cancelled before', async () => {
  const cancelling = cancelTransfers(en, [1])
  await bridge.answer('cancel', ok({ uploaded: 0, undone: null }))
  await cancelling
  expect(shown(en)).toEqual([])
})

it('warns about those that were uploaded, and stays', async () => {
  const cancelling = cancelTransfers(en, [1])
  await bridge.answer('cancel', ok({ uploaded: 1, undone: null }))
  await cancelling
  expect(appStore.getState().notices).toMatchObject([
    {
      level: 'warning',
      title: 'Too late to cancel 1 upload',
      hint: 'The file is already uploaded and its link is public. You can delete it in Files.',
    },
  ])
  expect(shown(de)).toEqual(['1 Upload kann nicht mehr abgebrochen werden'])
})
