// Searches files for secrets in a thread of its own, one file after the other.
// A thread that is lost during a search fails the search: a file that could not be searched is not sent.
import { DiskError, type Inspection } from '../engine/ports.ts'
import type { InspectAnswer, InspectRequest } from './inspect-worker.ts'
import type { SpawnWorker } from './worker-roles.ts'
import { ThreadQuestions } from './worker-thread.ts'

export interface NodeInspection extends Inspection {
  /** Ends the thread if it has nothing to do; the next question starts another. */
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
