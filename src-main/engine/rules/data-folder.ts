// Recognizes data folders of Slipway by their files, wherever they are, such as that of another
// SLIPWAY_DATA_DIR or a copy. A data folder contains the journal and the secret of the control socket, so
// nothing in it is sent. File names alone prove nothing, because a user's own folder may contain files with
// the same names, so their content or size is checked as well. `isOwnContent` recognizes copies of single own
// files, whatever their names.
import { z } from 'zod'
import { absolute } from '../disk/rel-path.ts'
import { APPLICATION_ID } from '../journal/schema.ts'
import type { Disk, DiskFailure, Entry } from '../ports.ts'
import type { ByteSource } from './secrets/scan.ts'

/**
 * Pairs of files that hardly ever occur together outside a data folder. Either file alone may also be in a
 * user's own folder.
 */
const PAIRS: readonly (readonly [string, string])[] = [
  ['journal.db', 'owner.db'],
  ['journal.db', 'journal.db-stamp'],
  // A data folder contains the first account's journal. If that account is removed, these two files remain
  // for the other accounts.
  ['accounts.json', 'accounts.lock'],
]

/**
 * The first files of the pairs. A directory with none of them isn't a data folder, whatever else is in it.
 */
export const DATA_FILES: readonly string[] = [...new Set(PAIRS.map(([file]) => file))]

/**
 * Files that complete a pair. They hardly ever occur elsewhere, so a directory is checked again when one of
 * them appears.
 */
export const DATA_MARKS: ReadonlySet<string> = new Set(PAIRS.map(([, mark]) => mark))

/** Maximum size, in bytes, of a file that is read here. Those that Slipway writes are much smaller. */
const READ_MOST = 1024 * 1024

/** The journal's page size. The size of a database is a multiple of its page size. */
const PAGE_BYTES = 4096

/**
 * Content of `journal.db-stamp`: the stamp, and the journal file's identity, which may be empty
 * (platform/data/journal-files.ts).
 */
const STAMP = /^[0-9a-z]{8,40} \d{1,15}\n(?:\d+ -?\d+)?\n?$/
const Accounts = z.looseObject({
  current: z.string().nullable(),
  accounts: z.array(z.looseObject({ keychain: z.string(), marks: z.array(z.string()), folder: z.string() })),
})

// Recognizes copies of Slipway's own files by their content, whatever their names: the journal, the list of
// accounts and the secret of the control socket. Own places and their hard links are recognized by identity
// instead (own-places.ts). Pure.
export const OWN_RULE = "Slipway's own data"
const DATABASE = Buffer.from('SQLite format 3\0')

/** Position of the application ID in a database's first page. */
const APPLICATION_ID_AT = 68

/** The signature of a write-ahead log, in both byte orders of its checksums. */
const WAL: ReadonlySet<number> = new Set([0x377f0682, 0x377f0683])
const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/**
 * Maximum number of frames of a log in which the first page is searched for. Slipway's own log has at most
 * half as many.
 */
const FRAMES_MAX = 16_000

/** Maximum size, in bytes, of the other files. Those that Slipway writes are much smaller. */
const TEXT_MAX_BYTES = 1024 * 1024

/**
 * Content of `control.key`: the secret of the control socket and, if the socket is outside the folder, its
 * path.
 */
const CONTROL_KEY = /^[0-9a-f]{64}(?:\n[^\n]+\n)?$/
const CONTROL_KEY_MAX_BYTES = 4096
const CURLY_BRACKET = 0x7b

/** Keys that `accounts.json` always contains, and that hardly ever occur together elsewhere. */
const ACCOUNTS_KEYS = ['"accounts"', '"keychain"', '"marks"', '"folder"']

type Stat = Entry | DiskFailure | null | undefined

/**
 * Whether a directory is a data folder of Slipway. A file that can't be read counts as Slipway's, so that
 * nothing is published by mistake. `statOf`: returns the directory's entry with this name, null or undefined
 * if there is none, or the failure if it can't be examined.
 */
export async function isDataFolder(
  disk: Disk,
  dir: string,
  statOf: (name: string) => Stat,
): Promise<boolean> {
  const file = (name: string): Entry | null => regularFile(statOf(name))
  return PAIRS.some((pair) => pair.every((name) => file(name) !== null)) && isConfirmed(disk, dir, file)
}

/** Whether the content of the files confirms what their names suggest. */
async function isConfirmed(disk: Disk, dir: string, file: (name: string) => Entry | null): Promise<boolean> {
  const path = (name: string): string => absolute(dir, '', name)
  const journal = file('journal.db')
  const owner = file('owner.db')
  // `owner.db` is a lock file and always empty. The journal is empty while it is being created. The journal
  // isn't opened here: if it is this process's own, closing it would release the process's lock on it.
  if (journal !== null && owner !== null && owner.size === 0 && journal.size % PAGE_BYTES === 0) return true
  const stamp = file('journal.db-stamp')
  if (
    journal !== null &&
    stamp !== null &&
    (await hasText(disk, path('journal.db-stamp'), stamp, (text) => STAMP.test(text)))
  )
    return true
  const accounts = file('accounts.json')
  const isPair = accounts !== null && file('accounts.lock') !== null
  if (isPair && (await hasText(disk, path('accounts.json'), accounts, isAccounts))) return true
  // Even if the journal or the list of accounts is damaged, a valid control key shows that the folder is a
  // data folder.
  const [key] = await disk.stat([path('control.key')])
  const secret = regularFile(key)
  return secret !== null && hasText(disk, path('control.key'), secret, (text) => CONTROL_KEY.test(text))
}

function regularFile(stat: Stat): Entry | null {
  return stat !== null && stat !== undefined && !('code' in stat) && stat.kind === 'file' ? stat : null
}

/**
 * Whether `isOurs` accepts the file's text. False if the file is larger than `READ_MOST`, true if it can't be
 * read.
 */
async function hasText(
  disk: Disk,
  path: string,
  { size }: Entry,
  isOurs: (text: string) => boolean,
): Promise<boolean> {
  if (size > READ_MOST) return false
  const text = await disk.text(path)
  return text === null || isOurs(text)
}

function isAccounts(text: string): boolean {
  try {
    return Accounts.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}

/** Whether the content is a copy of one of Slipway's own files. `name`: the file's name. */
export function isOwnContent(source: ByteSource, name: string): boolean {
  const head = source.read(0, 100)
  if (isJournalPage(head)) return true
  if (WAL.has(at(head, 0)))
    return name.toLowerCase() === 'journal.db-wal' || isJournalLog(source, at(head, 8))
  if (source.size > TEXT_MAX_BYTES || (source.size > CONTROL_KEY_MAX_BYTES && head[0] !== CURLY_BRACKET))
    return false
  const text = Buffer.from(source.read(0, source.size)).toString('latin1')
  return CONTROL_KEY.test(text) || ACCOUNTS_KEYS.every((key) => text.includes(key))
}

/** `page`: at least the first 72 bytes of a database's first page. */
function isJournalPage(page: Uint8Array): boolean {
  return DATABASE.equals(page.subarray(0, DATABASE.length)) && at(page, APPLICATION_ID_AT) === APPLICATION_ID
}

function isJournalLog(source: ByteSource, pageBytes: number): boolean {
  const step = FRAME_HEADER_BYTES + pageBytes
  for (let n = 0; n < FRAMES_MAX; n++) {
    const frame = source.read(WAL_HEADER_BYTES + n * step, FRAME_HEADER_BYTES + 100)
    if (frame.length < FRAME_HEADER_BYTES) return false
    if (at(frame, 0) === 1 && isJournalPage(frame.subarray(FRAME_HEADER_BYTES))) return true
  }
  return false
}

/** The big-endian number of four bytes at a position; -1 if the bytes end before. */
function at(bytes: Uint8Array, position: number): number {
  return bytes.length < position + 4 ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(position)
}
