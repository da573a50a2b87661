// macOS: puts the command line that is inside the app on PATH, by a link in /usr/local/bin. A file there that Slipway didn't make is left
// alone. Where only administrators may write, the system asks for a password.
import { execFile } from 'node:child_process'
import { lstat, mkdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export const LINK = '/usr/local/bin/slipway'
/** Where packages keep the command line, in any folder and any version of the app. */
const INSIDE = /\.app\/Contents\/Resources\/app\.asar\.unpacked\/cli\/slipway$/

export type LinkOutcome =
  /** The link is there, now or already. */
  | 'linked'
  /** The app isn't installed: it runs from its disk image, from a place that macOS made up, or from source. */
  | 'not-installed'
  /** Something else has the name. */
  | 'taken'
  /** The system or the user refused. */
  | 'refused'

interface Parts {
  /** The command line inside the app. */
  readonly source: string
  readonly link: string
  /** Makes the link with an administrator's rights; false if that fails or is declined. */
  readonly asAdministrator: (source: string, link: string) => Promise<boolean>
  /** Makes the link with the user's own rights. */
  readonly write?: (source: string, link: string) => Promise<void>
}

export async function linkCommandLine({ source, link, asAdministrator, write = writeLink }: Parts): Promise<LinkOutcome> {
  // macOS runs an app that was never moved out of its download from a read-only folder with a random name.
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
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    return (await asAdministrator(source, link)) ? 'linked' : 'refused'
  }
}

/** Over an old link in one step, so that a shell never finds none. */
async function writeLink(source: string, link: string): Promise<void> {
  await mkdir(dirname(link), { recursive: true })
  const fresh = join(dirname(link), `.${basename(link)}-${process.pid}`)
  await rm(fresh, { force: true })
  await symlink(source, fresh)
  await rename(fresh, link)
}

/** Where a link leads; empty for a file that is no link; null if nothing is there. */
async function targetOf(path: string): Promise<string | null> {
  const entry = await lstat(path).catch(() => null)
  if (entry === null) return null
  return entry.isSymbolicLink() ? readlink(path) : ''
}

/** The paths are arguments of the script, so that nothing in them is code. */
export function administratorScript(source: string, link: string): string[] {
  const run = [
    '"mkdir -p " & quoted form of item 3 of argv',
    '" && ln -sfh " & quoted form of item 1 of argv',
    '" " & quoted form of item 2 of argv',
  ].join(' & ')
  return ['-e', 'on run argv', '-e', `do shell script ${run} with administrator privileges`, '-e', 'end run', source, link, dirname(link)]
}

export function linkAsAdministrator(source: string, link: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('/usr/bin/osascript', administratorScript(source, link), (error) => resolve(error === null))
  })
}
