// Slow (about 6 s): electron-builder really packs a small stand-in app for Linux with the project's own configuration, and the test looks into
// what came out. Electron's binary is a stand-in as well, so two things are switched off for it and stay untried: the fuses (electron-builder
// looks for their marker in the binary and finds none) and the binary itself. Nothing is downloaded.
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pkg from '../../../package.json' with { type: 'json' }
import { ROOT } from '../../tools/tree.ts'

const run = promisify(execFile)
const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-packed-')))
const app = join(home, 'app')
const folder = join(app, 'out', process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`)
const resources = join(folder, 'resources')
const OTHER = process.arch === 'x64' ? 'arm64' : 'x64'

function put(file: string, text: string): void {
  mkdirSync(dirname(join(app, file)), { recursive: true })
  writeFileSync(join(app, file), text)
}

function makeApp(): void {
  for (const file of ['package.json', 'package-lock.json', 'electron-builder.yml', 'LICENSE', 'assets']) {
    cpSync(join(ROOT, file), join(app, file), { recursive: true })
  }
  put('dist/main/main.js', `import './shared-1.js'\n`)
  put('dist/main/shared-1.js', `export const shared = 'shared'\n`)
  put(
    'dist/main/engine.js',
    `import { AsyncEntry } from 'keytar'\nimport { shared } from './shared-1.js'\nconsole.log(shared, typeof AsyncEntry)\n`,
  )
  put('dist/main/main.js.map', '{}')
  put('dist/preload/preload.cjs', '')
  put('dist/renderer/index.html', '<!doctype html>')
  put('dist/renderer/assets/index-1.js', '')
  put('dist/cli.js', '')
  put('src-main/shell/main.ts', '')
  // Only what npm calls production: electron-builder asks npm which packages those are, and npm looks at these folders.
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; devOptional?: true }>
  }
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev === true || devOptional === true || !existsSync(join(ROOT, path))) continue
    cpSync(join(ROOT, path), join(app, path), { recursive: true })
  }
}

function makeElectron(): void {
  const at = join(home, 'electron')
  for (const one of ['resources', 'locales']) mkdirSync(join(at, one), { recursive: true })
  writeFileSync(join(at, 'electron'), '#!/bin/sh\n')
  chmodSync(join(at, 'electron'), 0o755)
  writeFileSync(join(at, 'version'), pkg.devDependencies.electron)
  writeFileSync(join(at, 'LICENSE'), '')
  writeFileSync(join(at, 'locales/en-US.pak'), '')
  put(
    'packed.json',
    JSON.stringify({
      extends: './electron-builder.yml',
      electronDist: at,
      electronVersion: pkg.devDependencies.electron,
      electronFuses: null,
    }),
  )
}

function pack(processor: string): Promise<{ stdout: string }> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('electron-builder/package.json')), 'cli.js')
  const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  return run(process.execPath, [cli, '--linux', '--dir', `--${processor}`, '--config', 'packed.json'], {
    cwd: app,
    env: { ...process.env, PATH: path },
  })
}

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>
  readonly unpacked?: true
}

/** The files of an asar archive by its header: two sizes as pickles, the length of the JSON, the JSON. Those kept outside are marked. */
function asarFiles(archive: string): { readonly inside: string[]; readonly outside: string[] } {
  const bytes = readFileSync(archive)
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as Entry
  const inside: string[] = []
  const outside: string[] = []
  const walk = (entry: Entry, path: string): void => {
    if (entry.files === undefined) (entry.unpacked === true ? outside : inside).push(path)
    for (const [name, one] of Object.entries(entry.files ?? {})) walk(one, path === '' ? name : `${path}/${name}`)
  }
  walk(header, '')
  return { inside: inside.toSorted(), outside: outside.toSorted() }
}

describe.runIf(process.platform === 'linux')('the packed app (slow)', () => {
  beforeAll(async () => {
    makeApp()
    makeElectron()
    await pack(process.arch)
  })
  afterAll(() => {
    rmSync(home, { recursive: true, force: true })
  })

  it('holds the build, the tray pictures and the licence, and no package but the keychain module', () => {
    const { inside } = asarFiles(join(resources, 'app.asar'))
    const tray = readdirSync(join(ROOT, 'assets/tray')).map((name) => `assets/tray/${name}`)
    expect(inside).toEqual(
      [
        ...tray,
        'LICENSE',
        'dist/main/main.js',
        'dist/preload/preload.cjs',
        'dist/renderer/assets/index-1.js',
        'dist/renderer/index.html',
        'package.json',
      ].toSorted(),
    )
  })

  it('keeps as real files what is loaded as such: the native module, and what the worker thread imports', () => {
    const { outside } = asarFiles(join(resources, 'app.asar'))
    expect(outside).toEqual([
      'dist/main/engine.js',
      'dist/main/shared-1.js',
      `node_modules/@napi-rs/keyring-linux-${process.arch}-gnu/LICENSE.third-party.md`,
      `node_modules/@napi-rs/keyring-linux-${process.arch}-gnu/keyring.linux-${process.arch}-gnu.node`,
      `node_modules/@napi-rs/keyring-linux-${process.arch}-gnu/package.json`,
      'node_modules/keytar/LICENSE',
      'node_modules/keytar/index.js',
      'node_modules/keytar/keytar.js',
      'node_modules/keytar/package.json',
    ])
    for (const file of outside) expect(existsSync(join(resources, 'app.asar.unpacked', file))).toBe(true)
  })

  it('has all that the worker needs beside it: it runs there on its own, the native module loads', async () => {
    const { stdout, stderr } = await run(process.execPath, [join(resources, 'app.asar.unpacked/dist/main/engine.js')])
    expect({ stdout, stderr }).toEqual({ stdout: 'shared function\n', stderr: '' })
  })

  it('starts under its own name', () => {
    expect(existsSync(join(folder, 'slipway'))).toBe(true)
  })

  it('is refused for a processor whose keychain module is not there, with what to do', async () => {
    const version = pkg.dependencies.keytar.replace(/^.*@/, '')
    await expect(pack(OTHER)).rejects.toMatchObject({
      stdout: expect.stringContaining(`npm install --no-save --force @napi-rs/keyring-linux-${OTHER}-gnu@${version}`) as string,
    })
  })
})
