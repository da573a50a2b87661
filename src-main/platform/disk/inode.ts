// Converts inode numbers to ones that a JavaScript number represents exactly. On NTFS and some network disks,
// inode numbers exceed 2^53, where neighbouring numbers are rounded to the same value, so a moved file could
// be mistaken for another one.
import { type BigIntStats, fstatSync, lstatSync, type Stats, statSync } from 'node:fs'
import { toNative } from './path-codec.ts'

/**
 * The low 53 bits. On NTFS they contain the number of the file's record (48 bits), which is unique on the
 * disk, and part of its reuse counter.
 */
export function exactId(id: number | bigint): number {
  return typeof id === 'bigint' ? Number(BigInt.asUintN(53, id)) : id
}

/** Whether Node may have rounded the inode number, so that it must be requested again as a BigInt. */
export function isRounded(stats: Pick<Stats, 'ino'>): boolean {
  return stats.ino > Number.MAX_SAFE_INTEGER
}

/**
 * Replaces the inode number in `stats` with the exact one, and returns `stats`. `again` contains the same
 * file's stats as BigInts. If it is null, the file no longer exists, and `stats` is left unchanged.
 */
export function withExactId(stats: Stats, again: Pick<BigIntStats, 'ino'> | null): Stats {
  if (again !== null) stats.ino = exactId(again.ino)
  return stats
}

/**
 * Like `lstatSync`, or `statSync` if `follow` is true, but replaces a rounded inode number (see `exactId`)
 * and returns undefined if nothing exists at the path. Throws on any other error.
 */
export function lookAt(path: string, follow: boolean): Stats | undefined {
  const native = toNative(path)
  const look = follow ? statSync : lstatSync
  const stats = look(native, { throwIfNoEntry: false })
  if (stats == null || !isRounded(stats)) return stats
  return withExactId(stats, look(native, { throwIfNoEntry: false, bigint: true }) ?? null)
}

/** Like `fstatSync`, but replaces a rounded inode number (see `exactId`). Tests replace `stat`. */
export function statOpen(fd: number, stat = fstatSync): Stats {
  const stats = stat(fd)
  return isRounded(stats) ? withExactId(stats, stat(fd, { bigint: true })) : stats
}
