// Distinguishes a disk that can't be written to from a bug, by the error codes of SQLite and the system. Pure. Callers wait and retry,
// because space on a full disk may be freed.

export type WriteTrouble = 'full' | 'read-only' | 'failing'

/** SQLite's result codes READONLY, IOERR (failed reads, writes and syncs), FULL and CANTOPEN. */
const SQLITE: Readonly<Record<number, WriteTrouble>> = { 8: 'read-only', 10: 'failing', 13: 'full', 14: 'failing' }
const SYSTEM: Readonly<Record<string, WriteTrouble>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EIO: 'failing',
}
/** SQLITE_IOERR_SHMSIZE: the shared-memory file couldn't grow, because the disk is full. */
const SHM_SIZE = 10 | (19 << 8)

/** Classifies an error. Returns null if the disk isn't its cause. */
export function writeTrouble(error: unknown): WriteTrouble | null {
  if (typeof error !== 'object' || error === null) return null
  const code: unknown = Reflect.get(error, 'errcode')
  if (typeof code === 'number') return code === SHM_SIZE ? 'full' : (SQLITE[code & 0xff] ?? null)
  const name: unknown = Reflect.get(error, 'code')
  return typeof name === 'string' ? (SYSTEM[name] ?? null) : null
}
