// Creates a folder that only this user can access, or accepts an existing one. A folder that others use is
// refused and left unchanged: changing its permissions would break what others do there, and its content
// can't be trusted.
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { errorCode } from '../disk/disk-errors.ts'
import { usedBefore } from './own-folder.ts'
import { shownWord } from './shell-word.ts'
import { restrictAccess } from './windows-access.ts'

/**
 * Thrown if a data folder can't be used. `message` gives the reason, and `hint` suggests what the user can
 * do.
 */
export class DataFolderError extends Error {
  readonly hint: string
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause })
    this.hint = hint
  }
}

export type FolderVerdict =
  | { readonly use: 'as-is' | 'tighten' }
  | { readonly use: 'no'; readonly why: string; readonly fix: 'other-folder' | 'chmod' }

export interface FolderFacts {
  readonly kind: 'dir' | 'link' | 'other'
  /** Permission bits including the sticky bit, for example 0o1777. */
  readonly mode: number
  /**
   * Whether this user owns the folder; null on Windows, where windows-access.ts restricts the access instead.
   */
  readonly isOwn: boolean | null
  /** The names in the folder. Called only if the folder isn't private. */
  readonly names: () => readonly string[]
  readonly name: string
}

/** Decides whether Slipway may store its files in an existing folder. */
export function judgeFolder(f: FolderFacts): FolderVerdict {
  if (f.kind === 'link') return { use: 'no', why: 'it is a symbolic link', fix: 'other-folder' }
  if (f.kind === 'other') return { use: 'no', why: "it isn't a folder", fix: 'other-folder' }
  if (f.isOwn === null) return { use: 'as-is' }
  if (!f.isOwn) return { use: 'no', why: 'it belongs to another user', fix: 'other-folder' }
  if ((f.mode & 0o077) === 0) return { use: 'as-is' }
  const shown = f.mode.toString(8).padStart(4, '0')
  // The sticky bit marks a folder shared by several users, even if it is empty.
  if ((f.mode & 0o1000) !== 0)
    return { use: 'no', why: `it is shared with other users (mode ${shown})`, fix: 'other-folder' }
  const names = f.names()
  if (names.length === 0) return { use: 'tighten' }
  if ((f.mode & 0o022) !== 0)
    return { use: 'no', why: `other users can write to it (mode ${shown})`, fix: 'chmod' }
  return usedBefore(f.name, names)
    ? { use: 'tighten' }
    : {
        use: 'no',
        why: `it contains other files, and other users can read it (mode ${shown})`,
        fix: 'other-folder',
      }
}

/**
 * Judges a folder, and judges it again if the first verdict is a refusal. Between reading the mode and the
 * names, another Slipway process that started at the same moment may have made an empty folder private and
 * begun to use it.
 */
export function verdictOf(look: () => FolderFacts): FolderVerdict {
  const first = judgeFolder(look())
  return first.use === 'no' ? judgeFolder(look()) : first
}

/**
 * Creates the folder, or makes an existing one private. Throws a DataFolderError if it can't be created or
 * must not be used.
 */
export function makePrivateDir(dir: string): void {
  const path = resolve(dir)
  try {
    const isNew = create(path)
    check(path)
    if (process.platform === 'win32') restrictAccess(path, isNew)
  } catch (error) {
    if (error instanceof DataFolderError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new DataFolderError(
      `The data folder ${dir} can't be used: ${message}`,
      'Set SLIPWAY_DATA_DIR to a folder of your own that can be written to.',
      error,
    )
  }
}

/**
 * Creates one level at a time, because Node's `recursive` option loops forever if a folder exists but mkdir
 * in it fails with ENOENT, as in /proc. Returns whether this call has created the folder itself.
 */
function create(dir: string): boolean {
  const missing: string[] = []
  for (let at = dir; lstatSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) {
    missing.unshift(at)
    if (dirname(at) === at) break
  }
  let isNew = false
  for (const path of missing) {
    try {
      mkdirSync(path, { mode: 0o700 })
      isNew = path === dir
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
  return isNew
}

function check(dir: string): void {
  const verdict = verdictOf(() => factsOf(dir, lstatSync(dir)))
  if (verdict.use === 'no')
    throw new DataFolderError(
      `The data folder ${dir} can't be used: ${verdict.why}.`,
      verdict.fix === 'chmod'
        ? `Make it private (chmod 700 ${shownWord(dir)}), or set SLIPWAY_DATA_DIR to another folder.`
        : "Set SLIPWAY_DATA_DIR to a folder of your own. If it doesn't exist, it is created.",
    )
  if (verdict.use === 'tighten') {
    chmodSync(dir, 0o700)
    // File systems without permissions (FAT, some network and WSL mounts) accept chmod but ignore it.
    if ((lstatSync(dir).mode & 0o077) !== 0)
      throw new DataFolderError(
        `The data folder ${dir} can't be used: its disk doesn't support permissions, so other users can read it.`,
        'Set SLIPWAY_DATA_DIR to a folder on another disk.',
      )
  }
  accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
}

/**
 * Returns which folder above this one lets other users replace what is in it, such as the data folder itself;
 * null if none does. Always null on Windows. A folder with the sticky bit, such as /tmp, lets users replace
 * only what is theirs.
 */
export function parentFault(dir: string): string | null {
  const [uid, gid] = [process.getuid?.(), process.getegid?.()]
  if (uid === undefined) return null
  for (let at = dirname(resolve(dir)); ; at = dirname(at)) {
    const stats = lstatSync(at, { throwIfNoEntry: false })
    if (stats !== undefined) {
      const isOpen = (stats.mode & 0o002) !== 0 || ((stats.mode & 0o020) !== 0 && stats.gid !== gid)
      if (stats.uid !== uid && stats.uid !== 0)
        return `${at} belongs to another user, who can replace what is in it`
      if (isOpen && (stats.mode & 0o1000) === 0)
        return `they can replace what is in ${at} (mode ${(stats.mode & 0o7777).toString(8).padStart(4, '0')}; to fix it: chmod go-w ${shownWord(at)})`
    }
    if (dirname(at) === at) return null
  }
}

function factsOf(dir: string, stats: Stats): FolderFacts {
  const uid = process.platform === 'win32' ? undefined : process.getuid?.()
  return {
    kind: stats.isDirectory() ? 'dir' : stats.isSymbolicLink() ? 'link' : 'other',
    mode: stats.mode & 0o1777,
    isOwn: uid === undefined ? null : stats.uid === uid,
    names: () => readdirSync(dir),
    name: basename(dir),
  }
}
