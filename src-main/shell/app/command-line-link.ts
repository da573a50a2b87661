// Puts the app's command-line program on PATH on macOS by creating a symbolic link in /usr/local/bin. An
// existing file that Slipway didn't create is left alone. If only administrators may write to that folder,
// the system asks for a password.
import { execFile } from 'node:child_process'
import { lstat, mkdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../platform/disk/disk-errors.ts'

export const LINK = '/usr/local/bin/slipway'
/** Matches the path of the command-line program inside an installed app of any version, in any folder. */
const INSIDE = /\.app\/Contents\/Resources\/app\.asar\.unpacked\/cli\/slipway$/

export type LinkOutcome =
  /** The link exists, because it was created now or earlier. */
  | 'linked'
  /**
   * The app isn't installed. It runs from a volume such as its disk image, from a random folder chosen by
   * macOS, or from source.
   */
  | 'not-installed'
  /** Something that Slipway didn't create already exists at the link's path. */
  | 'taken'
  /** The link couldn't be created, for example because the user declined to enter a password. */
  | 'refused'

interface Parts {
  /** Path of the command-line program inside the app. */
  readonly source: string
  readonly link: string
  /** Creates the link with administrator rights. Resolves to false if that fails or the user declines. */
  readonly asAdministrator: (source: string, link: string) => Promise<boolean>
  /** Creates the link with the rights of this process. */
  readonly write?: (source: string, link: string) => Promise<void>
}

export async function linkCommandLine({
  source,
  link,
  asAdministrator,
  write = writeLink,
}: Parts): Promise<LinkOutcome> {
  // Until the user moves a downloaded app to another folder, macOS runs it from a read-only folder with a
  // random name.
  if (/^\/(?:Volumes|private\/var\/folders)\/|\/AppTranslocation\//.test(source)) return 'not-installed'
  const isThere = await stat(source).then(
    (entry) => entry.isFile(),
    () => false,
  )
  if (!isThere) return 'not-installed'
  const before = await targetOf(link)
  if (before === source) return 'linked'
  if (before !== null && !INSIDE.test(before)) return 'taken'
  try {
    await write(source, link)
    return 'linked'
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    return (await asAdministrator(source, link)) ? 'linked' : 'refused'
  }
}

/** Creates the link. An old link is replaced atomically, so that the command never disappears from PATH. */
async function writeLink(source: string, link: string): Promise<void> {
  await mkdir(dirname(link), { recursive: true })
  const fresh = join(dirname(link), `.${basename(link)}-${process.pid}`)
  await rm(fresh, { force: true })
  await symlink(source, fresh)
  await rename(fresh, link)
}

/** Returns the target of a link; '' if the path isn't a link; null if nothing exists there. */
async function targetOf(path: string): Promise<string | null> {
  const entry = await lstat(path).catch(() => null)
  if (entry === null) return null
  return entry.isSymbolicLink() ? readlink(path) : ''
}

/**
 * Returns the arguments for osascript. The script gets the paths as arguments, so that no part of a path is
 * run as code.
 */
export function administratorScript(source: string, link: string): string[] {
  const run = [
    '"mkdir -p " & quoted form of item 3 of argv',
    '" && ln -sfh " & quoted form of item 1 of argv',
    '" " & quoted form of item 2 of argv',
  ].join(' & ')
  return [
    '-e',
    'on run argv',
    '-e',
    `do shell script ${run} with administrator privileges`,
    '-e',
    'end run',
    source,
    link,
    dirname(link),
  ]
}

export function linkAsAdministrator(source: string, link: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('/usr/bin/osascript', administratorScript(source, link), (error) => resolve(error === null))
  })
}
