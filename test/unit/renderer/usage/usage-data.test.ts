// Counting the held files over the size limit, which takes several calls: a count that has been overtaken by
// a later one has no effect.
import { beforeEach, expect, it, vi } from 'vitest'
import { transfer } from '../../shell/world.ts'
import { type FakeBridge, installBridge, ok } from '../fake-bridge.ts'

// The hook is called outside of a component here, where it reads the state once.
vi.mock('zustand', () => ({
  useStore: <T, U>(store: { getState(): T }, select: (state: T) => U): U => select(store.getState()),
}))

let bridge: FakeBridge
beforeEach(() => {
  vi.resetModules()
  bridge = installBridge()
})

it('a count of many held files does not replace a later one', async () => {
  const { loadOver, useUsage } = await import('../../../../src-renderer/views/usage/usage-data.ts')
  const over = (): unknown => useUsage((data) => data.over)
  const page = (from: number): unknown =>
    ok(Array.from({ length: 500 }, (_, i) => transfer(from + i, { state: 'held', reason: 'too-big' })))
  const first = loadOver(700)
  await bridge.answer('transfers', page(1))
  await loadOver(0)
  expect(over()).toEqual({ count: 0, more: false })
  await bridge.answer('transfers', ok([transfer(501, { state: 'held', reason: 'too-big' })]))
  await first
  expect(over()).toEqual({ count: 0, more: false })
  const last = loadOver(1)
  await bridge.answer('transfers', ok([transfer(501, { state: 'held', reason: 'too-big' })]))
  await last
  expect(over()).toEqual({ count: 1, more: false })
})
