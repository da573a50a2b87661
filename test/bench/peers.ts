// The peers: the commands that do the same work, and where they are not installed, the words for it. What Debian calls rclone,
// inotify-tools and curl. A peer that speaks another protocol gets a target of its own, which is said in its label.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled, KEY, type Measured, measure, NODE, running, type ServiceProcess } from './measure.ts'
import { median, ratio } from './statistics.ts'
import { mib, seconds } from './table.ts'

const AUTH = `Authorization: Bearer ${KEY}`

/** Runs of one peer; none where it is not installed. */
export interface Peer {
  readonly label: string
  readonly runs: Measured[]
}

export const newPeer = (label: string): Peer => ({ label, runs: [] })
export const wall = (runs: readonly Measured[]): number => median(runs.map((run) => run.wallS))
export const peak = (runs: readonly Measured[]): number => median(runs.map((run) => run.peakMiB))
export const cpu = (runs: readonly Measured[]): number => median(runs.map((run) => run.cpuS))

export function tell(peer: Peer, scale = 1): string {
  if (peer.runs.length === 0) return `${peer.label}: not installed`
  return `${peer.label} ${seconds(wall(peer.runs) * scale)}, ${seconds(cpu(peer.runs) * scale)} CPU, ${mib(peak(peer.runs))}`
}

/** Null where the peer is not installed. */
export const against = (ours: readonly Measured[], peer: Peer, scale = 1): number | null => ratio(wall(ours), wall(peer.runs) * scale)

export async function runInto(peer: Peer, program: string, run: () => Promise<Measured>): Promise<void> {
  if (isInstalled(program)) peer.runs.push(await run())
}

export const curlOne = (file: string, service: ServiceProcess): Promise<Measured> =>
  measure('curl', ['curl', '-sf', '-o', '/dev/null', '-H', AUTH, '-F', `file=@${file}`, service.uploadUrl])

/** `config` is written for curl's -K. */
export function curlParallel(files: readonly string[], service: ServiceProcess, config: string): Promise<Measured> {
  writeFileSync(
    config,
    files.map((file) => `url="${service.uploadUrl}"\nform="file=@${file}"\nheader="${AUTH}"\noutput="/dev/null"\n`).join('next\n'),
  )
  return measure('curl --parallel', ['curl', '-s', '--parallel', '--parallel-max', '8', '-K', config])
}

export function xargsCurl(files: readonly string[], service: ServiceProcess, list: string): Promise<Measured> {
  writeFileSync(list, files.join('\0'))
  const command = [
    'xargs',
    '-0',
    '-P8',
    '-a',
    list,
    '-I{}',
    'curl',
    '-sf',
    '-o',
    '/dev/null',
    '-H',
    AUTH,
    '-F',
    'file=@{}',
    service.uploadUrl,
  ]
  return measure('xargs -P8 curl', command)
}

/** A stream with its exact length from Node, with the hash taken beside it; nothing else. */
export const bareNode = (file: string, service: ServiceProcess): Promise<Measured> =>
  measure('bare Node', [NODE, join(import.meta.dirname, 'bare.ts'), file, service.uploadUrl, KEY])

/** What people do who want both: the upload and the hash side by side, each by the program for it. */
export const curlAndHash = (file: string, service: ServiceProcess): Promise<Measured> =>
  measure('curl with sha256sum', [
    'sh',
    '-c',
    'sha256sum "$1" > /dev/null & curl -sf -o /dev/null -H "$2" -F "file=@$1" "$3" && wait $!',
    'sh',
    file,
    AUTH,
    service.uploadUrl,
  ])

/** Reads, hashes and sends all files of a folder eight at a time, with a row in SQLite before and after each; nothing else. */
export const bareMany = (folder: string, service: ServiceProcess, database: string): Promise<Measured> =>
  measure('bare Node', [NODE, join(import.meta.dirname, 'bare-many.ts'), folder, service.uploadUrl, KEY, database])

export interface RcloneTarget {
  /** Copies a file or a folder there, and clears it away again. */
  copy(source: string): Promise<Measured>
  stop(): Promise<void>
}

/**
 * rclone's own server as its target: the API has none, and it stores what it gets. WebDAV for a large file; SFTP for many small ones, since
 * rclone asks a WebDAV server at most a hundred times a second. Null where there is no rclone.
 */
export async function startRclone(kind: 'webdav' | 'sftp', folder: string): Promise<RcloneTarget | null> {
  if (!isInstalled('rclone')) return null
  mkdirSync(folder, { recursive: true })
  const plain = ['--config', '/dev/null', '--cache-dir', `${folder}-cache`]
  const login = kind === 'sftp' ? ['--user', 'bench', '--pass', 'bench'] : []
  const child = spawn('rclone', ['serve', kind, folder, '--addr', '127.0.0.1:0', ...login, ...plain], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const server = running(child)
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`rclone serve ended: ${said.slice(-300)}`)))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000)
      const found = /127\.0\.0\.1:[1-9]\d*/.exec(said)?.[0]
      if (found !== undefined) resolve(found)
    })
  })
  const [host = '', port = ''] = address.split(':')
  const secret = kind === 'sftp' ? (await measure('rclone obscure', ['rclone', 'obscure', 'bench'])).out.trim() : ''
  const target =
    kind === 'webdav'
      ? ['--webdav-url', `http://${address}`]
      : ['--sftp-host', host, '--sftp-port', port, '--sftp-user', 'bench', '--sftp-pass', secret]
  let copies = 0
  return {
    copy: async (source) => {
      // A name of its own each time: the server remembers what it held, and what is there already is not copied.
      const name = `in-${++copies}`
      const measured = await measure('rclone', [
        'rclone',
        'copy',
        source,
        `:${kind}:${name}`,
        ...target,
        '--transfers',
        '8',
        ...plain,
        '-q',
      ])
      if (readdirSync(join(folder, name)).length === 0) throw new Error('rclone copied nothing')
      rmSync(join(folder, name), { recursive: true })
      return measured
    },
    stop: server.stop,
  }
}
