// The engine's own thread: opens or finds the engine of the data folder, keeps the session to it, and does what needs the key: proving it,
// keeping it in the keychain or in memory, forgetting it. Nothing of Electron is here, so the main thread stays free whatever happens below.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MessagePort } from 'node:worker_threads'
import type { Connection } from '../../../src-shared/app.ts'
import type { Failure, Result } from '../../../src-shared/contract.ts'
import type { StatsView, Window } from '../../../src-shared/model.ts'
import type { Stats } from '../../api/types.ts'
import { sizeLimit } from '../../engine/limits/plan-limits.ts'
import { effectivePlan, readRates } from '../../engine/limits/rate-limits.ts'
import { readQuota } from '../../engine/limits/stats-reader.ts'
import { createClock } from '../../platform/clock.ts'
import { apiFactory, createEngineHost, type Grace, proxyOf } from '../../platform/engine-host.ts'
import { createSession, type Session } from '../../platform/engine-session.ts'
import { type Address, accountMark, addressOf, readIdentity } from '../../platform/identity.ts'
import { createKeychain } from '../../platform/keychain.ts'
import { dataPaths } from '../../platform/paths.ts'
import { prove, readKey } from '../../platform/proof.ts'
import { readSettings } from '../../platform/settings.ts'
import type { EngineOps, EngineStart, FromEngine, HeldKey, ToEngine } from './protocol.ts'

const PROVE_MS = 30_000
/** Proofs that nobody adopted are forgotten, keys and all. */
const PROOFS_MOST = 4

interface Proof {
  readonly address: Address
  readonly key: string
}

function refuse(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}

function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function serveEngineThread(port: MessagePort, start: EngineStart, workerEntry: URL): void {
  const say = (message: FromEngine): void => port.postMessage(message)
  const paths = dataPaths(start.dataDir, start.env)
  const keychain = createKeychain({ entry: workerEntry })
  const time = createClock()
  const grace: Grace = { ms: 0 }
  const environment = { apiKey: start.apiKey, baseUrl: start.baseUrl }
  let proxy = start.proxy
  const createApi: ReturnType<typeof apiFactory> = (baseUrl, key) => apiFactory(proxyFor(proxy, start.env))(baseUrl, key)
  const settings = () => readSettings(paths.settings, time.now())
  const proofs = new Map<string, Proof>()
  let held = start.held
  let session: Session | null = null
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()

  const hold = (next: HeldKey | null): void => {
    held = next
    say({ type: 'held', held })
  }

  const identity = async () => {
    const { settings: read } = settings()
    const address = addressOf(null, environment, read)
    if (held !== null && address.ok && address.value?.baseUrl === held.baseUrl)
      return ok({ baseUrl: held.baseUrl, key: held.key, account: accountMark(held.baseUrl, held.key) })
    return readIdentity({ env: environment, settings: read, keychain })
  }

  const host = createEngineHost({
    paths,
    workerEntry,
    createApi,
    identity,
    time,
    grace,
    passive: false,
    diskHint: 'Free some space or check your rights, then start Slipway again.',
    tell: (title, hint) => say({ type: 'tell', title, hint }),
  })

  const connection = async (): Promise<Connection> => {
    const address = addressOf(null, environment, settings().settings)
    const known = address.ok ? address.value : null
    const where = { host: known?.host ?? null, baseUrl: known?.baseUrl ?? null }
    if (known === null) return { ...where, key: null }
    if (held !== null && held.baseUrl === known.baseUrl) return { ...where, key: held.saved ? 'keychain' : 'session' }
    if (environment.apiKey !== null) return { ...where, key: 'environment' }
    const stored = await keychain.get(known.host)
    return { ...where, key: stored.ok && stored.secret !== null && stored.secret !== '' ? 'keychain' : null }
  }

  const ops: EngineOps = {
    connect: async ({ token, address, key, plainHttp }) => {
      const read = addressOf({ url: address, allowHttp: plainHttp }, environment, settings().settings)
      if (!read.ok) return read
      if (read.value === null) return refuse({ code: 'usage', title: 'No address was given.', hint: null })
      const clean = readKey(key)
      if (!clean.ok) return clean
      const proved = await prove({ createApi, address: read.value, key: clean.value, signal: AbortSignal.timeout(PROVE_MS) })
      if (!proved.ok) return proved
      proofs.set(token, { address: read.value, key: clean.value })
      for (const old of [...proofs.keys()].slice(0, -PROOFS_MOST)) proofs.delete(old)
      return ok({ host: read.value.host, baseUrl: read.value.baseUrl, stats: provedStats(proved.value) })
    },
    keep: async ({ token, save }) => {
      const proof = proofs.get(token)
      if (proof === undefined) return refuse({ code: 'usage', title: 'This proof is not known any more.', hint: 'Connect again.' })
      if (save) {
        const stored = await keychain.set(proof.address.host, proof.key)
        if (!stored.ok) return refuse({ code: 'keychain', title: stored.failure.message, hint: null })
      }
      // What a person gives now counts in this run, also where the environment gave another key.
      const { key, address } = proof
      hold(save && environment.apiKey === null ? null : { baseUrl: address.baseUrl, key, saved: save })
      proofs.delete(token)
      return ok({ baseUrl: proof.address.baseUrl })
    },
    signOut: async () => {
      hold(null)
      proofs.clear()
      const now = await connection()
      if (now.key === 'environment') {
        await session?.call('reloadKey', {})
        return refuse({ code: 'usage', title: 'The key was given by the environment of this process.', hint: 'Start Slipway without it.' })
      }
      if (now.host !== null) {
        const removed = await keychain.remove(now.host)
        if (!removed.ok && now.key === 'keychain') return refuse({ code: 'keychain', title: removed.failure.message, hint: null })
      }
      await session?.call('reloadKey', {})
      return ok(await connection())
    },
    connection: async () => ok(await connection()),
    keychain: async () => {
      const got = await keychain.get('slipway.probe')
      return ok({ ok: got.ok, message: got.ok ? null : got.failure.message })
    },
    proxy: async ({ proxy: next }) => {
      if (next === proxy) return ok({})
      proxy = next
      await session?.call('reloadKey', {})
      return ok({})
    },
    delay: async () => {
      const found = { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 }
      delay.reset()
      return ok(found)
    },
  }

  /** With every engine anew: the app is here, so what is due goes out. */
  const begin = async (now: Session): Promise<void> => {
    await now.call('work', {})
    say({ type: 'up', owner: now.isOwner() })
  }

  const open = (async (): Promise<Session | null> => {
    const opened = await createSession({ open: host.open, time })
    if (!opened.ok) {
      say({ type: 'failed', failure: opened.failure })
      return null
    }
    session = opened.value
    session.onEvent((event) => say({ type: 'event', event }))
    session.onReopen(() => void begin(opened.value))
    session.onClose(() => say({ type: 'closed' }))
    await begin(opened.value)
    return session
  })()

  const answer = async (message: Extract<ToEngine, { type: 'call' | 'op' }>): Promise<Result<unknown>> => {
    if (message.type === 'op') return ops[message.op as 'connect'](message.input as never)
    const now = await open
    if (now === null) return refuse({ code: 'disk', title: 'The engine could not be started.', hint: null })
    return now.call(message.procedure, message.input as never)
  }

  port.on('message', (message: ToEngine) => {
    if (message.type === 'close') {
      grace.ms = message.graceMs
      void open.then(async (now) => {
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

function defect(message: Extract<ToEngine, { type: 'call' | 'op' }>, error: unknown): Result<never> {
  const what = message.type === 'op' ? message.op : message.procedure
  return refuse({ code: 'defect', title: `${what}: ${error instanceof Error ? error.message : String(error)}`, hint: null })
}

/** `/stats` of a key that is only tried: as much as can be said before the engine knows it. */
function provedStats(stats: Stats): StatsView {
  const quota = readQuota(stats)
  const { limits, known } = effectivePlan(stats.plan, readRates(stats.limits))
  const size = quota.maxFileSize
  const believed = sizeLimit(size, null)
  const window = (limit: number | null): Window => ({ limit, used: 0, nextAt: null })
  return {
    plan: stats.plan,
    totalFiles: quota.totalFiles,
    totalSize: quota.totalSize,
    stats: { ...stats.stats },
    limits: { ...stats.limits },
    maxFileSize:
      size.kind !== 'limited'
        ? { kind: size.kind, value: null, unit: 'bytes' }
        : believed.kind === 'limited'
          ? { kind: 'limited', value: believed.value, unit: 'bytes' }
          : // Told, but in which unit is only learned from a receipt.
            { kind: 'limited', value: size.value, unit: 'unknown' },
    minute: window(known ? limits.perMinute : null),
    day: window(known ? limits.perDay : null),
    dailyUploads: { ...window(quota.dailyUploads.kind === 'limited' ? quota.dailyUploads.value : null), used: quota.uploadsToday ?? 0 },
  }
}

/** `system`: the variables that other programs read; `none`; or one address for everything. */
function proxyFor(chosen: string, env: Readonly<Record<string, string | undefined>>): ReturnType<typeof proxyOf> {
  if (chosen === 'system') return proxyOf(env)
  if (chosen === 'none') return { http: null, https: null, noProxy: null }
  return { http: chosen, https: chosen, noProxy: proxyOf(env).noProxy ?? null }
}
