// Reports on standard error when a watched folder becomes unavailable, for example because its disk was unplugged, and when it is available
// again; and when the system no longer reports changes in it. Otherwise, nothing would show why `slipway watch` uploads nothing, or late.
import type { Folder } from '../../../src-shared/model.ts'
import { rescansText } from '../../../src-shared/watch-limits.ts'
import { note, type Output } from '../context.ts'

/** Returns a function to call with each state of the folder. The function reports only changes. */
export function createAwayNote(output: Output): (folder: Folder) => void {
  let wasAway = false
  let wasBlind = false
  return ({ path, state, message, watching, watchLimit }) => {
    if (watching === 'rescans' && !wasBlind) {
      const { title, hint } = rescansText(watchLimit)
      note(output, `${path}: ${title}${hint === null ? '' : ` ${hint}`}`)
    }
    wasBlind = watching === 'rescans'
    const isAway = state === 'away'
    // Whether the folder is available again is known only after the scan.
    if (isAway === wasAway || state === 'scanning') return
    wasAway = isAway
    note(output, `${path}: ${isAway ? (message ?? 'The folder is unavailable.') : 'The folder is available again.'}`)
  }
}
