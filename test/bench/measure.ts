// Runs a program and measures it: wall time, processor seconds, peak memory. Also the reference service as a process of its own, so that
// its work is not counted as the client's.
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../tools/tree.ts'

export const NODE = join(ROOT, 'node_modules/.bin/node')
export const CLI = join(ROOT, 'src-main/cli/main.ts')

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

/** By /usr/bin/time, which sees the program with all its children. */
export function measure(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn('/usr/bin/time', ['-f', 'TIME %U %S %M', ...command], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
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
      resolve({ wallS: (performance.now() - began) / 1000, cpuS: Number(user) + Number(system), peakMiB: Number(peak) / 1024, code, out })
    })
  })
}

export interface ServiceProcess {
  readonly origin: string
  readonly token: string
  stop(): Promise<void>
}

export const KEY = 'bench-key-0123456789'

/** Stores nothing and takes no hash unless told: the client is what is measured. */
export function startService(args: readonly string[]): Promise<ServiceProcess> {
  return new Promise((resolve, reject) => {
    const token = 'bench'
    const child = spawn(
      NODE,
      [join(ROOT, 'test/service/main.ts'), '--key', KEY, '--control-token', token, '--storage', 'discard', '--no-hash', ...args],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    child.on('error', reject)
    child.stdout.setEncoding('utf8').once('data', (text: string) => {
      const origin = /http:\/\/[\d.:]+/.exec(text)?.[0]
      if (origin === undefined) reject(new Error(`the service said: ${text}`))
      else
        resolve({
          origin,
          token,
          stop: () =>
            new Promise((done) => {
              child.once('exit', () => done())
              child.kill('SIGTERM')
            }),
        })
    })
  })
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
