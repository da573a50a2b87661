// Which account a command uses, for every combination of name, environment and current account.
// And what proves that two keys belong to the same account: files with their links, never IDs alone.
import { describe, expect, it } from 'vitest'
import type { ApiClient, ApiFailure, ApiResult, ListPage, RemoteFile } from '../../../src-main/api/types.ts'
import type { Peeked } from '../../../src-main/engine/journal/peek.ts'
import { type ChoiceFacts, chooseAccount } from '../../../src-main/platform/account/account-choice.ts'
import {
  type Candidate,
  isSameFile,
  isTakenOver,
  proveAccount,
} from '../../../src-main/platform/account/account-of-key.ts'

const A = { id: 'a', name: 'one.example', baseUrl: 'https://one.example/api/v1', marks: ['key-a at one'] }
const B = { id: 'b', name: 'work', baseUrl: 'https://two.example/api/v1', marks: ['key-b at two'] }
const C = { id: 'c', name: 'two.example', baseUrl: 'https://two.example/api/v1', marks: ['key-c at two'] }

/** `key` is the key in the environment. */
function facts(over: Partial<ChoiceFacts> & { readonly key?: string }): ChoiceFacts {
  const { key, ...rest } = over
  const markAt = key === undefined ? null : (baseUrl: string) => `${key} at ${baseUrl.slice(8, 11)}`
  return { accounts: [A, B, C], current: 'a', named: null, baseUrl: null, markAt, ...rest }
}

describe('the account of a command', () => {
  it.each<[string, ChoiceFacts, unknown]>([
    ['none is known', facts({ accounts: [], current: null }), { kind: 'first' }],
    [
      'none is known, a key is given',
      facts({ accounts: [], current: null, key: 'key-a', baseUrl: A.baseUrl }),
      { kind: 'first' },
    ],
    ['the current one', facts({}), { kind: 'account', id: 'a' }],
    [
      'the current one that is not in the list: the first',
      facts({ current: 'gone' }),
      { kind: 'account', id: 'a' },
    ],
    ['by name', facts({ named: 'work' }), { kind: 'account', id: 'b' }],
    ['by name, however it is written', facts({ named: 'WORK' }), { kind: 'account', id: 'b' }],
    [
      'by name before the address of the environment',
      facts({ named: 'work', baseUrl: A.baseUrl }),
      { kind: 'account', id: 'b' },
    ],
    ['by key', facts({ key: 'key-b', baseUrl: B.baseUrl }), { kind: 'account', id: 'b' }],
    ['by key, at its own address where none is given', facts({ key: 'key-b' }), { kind: 'account', id: 'b' }],
    ['by key and name', facts({ named: 'work', key: 'key-b' }), { kind: 'account', id: 'b' }],
    ['by address', facts({ baseUrl: A.baseUrl, current: 'b' }), { kind: 'account', id: 'a' }],
    [
      'by address, the current one of several',
      facts({ baseUrl: B.baseUrl, current: 'c' }),
      { kind: 'account', id: 'c' },
    ],
    [
      'a new key: those at its address first, the current one before others',
      facts({ key: 'new', baseUrl: B.baseUrl, current: 'c' }),
      { kind: 'ask', baseUrl: B.baseUrl, candidates: ['c', 'b', 'a'] },
    ],
    [
      'a new key without an address: that of the current account',
      facts({ key: 'new' }),
      { kind: 'ask', baseUrl: A.baseUrl, candidates: ['a', 'b', 'c'] },
    ],
    [
      'a new key and a name: only whether it is this one',
      facts({ key: 'new', named: 'work' }),
      { kind: 'ask', baseUrl: B.baseUrl, candidates: ['b'] },
    ],
    [
      'a known key at another address is new',
      facts({ key: 'key-a', baseUrl: B.baseUrl }),
      { kind: 'ask', baseUrl: B.baseUrl, candidates: ['b', 'c', 'a'] },
    ],
    [
      'an unknown name',
      facts({ named: 'home' }),
      { kind: 'refused', failure: { code: 'not-found', hint: 'Accounts: one.example, work, two.example' } },
    ],
    [
      'an unknown name where there is none',
      facts({ named: 'home', accounts: [] }),
      { kind: 'refused', failure: { code: 'not-found' } },
    ],
    [
      'a name, and the key of another account',
      facts({ named: 'work', key: 'key-a', baseUrl: A.baseUrl }),
      {
        kind: 'refused',
        failure: {
          code: 'key-refused',
          title: 'The key in SLIPWAY_API_KEY belongs to the account one.example, not to work.',
        },
      },
    ],
    [
      'several at one address, none of them current',
      facts({ baseUrl: B.baseUrl }),
      { kind: 'refused', failure: { code: 'usage' } },
    ],
    [
      'an address that no account has',
      facts({ baseUrl: 'https://x.example/api/v1' }),
      { kind: 'refused', failure: { code: 'no-key' } },
    ],
  ])('%s', (_name, given, expected) => {
    expect(chooseAccount(given)).toMatchObject(expected as object)
  })

  it('of an earlier version, whose address was not kept', () => {
    const old = { ...A, baseUrl: null }
    expect(chooseAccount(facts({ accounts: [old], baseUrl: B.baseUrl }))).toEqual({
      kind: 'account',
      id: 'a',
    })
    expect(chooseAccount(facts({ accounts: [old], key: 'key-a', baseUrl: A.baseUrl }))).toEqual({
      kind: 'account',
      id: 'a',
    })
    expect(chooseAccount(facts({ accounts: [old], key: 'new' }))).toEqual({ kind: 'account', id: 'a' })
  })
})

const link = (token: string, host = 'one.example'): string => `https://${host}/download/${token}`
const EMPTY: Peeked = {
  account: 'a',
  plan: null,
  isProved: false,
  isRefused: false,
  uploaded: 0,
  waiting: 0,
  held: 0,
  failed: 0,
  folders: [],
  hasCleanup: false,
  hasSent: false,
  files: [],
}
const USED: Peeked = {
  ...EMPTY,
  isProved: true,
  hasSent: true,
  uploaded: 1,
  files: [{ fileId: '7', publicLink: link('tokentoken7') }],
}
const candidate = (known: Candidate['known'], over: Partial<Candidate> = {}): Candidate => ({
  id: 'a',
  name: 'one.example',
  baseUrl: A.baseUrl,
  known,
  isRunning: false,
  ...over,
})

const META = {
  status: 200,
  serverDate: null,
  rate: { retryAfterMs: null, limit: null, remaining: null, resetMs: null },
}
const good = <T>(value: T): ApiResult<T> => ({ ok: true, value, meta: META })
const bad = (status: number): { readonly ok: false; readonly failure: ApiFailure } => ({
  ok: false,
  failure: {
    kind: 'status',
    status,
    detail: null,
    phase: 'sent',
    meta: { ...META, status },
    message: `${status}`,
  },
})
const NO_CONNECTION = {
  ok: false,
  failure: { kind: 'connect', cause: 'refused', phase: 'unsent', message: 'Nobody answers.' },
} as const
const remote = (fileId: number, publicLink: string | null): RemoteFile<string> => ({
  fileId: String(fileId),
  filename: 'a.txt',
  size: 1,
  uploadDate: null,
  downloadCount: 0,
  publicLink,
})
const page = (files: readonly RemoteFile<string>[], pages = 1): ApiResult<ListPage<string>> =>
  good({ files, pagination: { page: 1, limit: 100, total: files.length, pages } })

/** Runs the proof with a service that answers like this, and records the requests. */
async function prove(
  candidates: readonly Candidate[],
  service: Partial<Pick<ApiClient<string>, 'file' | 'list'>>,
  baseUrl = A.baseUrl,
) {
  const asked: string[] = []
  const got = await proveAccount({
    baseUrl,
    key: 'new',
    candidates,
    isChosen: true,
    signal: new AbortController().signal,
    createApi: () =>
      ({
        file: (id: string) => {
          asked.push(`file ${id}`)
          return service.file?.(id) ?? Promise.resolve(bad(404))
        },
        list: (request: { page: number; limit: number }) => {
          asked.push(`list ${request.page}`)
          return service.list?.(request) ?? Promise.resolve(page([]))
        },
        close: () => Promise.resolve(),
      }) as unknown as ApiClient<string>,
  })
  return { got, asked }
}

describe('whose key it is', () => {
  it.each<[string, Parameters<typeof prove>[1], unknown]>([
    [
      'a file with its link: the same account',
      { file: () => Promise.resolve(good(remote(7, link('tokentoken7')))) },
      { kind: 'same', id: 'a' },
    ],
    [
      'the same link under another host name',
      { file: () => Promise.resolve(good(remote(7, link('tokentoken7', '127.0.0.1')))) },
      { kind: 'same', id: 'a' },
    ],
    [
      'the ID is another file there',
      { file: () => Promise.resolve(good(remote(7, link('elsewhere-7')))) },
      { kind: 'other' },
    ],
    ['the file is not there', {}, { kind: 'other' }],
    [
      'found in the list, where single files are not told',
      { list: () => Promise.resolve(page([remote(7, link('tokentoken7'))])) },
      { kind: 'same', id: 'a' },
    ],
    [
      'found on the last page',
      {
        list: ({ page: at }) =>
          Promise.resolve(at === 3 ? page([remote(7, link('tokentoken7'))], 3) : page([], 3)),
      },
      { kind: 'same', id: 'a' },
    ],
  ])('%s', async (_name, service, expected) => {
    expect((await prove([candidate(USED)], service)).got).toEqual({ ok: true, value: expected })
  })

  it.each<[string, Parameters<typeof prove>[1], string]>([
    ['401', { file: () => Promise.resolve(bad(401)) }, 'key-refused'],
    ['403', { file: () => Promise.resolve(bad(403)) }, 'no-api'],
    ['429', { file: () => Promise.resolve(bad(429)) }, 'waits'],
    ['no connection', { file: () => Promise.resolve(NO_CONNECTION) }, 'no-connection'],
    [
      'no answer that can be used',
      { file: () => Promise.resolve(bad(500)), list: () => Promise.resolve(bad(500)) },
      'server',
    ],
  ])('can not be told after %s', async (_name, service, code) => {
    expect((await prove([candidate(USED)], service)).got).toMatchObject({ failure: { code } })
  })

  it('can not be told while the journal of an account at this address can not be read', async () => {
    const unread = candidate('unreadable', { id: 'u', name: 'unread' })
    const failure = {
      code: 'journal-unusable',
      title: expect.stringContaining('unread'),
      hint: expect.stringContaining('--account unread'),
    }
    for (const baseUrl of [A.baseUrl, null])
      expect((await prove([{ ...unread, baseUrl }, candidate(EMPTY)], {})).got).toMatchObject({
        ok: false,
        failure,
      })
    // Unless the key is found to be another account's, or the account is at another address.
    const found = { file: () => Promise.resolve(good(remote(7, link('tokentoken7')))) }
    expect((await prove([unread, candidate(USED)], found)).got).toEqual({
      ok: true,
      value: { kind: 'same', id: 'a' },
    })
    expect((await prove([{ ...unread, baseUrl: B.baseUrl }], {})).got).toEqual({
      ok: true,
      value: { kind: 'other' },
    })
  })

  it('asks for no more than a few files', async () => {
    const files = Array.from({ length: 50 }, (_, i) => ({
      fileId: String(i),
      publicLink: link(`tokentoken${i}`),
    }))
    expect((await prove([candidate({ ...USED, files })], {})).asked).toEqual([
      'file 0',
      'file 1',
      'file 2',
      'list 1',
    ])
    expect((await prove([candidate(EMPTY)], {})).asked).toEqual([])
  })

  it.each<[string, Candidate, string, boolean]>([
    [
      'nothing sent, the same address',
      candidate({ ...EMPTY, isProved: true, folders: ['/f'], waiting: 3 }),
      A.baseUrl,
      true,
    ],
    ['nothing sent, another address', candidate({ ...EMPTY, isProved: true }), B.baseUrl, false],
    ['never came to work, another address', candidate(EMPTY), B.baseUrl, true],
    ['folders are watched, another address', candidate({ ...EMPTY, folders: ['/f'] }), B.baseUrl, false],
    ['no journal, the same address', candidate(null), A.baseUrl, true],
    ['no journal, another address', candidate(null), B.baseUrl, false],
    ['a journal that can not be read', candidate('unreadable'), A.baseUrl, false],
    ['an engine runs with its key', candidate(EMPTY, { isRunning: true }), A.baseUrl, false],
    ['an answer is still open', candidate({ ...EMPTY, hasSent: true }), A.baseUrl, false],
    ['its list is known', candidate({ ...EMPTY, files: USED.files }), A.baseUrl, false],
  ])('takes over: %s', (_name, one, at, expected) => {
    expect(isTakenOver(one, at, true)).toBe(expected)
  })

  it.each<[string, Candidate, boolean]>([
    ['its key works', candidate({ ...EMPTY, isProved: true }), false],
    [
      'its key works, and was refused since',
      candidate({ ...EMPTY, isProved: true, isRefused: true, waiting: 1 }),
      false,
    ],
    ['its key never worked', candidate(EMPTY), true],
    ['its key was never tried, and files wait', candidate({ ...EMPTY, waiting: 1 }), false],
    ['its key was never tried, and folders are watched', candidate({ ...EMPTY, folders: ['/f'] }), false],
    [
      'its key never worked and was refused, and files wait',
      candidate({ ...EMPTY, isRefused: true, waiting: 1 }),
      true,
    ],
    ['there is no journal', candidate(null), true],
  ])('is taken over by a key that nobody entered: %s', (_name, one, expected) => {
    expect(isTakenOver(one, A.baseUrl, false)).toBe(expected)
  })

  it('takes a short token for a number that means another file elsewhere', () => {
    expect(isSameFile({ fileId: '7', publicLink: link('7') }, remote(7, link('7', 'two.example')))).toBe(
      false,
    )
    expect(isSameFile({ fileId: '7', publicLink: link('7') }, remote(7, link('7')))).toBe(true)
    expect(isSameFile({ fileId: '7', publicLink: link('7') }, remote(7, null))).toBe(false)
  })
})
