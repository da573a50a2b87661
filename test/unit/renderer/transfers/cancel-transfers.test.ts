// Cancelling transfers: the notice about those that had been uploaded by then, also over several calls and in
// both languages. A file that was cancelled before isn't one of them.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Words } from '../../../../src-renderer/lib/words.ts'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { cancelTransfers } from '../../../../src-renderer/views/transfers/run-actions.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import { type FakeBridge, installBridge, ok, REFUSED } from '../fake-bridge.ts'

const initial = appStore.getState()
let bridge: FakeBridge
beforeEach(() => {
  bridge = installBridge()
})
afterEach(() => appStore.setState(initial))

const en: Words = { t: textsOf('en'), f: createFormats('en-GB', textsOf('en').time) }
const de: Words = { t: textsOf('de'), f: createFormats('de-DE', textsOf('de').time) }
const shown = (words: Words): string[] =>
  appStore.getState().notices.map((one) => (one.say?.(words) ?? one).title)
const ids = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

it('says nothing where all were cancelled in time', async () => {
  const cancelling = cancelTransfers(en, [1, 2])
  await bridge.answer('cancel', ok({ count: 2 }))
  await cancelling
  expect(shown(en)).toEqual([])
})

it('says nothing of a file that was cancelled before', async () => {
  const cancelling = cancelTransfers(en, [1])
  await bridge.answer('cancel', ok({ count: 0 }))
  await cancelling
  expect(shown(en)).toEqual([])
})

it('warns about those that were uploaded, and stays', async () => {
  const cancelling = cancelTransfers(en, [1])
  await bridge.answer('cancel', ok({ count: 0, uploaded: 1 }))
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

it('adds up the calls, and those before a failure', async () => {
  const cancelling = cancelTransfers(en, ids(2500))
  await bridge.answer('cancel', ok({ count: 998, uploaded: 2 }))
  await bridge.answer('cancel', ok({ count: 997, uploaded: 3 }))
  await bridge.answer('cancel', REFUSED)
  await cancelling
  expect(bridge.calls.map((one) => (one.input as { readonly ids: readonly number[] }).ids.length)).toEqual([
    1000, 1000, 500,
  ])
  expect(shown(en)).toEqual([en.t.failures['no-connection'].title, 'Too late to cancel 5 uploads'])
})
