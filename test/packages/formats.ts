// What is in the .rpm, in pacman's package and in the AppImage, read by the systems' own tools. The .deb is
// in linux.test.ts, and installing.ts installs what can be installed.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { filesBelow, hashes } from './files.ts'
import type { Made } from './made.ts'

const MACHINE = process.arch === 'x64' ? 'x86_64' : 'aarch64'
/** Everything lies below these. */
const PLACES = /^(?:opt\/Slipway|usr\/(?:bin|lib\/systemd\/user|share))\//

function read(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 27 })
}

export function describeFormats(made: () => Made): void {
  describe('the .rpm', () => {
    const query = (...args: readonly string[]): string =>
      read('rpm', '-q', ...args, '--package', made().files.rpm)
    const format = (text: string): string[] => query('--queryformat', text).trim().split('\n')

    it('says what it is, under which licence, and who to write to', () => {
      const [line] = format(
        '%{NAME} %{VERSION}-%{RELEASE} %{ARCH} %{LICENSE}|%{SUMMARY}|%{PACKAGER}|%{URL}\n',
      )
      expect(line).toBe(
        `slipway ${pkg.version}-1 ${MACHINE} MIT|${pkg.description.replace(/\.$/, '')}|The Slipway authors <authors@slipway.example>|https://slipway.example`,
      )
    })

    it('needs what Fedora and openSUSE have, under the name of each', () => {
      const needs = format('[%{REQUIRENAME}\n]').filter((name) => !/^(?:rpmlib\(|\/)/.test(name))
      const either = ['(alsa-lib or libasound2)', '(libXtst or libXtst6)', '(libuuid or libuuid1)']
      const names = ['at-spi2-core', 'gtk3', 'libXScrnSaver', 'libnotify', 'nss', 'xdg-utils']
      expect(needs.toSorted()).toEqual([...either, ...names].toSorted())
    })

    it('holds the app and what the system finds of it, for all to read and nobody but root to write', () => {
      const files = format('[%{FILEMODES:perms} %{FILEUSERNAME} %{FILEGROUPNAME} %{FILENAMES}\n]')
      const links = files.filter((line) => line.startsWith('l'))
      expect(links).toEqual(['lrwxrwxrwx root root /usr/bin/slipway'])
      const others = files.filter((line) => !links.includes(line))
      expect(others.filter((line) => !/^(?:drwxr-xr-x|-rw[x-]r-[x-]r-[x-]) root root \//.test(line))).toEqual(
        [],
      )
      const paths = files.map((line) => line.replace(/^(?:\S+ ){3}\//, ''))
      expect(paths.filter((path) => !PLACES.test(`${path}/`))).toEqual([])
      const inApp = paths.filter((path) => path.startsWith('opt/Slipway/') && lstatSyncIsFile(path))
      expect(inApp.toSorted()).toEqual(
        [...filesBelow(made().folder), 'resources/package-type']
          .map((path) => `opt/Slipway/${path}`)
          .toSorted(),
      )
      expect(paths).toContain('usr/share/licenses/slipway/LICENSE')
    })
    const lstatSyncIsFile = (path: string): boolean => {
      const inFolder = join(made().folder, path.replace('opt/Slipway/', ''))
      return !existsSync(inFolder) || !lstatSync(inFolder).isDirectory()
    }

    it('claims no file that another app with the same Electron or Node has as well', () => {
      expect(format('[%{FILENAMES}\n]').filter((path) => path.includes('.build-id'))).toEqual([])
    })

    it('owns its folders, and none of the system', () => {
      const folders = format('[%{FILEMODES:perms} %{FILENAMES}\n]').filter((line) => line.startsWith('d'))
      const names = folders.map((line) => line.split(' ')[1] ?? '')
      expect(names).toEqual(
        expect.arrayContaining(['/opt/Slipway', '/opt/Slipway/resources', '/usr/share/licenses/slipway']),
      )
      expect(
        names.filter((name) => !/^\/(?:opt\/Slipway|usr\/share\/licenses\/slipway)(?:\/|$)/.test(name)),
      ).toEqual([])
    })

    it('has scripts that a plain shell accepts', () => {
      for (const tag of ['POSTIN', 'POSTUN']) {
        const [program] = format(`%{${tag}PROG}\n`)
        const input = query('--queryformat', `%{${tag}}`)
        expect(program).toBe('/bin/sh')
        expect(input).toContain('/opt/Slipway/slipway-desktop')
        expect(spawnSync('bash', ['--posix', '-n'], { input }).status).toBe(0)
      }
    })
  })

  describe("pacman's package", () => {
    let root = ''
    beforeAll(() => {
      root = join(made().home, 'pacman-unpacked')
      mkdirSync(root)
      execFileSync('bsdtar', ['-xf', made().files.pacman, '-C', root])
    })

    it('says what it is and what it needs, as pacman reads it', () => {
      const said = read('pacman', '--query', '--info', '--file', made().files.pacman)
      const field = (name: string): string | undefined => new RegExp(`^${name} *: (.*)$`, 'm').exec(said)?.[1]
      expect([field('Name'), field('Version'), field('Architecture'), field('Licenses')]).toEqual([
        'slipway',
        `${pkg.version}-1`,
        MACHINE,
        'MIT',
      ])
      expect(field('Description')).toBe(pkg.description.replace(/\.$/, ''))
      expect(field('Install Script')).toBe('Yes')
      const needs = [
        'alsa-lib',
        'at-spi2-core',
        'gtk3',
        'libnotify',
        'libxss',
        'libxtst',
        'nss',
        'util-linux-libs',
        'xdg-utils',
      ]
      expect(field('Depends On')?.split(/\s+/)).toEqual(needs)
    })

    it('lists each of its files with its rights in .MTREE, and has scripts that its shell accepts', () => {
      const listed = gunzipSync(readFileSync(join(root, '.MTREE'))).toString()
      const files = filesBelow(root).filter((path) => path !== '.MTREE')
      const missing = files.filter((path) => !listed.includes(`\n./${path.replaceAll(' ', '\\040')} `))
      expect(missing).toEqual([])
      expect(listed).toMatch(/^\/set .*uid=0 gid=0/m)
      expect(files.filter((path) => !path.startsWith('.') && !PLACES.test(path))).toEqual([])
      const script = readFileSync(join(root, '.INSTALL'), 'utf8')
      expect(script.match(/^\w+(?=\(\) \{)/gm)).toEqual(['post_install', 'post_remove'])
      expect(spawnSync('bash', ['-n'], { input: script }).status).toBe(0)
    })
  })

  describe('the AppImage', () => {
    let root = ''
    beforeAll(() => {
      const at = join(made().home, 'appimage')
      mkdirSync(at)
      execFileSync(made().files.AppImage, ['--appimage-extract'], { cwd: at })
      root = join(at, 'squashfs-root')
    })

    it('holds the app as it is in the other packages', () => {
      const { 'resources/apparmor-profile': _profile, ...app } = hashes(made().folder)
      const inside = hashes(root)
      expect(inside).toMatchObject(app)
      const more = Object.keys(inside).filter(
        (file) => !(file in app) && !file.startsWith('usr/share/icons/hicolor/'),
      )
      // The library stands for those that electron-builder adds.
      expect(more).toEqual([
        '.DirIcon',
        'AppRun',
        'slipway-desktop.png',
        'slipway.desktop',
        'usr/lib/library.so',
      ])
    })

    it('has an icon and an entry that lead nowhere outside of it', () => {
      for (const link of ['.DirIcon', 'slipway-desktop.png'])
        expect(realpathSync(join(root, link))).toBe(
          join(root, 'usr/share/icons/hicolor/1024x1024/apps/slipway-desktop.png'),
        )
      const links = filesBelow(root).filter((file) => lstatSync(join(root, file)).isSymbolicLink())
      expect(links).toEqual(['.DirIcon', 'slipway-desktop.png'])
      expect(readdirSync(join(root, 'usr/share/icons/hicolor'))).toHaveLength(8)
      const entry = readFileSync(join(root, 'slipway.desktop'), 'utf8')
      for (const line of [
        'Exec=AppRun %U',
        'Icon=slipway-desktop',
        'StartupWMClass=slipway',
        `X-AppImage-Version=${pkg.version}`,
      ])
        expect(entry).toContain(`\n${line}\n`)
      expect(entry).not.toMatch(/=\//)
      expect(statSync(join(root, 'AppRun')).mode & 0o777).toBe(0o755)
    })

    it('starts the app with the words it is started with, and its command line from within', () => {
      const words = ['a file.txt', '%U', '--hidden']
      const { stdout, status } = spawnSync(made().files.AppImage, words, {
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin' },
      })
      const [program = '', ...given] = stdout.trim().split('\n')
      // Where no namespaces may be made, Chromium can't have its sandbox.
      expect(given.filter((word) => word !== '--no-sandbox')).toEqual(words)
      expect([basename(program), status]).toEqual(['slipway-desktop.bin', 0])
      expect(existsSync(program)).toBe(false)
      expect(read(join(root, 'resources/app.asar.unpacked/cli/slipway'), '--version')).toBe(
        `${pkg.version}\n`,
      )
    })
  })
}
