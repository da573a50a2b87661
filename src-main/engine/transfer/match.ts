// Which remote file is ours: pure comparison of names, sizes and dates where the service may rename, round and shift them.
// A name alone never identifies a file; where a doubt remains, reconciler.ts compares bytes.
import type { RemoteFile } from '../../api/types.ts'
import { readUploadDate } from '../journal/upload-date.ts'
import { type SizeUnit, unitBytes } from '../limits/size-unit.ts'

/** True where a service that counts in `unit` could have written `shown` for a file of `bytes`. Rounding in any direction is allowed for. */
export function sizeCouldBe(bytes: number, shown: number, unit: SizeUnit | null): boolean {
  if (unit === 'bytes') return bytes === shown
  if (unit !== null) {
    const exact = bytes / unitBytes[unit]
    return Math.abs(exact - shown) <= Math.max(1, 0.005 * exact)
  }
  return bytes === shown || (['kB', 'KiB', 'MB', 'MiB'] as const).some((u) => sizeCouldBe(bytes, shown, u))
}

/** The figures that a service counting in one of `units` could show for a file of `bytes`: the ranges for which `sizeCouldBe` holds. */
export function possibleShown(bytes: number, units: readonly SizeUnit[]): readonly { readonly least: number; readonly most: number }[] {
  return units.map((unit) => {
    if (unit === 'bytes') return { least: bytes, most: bytes }
    const exact = bytes / unitBytes[unit]
    const slack = Math.max(1, 0.005 * exact)
    return { least: exact - slack, most: exact + slack }
  })
}

/**
 * The part of a name that survives what services do to names: case, spaces, marks, escapes, a counter before the extension, cutting to a
 * length. Two names with the same stem are never in flight at once, so a loose match can't mean the wrong one of ours.
 */
export function nameStem(name: string): string {
  return foldName(name).slice(0, 48)
}

/** The whole of such a name. */
export function foldName(name: string): string {
  let plain = name
  try {
    plain = decodeURIComponent(name)
  } catch {
    // Not an escaped name.
  }
  return (
    plain
      .normalize('NFKD')
      .toLowerCase()
      // The counter that a service puts behind a name it has already; plain digits belong to the name.
      .replace(/[ _-]?\(\d+\)(?=\.[^.]*$|$)/, '')
      .replace(/[^a-z0-9]/g, '')
  )
}

/** Key under which only one transfer may be in doubt at a time. */
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
  // A name cut off by the service: what is left must still say something.
  return b.length >= 16 && a.startsWith(b) ? 'loose' : 'no'
}

/** `a.txt` shown as `a-1.txt` or `a_2.txt`. */
function counted(sent: string, shown: string): boolean {
  const dot = sent.lastIndexOf('.')
  const [base, ext] = dot <= 0 ? [sent, ''] : [sent.slice(0, dot), sent.slice(dot)]
  if (!shown.startsWith(base) || !shown.endsWith(ext)) return false
  return /^[ _-]\d{1,6}$/.test(shown.slice(base.length, shown.length - ext.length))
}

export interface Doubt {
  readonly name: string
  readonly size: number
  /** When the request went out, by the service's clock; null where unknown. */
  readonly intentServer: number | null
}

export interface Knowledge {
  readonly unit: SizeUnit | null
  /** Milliseconds east of UTC; null while not learned. */
  readonly zone: number | null
  /** Ids of our uploads only grew, and this was the highest before the intent; null where that is not known. */
  readonly idAbove: number | null
  /** The id was surely there before the intent. */
  readonly wasBefore: (fileId: number) => boolean
  /** The id is some other transfer's receipt, or waits to be removed. */
  readonly taken: (fileId: number) => boolean
  /** A file that is shown under the very name can't be another one: the service neither cuts nor replaces names. */
  readonly namesIdentify: boolean
}

export type Candidacy = 'no' | 'sure' | 'maybe'

/** A service's clock and ours, and its storing, may differ by this much around an intent. */
const DATE_SLACK_MS = 10 * 60_000
/** A date without a zone is older than it looks, or younger, after the clocks were changed and before an own upload has shown by how much. */
const SUMMER_MS = 60 * 60_000

/**
 * Whether a listed file can be the unconfirmed upload. `sure`: name, size and age fit; `maybe`: its bytes must be compared. A name that doesn't
 * match excludes nothing, since services may rename files.
 */
export function candidacy(doubt: Doubt, file: RemoteFile & { readonly fileId: number }, know: Knowledge): Candidacy {
  if (know.taken(file.fileId)) return 'no'
  if (know.wasBefore(file.fileId)) return 'no'
  if (file.size !== null && !sizeCouldBe(doubt.size, file.size, know.unit)) return 'no'
  const age = ageFits(doubt, file, know)
  if (age === 'no') return 'no'
  const isNamed = know.namesIdentify && nameMatch(doubt.name, file.filename) === 'exact'
  return isNamed && file.size !== null && age === 'yes' ? 'sure' : 'maybe'
}

function ageFits(doubt: Doubt, file: RemoteFile & { readonly fileId: number }, know: Knowledge): 'yes' | 'no' | 'unsaid' {
  if (know.idAbove !== null) return file.fileId > know.idAbove ? 'yes' : 'no'
  const read = file.uploadDate === null ? null : readUploadDate(file.uploadDate)
  if (read === null || doubt.intentServer === null || (!read.zoned && know.zone === null)) return 'unsaid'
  const at = read.zoned ? read.at : read.at - (know.zone ?? 0)
  const earliest = doubt.intentServer - DATE_SLACK_MS
  if (at >= earliest) return 'yes'
  return !read.zoned && at >= earliest - SUMMER_MS ? 'unsaid' : 'no'
}
