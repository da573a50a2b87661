// Runs programs and measures wall time, CPU seconds and peak memory. Also starts Slipway as a long-running
// process, and the reference service in a separate process, so that its work isn't counted as the client's.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ROOT } from '../tools/tree.ts'

export const NODE = process.execPath
/** The built command line: one file, as users run it. */
export const CLI = join(ROOT, 'dist/cli.js')
const GNU_TIME = '/usr/bin/time'

export interface Measured {
  readonly wallS: number
  readonly cpuS: number
  readonly peakMiB: number
  readonly code: number | null
  readonly out: string
}

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

const environmentOf = (env: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TMPDIR: process.env['TMPDIR'],
  ...env,
})

/**
 * Measures with GNU time, which includes all child processes. Rejects if GNU time isn't installed or the exit
 * code isn't 0.
 */
export function measure(
  what: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Measured> {
  return new Promise((resolve, reject) => {
    if (!existsSync(GNU_TIME)) {
      reject(new Error(`${GNU_TIME} is not installed`))
      return
    }
    const began = performance.now()
    const child = spawn(GNU_TIME, ['-f', 'TIME %U %S %M', ...command], {
      env: environmentOf(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out = (out + text).slice(-20_000)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err = (err + text).slice(-20_000)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      const [, user = '0', system = '0', peak = '0'] = /TIME ([\d.]+) ([\d.]+) (\d+)/.exec(err) ?? []
      if (code === 0)
        resolve({
          wallS: (performance.now() - began) / 1000,
          cpuS: Number(user) + Number(system),
          peakMiB: Number(peak) / 1024,
          code,
          out,
        })
      else reject(new Error(`${what} ended with ${code}: ${err.slice(-400)}`))
    })
  })
}

/** Flushes written data to the disk. Otherwise the write-back would be attributed to a later measurement. */
export function settleDisk(): void {
  spawnSync('sync')
}

export interface Running {
  readonly pid: number
  /** Whether the process has ended, for whatever reason, or couldn't be started. */
  ended(): boolean
  /** Sends SIGTERM, and SIGKILL if the process hasn't ended after 15 seconds. */
  stop(): Promise<void>
}

export function running(child: ChildProcess): Running {
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  let ended = false
  void gone.then(() => {
    ended = true
  })
  return {
    pid: child.pid ?? 0,
    ended: () => ended,
    stop: async () => {
      child.kill('SIGTERM')
      const hard = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await gone
      clearTimeout(hard)
    },
  }
}

/** Starts `slipway …` as a process that runs until it is stopped. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>>): Running {
  return running(
    spawn(NODE, [CLI, ...args], { env: environmentOf(env), stdio: ['ignore', 'ignore', 'ignore'] }),
  )
}

export interface ProcessFigures {
  readonly cpuS: number
  readonly rssMiB: number
}

/**
 * Figures of a process including all its threads, from /proc. A tick of the CPU clock is 10 ms on all common
 * Linux systems.
 */
export function processFigures(pid: number): ProcessFigures {
  // The second field is the name in parentheses, which may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  return { cpuS: (Number(fields[11]) + Number(fields[12])) / 100, rssMiB: rss / 1024 }
}

export interface ServiceProcess {
  readonly origin: string
  readonly uploadUrl: string
  /** The number of responses by status since the last `clearRequests`. */
  requestCounts(): Promise<Readonly<Record<string, number>>>
  clearRequests(): Promise<void>
  stop(): Promise<void>
}

export const KEY = 'bench-key-0123456789'
const CONTROL = 'bench-control'
const Counts = z.object({ counts: z.record(z.string(), z.number()) })

const UNLIMITED =
  '--plan custom --per-minute 100000000 --per-day 1000000000 --daily-uploads unlimited --max-file-size unlimited'.split(
    ' ',
  )

/**
 * The service discards the bytes and computes no hashes, because only the client is measured. `limits` are
 * options of its command line; by default, it has no limits.
 */
export function startService(limits: readonly string[] = UNLIMITED): Promise<ServiceProcess> {
  return new Promise((resolve, reject) => {
    const fixed = ['--key', KEY, '--control-token', CONTROL, '--storage', 'discard', '--no-hash']
    const child = spawn(NODE, [join(ROOT, 'test/service/main.ts'), ...fixed, ...limits], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const process = running(child)
    child.once('error', reject)
    child.once('exit', () => reject(new Error('the service ended')))
    child.stdout.setEncoding('utf8').once('data', (text: string) => {
      const origin = /http:\/\/[\d.:]+/.exec(text)?.[0]
      if (origin === undefined) {
        reject(new Error(`the service said: ${text}`))
        return
      }
      const control = (name: string, method: string): Promise<Response> =>
        fetch(`${origin}/__control/${name}`, { method, headers: { 'x-control': CONTROL } })
      resolve({
        origin,
        uploadUrl: `${origin}/api/v1/files/upload`,
        requestCounts: async () => Counts.parse(await (await control('requests', 'GET')).json()).counts,
        clearRequests: async () => {
          await control('clear-requests', 'POST')
        },
        stop: process.stop,
      })
    })
  })
}

export async function withService<T>(
  work: (service: ServiceProcess) => Promise<T>,
  limits?: readonly string[],
): Promise<T> {
  const service = await startService(limits)
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Epoch milliseconds. Unlike Date.now, includes fractions of a millisecond. */
export const preciseNow = (): number => performance.timeOrigin + performance.now()

/** Resolves to whether the condition held within `ms` milliseconds. */
export async function until(condition: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms
  while (!condition()) {
    if (performance.now() > end) return false
    await pause(2)
  }
  return true
}
