// The stamp file beside the journal (see journal/stamp.ts). It is replaced as a whole, so a crash leaves the old text or the new. Its
// second line identifies the journal file, so that a restored backup or a folder copied to another computer doesn't count as stamped. It
// isn't synced: an outdated stamp does no harm.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import type { StampFile } from '../../engine/journal/stamp.ts'

/**
 * Returns null if the disk reports no inode numbers. Inode numbers are soon reused, so the time of creation counts too; device numbers may
 * change with every mount and don't count.
 */
function identityOf(file: string): string | null {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined || stats.ino === 0n ? null : `${stats.ino} ${stats.birthtimeNs}`
}

export function createStampFile(journal: string): StampFile {
  const file = `${journal}-stamp`
  return {
    read: () => {
      try {
        const [stamp = '', identity = ''] = readFileSync(file, 'utf8').split('\n')
        return identity === '' || identity === identityOf(journal) ? stamp : null
      } catch {
        return null
      }
    },
    write: (text) => {
      try {
        writeFileSync(`${file}.new`, `${text}${identityOf(journal) ?? ''}\n`, { mode: 0o600 })
        renameSync(`${file}.new`, file)
      } catch {
        // The disk is full: the old stamp stays, and the next write catches up.
      }
    },
  }
}
