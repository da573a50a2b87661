// The engine's own thread: opens the engine of the data folder or finds the running one, keeps a session with it, and answers the main thread.
// Nothing of Electron is here, so the main thread stays free whatever happens in the engine.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MessagePort } from 'node:worker_threads'
import type { Failure, Result } from '../../../src-shared/contract.ts'
import { createClock } from '../../platform/clock.ts'
import { apiFactory, createEngineHost, type EngineHost, type Grace, proxyOf } from '../../platform/engine-host.ts'
import { createEngineSession, type EngineSession } from '../../platform/engine-session.ts'
import { createKeychain } from '../../platform/keychain.ts'
import { dataPaths } from '../../platform/paths.ts'
import { readSettings } from '../../platform/settings.ts'
import type { Time } from '../../platform/time.ts'
import { Credentials } from './credentials.ts'
import type { EngineThreadOps, EngineThreadStart, FromEngineThread, ToEngineThread } from './protocol.ts'

function refuse(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}

function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function serveEngineThread(port: MessagePort, start: EngineThreadStart, workerEntry: URL): void {
  const say = (message: FromEngineThread): void => port.postMessage(message)
  const paths = dataPaths(start.dataDir, start.env)
  const keychain = createKeychain({ entry: workerEntry })
  const time = createClock()
  const grace: Grace = { ms: 0 }
  let proxy = start.proxy
  const createApi: ReturnType<typeof apiFactory> = (baseUrl, key) => apiFactory(proxyFor(proxy, start.env))(baseUrl, key)
  const credentials = new Credentials(
    {
      environment: { apiKey: start.apiKey, baseUrl: start.baseUrl },
      keychain,
      settings: () => readSettings(paths.settings, time.now()).settings,
      createApi,
      onHeld: (held) => say({ type: 'held', held }),
    },
    start.held,
  )
  const host = createEngineHost({
    paths,
    workerEntry,
    createApi,
    identity: () => credentials.identity(),
    time,
    grace,
    passive: false,
    diskHint: 'Free up space or check permissions, then start Slipway again.',
    tell: (title, hint) => say({ type: 'tell', title, hint }),
  })
  /** Null until an engine answers: until then no key was read that would have to be read again. */
  const running: { session: EngineSession | null } = { session: null }
  const session = openSession(host, time, say, (opened) => {
    running.session = opened
  })
  const reloadKey = async (): Promise<void> => {
    await running.session?.call('reloadKey', {})
  }
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()

  const ops: EngineThreadOps = {
    connect: (input) => credentials.connect(input),
    keep: (input) => credentials.keep(input),
    signOut: async () => {
      const forgotten = await credentials.forget()
      await reloadKey()
      return forgotten.ok ? ok(await credentials.connection()) : forgotten
    },
    connection: async () => ok(await credentials.connection()),
    keychain: async () => {
      const got = await keychain.get('slipway.probe')
      return ok({ ok: got.ok, message: got.ok ? null : got.failure.message })
    },
    proxy: async ({ proxy: next }) => {
      if (next === proxy) return ok({})
      proxy = next
      await reloadKey()
      return ok({})
    },
    delay: async () => {
      const found = { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 }
      delay.reset()
      return ok(found)
    },
  }

  const answer = async (message: Extract<ToEngineThread, { type: 'call' | 'op' }>): Promise<Result<unknown>> => {
    if (message.type === 'op') return ops[message.op as 'connect'](message.input as never)
    const now = await session
    if (now === null) return refuse({ code: 'disk', title: 'The sync engine could not be started.', hint: null })
    return now.call(message.procedure, message.input as never)
  }

  port.on('message', (message: ToEngineThread) => {
    if (message.type === 'close') {
      grace.ms = message.graceMs
      void session.then(async (now) => {
        if (now === null) say({ type: 'closed' })
        else await now.close()
      })
      return
    }
    void answer(message)
      .catch((error: unknown) => defect(message, error))
      .then((result) => say({ type: 'answer', id: message.id, result }))
  })
}

/** Null: no engine could be started, which was reported. */
async function openSession(
  host: EngineHost,
  time: Time,
  say: (message: FromEngineThread) => void,
  onOpened: (session: EngineSession) => void,
): Promise<EngineSession | null> {
  const opened = await createEngineSession({ elect: host.elect, time })
  if (!opened.ok) {
    say({ type: 'failed', failure: opened.failure })
    return null
  }
  const session = opened.value
  onOpened(session)
  /** Tells every engine that answers that the app is here, so that what is due is uploaded. */
  const begin = async (): Promise<void> => {
    await session.call('work', {})
    say({ type: 'up', owner: session.isOwner() })
  }
  session.onEvent((event) => say({ type: 'event', event }))
  session.onReopen(() => void begin())
  session.onClose(() => say({ type: 'closed' }))
  await begin()
  return session
}

function defect(message: Extract<ToEngineThread, { type: 'call' | 'op' }>, error: unknown): Result<never> {
  const what = message.type === 'op' ? message.op : message.procedure
  return refuse({ code: 'defect', title: `${what}: ${error instanceof Error ? error.message : String(error)}`, hint: null })
}

/** `system`: the variables that other programs read; `none`; or one address for everything. */
function proxyFor(chosen: string, env: Readonly<Record<string, string | undefined>>): ReturnType<typeof proxyOf> {
  if (chosen === 'system') return proxyOf(env)
  if (chosen === 'none') return { http: null, https: null, noProxy: null }
  return { http: chosen, https: chosen, noProxy: proxyOf(env).noProxy ?? null }
}
