// What opening a journal asks of the disk before SQLite does: whether it is there, its write-ahead log as bytes, and putting it aside.
// Synchronous, since nothing else can happen until the journal is open.
import { existsSync, readFileSync, renameSync } from 'node:fs'
import type { JournalFiles } from '../../engine/journal/open.ts'

export const journalFiles: JournalFiles = {
  exists: existsSync,
  rename: renameSync,
  read: (file) => {
    try {
      return readFileSync(file)
    } catch {
      return null
    }
  },
}
