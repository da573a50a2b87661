// The watch port: one worker thread watches all folders (watch-worker.ts) and sends its hints here. If the
// thread dies, every watcher reports a failure, so that rescans take over.
import type { Worker } from 'node:worker_threads'
import type { Hint, Watch } from '../../engine/ports.ts'
import type { SpawnWorker } from '../worker/spawn-worker.ts'
import { endThread } from '../worker/worker-thread.ts'
import type { WatchAnswer, WatchRequest } from './watch-worker.ts'

interface Open {
  readonly onHint: (hint: Hint) => void
  closing: boolean
  readonly closed: () => void
}

export interface NodeWatch extends Watch {
  close(): Promise<void>
}

export function createWatch(options: { readonly spawn: SpawnWorker }): NodeWatch {
  let worker: Worker | null = null
  let nextId = 1
  const open = new Map<number, Open>()

  const start = (): Worker => {
    if (worker !== null) return worker
    const mine = options.spawn('watch')
    mine.on('message', (answer: WatchAnswer) => {
      const one = open.get(answer.id)
      if (one === undefined) return
      if (answer.kind === 'closed') {
        open.delete(answer.id)
        one.closed()
      } else if (!one.closing) for (const hint of answer.hints) one.onHint(hint)
    })
    const lost = (message: string): void => {
      if (worker !== mine) return
      worker = null
      const all = [...open.values()]
      open.clear()
      for (const one of all) {
        if (!one.closing) one.onHint({ kind: 'failed', reason: 'other', message })
        one.closed()
      }
    }
    mine.on('error', (error: Error) => lost(error.message))
    mine.on('exit', () => lost('the watching thread ended'))
    worker = mine
    return mine
  }

  return {
    start: ({ root, patterns, own, onHint }) => {
      const id = nextId++
      const closed = new Promise<void>((resolve) => open.set(id, { onHint, closing: false, closed: resolve }))
      const say = (request: WatchRequest): void => start().postMessage(request)
      say({ id, kind: 'start', root, patterns, own })
      return {
        close: async () => {
          const one = open.get(id)
          if (one === undefined || one.closing) return closed
          one.closing = true
          say({ id, kind: 'close' })
          return closed
        },
      }
    },
    close: async () => {
      const mine = worker
      worker = null
      if (mine !== null) await endThread(mine)
    },
  }
}
