// Parts of the window that are loaded later: a failure to load one in advance is never shown, and doesn't
// keep it from being loaded when it is needed.
import { expect, it } from 'vitest'
import { LazyPart } from '../../../../src-renderer/lib/lazy-part.ts'

/** A part for which loading succeeds or fails in this order. Records each change as [value, hasFailed]. */
function partOf(...works: readonly boolean[]) {
  const seen: [string | null, boolean][] = []
  let tries = 0
  const part: LazyPart<string> = new LazyPart(
    () => {
      const isGood = works[tries++] ?? true
      return isGood ? Promise.resolve('loaded') : Promise.reject(new Error('gone'))
    },
    () => seen.push([part.value, part.hasFailed]),
  )
  return { part, seen, tries: () => tries }
}

it('is loaded once, in advance or when it is needed', async () => {
  const { part, seen, tries } = partOf()
  await Promise.all([part.loadInAdvance(), part.need(), part.need()])
  expect(await part.need()).toBe(true)
  expect([seen, tries()]).toEqual([[['loaded', false]], 1])
})

it('that fails in advance shows nothing, and is loaded when it is needed', async () => {
  const { part, seen } = partOf(false)
  await part.loadInAdvance()
  expect([part.value, part.hasFailed, seen]).toEqual([null, false, []])
  expect(await part.need()).toBe(true)
  expect(part.value).toBe('loaded')
})

it('that is needed while it fails in advance is tried again at once', async () => {
  const { part, seen } = partOf(false)
  const ahead = part.loadInAdvance()
  expect(await part.need()).toBe(true)
  await ahead
  expect(seen).toEqual([['loaded', false]])
})

it('that fails when it is needed says so until it is tried again', async () => {
  const { part, seen } = partOf(false, false)
  expect(await part.need()).toBe(false)
  expect(part.hasFailed).toBe(true)
  expect(await part.need()).toBe(false)
  expect(await part.need()).toBe(true)
  expect(seen).toEqual([
    [null, true],
    [null, false],
    [null, true],
    [null, false],
    ['loaded', false],
  ])
})
