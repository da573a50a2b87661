// Synchronous disk access for opening the journal: checks whether its file exists, reads the WAL and the WAL's index, and moves unusable
// files aside.
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
