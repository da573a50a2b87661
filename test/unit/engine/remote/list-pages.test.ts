// Paging through the list of simulated services, with every possible first page number, page size, order, end
// and pagination info, and lists that shift. The important property: a walk that claims to be complete has
// seen every file.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListPage, RemoteFile } from '../../../../src-main/api/types.ts'
import {
  type FetchPage,
  orderOf,
  UNKNOWN_HABITS,
  type WalkPosition,
  walkList,
} from '../../../../src-main/engine/remote/list-pages.ts'

interface Shape {
  readonly count: number
  readonly first: 0 | 1
  /** Whether a page number below the first returns the first page. */
  readonly bends?: boolean
  readonly cap: number
  readonly above: 'clamp' | 'refuse'
  readonly order: 'newest' | 'oldest' | 'mixed'
  readonly end: 'empty' | 'not-found' | 'repeat'
  readonly echo: 'all' | 'none' | 'total' | 'pages' | 'wrong-limit'
}

const row = (id: number): RemoteFile => ({
  fileId: id,
  filename: `f${id}`,
  size: id,
  uploadDate: null,
  downloadCount: 0,
  publicLink: null,
})

function service(
  shape: Shape,
  onFetch: (n: number, ids: number[]) => void = () => undefined,
): { readonly fetch: FetchPage; readonly ids: number[]; calls: () => number } {
  const ids = Array.from({ length: shape.count }, (_, i) => i + 1)
  let calls = 0
  const fetch: FetchPage = async (page, limit) => {
    onFetch(++calls, ids)
    const refuse = (status: number): Awaited<ReturnType<FetchPage>> => ({
      ok: false,
      failure: {
        kind: 'status',
        status,
        detail: null,
        phase: 'sent',
        meta: {
          status,
          serverDate: null,
          rate: { retryAfterMs: null, limit: null, remaining: null, resetMs: null },
        },
        message: String(status),
      },
    })
    if (limit > shape.cap && shape.above === 'refuse') return refuse(400)
    if (page < shape.first && shape.bends !== true) return refuse(400)
    const size = Math.min(limit, shape.cap)
    const ordered =
      shape.order === 'newest'
        ? ids.toReversed()
        : shape.order === 'oldest'
          ? [...ids]
          : ids.toSorted((a, b) => ((a * 7919) % 101) - ((b * 7919) % 101))
    const pages = Math.max(1, Math.ceil(ordered.length / size))
    let at = Math.max(0, page - shape.first)
    if (at >= pages) {
      if (shape.end === 'not-found') return refuse(404)
      if (shape.end === 'repeat') at = pages - 1
    }
    const value: ListPage = {
      files: ordered.slice(at * size, (at + 1) * size).map(row),
      pagination: {
        page: shape.echo === 'all' ? page : null,
        limit: shape.echo === 'all' ? size : shape.echo === 'wrong-limit' ? limit : null,
        total:
          shape.echo === 'all' || shape.echo === 'total' || shape.echo === 'wrong-limit' ? ids.length : null,
        pages: shape.echo === 'all' || shape.echo === 'pages' ? pages : null,
      },
    }
    return { ok: true, value }
  }
  return { fetch, ids, calls: () => calls }
}

const shapes = fc.record<Shape>({
  count: fc.integer({ min: 0, max: 90 }),
  first: fc.constantFrom(0, 1),
  cap: fc.constantFrom(10, 20, 100, 1000),
  above: fc.constantFrom('clamp', 'refuse'),
  order: fc.constantFrom('newest', 'oldest', 'mixed'),
  end: fc.constantFrom('empty', 'not-found', 'repeat'),
  echo: fc.constantFrom('all', 'none', 'total', 'pages', 'wrong-limit'),
})

describe('walkList', () => {
  it('reads every file of every kind of service, and ends', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        const { fetch, calls } = service(shape)
        const result = await walkList({ fetch, habits: UNKNOWN_HABITS })
        expect(result.ok).toBe(true)
        if (!result.ok) return
        expect(new Set(result.walk.files.map((f) => f.fileId)).size).toBe(shape.count)
        expect(calls()).toBeLessThan(shape.count / 10 + 20)
      }),
      { numRuns: 600 },
    )
  })

  it('finds what is new, whatever it knew before', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.integer({ min: 0, max: 12 }), async (shape, fresh) => {
        const { fetch } = service(shape)
        const before = await walkList({ fetch, habits: UNKNOWN_HABITS })
        if (!before.ok) throw new Error('walk failed')
        const later = service({ ...shape, count: shape.count + fresh })
        const result = await walkList({
          fetch: later.fetch,
          habits: before.walk.habits,
          isKnown: (f) => (f.fileId ?? 0) <= shape.count,
        })
        if (!result.ok) throw new Error('walk failed')
        expect(result.walk.recentComplete).toBe(true)
        const seen = new Set(result.walk.files.map((f) => f.fileId))
        for (let id = shape.count + 1; id <= shape.count + fresh; id++) expect(seen.has(id)).toBe(true)
        if (result.walk.complete) expect(seen.size).toBe(shape.count + fresh)
      }),
      { numRuns: 600 },
    )
  })

  it('needs one request where the newest come first and all is known', async () => {
    const { fetch, calls } = service({
      count: 500,
      first: 1,
      cap: 100,
      above: 'clamp',
      order: 'newest',
      end: 'empty',
      echo: 'all',
    })
    const result = await walkList({ fetch, habits: { firstPage: 1, limit: 500 }, isKnown: () => true })
    expect(result.ok && result.walk.recentComplete).toBe(true)
    expect(result.ok && result.walk.complete).toBe(false)
    expect(calls()).toBe(1)
  })

  it('says that it has seen everything where the one known page is the whole list', async () => {
    const { fetch, calls } = service({
      count: 3,
      first: 1,
      cap: 100,
      above: 'clamp',
      order: 'newest',
      end: 'empty',
      echo: 'all',
    })
    const result = await walkList({ fetch, habits: { firstPage: 1, limit: 100 }, isKnown: () => true })
    expect(result.ok && result.walk.complete).toBe(true)
    expect(calls()).toBe(1)
  })

  it('does not call a list complete that lost a file while it was read', async () => {
    const { fetch } = service(
      { count: 60, first: 1, cap: 10, above: 'clamp', order: 'newest', end: 'empty', echo: 'all' },
      (n, ids) => {
        if (n === 4) ids.pop()
      },
    )
    const result = await walkList({ fetch, habits: { firstPage: 1, limit: 10 } })
    expect(result.ok && result.walk.complete).toBe(false)
    expect(result.ok && result.walk.recentComplete).toBe(false)
  })

  it('learns no wrong first page from a list that is pushed on while it is read, and misses nothing then or later', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1),
        fc.integer({ min: 11, max: 90 }),
        fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 6 }),
        async (first, count, pushes) => {
          const shape: Shape = {
            count,
            first,
            bends: true,
            cap: 10,
            above: 'clamp',
            order: 'newest',
            end: 'empty',
            echo: 'all',
          }
          let moves = true
          // Files that are uploaded between two requests of the walk.
          const { fetch, ids } = service(shape, (n, all) => {
            for (let i = moves && n > 1 ? (pushes[n - 2] ?? 0) : 0; i > 0; i--) all.push(all.length + 1)
          })
          const moving = await walkList({ fetch, habits: UNKNOWN_HABITS })
          if (!moving.ok) throw new Error('walk failed')
          expect([first, null]).toContain(moving.walk.habits.firstPage)
          const seen = new Set(moving.walk.files.map((f) => f.fileId))
          for (let id = 1; id <= count; id++) expect(seen.has(id)).toBe(true)
          moves = false
          const quiet = await walkList({ fetch, habits: moving.walk.habits })
          if (!quiet.ok) throw new Error('walk failed')
          expect(new Set(quiet.walk.files.map((f) => f.fileId)).size).toBe(ids.length)
        },
      ),
      { numRuns: 400 },
    )
  })

  /** 45 files in pages of 10, whatever page is asked for. The service tells its limit only if `isTold`. */
  function onePage(order: Shape['order'], isTold: boolean, arriving = 0): FetchPage {
    const { fetch, ids } = service({
      count: 45,
      first: 1,
      cap: 10,
      above: 'clamp',
      order,
      end: 'empty',
      echo: isTold ? 'all' : 'total',
    })
    let calls = 0
    return async (_page, limit) => {
      if (++calls === 2) for (let n = 0; n < arriving; n++) ids.push(ids.length + 1)
      return fetch(1, limit)
    }
  }

  it.each<readonly [Shape['order'], boolean, number, number | null]>([
    ['newest', true, 0, null],
    ['newest', false, 0, null],
    ['newest', true, 1, null],
    ['newest', true, 0, 44],
    ['oldest', true, 0, null],
    ['oldest', true, 0, 44],
    ['mixed', false, 0, null],
  ])(
    'does not call a list complete whose service ignores the page number: %s first, limit told %s, %i arriving, known to %o',
    async (...of) => {
      const [order, isTold, arriving, knownTo] = of
      const isKnown = knownTo === null ? {} : { isKnown: (file: RemoteFile) => (file.fileId ?? 0) <= knownTo }
      const result = await walkList({
        fetch: onePage(order, isTold, arriving),
        habits: UNKNOWN_HABITS,
        ...isKnown,
      })
      expect(result.ok && [result.walk.complete, result.walk.recentComplete, result.walk.repeats]).toEqual([
        false,
        true,
        true,
      ])
    },
  )

  it('does not call such a list complete when it goes on after a stop', async () => {
    const fetch = onePage('newest', true)
    const seen = new Set<number>()
    let position: WalkPosition | null = null
    const long = (calls: number) => ({
      habits: { firstPage: 1, limit: 10 } as const,
      long: { from: position, onPage: (at: WalkPosition) => (position = at) },
      fetch: (async (page, limit) => {
        const got = await fetch(page, limit)
        if (!got.ok || calls-- === 0)
          return { ok: false, failure: { kind: 'aborted', phase: 'unsent', message: 'stopped' } }
        const fresh = got.value.files.filter((file) => !seen.has(file.fileId ?? 0))
        for (const file of fresh) seen.add(file.fileId ?? 0)
        return { ...got, fresh: fresh.length }
      }) satisfies FetchPage,
    })
    expect((await walkList(long(2))).ok).toBe(false)
    const result = await walkList(long(1000))
    expect(result.ok && [seen.size, result.walk.complete]).toEqual([10, false])
  })

  it('does not call a list complete that grows as fast as it is read', async () => {
    const { fetch } = service(
      { count: 100, first: 1, cap: 10, above: 'clamp', order: 'newest', end: 'empty', echo: 'all' },
      (_n, ids) => {
        for (let n = 0; n < 10; n++) ids.push(ids.length + 1)
      },
    )
    const result = await walkList({ fetch, habits: { firstPage: 1, limit: 10 } })
    expect(result.ok && [result.walk.complete, result.walk.recentComplete]).toEqual([false, false])
  })

  it('does not call a list complete that it stopped reading', async () => {
    let id = 0
    const page = { page: null, limit: null, total: null, pages: null }
    const endless: FetchPage = async () => ({ ok: true, value: { files: [row(++id)], pagination: page } })
    const result = await walkList({ fetch: endless, habits: { firstPage: 1, limit: 10 } })
    expect(result.ok && [result.walk.requests, result.walk.complete, result.walk.recentComplete]).toEqual([
      20_000,
      false,
      false,
    ])
  })

  it('goes on behind as many pages that it has seen already as came in while it read', async () => {
    const pushes = [6, 8, 14, 12, 15, 15]
    const { fetch } = service(
      {
        count: 11,
        first: 1,
        bends: true,
        cap: 10,
        above: 'clamp',
        order: 'newest',
        end: 'empty',
        echo: 'all',
      },
      (n, ids) => {
        for (let i = n > 1 ? (pushes[n - 2] ?? 0) : 0; i > 0; i--) ids.push(ids.length + 1)
      },
    )
    const result = await walkList({ fetch, habits: UNKNOWN_HABITS })
    expect(result.ok && result.walk.files.some((f) => f.fileId === 1)).toBe(true)
  })

  it('goes on behind a page that it has seen already, as long as the service says that there is more', async () => {
    const { fetch } = service(
      { count: 45, first: 1, cap: 10, above: 'clamp', order: 'newest', end: 'empty', echo: 'all' },
      (n, ids) => {
        if (n === 3) for (let i = 0; i < 10; i++) ids.push(ids.length + 1)
      },
    )
    const result = await walkList({ fetch, habits: { firstPage: 1, limit: 10 } })
    expect(result.ok && result.walk.files.length).toBe(45)
  })

  it('reads a million files in pages of 20 with stops and deletions, keeps none in memory, and reads nothing twice but the joints', async () => {
    const count = 1_000_000
    const gone = new Set<number>()
    const seen = new Uint8Array(count + 1)
    let calls = 0
    let position: WalkPosition | null = null
    // Newest first. Only files on pages already read are deleted, so that all following files shift.
    const fetch: FetchPage = async (page) => {
      calls++
      if (calls % 4999 === 0) for (let i = 0; i < 30; i++) gone.add(count - gone.size)
      if (calls % 9000 === 0) return { ok: false, failure: { kind: 'cut', phase: 'sent', message: 'x' } }
      const top = count - gone.size - (page - 1) * 20
      const files = Array.from({ length: Math.max(0, Math.min(20, top)) }, (_, i) => row(top - i))
      let fresh = 0
      for (const { fileId } of files) {
        if (seen[fileId ?? 0] === 0) fresh++
        seen[fileId ?? 0] = 1
      }
      const total = count - gone.size
      return {
        ok: true,
        value: { files, pagination: { page, limit: 20, total, pages: Math.ceil(total / 20) } },
        fresh,
      }
    }
    for (;;) {
      const from: WalkPosition | null = position
      const onPage = (next: WalkPosition): void => {
        position = next
      }
      const result = await walkList({ fetch, habits: { firstPage: 1, limit: 20 }, long: { from, onPage } })
      if (!result.ok) continue
      expect(result.walk).toMatchObject({ complete: true, count, files: [] })
      break
    }
    expect(seen.subarray(1).every((one) => one === 1)).toBe(true)
    expect(calls).toBeLessThan(50_000 + 150)
  })

  /**
   * 45 files in pages of 10. `refuses`: whether the service answers 404 for this page; `n` counts the
   * requests.
   */
  function refusing(
    order: Shape['order'],
    end: Shape['end'],
    refuses: (page: number, n: number) => boolean,
    tooMany = 0,
  ) {
    const { fetch, calls } = service({
      count: 45,
      first: 1,
      cap: 10,
      above: 'clamp',
      order,
      end,
      echo: 'all',
    })
    const refusal = service({
      count: 0,
      first: 1,
      cap: 10,
      above: 'clamp',
      order,
      end: 'not-found',
      echo: 'all',
    }).fetch
    const refused: FetchPage = async (page, limit) => {
      const got = await fetch(page, limit)
      if (refuses(page, calls())) return refusal(2, limit)
      if (!got.ok) return got
      const total = (got.value.pagination.total ?? 0) + tooMany
      return {
        ok: true,
        value: { ...got.value, pagination: { page, limit: 10, total, pages: Math.ceil(total / 10) } },
      }
    }
    return { fetch: refused, calls }
  }
  const knownTo = (id: number) => ({ isKnown: (file: RemoteFile) => (file.fileId ?? 0) <= id })

  it.each<readonly [string, Shape['order'], object]>([
    ['newest first', 'newest', {}],
    ['newest first, with new files', 'newest', knownTo(2)],
    ['oldest first, with new files', 'oldest', knownTo(2)],
    ['in no order', 'mixed', {}],
  ])(
    'fails while the service refuses everything, instead of taking that for the end of the list: %s',
    async (_what, order, options) => {
      const { fetch } = refusing(order, 'empty', (_page, n) => n > 3)
      const result = await walkList({ fetch, habits: { firstPage: 1, limit: 10 }, ...options })
      expect(result).toMatchObject({ failure: { kind: 'status', status: 404 } })
    },
  )

  it.each<readonly [string, Shape['order'], object]>([
    ['newest first', 'newest', {}],
    ['oldest first, with new files', 'oldest', knownTo(2)],
    ['in no order', 'mixed', {}],
  ])('reads a page again that was refused once: %s', async (_what, order, options) => {
    const { fetch } = refusing(order, 'empty', (_page, n) => n === 3)
    const result = await walkList({ fetch, habits: { firstPage: 1, limit: 10 }, ...options })
    expect(result.ok && [result.walk.complete, result.walk.files.length]).toEqual([true, 45])
  })

  it.each<readonly [string, Shape['order'], object]>([
    ['newest first', 'newest', {}],
    ['oldest first, with new files', 'oldest', knownTo(2)],
  ])(
    'is partial where the service refuses a page in the middle for good, and ends: %s',
    async (_what, order, options) => {
      const { fetch, calls } = refusing(order, 'empty', (page) => page === 3)
      const result = await walkList({ fetch, habits: { firstPage: 1, limit: 10 }, ...options })
      expect(result).toMatchObject({
        ok: true,
        walk: { complete: false, recentComplete: true, isPartial: true },
      })
      expect(calls()).toBeLessThan(10)
    },
  )

  /** The list of `refusing`, in which the service shows some pages without their files. */
  function hollow(order: Shape['order'], isEmpty: (page: number, n: number) => boolean) {
    const { fetch, calls } = refusing(order, 'empty', () => false)
    const emptied: FetchPage = async (page, limit) => {
      const got = await fetch(page, limit)
      return got.ok && isEmpty(page, calls()) ? { ...got, value: { ...got.value, files: [] } } : got
    }
    return { fetch: emptied, calls }
  }

  const orders: readonly (readonly [string, Shape['order'], object])[] = [
    ['newest first', 'newest', {}],
    ['oldest first, with new files', 'oldest', knownTo(2)],
    ['in no order', 'mixed', {}],
  ]

  it.each(orders)('reads a page again that was empty once: %s', async (_what, order, options) => {
    const { fetch } = hollow(order, (_page, n) => n === 3)
    const result = await walkList({ fetch, habits: { firstPage: 1, limit: 10 }, ...options })
    expect(result.ok && [result.walk.complete, result.walk.files.length]).toEqual([true, 45])
  })

  it.each(orders)(
    'is partial where a page in the middle is always empty, and ends: %s',
    async (_what, order, options) => {
      const { fetch, calls } = hollow(order, (page) => page === 3)
      const result = await walkList({ fetch, habits: { firstPage: 1, limit: 10 }, ...options })
      expect(result).toMatchObject({
        ok: true,
        walk: { complete: false, recentComplete: true, isPartial: true },
      })
      expect(calls()).toBeLessThan(10)
    },
  )

  it.each([
    [1, 'an empty page follows', 'empty'],
    [5, 'an empty page follows', 'empty'],
    [15, 'an empty page follows', 'empty'],
    [1, 'a page is refused after', 'not-found'],
    [15, 'a page is refused after', 'not-found'],
  ] as const)(
    'is complete where %i files came in while it was read, so that %s the last',
    async (added, _what, end) => {
      let total = 45
      const { fetch } = service({
        count: 45,
        first: 1,
        cap: 10,
        above: 'clamp',
        order: 'newest',
        end,
        echo: 'none',
      })
      const growing: FetchPage = async (page, limit) => {
        const got = await fetch(page, limit)
        if (page === 3) total = 45 + added
        return got.ok
          ? { ...got, value: { ...got.value, pagination: { ...got.value.pagination, total } } }
          : got
      }
      const result = await walkList({ fetch: growing, habits: { firstPage: 1, limit: 10 } })
      expect(result).toMatchObject({ ok: true, walk: { complete: true, isPartial: false, count: 45 } })
    },
  )

  it.each([
    ['refused', 'not-found'],
    ['empty', 'empty'],
  ] as const)(
    'ends, but is not complete, where the total is always too high and what follows is %s',
    async (_what, end) => {
      for (const order of ['newest', 'oldest', 'mixed'] as const) {
        const { fetch, calls } = refusing(order, end, () => false, 3)
        const result = await walkList({ fetch, habits: { firstPage: 1, limit: 10 } })
        expect(result).toMatchObject({ ok: true, walk: { count: 45, complete: false, recentComplete: true } })
        expect(calls()).toBe(8)
      }
    },
  )

  it.each([0, 3])(
    'is partial where files have no ID, and ends although the last page is repeated: total too high by %i',
    async (tooMany) => {
      const { fetch, calls } = refusing('newest', 'repeat', () => false, tooMany)
      const nameless: FetchPage = async (page, limit) => {
        const got = await fetch(page, limit)
        return got.ok
          ? {
              ...got,
              value: { ...got.value, files: got.value.files.map((file) => ({ ...file, fileId: null })) },
            }
          : got
      }
      const result = await walkList({ fetch: nameless, habits: { firstPage: 1, limit: 10 } })
      expect(result).toMatchObject({
        ok: true,
        walk: { count: 45, complete: false, recentComplete: true, isPartial: true },
      })
      expect(calls()).toBeLessThan(10)
    },
  )

  it('asks a few times only where the oldest come first and the service shows only its first pages', async () => {
    const { fetch, calls } = service({
      count: 2000,
      first: 1,
      cap: 10,
      above: 'clamp',
      order: 'oldest',
      end: 'empty',
      echo: 'all',
    })
    const refusal = service({
      count: 0,
      first: 1,
      cap: 10,
      above: 'clamp',
      order: 'oldest',
      end: 'not-found',
      echo: 'all',
    }).fetch
    const shallow: FetchPage = async (page, limit) => {
      const got = await fetch(page, limit)
      return page > 20 ? refusal(2, limit) : got
    }
    const result = await walkList({ fetch: shallow, habits: { firstPage: 1, limit: 10 }, ...knownTo(1999) })
    expect(result).toMatchObject({
      ok: true,
      walk: { complete: false, recentComplete: true, isPartial: true },
    })
    expect(calls()).toBeLessThan(10)
  })

  it('goes on where it was when the service refused everything for a while', async () => {
    const seen = new Set<number>()
    let position: WalkPosition | null = null
    let isDown = false
    const { fetch } = refusing('newest', 'empty', () => isDown)
    const long = () =>
      walkList({
        habits: { firstPage: 1, limit: 10 },
        long: { from: position, onPage: (at) => (position = at) },
        fetch: async (page, limit) => {
          const got = await fetch(page, limit)
          if (!got.ok) return got
          const fresh = got.value.files.filter((file) => !seen.has(file.fileId ?? 0))
          for (const file of fresh) seen.add(file.fileId ?? 0)
          isDown ||= page === 3 && fresh.length > 0
          return { ...got, fresh: fresh.length }
        },
      })
    expect((await long()).ok).toBe(false)
    expect((await long()).ok).toBe(false)
    expect([position, seen.size]).toMatchObject([{ page: 4, count: 30 }, 30])
    isDown = false
    expect(await long()).toMatchObject({ ok: true, walk: { complete: true, count: 45 } })
  })

  it('hands on a failure that is none of paging', async () => {
    const result = await walkList({
      fetch: async () => ({ ok: false, failure: { kind: 'cut', phase: 'sent', message: 'x' } }),
      habits: UNKNOWN_HABITS,
    })
    expect(result.ok).toBe(false)
  })
})

describe('orderOf', () => {
  it('needs three files, and ids or dates that agree', () => {
    expect(orderOf([1, 2].map(row))).toBe('mixed')
    expect(orderOf([1, 2, 3].map(row))).toBe('ascending')
    expect(orderOf([3, 2, 1].map(row))).toBe('descending')
    expect(orderOf([3, 1, 2].map(row))).toBe('mixed')
  })

  it('learns nothing from the numbers of IDs whose order is unknown', () => {
    // These numbers are assigned in the order in which IDs are read, so they always seem to descend.
    const dates = ['2026-11-21 09:00:00', '2026-11-21 09:00:01', '2026-11-21 09:00:02']
    expect(orderOf([-1, -2, -3].map(row))).toBe('mixed')
    expect(orderOf([-1, -2, -3].map((id, at) => ({ ...row(id), uploadDate: dates[at] ?? null })))).toBe(
      'ascending',
    )
    expect(orderOf([3, -1, -2].map((id, at) => ({ ...row(id), uploadDate: dates[at] ?? null })))).toBe(
      'ascending',
    )
  })
})
