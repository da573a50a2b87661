// A wait that ends with its signal: which outcome counts, also if the signal has aborted before, and that
// nothing is left behind on a signal that lives on.
import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { orAborted } from '../../../src-shared/or-aborted.ts'

const never = new Promise<string>(() => undefined)
const gone = (): string => 'gone'
const refuse = (): never => {
  throw new Error('gone')
}

it.each<[string, () => Promise<string>, () => string, boolean, string]>([
  ['what the promise resolves to', () => Promise.resolve('done'), gone, false, 'done'],
  ['what the promise rejects with', () => Promise.reject(new Error('broken')), gone, false, 'Error: broken'],
  ['what replaces a promise that never settles', () => never, gone, true, 'gone'],
  ['what is thrown in its place', () => never, refuse, true, 'Error: gone'],
])('settles with %s', async (_name, work, aborted, aborts, expected) => {
  const controller = new AbortController()
  const waiting = orAborted(work(), controller.signal, aborted).catch((error: unknown) => String(error))
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
  if (aborts) controller.abort()
  expect(await waiting).toBe(expected)
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
})

it('does not wait at all after the signal, and ignores how the promise ends then', async () => {
  const late = Promise.withResolvers<string>()
  expect(await orAborted(late.promise, AbortSignal.abort(), gone)).toBe('gone')
  late.reject(new Error('broken'))
  await new Promise((resolve) => setImmediate(resolve))
})
