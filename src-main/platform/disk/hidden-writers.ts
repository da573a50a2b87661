// Decides whether a file on Linux could be written by a program that /proc doesn't show to this process. Such
// a program belongs to another user, or runs on another computer that uses the same drive. The decision
// depends on the file's stats and its drive's type.
import { readdirSync, type Stats, statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { toNative } from './path-codec.ts'

/**
 * Types of file systems (statfs, `f_type`) that only this computer writes to. All others count as shared,
 * because an unknown one may be a network drive. FUSE reports the same type for all of its file systems,
 * including network drives.
 */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x9123683e, // btrfs
  0x58465342, // XFS
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0xca451a4e, // bcachefs
  0x3153464a, // JFS
  0x52654973, // ReiserFS
  0x3434, // NILFS
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x794c7630, // overlayfs
  0xf15f, // eCryptfs
  0x4d44, // FAT
  0x2011bab0, // exFAT
  0x5346544e, // NTFS
  0x7366746e, // NTFS, driver ntfs3
  0x4244, // HFS
  0x482b, // HFS+
  0x15013346, // UDF
])

/**
 * How long a drive's type is cached, in milliseconds. After a drive is unmounted, its device number can be
 * given to another one.
 */
const TYPE_VALID_MS = 60_000

/** The identity and the rights with which this process reads /proc. */
export interface Viewer {
  readonly uid: number
  readonly gid: number
  /** Whether /proc shows this process the open files of all users' processes. */
  readonly seesAll: boolean
}

/**
 * Whether other users may write to the file although the viewer can't see which files their programs have
 * open.
 */
export function isOpenToOthers(file: Pick<Stats, 'uid' | 'gid' | 'mode'>, viewer: Viewer): boolean {
  if (viewer.seesAll) return false
  // The viewer's own group doesn't count, because many distributions give each user a private group that may
  // write to the user's files.
  const isGroupShared = (file.mode & 0o020) !== 0 && file.gid !== viewer.gid
  return file.uid !== viewer.uid || (file.mode & 0o002) !== 0 || isGroupShared
}

/** Whether other computers may write to a drive of this type (statfs, `f_type`). */
export function isSharedDrive(type: number): boolean {
  return !LOCAL_TYPES.has(type)
}

let own: Viewer | null = null

function ownView(): Viewer {
  own ??= { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1, seesAll: canReadInit() }
  return own
}

/**
 * Whether this process may see the open files of process 1, and therefore of all processes. Checking for root
 * isn't enough, because even root may lack the required capability, for example in a container or a
 * restricted service.
 */
function canReadInit(): boolean {
  try {
    readdirSync('/proc/1/fd')
    return true
  } catch {
    return false
  }
}

/**
 * Cached drives by device number. An entry is valid until `until`, in milliseconds of `performance.now()`.
 */
const drives = new Map<number, { readonly isShared: boolean; readonly until: number }>()

/**
 * Decides without accessing the drive. Returns null if the decision depends on the drive's type and the type
 * isn't cached.
 */
function withoutDrive(stats: Stats): boolean | null {
  if (process.platform !== 'linux' || !stats.isFile()) return false
  if (isOpenToOthers(stats, ownView())) return true
  const known = drives.get(stats.dev)
  return known !== undefined && performance.now() < known.until ? known.isShared : null
}

function noteDrive(dev: number, type: number): boolean {
  const isShared = isSharedDrive(type)
  drives.set(dev, { isShared, until: performance.now() + TYPE_VALID_MS })
  return isShared
}

/**
 * Whether a program that `openForWriting` can't find may be writing the file with these stats. Blocks, so
 * call it in the disk thread.
 */
export function hasHiddenWriters(path: string, stats: Stats): boolean {
  const answer = withoutDrive(stats)
  if (answer !== null) return answer
  try {
    return noteDrive(stats.dev, statfsSync(toNative(path)).type)
  } catch {
    // The file is gone, or the drive fails. Don't cache this result, because it may not apply to the drive's
    // other files.
    return true
  }
}

/** Like `hasHiddenWriters`, without blocking. */
export async function hasHiddenWritersLater(path: string, stats: Stats): Promise<boolean> {
  const answer = withoutDrive(stats)
  if (answer !== null) return answer
  try {
    return noteDrive(stats.dev, (await statfs(toNative(path))).type)
  } catch {
    return true
  }
}
