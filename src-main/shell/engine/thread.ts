// Entry point of all threads and utility processes of the app, built as one file beside main.js. The start-up data selects the role: the
// engine, one of its worker threads, the thumbnail thread, or a keychain call.
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
