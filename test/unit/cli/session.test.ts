// Which process runs the engine, and that a command carries on when another process takes over. Lock and
// socket are fakes, except at the end, where the real socket is tested.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Log } from '../../../src-main/engine/ports.ts'
import { type ElectedEngine, electEngine } from '../../../src-main/platform/host/engine-election.ts'
import { createLocalEngine, dispatch } from '../../../src-main/platform/host/engine-local.ts'
import { connectRemoteEngine, serveRemoteEngine } from '../../../src-main/platform/host/engine-remote.ts'
import { createEngineSession } from '../../../src-main/platform/host/engine-session.ts'
import type { EngineClient, Handlers, Input, Result } from '../../../src-shared/engine-contract.ts'
import type { EngineEvent } from '../../../src-shared/events.ts'
import { endpointIn } from '../../world/control-peer.ts'
import { createFakeTime, folder, ok, settle, snapshot, transfer } from './world.ts'

interface FakeEngine extends EngineClient {
  readonly name: string
  die(): void
  emit(event: EngineEvent): void
  readonly seen: string[]
  closed: boolean
}

function fakeEngine(name: string, answer: (procedure: string) => Promise<Result<unknown>>): FakeEngine {
  const closes = new Set<() => void>()
  const events = new Set<(event: EngineEvent) => void>()
  const engine: FakeEngine = {
    name,
    seen: [],
    closed: false,
    call: (procedure) => {
      engine.seen.push(procedure)
      return answer(procedure) as Promise<Result<never>>
    },
    onEvent: (listener) => {
      events.add(listener)
      return () => events.delete(listener)
    },
    onClose: (listener) => {
      closes.add(listener)
      return () => closes.delete(listener)
    },
    close: () => {
      engine.die()
      return Promise.resolve()
    },
    die: () => {
      engine.closed = true
      for (const listener of closes) listener()
      closes.clear()
    },
    emit: (event) => {
      for (const listener of events) listener(event)
    },
  }
  return engine
}

const never = (): Promise<never> => new Promise(() => undefined)
const answers = (): Promise<Result<unknown>> => Promise.resolve(ok(snapshot()))

async function sessionOver(engines: FakeEngine[]) {
  const time = createFakeTime()
  const session = await createEngineSession({
    time,
    elect: (): Promise<Result<ElectedEngine>> => {
      const next = engines.shift()
      return Promise.resolve(
        next === undefined
          ? { ok: false, failure: { code: 'defect', title: 'Nobody is left.', hint: null } }
          : ok({ client: next, isOwner: next.name === 'own' }),
      )
    },
  })
  if (!session.ok) throw new Error('not opened')
  return { session: session.value, time }
}

describe('a session', () => {
  it('asks the next engine what the last one did not answer', async () => {
    const first = fakeEngine('other', never)
    const second = fakeEngine('own', answers)
    const { session, time } = await sessionOver([first, second])
    let reopened = 0
    session.onReopen(() => {
      reopened++
    })
    expect([session.isOwner(), session.generation()]).toEqual([false, 1])
    const answer = session.call('snapshot', {})
    await settle()
    first.die()
    await time.pass(100)
    expect((await answer).ok).toBe(true)
    expect(second.seen).toEqual(['snapshot'])
    expect([reopened, session.isOwner(), session.generation()]).toEqual([1, true, 2])
  })

  it('takes over though nothing is asked: events would be missed', async () => {
    const first = fakeEngine('other', answers)
    const second = fakeEngine('own', answers)
    const { session, time } = await sessionOver([first, second])
    const seen: number[] = []
    session.onEvent((event) => seen.push(event.seq))
    first.emit({ seq: 1, kind: 'catalog', changed: 1 })
    first.die()
    await time.pass(100)
    second.emit({ seq: 5, kind: 'catalog', changed: 1 })
    expect(seen).toEqual([1, 5])
  })

  it('asks again when the engine says that it closes, even one that never hangs up', async () => {
    const first = fakeEngine('other', () =>
      Promise.resolve({ ok: false, failure: { code: 'closing', title: '', hint: null } }),
    )
    const second = fakeEngine('other', answers)
    const { session, time } = await sessionOver([first, second])
    const answer = session.call('snapshot', {})
    await time.pass(4000)
    expect(first.closed).toBe(false)
    await time.pass(2000)
    expect(first.closed).toBe(true)
    expect((await answer).ok).toBe(true)
  })

  it('goes through several engines', async () => {
    const engines = [fakeEngine('a', never), fakeEngine('b', never), fakeEngine('c', answers)]
    const [a, b] = engines
    const { session, time } = await sessionOver(engines)
    const answer = session.call('snapshot', {})
    await settle()
    a?.die()
    await time.pass(100)
    b?.die()
    await time.pass(100)
    expect((await answer).ok).toBe(true)
  })

  it('says so when no engine can be had', async () => {
    const first = fakeEngine('a', never)
    const { session, time } = await sessionOver([first])
    let closed = 0
    session.onClose(() => {
      closed++
    })
    const answer = session.call('snapshot', {})
    await settle()
    expect(session.failure()).toBeNull()
    first.die()
    await time.pass(100)
    expect(session.failure()).toMatchObject({ title: 'Nobody is left.' })
    expect(await answer).toMatchObject({ failure: { title: 'Nobody is left.' } })
    expect(await session.call('snapshot', {})).toMatchObject({ ok: false })
    expect(closed).toBe(1)
  })

  it('does not take over once it is closed', async () => {
    const first = fakeEngine('a', answers)
    const second = fakeEngine('b', answers)
    const engines = [first, second]
    const { session, time } = await sessionOver(engines)
    await session.close()
    await time.pass(1000)
    expect(engines).toEqual([second])
    expect(session.failure()).toBeNull()
    expect(await session.call('snapshot', {})).toMatchObject({ failure: { code: 'closing' } })
  })
})

describe('opening', () => {
  const found = (): Promise<Result<EngineClient | null>> => Promise.resolve(ok(fakeEngine('x', answers)))
  const none = (): Promise<Result<EngineClient | null>> => Promise.resolve(ok(null))

  it.each([
    ['a client where an engine answers', found, none, false],
    ['the owner where none does', none, found, true],
  ] as const)('is %s', async (_name, connect, own, isOwner) => {
    const opened = await electEngine({ connect, own, time: createFakeTime(), dataDir: '/d' })
    expect(opened).toMatchObject({ value: { isOwner } })
  })

  it('waits for an owner that does not answer yet', async () => {
    const time = createFakeTime()
    const began = time.now()
    const opened = electEngine({
      connect: () => (time.now() - began > 2000 ? found() : none()),
      own: none,
      time,
      dataDir: '/d',
    })
    await time.pass(3000)
    expect(await opened).toMatchObject({ value: { isOwner: false } })
  })

  it.each([0, -7_200_000])(
    'gives up with a sentence on one that never does, even if the clock is set by %s ms',
    async (ms) => {
      const time = createFakeTime()
      const opened = electEngine({ connect: none, own: none, time, dataDir: '/d' })
      await time.pass(10_000)
      time.setClock(ms)
      await time.pass(20_000)
      expect(await opened).toMatchObject({
        failure: { title: "Another Slipway is using the data folder /d, but doesn't respond." },
      })
    },
  )

  it('tells what stops it', async () => {
    const stop = { ok: false, failure: { code: 'disk', title: 'No room.', hint: null } } as const
    expect(
      await electEngine({
        connect: none,
        own: () => Promise.resolve(stop),
        time: createFakeTime(),
        dataDir: '/d',
      }),
    ).toEqual(stop)
  })
})

describe('the socket', () => {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  })
  const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

  function handlers(over: Partial<Handlers>): Handlers {
    return new Proxy(over, {
      get: (target, name) => Reflect.get(target, name) ?? (() => Promise.reject(new Error('a defect'))),
    }) as Handlers
  }

  async function serve(over: Partial<Handlers>) {
    const dir = mkdtempSync(join(tmpdir(), 'slipway-socket-'))
    cleanups.push(() => rmSync(dir, { recursive: true, force: true }))
    const endpoint = endpointIn(dir)
    const server = await serveRemoteEngine({
      endpoint,
      handlers: handlers(over),
      log,
      onClients: () => undefined,
    })
    cleanups.push(() => server.close())
    const client = await connectRemoteEngine(endpoint)
    if (!client.ok || client.value === null) throw new Error('not connected')
    const { value } = client
    cleanups.push(() => value.close())
    return { server, client: value, endpoint }
  }

  it('carries calls, failures, defects and events', async () => {
    const { server, client } = await serve({
      snapshot: () => Promise.resolve(ok(snapshot())),
      stats: () =>
        Promise.resolve({ ok: false, failure: { code: 'no-connection', title: 'No.', hint: null } }),
    })
    expect(await client.call('snapshot', {})).toEqual(ok(snapshot()))
    expect(await client.call('stats', {})).toMatchObject({ failure: { code: 'no-connection' } })
    expect(await client.call('pause', {})).toMatchObject({ failure: { code: 'defect' } })
    const event = new Promise<EngineEvent>((resolve) => {
      client.onEvent(resolve)
    })
    server.broadcast({ nonsense: true })
    server.broadcast({ seq: 2, kind: 'catalog', changed: 3 })
    expect(await event).toEqual({ seq: 2, kind: 'catalog', changed: 3 })
  })

  it('fails for a call or an answer that is too long, instead of losing the engine again and again', async () => {
    const long = `/home/u/${'x'.repeat(65_000)}`
    const { server, client } = await serve({
      snapshot: () => Promise.resolve(ok(snapshot())),
      release: () => Promise.resolve(ok({ count: 0 })),
      transfers: () =>
        Promise.resolve(ok(Array.from({ length: 140 }, (_, id) => transfer(id, { path: long })))),
    })
    const shown = Array.from({ length: 140 }, (_, id) => ({
      id,
      path: long,
      size: 1,
      reason: null,
      message: null,
    }))
    expect(await client.call('release', { ids: [1], shown })).toMatchObject({ failure: { code: 'usage' } })
    expect(
      await client.call('transfers', { folderId: null, states: [], afterId: 0, limit: 500 }),
    ).toMatchObject({ failure: { code: 'defect', title: "The running engine's response is too long." } })
    expect(await client.call('snapshot', {})).toEqual(ok(snapshot()))
    expect(server.clients()).toBe(1)
  })

  it('answers "closing" for what a lost engine did not answer', async () => {
    const { server, client } = await serve({ snapshot: () => new Promise(() => undefined) })
    const answer = client.call('snapshot', {})
    await server.close()
    expect(await answer).toMatchObject({ failure: { code: 'closing' } })
  })

  describe('a command that takes part in watching', () => {
    const watching = async (answered: Promise<unknown> = Promise.resolve()) => {
      const left: unknown[] = []
      const leaves = Promise.withResolvers<void>()
      const served = await serve({
        snapshot: () => Promise.resolve(ok(snapshot())),
        watch: async () => {
          await answered
          return ok(folder())
        },
        unwatch: async (input) => {
          left.push(input)
          leaves.resolve()
          return ok({})
        },
      })
      return { ...served, left, gone: leaves.promise }
    }
    const ask: Input<'watch'> = {
      path: '/home/u/in',
      existing: 'upload',
      onChange: 'new-link',
      ignore: [],
      keep: false,
      watcher: 'one',
    }

    it('has left once its connection has ended', async () => {
      const { client, left, gone } = await watching()
      await client.call('watch', ask)
      await client.close()
      await gone
      expect(left).toEqual([{ folderId: 7, watcher: 'one' }])
    })

    it('has left where its connection ended before the answer', async () => {
      const answered = Promise.withResolvers<void>()
      const { server, client, left, gone } = await watching(answered.promise)
      void client.call('watch', ask)
      await client.call('snapshot', {})
      await client.close()
      await expect.poll(() => server.clients()).toBe(0)
      answered.resolve()
      await gone
      expect(left).toEqual([{ folderId: 7, watcher: 'one' }])
    })

    it('stays where it has connected again, or where the engine closes', async () => {
      const { server, client, left, endpoint } = await watching()
      await client.call('watch', ask)
      const again = await connectRemoteEngine(endpoint)
      if (!again.ok || again.value === null) throw new Error('not connected')
      await again.value.call('watch', ask)
      await client.close()
      await expect.poll(() => server.clients()).toBe(1)
      expect(left).toEqual([])
      await server.close()
      await again.value.close()
      expect(left).toEqual([])
    })

    it('leaves once where it says so itself', async () => {
      const { server, client, left } = await watching()
      await client.call('watch', ask)
      await client.call('unwatch', { folderId: 7, watcher: 'one' })
      await client.close()
      await expect.poll(() => server.clients()).toBe(0)
      expect(left).toHaveLength(1)
    })
  })

  it('finds nobody where nobody is', async () => {
    expect(await connectRemoteEngine(null)).toEqual(ok(null))
    expect(await connectRemoteEngine(endpointIn(tmpdir(), 'slipway-nobody.sock'))).toEqual(ok(null))
  })

  it.each([
    ['nope', {}],
    ['toString', {}],
    ['upload', { paths: [] }],
    ['upload', null],
  ])('takes nothing that does not fit: %s %j', async (procedure, input) => {
    expect(await dispatch(handlers({}), procedure, input, log)).toMatchObject({ failure: { code: 'usage' } })
  })

  it('has the same limits in this process as over the socket, and names them', async () => {
    const client = createLocalEngine({
      handlers: handlers({ catalog: () => Promise.reject(new Error('reached')) }),
      log,
      onEvent: () => () => undefined,
      close: () => Promise.resolve(),
    })
    const search = 'ä'.repeat(1001)
    const tooLong = { code: 'usage', hint: 'Use at most 1000 characters.' }
    const asked = { search, offset: 0, limit: 1, sort: 'name', descending: false, fresh: 'cache' } as const
    expect(await client.call('catalog', asked)).toMatchObject({ ok: false, failure: tooLong })
    expect(await dispatch(handlers({}), 'catalog', asked, log)).toMatchObject({ ok: false, failure: tooLong })
    const watcher = 'w'.repeat(101)
    expect(await client.call('unwatch', { folderId: 1, watcher })).toMatchObject({
      failure: { code: 'usage', title: 'The request is invalid: its watcher is too long.' },
    })
  })

  it('the engine of this process closes once, and answers "closing" from then on', async () => {
    let closes = 0
    const client = createLocalEngine({
      handlers: handlers({ snapshot: () => Promise.resolve(ok(snapshot())) }),
      log,
      onEvent: () => () => undefined,
      close: () => {
        closes++
        return Promise.resolve()
      },
    })
    let told = 0
    client.onClose(() => {
      told++
    })
    expect((await client.call('snapshot', {})).ok).toBe(true)
    await Promise.all([client.close(), client.close()])
    expect([closes, told]).toEqual([1, 1])
    expect(await client.call('snapshot', {})).toMatchObject({ failure: { code: 'closing' } })
  })
})
