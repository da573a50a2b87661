// Implements the engine thread, a worker thread that keeps the engine from blocking the main thread. Starts
// the account's engine, or connects to the one that another process runs, and answers requests from the main
// thread. Doesn't depend on Electron.
import type { MessagePort } from 'node:worker_threads'
import type { Failure, Result } from '../../../src-shared/engine-contract.ts'
import type { DiskFailure } from '../../engine/ports.ts'
import {
  type AccountDesk,
  type ChosenAccount,
  createAccountDesk,
} from '../../platform/account/account-finder.ts'
import { type CallOutside, createKeychain } from '../../platform/account/keychain.ts'
import { createClock } from '../../platform/clock.ts'
import { dataPaths } from '../../platform/data/paths.ts'
import { currentPolicy, withPolicyAddress } from '../../platform/data/policy.ts'
import { readSettings, type Settings } from '../../platform/data/settings.ts'
import { apiFactory, createEngineHost, type EngineHost, type Grace } from '../../platform/host/engine-host.ts'
import type { EngineSession } from '../../platform/host/engine-session.ts'
import { accountOps } from './account-ops.ts'
import { Credentials } from './credentials.ts'
import { PatientKeychain, READ_MS, WRITE_MS } from './patient-keychain.ts'
import type {
  EngineThreadOps,
  EngineThreadStart,
  FromEngineThread,
  MainThreadInput,
  MainThreadOpName,
  MainThreadOutput,
  OpenedAccount,
  ToEngineThread,
} from './protocol.ts'
import { openSession } from './session-opening.ts'
import { CachedLogins, createSystemProxy, proxyFor } from './system-proxy.ts'

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
  const keychain = createThreadKeychain(mainThread, () => void keyReadable())
  const time = createClock()
  const grace: Grace = { ms: 0 }
  const network = new EngineNetwork(start, mainThread, time.now)
  const settings = (): Settings => withPolicyAddress(readSettings(paths.settings, time.now()).settings)
  let chosen: ChosenAccount | null = null
  const engineKey = new EngineKey(keychain)
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
    // Without a usable policy, the engine runs and sends nothing, so that the window shows what there is.
    policy: () => ({ ...currentPolicy(), fault: null }),
    ownEngine: () => chosen?.paths.owner ?? null,
  })
  const openHost = async (): Promise<Result<EngineHost>> => {
    const found =
      start.account === null
        ? await desk.choose(null, new AbortController().signal)
        : desk.open(start.account)
    if (!found.ok) return found
    const account = found.value
    chosen = account
    return ok(
      createEngineHost({
        paths: account.paths,
        createApi: network.createApi,
        identity: () => engineKey.read(account),
        time,
        grace,
        passive: false,
        diskHint: 'Free up space or check permissions, then start Slipway again.',
        tell: (title, hint, about) => say({ type: 'tell', title, hint, about }),
        trash: (path) => mainThread.trash(path),
      }),
    )
  }
  /**
   * The session is null until an engine answers. Until then, `reloadKey` has nothing to do, because no key
   * has been loaded.
   */
  const running: { session: EngineSession | null } = { session: null }
  const session = openSession({
    openHost,
    time,
    say,
    pausedAccounts: start.pausedAccounts,
    account: () => openedBy(chosen, credentials),
    onOpened: (opened) => {
      running.session = opened
    },
    end: endThread,
  })
  const reloadKey = async (): Promise<void> => {
    await running.session?.call('reloadKey', {})
  }
  const keyReadable = async (): Promise<void> => {
    await session
    if (engineKey.isNeeded()) await reloadKey()
    say({ type: 'key-read', connection: await credentials.connection() })
  }

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
    ...keyOps({ credentials, keychain, network, reloadKey }),
  }

  const answer = async (
    message: Extract<ToEngineThread, { type: 'call' | 'op' }>,
  ): Promise<Result<unknown>> => {
    if (message.type === 'op') return ops[message.op as 'connect'](message.input as never)
    const opened = await session
    return opened.ok ? opened.value.call(message.procedure, message.input as never) : opened
  }

  port.on('message', (message: ToEngineThread) => {
    if (message.type === 'close') {
      grace.ms = message.graceMs
      void session.then(async (opened) => {
        if (opened.ok) await opened.value.close()
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

function createThreadKeychain(mainThread: MainThread, onReadable: () => void): PatientKeychain {
  const callOutside: CallOutside = (request, ms) => mainThread.ask('keychain', { request, ms })
  return new PatientKeychain({
    reads: createKeychain({ callOutside, timeoutMs: READ_MS }),
    writes: createKeychain({ callOutside, timeoutMs: WRITE_MS }),
    onReadable,
  })
}

/**
 * Reads the engine's key, and remembers whether the engine has none because the keychain couldn't be read.
 */
class EngineKey {
  readonly #keychain: PatientKeychain
  #isUnread = false
  /** Whether the next read happens because the keychain has become readable. */
  #isReadable = false

  constructor(keychain: PatientKeychain) {
    this.#keychain = keychain
  }

  async read({ identity }: ChosenAccount): ReturnType<ChosenAccount['identity']> {
    // Unless the keychain has just become readable, the engine is starting or must reload its key, for
    // example after `slipway login` has stored a new one. A key kept from an earlier read may be outdated in
    // these cases, so it is dropped.
    if (!this.#isReadable) this.#keychain.allow('person')
    this.#isReadable = false
    const read = await identity()
    this.#isUnread = !read.ok && read.failure.code === 'keychain'
    return read
  }

  /** Call when the keychain has become readable. Returns whether the engine must read its key again. */
  isNeeded(): boolean {
    this.#isReadable = this.#isUnread
    return this.#isUnread
  }
}

/** In a worker, `process.exit` ends only the thread. Messages that the thread has sent still arrive. */
function endThread(): void {
  process.exit()
}

/** The operations that read or remove the key, check the keychain, or make the engine read its key again. */
function keyOps({
  credentials,
  keychain,
  network,
  reloadKey,
}: {
  readonly credentials: Credentials
  readonly keychain: PatientKeychain
  readonly network: EngineNetwork
  readonly reloadKey: () => Promise<void>
}): Pick<EngineThreadOps, 'signOut' | 'connection' | 'readKeyAgain' | 'keychain' | 'proxy' | 'proxyLogin'> {
  return {
    signOut: async () => {
      const forgotten = await credentials.forget()
      // The user is still signed in, so the engine goes on with its key. It couldn't read it again from a
      // keychain that is locked.
      if (!forgotten.ok) return forgotten
      await reloadKey()
      return ok(await credentials.connection())
    },
    connection: async () => ok(await credentials.connection()),
    readKeyAgain: async ({ occasion }) =>
      ok(keychain.allow(occasion) ? await credentials.connection() : null),
    keychain: async ({ occasion }) => {
      if (occasion !== null && !keychain.allow(occasion)) return ok(null)
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
  }
}

/** Describes the opened account. Call only once an account has been chosen. */
function openedBy(chosen: ChosenAccount | null, credentials: Credentials): OpenedAccount {
  if (chosen === null) throw new Error('No account was chosen.')
  const { dir, log, pasted } = chosen.paths
  return { id: credentials.entry()?.id ?? null, dir, log, pasted }
}

function defect(message: Extract<ToEngineThread, { type: 'call' | 'op' }>, error: unknown): Result<never> {
  const what = message.type === 'op' ? message.op : message.procedure
  return refuse({
    code: 'defect',
    title: `${what}: ${error instanceof Error ? error.message : String(error)}`,
    hint: null,
  })
}

// Creates the engine thread's API clients, which use the configured proxy and that proxy's login. Both can
// change while the engine runs. A new proxy applies only to clients created after the change.
class EngineNetwork {
  readonly #env: EngineThreadStart['env']
  readonly #system: (url: string) => Promise<string>
  readonly #logins: CachedLogins
  #proxy: string

  constructor(start: Pick<EngineThreadStart, 'env' | 'proxy'>, mainThread: MainThread, now: () => number) {
    this.#env = start.env
    this.#proxy = start.proxy
    this.#system = createSystemProxy((url) => mainThread.ask('systemProxy', { url }), now)
    this.#logins = new CachedLogins({
      find: (proxy) => mainThread.ask('findProxyLogin', { proxy }),
      refused: (proxy, login) => void mainThread.ask('proxyLoginRefused', { proxy, login }),
    })
  }

  readonly createApi: ReturnType<typeof apiFactory> = (baseUrl, key, learned) => {
    const proxy = proxyFor(this.#proxy, this.#env, { system: this.#system, logins: this.#logins })
    return apiFactory(proxy)(baseUrl, key, learned)
  }

  /**
   * Sets the proxy for clients created from now on. Existing clients keep theirs. Returns false if the proxy
   * hasn't changed.
   */
  setProxy(proxy: string): boolean {
    const isOther = proxy !== this.#proxy
    this.#proxy = proxy
    return isOther
  }

  forgetLogins(): void {
    this.#logins.forget()
  }
}

// Sends the engine thread's requests to the main thread. Each request has a number and gets one answer. The
// other side is in thread-connection.ts. A busy main thread may delay the answer indefinitely, so callers that can't wait
// set their own timeouts.
class MainThread {
  readonly #say: (message: FromEngineThread) => void
  readonly #open = new Map<number, (value: unknown) => void>()
  #nextId = 1

  constructor(say: (message: FromEngineThread) => void) {
    this.#say = say
  }

  ask<K extends MainThreadOpName>(op: K, input: MainThreadInput<K>): Promise<MainThreadOutput<K>> {
    return new Promise((resolve) => {
      const id = this.#nextId++
      this.#open.set(id, (value) => resolve(value as MainThreadOutput<K>))
      this.#say({ type: 'ask', id, op, input })
    })
  }

  /** Moves a file to the system's bin. */
  async trash(path: string): Promise<DiskFailure | null> {
    const isTaken = (await this.ask('trash', { path })) === true
    return isTaken ? null : { code: 'io', message: "the system's bin didn't take the file" }
  }

  reply(id: number, value: unknown): void {
    this.#open.get(id)?.(value)
    this.#open.delete(id)
  }
}
