// Assembles the engine in this process, for both the app and the command line: data folder, log, lock, worker
// threads, engine and control socket. Nothing is opened until `elect` or `findRunning` is called.
import { statSync } from 'node:fs'
import type { EngineClient, Result } from '../../../src-shared/engine-contract.ts'
import type { NoticeAbout } from '../../../src-shared/events.ts'
import { createApiClient } from '../../api/client.ts'
import { createGuardedClient } from '../../api/guarded-client.ts'
import type { ApiClient, ApiClientOptions, LearnedOrigins } from '../../api/types.ts'
import type { Identity } from '../../engine/budget/current-key.ts'
import { type Engine, openEngine } from '../../engine/engine.ts'
import type { DebugTopic, DiskFailure, EnginePolicy, Log } from '../../engine/ports.ts'
import { type GuardRules, NO_GUARD_RULES } from '../../engine/rules/guard.ts'
import { createClock } from '../clock.ts'
import { createFileSync } from '../data/file-sync.ts'
import { createStampFile, journalFiles, seal } from '../data/journal-files.ts'
import { type DataPaths, ownDirs } from '../data/paths.ts'
import { addressFault, allowedLinks, currentPolicy, type Policy } from '../data/policy.ts'
import { makePrivateDir } from '../data/private-dir.ts'
import { readPrivateFile } from '../data/private-file.ts'
import { parseSettings } from '../data/settings.ts'
import { cleanSpool, isAlive } from '../data/spool.ts'
import { diskFailure } from '../data/trouble.ts'
import { accessFault } from '../data/windows-access.ts'
import { createDisk } from '../disk/disk.ts'
import { createHashing } from '../disk/hashing.ts'
import { createInspection } from '../disk/inspection.ts'
import { createMover } from '../disk/mover.ts'
import { forPeople } from '../disk/path-codec.ts'
import { watchCalm } from '../heap-policy.ts'
import { createLog, type FileLog } from '../log.ts'
import { trustSystemCertificates } from '../system-certificates.ts'
import type { Time } from '../time.ts'
import { VERSION } from '../version.ts'
import { createWatch } from '../watch/watch.ts'
import { spawnWorker as spawn } from '../worker/spawn-worker.ts'
import { closeEndpoint, findEndpoint, openEndpoint } from './control-key.ts'
import type { ControlServer } from './control-socket.ts'
import { type ElectedEngine, electEngine } from './engine-election.ts'
import { createLocalEngine } from './engine-local.ts'
import { connectRemoteEngine, serveRemoteEngine } from './engine-remote.ts'
import { acquireOwner } from './owner-lock.ts'

const SET_ASIDE = {
  corrupt: 'it is damaged',
  newer: 'a newer Slipway wrote it',
  'not-a-journal': 'it is another file',
} as const

/**
 * How long cached rules are used before the file is checked again. Scans and uploads may request the rules a
 * thousand times a second.
 */
const FRESH_MS = 250

// Parses SLIPWAY_DEBUG, a comma-separated list of topics or `all`. It selects the parts of the engine that
// log the reasons for their decisions at level `debug`.
export const DEBUG_TOPICS: readonly DebugTopic[] = ['aggregator', 'scanner', 'scheduler', 'settle']

/**
 * The shutdown grace period for uploads under way. Mutable, because it depends on why the engine is closed:
 * it is shorter, for example, when the user interrupts a command.
 */
export interface Grace {
  ms: number
}

export interface EngineHost {
  /** Becomes the owner of the data folder, or a client of its owner. */
  readonly elect: () => Promise<Result<ElectedEngine>>
  /**
   * Connects to the engine of another process. Resolves to null if none answers, or if it uses another
   * protocol version.
   */
  readonly findRunning: () => Promise<EngineClient | null>
}

export interface EngineHostOptions {
  readonly paths: DataPaths
  readonly createApi: (
    baseUrl: string,
    key: () => string | null,
    learned?: LearnedOrigins,
  ) => ApiClient<string>
  /** Reads the API key and the service's address. Called whenever the engine needs them. */
  readonly identity: () => Promise<Result<Identity>>
  readonly time: Time
  readonly grace: Grace
  /** Whether uploads left over from an earlier process wait until `upload`, `watch` or `work` is called. */
  readonly passive: boolean
  /** The hint to show for errors at start-up that `diskFailure` doesn't recognize. */
  readonly diskHint: string
  /**
   * Shows the user a message that doesn't result from a request. The text is in English; `about` identifies
   * the subject, so that the receiver can show a translation.
   */
  readonly tell: (title: string, hint: string | null, about: NoticeAbout) => void
  /** Moves a file to the system's bin; absent if this process can't. On Linux, no other program is needed. */
  readonly trash?: (path: string) => Promise<DiskFailure | null>
}

function openLog(paths: DataPaths): FileLog {
  const debug = readDebugTopics(process.env['SLIPWAY_DEBUG'])
  const log = createLog({ file: paths.log, debug: debug.topics })
  warnOfUnknownTopics(log, debug)
  const message = accessFault(paths.root) ?? accessFault(paths.dir)
  if (message !== null) log.warn('data-folder.access', { message })
  return log
}

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
    const log = openLog(paths)
    const disk = createDisk({ spawn })
    const hashing = createHashing({ spawn })
    const inspection = createInspection({ spawn })
    const watch = createWatch({ spawn })
    const mover = createMover(options.trash)
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
        ports: { clock: createClock(), random: Math.random, disk, watch, hashing, inspection, mover, log },
        journal: paths.journal,
        files: journalFiles,
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
        policy: createEnginePolicy(),
      })
    } catch (error) {
      await closeParts()
      throw error
    }
    stopCalm = watchCalm({
      time,
      isScanning: () => engine.isScanning(),
      onCalm: () => {
        engine.rest()
        disk.rest()
        hashing.rest()
        inspection.rest()
      },
    })
    if (engine.setAside !== null)
      options.tell(
        `The journal couldn't be used (${SET_ASIDE[engine.setAside.why]}). It was set aside as ${engine.setAside.file}.`,
        'Slipway rebuilds it from the folder and the service. Nothing is uploaded twice.',
        { what: 'journal', name: engine.setAside.file, count: 1 },
      )
    const server = await serve(paths, engine.handlers, log).catch((error: unknown) => {
      // The engine works without the socket, but other processes can't connect to it.
      log.error('socket.failed', { message: error instanceof Error ? error.message : String(error) })
      return null
    })
    const { handlers, onEvent } = engine
    const spool = cleanSpool({ dir: paths.pasted, handlers, onEvent, isAlive })
    onEvent((event) => {
      if (server !== null && server.clients() > 0) server.broadcast(event)
    })
    return createLocalEngine({
      handlers,
      log,
      onEvent,
      close: async () => {
        // Disconnect the clients first, so that one of them takes over as soon as the lock is released.
        await server?.close()
        closeEndpoint(paths)
        spool.close()
        await engine.close(grace.ms)
        await closeParts()
      },
    })
  }

  return {
    elect: () =>
      electEngine({ connect: () => connectRemoteEngine(findEndpoint(paths)), own, time, dataDir: paths.dir }),
    findRunning: async () => {
      const client = await connectRemoteEngine(findEndpoint(paths))
      return client.ok ? client.value : null
    },
  }
}

function createEnginePolicy(): () => EnginePolicy {
  let from: Policy | null = null
  let policy: EnginePolicy = { forbidden: [], address: '' }
  return () => {
    const now = currentPolicy()
    if (now !== from)
      policy = {
        forbidden: now.forbidden,
        address: JSON.stringify(now.address),
        ...(now.fault === null ? {} : { fault: now.fault.title }),
      }
    from = now
    return policy
  }
}

async function serve(paths: DataPaths, handlers: Engine['handlers'], log: Log): Promise<ControlServer> {
  return serveRemoteEngine({ endpoint: openEndpoint(paths), handlers, log, onClients: () => undefined })
}

export function apiFactory(proxy: NonNullable<ApiClientOptions['proxy']>): EngineHostOptions['createApi'] {
  return (baseUrl, key, learned) => {
    if (baseUrl.startsWith('https:')) trustSystemCertificates()
    // Every API client is created here, so no request bypasses the policy, even if the policy changes while
    // the client is in use.
    const links = { allowed: () => allowedLinks(currentPolicy()), learned }
    return createGuardedClient(
      createApiClient({ baseUrl, key, userAgent: `Slipway/${VERSION}`, proxy, links }),
      () => {
        const fault = addressFault(currentPolicy(), baseUrl)
        return fault === null ? null : `${fault.title} ${fault.hint ?? ''}`
      },
    )
  }
}

// Reads the user's rules on which files to hold for approval and which to allow. They are in the settings
// file, which all Slipway processes share. The file is checked for changes at most every FRESH_MS, so that a
// change applies without a restart. If it can't be read, the previous rules stay in effect.

/**
 * The returned function yields the same object until the rules change. `now` returns monotonic milliseconds.
 */
function createGuardRules(file: string, now: () => number): () => GuardRules {
  let rules = NO_GUARD_RULES
  let stamp = ''
  let lookedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (now() - lookedAt < FRESH_MS) return rules
    lookedAt = now()
    try {
      const { mtimeMs, size, ino } = statSync(file)
      const found = `${mtimeMs} ${size} ${ino}`
      if (found === stamp) return rules
      const settings = parseSettings(readPrivateFile(file) ?? '')
      if (settings === null) return rules
      stamp = found
      const { guardHold: hold, guardAllow: allow } = settings.app
      if (JSON.stringify({ hold, allow }) !== JSON.stringify(rules)) rules = { hold, allow }
    } catch {
      // If the settings can't be read, for example because there is no file yet, the previous rules stay in
      // effect.
    }
    return rules
  }
}

interface DebugSelection {
  readonly topics: ReadonlySet<DebugTopic>
  /** Names in the list that aren't topics. */
  readonly unknown: readonly string[]
}

/** Parses the value of SLIPWAY_DEBUG. Ignores case and surrounding spaces. */
export function readDebugTopics(value: string | undefined): DebugSelection {
  const names = (value ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
  const topics = DEBUG_TOPICS.filter((topic) => names.includes('all') || names.includes(topic))
  const known: readonly string[] = [...DEBUG_TOPICS, 'all']
  return { topics: new Set(topics), unknown: [...new Set(names.filter((name) => !known.includes(name)))] }
}

/** Logs one warning that lists the unknown names in SLIPWAY_DEBUG. */
export function warnOfUnknownTopics(log: Pick<Log, 'warn'>, { unknown }: DebugSelection): void {
  if (unknown.length > 0)
    log.warn('debug.unknown-topic', { unknown: unknown.join(','), known: [...DEBUG_TOPICS, 'all'].join(',') })
}
