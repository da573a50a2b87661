// Reports on standard error when a watched folder becomes unavailable, for example because its disk was unplugged, and when it is available
// again. Otherwise, nothing would show why `slipway watch` uploads no files.
import type { Folder } from '../../../src-shared/model.ts'
import { note, type Output } from '../context.ts'

/** Returns a function to call with each state of the folder. The function reports only changes. */
export function createAwayNote(output: Output): (folder: Folder) => void {
  let wasAway = false
  return ({ path, state, message }) => {
    const isAway = state === 'away'
    // Whether the folder is available again is known only after the scan.
    if (isAway === wasAway || state === 'scanning') return
    wasAway = isAway
    note(output, `${path}: ${isAway ? (message ?? 'The folder is unavailable.') : 'The folder is available again.'}`)
  }
}
