// Whether files that are still being written are all that is left, and nothing has ended for as long as a person is willing to wait: then a
// command that ends by itself has to give up. Time is given by the caller.
import type { AuditSums } from '../../src-shared/model.ts'

/**
 * Called at each look: `settling` says that what is left only settles. True once that was so for `maxWaitMs` in a row and no file came to an
 * end meanwhile.
 */
export function createStuck(maxWaitMs: number): (settling: boolean, sums: AuditSums, now: number) => boolean {
  let since: number | null = null
  let ended = -1
  return (settling, sums, now) => {
    const endedNow = sums.uploaded + sums.held + sums.failed + sums.ignored
    if (!settling || endedNow !== ended) since = null
    ended = endedNow
    if (!settling) return false
    since ??= now
    return now - since >= maxWaitMs
  }
}
