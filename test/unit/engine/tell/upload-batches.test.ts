// The pages of an upload's answer: which may be requested again, and what is kept of batches that aren't read
// to their end.
import { beforeEach, expect, it } from 'vitest'
import { UploadBatches } from '../../../../src-main/engine/tell/queue-handlers.ts'
import type { UploadItem } from '../../../../src-shared/engine-contract.ts'

const MINUTE = 60_000

const items = (count: number): UploadItem[] =>
  Array.from({ length: count }, (_, i) => ({
    path: `/${i}`,
    transfer: null,
    outcome: 'ignored',
    reason: null,
  }))

let now = 0
beforeEach(() => {
  now = 0
})

function create(): UploadBatches {
  return new UploadBatches(
    { mono: () => now },
    { get: () => null },
    {
      transfer: () => {
        throw new Error('no transfers here')
      },
    },
  )
}

/** Number of items and next offset of a page; null if it isn't kept. */
function shape(
  batches: UploadBatches,
  batch: number,
  after: number,
): readonly [number, number | null] | null {
  const page = batches.page(batch, after)
  return page === null ? null : [page.items.length, page.next]
}

it('are all items, in order', () => {
  const batches = create()
  const batch = batches.add(items(1234))
  const paths: string[] = []
  for (let next: number | null = 0; next !== null; ) {
    const page = batches.page(batch, next)
    if (page === null) throw new Error('not kept')
    paths.push(...page.items.map((item) => item.path))
    next = page.next
  }
  expect(paths).toEqual(items(1234).map((item) => item.path))
})

it('may be requested again until the next one is, and the last one later, too', () => {
  const batches = create()
  const batch = batches.add(items(1001))
  expect([shape(batches, batch, 0), shape(batches, batch, 0)]).toEqual([
    [500, 500],
    [500, 500],
  ])
  expect([shape(batches, batch, 500), shape(batches, batch, 500), shape(batches, batch, 0)]).toEqual([
    [500, 1000],
    [500, 1000],
    null,
  ])
  expect([shape(batches, batch, 1000), shape(batches, batch, 1000), shape(batches, batch, 500)]).toEqual([
    [1, null],
    [1, null],
    null,
  ])
})

it('are not kept if there is only one, which the upload itself has answered', () => {
  const batches = create()
  const batch = batches.add(items(500))
  expect([shape(batches, batch, 0), shape(batches, batch, 0)]).toEqual([[500, null], null])
})

it('of large batches that are not read to their end are dropped, the one read least recently first', () => {
  const batches = create()
  const [first, second] = [batches.add(items(40_000)), batches.add(items(40_000))]
  expect(shape(batches, first, 500)).toEqual([500, 1000])
  now += MINUTE
  const third = batches.add(items(40_000))
  expect([shape(batches, second, 0), shape(batches, first, 500), shape(batches, third, 0)]).toEqual([
    null,
    [500, 1000],
    [500, 500],
  ])
})

it('of a batch above the limit are kept, and no others', () => {
  const batches = create()
  const small = batches.add(items(1000))
  now += MINUTE
  const large = batches.add(items(150_000))
  expect([shape(batches, small, 500), shape(batches, large, 0)]).toEqual([null, [500, 500]])
  now += MINUTE
  const next = batches.add(items(1000))
  expect([shape(batches, large, 0), shape(batches, next, 0)]).toEqual([null, [500, 500]])
})

it('of a batch that is being read are kept, however large it is and whatever is added', () => {
  const batches = create()
  const large = batches.add(items(150_000))
  expect(shape(batches, large, 0)).toEqual([500, 500])
  now += MINUTE - 1
  const one = batches.add(items(1))
  expect([shape(batches, one, 0), shape(batches, large, 500)]).toEqual([
    [1, null],
    [500, 1000],
  ])
  now += MINUTE - 1
  for (let i = 0; i < 60; i++) batches.add(items(2000))
  expect(shape(batches, large, 1000)).toEqual([500, 1500])
})

it('of batches that were read to their end leave room for others', () => {
  const batches = create()
  const unread = batches.add(items(1000))
  for (let i = 0; i < 30; i++) {
    const batch = batches.add(items(20_000))
    for (let next: number | null = 0; next !== null; ) next = batches.page(batch, next)?.next ?? null
  }
  expect(shape(batches, unread, 0)).toEqual([500, 500])
})

it('of fifty batches are kept', () => {
  const batches = create()
  const all = Array.from({ length: 51 }, () => batches.add(items(501)))
  now += MINUTE
  all.push(batches.add(items(501)))
  expect(all.filter((batch) => batches.page(batch, 500) !== null)).toEqual(all.slice(2))
})
