// Runs the project's tools: one, whose output goes directly to the terminal, or several at once, whose output
// comes step by step. Uses the tools and Node 24 from node_modules, regardless of the Node that runs this
// script.
import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { ROOT } from './tree.ts'

export interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** The environment of the caller takes precedence. */
  readonly env?: Readonly<Record<string, string>>
}

export interface Ended {
  readonly ok: boolean
  readonly seconds: number
}

interface EndedWithOutput extends Ended {
  readonly output: string
}

const optionsFor = (step: Step) => ({
  cwd: ROOT,
  env: {
    ...step.env,
    ...process.env,
    PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  },
  shell: process.platform === 'win32',
})

export function runStep(step: Step): Ended {
  const from = performance.now()
  const { status, error } = spawnSync(step.command, step.args, { ...optionsFor(step), stdio: 'inherit' })
  if (error !== undefined) console.error(error.message)
  return { ok: status === 0, seconds: (performance.now() - from) / 1000 }
}

/** `output` is what the step wrote to stdout and stderr, in the order in which it arrived. */
function runQuietly(step: Step): Promise<EndedWithOutput> {
  const from = performance.now()
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, { ...optionsFor(step), stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    const end = (ok: boolean, note = ''): void =>
      resolve({
        ok,
        seconds: (performance.now() - from) / 1000,
        output: Buffer.concat(chunks).toString() + note,
      })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
    child.on('error', (error) => end(false, error.message))
    // Unlike `exit`, this comes after all output.
    child.on('close', (status, signal) => end(status === 0, signal === null ? '' : `ended by ${signal}`))
  })
}

/**
 * Starts the steps in their order, as many at once as there are cores. `onEnd` is called in the same order,
 * so what ends early waits until all steps before it have ended.
 */
export async function runTogether(
  steps: readonly Step[],
  onEnd: (step: Step, ended: EndedWithOutput) => void,
): Promise<void> {
  const ended: EndedWithOutput[] = []
  let next = 0
  let reported = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < steps.length; at = next++) {
      const step = steps[at]
      if (step === undefined) return
      ended[at] = await runQuietly(step)
      for (let done = ended[reported], of = steps[reported]; done !== undefined && of !== undefined; ) {
        onEnd(of, done)
        reported++
        done = ended[reported]
        of = steps[reported]
      }
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}
