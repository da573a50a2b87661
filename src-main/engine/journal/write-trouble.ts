// Tells a disk that can't be written to from a mistake of ours, by the codes of SQLite and of the system. Pure.
// A full disk gets room again, so what meets one waits and goes on.

export type WriteTrouble = 'full' | 'read-only' | 'failing'

/** Result codes of SQLite: IOERR covers failed reads, writes and syncs, and a shared-memory file that can't grow. */
const SQLITE: Readonly<Record<number, WriteTrouble>> = { 8: 'read-only', 10: 'failing', 13: 'full', 14: 'failing' }
const SYSTEM: Readonly<Record<string, WriteTrouble>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EIO: 'failing',
}
/** SQLITE_IOERR_SHMSIZE: the shared-memory file could not grow. The disk is full. */
const SHM_SIZE = 10 | (19 << 8)

/** null: the error has another cause. */
export function writeTrouble(error: unknown): WriteTrouble | null {
  if (typeof error !== 'object' || error === null) return null
  const code: unknown = Reflect.get(error, 'errcode')
  if (typeof code === 'number') return code === SHM_SIZE ? 'full' : (SQLITE[code & 0xff] ?? null)
  const name: unknown = Reflect.get(error, 'code')
  return typeof name === 'string' ? (SYSTEM[name] ?? null) : null
}
