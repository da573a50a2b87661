// Puts the real parts together for the command line: data folder, keychain, settings, engine. Thin: every decision is elsewhere.
// Nothing is opened before a command asks for it, so `--help` and usage errors touch no file.
import { access, constants, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineClient, Result } from '../../src-shared/contract.ts'
import type { ApiClient } from '../api/types.ts'
import type { Keychain } from '../engine/ports.ts'
import type { ElectedEngine } from '../platform/engine-election.ts'
import { apiFactory, createEngineHost, type Grace, proxyOf } from '../platform/engine-host.ts'
import { type Address, addressOf, type Environment, readIdentity } from '../platform/identity.ts'
import { createKeychain } from '../platform/keychain.ts'
import { toNative } from '../platform/path-codec.ts'
import { type DataPaths, dataDir, dataPaths } from '../platform/paths.ts'
import { makePrivateDir } from '../platform/private-dir.ts'
import { type ReadSettings, readSettings, type Settings, writeSettings } from '../platform/settings.ts'
import { createSpool } from '../platform/spool.ts'
import type { Time } from '../platform/time.ts'
import { diskFailure } from '../platform/trouble.ts'
import type { Reach } from './commands/doctor.ts'
import type { PathKind } from './context.ts'

export interface Wiring {
  readonly paths: DataPaths
  readonly keychain: Keychain
  readonly settings: { readonly read: () => ReadSettings; readonly write: (settings: Settings) => void }
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient
  /** The address that is configured, normalised. Null: none, or not a valid one. */
  readonly baseUrl: () => string | null
  readonly elect: () => Promise<Result<ElectedEngine>>
  /** The engine of another process; null: none answers. */
  readonly findRunning: () => Promise<EngineClient | null>
  readonly kindOf: (path: string) => Promise<PathKind>
  /** Keeps all of standard input in a private file of this name, and resolves with its path. */
  readonly keepInput: (name: string, signal: AbortSignal) => Promise<Result<string>>
  readonly dropInput: (path: string) => Promise<void>
  readonly dataDirFault: () => Promise<string | null>
  readonly freeBytes: () => Promise<number | null>
  readonly watchLimit: () => Promise<number | null>
  readonly reach: (address: Address) => Promise<Reach>
}

/** From source the workers have an entry of their own; the one-file build starts itself again. */
const WORKER_ENTRY = import.meta.url.endsWith('.ts') ? new URL('../platform/worker-main.ts', import.meta.url) : new URL(import.meta.url)

const REACH_MS = 15_000

export function createWiring(options: {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly taken: Environment
  readonly time: Time
  readonly grace: Grace
  /** What a person should hear whatever the command is. */
  readonly tell: (title: string, hint: string | null) => void
}): Wiring {
  const { env, taken, time, grace } = options
  const paths = dataPaths(dataDir(env), env)
  const spool = createSpool(paths.pasted)
  const keychain = createKeychain({ entry: WORKER_ENTRY })
  const createApi = apiFactory(proxyOf(env))
  let setAside: string | null = null
  const settings: Wiring['settings'] = {
    read: () => {
      const read = readSettings(paths.settings, time.now())
      // The first read sets a broken file aside. Its message is kept, since it may be printed later.
      setAside ??= read.message
      return { settings: read.settings, message: setAside }
    },
    write: (value) => writeSettings(paths.settings, value),
  }

  const host = createEngineHost({
    paths,
    workerEntry: WORKER_ENTRY,
    createApi,
    identity: () => readIdentity({ env: taken, settings: settings.read().settings, keychain }),
    time,
    grace,
    // A command that only looks sends nothing that an earlier one left behind.
    passive: true,
    diskHint: 'slipway doctor tells more.',
    tell: options.tell,
  })

  return {
    paths,
    keychain,
    settings,
    createApi,
    baseUrl: () => {
      const address = addressOf(null, taken, settings.read().settings)
      return address.ok ? (address.value?.baseUrl ?? null) : null
    },
    elect: host.elect,
    findRunning: host.findRunning,
    keepInput: async (name, signal) => {
      try {
        return { ok: true, value: await spool.put(process.stdin, name, signal) }
      } catch (error) {
        if (signal.aborted) return { ok: false, failure: { code: 'closing', title: 'Interrupted.', hint: null } }
        const title = `Couldn't keep standard input: ${error instanceof Error ? error.message : String(error)}`
        return { ok: false, failure: diskFailure(error, paths.dir) ?? { code: 'disk', title, hint: 'Nothing was uploaded.' } }
      }
    },
    dropInput: spool.drop,
    kindOf: async (path) => {
      try {
        const entry = await stat(toNative(path))
        if (!entry.isDirectory()) return entry.isFile() ? 'file' : 'other'
        await access(toNative(path), constants.R_OK | constants.X_OK)
        return 'directory'
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : ''
        return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'missing'
      }
    },
    dataDirFault: async () => {
      const probe = join(paths.dir, `doctor-${process.pid}`)
      try {
        makePrivateDir(paths.dir)
        await writeFile(probe, 'ok', { mode: 0o600 })
        await rm(probe)
        return null
      } catch (error) {
        return diskFailure(error, paths.dir)?.title ?? (error instanceof Error ? error.message : String(error))
      }
    },
    freeBytes: async () => {
      try {
        const disk = await statfs(paths.dir)
        return disk.bavail * disk.bsize
      } catch {
        return null
      }
    },
    watchLimit: async () => {
      if (process.platform !== 'linux') return null
      const text = await readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8').catch(() => '')
      const limit = Number.parseInt(text, 10)
      return Number.isNaN(limit) ? null : limit
    },
    reach: async ({ baseUrl, origin }) => {
      const api = createApi(baseUrl, () => null)
      // The front page, without the key: any answer will do.
      const got = await api.download(`${origin}/`, () => undefined, AbortSignal.timeout(REACH_MS))
      await api.close()
      if (got.ok) return { ok: true, serverDate: got.meta.serverDate }
      const { failure } = got
      if (failure.kind === 'connect') return { ok: false, cause: failure.cause, message: failure.message }
      if ('meta' in failure && failure.meta !== null) return { ok: true, serverDate: failure.meta.serverDate }
      return { ok: false, cause: failure.kind === 'timeout' || failure.kind === 'aborted' ? 'timeout' : 'other', message: failure.message }
    },
  }
}
