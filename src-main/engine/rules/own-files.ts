// Recognizes copies of Slipway's own files by their content, whatever their names: the journal, the list of accounts and the secret of the
// control socket. Own places and their hard links are recognized by identity instead (own-places.ts). Pure.
import { APPLICATION_ID } from '../journal/schema.ts'
import type { ByteSource } from './secrets/scan.ts'

export const OWN_RULE = "Slipway's own data"

const DATABASE = Buffer.from('SQLite format 3\0')
/** Position of the application ID in a database's first page. */
const APPLICATION_ID_AT = 68
/** The signature of a write-ahead log, in both byte orders of its checksums. */
const WAL: ReadonlySet<number> = new Set([0x377f0682, 0x377f0683])
const WAL_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
/** Maximum number of frames of a log in which the first page is searched for. Slipway's own log has at most half as many. */
const FRAMES_MAX = 16_000
/** Maximum size, in bytes, of the other files. Those that Slipway writes are much smaller. */
const TEXT_MAX_BYTES = 1024 * 1024
/** Content of `control.key`: the secret of the control socket and, if the socket is outside the folder, its path. */
export const CONTROL_KEY = /^[0-9a-f]{64}(?:\n[^\n]+\n)?$/
const CONTROL_KEY_MAX_BYTES = 4096
const CURLY_BRACKET = 0x7b
/** Keys that `accounts.json` always contains, and that hardly ever occur together elsewhere. */
const ACCOUNTS_KEYS = ['"accounts"', '"keychain"', '"marks"', '"folder"']

/** Whether the content is a copy of one of Slipway's own files. `name`: the file's name. */
export function isOwnContent(source: ByteSource, name: string): boolean {
  const head = source.read(0, 100)
  if (isJournalPage(head)) return true
  if (WAL.has(at(head, 0))) return name.toLowerCase() === 'journal.db-wal' || isJournalLog(source, at(head, 8))
  if (source.size > TEXT_MAX_BYTES || (source.size > CONTROL_KEY_MAX_BYTES && head[0] !== CURLY_BRACKET)) return false
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
