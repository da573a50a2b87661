// What a failure of the disk under the data folder means for a person: a sentence and a next step instead of an exception's text.
// Pure; whatever is not the disk's fault stays what it is, an internal error.
import type { Failure } from '../../src-shared/contract.ts'
import { writeTrouble } from '../engine/journal/write-trouble.ts'
import { DataFolderError } from './private-dir.ts'

/** null: the error does not come from the disk or from the choice of the data folder. */
export function diskFailure(error: unknown, dir: string): Failure | null {
  if (error instanceof DataFolderError) return { code: 'usage', title: error.message, hint: error.hint }
  const trouble = writeTrouble(error)
  if (trouble === null) return null
  const hint = {
    full: 'Free some room on this disk, then try again. Nothing is lost.',
    'read-only': 'Name a folder that can be written to in SLIPWAY_DATA_DIR.',
    failing: 'Check the disk, then try again. `slipway doctor` tells more.',
  }[trouble]
  return { code: 'disk', title: `Couldn't write to disk: ${troubleText(trouble)} in ${dir}.`, hint }
}

function troubleText(trouble: NonNullable<ReturnType<typeof writeTrouble>>): string {
  return { full: 'no space left', 'read-only': 'no writing is allowed', failing: 'the disk reports errors' }[trouble]
}
