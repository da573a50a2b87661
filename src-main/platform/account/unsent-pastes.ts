// Counts an account's pasted and piped items whose uploads haven't ended. Slipway may have the only copies,
// and removing the account deletes them. No engine needs to be running.
import { readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { type PathStates, peekStates } from '../../engine/journal/peek.ts'
import { journalFiles } from '../data/journal-files.ts'
import type { DataPaths } from '../data/paths.ts'
import { isSpooled, OVER } from '../data/spool.ts'

/**
 * Returns the number of items, including those that the journal doesn't list. Counts every item if the
 * journal can't be read.
 */
export function countUnsentPastes({ pasted, journal }: Pick<DataPaths, 'pasted' | 'journal'>): number {
  const files = filesIn(pasted)
  const known = files.length === 0 ? null : peekStates(journal, files, journalFiles)
  const states: PathStates = known === null || known === 'unreadable' ? new Map() : known
  return files.filter((file) => {
    const found = states.get(file) ?? []
    return found.length === 0 || found.some((state) => !OVER.has(state))
  }).length
}

/**
 * The real paths of all files, as the journal stores them. Piped content is in subfolders (data/spool.ts).
 */
function filesIn(dir: string): readonly string[] {
  try {
    const real = realpathSync(dir)
    return readdirSync(real, { withFileTypes: true, recursive: true }).flatMap((one) => {
      const path = join(one.parentPath, one.name)
      return one.isFile() && (one.parentPath === real || isSpooled(path)) ? [path] : []
    })
  } catch {
    return []
  }
}
