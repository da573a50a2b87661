// Inode numbers that a JavaScript number holds exactly. NTFS and some network disks count beyond 2^53, where neighbours round to the same number,
// and a moved file would be taken for the one beside it.
import { type BigIntStats, lstatSync, type Stats, statSync } from 'node:fs'
import { toNative } from './path-codec.ts'

/**
 * The low 53 bits. On NTFS they are the number of the file's record (48 bits), which no other file on the disk has, and part of the count of its
 * reuses.
 */
export function exactId(id: number | bigint): number {
  return typeof id === 'bigint' ? Number(BigInt.asUintN(53, id)) : id
}

/** Whether Node has rounded this number, so that it has to be asked for again. */
export function isRounded(stats: Pick<Stats, 'ino'>): boolean {
  return stats.ino > Number.MAX_SAFE_INTEGER
}

/** The same with an exact inode number. `again`: the same file's stats with BigInts; null if it is gone by now. */
export function withExactId(stats: Stats, again: Pick<BigIntStats, 'ino'> | null): Stats {
  if (again !== null) stats.ino = exactId(again.ino)
  return stats
}

/** As `lstatSync` and `statSync` of what is there; undefined if nothing is. Throws what they throw. */
export function lookAt(path: string, follow: boolean): Stats | undefined {
  const native = toNative(path)
  const look = follow ? statSync : lstatSync
  const stats = look(native, { throwIfNoEntry: false })
  if (stats == null || !isRounded(stats)) return stats
  return withExactId(stats, look(native, { throwIfNoEntry: false, bigint: true }) ?? null)
}
