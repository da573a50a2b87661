// Runs one tool of the project and says how it ended. Its output goes straight to the terminal, in order.
// It finds the tools and Node 24 in node_modules, whoever starts it.
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { ROOT } from './tree.ts'

export interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

export interface Ended {
  readonly ok: boolean
  readonly seconds: number
}

export function runStep(step: Step): Ended {
  const from = performance.now()
  const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  const { status, error } = spawnSync(step.command, step.args, {
    cwd: ROOT,
    env: { ...process.env, PATH: path },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error !== undefined) console.error(error.message)
  return { ok: status === 0, seconds: (performance.now() - from) / 1000 }
}
