// Asks an Electron for its versions, and builds the app for one that is older than the app is written for.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runStep } from '../tools/steps.ts'
import { ROOT } from '../tools/tree.ts'
import { type Plan, type Versions, versionsFrom } from './plan.ts'

/** The modules that are put into an app for an older Electron. */
export const OLDER = join(ROOT, 'test/desktop/older')

/** The executable in a folder of Electron's. @throws if there is none. */
export function programIn(dir: string): string {
  const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' } as Record<
    string,
    string
  >
  const program = join(dir, names[process.platform] ?? 'electron')
  if (!existsSync(program))
    throw new Error(
      `There is no Electron at ${program}. npx install-electron downloads it; --electron names another.`,
    )
  return program
}

export function versionsOf(program: string): Versions {
  const { stdout, error, stderr } = spawnSync(program, ['-p', 'JSON.stringify(process.versions)'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    encoding: 'utf8',
  })
  if (!stdout.startsWith('{')) throw new Error(`${program} doesn’t start: ${error?.message ?? stderr}`)
  return versionsFrom(JSON.parse(stdout) as Record<string, string>)
}

export const appIn = (cache: string): string => join(cache, 'slipway')

/** The app for this Electron in a folder of its own: `package.json` and the build, as CommonJS if it must be. */
export async function buildOlder(cache: string, { build: target }: Plan): Promise<void> {
  const { type, ...manifest } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    type: string
  }
  const { name, version, desktopName, main } = manifest as unknown as Record<string, string>
  const app = appIn(cache)
  mkdirSync(app, { recursive: true })
  const shown = { name, version, desktopName, main, ...(target.format === 'es' ? { type } : {}) }
  writeFileSync(join(app, 'package.json'), JSON.stringify(shown))
  cpSync(join(ROOT, 'assets'), join(app, 'assets'), { recursive: true })
  const { ok } = runStep({
    name: 'build',
    command: 'vite',
    args: ['build', '--app'],
    env: { SLIPWAY_BUILD_FOR: JSON.stringify(target) },
  })
  if (!ok) throw new Error('The build failed.')
}
