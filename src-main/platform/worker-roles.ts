// Work that must not hold up the engine's thread runs in worker threads: listing directories, hashing streams. One entry serves them all,
// so that the one-file build needs no second file: the entry starts itself as a worker and asks here what it is to do.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { serveDisk } from './disk-worker.ts'
import { serveHash } from './hash-worker.ts'
import { KEYCHAIN_ROLE, serveKeychainCall, serveKeychainThread } from './keychain.ts'

export type WorkerRole = 'disk' | 'hash'

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
  if (role !== 'disk' && role !== 'hash') return false
  if (role === 'disk') serveDisk(parentPort)
  else serveHash(parentPort)
  return true
}

/** Starts `entry` (a module that calls `runAsWorker` first) as a worker. The key is not in its environment. */
export function spawnFrom(entry: URL): SpawnWorker {
  return (role) => {
    const { SLIPWAY_API_KEY: _key, ...env } = process.env
    const worker = new Worker(entry, { workerData: { slipwayRole: role }, env, execArgv: [] })
    worker.unref()
    return worker
  }
}
