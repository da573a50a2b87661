// A process of Node 24 that runs one worker thread for an app in an older Node (threads.ts), and passes its
// messages on. Ends with the app.
import { Worker } from 'node:worker_threads'
import type { FromHost, ThreadStart } from './threads.ts'

process.on('disconnect', () => process.exit(0))
process.once('message', ({ entry, env, ...options }: ThreadStart) => {
  const say = (message: FromHost, then = (): void => undefined): void => {
    if (process.connected) process.send?.(message, then)
    else then()
  }
  const worker = new Worker(options.eval === true ? entry : new URL(entry), { ...options, env })
  worker.on('online', () => say({ type: 'online' }))
  worker.on('message', (message: unknown) => say({ type: 'message', message }))
  worker.on('error', (error: Error) => say({ type: 'error', message: error.message, stack: error.stack }))
  worker.on('exit', (code) => say({ type: 'exit', code }, () => process.exit(code)))
  process.on('message', ({ message }: { readonly message: unknown }) => worker.postMessage(message))
})
