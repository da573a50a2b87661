// The link to the engine's thread, with a small thread in the engine's place: numbered calls, events,
// crashes, and new threads after them. Pauses are read from the log and waited for, but not measured.
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EngineLink, MainThreadOps } from '../../../src-main/shell/engine/protocol.ts'
import { createEngineLink } from '../../../src-main/shell/engine/thread-connection.ts'

const links: EngineLink[] = []
afterEach(async () => {
  for (const link of links.splice(0)) await link.close(0)
})

function open(dataDir: () => string = () => 'data', mainOps: Partial<MainThreadOps> = {}) {
  const logged: { event: string; fields: Readonly<Record<string, unknown>> }[] = []
  const states: { up: boolean; failure: unknown }[] = []
  const link = createEngineLink({
    entry: new URL('./engine-fixture.ts', import.meta.url),
    startWith: () => ({
      slipwayRole: 'engine',
      account: null,
      dataDir: dataDir(),
      env: {},
      apiKey: null,
      baseUrl: null,
      proxy: 'none',
      pausedAccounts: null,
    }),
    mainOps: {
      keychain: () => Promise.resolve(null),
      systemProxy: ({ url }) => Promise.resolve(`PROXY for ${url}`),
      findProxyLogin: () => Promise.resolve(null),
      trash: () => Promise.resolve(null),
      proxyLoginRefused: () => Promise.resolve(null),
      ...mainOps,
    },
    log: (event, fields) => logged.push({ event, fields }),
  })
  links.push(link)
  link.onState((state) => states.push(state))
  const pauses = (): unknown[] =>
    logged.filter((one) => one.event === 'engine.restart').map((one) => one.fields['pause'])
  return { link, logged, states, pauses }
}
const up = (link: EngineLink) => expect.poll(() => link.isUp()).toBe(true)
const GONE = { ok: false, failure: { code: 'closing' } }

describe('calls', () => {
  it('before there is a thread are answered: not now', async () => {
    const { link, states } = open()
    expect(await link.call('snapshot', {})).toMatchObject(GONE)
    expect(await link.op('connection', {})).toMatchObject(GONE)
    expect([link.isUp(), states]).toEqual([false, []])
  })

  it('reach the thread with their input, and each gets its own answer', async () => {
    const { link, states } = open()
    link.start()
    await up(link)
    expect(states).toEqual([{ up: true, failure: null }])
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => link.call('rescan', { folderId: i })),
    )
    expect(answers).toEqual(
      answers.map((_, i) => ({
        ok: true,
        value: { asked: 'rescan', input: { folderId: i }, dataDir: 'data' },
      })),
    )
    expect(await link.op('proxy', { proxy: 'none' })).toMatchObject({
      value: { asked: 'op:proxy', input: { proxy: 'none' } },
    })
  })

  it('go to the new thread once it was opened again, and no fall is counted', async () => {
    let dataDir = 'one'
    const { link, states, pauses } = open(() => dataDir)
    link.start()
    await up(link)
    dataDir = 'two'
    await link.reopen()
    expect(await link.call('snapshot', {})).toMatchObject({ value: { dataDir: 'two' } })
    expect(states.map((state) => state.up)).toEqual([true, false, true])
    expect(pauses()).toEqual([])
    expect(link.account()).toEqual({ id: 'two', dir: '/two', log: '/two/log', pasted: '/two/pasted' })
  })

  it('of the thread to the main thread get their answers', async () => {
    const { link } = open()
    link.start()
    await up(link)
    expect(await link.op('proxyLogin', {})).toEqual({
      ok: true,
      value: [42, 'PROXY for https://files.example/'],
    })
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('no session'))],
    [
      'throws',
      () => {
        throw new Error('no session')
      },
    ],
  ])(
    'of the thread to the main thread are answered with null if the operation %s',
    async (_how, systemProxy) => {
      const { link, logged } = open(() => 'data', { systemProxy })
      link.start()
      await up(link)
      expect(await link.op('proxyLogin', {})).toEqual({ ok: true, value: [42, null] })
      expect(logged).toEqual([
        { event: 'main.op-failed', fields: { op: 'systemProxy', message: 'no session' } },
      ])
    },
  )

  it('starting twice is starting once', async () => {
    const { link, states } = open()
    link.start()
    link.start()
    await up(link)
    await link.call('snapshot', {})
    expect(states).toHaveLength(1)
  })

  it('what the thread says unasked reaches those who listen', async () => {
    const { link, states } = open()
    const events = vi.fn()
    const told = vi.fn()
    const removed = vi.fn()
    link.onEvent(events)
    link.onEvent(removed)()
    link.onState(removed)()
    link.onTell(told)
    link.start()
    await up(link)
    await link.call('pause', {})
    await link.call('resume', {})
    await link.call('stats', {})
    expect(events.mock.calls).toEqual([[{ seq: 7, kind: 'gate', gate: null }]])
    expect(removed).not.toHaveBeenCalled()
    expect(told.mock.calls).toEqual([['Title', null, { what: 'journal', name: 'journal.db', count: 1 }]])
    expect(states.at(-1)).toEqual({ up: false, failure: { code: 'disk', title: 'Full', hint: null } })
    expect(link.isUp()).toBe(false)
  })
})

describe('a thread that falls', () => {
  it.each(['audit', 'plan'] as const)(
    'at %s: what was under way is answered, a new one comes and answers',
    async (how) => {
      let started = 0
      const { link, states, logged, pauses } = open(() => `data ${++started}`)
      link.start()
      await up(link)
      const hanging = link.call('history', {})
      const falling =
        how === 'audit'
          ? link.call('audit', { path: '/a', rescan: false })
          : link.call('plan', { paths: ['/a'] })
      expect(await Promise.all([hanging, falling])).toMatchObject([GONE, GONE])
      expect(link.isUp()).toBe(false)
      await up(link)
      expect(states.map((one) => one.up)).toEqual([true, false, true])
      // It starts with the current settings.
      expect(await link.call('snapshot', {})).toMatchObject({ value: { dataDir: 'data 2' } })
      expect(pauses()).toEqual([250])
      expect(
        logged.some(
          (one) =>
            one.event === 'engine.fell' && String(one.fields['message']).includes('It fell while it worked.'),
        ),
      ).toBe(how === 'plan')
    },
  )

  it('again and again is given more and more time, and comes when it can', async () => {
    let started = 0
    const { link, states, pauses } = open(() => (++started <= 3 ? 'falls at once' : 'data'))
    link.start()
    await up(link)
    expect(pauses()).toEqual([250, 500, 1000])
    expect(states.map((one) => one.up)).toEqual([false, false, false, true])
    expect(started).toBe(4)
  })

  it('and is opened again in between starts at once, and the opening waits for it', async () => {
    let started = 0
    const { link, states } = open(() => `data ${++started}`)
    link.start()
    await up(link)
    await link.call('audit', { path: '/a', rescan: false })
    await expect.poll(() => states.at(-1)?.up).toBe(false)
    await link.reopen()
    expect(await link.call('snapshot', {})).toMatchObject({ value: { dataDir: 'data 2' } })
  })

  it('between two threads a call is answered: not now', async () => {
    const { link, states } = open()
    link.start()
    await up(link)
    await link.call('audit', { path: '/a', rescan: false })
    await expect.poll(() => states.at(-1)?.up).toBe(false)
    // The thread that crashed is still referenced but can't answer.
    expect(await link.call('snapshot', {})).toMatchObject(GONE)
  })
})

describe('a key in memory', () => {
  const held = { baseUrl: 'https://files.example/api/v1', key: 'sk-given-in-this-run', saved: false }

  it('outlives the thread that was given it', async () => {
    const { link, logged } = open()
    link.start()
    await up(link)
    expect(await link.op('connection', {})).toEqual({ ok: true, value: null })
    await link.op('keep', { token: 'x', save: false })
    await link.call('audit', { path: '/a', rescan: false })
    await up(link)
    expect(await link.op('connection', {})).toEqual({ ok: true, value: held })
    expect(JSON.stringify(logged)).not.toContain(held.key)
  })

  it('is forgotten with the sign-out, for every later thread too', async () => {
    const { link } = open()
    link.start()
    await up(link)
    await link.op('keep', { token: 'x', save: false })
    await link.op('signOut', {})
    await link.call('audit', { path: '/a', rescan: false })
    await up(link)
    expect(await link.op('connection', {})).toEqual({ ok: true, value: null })
  })
})

describe('the end', () => {
  it('comes when the thread says so, and no new one follows', async () => {
    let started = 0
    const { link, states, pauses } = open(() => `data ${++started}`)
    link.start()
    await up(link)
    expect(await link.close(1000)).toBe(true)
    expect(await link.call('snapshot', {})).toMatchObject(GONE)
    expect([started, pauses(), states.length]).toEqual([1, [], 1])
  })

  it('is one, however often it is asked for', async () => {
    const { link } = open()
    link.start()
    await up(link)
    const first = link.close(1000)
    expect(link.close(5)).toBe(first)
    await first
  })

  it('comes at once where there never was a thread', async () => {
    const { link } = open()
    await link.close(60_000)
    expect(await link.call('snapshot', {})).toMatchObject(GONE)
  })

  it('of a thread that does not end is made by force', async () => {
    const { link } = open(() => 'never closes')
    link.start()
    await up(link)
    const hanging = link.call('history', {})
    await link.close(0)
    expect(await hanging).toMatchObject(GONE)
  })

  it('while the engine is being opened again ends that too', async () => {
    let started = 0
    const { link } = open(() => `data ${++started}`)
    await link.reopen()
    link.start()
    await up(link)
    const opening = link.reopen()
    expect(await link.close(0)).toBe(true)
    await opening
    await link.reopen()
    expect(started).toBe(1)
  })

  it('while a new thread is waited for is the end of waiting too', async () => {
    let started = 0
    const { link, states } = open(() => `data ${++started}`)
    link.start()
    await up(link)
    await link.call('audit', { path: '/a', rescan: false })
    await expect.poll(() => states.at(-1)?.up).toBe(false)
    await link.close(0)
    expect(await link.call('snapshot', {})).toMatchObject(GONE)
    expect(started).toBe(1)
  })
})

// Windows has no named pipes in its file system.
describe.runIf(process.platform !== 'win32')('a thread that is stuck in native code', () => {
  let dir = ''
  let pipe = ''
  const make = (): string => {
    dir = mkdtempSync(join(tmpdir(), 'slipway-stuck-'))
    pipe = join(dir, 'pipe')
    execFileSync('mkfifo', [pipe])
    return `stuck ${pipe}`
  }
  /** It takes a moment from the start of the nested thread to its blocking call. */
  const blocked = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000))
  afterEach(() => {
    // Unblocks the thread, so that this process can end.
    closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK))
    rmSync(dir, { recursive: true })
  })

  it('does not hold up the end, which tells that the process cannot exit by itself', async () => {
    const dataDir = make()
    const { link, logged } = open(() => dataDir)
    link.start()
    await up(link)
    await blocked()
    const hanging = link.call('history', {})
    expect(await link.close(0)).toBe(false)
    expect(await hanging).toMatchObject(GONE)
    expect(logged.map((one) => one.event)).toEqual(['engine.stuck'])
  })

  it('is left behind when another account is opened', async () => {
    let dataDir = make()
    const { link } = open(() => dataDir)
    link.start()
    await up(link)
    await blocked()
    dataDir = 'two'
    await link.reopen()
    expect(await link.call('snapshot', {})).toMatchObject({ value: { dataDir: 'two' } })
    expect(await link.close(0)).toBe(false)
  })
})
