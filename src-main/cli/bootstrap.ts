// Runs first, before anything else is loaded. On a Node that is too old it finds Node 24, runs the same program there and stays as a thin
// shell around it: signals go in, the exit code comes out, and when the shell is killed the program ends with it. Else it does nothing.
// It uses nothing that Node 20 lacks.
import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const LEAST_MAJOR = 24
/** Set for the inner process; taken away there, so that nothing it starts inherits it. */
const INNER = 'SLIPWAY_INNER'

/** Where Node 24 may be, in the order to try: named by a person, then beside the program and upwards. */
export function nodeCandidates(env: Readonly<Record<string, string | undefined>>, from: string, windows: boolean): string[] {
  const found: string[] = []
  const named = env['SLIPWAY_NODE']
  if (named !== undefined && named !== '') found.push(named)
  const name = windows ? 'node.exe' : 'node'
  for (let dir = from; ; dir = dirname(dir)) {
    // The package `node` keeps the program here; the link in .bin is a script on Windows.
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

/** Never resolves: the rest of the program is not evaluated in this process. */
function runInner(node: string, script: string): Promise<never> {
  const child = spawn(node, [script, ...process.argv.slice(2)], {
    // The fourth is a channel that breaks when this process ends, however it ends.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [INNER]: '1' },
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, forward)
  child.on('error', (error) => {
    process.stderr.write(`slipway: Node ${LEAST_MAJOR} could not be started (${node}): ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    for (const one of signals) process.removeListener(one, forward)
    if (signal !== null) {
      process.kill(process.pid, signal)
      return
    }
    process.exit(code ?? 1)
  })
  return new Promise(() => undefined)
}

if (isMainThread) {
  if (process.env[INNER] === '1') {
    delete process.env[INNER]
    // The shell was killed: this ends as if it had been hit itself. What was under way is looked up at the next start.
    process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
    // The channel is for its end alone; it must not keep the program alive.
    process.channel?.unref()
  } else if (Number.parseInt(process.versions.node, 10) < LEAST_MAJOR) {
    const script = fileURLToPath(import.meta.url)
    const node = nodeCandidates(process.env, dirname(script), process.platform === 'win32').find(isProgram)
    if (node === undefined) {
      process.stderr.write(
        `slipway: Node ${LEAST_MAJOR} or later is needed; this is Node ${process.versions.node}. Install it, or name its program in SLIPWAY_NODE.\n`,
      )
      process.exit(1)
    }
    await runInner(node, script)
  }
}
