// Entry point of every thread and every utility process of the app, built as one file beside main.js: the engine, the worker threads that the
// engine starts, the one that makes thumbnails, and the process of a keychain call. Runs only the role that it was started for.
import '../../platform/disk/no-asar.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { answerKeychainCall } from '../../platform/account/keychain.ts'
import { runAsWorker } from '../../platform/worker/worker-roles.ts'
import { serveThumbnails } from '../pictures/thumbnail-thread.ts'
import type { EngineThreadStart } from './protocol.ts'
import { serveEngineThread } from './server.ts'

if (process.type === 'utility') {
  const port = process.parentPort
  port.once('message', ({ data }) => void answerKeychainCall(data).then((answer) => port.postMessage(answer)))
} else if (!runAsWorker() && parentPort !== null) {
  if (workerData?.slipwayRole === 'engine') serveEngineThread(parentPort, workerData as EngineThreadStart, new URL(import.meta.url))
  else if (workerData?.slipwayRole === 'thumbnails') serveThumbnails(parentPort)
}
