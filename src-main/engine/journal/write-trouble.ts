// Distinguishes a disk that can't be written to, or a journal that another program has locked, from a bug, by the error codes of SQLite and
// the system. Pure. Callers wait and retry, because space on a full disk may be freed, and a lock ends.

export type WriteTrouble = 'full' | 'read-only' | 'failing' | 'locked'

/** SQLite's result codes PERM, BUSY, READONLY, IOERR (failed reads, writes and syncs), FULL, CANTOPEN and PROTOCOL. */
const SQLITE: Readonly<Record<number, WriteTrouble>> = {
  3: 'read-only',
  5: 'locked',
  8: 'read-only',
  10: 'failing',
  13: 'full',
  14: 'failing',
  15: 'locked',
}
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
