// Entry point of the engine thread and of the utility process for keychain calls, which are built as one file
// beside main.js.
import '../../platform/disk/no-asar.ts'
import { parentPort, workerData } from 'node:worker_threads'
import { answerKeychainCall } from '../../platform/account/keychain.ts'
import type { EngineThreadStart } from './protocol.ts'
import { serveEngineThread } from './server.ts'

if (process.type === 'utility') {
  const port = process.parentPort
  port.once('message', ({ data }) => void answerKeychainCall(data).then((answer) => port.postMessage(answer)))
} else if (parentPort !== null && workerData?.slipwayRole === 'engine')
  serveEngineThread(parentPort, workerData as EngineThreadStart)
