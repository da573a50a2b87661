// Synchronous disk access for opening the journal: checks whether its file exists, keeps other users from it,
// reads the WAL and the WAL's index, and moves unusable files aside.
import { existsSync, readFileSync } from 'node:fs'
import type { JournalFiles } from '../../engine/journal/open.ts'
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
