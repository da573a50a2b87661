// Slow (about a minute): builds Slipway twice in two folders, and makes every package for Linux of it with the project's configuration. Unpacks
// the .deb below another root, and runs the command line from there. Examines all results; formats.ts and installing.ts do so for the other
// packages. pack.ts describes what is replaced by a stand-in and what stays untested.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { _electron } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shippedOnly } from '../../assets/packaging/sbom.ts'
import pkg from '../../package.json' with { type: 'json' }
import { COMMANDS } from '../../src-main/cli/words.ts'
import { changedFiles } from '../../src-main/shell/app/unpacked-files.ts'
import { DEFAULT_APP_SETTINGS } from '../../src-shared/settings.ts'
import { createService } from '../service/service.ts'
import { ROOT, readTree, treeFiles } from '../tools/tree.ts'
import { type Asar, readAsar } from './asar.ts'
import { describeCommandLine } from './command-line.ts'
import { filesBelow, hashes, sha256 } from './files.ts'
import { describeFormats } from './formats.ts'
import { describeInstalling } from './installing.ts'
import { type Made, packagesIn, packLater, sharedFolders } from './made.ts'
import { build, pack, project, standInForLinux, unpackedFolder } from './pack.ts'
import { requirePackagers } from './scratch-root.ts'

const run = promisify(execFile)
const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-packages-')))
const OTHER = process.arch === 'x64' ? 'arm64' : 'x64'
const PROGRAM = 'opt/Slipway/resources/app.asar.unpacked/cli/slipway'

/** Files that the sources load next to the built main program, as paths inside the package. */
function builtPaths(): string[] {
  const sources = treeFiles().filter((file) => file.startsWith('src-main/shell/') && file.endsWith('.ts'))
  const calls = sources.flatMap((file) => [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(/\b(?:builtPath|unpackedPath)\(('[^)]*')\)/g),
  ])
  return calls.map(([, list = '']) => posix.join('dist', ...[...list.matchAll(/'([^']*)'/g)].map(([, part = '']) => part)))
}

describe.runIf(process.platform === 'linux')('packages for Linux (slow)', () => {
  const first = join(home, 'first')
  const second = join(home, 'in', 'another', 'place')
  const root = join(home, 'root')
  const electron = standInForLinux(home)
  let app = ''
  let folder = ''
  let asar: Asar
  let deb = ''

  let made: Made

  beforeAll(async () => {
    requirePackagers()
    app = project(first, await build(first))
    const as = { electron, system: 'linux', processor: process.arch } as const
    const targets = ['deb', 'rpm', 'pacman', 'AppImage'] as const
    const packed = pack({ ...as, app, targets })
    const again = build(second).then((dist) => pack({ ...as, app: project(second, dist), targets }))
    await Promise.all([packed, again])
    folder = unpackedFolder(app)
    asar = readAsar(join(folder, 'resources/app.asar'))
    const files = packagesIn(app, pkg.version)
    deb = files.deb
    execFileSync('dpkg-deb', ['--extract', deb, root])
    const at = join(home, 'made')
    mkdirSync(at)
    made = { home: at, folder, files, later: await packLater(app, at), shared: sharedFolders(app) }
  }, 600_000)
  afterAll(() => {
    rmSync(home, { recursive: true, force: true })
  })

  describe('the folder of the app', () => {
    it('holds in its archive the build, the pictures and the licence, and nothing else', () => {
      const inside = [...asar.inside.keys()]
      expect(inside.filter((file) => !/^dist\/renderer\/assets\/[\w.-]+\.(?:js|css|woff2)$/.test(file)).toSorted()).toEqual(
        [
          ...readdirSync(join(ROOT, 'assets/tray')).map((name) => `assets/tray/${name}`),
          'LICENSE',
          'assets/icon.png',
          'dist/main/main.js',
          'dist/main/updates.js',
          'dist/updates.json',
          'dist/preload/preload.cjs',
          'dist/renderer/index.html',
          'package.json',
        ].toSorted(),
      )
      const manifest = JSON.parse(asar.inside.get('package.json')?.toString() ?? '') as object
      expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['scripts']))
      expect(manifest).toMatchObject({ name: 'slipway', version: pkg.version, main: 'dist/main/main.js', desktopName: 'slipway.desktop' })
    })

    it('keeps as real files what is loaded, opened or started as such', () => {
      expect(asar.outside).toEqual([
        'cli/LICENSE.node.txt',
        'cli/slipway',
        'dist/licences.txt',
        'dist/main/engine.js',
        'dist/main/trial.js',
        `node_modules/@napi-rs/keyring-linux-${process.arch}-gnu/LICENSE.third-party.md`,
        `node_modules/@napi-rs/keyring-linux-${process.arch}-gnu/keyring.linux-${process.arch}-gnu.node`,
        `node_modules/@napi-rs/keyring-linux-${process.arch}-gnu/package.json`,
        'node_modules/keytar/LICENSE',
        'node_modules/keytar/index.js',
        'node_modules/keytar/keytar.js',
        'node_modules/keytar/package.json',
      ])
      expect(filesBelow(join(folder, 'resources/app.asar.unpacked'))).toEqual(asar.outside)
    })

    it('is told from one whose scripts beside the archive were changed or removed', () => {
      const copy = join(home, 'changed')
      cpSync(join(folder, 'resources'), copy, { recursive: true, filter: (path) => !path.endsWith(join('app.asar.unpacked', 'cli')) })
      const archive = join(copy, 'app.asar')
      expect(changedFiles(archive)).toEqual([])
      writeFileSync(join(copy, 'app.asar.unpacked/dist/main/engine.js'), 'changed()')
      rmSync(join(copy, 'app.asar.unpacked/node_modules/keytar/index.js'))
      expect(changedFiles(archive).toSorted()).toEqual(['dist/main/engine.js', 'node_modules/keytar/index.js'])
    })

    it('holds every file and folder that the app asks for by builtPath()', () => {
      const asked = builtPaths()
      const all = [...asar.inside.keys(), ...asar.outside]
      expect(asked).toEqual(expect.arrayContaining(['dist/licences.txt', 'assets/icon.png', 'assets/tray', 'dist/preload/preload.cjs']))
      expect(asked.filter((path) => !all.some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([])
    })

    it('has all that the engine needs beside it: its workers list a folder, the native module loads', async () => {
      const engine = join(folder, 'resources/app.asar.unpacked/dist/main/engine.js')
      const share = join(home, 'share-engine')
      mkdirSync(share)
      writeFileSync(join(share, 'listed.txt'), 'listed')
      const service = await createService({ dataDir: join(home, 'service-engine') })
      const account = { account: null, dataDir: join(home, 'data-engine'), env: {}, apiKey: service.key, baseUrl: service.url }
      const start = { slipwayRole: 'engine', ...account, proxy: 'none', pausedAccounts: null, held: null }
      const call = { type: 'call', id: 1, procedure: 'upload', input: { paths: [share], again: false, token: 'listed' } }
      const script = `
        const { AsyncEntry } = require('node:module').createRequire(${JSON.stringify(engine)})('keytar')
        const { Worker } = require('node:worker_threads')
        const worker = new Worker(${JSON.stringify(engine)}, { workerData: ${JSON.stringify(start)} })
        worker.once('error', (error) => { throw error })
        worker.on('message', ({ type, id, result }) => {
          if (type === 'ask') worker.postMessage({ type: 'reply', id, value: null })
          if (type === 'up') worker.postMessage(${JSON.stringify(call)})
          if (type !== 'answer') return
          console.log(typeof AsyncEntry, result.value.items.map((item) => item.transfer.name))
          process.exit()
        })`
      try {
        expect(await run(process.execPath, ['-e', script], { timeout: 60_000 })).toEqual({
          stdout: "function [ 'listed.txt' ]\n",
          stderr: '',
        })
      } finally {
        await service.close()
      }
    })

    it('starts the app through a script that keeps the API key out of its environment', () => {
      const env = { PATH: '/usr/bin:/bin', SLIPWAY_API_KEY: 'a key', SLIPWAY_DATA_DIR: '/data' }
      const { stdout, status } = spawnSync(join(folder, 'slipway-desktop'), ['a file.txt'], { env, encoding: 'utf8' })
      const [program, word, ...rest] = stdout.trimEnd().split('\n')
      expect([program, word, status]).toEqual([join(folder, 'slipway-desktop.bin'), 'a file.txt', 0])
      expect(rest.slice(0, 2).toSorted()).toEqual(['SLIPWAY_API_KEY_FD=9', 'SLIPWAY_DATA_DIR=/data'])
      expect(rest.slice(2)).toEqual(['a key'])
      // The profile is for the program: a script has no profile, because the shell that runs it has none.
      const profile = readFileSync(join(folder, 'resources/apparmor-profile'), 'utf8')
      expect(profile).toContain('\nprofile "slipway-desktop" "/opt/Slipway/slipway-desktop.bin" flags=(unconfined) {\n')
    })

    it('starts the app as slipway-desktop, and brings the licences of Electron and Chromium', () => {
      expect(readdirSync(folder)).toEqual(
        expect.arrayContaining(['slipway-desktop', 'slipway-desktop.bin', 'LICENSE.electron.txt', 'LICENSES.chromium.html', 'resources']),
      )
      expect(readdirSync(folder)).not.toContain('slipway')
    })

    it('holds only packages that the bill of materials lists', () => {
      const inside = JSON.parse(readFileSync(join(app, 'dist/packages.json'), 'utf8')) as string[]
      expect(inside.length).toBeGreaterThan(10)
      const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
      const listed: unknown = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 27 }))
      expect(shippedOnly(listed, inside).components.map((one) => one['bom-ref'])).toEqual(expect.arrayContaining(inside))
    })

    it('names no path of the machine that built it', () => {
      const named = filesBelow(folder).filter((file) => {
        const bytes = readFileSync(join(folder, file))
        return [home, ROOT].some((path) => bytes.includes(path))
      })
      expect(named).toEqual([])
    })

    it('has the same bytes when it is built again somewhere else', () => {
      expect(hashes(unpackedFolder(join(second, 'app')))).toEqual(hashes(folder))
    })

    it.each(['deb', 'rpm', 'pacman', 'AppImage'] as const)('becomes the same bytes again as a .%s', (kind) => {
      expect(sha256(packagesIn(join(second, 'app'), pkg.version)[kind])).toBe(sha256(made.files[kind]))
    })

    it('is no larger than it has to be', () => {
      const megabytes = (file: string): number => statSync(join(folder, 'resources', file)).size / 1e6
      expect(megabytes('app.asar')).toBeLessThan(4)
      expect(megabytes('app.asar.unpacked/cli/slipway')).toBeLessThan(118)
      expect(megabytes('app.asar.unpacked/dist/main/engine.js')).toBeLessThan(4)
    })

    it('is refused for a processor whose keychain module or command line is not there, with what to do', async () => {
      const version = pkg.dependencies.keytar.replace(/^.*@/, '')
      await expect(pack({ app, electron, system: 'linux', targets: ['dir'], processor: OTHER })).rejects.toMatchObject({
        stdout: expect.stringContaining(`npm install --no-save --force @napi-rs/keyring-linux-${OTHER}-gnu@${version}`) as string,
      })
    })
  })

  describe('the .deb', () => {
    it('says what it is, what it needs, and who to write to', () => {
      const fields = execFileSync('dpkg-deb', ['--field', deb], { encoding: 'utf8' })
      expect(fields).toMatch(/^Package: slipway$/m)
      expect(fields).toContain(`\nVersion: ${pkg.version}\n`)
      expect(fields).toContain(`\nArchitecture: ${process.arch === 'x64' ? 'amd64' : process.arch}\n`)
      expect(fields).toMatch(/^Depends: .*libgtk-3-0.*libnss3.*libasound2t64 \| libasound2/m)
      expect(fields).toMatch(/^Recommends: gnome-keyring \| /m)
      expect(fields).toMatch(/^Maintainer: The Slipway authors <.+@.+>$/m)
      expect(fields).toContain(`\nDescription: ${pkg.description.replace(/\.$/, '')}`)
    })

    it('installs below /opt and /usr, and nothing that only root may run or write', () => {
      const files = filesBelow(root)
      expect(files.filter((file) => !/^(?:opt\/Slipway|usr\/(?:bin|lib|share))\//.test(file))).toEqual([])
      const modes = files.filter((file) => !lstatSync(join(root, file)).isSymbolicLink()).map((file) => statSync(join(root, file)).mode)
      expect(modes.filter((mode) => (mode & 0o022) !== 0 || (mode & 0o444) !== 0o444 || (mode & 0o6000) !== 0)).toEqual([])
    })

    it('puts the command line on PATH, not the app', () => {
      const link = join(root, 'usr/bin/slipway')
      expect(readdirSync(join(root, 'usr/bin'))).toEqual(['slipway'])
      expect(realpathSync(link)).toBe(join(root, PROGRAM))
      expect(readlinkSync(link)).toBe(`../../${PROGRAM}`)
      // The app's own program isn't in usr/bin, because only this script links it there when the package is installed.
      const script = execFileSync('dpkg-deb', ['--info', deb, 'postinst'], { encoding: 'utf8' })
      expect(script).toContain("'/usr/bin/slipway-desktop'")
      expect(script).not.toMatch(/\/usr\/bin\/slipway(?!-desktop)/)
    })

    it('has a desktop entry that opens files in the app, with its icon in every size', () => {
      const entry = readFileSync(join(root, 'usr/share/applications/slipway.desktop'), 'utf8')
      expect(entry).toContain('\nExec=/opt/Slipway/slipway-desktop %F\n')
      expect(entry).toContain('\nIcon=slipway-desktop\n')
      expect(entry).toContain('\nStartupWMClass=slipway\n')
      expect(entry).toContain('\nCategories=Network;FileTransfer;\n')
      const sizes = readdirSync(join(root, 'usr/share/icons/hicolor'))
      expect(sizes.toSorted()).toEqual(['1024x1024', '128x128', '16x16', '256x256', '32x32', '48x48', '512x512', '64x64'])
      for (const size of sizes) expect(existsSync(join(root, 'usr/share/icons/hicolor', size, 'apps/slipway-desktop.png'))).toBe(true)
    })

    it('has a unit that starts what is installed', () => {
      const unit = readFileSync(join(root, 'usr/lib/systemd/user/slipway-watch@.service'), 'utf8')
      expect(unit).toContain(' exec /usr/bin/slipway watch ')
      expect(unit).toBe(readTree('assets/linux/slipway-watch@.service'))
      expect(existsSync(join(root, 'usr/share/man/man1/slipway-watch.1.gz'))).toBe(true)
    })

    it('has completions that their shell accepts, and the entry of software centres', () => {
      expect(spawnSync('bash', ['-n', join(root, 'usr/share/bash-completion/completions/slipway')]).status).toBe(0)
      expect(readFileSync(join(root, 'usr/share/zsh/vendor-completions/_slipway'), 'utf8')).toMatch(/^#compdef slipway$/m)
      expect(readFileSync(join(root, 'usr/share/fish/vendor_completions.d/slipway.fish'), 'utf8')).toContain('complete -c slipway')
      const metainfo = readFileSync(join(root, 'usr/share/metainfo/app.slipway.Slipway.metainfo.xml'), 'utf8')
      expect(metainfo).toContain('<launchable type="desktop-id">slipway.desktop</launchable>')
      const { status, stdout } = spawnSync('appstreamcli', ['validate-tree', '--no-net', root], { encoding: 'utf8' })
      expect([status, stdout]).toEqual([0, expect.stringContaining('Validation was successful')])
    })

    it('has a manual page for every command', () => {
      const pages = readdirSync(join(root, 'usr/share/man/man1'))
      expect(pages.toSorted()).toEqual(['slipway.1.gz', ...COMMANDS.map((name) => `slipway-${name}.1.gz`)].toSorted())
      for (const page of pages)
        expect(gunzipSync(readFileSync(join(root, 'usr/share/man/man1', page))).toString()).toContain('\n.SH SYNOPSIS\n')
    })

    it('brings the licences of all that is inside', () => {
      expect(readFileSync(join(root, 'usr/share/doc/slipway/copyright'), 'utf8')).toContain('MIT License')
      expect(readFileSync(join(root, 'opt/Slipway/resources/package-type'), 'utf8')).toBe('deb\n')
      const unpacked = join(root, 'opt/Slipway/resources/app.asar.unpacked')
      expect(readFileSync(join(unpacked, 'dist/licences.txt'), 'utf8')).toContain('\nreact ')
      expect(readFileSync(join(unpacked, 'cli/LICENSE.node.txt'), 'utf8')).toContain('Node.js is licensed')
    })
  })

  describeFormats(() => made)
  describeInstalling(() => made)

  it('opens its window from the files of the package, and uploads for its command line, which is a client of it', async () => {
    // Electron reads the archive itself, but the stand-in can't, so its files are extracted next to those kept outside.
    const unpacked = join(home, 'unpacked')
    cpSync(join(root, 'opt/Slipway/resources/app.asar.unpacked'), unpacked, { recursive: true })
    for (const [file, content] of asar.inside) {
      mkdirSync(dirname(join(unpacked, file)), { recursive: true })
      writeFileSync(join(unpacked, file), content)
    }
    const service = await createService({ dataDir: join(home, 'service-app') })
    const data = join(home, 'data-app')
    mkdirSync(data, { mode: 0o700 })
    // Without the welcome, the window shows the files.
    const settings = { baseUrl: service.url, app: { ...DEFAULT_APP_SETTINGS, welcomed: true } }
    writeFileSync(join(data, 'settings.json'), JSON.stringify(settings), { mode: 0o600 })
    const env = {
      ...(process.env as Record<string, string>),
      SLIPWAY_DATA_DIR: data,
      SLIPWAY_BASE_URL: service.url,
      SLIPWAY_API_KEY: service.key,
      XDG_CONFIG_HOME: join(home, 'config-app'),
    }
    const started = await _electron.launch({
      executablePath: join(ROOT, 'test/desktop/bin/electron'),
      args: [unpacked],
      env,
      colorScheme: null,
    })
    try {
      const page = await started.firstWindow()
      await page.locator('main').first().waitFor()
      const slipway = join(root, 'usr/bin/slipway')
      const { stdout } = await run(slipway, ['status', '--json'], { env })
      expect(JSON.parse(stdout)).toMatchObject({ engine: 'another-process' })
      const file = join(home, 'through the app.txt')
      writeFileSync(file, 'through the app')
      await run(slipway, ['upload', file], { env })
      expect(service.ledger.live().map((one) => [one.filename, one.sha256])).toEqual([['through the app.txt', sha256(file)]])
      await page.getByRole('row').filter({ hasText: 'through the app.txt' }).first().waitFor()
    } finally {
      await started.close()
      await service.close()
    }
  })

  describeCommandLine(() => ({ home, root }))
})
