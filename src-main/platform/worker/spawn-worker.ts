// Work that must not block the engine's thread runs in worker threads: listing directories, hashing, searching for secrets, watching
// folders. A worker has only the code that it needs, because each thread compiles and keeps its own copy.
import { Worker } from 'node:worker_threads'
import { WORKER_CODE } from './worker-code.ts'
import type { WorkerRole } from './worker-main.ts'

export type SpawnWorker = (role: WorkerRole) => Worker

/**
 * Heap limits, because these threads retain little but create much garbage. The initial scan of 100,000 files retains only 4 MB. With
 * V8's default limits, which let 64 MB or more of garbage accumulate, the process grew by 320 MB; with these it grows by 110 MB.
 */
const SMALL = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 512 } as const

/** Starts a worker, without the API key in its environment. */
export const spawnWorker: SpawnWorker = (role) => {
  const { SLIPWAY_API_KEY: _key, ...env } = process.env
  const options = { workerData: { slipwayRole: role }, env, execArgv: [], resourceLimits: SMALL }
  const worker =
    WORKER_CODE === null
      ? new Worker(new URL('./worker-main.ts', import.meta.url), options)
      : new Worker(WORKER_CODE, { ...options, eval: true })
  worker.unref()
  return worker
}
