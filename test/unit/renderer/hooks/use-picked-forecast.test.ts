// The forecast of a picked folder, while its rules are changed. The hook runs in a component that draws
// nothing, so it needs no page.

import { act, createElement } from 'react'
import type { Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { usePickedForecast } from '../../../../src-renderer/hooks/use-picked-forecast.ts'
import { NO_LIMITS } from '../../../../src-shared/choices.ts'
import type { PlanForecast } from '../../../../src-shared/model.ts'
import type { Picked } from '../../../../src-shared/window-contract.ts'
import { type FakeBridge, installBridge, ok, REFUSED } from '../fake-bridge.ts'
import { createHookRoot } from '../hook-root.ts'

const FORECAST: PlanForecast = {
  files: 3,
  bytes: 300,
  already: 0,
  now: 3,
  later: 0,
  tooBig: 0,
  held: 0,
  ignored: 0,
  doneAt: null,
  limitedBy: null,
  steps: [],
}
const PICKED: Picked = { token: 'a', name: 'in', paths: 1, forecast: FORECAST }

let bridge: FakeBridge
let root: Root
let shown: Picked['forecast'] | undefined

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  bridge = installBridge()
  root = createHookRoot()
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Form({ ignore }: { readonly ignore: readonly string[] }): null {
  const rules = { onChange: 'new-link' as const, ignore: [...ignore], limits: NO_LIMITS }
  shown = usePickedForecast(PICKED, { rules, usable: true }).forecast
  return null
}

/** Shows the form with these rules, and lets the pause pass after which a forecast is requested. */
async function type(...ignore: readonly string[]): Promise<void> {
  await act(async () => root.render(createElement(Form, { ignore })))
  await act(async () => vi.advanceTimersByTime(1000))
}

it('is made again for changed rules, and stays until then', async () => {
  await type()
  await type('*.log')
  expect(shown).toEqual(FORECAST)
  await act(() => bridge.answer('planPicked', ok({ ...FORECAST, files: 2, ignored: 1 })))
  expect(shown).toMatchObject({ files: 2, ignored: 1 })
})

it('is not shown for rules for which it could not be made', async () => {
  await type()
  await type('*.log')
  await act(() => bridge.answer('planPicked', REFUSED))
  expect(shown).toBeNull()
  await type()
  expect(shown).toEqual(FORECAST)
})
