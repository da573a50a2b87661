// Where Slipway keeps its things: the platform's application data folder, or SLIPWAY_DATA_DIR. Created for this user alone. Also the address
// of the control socket, whose length the system limits.
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'

/** Longest path of a Unix socket on every system we know (macOS: 104 with its end mark). */
const SOCKET_MOST = 100

export interface DataPaths {
  readonly dir: string
  readonly journal: string
  readonly settings: string
  readonly log: string
  readonly owner: string
  readonly socket: string
}

/** The same folder as the app's, so that both faces share one engine. */
export function dataDir(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform = process.platform): string {
  const own = env['SLIPWAY_DATA_DIR']
  if (own !== undefined && own !== '') return resolve(own)
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Slipway')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Slipway')
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'Slipway')
}

export function dataPaths(dir: string, env: Readonly<Record<string, string | undefined>> = process.env): DataPaths {
  return {
    dir,
    journal: join(dir, 'journal.db'),
    settings: join(dir, 'settings.json'),
    log: join(dir, 'slipway.log'),
    owner: join(dir, 'owner.db'),
    socket: socketPath(dir, env),
  }
}

function socketPath(dir: string, env: Readonly<Record<string, string | undefined>>): string {
  const hash = createHash('sha256').update(dir).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\slipway-${hash}`
  const plain = join(dir, 'control.sock')
  if (Buffer.byteLength(plain) <= SOCKET_MOST) return plain
  const runtime = env['XDG_RUNTIME_DIR']
  const base =
    runtime !== undefined && runtime !== '' && Buffer.byteLength(runtime) < 60
      ? join(runtime, 'slipway')
      : join(tmpdir(), `slipway-${userInfo().uid}`)
  return join(base, `${hash}.sock`)
}

/** Makes a folder that only this user can enter. Throws with a sentence for people where that fails. */
export function makePrivateDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const stat = lstatSync(dir)
    if (!stat.isDirectory()) throw new Error('it is not a folder')
    if (process.platform === 'win32') return
    if (process.getuid !== undefined && stat.uid !== process.getuid()) throw new Error('it belongs to another user')
    if ((stat.mode & 0o077) !== 0) chmodSync(dir, 0o700)
  } catch (error) {
    throw new Error(`The data folder ${dir} can't be used: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
