// Compares names, sizes and dates of remote files with those of an upload. Services may rename files, round
// sizes and shift dates, so a name alone never identifies a file. If the evidence isn't conclusive,
// reconciler.ts compares bytes. Pure.
import type { RemoteFile } from '../../api/types.ts'
import { type SizeUnit, sizeCouldBe } from '../budget/size-unit.ts'
import { byNewestId, isOrdered } from '../journal/file-ids.ts'
import { readUploadDate } from '../journal/upload-date.ts'
import { type NameHabits, nameRank, renamingOf } from './naming.ts'

/** A remote file with a known ID. */
export type Listed = RemoteFile & { readonly fileId: number }

/** An upload whose response was lost. */
export interface LostUpload {
  readonly rowId: number
  /** The name under which it was sent. */
  readonly name: string
  readonly size: number
  /**
   * `intentMark`, `intentAbove` and `intentServer` of the first request (see `TransferRow`); null if unknown.
   */
  readonly mark: number | null
  readonly above: number | null
  readonly server: number | null
}

/** Sorts files by how likely their names are, the likeliest first. Among equals, the newest come first. */
export function byLikelihood<T extends Listed>(
  files: readonly T[],
  name: string,
  habits: NameHabits,
): readonly T[] {
  return files.toSorted(
    (a, b) =>
      nameRank(name, a.filename, habits) - nameRank(name, b.filename, habits) ||
      byNewestId(a.fileId, b.fileId),
  )
}

export interface Knowledge {
  readonly unit: SizeUnit | null
  /** The service's UTC offset in milliseconds, positive east of UTC; null if not learned yet. */
  readonly zone: number | null
  /**
   * The highest ID of our uploads before the intent. Null if it is unknown or if the IDs of our uploads
   * haven't always increased.
   */
  readonly idAbove: number | null
  /** Whether the file certainly existed before the intent. */
  readonly wasBefore: () => boolean
  /** Whether the file belongs to another transfer, or its deletion is queued. */
  readonly taken: () => boolean
  /**
   * Whether an unchanged name may identify the upload, because the service isn't known to truncate or replace
   * names.
   */
  readonly namesIdentify: boolean
  /**
   * Whether a size rules a file out. It doesn't if receipts have shown sizes that aren't those of the bytes.
   */
  readonly sizesTell: boolean
}

/**
 * When a file was stored, compared with a request. `unsaid`: undecided, for example because a date is
 * unknown.
 */
export type Dated = 'before' | 'during' | 'after' | 'unsaid'

/**
 * Tolerance for a date without a zone. After a daylight-saving change, such dates are off by an hour until an
 * upload shows the offset.
 */
const SUMMER_MS = 60 * 60_000
const MINUTE_MS = 60_000
/**
 * Tolerance because dates have no fractions of a second and the service's clock is known only to about half a
 * second.
 */
const DURING_SLACK_MS = 2000

/**
 * The moment that a date shows, in epoch milliseconds; null if it isn't known. `isZoned`: whether the date
 * names its zone.
 */
export function shownAt(
  shown: string | null,
  zone: number | null,
): { readonly at: number; readonly isZoned: boolean } | null {
  const read = shown === null ? null : readUploadDate(shown)
  if (read === null || (!read.zoned && zone === null)) return null
  return { at: read.zoned ? read.at : read.at - (zone ?? 0), isZoned: read.zoned }
}

/**
 * `start`, `end`: when the request began and ended, according to the service's clock; null if unknown.
 * `zone`: see `Knowledge`.
 */
export function dated(
  shown: string | null,
  zone: number | null,
  { start, end }: { readonly start: number | null; readonly end: number | null },
): Dated {
  const date = shownAt(shown, zone)
  if (date === null || start === null) return 'unsaid'
  const { at, isZoned } = date
  const isDuring = (time: number): boolean =>
    time >= start - DURING_SLACK_MS && end !== null && time <= end + DURING_SLACK_MS
  // A date without seconds may mean any second of its minute.
  const stepMs = /:\d{2}:\d{2}/.test(shown ?? '') ? 0 : MINUTE_MS
  if (at + stepMs < start - DURING_SLACK_MS) return !isZoned && isDuring(at + SUMMER_MS) ? 'unsaid' : 'before'
  return end !== null && at <= end + DURING_SLACK_MS ? 'during' : 'after'
}

export type Candidacy = 'no' | 'sure' | 'maybe'

/**
 * A file may be dated this much before the intent and still be the upload, because the service's clock is
 * known only approximately.
 */
const DATE_SLACK_MS = 10 * 60_000

/**
 * Decides whether a listed file can be the unconfirmed upload. `sure`: name, size and age match; `maybe`: its
 * bytes must be compared. A different name excludes nothing, because services may rename files.
 */
export function candidacy(
  lost: Pick<LostUpload, 'name' | 'size' | 'server'>,
  file: Listed,
  know: Knowledge,
): Candidacy {
  // Check size and date first. They need no query, and rule out nearly all files when there are thousands of
  // unconfirmed uploads.
  const isOfSize = file.size === null || sizeCouldBe(lost.size, file.size, know.unit)
  // A newcomer with our name must be explained, whatever its size: the service may compress files, or count
  // otherwise.
  if (!isOfSize && know.sizesTell && file.filename !== lost.name) return 'no'
  const age = ageFits(lost.server, file, know)
  if (age === 'no' || know.wasBefore() || know.taken()) return 'no'
  const isNamed =
    know.namesIdentify &&
    isOfSize &&
    file.filename !== null &&
    renamingOf(lost.name, file.filename) === 'kept'
  return isNamed && file.size !== null && age === 'yes' ? 'sure' : 'maybe'
}

function ageFits(server: number | null, file: Listed, know: Knowledge): 'yes' | 'no' | 'unsaid' {
  if (know.idAbove !== null && isOrdered(file.fileId)) return file.fileId > know.idAbove ? 'yes' : 'no'
  const date = shownAt(file.uploadDate, know.zone)
  if (date === null || server === null) return 'unsaid'
  const earliest = server - DATE_SLACK_MS
  if (date.at >= earliest) return 'yes'
  return !date.isZoned && date.at >= earliest - SUMMER_MS ? 'unsaid' : 'no'
}
