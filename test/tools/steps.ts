// Runs one of the project's tools and returns how it ended. Its output goes directly to the terminal.
// Uses the tools and Node 24 from node_modules, regardless of the Node that runs this script.
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
