// Slow (about a minute): builds Slipway twice in two folders, and makes every package for Linux of it with
// the project's configuration. Examines and installs all of them; linux.test.ts does so for the contents of
// the .deb. pack.ts describes what is replaced by a stand-in.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { describeNeeding } from '../tools/needing.ts'
import { hashes, sha256 } from './files.ts'
import { describeFormats } from './formats.ts'
import { describeInstalling } from './installing.ts'
import { type Made, packagesIn, packLater, sharedFolders } from './made.ts'
import { build, pack, project, standInForLinux, unpackedFolder } from './pack.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-packages-')))
const OTHER = process.arch === 'x64' ? 'arm64' : 'x64'

describeNeeding(['binutils', 'dpkg', 'packagers'], 'packages for Linux (slow)', () => {
  const first = join(home, 'first')
  const second = join(home, 'in', 'another', 'place')
  const electron = standInForLinux(home)
  let app = ''
  let folder = ''
  let made: Made

  beforeAll(async () => {
    app = project(first, await build(first))
    const as = { electron, system: 'linux', processor: process.arch } as const
    const targets = ['deb', 'rpm', 'pacman', 'AppImage'] as const
    const packed = pack({ ...as, app, targets })
    const again = build(second).then((dist) => pack({ ...as, app: project(second, dist), targets }))
    await Promise.all([packed, again])
    folder = unpackedFolder(app)
    const at = join(home, 'made')
    mkdirSync(at)
    made = {
      home: at,
      folder,
      files: packagesIn(app, pkg.version),
      later: await packLater(app, at),
      shared: sharedFolders(app),
    }
  }, 600_000)
  afterAll(() => {
    rmSync(home, { recursive: true, force: true })
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
    const version = pkg.dependencies['@napi-rs/keyring']
    await expect(
      pack({ app, electron, system: 'linux', targets: ['dir'], processor: OTHER }),
    ).rejects.toMatchObject({
      stdout: expect.stringContaining(
        `npm install --no-save --force @napi-rs/keyring-linux-${OTHER}-gnu@${version}`,
      ) as string,
    })
  })

  it('has the entry of software centres as their checker wants it', () => {
    const root = join(home, 'root')
    execFileSync('dpkg-deb', ['--extract', made.files.deb, root])
    const { status, stdout } = spawnSync('appstreamcli', ['validate-tree', '--no-net', root], {
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([0, expect.stringContaining('Validation was successful')])
  })

  describeFormats(() => made)
  describeInstalling(() => made)
})
