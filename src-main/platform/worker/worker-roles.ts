// Work that must not block the engine's thread runs in worker threads: listing directories, hashing, searching for secrets, watching
// folders. The program's entry starts itself as a worker and reads its role here, so that the one-file build doesn't need a second file. A
// process for a keychain call (account/keychain.ts) is started the same way.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { KEYCHAIN_ROLE, serveKeychainCall } from '../account/keychain.ts'
import { serveDisk } from '../disk/disk-worker.ts'
import { serveHash } from '../disk/hash-worker.ts'
import { serveInspect } from '../disk/inspect-worker.ts'
import { serveWatch } from '../watch/watch-worker.ts'

const SERVE = { disk: serveDisk, hash: serveHash, inspect: serveInspect, watch: serveWatch } as const

export type WorkerRole = keyof typeof SERVE

export type SpawnWorker = (role: WorkerRole) => Worker

/** Serves the role that this thread or process was started for. Returns false if it has none; if true, the caller must run nothing else. */
export function runAsWorker(): boolean {
  if (isMainThread && process.env[KEYCHAIN_ROLE] === '1') {
    void serveKeychainCall()
    return true
  }
  const role: unknown = workerData?.slipwayRole
  if (parentPort === null) return false
  if (role !== 'disk' && role !== 'hash' && role !== 'inspect' && role !== 'watch') return false
  SERVE[role](parentPort)
  return true
}

/**
 * Heap limits, because these threads retain little but create much garbage. The initial scan of 100,000 files retains only 4 MB. With
 * V8's default limits, which let 64 MB or more of garbage accumulate, the process grew by 320 MB; with these it grows by 110 MB.
 */
const SMALL = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 512 } as const

/** A module that calls `runAsWorker` first: its URL, or its source text if it isn't a file. */
export type WorkerEntry = URL | { readonly code: string }

/** Starts `entry` as a worker without the API key in its environment. */
export function spawnFrom(entry: WorkerEntry): SpawnWorker {
  return (role) => {
    const { SLIPWAY_API_KEY: _key, ...env } = process.env
    const options = { workerData: { slipwayRole: role }, env, execArgv: [], resourceLimits: SMALL }
    const worker = entry instanceof URL ? new Worker(entry, options) : new Worker(entry.code, { ...options, eval: true })
    worker.unref()
    return worker
  }
}
