// Describes the outcome of each path of `slipway upload`: which group of the summary counts the path, and why
// it has no link. Pure.
import type { UploadItem } from '../../../src-shared/engine-contract.ts'
import { plural } from '../../../src-shared/format.ts'
import { type AuditSums, type Transfer } from '../../../src-shared/model.ts'
import { show } from '../context.ts'
import { ENDED_TEXT } from './queue.ts'

/**
 * `direct` means that the user named this path itself, not a folder above it. If such a path has no link, the
 * exit code isn't 0. `isRepeat` means that an earlier slot has the same file with the same outcome, so that
 * the sums don't count it again.
 */
export type Slot =
  /** The path has a transfer, which is followed until it ends. */
  | { readonly kind: 'transfer'; readonly direct: boolean; readonly isRepeat: boolean; readonly id: number }
  /** Nothing is uploaded for the path. `transfer` is set if its content is already on the service. */
  | {
      readonly kind: 'settled'
      readonly direct: boolean
      readonly isRepeat: boolean
      readonly list: keyof AuditSums
      readonly transfer: Transfer | null
      readonly missing: boolean
    }

/** A value that is the same for the items of one file with the same outcome. */
export function slotKey({ path, outcome, direct }: UploadItem): string {
  return outcome === 'queued' || outcome === 'already' ? path : `${outcome} ${direct === true} ${path}`
}

export function listOf(row: Transfer | undefined, finished: boolean): Exclude<keyof AuditSums, 'seen'> {
  if (finished || row === undefined) return 'uploaded'
  switch (row.state) {
    case 'settling':
    case 'queued':
    case 'uploading':
    case 'waiting':
    case 'unknown':
      return 'waiting'
    case 'held':
      return 'held'
    case 'failed':
    case 'gone':
      return 'failed'
    case 'cancelled':
      return 'ignored'
    case 'done':
      return 'uploaded'
    default:
      return row.state satisfies never
  }
}

/**
 * Whether a file has no link although it is neither waiting, held nor failed. The exit code then reports the
 * missing link.
 */
export function hasNoLink(list: keyof AuditSums, link: string | null): boolean {
  return list === 'ignored' || (list === 'uploaded' && link === null)
}

/** Returns why an uploaded file has no link. `names` maps transfer IDs to the paths that the user typed. */
export function linklessText(row: Transfer | null, names: ReadonlyMap<number, string>): string {
  const name = row === null ? 'A file' : show(names.get(row.id) ?? row.path)
  return `${name} ${row?.ended === undefined ? 'was uploaded, but the service sent no link' : ENDED_TEXT[row.ended]}.`
}

/** Maximum number of skipped files that are listed by name. */
const NAMES_SHOWN = 10

/**
 * Says which files of a named folder aren't uploaded because the user deleted their content before, and how
 * to upload them.
 */
export function deletedLines(paths: readonly string[]): readonly string[] {
  const [first] = paths
  if (first === undefined) return []
  const how = 'To upload it anyway, name the file or use --again.'
  if (paths.length === 1) return [`Not uploaded: ${show(first)}. You deleted this content before. ${how}`]
  return [
    `Not uploaded: ${plural(paths.length, 'file')} whose content you deleted before. To upload a file anyway, name it or use --again.`,
    ...paths.slice(0, NAMES_SHOWN).map((path) => `  ${show(path)}`),
    ...(paths.length > NAMES_SHOWN ? [`  and ${paths.length - NAMES_SHOWN} more`] : []),
  ]
}
