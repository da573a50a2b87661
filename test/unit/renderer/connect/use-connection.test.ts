// Checking and adopting a connection, step by step, with a fake bridge. The hook runs without a page: React's
// state is replaced by an array, and the fields by objects.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeBridge, installBridge, ok, REFUSED } from '../fake-bridge.ts'

const react = vi.hoisted(() => {
  const cells: unknown[] = []
  let at = 0
  return {
    cells,
    begin: () => {
      at = 0
    },
    useState: (initial: unknown): unknown => {
      const index = at++
      if (!(index in cells)) cells[index] = initial
      return [cells[index], (value: unknown) => void (cells[index] = value)]
    },
    useRef: (initial: unknown): unknown => {
      const index = at++
      cells[index] ??= { current: initial }
      return cells[index]
    },
  }
})
vi.mock('react', async (original) => ({
  ...(await original<typeof import('react')>()),
  useState: react.useState,
  useRef: react.useRef,
}))

const KEY = 'sk-1'
const PROVED = ok({
  token: 't',
  host: 'files.example.com',
  baseUrl: 'https://files.example.com/api/v1',
  stats: {},
})
const ADDRESS = 'https://files.example.com'

let bridge: FakeBridge
let useConnection: typeof import('../../../../src-renderer/views/connect/use-connection.ts').useConnection
const field = (value: string) => ({
  current: { value, focus: vi.fn(), select: vi.fn() } as unknown as HTMLInputElement,
})
let fields: { readonly address: ReturnType<typeof field>; readonly key: ReturnType<typeof field> }
const onConnected = vi.fn()

beforeEach(async () => {
  vi.resetModules()
  react.cells.length = 0
  onConnected.mockReset()
  bridge = installBridge()
  fields = { address: field(ADDRESS), key: field(KEY) }
  ;({ useConnection } = await import('../../../../src-renderer/views/connect/use-connection.ts'))
})
afterEach(() => vi.unstubAllGlobals())

/** The form as it is rendered now. */
function form(): ReturnType<typeof useConnection> {
  react.begin()
  return useConnection(fields, { onConnected, onPlainHttp: () => undefined })
}

async function proved(): Promise<void> {
  const proving = form().prove(ADDRESS, false)
  await bridge.answer('connect', PROVED)
  await proving
}

describe('a key', () => {
  it.each([
    ['two words', 'two words', 'characters'],
    ['a zero-width space', 'sk-1\u200b', 'characters'],
    ['other letters', 'ключ', 'characters'],
    ['too many characters', 'k'.repeat(4097), 'too-long'],
  ])('that can be none is not sent: %s', async (_what, typed, why) => {
    fields = { ...fields, key: field(typed) }
    await form().prove(ADDRESS, false)
    expect(bridge.calls).toEqual([])
    expect(form()).toMatchObject({ phase: 'failed', failed: { code: 'key-refused', why } })
    expect(fields.key.current.focus).toHaveBeenCalled()
  })

  it('that was refused by the service is said to be', async () => {
    const proving = form().prove(ADDRESS, false)
    await bridge.answer('connect', { ok: false, failure: { code: 'key-refused', title: 'x', hint: null } })
    await proving
    expect(form().failed).toMatchObject({ code: 'key-refused', why: null, field: 'key' })
  })
})

it.each([
  [502, 'trouble', null],
  [404, null, 'address'],
])('a service that answers %i is taken for %s', async (status, why, wrong) => {
  const proving = form().prove(ADDRESS, false)
  await bridge.answer('connect', { ok: false, failure: { code: 'server', title: 'x', hint: null, status } })
  await proving
  expect(form().failed).toMatchObject({ code: 'server', why, field: wrong })
  expect(fields.address.current.focus).toHaveBeenCalledTimes(wrong === null ? 0 : 1)
})

describe('a checked connection', () => {
  it.each([
    ['fails', REFUSED],
    ['was declined', ok(null)],
  ])('is not offered again if its adoption %s after the input has changed', async (_what, answer) => {
    await proved()
    const adopting = form().adopt(true)
    form().edited()
    await bridge.answer('adopt', answer)
    await adopting
    expect(form()).toMatchObject({ phase: 'typing', proof: null, failed: null })
  })

  it.each([
    ['fails', REFUSED, 'no-connection'],
    ['was declined', ok(null), undefined],
  ])('is offered again if its adoption %s', async (_what, answer, code) => {
    await proved()
    const adopting = form().adopt(true)
    await bridge.answer('adopt', answer)
    await adopting
    expect(form()).toMatchObject({ phase: 'proved', proof: { token: 't' } })
    expect(form().failed?.code).toBe(code)
  })

  it('is used although the input has changed meanwhile, because it is too late then', async () => {
    await proved()
    const adopting = form().adopt(true)
    form().edited()
    await bridge.answer(
      'adopt',
      ok({ connection: { host: null, baseUrl: null, key: 'session' }, snapshot: null }),
    )
    await adopting
    expect(onConnected).toHaveBeenCalledOnce()
    expect(fields.key.current.value).toBe('')
  })
})
