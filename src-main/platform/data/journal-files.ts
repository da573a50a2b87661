// Synchronous disk access for opening the journal: checks whether its file exists, keeps other users from it,
// reads the WAL and the WAL's index, and moves unusable files aside. Beside the journal are two small files:
// the seal and the stamp.
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { JournalFiles, Seal } from '../../engine/journal/database.ts'
import type { StampFile } from '../../engine/journal/stamp.ts'
import { renamePatientlySync } from './patient-rename.ts'
import { makePrivate } from './private-file.ts'

export const journalFiles: JournalFiles = {
  exists: existsSync,
  rename: renamePatientlySync,
  makePrivate,
  read: (file) => {
    try {
      return readFileSync(file)
    } catch {
      return null
    }
  },
}

// Writes a seal file beside the journal when the journal is closed cleanly, and reports at the next start
// whether the journal has been touched since. If it hasn't, the integrity check, which takes a third of the
// start-up time for a large journal, can be skipped. Engine code decides when a check is due
// (journal/database.ts).

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

// Reads and writes the stamp file beside the journal (see journal/stamp.ts). The file is replaced as a whole,
// so a crash leaves either the old text or the new. Its second line identifies the journal file, so that the
// stamp doesn't apply to a restored backup or a copied folder. The stamp file isn't synced, because an
// outdated stamp is harmless.

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
