// Entry of every thread of the app, built as one file beside main.js: the engine, and the threads that the engine starts for its disk, its
// hashing and the keychain. It asks what it is to be and is nothing else.
import '../../platform/no-asar.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { runAsWorker } from '../../platform/worker-roles.ts'
import type { EngineThreadStart } from './protocol.ts'
import { serveEngineThread } from './server.ts'

if (!runAsWorker() && parentPort !== null && workerData?.slipwayRole === 'engine')
  serveEngineThread(parentPort, workerData as EngineThreadStart, new URL(import.meta.url))
