// Reads zip, tar and gzip one level deep: names and contents of the entries, with limits on count, size and
// memory. Only the name of an encrypted entry can be read. An archive that is damaged, or crafted to exhaust
// its reader, is read as far as possible without an error.
import { constants, gunzipSync, inflateRawSync } from 'node:zlib'
import type { ByteSource } from './scan.ts'

/** Maximum unpacked size of one zip or tar entry; the rest isn't read. */
const ENTRY_MAX_BYTES = 16 * 1024 * 1024
/** Maximum unpacked size of a whole archive; the rest isn't read. */
const TOTAL_MAX_BYTES = 64 * 1024 * 1024
/** Maximum number of entries that are listed. */
const ENTRIES_MAX = 100_000
/**
 * Maximum number of zip entries whose content is read. Only the names of later entries are listed. If a zip
 * has no usable central directory, later entries aren't listed at all.
 */
const CONTENTS_MAX = 5000
/** Maximum number of bytes of a zip's central directory that are read. */
const DIRECTORY_MAX_BYTES = 16 * 1024 * 1024

/**
 * How often at most it is tried to unpack more of a file that is too large to unpack. Each attempt takes up
 * to a fifth of a second.
 */
const ATTEMPTS_MAX = 16
/** The share of the permitted size that counts as enough, and the share that each attempt aims at. */
const ENOUGH = 0.97
const NEARLY = 0.99

/** Number of bytes to read at a time when searching for the next header. */
const SEARCH_BYTES = 64 * 1024
/** Signatures of an entry's header and of its record in the central directory. */
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const LOCAL_BYTES = Buffer.from('504b0304', 'hex')

export interface ArchiveEntry {
  /**
   * The path as stored in a zip or tar, separators unchanged; for a gzip file, the file's name without the
   * extension.
   */
  readonly name: string
  /**
   * The content, possibly only its beginning. Null if the entry is encrypted, can't be unpacked, or a limit
   * was already reached.
   */
  readonly bytes: Uint8Array | null
}

export type ArchiveKind = 'zip' | 'tar' | 'gzip'

const TAR_HEAD = 512

function ascii(bytes: Uint8Array, start: number, length: number): string {
  const end = bytes.indexOf(0, start)
  return Buffer.from(bytes.subarray(start, end < 0 || end > start + length ? start + length : end)).toString(
    'utf8',
  )
}

/** Recognizes an archive by its first bytes. Pass at least 512 bytes if the file is that large. */
export function archiveKind(head: Uint8Array): ArchiveKind | null {
  const [a, b, c, d] = head
  if (a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6))) return 'zip'
  if (a === 0x1f && b === 0x8b && c === 8) return 'gzip'
  if (head.length >= TAR_HEAD && ascii(head, 257, 5) === 'ustar') return 'tar'
  return head.length >= TAR_HEAD && isOldTar(head) ? 'tar' : null
}

/**
 * Tar files in the pre-1988 format have no magic number; they are recognized by the checksum in their first
 * header.
 */
function isOldTar(head: Uint8Array): boolean {
  const stored = Number.parseInt(ascii(head, 148, 8).trim(), 8)
  if (!Number.isInteger(stored) || head[0] === 0) return false
  let sum = 8 * 32
  for (let i = 0; i < TAR_HEAD; i++) if (i < 148 || i >= 156) sum += head[i] ?? 0
  return sum === stored
}

/**
 * Unpacks the data. If it is damaged, unpacks only some of its beginning. If the result would exceed `most`
 * bytes, unpacks as much of the beginning as yields nearly that many. Returns null if that fails, too.
 */
function unpack(
  packed: Uint8Array,
  most: number,
  how: typeof gunzipSync | typeof inflateRawSync,
): Uint8Array | null {
  let isTooLarge = false
  const attempt = (length: number): Uint8Array | null => {
    try {
      return how(packed.subarray(0, length), { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH })
    } catch (error) {
      isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      return null
    }
  }
  const whole = attempt(packed.length)
  if (whole !== null) return whole
  const isOverMost = isTooLarge
  // Deflate expands by a factor of 1,032 at most, so the output of this much input always fits.
  let fits = Math.min(Math.floor(packed.length / 2), Math.floor(most / 1040))
  let found = attempt(fits)
  if (found === null || !isOverMost) return found
  let over = packed.length
  for (let n = 0; n < ATTEMPTS_MAX && found.length < most * ENOUGH && over - fits > 1; n++) {
    // The first guesses assume that the rest shrinks as much as what is known. If it doesn't, the range is
    // halved in between.
    const guess: number = n % 2 === 0 ? Math.floor((fits * most * NEARLY) / Math.max(1, found.length)) : 0
    const middle =
      over > 4 * fits ? Math.floor(Math.sqrt(Math.max(1, fits) * over)) : Math.floor((fits + over) / 2)
    const length = guess > fits && guess < over ? guess : middle
    const part = attempt(length)
    if (part === null) over = length
    else [fits, found] = [length, part]
  }
  return found
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

interface ZipDirectory {
  readonly position: number
  readonly size: number
  /** Number of entries modulo 65,536, as the end record states it. */
  readonly count: number
}

/**
 * Finds the central directory of a zip through its end record, which may be followed by a comment of up to 64
 * KiB.
 */
function zipDirectory(source: ByteSource): ZipDirectory | null {
  const length = Math.min(source.size, 66_000)
  const base = source.size - length
  const bytes = source.read(base, length)
  const at = view(bytes)
  for (let i = bytes.length - 22; i >= 0; i--) {
    if (at.getUint32(i, true) !== 0x06054b50) continue
    const [count, size, position] = [
      at.getUint16(i + 10, true),
      at.getUint32(i + 12, true),
      at.getUint32(i + 16, true),
    ]
    if (position !== 0xffffffff && size !== 0xffffffff) return { position, size, count }
    // zip64: a locator precedes the end record.
    if (i < 20 || at.getUint32(i - 20, true) !== 0x07064b50) return null
    const record = source.read(Number(at.getBigUint64(i - 12, true)), 56)
    if (record.length < 56 || view(record).getUint32(0, true) !== 0x06064b50) return null
    const [entries, bytesOf, start] = [32, 40, 48].map((offset) => view(record).getBigUint64(offset, true))
    return { position: Number(start), size: Number(bytesOf), count: Number((entries ?? 0n) % 65_536n) }
  }
  return null
}

/**
 * Returns `needed` (sizes and offset of an entry). Values that don't fit into 32 bits are replaced by those
 * in the zip64 extra field, which stores only these, in the same order.
 */
function zip64Fields(extra: Uint8Array, needed: readonly number[]): readonly number[] {
  const at = view(extra)
  for (let i = 0; i + 4 <= extra.length; i += 4 + at.getUint16(i + 2, true)) {
    if (at.getUint16(i, true) !== 1) continue
    let next = i + 4
    return needed.map((value) => {
      if (value !== 0xffffffff || next + 8 > extra.length) return value
      next += 8
      return Number(at.getBigUint64(next - 8, true))
    })
  }
  return needed
}

function* zipEntries(source: ByteSource): Generator<ArchiveEntry> {
  const directory = zipDirectory(source)
  const hasDirectory = directory !== null && directory.position < source.size
  const bytes = hasDirectory
    ? source.read(directory.position, Math.min(directory.size, DIRECTORY_MAX_BYTES))
    : new Uint8Array()
  const at = view(bytes)
  let left = TOTAL_MAX_BYTES
  let contents = 0
  let offset = 0
  let n = 0
  for (; n < ENTRIES_MAX && offset + 46 <= bytes.length && at.getUint32(offset, true) === CENTRAL; n++) {
    const [flags, method] = [at.getUint16(offset + 8, true), at.getUint16(offset + 10, true)]
    const [nameLength, extraLength, commentLength] = [
      at.getUint16(offset + 28, true),
      at.getUint16(offset + 30, true),
      at.getUint16(offset + 32, true),
    ]
    const nameEnd = offset + 46 + nameLength
    const name = Buffer.from(bytes.subarray(offset + 46, nameEnd)).toString(
      (flags & 0x800) === 0 ? 'latin1' : 'utf8',
    )
    const [, packed = 0, position = 0] = zip64Fields(bytes.subarray(nameEnd, nameEnd + extraLength), [
      at.getUint32(offset + 24, true),
      at.getUint32(offset + 20, true),
      at.getUint32(offset + 42, true),
    ])
    offset = nameEnd + extraLength + commentLength
    if (name.endsWith('/')) continue
    const isReadable =
      (flags & 1) === 0 && (method === 0 || method === 8) && left > 0 && contents < CONTENTS_MAX
    const found = isReadable
      ? zipContent(source, position, packed, method, Math.min(left, ENTRY_MAX_BYTES))
      : null
    left -= found?.length ?? 0
    contents++
    yield { name, bytes: found }
  }
  const isCutOff = n === ENTRIES_MAX || (directory !== null && directory.size > DIRECTORY_MAX_BYTES)
  if (directory === null || (n % 65_536 !== directory.count && !isCutOff)) yield* zipLocals(source)
}

function zipContent(
  source: ByteSource,
  position: number,
  packed: number,
  method: number,
  most: number,
): Uint8Array | null {
  const local = source.read(position, 30)
  if (local.length < 30 || view(local).getUint32(0, true) !== LOCAL) return null
  const start = position + 30 + view(local).getUint16(26, true) + view(local).getUint16(28, true)
  const bytes = source.read(start, Math.min(packed, most))
  return method === 0 ? bytes : unpack(bytes, most, inflateRawSync)
}

/**
 * The position of the next entry's header at or after `from`, or null if there is none within `most` bytes.
 */
function nextLocal(source: ByteSource, from: number, most: number): number | null {
  const end = Math.min(source.size, from + most)
  for (let at = from; at + 30 <= end; at += SEARCH_BYTES) {
    const found = Buffer.from(source.read(at, Math.min(SEARCH_BYTES + 3, end - at))).indexOf(LOCAL_BYTES)
    if (found >= 0) return at + found
  }
  return null
}

/**
 * Reads a zip whose central directory is missing, incomplete or not where the end record says: finds the
 * entries by their own headers. If an entry doesn't state its size, the next header is searched for within
 * it.
 */
function* zipLocals(source: ByteSource): Generator<ArchiveEntry> {
  let left = TOTAL_MAX_BYTES
  let unsearched = TOTAL_MAX_BYTES
  let from = 0
  for (let n = 0; n < CONTENTS_MAX && left > 0; n++) {
    const position = nextLocal(source, from, unsearched)
    if (position === null) return
    unsearched -= position - from
    const local = source.read(position, 30)
    if (local.length < 30) return
    const at = view(local)
    const [flags, method, packed] = [at.getUint16(6, true), at.getUint16(8, true), at.getUint32(18, true)]
    const nameLength = at.getUint16(26, true)
    const name = Buffer.from(source.read(position + 30, nameLength)).toString('utf8')
    const start = position + 30 + nameLength + at.getUint16(28, true)
    const isOpenEnded = (flags & 8) !== 0 && packed === 0
    // Read no further than the next header, or all of an interrupted download would be read again for each
    // entry.
    const next = isOpenEnded ? nextLocal(source, position + 30, Math.min(ENTRY_MAX_BYTES, unsearched)) : null
    const most = next !== null && next > start ? next - start : ENTRY_MAX_BYTES
    const bytes = source.read(start, Math.min(isOpenEnded ? most : packed, ENTRY_MAX_BYTES))
    const found =
      (flags & 1) !== 0
        ? null
        : method === 0
          ? bytes
          : method === 8
            ? unpack(bytes, Math.min(left, ENTRY_MAX_BYTES), inflateRawSync)
            : null
    left -= found?.length ?? 0
    if (!name.endsWith('/')) yield { name, bytes: found }
    // A stated size that exceeds the file is wrong, so it is treated like a missing one.
    from = isOpenEnded || start + packed > source.size ? position + 30 : start + packed
  }
}

/**
 * A number in a tar header: octal text or, if its first bit is set (for sizes of 8 GiB and above), binary.
 */
function tarNumber(head: Uint8Array, start: number, length: number): number {
  if (((head[start] ?? 0) & 0x80) === 0) return Number.parseInt(ascii(head, start, length).trim() || '0', 8)
  let value = 0
  for (let i = 1; i < length; i++) value = value * 256 + (head[start + i] ?? 0)
  return value
}

function* tarEntries(source: ByteSource): Generator<ArchiveEntry> {
  let position = 0
  let long: string | null = null
  let left = TOTAL_MAX_BYTES
  for (let n = 0; n < ENTRIES_MAX; n++) {
    const head = source.read(position, TAR_HEAD)
    if (head.length < TAR_HEAD || head[0] === 0) return
    const size = tarNumber(head, 124, 12)
    if (!Number.isFinite(size) || size < 0) return
    const type = String.fromCharCode(head[156] ?? 0)
    const start = position + TAR_HEAD
    position = start + Math.ceil(size / TAR_HEAD) * TAR_HEAD
    if (type === 'L' || type === 'x') {
      const text = Buffer.from(source.read(start, Math.min(size, 65_536))).toString('utf8')
      // GNU ('L'): the content is the name. POSIX ('x'): records such as `30 path=...`.
      const name = type === 'L' ? text.replace(/\0.*$/s, '') : (/\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? null)
      long = name ?? long
      continue
    }
    const prefix = ascii(head, 257, 5) === 'ustar' && head[263] === 0x30 ? ascii(head, 345, 155) : ''
    const name = long ?? (prefix === '' ? ascii(head, 0, 100) : `${prefix}/${ascii(head, 0, 100)}`)
    long = null
    if (type !== '0' && type !== '\0' && type !== '7') continue
    const bytes = left > 0 ? source.read(start, Math.min(size, ENTRY_MAX_BYTES, left)) : null
    left -= bytes?.length ?? 0
    yield { name, bytes }
  }
}

/**
 * The entries of an archive. A gzip file has one entry, named after the file without its extension; a
 * compressed tar yields the entries of the tar.
 */
export function* archiveEntries(
  source: ByteSource,
  kind: ArchiveKind,
  name: string,
): Generator<ArchiveEntry> {
  if (kind === 'zip') yield* zipEntries(source)
  else if (kind === 'tar') yield* tarEntries(source)
  else {
    const bytes = unpack(source.read(0, TOTAL_MAX_BYTES), TOTAL_MAX_BYTES, gunzipSync)
    if (bytes === null) return
    if (archiveKind(bytes.subarray(0, TAR_HEAD)) === 'tar')
      yield* tarEntries({
        size: bytes.length,
        read: (position, length) => bytes.subarray(position, position + length),
      })
    else yield { name: name.replace(/\.(?:gz|gzip|tgz)$/i, ''), bytes }
  }
}
