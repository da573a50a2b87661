// The engine's end of the searching thread, which is started when the first file needs it. Files are searched one after the other.
// A thread that ends in the midst of a search fails the search: a file that could not be searched is not sent.
import type { Worker } from 'node:worker_threads'
import { DiskError, type Inspection } from '../engine/ports.ts'
import type { InspectAnswer, InspectRequest } from './inspect-worker.ts'
import type { SpawnWorker } from './worker-roles.ts'

export interface NodeInspection extends Inspection {
  /** Lets the thread go if it has nothing to do; the next question starts another. */
  rest(): void
  close(): Promise<void>
}

export function createInspection(options: { readonly spawn: SpawnWorker }): NodeInspection {
  let worker: Worker | null = null
  let nextId = 1
  const waiting = new Map<number, (answer: InspectAnswer | Error) => void>()

  const start = (): Worker => {
    if (worker !== null) return worker
    const mine = options.spawn('inspect')
    mine.on('message', (answer: InspectAnswer) => {
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
      if (waiting.size === 0) mine.unref()
    })
    const lost = (error: Error): void => {
      // After a rest another has taken its place, and what waits now waits for that one.
      if (worker !== null && worker !== mine) return
      worker = null
      for (const answer of waiting.values()) answer(error)
      waiting.clear()
    }
    mine.on('error', lost)
    mine.on('exit', () => lost(new Error('the searching thread ended')))
    worker = mine
    return mine
  }

  return {
    inspect: async (path, expected) => {
      const answer = await new Promise<InspectAnswer | Error>((resolve) => {
        const id = nextId++
        waiting.set(id, resolve)
        const mine = start()
        mine.ref()
        mine.postMessage({ id, path, expected } satisfies InspectRequest)
      })
      if (answer instanceof Error) throw new Error(answer.message, { cause: answer })
      if (answer.kind === 'changed') return 'changed'
      if (answer.kind === 'disk') throw new DiskError(answer.failure)
      if (answer.kind === 'defect') throw new Error(answer.message)
      return answer.rule
    },
    rest: () => {
      if (waiting.size > 0) return
      const mine = worker
      worker = null
      void mine?.terminate()
    },
    close: async () => {
      const mine = worker
      worker = null
      await mine?.terminate()
    },
  }
}
