// Decides which state and message a watched folder has after a scan, and when it is scanned again. Pure. The command line and the English
// window show these messages unchanged; the German window has its own.
import type { Folder } from '../../../src-shared/model.ts'
import { writeTrouble } from '../journal/write-trouble.ts'
import type { DiskFailure } from '../ports.ts'
import { RULES_FILE } from '../rules/ignore-rules.ts'
import { MISSING } from './folder-root.ts'
import type { ScanReport, Unreadable } from './scan-run.ts'

/** Delay before a folder that is missing or unreadable is checked again. */
export const AWAY_RETRY_MS = 3000
/** Delay before the next scan after an incomplete one. */
export const UNFINISHED_RETRY_MS = 5000

const UNFINISHED = "The folder couldn't be read completely. Slipway reads it again in a few seconds."
/** Shown if the journal could not be written. */
const UNWRITTEN = "Couldn't write to the disk of Slipway's data folder, so what is new here waits. Slipway tries again in a few seconds."

export interface ScanOutcome {
  readonly state: Folder['state']
  readonly message: string | null
  /** Delay before the next scan; null leaves it to the regular rescan. */
  readonly retryMs: number | null
}

/**
 * What the folder shows after a scan, and when it is scanned again. Null for an aborted scan, because the session is ending.
 * `lockedRules`: absolute paths of the directories whose rules file can't be read.
 */
export function scanOutcome(report: ScanReport, lockedRules: readonly string[]): ScanOutcome | null {
  if (report.kind === 'complete')
    return { state: 'watching', message: rulesMessage(lockedRules) ?? unreadableMessage(report.unreadable), retryMs: null }
  if (report.reason === 'aborted') return null
  if (report.reason === 'root') return { state: 'away', message: awayMessage(report.failure), retryMs: AWAY_RETRY_MS }
  return { state: 'watching', message: UNFINISHED, retryMs: UNFINISHED_RETRY_MS }
}

/** The message that a folder shows after a scan that threw. */
export function brokenScanMessage(error: unknown): string {
  return writeTrouble(error) === null ? UNFINISHED : UNWRITTEN
}

/** The message about unreadable rules files, or null. Such a file might exclude anything, so nothing in its directory is uploaded. */
function rulesMessage([first, ...more]: readonly string[]): string | null {
  if (first === undefined) return null
  const others = more.length === 0 ? '' : ` The same goes for ${more.length} more ${more.length === 1 ? 'folder' : 'folders'}.`
  return `${RULES_FILE} in ${first} can't be read, so nothing in that folder is uploaded. Check its permissions.${others}`
}

function unreadableMessage(unreadable: readonly Unreadable[]): string | null {
  if (unreadable.length === 0) return null
  return `${unreadable.length} ${unreadable.length === 1 ? 'place' : 'places'} can't be read.`
}

function awayMessage(failure: DiskFailure | null): string {
  return failure === null || failure.code === 'gone' || failure.code === 'not-a-directory'
    ? MISSING
    : `The folder can't be read (${failure.message}). Its uploads wait, and nothing counts as deleted.`
}
