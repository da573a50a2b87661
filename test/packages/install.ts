// Installs a package for tests on disposable machines: with the system's installer for a .deb and on Windows,
// otherwise by unpacking or copying it into a folder. AppImages and portable programs are started as they
// are.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export interface Installed {
  readonly app: string
  /** Null if the package has no command line that can be started without the app. */
  readonly cli: string | null
  /** Environment variables that `app` needs to start. */
  readonly env: Readonly<Record<string, string>>
  /** Whether this process finds `slipway` on PATH until `remove` is called. */
  readonly onPath: boolean
  remove(): Promise<void>
}

const UNPACKED_CLI = 'resources/app.asar.unpacked/cli'

export function isFor(name: string, platform: NodeJS.Platform): boolean {
  if (platform === 'linux') return /\.(?:AppImage|deb|rpm|pacman)$/.test(name)
  if (platform === 'darwin') return /\.(?:dmg|zip)$/.test(name)
  return platform === 'win32' && name.endsWith('.exe')
}

function run(command: string, args: readonly string[], cwd?: string): void {
  execFileSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    ...(cwd === undefined ? {} : { cwd }),
  })
}

/** Runs a command as root, which hosted machines allow without a password. */
function asRoot(...command: readonly string[]): void {
  const [program = '', ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command]
  run(program, args)
}

export async function install(file: string, folder: string): Promise<Installed> {
  mkdirSync(folder, { recursive: true })
  const remove = async (): Promise<void> =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
  const unpacked = (root: string): Installed => ({
    app: join(root, 'opt/Slipway/slipway-desktop'),
    cli: join(root, 'usr/bin/slipway'),
    env: {},
    onPath: false,
    remove,
  })
  if (file.endsWith('.deb')) {
    asRoot('apt-get', 'install', '-qq', '-y', file)
    return {
      app: '/usr/bin/slipway-desktop',
      cli: '/usr/bin/slipway',
      env: {},
      onPath: true,
      remove: async () => asRoot('apt-get', 'purge', '-qq', '-y', 'slipway'),
    }
  }
  if (file.endsWith('.rpm')) {
    execFileSync('sh', ['-c', 'rpm2cpio "$1" | cpio --extract --make-directories --quiet', 'sh', file], {
      cwd: folder,
      stdio: 'inherit',
    })
    return unpacked(folder)
  }
  if (file.endsWith('.pacman')) {
    run('bsdtar', ['-xf', file], folder)
    return unpacked(folder)
  }
  if (file.endsWith('.AppImage')) {
    chmodSync(file, 0o755)
    run(file, ['--appimage-extract'], folder)
    return {
      app: file,
      cli: join(folder, 'squashfs-root', UNPACKED_CLI, 'slipway'),
      // An AppImage can't be mounted on machines without FUSE.
      env: { APPIMAGE_EXTRACT_AND_RUN: '1' },
      onPath: false,
      remove,
    }
  }
  if (file.endsWith('.dmg') || file.endsWith('.zip')) return { ...installOnMac(file, folder), remove }
  return installOnWindows(file, remove)
}

function installOnMac(file: string, folder: string): Omit<Installed, 'remove'> {
  if (file.endsWith('.zip')) run('ditto', ['-x', '-k', file, folder])
  else {
    const mount = join(folder, 'mount')
    run('hdiutil', ['attach', '-nobrowse', '-readonly', '-mountpoint', mount, file])
    try {
      run('ditto', [join(mount, 'Slipway.app'), join(folder, 'Slipway.app')])
    } finally {
      run('hdiutil', ['detach', mount])
    }
  }
  const contents = join(folder, 'Slipway.app/Contents')
  const app = join(folder, 'Slipway.app')
  // An ad-hoc signature passes, too. Without any signature, no program starts on Apple silicon.
  run('codesign', ['--verify', '--deep', '--strict', app])
  if (process.env['SLIPWAY_SIGNED'] === 'true') {
    // Apple's ticket for what was notarised, and whether macOS would open the app if it were downloaded.
    run('xcrun', ['stapler', 'validate', app])
    run('spctl', ['--assess', '--type', 'execute', '--verbose', app])
  }
  return {
    app: join(contents, 'MacOS/Slipway'),
    cli: join(contents, 'Resources/app.asar.unpacked/cli/slipway'),
    env: {},
    onPath: false,
  }
}

function installOnWindows(file: string, remove: () => Promise<void>): Installed {
  if (file.endsWith('-portable.exe')) return { app: file, cli: null, env: {}, onPath: false, remove }
  run(file, ['/S'])
  const programs = join(process.env['LOCALAPPDATA'] ?? '', 'Programs')
  const folder = readdirSync(programs)
    .map((name) => join(programs, name))
    .find((one) => readdirSync(one).includes('slipway-desktop.exe'))
  if (folder === undefined) throw new Error(`The installer left nothing in ${programs}.`)
  const cli = join(folder, UNPACKED_CLI.replaceAll('/', '\\'))
  if (!userPath().includes(cli)) throw new Error(`The installer didn't put ${cli} on the user's PATH.`)
  return {
    app: join(folder, 'slipway-desktop.exe'),
    cli: join(cli, 'slipway.exe'),
    env: {},
    onPath: false,
    remove: async () => {
      const uninstaller = readdirSync(folder).find((name) => /^uninstall .*\.exe$/i.test(name))
      if (uninstaller === undefined) throw new Error(`There is no uninstaller in ${folder}.`)
      // Without _?= the uninstaller copies itself elsewhere and returns before it is done.
      run(join(folder, uninstaller), ['/S', `_?=${folder}`])
      if (userPath().includes(cli)) throw new Error(`The uninstaller left ${cli} on the user's PATH.`)
      await remove()
    },
  }
}

/** Read from the registry, because a running process doesn't see changes. */
function userPath(): string {
  return spawnSync('reg', ['query', 'HKCU\\Environment', '/v', 'Path'], { encoding: 'utf8' }).stdout
}
