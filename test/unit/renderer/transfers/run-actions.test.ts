// The calls for actions on transfers, compared with the contract: each one covers all transfers that the user
// selected.
import { beforeEach, describe, expect, it } from 'vitest'
import type { Words } from '../../../../src-renderer/lib/words.ts'
import { actOn, copyLinks, copyLinksOf } from '../../../../src-renderer/views/transfers/run-actions.ts'
import { createFormats } from '../../../../src-shared/i18n/formats.ts'
import { textsOf } from '../../../../src-shared/i18n/texts.ts'
import { appProcedures } from '../../../../src-shared/window-contract.ts'
import { type FakeBridge, installBridge, ok, REFUSED } from '../fake-bridge.ts'
import { transfer } from './sample.ts'

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

describe('copying the links of rows, some of which have none', () => {
  const linked = transfer({ id: 1, state: 'done', publicLink: 'https://files.example.com/download/a' })
  const open = [
    transfer({ id: 2, state: 'uploading' }),
    transfer({ id: 3, state: 'done' }),
    transfer({ id: 4, state: 'held' }),
  ]
  const over = [
    transfer({ id: 5, state: 'cancelled' }),
    transfer({ id: 6, state: 'gone' }),
    transfer({ id: 7, state: 'done', ended: 'deleted' }),
  ]

  it('reports those that may still get one', async () => {
    const copying = copyLinksOf(en, [linked, ...open, ...over], null)
    expect(bridge.calls).toEqual([{ name: 'copyTransferLinks', input: { ids: [1], style: null } }])
    await bridge.answer('copyTransferLinks', ok({ count: 1, missing: 0, text: '' }))
    expect(await copying).toEqual({ count: 1, missing: 3 })
  })

  it('copies nothing if none has one', async () => {
    expect(await copyLinksOf(en, over, null)).toEqual({ count: 0, missing: 3 })
    expect(bridge.calls).toEqual([])
  })

  it('reports nothing but the failure if it fails', async () => {
    const copying = copyLinksOf(en, [linked, ...open], null)
    await bridge.answer('copyTransferLinks', REFUSED)
    expect(await copying).toBeNull()
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
