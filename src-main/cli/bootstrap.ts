// Runs before anything else is loaded. If Node is too old, it looks for another Node and runs the same
// program in a child process, where this file checks the version again. The original process stays as a
// wrapper that forwards signals and the exit code. If the wrapper is killed, the child also ends. This file
// must run on Node 20.
import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hardenCommand } from '../platform/hardening.ts'
import { passSignals } from './signals.ts'

const LEAST_MAJOR = 24
/**
 * Environment variable that marks the inner process. That process removes it, so that its own children don't
 * inherit it.
 */
const INNER = 'SLIPWAY_INNER'

/**
 * Paths where Node 24 may be, in order: SLIPWAY_NODE, then node_modules in the program's directory and all
 * its parents.
 */
export function nodeCandidates(
  env: Readonly<Record<string, string | undefined>>,
  from: string,
  windows: boolean,
): string[] {
  const found: string[] = []
  const named = env['SLIPWAY_NODE']
  if (named !== undefined && named !== '') found.push(named)
  const name = windows ? 'node.exe' : 'node'
  for (let dir = from; ; dir = dirname(dir)) {
    // The executable is inside the package `node`. On Windows, the file in .bin is only a script.
    found.push(join(dir, 'node_modules', 'node', 'bin', name))
    if (!windows) found.push(join(dir, 'node_modules', '.bin', name))
    if (dirname(dir) === dir) return found
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/**
 * Runs the program in a child process. Never resolves, so that the rest of the program isn't loaded in this
 * process.
 */
function runInner(node: string, script: string): Promise<never> {
  const child = spawn(node, [script, ...process.argv.slice(2)], {
    // The IPC channel closes when this process ends for any reason, and the child notices that.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [INNER]: '1' },
  })
  const stopPassing = passSignals(process, child, process.platform)
  child.on('error', (error) => {
    process.stderr.write(`slipway: Node ${LEAST_MAJOR} couldn't be started (${node}): ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    stopPassing()
    if (signal !== null) {
      process.kill(process.pid, signal)
      return
    }
    process.exit(code ?? 1)
  })
  return new Promise(() => undefined)
}

function refuse(message: string): never {
  process.stderr.write(`slipway: Node ${LEAST_MAJOR} or later is needed; ${message}\n`)
  process.exit(1)
}

hardenCommand()

const isTooOld = Number.parseInt(process.versions.node, 10) < LEAST_MAJOR
if (process.env[INNER] === '1') {
  if (isTooOld) {
    // The path from which the wrapper started this Node. If it came from SLIPWAY_NODE, it equals that
    // variable, which is passed on unchanged.
    const program = process.argv0
    const isNamed = program === process.env['SLIPWAY_NODE']
    refuse(
      isNamed
        ? `SLIPWAY_NODE names ${program}, which is Node ${process.versions.node}. Name a newer one.`
        : `${program} is Node ${process.versions.node}. Install a newer one, or set SLIPWAY_NODE to its path.`,
    )
  }
  delete process.env[INNER]
  // A disconnect means that the wrapper has ended first, most likely because it was killed. So this process
  // ends at once too; the next start checks what became of uploads in progress.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // The channel must not keep this process alive; it only signals the wrapper's end.
  process.channel?.unref()
} else if (isTooOld) {
  const script = fileURLToPath(import.meta.url)
  const node = nodeCandidates(process.env, dirname(script), process.platform === 'win32').find(isProgram)
  if (node === undefined)
    refuse(`this is Node ${process.versions.node}. Install it, or set SLIPWAY_NODE to its path.`)
  await runInner(node, script)
}
