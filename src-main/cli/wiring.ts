// Puts the real parts together: data folder, keychain, settings, log, lock, engine, socket. Thin: every decision is elsewhere.
// Nothing is opened before a command asks for it, so `--help` and usage errors touch no file.
import { existsSync, renameSync } from 'node:fs'
import { readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineClient, Result } from '../../src-shared/contract.ts'
import { createApiClient } from '../api/client.ts'
import type { ApiClient, ApiClientOptions } from '../api/types.ts'
import { type Engine, openEngine } from '../engine/engine.ts'
import type { Keychain } from '../engine/ports.ts'
import { createClock } from '../platform/clock.ts'
import { createDisk } from '../platform/disk.ts'
import { createHashing } from '../platform/hashing.ts'
import { createKeychain } from '../platform/keychain.ts'
import { createLog } from '../platform/log.ts'
import { acquireOwner } from '../platform/owner-lock.ts'
import { forPeople, toNative } from '../platform/path-codec.ts'
import { type DataPaths, dataDir, dataPaths, makePrivateDir } from '../platform/paths.ts'
import { type ReadSettings, readSettings, type Settings, writeSettings } from '../platform/settings.ts'
import { createWatch } from '../platform/watch.ts'
import { spawnFrom } from '../platform/worker-roles.ts'
import type { Reach } from './commands/doctor.ts'
import type { PathKind, Time } from './context.ts'
import { type Address, type Environment, readIdentity } from './identity.ts'
import { openEngineHere } from './open-engine.ts'
import { connectEngine, localClient, serveEngine } from './serve.ts'
import type { Opened } from './session.ts'
import { VERSION } from './version.ts'

/** An interrupted command is waited for by a person; one that is done can let uploads of others come to their end. */
export interface Grace {
  ms: number
}

export interface Wiring {
  readonly paths: DataPaths
  readonly keychain: Keychain
  readonly settings: { readonly read: () => ReadSettings; readonly write: (settings: Settings) => void }
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient
  readonly open: () => Promise<Result<Opened>>
  /** The engine of another process; null: none answers. */
  readonly running: () => Promise<EngineClient | null>
  readonly kindOf: (path: string) => Promise<PathKind>
  readonly dataDirFault: () => Promise<string | null>
  readonly freeBytes: () => Promise<number | null>
  readonly watchLimit: () => Promise<number | null>
  readonly reach: (address: Address) => Promise<Reach>
}

/** From source the workers have an entry of their own; the one-file build starts itself again. */
const WORKER_ENTRY = import.meta.url.endsWith('.ts') ? new URL('../platform/worker-main.ts', import.meta.url) : new URL(import.meta.url)

const REACH_MS = 15_000

const SET_ASIDE = { corrupt: 'it is damaged', newer: 'a newer Slipway wrote it', 'not-a-journal': 'it is another file' } as const

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
  const keychain = createKeychain({ entry: WORKER_ENTRY })
  const proxy = proxyOf(env)
  const createApi: Wiring['createApi'] = (baseUrl, key) => createApiClient({ baseUrl, key, userAgent: `Slipway/${VERSION}`, proxy })
  let setAside: string | null = null
  const settings: Wiring['settings'] = {
    read: () => {
      const read = readSettings(paths.settings, time.now())
      // The first who reads sets a broken file aside; whoever tells a person may come later.
      setAside ??= read.message
      return { settings: read.settings, message: setAside }
    },
    write: (value) => writeSettings(paths.settings, value),
  }

  const own = async (): Promise<Result<EngineClient | null>> => {
    let release: () => void = () => undefined
    try {
      makePrivateDir(paths.dir)
      const owner = acquireOwner(paths.owner)
      if (!owner.ok) return { ok: true, value: null }
      release = owner.release
      return { ok: true, value: await ownEngine(owner.release) }
    } catch (error) {
      release()
      const title = error instanceof Error ? error.message : String(error)
      return { ok: false, failure: { code: 'disk', title, hint: 'slipway doctor tells more.' } }
    }
  }

  const ownEngine = async (release: () => void): Promise<EngineClient> => {
    const log = createLog({ file: paths.log })
    const spawn = spawnFrom(WORKER_ENTRY)
    const disk = createDisk({ spawn })
    const hashing = createHashing({ spawn })
    const closeParts = async (): Promise<void> => {
      await Promise.allSettled([disk.close(), hashing.close()])
      log.close()
      release()
    }
    let engine: Engine
    try {
      engine = await openEngine({
        ports: { clock: createClock(), random: Math.random, disk, watch: createWatch(), hashing, log },
        journal: paths.journal,
        files: { exists: existsSync, rename: renameSync },
        version: VERSION,
        createApi,
        identity: async () => {
          const identity = await readIdentity({ env: taken, settings: settings.read().settings, keychain })
          if (identity.ok) log.addSecret(identity.value.key)
          return identity
        },
        wireName: forPeople,
        // A command that only looks sends nothing that an earlier one left behind.
        passive: true,
      })
    } catch (error) {
      await closeParts()
      throw error
    }
    if (engine.setAside !== null)
      options.tell(
        `The journal could not be used (${SET_ASIDE[engine.setAside.why]}). It was set aside as ${engine.setAside.file}.`,
        'It is rebuilt from the folder and the service; nothing is sent twice.',
      )
    const server = await serveEngine({ path: paths.socket, handlers: engine.handlers, log, onClients: () => undefined }).catch(
      (error: unknown) => {
        // Without the socket this engine still works; only other commands can't speak to it.
        log.error('socket.failed', { message: error instanceof Error ? error.message : String(error) })
        return null
      },
    )
    engine.onEvent((event) => {
      if (server !== null && server.clients() > 0) server.broadcast(event)
    })
    return localClient({
      handlers: engine.handlers,
      log,
      onEvent: engine.onEvent,
      close: async () => {
        // First the clients: they take over as soon as the lock is free.
        await server?.close()
        await engine.close(grace.ms)
        await closeParts()
      },
    })
  }

  return {
    paths,
    keychain,
    settings,
    createApi,
    open: () => openEngineHere({ connect: () => connectEngine(paths.socket), own, time, dataDir: paths.dir }),
    running: async () => {
      const client = await connectEngine(paths.socket)
      return client.ok ? client.value : null
    },
    kindOf: async (path) => {
      try {
        const entry = await stat(toNative(path))
        return entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : 'other'
      } catch {
        return 'missing'
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
        return error instanceof Error ? error.message : String(error)
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

/** The variables that other programs read; the lower-case form wins where both are set, as it does in curl. */
export function proxyOf(env: Readonly<Record<string, string | undefined>>): NonNullable<ApiClientOptions['proxy']> {
  const read = (name: string): string | null => env[name.toLowerCase()] || env[name] || null
  return { http: read('HTTP_PROXY'), https: read('HTTPS_PROXY') ?? read('ALL_PROXY'), noProxy: read('NO_PROXY') }
}
