// What is announced about the files' states, and that nothing runs while nothing changes.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { appStore } from '../../../../src-renderer/state/store.ts'
import { followChanges } from '../../../../src-renderer/views/transfers/follow-changes.ts'
import { snapshot } from '../../shell/world.ts'

beforeEach(() => {
  vi.useFakeTimers()
  appStore.setState({ snapshot: snapshot({ counts: { done: 1 } }) })
})
afterEach(() => {
  appStore.setState(appStore.getInitialState(), true)
  vi.useRealTimers()
})

const done = (count: number): void => appStore.setState({ snapshot: snapshot({ counts: { done: count } }) })

it('reports changes within five seconds together, and has no timer at rest', () => {
  const changed = vi.fn()
  const end = followChanges(changed)
  expect(vi.getTimerCount()).toBe(0)
  appStore.setState({ palette: true })
  expect(vi.getTimerCount()).toBe(0)
  done(2)
  vi.advanceTimersByTime(3000)
  done(4)
  expect(changed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2000)
  expect(changed).toHaveBeenCalledTimes(1)
  expect(changed).toHaveBeenLastCalledWith(expect.objectContaining({ done: 3 }))
  expect(vi.getTimerCount()).toBe(0)
  done(5)
  end()
  expect(vi.getTimerCount()).toBe(0)
})

it('reports nothing for the counts of another account', () => {
  const changed = vi.fn()
  const end = followChanges(changed)
  appStore.setState({ snapshot: null })
  vi.advanceTimersByTime(5000)
  done(50)
  vi.advanceTimersByTime(5000)
  done(51)
  vi.advanceTimersByTime(5000)
  expect(changed.mock.calls).toEqual([[expect.objectContaining({ done: 1 })]])
  end()
})
