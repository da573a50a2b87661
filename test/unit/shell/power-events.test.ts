// The stand-in's `powerMonitor` emits only events that Electron has on the same system. Otherwise a spec
// could rely on one that never comes.
import { afterEach, expect, it, vi } from 'vitest'
import { powerMonitor } from '../../desktop/system.ts'

const platform = Object.getOwnPropertyDescriptor(process, 'platform')
afterEach(() => Object.defineProperty(process, 'platform', platform ?? {}))

it.each([
  ['resume', 'linux', true],
  ['unlock-screen', 'linux', false],
  ['unlock-screen', 'darwin', true],
  ['unlock-screen', 'win32', true],
] as const)('%s on %s: %s', (event, system, isThere) => {
  Object.defineProperty(process, 'platform', { ...platform, value: system })
  const heard = vi.fn()
  powerMonitor.once(event, heard)
  const emit = (): boolean => powerMonitor.emit(event)
  if (isThere) expect(emit()).toBe(true)
  else expect(emit).toThrow(`powerMonitor doesn't emit ${event} on Linux`)
  expect(heard).toHaveBeenCalledTimes(isThere ? 1 : 0)
  powerMonitor.removeListener(event, heard)
})
