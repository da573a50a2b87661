// Starts the worker threads, which do work that must not block the engine's thread, such as listing
// directories, hashing and watching folders. Their script contains only the code that they need, because each
// thread compiles and keeps its own copy.
import { Worker } from 'node:worker_threads'
import { WORKER_CODE } from './worker-code.ts'
import type { WorkerRole } from './worker-main.ts'

export type SpawnWorker = (role: WorkerRole) => Worker

/**
 * Limits of a thread's heap. They are low, because these threads retain little but create much garbage. With
 * V8's default limits, the initial scan of 100,000 files makes the process grow by 320 MB. With these limits,
 * it grows by 110 MB.
 */
const SMALL = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 512 } as const
/** A search that needs more ends with its thread (disk-threads.ts). */
const SEARCHING = { ...SMALL, maxOldGenerationSizeMb: 64 } as const

/**
 * This process's environment without the API key and NODE_OPTIONS. NODE_OPTIONS can name a script to run. In
 * a thread that has its own environment, Node applies NODE_OPTIONS even if the executable ignores it.
 */
function workerEnvironment(): NodeJS.ProcessEnv {
  const { SLIPWAY_API_KEY: _key, NODE_OPTIONS: _options, ...env } = process.env
  return env
}

export const spawnWorker: SpawnWorker = (role) => {
  const options = {
    workerData: { slipwayRole: role },
    env: workerEnvironment(),
    execArgv: [],
    resourceLimits: role === 'inspect' ? SEARCHING : SMALL,
  }
  const worker =
    WORKER_CODE === null
      ? new Worker(new URL('./worker-main.ts', import.meta.url), options)
      : new Worker(WORKER_CODE, { ...options, eval: true })
  worker.unref()
  return worker
}
