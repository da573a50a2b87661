// Searches files for secrets in a worker thread, one file at a time. If the thread is lost, the search fails, and a file that couldn't be
// searched isn't sent.
import { DiskError, type Inspection } from '../../engine/ports.ts'
import type { SpawnWorker } from '../worker/spawn-worker.ts'
import { ThreadQuestions } from '../worker/worker-thread.ts'
import type { InspectAnswer, InspectRequest } from './inspect-worker.ts'

export interface NodeInspection extends Inspection {
  /** Ends the worker thread if it is idle. The next search starts another. */
  rest(): void
  close(): Promise<void>
}

export function createInspection(options: { readonly spawn: SpawnWorker }): NodeInspection {
  const thread = new ThreadQuestions<InspectRequest, InspectAnswer>({ spawn: () => options.spawn('inspect'), name: 'searching' })
  return {
    inspect: async (path, expected) => {
      const answer = await thread.ask((id) => ({ id, path, expected }))
      if (answer instanceof Error) throw new Error(answer.message, { cause: answer })
      if (answer.kind === 'changed') return 'changed'
      if (answer.kind === 'disk') throw new DiskError(answer.failure)
      if (answer.kind === 'defect') throw new Error(answer.message)
      return answer.rule
    },
    rest: () => thread.rest(),
    close: () => thread.close(),
  }
}
