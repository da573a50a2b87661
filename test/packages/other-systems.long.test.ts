// Takes some seconds: the folders from which packages for macOS and Windows are made, filled by
// electron-builder on Linux with the project's configuration, from a minimal build and stand-ins for all
// programs. Signing and installers aren't tested here.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { itNeeding } from '../tools/needing.ts'
import { readAsar } from './asar.ts'
import { filesBelow, hashes } from './files.ts'
import { installerDefines, pack, project } from './pack.ts'

const home = mkdtempSync(join(tmpdir(), 'slipway-others-'))
const version = pkg.dependencies['@napi-rs/keyring']

function put(file: string, content: string | Buffer = 'x'): void {
  mkdirSync(dirname(join(home, file)), { recursive: true })
  writeFileSync(join(home, file), content)
}

/** A project as on that system, with its keychain module and its command line. */
function projectFor(system: 'mac' | 'win', module: string, program: string): string {
  for (const file of [
    'main/main.js',
    'main/engine.js',
    'main/keychain.js',
    'preload/preload.cjs',
    'renderer/index.html',
    'licences.txt',
    'cli.js',
    'packages.json',
  ])
    put(`${system}/dist/${file}`)
  for (const file of ['slipway.cjs', program, `${dirname(program)}/LICENSE.node.txt`])
    put(`${system}/dist/program/${file}`)
  const app = project(join(home, system), join(home, system, 'dist'))
  const native = join(app, 'node_modules/@napi-rs')
  for (const name of readdirSync(native))
    if (name.startsWith('keyring-')) rmSync(join(native, name), { recursive: true })
  const at = `${system}/app/node_modules/@napi-rs/keyring-${module}`
  put(`${at}/keyring.${module}.node`)
  put(`${at}/package.json`, JSON.stringify({ name: `@napi-rs/keyring-${module}`, version }))
  return app
}

const UNPACKED = (module: string, program: string): string[] =>
  [
    'cli/LICENSE.node.txt',
    `cli/${program}`,
    'dist/licences.txt',
    'dist/main/engine.js',
    'dist/main/keychain.js',
    `node_modules/@napi-rs/keyring-${module}/keyring.${module}.node`,
    `node_modules/@napi-rs/keyring-${module}/package.json`,
    ...['LICENSE', 'index.js', 'keytar.js', 'package.json'].map(
      (file) => `node_modules/@napi-rs/keyring/${file}`,
    ),
  ].toSorted()

interface Resources {
  NtExecutable: { createEmpty(is32Bit: boolean, isDll: boolean): { generate(): ArrayBuffer } }
  NtExecutableResource: {
    from(program: object): { readonly entries: object[]; outputResource(program: object): void }
  }
  Resource: {
    VersionInfo: {
      create(
        lang: number,
        fixed: object,
        strings: object[],
      ): { outputToResourceEntries(entries: object[]): void }
    }
  }
}

/**
 * The smallest Windows program that electron-builder accepts. It reads the program's version and writes the
 * archive's hash into it.
 */
function emptyProgram(): Buffer {
  const inBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
  const { NtExecutable, NtExecutableResource, Resource } = createRequire(
    inBuilder.resolve('app-builder-lib'),
  )('resedit') as Resources
  const program = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(program)
  Resource.VersionInfo.create(1033, {}, [
    { lang: 1033, codepage: 1200, values: { ProductName: 'Electron' } },
  ]).outputToResourceEntries(resources.entries)
  resources.outputResource(program)
  return Buffer.from(program.generate())
}

function plist(name: string): string {
  const keys = { CFBundleExecutable: name, CFBundleIdentifier: 'com.example.electron', CFBundleName: name }
  const lines = Object.entries(keys).map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
  return `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>${lines.join('')}</dict></plist>`
}

describe.runIf(process.platform === 'linux')('packages for other systems (slow)', () => {
  afterAll(() => {
    rmSync(home, { recursive: true, force: true })
  })

  it('Windows: the app is slipway-desktop.exe, the command line slipway.exe, with what edits the PATH', async () => {
    for (const file of ['LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak']) put(`electron-win/${file}`)
    put('electron-win/version', pkg.devDependencies.electron)
    put('electron-win/electron.exe', emptyProgram())
    mkdirSync(join(home, 'electron-win/resources'))
    const app = projectFor('win', 'win32-x64-msvc', 'win-x64/slipway.exe')
    await pack({
      app,
      electron: join(home, 'electron-win'),
      system: 'win',
      targets: ['dir'],
      processor: 'x64',
    })
    const folder = join(app, 'out/win-unpacked')
    expect(readdirSync(folder).filter((name) => name.endsWith('.exe'))).toEqual(['slipway-desktop.exe'])
    expect(filesBelow(join(folder, 'resources/app.asar.unpacked'))).toEqual(
      UNPACKED('win32-x64-msvc', 'slipway.exe'),
    )
    expect([...readAsar(join(folder, 'resources/app.asar')).inside.keys()]).toEqual(
      expect.arrayContaining(['dist/main/main.js', 'LICENSE']),
    )
    // The installer runs this script with the folder of the command line, both under these paths.
    const installer = readFileSync(join(app, 'assets/windows/installer.nsh'), 'utf8')
    expect(installer).toContain('"$INSTDIR\\resources\\path.ps1"')
    expect(installer).toContain('"$INSTDIR\\resources\\app.asar.unpacked\\cli"')
    expect(readdirSync(join(folder, 'resources'))).toContain('path.ps1')
    mkdirSync(join(home, 'tools'))
    const { nsis, portable } = await installerDefines(app, folder, join(home, 'tools'))
    expect(nsis).toMatchObject({ APP_ID: 'app.slipway.desktop', VERSION: pkg.version })
    // Where the template copies the installer to, and installer.nsh deletes it.
    expect(nsis).toHaveProperty('APP_INSTALLER_STORE_FILE', 'slipway-updater\\installer.exe')
    expect(installer).toContain('$LOCALAPPDATA\\${APP_INSTALLER_STORE_FILE}')
    // Without a name, portable.nsi unpacks into a folder of this start. In one for all starts, a second start
    // would delete the program that the first one runs.
    expect(portable).toMatchObject({ APP_ID: 'app.slipway.desktop', VERSION: pkg.version })
    expect(portable).not.toHaveProperty('UNPACK_DIR_NAME')
  })

  it('macOS: the app holds the command line where its menu and Homebrew look for it', async () => {
    for (const file of ['LICENSE', 'LICENSES.chromium.html', 'Electron.app/Contents/MacOS/Electron'])
      put(`electron-mac/${file}`)
    put('electron-mac/version', pkg.devDependencies.electron)
    put('electron-mac/Electron.app/Contents/Info.plist', plist('Electron'))
    put('electron-mac/Electron.app/Contents/Resources/electron.icns')
    for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
      const helper = `electron-mac/Electron.app/Contents/Frameworks/Electron Helper${kind}.app/Contents`
      put(`${helper}/Info.plist`, plist(`Electron Helper${kind}`))
      put(`${helper}/MacOS/Electron Helper${kind}`)
    }
    const app = projectFor('mac', 'darwin-arm64', 'mac-arm64/slipway')
    await pack({
      app,
      electron: join(home, 'electron-mac'),
      system: 'mac',
      targets: ['dir'],
      processor: 'arm64',
    })
    const contents = join(app, 'out/mac-arm64/Slipway.app/Contents')
    expect(readdirSync(join(contents, 'MacOS'))).toEqual(['Slipway'])
    expect(filesBelow(join(contents, 'Resources/app.asar.unpacked'))).toEqual(
      UNPACKED('darwin-arm64', 'slipway'),
    )
    const info = readFileSync(join(contents, 'Info.plist'), 'utf8')
    for (const text of [
      'app.slipway.desktop',
      'public.folder',
      'ElectronAsarIntegrity',
      'public.app-category.productivity',
    ])
      expect(info).toContain(text)
    expect(readdirSync(join(contents, 'Resources'))).not.toContain('path.ps1')
  })

  itNeeding(
    'packagers',
    'macOS: the .zip holds that app as it is, with its links and what may be run',
    async () => {
      const app = join(home, 'mac/app')
      const folder = join(app, 'out/mac-arm64')
      // As in Electron's framework: macOS takes no signature where this link has become a folder.
      const framework = join(folder, 'Slipway.app/Contents/Frameworks/Electron Framework.framework/Versions')
      mkdirSync(join(framework, 'A'), { recursive: true })
      writeFileSync(join(framework, 'A/Electron Framework'), 'x')
      symlinkSync('A', join(framework, 'Current'))
      for (const file of ['MacOS/Slipway', 'Resources/app.asar.unpacked/cli/slipway'])
        chmodSync(join(folder, 'Slipway.app/Contents', file), 0o755)
      const prepackaged = join(folder, 'Slipway.app')
      await pack({
        app,
        electron: join(home, 'electron-mac'),
        system: 'mac',
        targets: ['zip'],
        processor: 'arm64',
        prepackaged,
      })
      const unzipped = join(home, 'unzipped')
      mkdirSync(unzipped)
      execFileSync('bsdtar', ['-xf', join(app, `out/slipway-${pkg.version}-mac-arm64.zip`), '-C', unzipped])
      expect(readdirSync(unzipped)).toEqual(['Slipway.app'])
      expect(hashes(unzipped)).toEqual(hashes(folder))
      expect(readlinkSync(join(unzipped, relative(folder, framework), 'Current'))).toBe('A')
      const runs = (top: string): boolean[] =>
        ['MacOS/Slipway', 'Resources/app.asar.unpacked/cli/slipway', 'Info.plist'].map(
          (file) => (statSync(join(top, 'Slipway.app/Contents', file)).mode & 0o111) !== 0,
        )
      expect(runs(unzipped)).toEqual([true, true, false])
    },
  )
})
