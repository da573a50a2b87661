// Reads and writes the stamp file beside the journal (see journal/stamp.ts). The file is replaced as a whole,
// so a crash leaves either the old text or the new. Its second line identifies the journal file, so that the
// stamp doesn't apply to a restored backup or a copied folder. The stamp file isn't synced, because an
// outdated stamp is harmless.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import type { StampFile } from '../../engine/journal/stamp.ts'

/**
 * Identifies the file; null if it is missing or its disk has no inode numbers. The creation time is included
 * because inode numbers are soon reused. The device number isn't included, because it may change with every
 * mount.
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
        // If writing fails, for example because the disk is full, the old stamp remains until the next
        // successful write.
      }
    },
  }
}
