// Runs the command line as a process for the chaos runs, each in its own environment: built or from source,
// optionally as another user or with a preload, and always with a time limit.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { COMPILE_CACHE, ROOT } from '../tools/tree.ts'
import { hasOwnMounts, takeOutBelow } from './mounts.ts'

const NODE = process.execPath
const BUILT = join(ROOT, 'dist/cli.js')
const SOURCE = join(ROOT, 'src-main/cli/main.ts')
const PRELOAD = join(import.meta.dirname, 'preload.ts')
/** A user without privileges, because root can read even files without read permission. */
const NOBODY = 65_534

let reachable: boolean | undefined

/**
 * Whether a run that needs an unprivileged user can have one: root's own checkout is often where no other
 * user may read.
 */
export function canBeUnprivileged(): boolean {
  if (process.getuid?.() !== 0) return true
  const nobody = { uid: NOBODY, gid: NOBODY, cwd: '/', stdio: 'ignore' } as const
  reachable ??=
    spawnSync(NODE, ['-e', 'require("node:fs").accessSync(process.argv[1])', SOURCE], nobody).status === 0
  return reachable
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
  /** Whether it didn't end on its own in time. */
  readonly hung: boolean
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

export interface Place {
  readonly home: string
  readonly folder: string
  readonly data: string
  readonly key: string
  start(args: readonly string[], url: string, options?: StartOptions): Running
  remove(): void
}

export interface StartOptions {
  /** Default: the home of the environment. */
  readonly cwd?: string
  /** The content of standard input. Default: none. */
  readonly input?: string | Uint8Array
  /** Overrides the default time limit. */
  readonly mostMs?: number
  /** Called with each complete line of standard output. */
  readonly onLine?: (text: string) => void
}

export interface PlaceOptions {
  readonly program: 'built' | 'source'
  readonly asNobody: boolean
  /** Variables of the preload, which is loaded only if there are any. */
  readonly preload: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly mostMs: number
}

export function hasBuilt(): boolean {
  return existsSync(BUILT)
}

/** Whether the built program exists and is newer than its sources. */
export function isBuiltFresh(): boolean {
  if (!hasBuilt()) return false
  const built = statSync(BUILT).mtimeMs
  return ['src-main', 'src-shared'].every((room) =>
    readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true }).every(
      (entry) => !entry.isFile() || statSync(join(entry.parentPath, entry.name)).mtimeMs < built,
    ),
  )
}

export function createPlace(options: PlaceOptions): Place {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-chaos-')))
  const folder = join(home, 'Share')
  const data = join(home, 'data')
  const key = `key-${randomBytes(12).toString('hex')}`
  mkdirSync(folder)
  mkdirSync(data)
  const other = options.asNobody && process.getuid?.() === 0
  if (other) {
    chmodSync(home, 0o755)
    chownSync(data, NOBODY, NOBODY)
  }
  const preload = Object.keys(options.preload).length === 0 ? [] : ['--import', pathToFileURL(PRELOAD).href]
  return {
    home,
    folder,
    data,
    key,
    start: (args, url, { cwd = home, input, mostMs = options.mostMs, onLine } = {}) => {
      const child = spawn(NODE, [...preload, options.program === 'built' ? BUILT : SOURCE, ...args], {
        stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        ...(other ? { uid: NOBODY, gid: NOBODY } : {}),
        cwd,
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: COMPILE_CACHE,
          HOME: home,
          SLIPWAY_BASE_URL: url,
          SLIPWAY_API_KEY: key,
          SLIPWAY_DATA_DIR: data,
          ...options.preload,
          ...options.env,
        },
      })
      let out = ''
      let err = ''
      let hung = false
      // The process may end before it has read everything.
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(input)
      let rest = ''
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        out += text
        if (onLine === undefined) return
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) onLine(line)
      })
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        err += text
      })
      const timer = setTimeout(() => {
        hung = true
        child.kill('SIGKILL')
      }, mostMs)
      const ended = new Promise<Ended>((resolve) => {
        child.once('close', (code, signal) => {
          clearTimeout(timer)
          resolve({ code, signal, out, err, hung })
        })
        // A program that can't be started never closes.
        child.once('error', (error) => {
          clearTimeout(timer)
          resolve({ code: null, signal: null, out, err: err + error.message, hung })
        })
      })
      return { child, ended }
    },
    remove: () => {
      if (hasOwnMounts()) takeOutBelow(home)
      // Windows deletes no file that is open, and a process that was killed may take a moment to close its
      // files.
      rmSync(home, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
