// Determines the paths of Slipway's files and of the control socket. The files are in the folder that
// SLIPWAY_DATA_DIR names or, by default, in the platform's application data folder. Creates nothing; see
// private-dir.ts.
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { basename, dirname, join, posix, win32 } from 'node:path'

/**
 * Maximum length of a Unix socket's path, in bytes. The strictest limit is that of macOS: 104, including the
 * terminating NUL.
 */
const SOCKET_MOST = 100

/** The name of the subfolder that contains the folders of all accounts except the first. */
export const ACCOUNTS = 'accounts'

export interface DataPaths {
  /**
   * The folder of one account: the data folder itself for the first account, a subfolder for every other one.
   */
  readonly dir: string
  /** The data folder, with everything that all accounts share. */
  readonly root: string
  readonly journal: string
  readonly settings: string
  readonly log: string
  readonly owner: string
  /** Null on Windows, where the name of the pipe is derived from the secret. */
  readonly socket: string | null
  /**
   * The file with the secret. Both ends of the control socket prove to each other that they know it
   * (control-key.ts).
   */
  readonly controlKey: string
  /** The folder for pasted and piped content that waits to be uploaded. */
  readonly pasted: string
}

/**
 * The data folder. The app and the command line use the same one, so that they share engines. A relative
 * SLIPWAY_DATA_DIR is resolved against the working directory. APPDATA and XDG_CONFIG_HOME are ignored if they
 * contain a relative path.
 */
export function dataDir(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const at = platform === 'win32' ? win32 : posix
  const own = env['SLIPWAY_DATA_DIR']
  if (own !== undefined && own !== '') return at.resolve(own)
  const named = (name: string): string | null => {
    const value = env[name] ?? ''
    return at.isAbsolute(value) ? value : null
  }
  if (platform === 'win32')
    return at.join(named('APPDATA') ?? at.join(homedir(), 'AppData', 'Roaming'), 'Slipway')
  if (platform === 'darwin') return at.join(homedir(), 'Library', 'Application Support', 'Slipway')
  return at.join(named('XDG_CONFIG_HOME') ?? at.join(homedir(), '.config'), 'Slipway')
}

/** The paths of one account's files. `account` is the name of its folder; empty for the first account. */
export function dataPaths(
  root: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  account = '',
): DataPaths {
  const dir = account === '' ? root : join(root, ACCOUNTS, account)
  return {
    dir,
    root,
    journal: join(dir, 'journal.db'),
    settings: join(root, 'settings.json'),
    log: join(dir, 'slipway.log'),
    owner: join(dir, 'owner.db'),
    socket: process.platform === 'win32' ? null : socketPath(dir, env),
    controlKey: join(dir, 'control.key'),
    pasted: join(dir, 'pasted'),
  }
}

/** The data folder and, if the control socket isn't in the account's folder, the socket's directory. */
export function ownDirs(paths: DataPaths): readonly string[] {
  const sockets = paths.socket === null ? paths.dir : dirname(paths.socket)
  return sockets === paths.dir ? [paths.root] : [paths.root, sockets]
}

function socketPath(dir: string, env: Readonly<Record<string, string | undefined>>): string {
  const plain = join(dir, 'control.sock')
  if (Buffer.byteLength(plain) <= SOCKET_MOST) return plain
  const hash = createHash('sha256').update(realDir(dir)).digest('hex').slice(0, 16)
  const runtime = env['XDG_RUNTIME_DIR']
  const base =
    runtime !== undefined && runtime !== '' && Buffer.byteLength(runtime) < 60
      ? join(runtime, 'slipway')
      : join(tmpdir(), `slipway-${userInfo().uid}`)
  return join(base, `${hash}.sock`)
}

/**
 * Returns the real path of a folder that may not exist yet. All processes then derive the same socket path,
 * even if they spell the folder differently, for example through a symbolic link.
 */
function realDir(dir: string): string {
  const missing: string[] = []
  for (let at = dir; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing)
    } catch {
      // Most likely this folder doesn't exist yet, but its parent may.
    }
    if (dirname(at) === at) return dir
    missing.unshift(basename(at))
  }
}
