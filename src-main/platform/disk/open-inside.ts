// Opens a user's file without following a link on its way, so that a folder that is swapped with a link can't
// cause a file from elsewhere to be sent. On Linux, each directory is opened below the one before, and stays
// the same directory whatever happens to its name. macOS refuses links on the way by itself. Windows can only
// be asked afterwards, so a swap at the very moment may go unnoticed there.
import {
  close,
  closeSync,
  constants,
  existsSync,
  fstat,
  lstatSync,
  open,
  openSync,
  type Stats,
} from 'node:fs'
import { lstat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { parentsOf } from '../../engine/disk/rel-path.ts'
import { type DirectoryId, DiskError } from '../../engine/ports.ts'
import { diskFailure, errorCode } from './disk-errors.ts'
import { isRounded, lookAt, statOpen, withExactId } from './inode.ts'
import { toNative } from './path-codec.ts'
import { realPath, realPathSync } from './real-path.ts'

/**
 * A flag of macOS: fail if any part of the path is a link. Node passes it through, but exports no constant
 * for it.
 */
const O_NOFOLLOW_ANY = process.platform === 'darwin' ? 0x2000_0000 : 0
/**
 * O_NOFOLLOW: don't read a link that replaced the file. O_NONBLOCK: don't hang on a pipe that replaced it.
 * Windows lacks both flags.
 */
const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | O_NOFOLLOW_ANY
/**
 * A flag of Linux: only names the directory, which needn't be readable. Node passes it through, but exports
 * no constant for it.
 */
const O_PATH = 0x20_0000
const DIRECTORY = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** Whether a path can go on from an open directory. On a Linux without procfs it can't. */
const CAN_PIN = process.platform === 'linux' && existsSync('/proc/self/fd')

export interface Opened {
  readonly fd: number
  /** The directories through which the file was opened, starting with the root. Empty except on Linux. */
  readonly above: readonly DirectoryId[]
}

interface Pinned extends DirectoryId {
  readonly name: string
  readonly fd: number
}

/**
 * Opens files one after the other. Keeps the directories above the last one open, because the next file is
 * usually in the same.
 */
export class FilesInside {
  #pinned: readonly Pinned[] = []

  /** Blocks the thread. Throws a DiskError. */
  open(path: string): Opened {
    try {
      return CAN_PIN ? this.#open(path) : openChecked(path)
    } catch (error) {
      if (isLoop(error) && lookAt(path, false) === undefined) throw gone(path)
      throw asDiskError(error, path)
    }
  }

  /** Releases the directories. Until then, their drive can't be ejected. */
  close(): void {
    this.#release(0)
  }

  #open(path: string): Opened {
    const { dirs, name } = partsOf(path)
    const differs = this.#pinned.findIndex((pinned, i) => pinned.name !== dirs[i])
    if (differs >= 0) this.#release(differs)
    for (const dir of dirs.slice(this.#pinned.length)) this.#pin(dir)
    const fd = openSync(nextTo(this.#pinned.at(-1), name), FILE)
    return { fd, above: this.#pinned.map(({ ino, dev }) => ({ ino, dev })) }
  }

  #pin(name: string): void {
    const path = nextTo(this.#pinned.at(-1), name)
    let fd: number
    try {
      fd = openSync(path, DIRECTORY)
    } catch (error) {
      throw errorCode(error) === 'ENOTDIR' && lstatSync(path).isSymbolicLink() ? leadsElsewhere() : error
    }
    const { ino, dev } = statOpen(fd)
    this.#pinned = [...this.#pinned, { name, fd, ino, dev }]
  }

  #release(first: number): void {
    for (const { fd } of this.#pinned.slice(first)) closeSync(fd)
    this.#pinned = this.#pinned.slice(0, first)
  }
}

// Plain descriptors, because a FileHandle takes three times as long.
const openLater = promisify(open)
const closeLater = promisify(close)
const fstatLater = promisify(fstat)

/** Opens one file on Node's thread pool. Rejects with a DiskError. */
export async function openInside(path: string): Promise<Opened> {
  try {
    return await (CAN_PIN ? openPinned(path) : openCheckedLater(path))
  } catch (error) {
    if (isLoop(error)) await lstat(toNative(path)).catch(() => Promise.reject(gone(path)))
    throw asDiskError(error, path)
  }
}

async function openPinned(path: string): Promise<Opened> {
  const { dirs, name } = partsOf(path)
  const pinned: { readonly fd: number }[] = []
  try {
    for (const dir of dirs) {
      const at = nextTo(pinned.at(-1), dir)
      const fd = await openLater(at, DIRECTORY).catch(async (error: unknown) => {
        throw errorCode(error) === 'ENOTDIR' && (await lstat(at)).isSymbolicLink() ? leadsElsewhere() : error
      })
      pinned.push({ fd })
    }
    const above = (await Promise.all(pinned.map(({ fd }) => statOpenLater(fd)))).map(({ ino, dev }) => ({
      ino,
      dev,
    }))
    return { fd: await openLater(nextTo(pinned.at(-1), name), FILE), above }
  } finally {
    // Never blocks, because such a descriptor holds nothing that would have to be written.
    for (const { fd } of pinned) closeSync(fd)
  }
}

/** Like `statOpen`, without blocking. */
export async function statOpenLater(fd: number): Promise<Stats> {
  const stats = await fstatLater(fd)
  return isRounded(stats) ? withExactId(stats, await fstatLater(fd, { bigint: true })) : stats
}

/** Opens the path as the system does, and then checks whether a link was on the way. */
function openChecked(path: string): Opened {
  const fd = openSync(toNative(path), FILE)
  try {
    checkPlace(path, hasLinkAboveSync(path), lookAt(path, false), statOpen(fd))
    return { fd, above: [] }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

async function openCheckedLater(path: string): Promise<Opened> {
  const native = toNative(path)
  const fd = await openLater(native, FILE)
  try {
    const isBelowLink = await hasLinkAbove(path)
    const there = await lstat(native)
    if (isRounded(there)) withExactId(there, await lstat(native, { bigint: true }))
    checkPlace(path, isBelowLink, there, await statOpenLater(fd))
    return { fd, above: [] }
  } catch (error) {
    await closeLater(fd)
    throw error
  }
}

/** `there`: what is at the path now. Throws a DiskError unless it is the open file. */
function checkPlace(path: string, isBelowLink: boolean, there: Stats | undefined, opened: Stats): void {
  if (isBelowLink || there?.isSymbolicLink() === true) throw leadsElsewhere()
  // Windows may report the volume of a path and that of an open file in different forms.
  if (there?.ino !== opened.ino) throw new DiskError({ code: 'busy', message: `${path} was just replaced` })
}

/**
 * Whether a directory above the path is a link. Rejects if the path or a directory above it can't be
 * examined.
 */
export async function hasLinkAbove(path: string): Promise<boolean> {
  const native = Buffer.from(toNative(path))
  if (native.equals(await realPath(native))) return false
  for (const dir of parentsOf(path)) if ((await lstat(toNative(dir))).isSymbolicLink()) return true
  return false
}

/** Like `hasLinkAbove`, but blocks the thread, and throws instead of rejecting. */
export function hasLinkAboveSync(path: string): boolean {
  const native = Buffer.from(toNative(path))
  if (native.equals(realPathSync(native))) return false
  // The real path may differ without a link, for example in letter case.
  return [...parentsOf(path)].some((dir) => lstatSync(toNative(dir)).isSymbolicLink())
}

/** `dirs`: the names of the directories, from that of the root, ''. */
function partsOf(path: string): { readonly dirs: readonly string[]; readonly name: string } {
  const names = path.split('/')
  return { dirs: names.slice(0, -1), name: names.at(-1) ?? '' }
}

/**
 * The path that leads from an open directory to one of its entries; without a directory, that of the root.
 */
function nextTo(dir: { readonly fd: number } | undefined, name: string): string | Buffer {
  const native = toNative(name)
  const before = dir === undefined ? '/' : `/proc/self/fd/${dir.fd}/`
  return typeof native === 'string' ? before + native : Buffer.concat([Buffer.from(before), native])
}

function isLoop(error: unknown): boolean {
  return error instanceof DiskError && error.failure.code === 'loop'
}

/** A link on the way leads to a place without this file. */
function gone(path: string): DiskError {
  return new DiskError({ code: 'gone', message: `${path} is gone` })
}

function leadsElsewhere(): DiskError {
  return new DiskError({ code: 'loop', message: 'a link on the way leads elsewhere' })
}

/** The failure with the file's own path instead of the one through an open directory. */
function asDiskError(error: unknown, path: string): DiskError {
  if (error instanceof DiskError) return error
  const { code, message } = diskFailure(error)
  return new DiskError({ code, message: message.replace(/'\/proc\/self\/fd\/[^']*'/, () => `'${path}'`) })
}
