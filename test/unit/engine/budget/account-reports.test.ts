// What is reported about an account: the failure of a call by its cause, and the list of current problems.
// Table-driven; scenario tests show what leads to each cause.
import { describe, expect, it } from 'vitest'
import type { ApiFailure } from '../../../../src-main/api/types.ts'
import { type CallFailure, callFailure } from '../../../../src-main/engine/budget/failure-words.ts'
import { type HealthReport, healthOf } from '../../../../src-main/engine/tell/snapshot.ts'
import type { Account } from '../../../../src-shared/model.ts'

const status = (code: number): CallFailure => ({
  kind: 'api',
  failure: {
    kind: 'status',
    status: code,
    message: 'said so',
    detail: 'by the service',
    phase: 'answered',
    meta: {
      status: code,
      serverDate: null,
      rate: { retryAfterMs: null, limit: null, remaining: null, resetMs: null },
    },
  } as unknown as ApiFailure,
})

describe('callFailure', () => {
  it.each<readonly [string, CallFailure, Account['state'], string]>([
    ['a refused key', { kind: 'blocked' }, 'key-refused', 'key-refused'],
    ['a plan without API', { kind: 'blocked' }, 'no-api', 'no-api'],
    ['no key at all', { kind: 'blocked' }, 'none', 'no-key'],
    ['no room in the budget', { kind: 'waits', until: 0, reason: 'rate-day' }, 'ok', 'waits'],
    ['a service that is away', { kind: 'waits', until: 0, reason: 'offline' }, 'ok', 'no-connection'],
    ['the end of the engine', { kind: 'aborted' }, 'ok', 'closing'],
    ['401', status(401), 'ok', 'key-refused'],
    ['403', status(403), 'ok', 'no-api'],
    ['404', status(404), 'ok', 'not-found'],
    ['429', status(429), 'ok', 'waits'],
    ['500', status(500), 'ok', 'server'],
  ])('%s', (_name, failure, state, code) => {
    expect(callFailure(failure, { state }, null).code).toBe(code)
  })

  it.each([{ kind: 'blocked' }, status(401)] as const)(
    'says that a refusal is doubted, where the key worked before',
    (failure) => {
      const title = (doubted: boolean): string =>
        callFailure(failure, { state: 'key-refused', doubted }, null).title
      expect([title(false), title(true)]).toEqual([
        'The key was refused.',
        'The key was refused, although it worked before.',
      ])
    },
  )

  it('says why no key could be read, where that is known', () => {
    const locked = { code: 'no-key', title: 'The keychain is locked.', hint: null } as const
    expect(callFailure({ kind: 'blocked' }, { state: 'none' }, locked)).toBe(locked)
  })

  it('distinguishes a service that is away from a budget that is used up', () => {
    const title = (reason: 'offline' | 'rate-day'): string =>
      callFailure({ kind: 'waits', until: 0, reason }, { state: 'ok' }, null).title
    expect(title('offline')).not.toBe(title('rate-day'))
  })
})

describe('healthOf', () => {
  const well: HealthReport = {
    disk: [],
    folders: [],
    account: { message: null },
    setAside: null,
    keyFailure: null,
  }
  const folder = { path: '/home/a', message: null, watching: 'events' } as const

  it.each<readonly [string, Partial<HealthReport>, readonly string[]]>([
    ['nothing', {}, []],
    ['a folder that is well', { folders: [folder] }, []],
    ['a folder with a message', { folders: [{ ...folder, message: 'gone' }] }, ['/home/a']],
    [
      'a folder that is only read again and again',
      { folders: [{ ...folder, watching: 'rescans' }] },
      ['/home/a'],
    ],
    [
      'all at once, in order',
      {
        disk: [{ what: 'disk', message: 'full' }],
        folders: [{ ...folder, message: 'gone' }],
        account: { message: 'refused' },
        setAside: { file: 'journal.bad', why: 'corrupt' },
        keyFailure: { code: 'keychain', title: 'locked' },
      },
      ['disk', '/home/a', 'account', 'journal', 'keychain'],
    ],
  ])('%s', (_name, report, what) => {
    expect(healthOf({ ...well, ...report }).map((one) => one.what)).toEqual(what)
  })

  it('names the limit that keeps a folder from being watched, and what raises it', () => {
    const [found] = healthOf({
      ...well,
      folders: [{ ...folder, watching: 'rescans', watchLimit: 'instances' }],
    })
    expect(found?.message).toContain('sudo sysctl fs.inotify.max_user_instances=1024')
  })
})
