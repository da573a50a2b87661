// Runs the command line as a user would, in a separate process with only the environment it is passed, and
// records its output. Uses the built program if it is up to date, because it starts in a quarter of the time;
// otherwise the sources. Used by the tests in this folder; contains no expectations.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isBuiltFresh } from '../chaos/process.ts'
import { createService, type Service } from '../service/service.ts'
import { COMPILE_CACHE, ROOT } from '../tools/tree.ts'

const NODE = process.execPath
const MAIN = join(ROOT, isBuiltFresh() ? 'dist/cli.js' : 'src-main/cli/main.ts')

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves once standard output has this many lines, or the process has ended. */
  lines(count: number): Promise<void>
  /** Resolves once standard output contains this text, or the process has ended. */
  says(text: string): Promise<void>
  /** The same for standard error. */
  warns(text: string): Promise<void>
}

export interface StartOptions {
  readonly url: string
  readonly input?: string | Uint8Array
  readonly cwd?: string
  /** A command that runs the program, such as one that watches it. */
  readonly through?: readonly string[]
  /** A file for standard output; by default the output is recorded. */
  readonly stdout?: number
  /** Added to the usual variables or replacing them; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** A separate folder to watch, data folder, and key. The key must not appear anywhere. */
export interface Place {
  readonly home: string
  readonly folder: string
  readonly data: string
  readonly key: string
  write(name: string, content: string | Uint8Array): string
  run(args: readonly string[], options: StartOptions): Promise<Ended>
  start(args: readonly string[], options: StartOptions): Running
  remove(): void
}

export function createPlace(): Place {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-scenario-')))
  const folder = join(home, 'Share')
  const data = join(home, 'data')
  const key = `key-${randomBytes(12).toString('hex')}`
  mkdirSync(folder)
  const start: Place['start'] = (args, options) => {
    const [program = NODE, ...words] = [...(options.through ?? []), NODE, MAIN, ...args]
    const child = spawn(program, words, {
      stdio: ['pipe', options.stdout ?? 'pipe', 'pipe'],
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        HOME: home,
        SLIPWAY_BASE_URL: options.url,
        SLIPWAY_API_KEY: key,
        SLIPWAY_DATA_DIR: data,
        ...options.env,
      },
    })
    let out = ''
    let err = ''
    const waiting: { readonly isDone: () => boolean; readonly resolve: () => void }[] = []
    const until = (isDone: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        if (isDone() || child.exitCode !== null) resolve()
        else waiting.push({ isDone, resolve })
      })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text
      for (const item of waiting) if (item.isDone()) item.resolve()
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text
      for (const item of waiting) if (item.isDone()) item.resolve()
    })
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(options.input ?? '')
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code, signal) => {
        for (const item of waiting) item.resolve()
        resolve({ code, signal, out, err })
      })
    })
    return {
      child,
      ended,
      lines: (count) => until(() => out.split('\n').length > count),
      says: (text) => until(() => out.includes(text)),
      warns: (text) => until(() => err.includes(text)),
    }
  }
  return {
    home,
    folder,
    data,
    key,
    write: (name, content) => {
      const path = join(folder, ...name.split('/'))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    start,
    run: (args, options) => start(args, options).ended,
    // Windows deletes no file that is open, and a process that was ended may take a moment to close its
    // files.
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 10 }),
  }
}

/** Runs `work` with its own place and a service that accepts its key. Both are deleted afterwards. */
export async function inWorld(work: (place: Place, service: Service) => Promise<void>): Promise<void> {
  const place = createPlace()
  const service = await createService({ plan: 'enterprise', key: place.key })
  try {
    await work(place, service)
  } finally {
    await service.close()
    place.remove()
  }
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** All files below a folder with their content, to search for what must not be there. */
export function filesBelow(dir: string): readonly { readonly path: string; readonly data: Buffer }[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return { path, data: readFileSync(path) }
    })
}
