// Work that must not hold up the engine's thread runs in worker threads: listing directories, hashing streams, watching folders. One entry serves them all,
// so that the one-file build needs no second file: the entry starts itself as a worker and asks here what it is to do.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { serveDisk } from './disk-worker.ts'
import { serveHash } from './hash-worker.ts'
import { serveInspect } from './inspect-worker.ts'
import { KEYCHAIN_ROLE, serveKeychainCall, serveKeychainThread } from './keychain.ts'
import { serveWatch } from './watch-worker.ts'

const SERVE = { disk: serveDisk, hash: serveHash, inspect: serveInspect, watch: serveWatch } as const

export type WorkerRole = keyof typeof SERVE

export type SpawnWorker = (role: WorkerRole) => Worker

/** True in a thread or process that was started for a role; then nothing else of the program may run. */
export function runAsWorker(): boolean {
  if (isMainThread && process.env[KEYCHAIN_ROLE] === '1') {
    void serveKeychainCall()
    return true
  }
  const role: unknown = workerData?.slipwayRole
  if (parentPort === null) return false
  if (role === 'keychain') {
    void serveKeychainThread(parentPort, workerData.request)
    return true
  }
  if (role !== 'disk' && role !== 'hash' && role !== 'inspect' && role !== 'watch') return false
  SERVE[role](parentPort)
  return true
}

/**
 * These threads keep little and throw away much: a first look at 100,000 files leaves 4 MB behind. With the usual room for garbage (64 MB and
 * more) the process grew by 320 MB in that look, with this one by 110 MB.
 */
const SMALL = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 512 } as const

/** Starts `entry` (a module that calls `runAsWorker` first) as a worker. The key is not in its environment. */
export function spawnFrom(entry: URL): SpawnWorker {
  return (role) => {
    const { SLIPWAY_API_KEY: _key, ...env } = process.env
    const worker = new Worker(entry, { workerData: { slipwayRole: role }, env, execArgv: [], resourceLimits: SMALL })
    worker.unref()
    return worker
  }
}
