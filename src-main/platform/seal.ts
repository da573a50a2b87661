// Remembers beside the journal that it was whole when it was closed, and tells at the next start whether anything has touched it since: reading
// a large one from end to end to find damage is a third of a start. It opens no database; when a check is due is the journal's to say.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Seal } from '../engine/journal/open.ts'

const nameOf = (file: string): string => `${file}-seal`

/** Writing to a file, or putting another in its place, changes one of these. */
function stampOf(file: string): string | null {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
}

export const seal: Seal = {
  take: (file) => {
    try {
      const [stamp = '', checked = ''] = readFileSync(nameOf(file), 'utf8').split('\n')
      rmSync(nameOf(file))
      // A log beside it was left by somebody who did not come to its end.
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
      // On a full disk the next start checks, as it would without.
    }
  },
}
