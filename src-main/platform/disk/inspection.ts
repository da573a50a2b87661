// Searches files for secrets in two worker threads, one file at a time each: a file that isn't searched quickly
// gives way to the others, and continues in the second thread. The search fails if the thread ends or the drive
// doesn't answer. A file that couldn't be searched isn't sent, also if its search takes too long or too
// much memory.
import { DiskError, type Inspected, type Inspection } from '../../engine/ports.ts'
import type { SpawnWorker } from '../worker/spawn-worker.ts'
import { DiskThreads, type DiskThreadsOptions, SearchLimitError } from './disk-threads.ts'
import type { InspectAnswer, InspectRequest } from './inspect-worker.ts'
import { mountOf } from './mounts.ts'

/**
 * CPU time for the search of one file. 64 MiB of text take half a second. The thread's memory is limited by
 * spawn-worker.ts.
 */
const SEARCH_MS = 2000
/** CPU time for the first attempt: a fixed part, and one for each MiB, for which text needs about 10. */
const QUICK_MS = 50
const QUICK_MS_PER_MIB = 15
const QUICK_MAX_MS = 500

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
  const threads = (searchMs: number): DiskThreads<InspectRequest, InspectAnswer> =>
    new DiskThreads({
      mountOf: (path) => mountOf(path),
      ...options,
      spawn: () => options.spawn('inspect'),
      name: 'searching',
      searchMs,
      mayFail: () => true,
    })
  // An attempt normally ends by itself at its limit. Its thread is ended only if it doesn't look at it.
  const quick = threads(2 * QUICK_MAX_MS)
  const thorough = threads(SEARCH_MS)
  return {
    inspect: async (path, expected, key, isSlow = false) => {
      if (!isSlow) {
        const limitMs = Math.min(QUICK_MAX_MS, QUICK_MS + (expected.size / 2 ** 20) * QUICK_MS_PER_MIB)
        const found = resultOf(await quick.ask({ path, expected, key, limitMs, isForLine: false }, [path]))
        if (found !== 'slow') return found
      }
      const later = async (): Promise<Inspected> => {
        const last = resultOf(
          await thorough.ask({ path, expected, key, limitMs: null, isForLine: false }, [path]),
        )
        return last === 'slow' ? 'unsearched' : last
      }
      return { later: later() }
    },
    secretLine: async (path, expected, key) => {
      const answer = await thorough.ask({ path, expected, key, limitMs: null, isForLine: true }, [path])
      return answer instanceof Error || answer.kind !== 'line' ? null : answer.line
    },
    rest: () => {
      quick.rest()
      thorough.rest()
    },
    close: async () => {
      await Promise.all([quick.close(), thorough.close()])
    },
  }
}

function resultOf(answer: InspectAnswer | Error): Inspected | 'slow' {
  if (answer instanceof SearchLimitError) return 'slow'
  if (answer instanceof DiskError) throw answer
  if (answer instanceof Error) throw new Error(answer.message, { cause: answer })
  if (answer.kind === 'disk') throw new DiskError(answer.failure)
  if (answer.kind === 'defect') throw new Error(answer.message)
  if (answer.kind === 'line') throw new Error('the search returned a line instead of a rule')
  return answer.kind === 'rule' ? answer.rule : answer.kind
}
