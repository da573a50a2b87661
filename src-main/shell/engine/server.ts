// The engine thread. It starts the account's engine, or connects to the one that another process runs, and answers requests from the main
// thread. It is a worker thread, so that the engine can't block the main thread. It doesn't depend on Electron.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MessagePort } from 'node:worker_threads'
import type { Failure, Result } from '../../../src-shared/contract.ts'
import { type AccountDesk, type ChosenAccount, createAccountDesk } from '../../platform/account/account-desk.ts'
import { createKeychain } from '../../platform/account/keychain.ts'
import { createClock } from '../../platform/clock.ts'
import { dataPaths } from '../../platform/data/paths.ts'
import { withPolicyAddress } from '../../platform/data/policy.ts'
import { readSettings, type Settings } from '../../platform/data/settings.ts'
import { createEngineHost, type EngineHost, type Grace } from '../../platform/host/engine-host.ts'
import { createEngineSession, type EngineSession } from '../../platform/host/engine-session.ts'
import type { Time } from '../../platform/time.ts'
import { isPauseDue } from '../accounts/shared-pause.ts'
import { accountOps } from './account-ops.ts'
import { Credentials } from './credentials.ts'
import { EngineNetwork } from './engine-network.ts'
import { MainThread } from './main-thread.ts'
import type { EngineThreadOps, EngineThreadStart, FromEngineThread, OpenedAccount, ToEngineThread } from './protocol.ts'

function refuse(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}

function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function serveEngineThread(port: MessagePort, start: EngineThreadStart): void {
  const say = (message: FromEngineThread): void => port.postMessage(message)
  const paths = dataPaths(start.dataDir, start.env)
  const mainThread = new MainThread(say)
  const keychain = createKeychain({ callOutside: (request, ms) => mainThread.ask('keychain', { request, ms }) })
  const time = createClock()
  const grace: Grace = { ms: 0 }
  const network = new EngineNetwork(start, mainThread, time.now)
  const settings = (): Settings => withPolicyAddress(readSettings(paths.settings, time.now()).settings)
  let chosen: ChosenAccount | null = null
  const credentials = new Credentials(
    {
      environment: { apiKey: start.apiKey, baseUrl: start.baseUrl },
      keychain,
      desk: () => desk,
      chosen: () => chosen,
      settings,
      createApi: network.createApi,
      onHeld: (held) => say({ type: 'held', held }),
    },
    start.held,
  )
  const desk: AccountDesk = createAccountDesk({
    root: paths,
    environment: () => credentials.environment(),
    processEnv: start.env,
    settings,
    keychain,
    createApi: network.createApi,
    now: time.now,
    ownEngine: () => chosen?.paths.owner ?? null,
  })
  const openHost = async (): Promise<Result<EngineHost>> => {
    const found = start.account === null ? await desk.choose(null, new AbortController().signal) : desk.open(start.account)
    if (!found.ok) return found
    chosen = found.value
    return ok(
      createEngineHost({
        paths: chosen.paths,
        createApi: network.createApi,
        identity: chosen.identity,
        time,
        grace,
        passive: false,
        diskHint: 'Free up space or check permissions, then start Slipway again.',
        tell: (title, hint, about) => say({ type: 'tell', title, hint, about }),
      }),
    )
  }
  /** Null until an engine answers. Before that, no key has been loaded that would need reloading. */
  const running: { session: EngineSession | null } = { session: null }
  const session = openSession(openHost, { time, say, start, opened: () => openedBy(chosen, credentials) }, (opened) => {
    running.session = opened
  })
  const reloadKey = async (): Promise<void> => {
    await running.session?.call('reloadKey', {})
  }
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()

  const ops: EngineThreadOps = {
    connect: (input) => credentials.connect(input),
    owner: (input) => credentials.owner(input),
    keep: (input) => credentials.keep(input),
    hold: async ({ held }) => {
      credentials.use(held)
      return ok({})
    },
    ...accountOps({ desk, keychain, root: paths.root, now: time.now }, async (account) => {
      if (account === credentials.entry()?.id) await running.session?.close()
    }),
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
      if (network.setProxy(next)) await reloadKey()
      return ok({})
    },
    proxyLogin: async () => {
      network.forgetLogins()
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
    if (now === null) return refuse({ code: 'disk', title: "The sync engine couldn't be started.", hint: null })
    return now.call(message.procedure, message.input as never)
  }

  port.on('message', (message: ToEngineThread) => {
    if (message.type === 'close') {
      grace.ms = message.graceMs
      void session.then(async (now) => {
        await now?.close()
        say({ type: 'closed' })
      })
      return
    }
    if (message.type === 'reply') return mainThread.reply(message.id, message.value)
    void answer(message)
      .catch((error: unknown) => defect(message, error))
      .then((result) => say({ type: 'answer', id: message.id, result }))
  })
}

/** Resolves to null if no engine could be started. The failure has been reported by then. */
async function openSession(
  openHost: () => Promise<Result<EngineHost>>,
  {
    time,
    say,
    start,
    opened: account,
  }: {
    readonly time: Time
    readonly say: (message: FromEngineThread) => void
    readonly start: Pick<EngineThreadStart, 'pausedAccounts'>
    readonly opened: () => OpenedAccount
  },
  onOpened: (session: EngineSession) => void,
): Promise<EngineSession | null> {
  const host = await openHost()
  const opened = host.ok ? await createEngineSession({ elect: host.value.elect, time }) : host
  if (!opened.ok) {
    say({ type: 'failed', failure: opened.failure })
    return null
  }
  const session = opened.value
  onOpened(session)
  /** Starts a new engine's work (uploads, folders, background jobs), then notifies the main thread that the engine is available. */
  const begin = async (): Promise<void> => {
    await session.call('work', {})
    say({ type: 'up', owner: session.isOwner(), account: account() })
  }
  session.onEvent((event) => say({ type: 'event', event }))
  session.onReopen(() => void begin())
  // Only once: when another engine takes over, the user may have resumed by then.
  if (isPauseDue(start.pausedAccounts, account().id)) await session.call('pause', {})
  await begin()
  return session
}

/** Describes the opened account. Call only once an account has been chosen. */
function openedBy(chosen: ChosenAccount | null, credentials: Credentials): OpenedAccount {
  if (chosen === null) throw new Error('No account was chosen.')
  const { dir, log, pasted } = chosen.paths
  return { id: credentials.entry()?.id ?? null, dir, log, pasted }
}

function defect(message: Extract<ToEngineThread, { type: 'call' | 'op' }>, error: unknown): Result<never> {
  const what = message.type === 'op' ? message.op : message.procedure
  return refuse({ code: 'defect', title: `${what}: ${error instanceof Error ? error.message : String(error)}`, hint: null })
}
