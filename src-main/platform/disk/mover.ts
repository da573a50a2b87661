// The mover port on Node: second names, copies and renames of the user's files, and the bin. On Linux, that is the
// bin of the freedesktop.org specification, which desktops and file managers share; elsewhere, only the app can
// ask the system for its own.
import { constants, type Stats } from 'node:fs'
import { link, lstat, mkdir, open, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import { below } from '../../engine/disk/rel-path.ts'
import type { Bin, DiskFailure, Mover } from '../../engine/ports.ts'
import { syncDirectory } from '../data/file-sync.ts'
import { renamePatiently } from '../data/patient-rename.ts'
import { diskFailure, errorCode } from './disk-errors.ts'
import { toNative } from './path-codec.ts'

const CHUNK = 1024 * 1024
const NAMES_MOST = 999
/** What file systems answer that know no second names, or not for this file. */
const NO_LINKS: ReadonlySet<string> = new Set([
  'EXDEV',
  'EPERM',
  'EMLINK',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EINVAL',
  'UNKNOWN',
])

/** `trash`: asks the system for its bin; absent if this process can't. */
export function createMover(trash?: (path: string) => Promise<DiskFailure | null>): Mover {
  return {
    link: async (from, to) => {
      try {
        await link(toNative(from), toNative(to))
        return 'made'
      } catch (error) {
        const code = errorCode(error)
        return code === 'EEXIST' ? 'taken' : NO_LINKS.has(code) ? 'other-drive' : diskFailure(error)
      }
    },
    copy: async (from, to, signal) => {
      try {
        await copyNew(from, to, signal)
        return 'made'
      } catch (error) {
        signal.throwIfAborted()
        return errorCode(error) === 'EEXIST' ? 'taken' : diskFailure(error)
      }
    },
    rename: (from, to) => failureOf(renamePatiently(toNative(from), toNative(to))),
    remove: (path) => failureOf(unlink(toNative(path))),
    sync: async (dir) => {
      await failureOf(syncDirectory(toNative(dir)))
    },
    bin: process.platform === 'linux' ? sharedBin() : trash === undefined ? null : { trash },
  }
}

async function failureOf(work: Promise<unknown>): Promise<DiskFailure | null> {
  try {
    await work
    return null
  } catch (error) {
    return diskFailure(error)
  }
}

async function copyNew(from: string, to: string, signal: AbortSignal): Promise<void> {
  const source = await open(toNative(from), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const { mode, atime, mtime } = await source.stat()
    const target = await open(toNative(to), 'wx', 0o600)
    try {
      const chunk = Buffer.allocUnsafeSlow(CHUNK)
      for (;;) {
        signal.throwIfAborted()
        const { bytesRead } = await source.read(chunk, 0, CHUNK, null)
        if (bytesRead === 0) break
        await target.writeFile(chunk.subarray(0, bytesRead))
      }
      // The process's umask would take permissions away if they were set when the file is created.
      await target.chmod(mode & 0o777)
      await target.utimes(atime, mtime)
      await target.sync()
    } catch (error) {
      await rm(toNative(to), { force: true })
      throw error
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** A bin: the directory `files`, and in `info` a note for each file that says where it is from. */
interface BinPlace {
  readonly dir: string
  /** The directory from which the notes name their files; null for absolute paths. */
  readonly top: string | null
}

function sharedBin(): Bin {
  return {
    reserve: async (from) => {
      try {
        const { dir, top } = await binFor(from)
        await mkdir(toNative(join(dir, 'files')), { recursive: true, mode: 0o700 })
        await mkdir(toNative(join(dir, 'info')), { recursive: true, mode: 0o700 })
        const note = noteOf(top === null ? from : (below(top, from) ?? from), new Date())
        const end = extname(from)
        const stem = basename(from, end)
        for (let n = 1; ; n++) {
          const name = n === 1 ? `${stem}${end}` : `${stem} ${n}${end}`
          const to = join(dir, 'files', name)
          if ((await entryAt(to)) === null && (await isNoted(join(dir, 'info', `${name}.trashinfo`), note)))
            return { to }
          if (n === NAMES_MOST) return { code: 'io', message: 'too many files of this name in the bin' }
        }
      } catch (error) {
        return diskFailure(error)
      }
    },
    forget: async (to) => {
      const info = join(dirname(dirname(to)), 'info', `${basename(to)}.trashinfo`)
      await rm(toNative(info), { force: true }).catch(() => undefined)
    },
  }
}

/**
 * Writes the note as a new file. Resolves to false if there is one for another file; one for this file is what an
 * interrupted move has left.
 */
async function isNoted(path: string, note: string): Promise<boolean> {
  try {
    await writeFile(toNative(path), note, { flag: 'wx', mode: 0o600, flush: true })
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    const there = await readFile(toNative(path), 'utf8').catch(() => '')
    return there.split('\n')[1] === note.split('\n')[1]
  }
}

/** The user's bin, or for a file on another drive the one on that drive, if the user may have one there. */
async function binFor(from: string): Promise<BinPlace> {
  const data = process.env['XDG_DATA_HOME'] ?? ''
  const home = join(isAbsolute(data) ? data : join(homedir(), '.local', 'share'), 'Trash')
  await mkdir(home, { recursive: true, mode: 0o700 })
  const { dev } = await lstat(toNative(from))
  if ((await lstat(home)).dev === dev) return { dir: home, top: null }
  let top = dirname(from)
  while (dirname(top) !== top && (await entryAt(dirname(top)))?.dev === dev) top = dirname(top)
  const { uid } = userInfo()
  const dir = join(top, `.Trash-${uid}`)
  await failureOf(mkdir(toNative(dir), { mode: 0o700 }))
  const there = await entryAt(dir)
  return there?.isDirectory() === true && there.uid === uid ? { dir, top } : { dir: home, top: null }
}

async function entryAt(path: string): Promise<Stats | null> {
  return lstat(toNative(path)).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
}

/** The note as the specification wants it: the path's bytes percent-encoded, and the local time. */
function noteOf(path: string, at: Date): string {
  const encoded = [...Buffer.from(toNative(path))]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      return /[\w\-.~/]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  return `[Trash Info]\nPath=${encoded}\nDeletionDate=${local}\n`
}
