// Entry point of the engine thread, which is built as a file beside main.js.
import '../../platform/disk/no-asar.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { serveEngineThread } from './engine-thread.ts'
import type { EngineThreadStart } from './protocol.ts'

if (parentPort !== null && workerData?.slipwayRole === 'engine')
  serveEngineThread(parentPort, workerData as EngineThreadStart)
