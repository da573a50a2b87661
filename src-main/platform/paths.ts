// Where Slipway keeps its things: the platform's application data folder, or SLIPWAY_DATA_DIR. Also the address of the
// control socket, whose length the system limits. It touches no file; private-dir.ts creates the folder.
import { createHash } from 'node:crypto'
import { homedir, tmpdir, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Longest path of a Unix socket on every system we know (macOS: 104 with its end mark). */
const SOCKET_MOST = 100

export interface DataPaths {
  readonly dir: string
  readonly journal: string
  readonly settings: string
  readonly log: string
  readonly owner: string
  readonly socket: string
  /** What was pasted, written here to be uploaded. */
  readonly pasted: string
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
    pasted: join(dir, 'pasted'),
  }
}

/** Every directory that holds Slipway's own things. */
export function ownDirs(paths: DataPaths): readonly string[] {
  const sockets = dirname(paths.socket)
  return process.platform === 'win32' || sockets === paths.dir ? [paths.dir] : [paths.dir, sockets]
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
