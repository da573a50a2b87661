// Disk access that the journal needs before SQLite opens its file: checks whether the file exists, reads its WAL and the index of the WAL,
// and moves files aside. Synchronous, because nothing else can happen before the journal is open.
import { existsSync, readFileSync } from 'node:fs'
import type { JournalFiles } from '../../engine/journal/open.ts'
import { renamePatientlySync } from './patient-rename.ts'

export const journalFiles: JournalFiles = {
  exists: existsSync,
  rename: renamePatientlySync,
  read: (file) => {
    try {
      return readFileSync(file)
    } catch {
      return null
    }
  },
}
