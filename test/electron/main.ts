// `npm run test:electron -- --electron DIR [Playwright's arguments]`: builds the app for the Electron in DIR, runs
// the desktop specs on it in a session of their own, and prints what passed, what failed, and what this Electron
// can't prove. `--no-build` keeps the last build; `--as USER` says who root becomes; `--display` uses your own.
import { spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { build } from 'vite'
import { runStep } from '../tools/steps.ts'
import { PlaywrightReport } from '../tools/tally.ts'
import { FACTS, ROOT } from '../tools/tree.ts'
import { appIn, buildOlder, OLDER, programIn, versionsOf } from './built.ts'
import { majorsOf, planFor } from './plan.ts'
import { inSession, onPath, prepareSession, sessionUser } from './session.ts'
import { isGreen, rowsOf, tableOf } from './table.ts'

interface Options {
  readonly electron: string
  readonly as: string | undefined
  readonly isBuilt: boolean
  readonly ownDisplay: boolean
  readonly rest: readonly string[]
}

function optionsFrom(args: readonly string[]): Options {
  const rest = [...args]
  const take = (name: string): string | undefined => {
    const at = rest.indexOf(name)
    return at < 0 ? undefined : rest.splice(at, 2)[1]
  }
  const has = (name: string): boolean => {
    const at = rest.indexOf(name)
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  }
  return {
    electron: resolve(take('--electron') ?? join(ROOT, 'node_modules/electron/dist')),
    as: take('--as'),
    isBuilt: has('--no-build'),
    ownDisplay: has('--display') || process.platform !== 'linux',
    rest,
  }
}

/** One file of the tests as a script that any Electron loads. */
async function bundle(input: string, output: string, node: number): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: dirname(output),
      emptyOutDir: false,
      copyPublicDir: false,
      target: `node${node}`,
      minify: false,
      rolldownOptions: {
        input,
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: basename(output), codeSplitting: false },
      },
    },
  })
}

/** A copy of an Electron that comes without the app which starts others, with one in its place. */
async function completed(dir: string, cache: string, node: number, isBuilt: boolean): Promise<string> {
  const inside = process.platform === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources'
  if (existsSync(join(dir, inside, 'default_app.asar'))) return dir
  const copy = join(cache, 'electron')
  const app = join(copy, inside, 'app')
  if (isBuilt && existsSync(app)) return copy
  rmSync(copy, { recursive: true, force: true })
  cpSync(dir, copy, { recursive: true, verbatimSymlinks: true })
  mkdirSync(app, { recursive: true })
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'default-app', main: 'main.js' }))
  await bundle(join(OLDER, 'default-app.ts'), join(app, 'main.js'), node)
  return copy
}

/**
 * The folder to which Electron's package appends the path of its executable: the one of an installed Electron, or
 * just `electron`, which macOS and Windows find as well.
 */
function overrideFor(dir: string): string {
  const isInstalled = existsSync(join(ROOT, 'node_modules/electron/path.txt'))
  return isInstalled ? dir : dirname(programIn(dir))
}

async function run(args: readonly string[]): Promise<number> {
  const options = optionsFrom(args)
  const versions = versionsOf(programIn(options.electron))
  const user = sessionUser(options.as)
  const cache = join(ROOT, 'node_modules/.cache/slipway-electron', versions.electron)
  const dist = join(appIn(cache), 'dist')
  const plan = planFor(versions, dist, OLDER)
  const isOwn = plan.build.dist === dist
  const { node } = majorsOf(versions)
  const recorder = join(cache, 'recorder.cjs')
  if (!options.isBuilt) {
    mkdirSync(cache, { recursive: true })
    if (isOwn) await buildOlder(cache, plan)
    else if (!runStep({ name: 'build', command: 'vite', args: ['build', '--app'] }).ok) return 1
    await bundle(join(ROOT, 'test/desktop/recorder.ts'), recorder, node)
  }
  const electron = await completed(options.electron, cache, node, options.isBuilt)

  const work = mkdtempSync(join(tmpdir(), 'slipway-'))
  const isLinux = process.platform === 'linux'
  // The reporter of the facts writes as the session's user.
  mkdirSync(FACTS, { recursive: true })
  if (user !== null)
    for (const path of ['', ...readdirSync(FACTS)]) chownSync(join(FACTS, path), user.uid, user.gid)
  const session = isLinux ? prepareSession(work, user, options.ownDisplay) : {}
  const report = join(work, 'report.json')
  const playwright = [
    process.execPath,
    createRequire(import.meta.url).resolve('@playwright/test/cli'),
    'test',
    '--workers=1',
    '--retries=0',
    `--output=${join(work, 'output')}`,
    ...options.rest,
  ]
  const command = isLinux
    ? inSession(playwright, { has: onPath, ownDisplay: options.ownDisplay })
    : playwright
  try {
    const [program = '', ...rest] = command
    const { error } = spawnSync(program, rest, {
      cwd: ROOT,
      stdio: 'inherit',
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
      env: {
        ...process.env,
        ...session,
        SLIPWAY_E2E: 'electron',
        SLIPWAY_E2E_REPORT: report,
        SLIPWAY_ELECTRON: JSON.stringify(versions),
        SLIPWAY_RECORDER: recorder,
        ELECTRON_OVERRIDE_DIST_PATH: overrideFor(electron),
        ...(isOwn ? { SLIPWAY_APP: appIn(cache) } : {}),
        SLIPWAY_THREADS: [process.execPath, join(OLDER, 'thread-host.ts')].join('\n'),
      },
    })
    if (error !== undefined) throw error
    const rows = rowsOf(PlaywrightReport.parse(JSON.parse(readFileSync(report, 'utf8'))))
    for (const line of tableOf(rows, versions, plan)) console.log(line)
    return isGreen(rows) ? 0 : 1
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
