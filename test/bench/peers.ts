// The peers: commands that do the same work, or a note if one isn't installed. Expects rclone, inotify-tools
// and curl as packaged by Debian. A peer with another protocol gets its own target, which its label mentions.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled, KEY, type Measured, measure, NODE, running, type ServiceProcess } from './measure.ts'
import { median, ratio } from './statistics.ts'
import { mib, seconds } from './table.ts'

const AUTH = `Authorization: Bearer ${KEY}`

/** The runs of a peer; empty if it isn't installed. */
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

/** Null if the peer isn't installed. */
export const against = (ours: readonly Measured[], peer: Peer, scale = 1): number | null =>
  ratio(wall(ours), wall(peer.runs) * scale)

export async function runInto(peer: Peer, program: string, run: () => Promise<Measured>): Promise<void> {
  if (isInstalled(program)) peer.runs.push(await run())
}

export const curlOne = (file: string, service: ServiceProcess): Promise<Measured> =>
  measure('curl', ['curl', '-sf', '-o', '/dev/null', '-H', AUTH, '-F', `file=@${file}`, service.uploadUrl])

/** `config` is the path of the file that is written for curl's -K. */
export function curlParallel(
  files: readonly string[],
  service: ServiceProcess,
  config: string,
): Promise<Measured> {
  writeFileSync(
    config,
    files
      .map(
        (file) => `url="${service.uploadUrl}"\nform="file=@${file}"\nheader="${AUTH}"\noutput="/dev/null"\n`,
      )
      .join('next\n'),
  )
  return measure('curl --parallel', ['curl', '-s', '--parallel', '--parallel-max', '8', '-K', config])
}

export function xargsCurl(
  files: readonly string[],
  service: ServiceProcess,
  list: string,
): Promise<Measured> {
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

/** Baseline in plain Node: streams the file with an exact Content-Length while a second thread hashes it. */
export const bareNode = (file: string, service: ServiceProcess): Promise<Measured> =>
  measure('bare Node', [NODE, join(import.meta.dirname, 'bare.ts'), file, service.uploadUrl, KEY])

/** What users do who need both: upload and hash in parallel, each with its own program. */
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

/**
 * Reads, hashes and sends all files of a folder, eight at a time, with a row in SQLite before and after each.
 */
export const bareMany = (folder: string, service: ServiceProcess, database: string): Promise<Measured> =>
  measure('bare Node', [
    NODE,
    join(import.meta.dirname, 'bare-many.ts'),
    folder,
    service.uploadUrl,
    KEY,
    database,
  ])

export interface RcloneTarget {
  /** Copies a file or folder to the target, then removes the copy. */
  copy(source: string): Promise<Measured>
  stop(): Promise<void>
}

/**
 * Starts rclone's own server as its target, because rclone has no backend for the API. The server stores what
 * it receives. WebDAV for a large file, but SFTP for many small ones, because rclone limits itself to a
 * hundred requests a second with WebDAV. Null if rclone isn't installed.
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
  const secret =
    kind === 'sftp' ? (await measure('rclone obscure', ['rclone', 'obscure', 'bench'])).out.trim() : ''
  const target =
    kind === 'webdav'
      ? ['--webdav-url', `http://${address}`]
      : ['--sftp-host', host, '--sftp-port', port, '--sftp-user', 'bench', '--sftp-pass', secret]
  let copies = 0
  return {
    copy: async (source) => {
      // Use a new name each time: the server remembers its files, and rclone skips existing ones.
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
