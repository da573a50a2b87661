// Finds the account's own API key in a file, in every form in which it would be redacted, however ordinary it
// looks: an exact comparison, beside the search for what looks like a secret. Pure; the key stays in memory.
import { createRecognizer } from '../../../api/redact.ts'
import { type ByteSource, checkTime } from './scan.ts'

/** Reported without the line, so that no part of the key is shown. */
export const KEY_RULE = 'your API key for this service'
/** Number of bytes from the start of one searched chunk to the start of the next. */
const PIECE = 1024 * 1024
/** Number of bytes by which a chunk reaches into the next one: room for a key with all of it escaped. */
const OVERLAP = 16 * 1024

/** Making the forms of a key takes longer than searching a small file for them. */
let last = { key: '', isIn: createRecognizer('') }

/** Whether the bytes from `from` to `to` contain the key. A key of fewer than 6 characters isn't recognized. */
export function holdsKey(source: ByteSource, key: string, from = 0, to = source.size): boolean {
  if (last.key !== key) last = { key, isIn: createRecognizer(key) }
  for (let at = from; at < to; at += PIECE) {
    checkTime()
    const piece = source.read(at, Math.min(PIECE + OVERLAP, to - at))
    // Without its zero bytes, UTF-16 and UTF-32 is ASCII.
    const isIn =
      last.isIn(latin1(piece)) || (piece.includes(0) && last.isIn(latin1(piece.filter((byte) => byte !== 0))))
    if (isIn) return true
  }
  return false
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
