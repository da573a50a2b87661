// Makes packages for tests as a release does, from the sources to electron-builder's output, but with a
// stand-in for Electron's binary and without downloads. Therefore two things stay untested: the fuses, whose
// marker the stand-in lacks, and the binary itself. around.ts makes packages with a binary.
import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { makeProgram } from '../../assets/packaging/program.ts'
import { writeSystemFiles } from '../../assets/packaging/system-files.ts'
import { writeUpdateSource } from '../../assets/packaging/update-source.ts'
import pkg from '../../package.json' with { type: 'json' }
import { ROOT } from '../tools/tree.ts'
import { buildSources } from './containerfile.ts'

const run = promisify(execFile)
const require = createRequire(import.meta.url)

/**
 * `vite build --app`, but the link `node_modules` isn't resolved: comments in the build name packages by
 * their path from the working directory, which must not depend on where the repository is.
 */
const BUILD = `
  import { createBuilder } from 'vite'
  const builder = await createBuilder({ configFile: 'vite.config.ts', resolve: { preserveSymlinks: true } })
  await builder.buildApp()`

/**
 * Builds the sources in a separate folder, so that no other test sees a half-written build. The folder has
 * only what the container file copies, because the image can be built nowhere in the tests. Returns the
 * folder of the build.
 */
export async function build(home: string, options: { readonly strip?: boolean } = {}): Promise<string> {
  const at = join(home, 'sources')
  for (const one of buildSources()) cpSync(join(ROOT, one), join(at, one), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(at, 'node_modules'), 'junction')
  await run(process.execPath, ['--input-type=module', '--eval', BUILD], {
    cwd: at,
    // The test runner's value would cause a development build.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const dist = join(at, 'dist')
  await makeProgram(dist, options)
  writeSystemFiles(ROOT, join(dist, 'system'))
  writeUpdateSource(dist, {})
  return dist
}

/**
 * Creates in `home` what electron-builder packs: the project's configuration, the build, and the production
 * packages.
 */
export function project(home: string, dist: string): string {
  const app = join(home, 'app')
  for (const file of ['package.json', 'package-lock.json', 'electron-builder.yml', 'LICENSE', 'assets'])
    cpSync(join(ROOT, file), join(app, file), { recursive: true })
  cpSync(dist, join(app, 'dist'), { recursive: true, verbatimSymlinks: true })
  // Files that a working copy also contains but a package must not.
  for (const file of ['src-main/shell/main.ts', 'test/unit/a.test.ts', '.env', 'dist/main/main.js.map']) {
    mkdirSync(dirname(join(app, file)), { recursive: true })
    writeFileSync(join(app, file), '')
  }
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; devOptional?: true }>
  }
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev === true || devOptional === true || !existsSync(join(ROOT, path))) continue
    cpSync(join(ROOT, path), join(app, path), { recursive: true })
  }
  return app
}

/**
 * A stand-in for Electron's binary for Linux: the files that electron-builder copies, renames and examines.
 * It prints its arguments, Slipway's variables and the key passed to it.
 */
export function standInForLinux(home: string): string {
  const electron = join(home, 'electron')
  for (const one of ['resources', 'locales']) mkdirSync(join(electron, one), { recursive: true })
  for (const program of ['electron', 'chrome-sandbox']) {
    writeFileSync(
      join(electron, program),
      '#!/bin/sh\nprintf "%s\\n" "$0" "$@"\nenv | grep ^SLIPWAY_\n[ -z "$SLIPWAY_API_KEY_FD" ] || cat <&9\n',
    )
    chmodSync(join(electron, program), 0o755)
  }
  writeFileSync(join(electron, 'version'), pkg.devDependencies.electron)
  for (const file of ['LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak'])
    writeFileSync(join(electron, file), '')
  return electron
}

/**
 * electron-builder's tools for AppImages, of which Debian has all but the runtime and the libraries that go
 * along. Returns the folder.
 */
function standInForAppImage(tools: string): string {
  rmSync(tools, { recursive: true, force: true })
  for (const folder of ['runtimes', `lib/${process.arch}`])
    mkdirSync(join(tools, folder), { recursive: true })
  writeFileSync(join(tools, `lib/${process.arch}/library.so`), '')
  symlinkSync('/usr/bin/mksquashfs', join(tools, 'mksquashfs'))
  writeFileSync(join(tools, 'desktop-file-validate'), '')
  // The squashfs begins right behind the runtime.
  const runtime = readFileSync(join(import.meta.dirname, 'appimage-runtime.sh'))
  writeFileSync(
    join(tools, `runtimes/runtime-${process.arch}`),
    Buffer.concat([runtime, Buffer.alloc(4096 - runtime.length, '\n')]),
  )
  return tools
}

interface Packing {
  readonly app: string
  /** The folder of the stand-in. */
  readonly electron: string
  readonly system: 'linux' | 'mac' | 'win'
  readonly targets: readonly ('dir' | 'deb' | 'rpm' | 'pacman' | 'AppImage' | 'zip')[]
  readonly processor: string
  /** A folder that was filled before; it is made into packages as it is. */
  readonly prepackaged?: string
  /** Instead of the project's. */
  readonly version?: string
  /** Electron's own binary is in the folder, and it isn't the one that package.json pins. */
  readonly real?: { readonly version: string; readonly format: 'es' | 'cjs' }
}

/**
 * What a release's date is in tests: where a format has a place for a time, it is this one, and packages can
 * be compared.
 */
const RELEASED = '1780000000'

/** Runs electron-builder and resolves to its output. If it fails, rejects with an error that has `stdout`. */
export function pack({
  app,
  electron,
  system,
  targets,
  processor,
  prepackaged,
  version,
  real,
}: Packing): Promise<{ stdout: string }> {
  writeFileSync(
    join(app, 'packed.json'),
    JSON.stringify({
      extends: './electron-builder.yml',
      electronDist: electron,
      electronVersion: real?.version ?? pkg.devDependencies.electron,
      ...(real === undefined ? { electronFuses: null } : {}),
      // Signing and editing the resources of Windows programs need tools that would be downloaded.
      mac: { identity: null },
      win: { signAndEditExecutable: false },
      // The default compression takes a minute for the two programs inside.
      deb: { compression: 'gz' },
      pacman: { compression: 'gz' },
      appImage: { compression: 'gzip' },
      extraMetadata: {
        ...(version === undefined ? {} : { version }),
        ...(real?.format === 'cjs' ? { type: 'commonjs' } : {}),
      },
    }),
  )
  const cli = join(dirname(require.resolve('electron-builder/package.json')), 'cli.js')
  const from = prepackaged === undefined ? [] : ['--prepackaged', prepackaged]
  return run(
    process.execPath,
    [cli, `--${system}`, ...targets, `--${processor}`, ...from, '--config', 'packed.json'],
    {
      cwd: app,
      env: {
        ...process.env,
        PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
        SOURCE_DATE_EPOCH: RELEASED,
        CUSTOM_FPM_PATH: join(import.meta.dirname, 'fpm.ts'),
        APPIMAGE_TOOLS_PATH: standInForAppImage(join(app, 'tools')),
        ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7za',
      },
    },
  )
}

/**
 * What electron-builder would give makensis to compile the installer and the portable program for x64, by
 * target. Compiles neither, because that needs downloads. `folder`: the app as `pack` has filled it. `tools`:
 * an empty folder for stand-ins.
 */
export async function installerDefines(
  app: string,
  folder: string,
  tools: string,
): Promise<Record<string, Record<string, string>>> {
  const zip = join(tools, '7za')
  writeFileSync(zip, '#!/bin/sh\nfor file; do case $file in *.7z) : >"$file" ;; esac; done\n')
  chmodSync(zip, 0o755)
  writeFileSync(join(tools, 'elevate.exe'), '')
  const script = `
    import { createRequire } from 'node:module'
    const { build, Platform, Arch } = createRequire(${JSON.stringify(import.meta.url)})('electron-builder')
    const seen = {}
    for (const target of ['nsis', 'portable'])
      await build({
        projectDir: ${JSON.stringify(app)},
        config: 'packed.json',
        prepackaged: ${JSON.stringify(folder)},
        targets: Platform.WINDOWS.createTarget([target], Arch.x64),
        effectiveOptionComputed: async ([defines]) => ((seen[target] = defines), true),
      })
    console.log(JSON.stringify(seen))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: app,
    env: { ...process.env, ELECTRON_BUILDER_7ZIP_PATH: zip, ELECTRON_BUILDER_NSIS_DIR: tools },
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, Record<string, string>>
}

/** The folder that electron-builder has filled. */
export function unpackedFolder(app: string): string {
  return join(app, 'out', process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`)
}
