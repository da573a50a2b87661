// What is in the folder of the app, from which every package for Linux is made: in its archive, and beside
// it.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { shippedOnly } from '../../assets/packaging/sbom.ts'
import pkg from '../../package.json' with { type: 'json' }
import { changedFiles } from '../../src-main/shell/app/unpacked-files.ts'
import { createService } from '../service/service.ts'
import { ROOT, treeFiles } from '../tools/tree.ts'
import type { Asar } from './asar.ts'
import { filesBelow } from './files.ts'

const run = promisify(execFile)

interface AppFolder {
  /** A folder for what the tests write. */
  readonly home: string
  /** The project that was packed. */
  readonly app: string
  /** What electron-builder has filled, and its archive. */
  readonly folder: string
  readonly asar: Asar
}

/** Files that the sources load next to the built main program, as paths inside the package. */
function builtPaths(): string[] {
  const sources = treeFiles().filter((file) => file.startsWith('src-main/shell/') && file.endsWith('.ts'))
  const calls = sources.flatMap((file) => [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(/\b(?:builtPath|unpackedPath)\(('[^)]*')\)/g),
  ])
  return calls.map(([, list = '']) =>
    posix.join('dist', ...[...list.matchAll(/'([^']*)'/g)].map(([, part = '']) => part)),
  )
}

export function describeAppFolder(given: () => AppFolder): void {
  describe('the folder of the app', () => {
    let home = ''
    let app = ''
    let folder = ''
    let asar: Asar
    beforeAll(() => {
      ;({ home, app, folder, asar } = given())
    })

    it('holds in its archive the build, the pictures and the licence, and nothing else', () => {
      const inside = [...asar.inside.keys()]
      expect(
        inside.filter((file) => !/^dist\/renderer\/assets\/[\w.-]+\.(?:js|css|woff2)$/.test(file)).toSorted(),
      ).toEqual(
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
      expect(manifest).toMatchObject({
        name: 'slipway',
        version: pkg.version,
        main: 'dist/main/main.js',
        desktopName: 'slipway.desktop',
      })
    })

    it('keeps as real files what is loaded, opened or started as such', () => {
      expect(asar.outside).toEqual([
        'cli/LICENSE.node.txt',
        'cli/slipway',
        'dist/licences.txt',
        'dist/main/engine.js',
        'dist/main/keychain.js',
        'dist/main/trial.js',
        `node_modules/@napi-rs/keyring-linux-${process.arch}-gnu/LICENSE.third-party.md`,
        `node_modules/@napi-rs/keyring-linux-${process.arch}-gnu/keyring.linux-${process.arch}-gnu.node`,
        `node_modules/@napi-rs/keyring-linux-${process.arch}-gnu/package.json`,
        'node_modules/@napi-rs/keyring/LICENSE',
        'node_modules/@napi-rs/keyring/index.js',
        'node_modules/@napi-rs/keyring/keytar.js',
        'node_modules/@napi-rs/keyring/package.json',
      ])
      expect(filesBelow(join(folder, 'resources/app.asar.unpacked'))).toEqual(asar.outside)
    })

    it('is told from one whose scripts beside the archive were changed or removed', () => {
      const copy = join(home, 'changed')
      cpSync(join(folder, 'resources'), copy, {
        recursive: true,
        filter: (path) => !path.endsWith(join('app.asar.unpacked', 'cli')),
      })
      const archive = join(copy, 'app.asar')
      expect(changedFiles(archive)).toEqual([])
      writeFileSync(join(copy, 'app.asar.unpacked/dist/main/engine.js'), 'changed()')
      rmSync(join(copy, 'app.asar.unpacked/node_modules/@napi-rs/keyring/index.js'))
      expect(changedFiles(archive).toSorted()).toEqual([
        'dist/main/engine.js',
        'node_modules/@napi-rs/keyring/index.js',
      ])
    })

    it('holds every file and folder that the app asks for by builtPath()', () => {
      const asked = builtPaths()
      const all = [...asar.inside.keys(), ...asar.outside]
      expect(asked).toEqual(
        expect.arrayContaining([
          'dist/licences.txt',
          'assets/icon.png',
          'assets/tray',
          'dist/preload/preload.cjs',
        ]),
      )
      expect(
        asked.filter((path) => !all.some((file) => file === path || file.startsWith(`${path}/`))),
      ).toEqual([])
    })

    it('has all that the engine needs beside it: its workers list a folder, the native module loads', async () => {
      const engine = join(folder, 'resources/app.asar.unpacked/dist/main/engine.js')
      const share = join(home, 'share-engine')
      mkdirSync(share)
      writeFileSync(join(share, 'listed.txt'), 'listed')
      const service = await createService({ dataDir: join(home, 'service-engine') })
      const account = {
        account: null,
        dataDir: join(home, 'data-engine'),
        env: {},
        apiKey: service.key,
        baseUrl: service.url,
      }
      const start = { slipwayRole: 'engine', ...account, proxy: 'none', pausedAccounts: null, held: null }
      const call = {
        type: 'call',
        id: 1,
        procedure: 'upload',
        input: { paths: [share], again: false, token: 'listed' },
      }
      const script = `
        const { AsyncEntry } = require('node:module').createRequire(${JSON.stringify(engine)})('@napi-rs/keyring')
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
      const { stdout, status } = spawnSync(join(folder, 'slipway-desktop'), ['a file.txt'], {
        env,
        encoding: 'utf8',
      })
      const [program, word, ...rest] = stdout.trimEnd().split('\n')
      expect([program, word, status]).toEqual([join(folder, 'slipway-desktop.bin'), 'a file.txt', 0])
      expect(rest.slice(0, 2).toSorted()).toEqual(['SLIPWAY_API_KEY_FD=9', 'SLIPWAY_DATA_DIR=/data'])
      expect(rest.slice(2)).toEqual(['a key'])
      // The profile is for the program: a script has no profile, because the shell that runs it has none.
      const profile = readFileSync(join(folder, 'resources/apparmor-profile'), 'utf8')
      expect(profile).toContain(
        '\nprofile "slipway-desktop" "/opt/Slipway/slipway-desktop.bin" flags=(unconfined) {\n',
      )
    })

    it('starts the app as slipway-desktop, and brings the licences of Electron and Chromium', () => {
      expect(readdirSync(folder)).toEqual(
        expect.arrayContaining([
          'slipway-desktop',
          'slipway-desktop.bin',
          'LICENSE.electron.txt',
          'LICENSES.chromium.html',
          'resources',
        ]),
      )
      expect(readdirSync(folder)).not.toContain('slipway')
    })

    it('holds only packages that the bill of materials lists', () => {
      const inside = JSON.parse(readFileSync(join(app, 'dist/packages.json'), 'utf8')) as string[]
      expect(inside.length).toBeGreaterThan(10)
      const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
      const listed: unknown = JSON.parse(
        execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 27 }),
      )
      expect(shippedOnly(listed, inside).components.map((one) => one['bom-ref'])).toEqual(
        expect.arrayContaining(inside),
      )
    })

    it('names no path of the machine that built it', () => {
      const named = filesBelow(folder).filter((file) => {
        const bytes = readFileSync(join(folder, file))
        return [home, ROOT].some((path) => bytes.includes(path))
      })
      expect(named).toEqual([])
    })
  })
}
