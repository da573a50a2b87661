// Decides when a command that ends on its own gives up on files whose wait has no known end (still being written, or never confirmed by the
// service). It does so once only such files are left and no file has been uploaded, held, failed or ignored for as long as the user is
// willing to wait. The caller passes in the time.
import type { AuditSums } from '../../../src-shared/model.ts'

/**
 * Call the returned function regularly. `endless` means that only files whose wait has no known end are left. The function returns true
 * once that has been the case for `maxWaitMs` without interruption, and no other file was uploaded, held, failed or ignored in that time.
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
