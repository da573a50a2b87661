// The stamp beside the journal (journal/stamp.ts): a line of text, put in place whole, so that a cut leaves the old one or the new one. A
// second line says which file the journal is: a copy of both (a backup put back, a folder copied to another computer) is no stamp.
// It is not synced: a stamp that is too old says nothing wrong.
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import type { StampFile } from '../engine/journal/stamp.ts'

/** Null where the disk tells none. A deleted file's inode is soon another's, so its birth counts too; the device's number may change with every mount. */
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
        // On a full disk the old one stays, and the next write catches up.
      }
    },
  }
}
