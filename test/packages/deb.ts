// What is in the .deb, read by dpkg's own tools and from the folder that it was unpacked into.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { COMMANDS } from '../../src-main/cli/argument-mistakes.ts'
import { readTree } from '../tools/tree.ts'
import { filesBelow } from './files.ts'

const PROGRAM = 'opt/Slipway/resources/app.asar.unpacked/cli/slipway'

export function describeDeb(given: () => { readonly deb: string; readonly root: string }): void {
  describe('the .deb', () => {
    let root = ''
    beforeAll(() => {
      ;({ root } = given())
    })

    it('says what it is, what it needs, and who to write to', () => {
      const fields = execFileSync('dpkg-deb', ['--field', given().deb], { encoding: 'utf8' })
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
      const modes = files
        .filter((file) => !lstatSync(join(root, file)).isSymbolicLink())
        .map((file) => statSync(join(root, file)).mode)
      expect(
        modes.filter((mode) => (mode & 0o022) !== 0 || (mode & 0o444) !== 0o444 || (mode & 0o6000) !== 0),
      ).toEqual([])
    })

    it('puts the command line on PATH, not the app', () => {
      const link = join(root, 'usr/bin/slipway')
      expect(readdirSync(join(root, 'usr/bin'))).toEqual(['slipway'])
      expect(realpathSync(link)).toBe(join(root, PROGRAM))
      expect(readlinkSync(link)).toBe(`../../${PROGRAM}`)
      // The app's own program isn't in usr/bin, because only this script links it there when the package is
      // installed.
      const script = execFileSync('dpkg-deb', ['--info', given().deb, 'postinst'], { encoding: 'utf8' })
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
      expect(sizes.toSorted()).toEqual([
        '1024x1024',
        '128x128',
        '16x16',
        '256x256',
        '32x32',
        '48x48',
        '512x512',
        '64x64',
      ])
      for (const size of sizes)
        expect(existsSync(join(root, 'usr/share/icons/hicolor', size, 'apps/slipway-desktop.png'))).toBe(true)
    })

    it('has a unit that starts what is installed', () => {
      const unit = readFileSync(join(root, 'usr/lib/systemd/user/slipway-watch@.service'), 'utf8')
      expect(unit).toContain(' exec /usr/bin/slipway watch ')
      expect(unit).toBe(readTree('assets/linux/slipway-watch@.service'))
      expect(existsSync(join(root, 'usr/share/man/man1/slipway-watch.1.gz'))).toBe(true)
    })

    it('has completions that their shell accepts, and the entry of software centres', () => {
      expect(
        spawnSync('bash', ['-n', join(root, 'usr/share/bash-completion/completions/slipway')]).status,
      ).toBe(0)
      expect(readFileSync(join(root, 'usr/share/zsh/vendor-completions/_slipway'), 'utf8')).toMatch(
        /^#compdef slipway$/m,
      )
      expect(readFileSync(join(root, 'usr/share/fish/vendor_completions.d/slipway.fish'), 'utf8')).toContain(
        'complete -c slipway',
      )
      const metainfo = readFileSync(join(root, 'usr/share/metainfo/app.slipway.Slipway.metainfo.xml'), 'utf8')
      expect(metainfo).toContain('<launchable type="desktop-id">slipway.desktop</launchable>')
    })

    it('has a manual page for every command', () => {
      const pages = readdirSync(join(root, 'usr/share/man/man1'))
      expect(pages.toSorted()).toEqual(
        ['slipway.1.gz', ...COMMANDS.map((name) => `slipway-${name}.1.gz`)].toSorted(),
      )
      for (const page of pages)
        expect(gunzipSync(readFileSync(join(root, 'usr/share/man/man1', page))).toString()).toContain(
          '\n.SH SYNOPSIS\n',
        )
    })

    it('brings the licences of all that is inside', () => {
      expect(readFileSync(join(root, 'usr/share/doc/slipway/copyright'), 'utf8')).toContain('MIT License')
      expect(readFileSync(join(root, 'opt/Slipway/resources/package-type'), 'utf8')).toBe('deb\n')
      const unpacked = join(root, 'opt/Slipway/resources/app.asar.unpacked')
      expect(readFileSync(join(unpacked, 'dist/licences.txt'), 'utf8')).toContain('\nreact ')
      expect(readFileSync(join(unpacked, 'cli/LICENSE.node.txt'), 'utf8')).toContain('Node.js is licensed')
    })
  })
}
