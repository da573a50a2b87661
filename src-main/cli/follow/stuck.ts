// Decides when a command that ends on its own gives up on files whose wait has no known end (still being written, or never confirmed by the
// service). It does so once only such files are left and nothing has finished for as long as the user is willing to wait. The caller passes
// in the time.
import type { AuditSums } from '../../../src-shared/model.ts'

/**
 * Call the returned function regularly. `endless` means that only files whose wait has no known end are left. The function returns true
 * once that has been the case for `maxWaitMs` without interruption and without a finished file.
 */
export function createStuck(maxWaitMs: number): (endless: boolean, sums: AuditSums, now: number) => boolean {
  let since: number | null = null
  let ended = -1
  return (endless, sums, now) => {
    const endedNow = sums.uploaded + sums.held + sums.failed + sums.ignored
    if (!endless || endedNow !== ended) since = null
    ended = endedNow
    if (!endless) return false
    since ??= now
    return now - since >= maxWaitMs
  }
}
