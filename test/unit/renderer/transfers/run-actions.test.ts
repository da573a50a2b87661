// The calls for actions on transfers, compared with the contract: each one covers all transfers that the user selected.
import { beforeEach, describe, expect, it } from 'vitest'
import type { Words } from '../../../../src-renderer/lib/words.ts'
import { actOn, copyLinks } from '../../../../src-renderer/views/transfers/run-actions.ts'
import { appProcedures } from '../../../../src-shared/app.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import { type FakeBridge, installBridge, ok } from '../fake-bridge.ts'

const en: Words = { t: textsOf('en'), f: createFormats('en-GB', textsOf('en').time) }
const ids = Array.from({ length: 2500 }, (_, i) => i + 1)

let bridge: FakeBridge
beforeEach(() => {
  bridge = installBridge()
})

describe('copying links', () => {
  it('is one call for any number of transfers, so that the clipboard gets all of them', async () => {
    const copying = copyLinks(en, ids, 'markdown')
    expect(bridge.calls).toEqual([{ name: 'copyTransferLinks', input: { ids, style: 'markdown' } }])
    expect(appProcedures.copyTransferLinks.input.safeParse(bridge.calls[0]?.input).success).toBe(true)
    await bridge.answer('copyTransferLinks', ok({ count: 2499, missing: 1, text: '' }))
    expect(await copying).toMatchObject({ count: 2499, missing: 1 })
  })
})

describe('other actions', () => {
  it('take several calls, whose results are added up', async () => {
    const retrying = actOn(en, 'retry', ids)
    for (const count of [1000, 1000, 400]) await bridge.answer('retry', ok({ count }))
    expect(await retrying).toBe(2400)
    expect(bridge.calls.flatMap((one) => (one.input as { readonly ids: readonly number[] }).ids)).toEqual(ids)
  })
})
