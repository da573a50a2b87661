// Hosts the engine in this process: data folder, log, lock, worker threads, engine and control socket put together, for the command line and
// the app alike. Thin: every decision is elsewhere. Nothing is opened before it is asked for.
import { existsSync, renameSync } from 'node:fs'
import type { EngineClient, Result } from '../../src-shared/contract.ts'
import { createApiClient } from '../api/client.ts'
import type { ApiClient, ApiClientOptions } from '../api/types.ts'
import type { Identity } from '../engine/account/identity.ts'
import { type Engine, openEngine } from '../engine/engine.ts'
import { watchCalm } from './calm.ts'
import { createClock } from './clock.ts'
import { readDebugTopics, warnOfUnknownTopics } from './debug-topics.ts'
import { createDisk } from './disk.ts'
import { type ElectedEngine, electEngine } from './engine-election.ts'
import { createLocalEngine } from './engine-local.ts'
import { connectRemoteEngine, serveRemoteEngine } from './engine-remote.ts'
import { createFileSync } from './file-sync.ts'
import { createGuardRules } from './guard-rules.ts'
import { createHashing } from './hashing.ts'
import { createInspection } from './inspection.ts'
import { createLog } from './log.ts'
import { acquireOwner } from './owner-lock.ts'
import { forPeople } from './path-codec.ts'
import { type DataPaths, ownDirs } from './paths.ts'
import { makePrivateDir } from './private-dir.ts'
import { seal } from './seal.ts'
import { cleanSpool, isAlive } from './spool.ts'
import { createStampFile } from './stamp-file.ts'
import type { Time } from './time.ts'
import { diskFailure } from './trouble.ts'
import { VERSION } from './version.ts'
import { createWatch } from './watch.ts'
import { spawnFrom } from './worker-roles.ts'

/** An interrupted command is waited for by a person; one that is done can let uploads of others come to their end. */
export interface Grace {
  ms: number
}

export interface EngineHost {
  /** Becomes the owner of the data folder, or a client of its owner. */
  readonly elect: () => Promise<Result<ElectedEngine>>
  /** The engine of another process; null: none answers. */
  readonly findRunning: () => Promise<EngineClient | null>
}

export interface EngineHostOptions {
  readonly paths: DataPaths
  /** The module that worker threads start. */
  readonly workerEntry: URL
  readonly createApi: (baseUrl: string, key: () => string | null) => ApiClient
  /** Key and address, read anew whenever the engine asks. */
  readonly identity: () => Promise<Result<Identity>>
  readonly time: Time
  readonly grace: Grace
  /** true: nothing that an earlier process left behind is sent before something is asked for. */
  readonly passive: boolean
  /** What to do about a data folder that can't be used. */
  readonly diskHint: string
  /** What a person should hear whatever is asked. */
  readonly tell: (title: string, hint: string | null) => void
}

const SET_ASIDE = { corrupt: 'it is damaged', newer: 'a newer Slipway wrote it', 'not-a-journal': 'it is another file' } as const

export function createEngineHost(options: EngineHostOptions): EngineHost {
  const { paths, time, grace } = options

  const own = async (): Promise<Result<EngineClient | null>> => {
    let release: () => void = () => undefined
    try {
      makePrivateDir(paths.dir)
      const owner = acquireOwner(paths.owner)
      if (!owner.ok) return { ok: true, value: null }
      release = owner.release
      return { ok: true, value: await hostEngine(owner.release) }
    } catch (error) {
      release()
      return {
        ok: false,
        failure: diskFailure(error, paths.dir) ?? {
          code: 'disk',
          title: error instanceof Error ? error.message : String(error),
          hint: options.diskHint,
        },
      }
    }
  }

  const hostEngine = async (release: () => void): Promise<EngineClient> => {
    const debug = readDebugTopics(process.env['SLIPWAY_DEBUG'])
    const log = createLog({ file: paths.log, debug: debug.topics })
    warnOfUnknownTopics(log, debug)
    const spawn = spawnFrom(options.workerEntry)
    const disk = createDisk({ spawn })
    const hashing = createHashing({ spawn })
    const inspection = createInspection({ spawn })
    const watch = createWatch({ spawn })
    let stopCalm: () => void = () => undefined
    const closeParts = async (): Promise<void> => {
      stopCalm()
      await Promise.allSettled([disk.close(), hashing.close(), inspection.close(), watch.close()])
      log.close()
      release()
    }
    let engine: Engine
    try {
      engine = await openEngine({
        ports: { clock: createClock(), random: Math.random, disk, watch, hashing, inspection, log },
        journal: paths.journal,
        files: { exists: existsSync, rename: renameSync },
        seal,
        sync: createFileSync(),
        stamp: createStampFile(paths.journal),
        version: VERSION,
        createApi: options.createApi,
        identity: async () => {
          const identity = await options.identity()
          if (identity.ok) log.addSecret(identity.value.key)
          return identity
        },
        wireName: forPeople,
        passive: options.passive,
        guardRules: createGuardRules(paths.settings, () => performance.now()),
        own: { dirs: ownDirs(paths), pasted: paths.pasted },
      })
    } catch (error) {
      await closeParts()
      throw error
    }
    stopCalm = watchCalm({
      time,
      onCalm: () => {
        engine.rest()
        disk.rest()
        hashing.rest()
        inspection.rest()
      },
    })
    if (engine.setAside !== null)
      options.tell(
        `The journal could not be used (${SET_ASIDE[engine.setAside.why]}). It was set aside as ${engine.setAside.file}.`,
        'It is rebuilt from the folder and the service; nothing is sent twice.',
      )
    const server = await serveRemoteEngine({ path: paths.socket, handlers: engine.handlers, log, onClients: () => undefined }).catch(
      (error: unknown) => {
        // Without the socket this engine still works; only other commands can't speak to it.
        log.error('socket.failed', { message: error instanceof Error ? error.message : String(error) })
        return null
      },
    )
    const spool = cleanSpool({ dir: paths.pasted, handlers: engine.handlers, onEvent: engine.onEvent, isAlive })
    engine.onEvent((event) => {
      if (server !== null && server.clients() > 0) server.broadcast(event)
    })
    return createLocalEngine({
      handlers: engine.handlers,
      log,
      onEvent: engine.onEvent,
      close: async () => {
        // First the clients: they take over as soon as the lock is free.
        await server?.close()
        spool.close()
        await engine.close(grace.ms)
        await closeParts()
      },
    })
  }

  return {
    elect: () => electEngine({ connect: () => connectRemoteEngine(paths.socket), own, time, dataDir: paths.dir }),
    findRunning: async () => {
      const client = await connectRemoteEngine(paths.socket)
      return client.ok ? client.value : null
    },
  }
}

export function apiFactory(proxy: NonNullable<ApiClientOptions['proxy']>): EngineHostOptions['createApi'] {
  return (baseUrl, key) => createApiClient({ baseUrl, key, userAgent: `Slipway/${VERSION}`, proxy })
}

/** The variables that other programs read; the lower-case form wins where both are set, as it does in curl. */
export function proxyOf(env: Readonly<Record<string, string | undefined>>): NonNullable<ApiClientOptions['proxy']> {
  const read = (name: string): string | null => env[name.toLowerCase()] || env[name] || null
  return { http: read('HTTP_PROXY'), https: read('HTTPS_PROXY') ?? read('ALL_PROXY'), noProxy: read('NO_PROXY') }
}
