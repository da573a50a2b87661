// Who updates which installation, and how each system gets a package, decided from plain facts. The system's
// own programs are stubbed. Other tests install real AppImages.
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { checkPublisher } from '../../../src-main/shell/updates/authenticode.ts'
import { createInstaller, type InstallerParts } from '../../../src-main/shell/updates/installer.ts'
import { type InstallFacts, whoUpdates } from '../../../src-main/shell/updates/source.ts'
import { REAL_DISK } from '../../../src-main/shell/updates/update-disk.ts'
import { tempFolder } from '../../world/temp-folder.ts'
import { keyPair } from './world.ts'

const BUILD = {
  feed: 'https://slipway.example/updates.json',
  key: keyPair().pinned,
  publisher: 'CN=The Slipway authors',
}
const PROGRAM = '/tmp/.mount_Slip/slipway-desktop'
const FACTS: InstallFacts = {
  platform: 'linux',
  isPackaged: true,
  env: {},
  program: PROGRAM,
  packageType: null,
  hasCask: false,
  build: BUILD,
}
const APPIMAGE = { APPIMAGE: '/home/ada/Slipway.AppImage', APPDIR: '/tmp/.mount_Slip' }
const PORTABLE = { PORTABLE_EXECUTABLE_FILE: 'D:\\slipway.exe', PORTABLE_EXECUTABLE_APP_FILENAME: 'slipway' }

describe('who updates', () => {
  it.each<[string, Partial<InstallFacts>, unknown]>([
    ['a .deb', { packageType: 'deb\n' }, { at: 'manager', manager: 'deb' }],
    ['an .rpm', { packageType: 'rpm' }, { at: 'manager', manager: 'rpm' }],
    ['a pacman package', { packageType: 'pacman' }, { at: 'manager', manager: 'pacman' }],
    ['a package of the AUR', { packageType: 'aur' }, { at: 'manager', manager: 'aur' }],
    ['a package nobody knows', { packageType: 'xbps' }, { at: 'manager', manager: 'package' }],
    [
      'a snap, even of a .deb',
      { env: { SNAP: '/snap/slipway/1' }, program: '/snap/slipway/1/slipway-desktop', packageType: 'deb' },
      { at: 'manager', manager: 'snap' },
    ],
    [
      'a flatpak, made of a .deb',
      {
        env: { FLATPAK_ID: 'app.slipway.Slipway' },
        program: '/app/slipway/slipway-desktop',
        packageType: 'deb',
      },
      { at: 'manager', manager: 'flatpak' },
    ],
    ['winget', { platform: 'win32', packageType: 'winget' }, { at: 'manager', manager: 'winget' }],
    ['Homebrew', { platform: 'darwin', hasCask: true }, { at: 'manager', manager: 'homebrew' }],
    ['a .deb without a source', { packageType: 'deb', build: null }, { at: 'manager', manager: 'deb' }],
    ['the portable program', { platform: 'win32', env: PORTABLE }, { at: 'portable' }],
    ['an AppImage without a source', { env: APPIMAGE, build: null }, { at: 'no-source' }],
    ['a source of another form', { env: APPIMAGE, build: { feed: 'updates' } }, { at: 'no-source' }],
    [
      'a source without encryption',
      { env: APPIMAGE, build: { ...BUILD, feed: 'http://slipway.example/u' } },
      { at: 'no-source' },
    ],
    [
      'a source on this machine',
      { env: APPIMAGE, build: { ...BUILD, feed: 'http://127.0.0.1/u' } },
      { at: 'no-source' },
    ],
    [
      'one elsewhere, unpackaged',
      { isPackaged: false, env: APPIMAGE, build: { ...BUILD, feed: 'http://a.example/u' } },
      { at: 'no-source' },
    ],
    ['an unpacked folder', {}, { at: 'no-source' }],
    [
      'a .deb started by a snap',
      { env: { SNAP: '/snap/code/1' }, packageType: 'deb' },
      { at: 'manager', manager: 'deb' },
    ],
    [
      'a folder started by an AppImage',
      { env: APPIMAGE, program: '/opt/Slipway/slipway-desktop' },
      { at: 'no-source' },
    ],
    ['a relative AppImage', { env: { ...APPIMAGE, APPIMAGE: 'Slipway.AppImage' } }, { at: 'no-source' }],
    [
      'Windows without a publisher',
      { platform: 'win32', build: { feed: BUILD.feed, key: BUILD.key } },
      { at: 'no-source' },
    ],
    ['another system', { platform: 'freebsd' }, { at: 'no-source' }],
  ])('%s: not Slipway', (_name, facts, step) => {
    expect(whoUpdates({ ...FACTS, ...facts })).toEqual({ kind: 'other', step })
  })

  it.each<[string, Partial<InstallFacts>, unknown]>([
    ['an AppImage', { env: APPIMAGE }, { kind: 'appimage', file: APPIMAGE.APPIMAGE }],
    ['Windows’ installer', { platform: 'win32' }, { kind: 'nsis', publisher: BUILD.publisher }],
    [
      'an installation started by another portable program',
      { platform: 'win32', env: { ...PORTABLE, PORTABLE_EXECUTABLE_APP_FILENAME: 'other' } },
      { kind: 'nsis', publisher: BUILD.publisher },
    ],
    ['macOS', { platform: 'darwin' }, { kind: 'squirrel' }],
  ])('%s: itself', (_name, facts, way) => {
    expect(whoUpdates({ ...FACTS, ...facts })).toMatchObject({
      kind: 'self',
      source: { way, key: BUILD.key },
    })
  })

  it('a build that isn’t packaged takes a feed of this machine', () => {
    const build = { ...BUILD, feed: 'http://127.0.0.1:9/updates.json' }
    expect(whoUpdates({ ...FACTS, isPackaged: false, env: APPIMAGE, build }).kind).toBe('self')
  })
})

function packageFile(): { readonly file: string; readonly sha512: string; readonly bytes: number } {
  const dir = tempFolder()
  const file = join(dir, 'package')
  writeFileSync(file, 'a package')
  return { file, sha512: createHash('sha512').update('a package').digest('hex'), bytes: 9 }
}

const parts = (more: Partial<InstallerParts>): InstallerParts => ({
  disk: REAL_DISK,
  quitAndStart: () => undefined,
  leaveToInstaller: () => undefined,
  quitting: () => undefined,
  run: () => Promise.reject(new Error('nothing to run')),
  native: () => {
    throw new Error('not on this system')
  },
  ...more,
})

describe('Windows', () => {
  const said = (status: string, subject: string): string => `\uFEFF${JSON.stringify({ status, subject })}\r\n`

  it.each([
    ['an unsigned installer', said('NotSigned', '')],
    ['a changed installer', said('HashMismatch', BUILD.publisher)],
    ['a certificate that nobody trusts', said('UnknownError', BUILD.publisher)],
    ['another publisher', said('Valid', 'CN=Somebody else')],
    ['a publisher whose name holds ours', said('Valid', `${BUILD.publisher} and others`)],
    ['no answer', ''],
    ['an error instead of an answer', 'Get-AuthenticodeSignature : not recognized'],
  ])('doesn’t run %s', async (_name, answer) => {
    await expect(checkPublisher('C:\\x.exe', BUILD.publisher, async () => answer)).rejects.toMatchObject({
      fault: 'unsigned',
    })
  })

  it('runs an installer that is signed by any of several publishers, so that a certificate can be renewed', async () => {
    const publishers = [BUILD.publisher, 'CN=The Slipway authors, O=Renewed']
    for (const subject of publishers)
      await checkPublisher('C:\\x.exe', publishers, async () => said('Valid', subject))
    const other = checkPublisher('C:\\x.exe', publishers, async () => said('Valid', publishers.join('')))
    await expect(other).rejects.toMatchObject({ fault: 'unsigned' })
  })

  it('asks PowerShell without what its constrained mode forbids', async () => {
    let script = ''
    await checkPublisher('C:\\x.exe', BUILD.publisher, async (_file, args) => {
      script = args.at(-1) ?? ''
      return said('Valid', BUILD.publisher)
    })
    // Calls of methods, and assignments to properties outside of a `try`.
    expect(script.replace(/try \{.*?\} catch \{ \}/, '')).not.toMatch(/\.\w+\(|\]::|\w\.\w+ =/)
  })

  it('doesn’t run an installer where PowerShell fails', async () => {
    const failing = checkPublisher('C:\\x.exe', BUILD.publisher, () => Promise.reject(new Error('timed out')))
    await expect(failing).rejects.toMatchObject({ fault: 'unsigned' })
  })

  it('runs a signed installer without its window, after checking its bytes again', async () => {
    const { file, ...update } = packageFile()
    const started: unknown[] = []
    const asked: string[] = []
    const installer = createInstaller(
      { kind: 'nsis', publisher: BUILD.publisher },
      parts({
        quitAndStart: (program, args) => started.push([program, ...args]),
        leaveToInstaller: () => started.push('left to the installer'),
        run: async (_program, args, env) => {
          asked.push(env['SLIPWAY_INSTALLER'] ?? '')
          expect(args.join(' ')).not.toContain(file)
          return said('Valid', BUILD.publisher)
        },
      }),
    )
    await installer.prepare(file, update)
    expect(asked).toEqual([file])
    await installer.commit(file)
    expect(started).toEqual(['left to the installer', [file, '--updated', '/S', '--force-run']])
    writeFileSync(file, 'b package')
    await expect(installer.prepare(file, update)).rejects.toMatchObject({ fault: 'damaged' })
  })
})

describe('macOS', () => {
  /** Takes the package as Squirrel.Mac does: requests its URL, then reads it. */
  class Squirrel extends EventEmitter {
    got = ''
    installs = 0
    #url = ''
    readonly #error: Error | null

    constructor(error: Error | null = null) {
      super()
      this.#error = error
    }

    setFeedURL({ url }: { readonly url: string }): void {
      this.#url = url
    }

    checkForUpdates(): void {
      void (async () => {
        const { url } = (await (await fetch(this.#url)).json()) as { readonly url: string }
        expect((await fetch(new URL('/', this.#url))).status).toBe(404)
        this.got = await (await fetch(url)).text()
        if (this.#error === null) this.emit('update-downloaded')
        else this.emit('error', this.#error)
      })()
    }

    quitAndInstall(): void {
      this.installs++
    }
  }

  it('Squirrel gets the checked package and installs it', async () => {
    const { file, ...update } = packageFile()
    const squirrel = new Squirrel()
    const leaveToInstaller = vi.fn(() => expect(squirrel.installs).toBe(0))
    const installer = createInstaller(
      { kind: 'squirrel' },
      parts({ native: () => squirrel, leaveToInstaller }),
    )
    await installer.prepare(file, update)
    expect(squirrel.got).toBe('a package')
    expect(squirrel.installs).toBe(0)
    await installer.commit(file)
    expect(squirrel.installs).toBe(1)
    expect(leaveToInstaller).toHaveBeenCalledOnce()
    expect(squirrel.eventNames()).toEqual([])
  })

  it.each([
    ['unsigned', 'did not pass validation', 'SQRLCodeSignatureErrorDomain', -1],
    ['damaged', 'ditto: Couldn’t read pkzip signature.', 'SQRLZipArchiverErrorDomain', 1],
    ['disk-full', 'ditto: /x: No space left on device', 'SQRLZipArchiverErrorDomain', 1],
    ['disk-full', 'Could not create temporary directory', 'NSPOSIXErrorDomain', 28],
    ['disk-full', 'The file couldn’t be saved.', 'NSCocoaErrorDomain', 640],
    ['disk', 'Could not create temporary directory', 'NSPOSIXErrorDomain', 13],
    ['disk', 'The network connection was lost.', 'NSURLErrorDomain', -1005],
    ['read-only', 'Cannot update while running on a read-only volume', 'SQRLUpdaterErrorDomain', 8],
    ['damaged', 'Could not locate update bundle', 'SQRLUpdaterErrorDomain', 2],
    ['not-installed', 'Could not launch ShipIt', 'SQRLShipItLauncherErrorDomain', 1],
    ['not-installed', 'Could not get code signature for running application', undefined, undefined],
  ])(
    'says what it was if Squirrel doesn’t take the package: %s, %s',
    async (fault, message, domain, code) => {
      const { file, ...update } = packageFile()
      const error = Object.assign(new Error(message), domain === undefined ? {} : { domain, code })
      const installer = createInstaller({ kind: 'squirrel' }, parts({ native: () => new Squirrel(error) }))
      await expect(installer.prepare(file, update)).rejects.toMatchObject({
        fault,
        message: domain === undefined ? message : `${message} (${domain} ${code})`,
      })
    },
  )

  it('a changed package isn’t offered to Squirrel', async () => {
    const { file, bytes } = packageFile()
    const installer = createInstaller({ kind: 'squirrel' }, parts({}))
    await expect(installer.prepare(file, { bytes, sha512: '0'.repeat(128) })).rejects.toMatchObject({
      fault: 'damaged',
    })
  })
})
