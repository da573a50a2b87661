// Writes a seal file beside the journal when the journal is closed cleanly, and reports at the next start
// whether the journal has been touched since. If it hasn't, the integrity check, which takes a third of the
// start-up time for a large journal, can be skipped. Engine code decides when a check is due
// (journal/open.ts).
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Seal } from '../../engine/journal/open.ts'

const nameOf = (file: string): string => `${file}-seal`

/**
 * Identifies a state of the file. Writing to the file or replacing it changes at least one value. Null means
 * that there is no file.
 */
function stampOf(file: string): string | null {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined
    ? null
    : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
}

export const seal: Seal = {
  take: (file) => {
    try {
      const [stamp = '', checked = ''] = readFileSync(nameOf(file), 'utf8').split('\n')
      rmSync(nameOf(file))
      // A leftover WAL means that a process didn't shut down cleanly.
      if (statSync(`${file}-wal`, { throwIfNoEntry: false }) !== undefined) return null
      const checkedAt = Number(checked)
      return stamp === stampOf(file) && checked !== '' && Number.isFinite(checkedAt) ? { checkedAt } : null
    } catch {
      return null
    }
  },
  put: (file, checkedAt) => {
    try {
      const stamp = stampOf(file)
      if (stamp !== null) writeFileSync(nameOf(file), `${stamp}\n${checkedAt}\n`, { mode: 0o600 })
    } catch {
      // If writing fails, for example because the disk is full, there is no seal, and the next start simply
      // runs the check.
    }
  },
}
