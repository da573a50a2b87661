// Searches files for secrets in a worker thread, one file at a time. The search fails if the thread ends or
// the drive doesn't answer. A file that couldn't be searched isn't sent: a search that takes too long, or too
// much memory, ends as if it had found something.
import { DiskError, type Inspection } from '../../engine/ports.ts'
import type { SpawnWorker } from '../worker/spawn-worker.ts'
import { DiskThreads, type DiskThreadsOptions, SearchLimitError } from './disk-threads.ts'
import type { InspectAnswer, InspectRequest } from './inspect-worker.ts'
import { mountOf } from './mounts.ts'

/**
 * CPU time for the search of one file. 64 MiB of text take half a second. The thread's memory is limited by
 * spawn-worker.ts.
 */
const SEARCH_MS = 2000
const UNSEARCHED = { rule: `couldn't be searched within ${SEARCH_MS / 1000} s` }

export interface NodeInspection extends Inspection {
  /** Ends the worker thread if it is idle. The next search starts another. */
  rest(): void
  close(): Promise<void>
}

/** By default, `mountOf` is the function in mounts.ts. */
export interface NodeInspectionOptions
  extends Partial<Pick<DiskThreadsOptions<InspectRequest>, 'stuckMs' | 'mountOf'>> {
  readonly spawn: SpawnWorker
}

export function createInspection(options: NodeInspectionOptions): NodeInspection {
  const threads = new DiskThreads<InspectRequest, InspectAnswer>({
    mountOf: (path) => mountOf(path),
    ...options,
    spawn: () => options.spawn('inspect'),
    name: 'searching',
    searchMs: SEARCH_MS,
    mayFail: () => true,
  })
  return {
    inspect: async (path, expected) => {
      const answer = await threads.ask({ path, expected }, [path])
      if (answer instanceof SearchLimitError) return UNSEARCHED
      if (answer instanceof DiskError) throw answer
      if (answer instanceof Error) throw new Error(answer.message, { cause: answer })
      if (answer.kind === 'changed') return 'changed'
      if (answer.kind === 'disk') throw new DiskError(answer.failure)
      if (answer.kind === 'defect') throw new Error(answer.message)
      return answer.rule
    },
    rest: () => threads.rest(),
    close: () => threads.close(),
  }
}
