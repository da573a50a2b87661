// Finds the listed files that may be an unconfirmed upload: those that appeared after its request, match its size and age, and don't belong
// to another transfer. Requests the fields that the list omits, starting with the files that have the likeliest names.

import { isOtherFile } from '../journal/catalog-rows.ts'
import { type ListLook, wasBefore } from './list-look.ts'
import { byLikelihood, type Listed, type LostUpload, type ReconcilerOptions } from './lost-upload.ts'
import { type Candidacy, candidacy } from './match.ts'
import { namesIdentify } from './naming.ts'

/**
 * Maximum number of files to request per upload and lookup. Without this limit, an account with many files whose list shows only IDs would
 * use up its rate limit.
 */
const MOST_ASKED = 24

export interface Candidates {
  /** Files whose name, size and age match. */
  readonly sure: readonly Listed[]
  /** Files whose bytes must be compared to find out whether one is the upload. */
  readonly maybe: readonly Listed[]
}

type Options = Pick<ReconcilerOptions, 'db' | 'remote' | 'transfers' | 'habits' | 'limits' | 'ports'>

/**
 * Judges whether the file may be the lost upload. `except`: ID of a transfer that may already have the file as its receipt; -1 for none.
 */
export function judge(options: Options, lost: LostUpload, file: Listed, except: number): Candidacy {
  const { remote, transfers, habits } = options
  return candidacy({ name: lost.name, size: lost.size, intentServer: lost.server }, file, {
    unit: options.limits.unit(),
    zone: options.limits.zone(),
    idAbove: options.limits.idsGrow() ? lost.above : null,
    wasBefore: () => wasBefore(remote, file, lost.mark),
    taken: (id) => !isOtherFile(remote.get(id), file.publicLink) && (remote.isRemoval(id) || transfers.isReceipt(id, except)),
    namesIdentify: namesIdentify(habits.names),
    sizesTell: options.limits.sizesTell(),
  })
}

export async function findCandidates(
  options: Options,
  lost: LostUpload,
  files: readonly Listed[],
  look: ListLook,
  signal: AbortSignal,
): Promise<Candidates> {
  const sure: Listed[] = []
  const maybe: Listed[] = []
  const possible = files.filter((file) => judge(options, lost, file, lost.rowId) !== 'no')
  let asked = 0
  for (const file of byLikelihood(possible, lost.name, options.habits.names)) {
    const { file: full, isAsked } = await look.filled(file, asked < MOST_ASKED, signal)
    if (isAsked) asked++
    const kind = judge(options, lost, full, lost.rowId)
    if (kind === 'sure') sure.push(full)
    else if (kind === 'maybe') maybe.push(full)
  }
  return { sure, maybe: byLikelihood(maybe, lost.name, options.habits.names) }
}
