// Compares names, sizes and dates of remote files with those of an upload. Services may rename files, round sizes and shift dates, so a
// name alone never identifies a file. If the evidence isn't conclusive, reconciler.ts compares bytes. Pure.
import type { RemoteFile } from '../../api/types.ts'
import { isOrdered } from '../journal/file-ids.ts'
import { readUploadDate } from '../journal/upload-date.ts'
import { type SizeUnit, UNITS, unitBytes } from '../limits/plan/size-unit.ts'

/** Whether a service could show a file of `bytes` as the rounded figure `shown`. `unit`: the unit of that figure, null if unknown. */
export function sizeCouldBe(bytes: number, shown: number, unit: SizeUnit | null): boolean {
  if (unit === 'bytes') return bytes === shown
  if (unit !== null) {
    const exact = bytes / unitBytes[unit]
    return Math.abs(exact - shown) <= Math.max(1, 0.005 * exact)
  }
  return bytes === shown || (['kB', 'KiB', 'MB', 'MiB'] as const).some((u) => sizeCouldBe(bytes, shown, u))
}

/** The ranges of figures that a service could show for a file of `bytes`. Matches `sizeCouldBe`. `known`: see `sizeCouldBe`. */
export function possibleShown(bytes: number, known: SizeUnit | null): readonly { readonly least: number; readonly most: number }[] {
  return (known === null ? UNITS : [known]).map((unit) => {
    if (unit === 'bytes') return { least: bytes, most: bytes }
    const exact = bytes / unitBytes[unit]
    const slack = Math.max(1, 0.005 * exact)
    return { least: exact - slack, most: exact + slack }
  })
}

/**
 * Reduces a name to what usually stays the same when a service changes case, spaces, punctuation or escapes, or adds a counter such as
 * "(1)". At most 48 characters long.
 */
export function nameStem(name: string): string {
  return foldName(name).slice(0, 48)
}

/**
 * Like `nameStem`, but not truncated. Drops letters outside ASCII, because a service may drop or replace them: names that differ only in
 * such letters may become equal.
 */
export function foldName(name: string): string {
  return foldLetters(name).replace(/[^a-z0-9]/g, '')
}

/** Like `foldName`, but keeps the letters and digits of all scripts. */
export function foldLetters(name: string): string {
  let plain = name
  try {
    plain = decodeURIComponent(name)
  } catch {
    // The name has no valid escapes.
  }
  return (
    plain
      .normalize('NFKD')
      .toLowerCase()
      // A counter such as "(1)" that services append to names they already have. Other digits belong to the name.
      .replace(/[ _-]?\(\d+\)(?=\.[^.]*$|$)/, '')
      .replace(/[^\p{L}\p{N}]/gu, '')
  )
}

/**
 * Returns the same key for uploads that could be mistaken for each other. Only one transfer per key may be in flight or unconfirmed at a
 * time. That includes `отчёт 2024.txt` and `2024.txt`: if a service drops the first name's letters, its file has the second one's name.
 */
export function doubtKey(name: string, size: number): string {
  return `${nameStem(name)}\0${size}`
}

export type NameMatch = 'exact' | 'loose' | 'no' | 'unsaid'

export function nameMatch(sent: string, shown: string | null): NameMatch {
  if (shown === null) return 'unsaid'
  if (sent === shown || sent.normalize('NFC') === shown.normalize('NFC')) return 'exact'
  const a = nameStem(sent)
  const b = nameStem(shown)
  if (a === b) return 'loose'
  if (counted(sent, shown)) return 'loose'
  // A name that the service truncated must still be long enough to be distinctive.
  return b.length >= 16 && a.startsWith(b) ? 'loose' : 'no'
}

/** Whether a counter was added to the name: `a.txt` shown as `a-1.txt` or `a_2.txt`. */
function counted(sent: string, shown: string): boolean {
  const dot = sent.lastIndexOf('.')
  const [base, ext] = dot <= 0 ? [sent, ''] : [sent.slice(0, dot), sent.slice(dot)]
  if (!shown.startsWith(base) || !shown.endsWith(ext)) return false
  return /^[ _-]\d{1,6}$/.test(shown.slice(base.length, shown.length - ext.length))
}

export interface Doubt {
  readonly name: string
  readonly size: number
  /** When the intent to send the file was recorded, according to the service's clock; null if unknown. */
  readonly intentServer: number | null
}

export interface Knowledge {
  readonly unit: SizeUnit | null
  /** The service's UTC offset in milliseconds, positive east of UTC; null if not learned yet. */
  readonly zone: number | null
  /** The highest ID of our uploads before the intent. Null if it is unknown or if the IDs of our uploads haven't always increased. */
  readonly idAbove: number | null
  /** Whether the file certainly existed before the intent. */
  readonly wasBefore: (fileId: number) => boolean
  /** Whether the file belongs to another transfer, or its deletion is queued. */
  readonly taken: (fileId: number) => boolean
  /** Whether an unchanged name may identify the upload, because the service isn't known to truncate or replace names. */
  readonly namesIdentify: boolean
  /** Whether a size rules a file out. It doesn't if receipts have shown sizes that aren't those of the bytes. */
  readonly sizesTell: boolean
}

/** When a file was stored, compared with a request. `unsaid`: undecided, for example because a date is unknown. */
export type Dated = 'before' | 'during' | 'after' | 'unsaid'

/** Tolerance for a date without a zone. After a daylight-saving change, such dates are off by an hour until an upload shows the offset. */
const SUMMER_MS = 60 * 60_000
const MINUTE_MS = 60_000
/** Tolerance because dates have no fractions of a second and the service's clock is known only to about half a second. */
const DURING_SLACK_MS = 2000

/** `start`, `end`: when the request began and ended, according to the service's clock; null if unknown. `zone`: see `Knowledge`. */
export function dated(
  shown: string | null,
  zone: number | null,
  { start, end }: { readonly start: number | null; readonly end: number | null },
): Dated {
  const read = shown === null ? null : readUploadDate(shown)
  if (read === null || start === null || (!read.zoned && zone === null)) return 'unsaid'
  const at = read.zoned ? read.at : read.at - (zone ?? 0)
  const isDuring = (time: number): boolean => time >= start - DURING_SLACK_MS && end !== null && time <= end + DURING_SLACK_MS
  // A date without seconds may mean any second of its minute.
  const stepMs = /:\d{2}:\d{2}/.test(shown ?? '') ? 0 : MINUTE_MS
  if (at + stepMs < start - DURING_SLACK_MS) return !read.zoned && isDuring(at + SUMMER_MS) ? 'unsaid' : 'before'
  return end !== null && at <= end + DURING_SLACK_MS ? 'during' : 'after'
}

export type Candidacy = 'no' | 'sure' | 'maybe'

/** A file may be dated this much before the intent and still be the upload, because the service's clock is known only approximately. */
const DATE_SLACK_MS = 10 * 60_000

/**
 * Decides whether a listed file can be the unconfirmed upload. `sure`: name, size and age match; `maybe`: its bytes must be compared. A
 * different name excludes nothing, because services may rename files.
 */
export function candidacy(doubt: Doubt, file: RemoteFile & { readonly fileId: number }, know: Knowledge): Candidacy {
  // Check size and date first. They need no query, and rule out nearly all files when there are thousands of unconfirmed uploads.
  const isOfSize = file.size === null || sizeCouldBe(doubt.size, file.size, know.unit)
  // A newcomer with our name must be explained, whatever its size: the service may compress files, or count otherwise.
  if (!isOfSize && know.sizesTell && file.filename !== doubt.name) return 'no'
  const age = ageFits(doubt, file, know)
  if (age === 'no' || know.wasBefore(file.fileId) || know.taken(file.fileId)) return 'no'
  const isNamed = know.namesIdentify && isOfSize && nameMatch(doubt.name, file.filename) === 'exact'
  return isNamed && file.size !== null && age === 'yes' ? 'sure' : 'maybe'
}

function ageFits(doubt: Doubt, file: RemoteFile & { readonly fileId: number }, know: Knowledge): 'yes' | 'no' | 'unsaid' {
  if (know.idAbove !== null && isOrdered(file.fileId)) return file.fileId > know.idAbove ? 'yes' : 'no'
  const read = file.uploadDate === null ? null : readUploadDate(file.uploadDate)
  if (read === null || doubt.intentServer === null || (!read.zoned && know.zone === null)) return 'unsaid'
  const at = read.zoned ? read.at : read.at - (know.zone ?? 0)
  const earliest = doubt.intentServer - DATE_SLACK_MS
  if (at >= earliest) return 'yes'
  return !read.zoned && at >= earliest - SUMMER_MS ? 'unsaid' : 'no'
}
