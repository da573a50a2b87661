// The manifests for package managers: each has the format that its repository requires, all describe the
// product in the same way, and none refers to a package that wasn't built. The formats are based on the
// package managers' documentation.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ARCH_DEPENDS, manifests, PRODUCT, type Release } from '../../../assets/packaging/manifests.ts'
import { itNeeding } from '../../tools/needing.ts'
import { readTree } from '../../tools/tree.ts'

/** The YAML parser that electron-builder uses. */
const { load } = createRequire(createRequire(import.meta.url).resolve('electron-builder'))('js-yaml') as {
  load(text: string): unknown
}

const sum = (n: number): string => n.toString(16).padStart(64, '0')
const FILES = [
  'win-x64.exe',
  'win-arm64.exe',
  'mac-x64.dmg',
  'mac-arm64.dmg',
  'linux-amd64.deb',
  'linux-arm64.deb',
]
const RELEASE: Release = {
  version: '1.2.3',
  date: '2026-11-22',
  url: 'https://slipway.example/releases/1.2.3',
  sums: new Map(FILES.map((name, at) => [`slipway-1.2.3-${name}`, sum(at + 1)])),
}
const made = manifests(RELEASE)
const text = (path: string): string => made.get(path) ?? ''

const Url = z.string().regex(/^https:\/\/slipway\.example\/releases\/1\.2\.3\/slipway-1\.2\.3-[\w.-]+$/)
const Sum = z.string().regex(/^[0-9a-f]{64}$/)
const Locale = z.strictObject({
  PackageIdentifier: z.string(),
  PackageVersion: z.literal('1.2.3'),
  PackageLocale: z.string().regex(/^[a-z]{2}-[A-Z]{2}$/),
  Publisher: z.string().min(2).max(256),
  PackageName: z.string().min(2).max(256),
  PackageUrl: z.url().optional(),
  License: z.string().min(3).max(512),
  ShortDescription: z.string().min(3).max(256),
  Description: z.string().min(3).max(10_000).optional(),
  Tags: z.array(z.string().min(1).max(40)).max(16).optional(),
  ManifestType: z.enum(['defaultLocale', 'locale']),
  ManifestVersion: z.literal('1.10.0'),
})

it('no manifest is made while a package is missing', () => {
  for (const name of FILES) {
    const sums = new Map([...RELEASE.sums].filter(([file]) => !file.endsWith(name)))
    expect(() => manifests({ ...RELEASE, sums })).toThrow(`slipway-1.2.3-${name} is missing`)
  }
})

describe('winget', () => {
  const id = 'Slipway.Slipway'
  const read = (part: string): unknown => load(text(`winget/${id}${part}.yaml`))

  it('has a version that names the language it falls back to', () => {
    expect(read('')).toEqual({
      PackageIdentifier: id,
      PackageVersion: '1.2.3',
      DefaultLocale: 'en-US',
      ManifestType: 'version',
      ManifestVersion: '1.10.0',
    })
  })

  it('has installers for both processors, for one person, with the command they bring', () => {
    const Installer = z.strictObject({
      PackageIdentifier: z.literal(id),
      PackageVersion: z.literal('1.2.3'),
      MinimumOSVersion: z.string().regex(/^\d+(\.\d+){0,3}$/),
      InstallerType: z.literal('nullsoft'),
      Scope: z.literal('user'),
      InstallModes: z.array(z.enum(['interactive', 'silent', 'silentWithProgress'])),
      UpgradeBehavior: z.enum(['install', 'uninstallPrevious', 'deny']),
      InstallerSwitches: z.strictObject({ Custom: z.literal('--winget') }),
      Commands: z.array(z.string().max(40)),
      ReleaseDate: z.iso.date(),
      Installers: z.array(
        z.strictObject({
          Architecture: z.enum(['x64', 'arm64']),
          InstallerUrl: Url,
          InstallerSha256: z.string().regex(/^[0-9A-F]{64}$/),
        }),
      ),
      ManifestType: z.literal('installer'),
      ManifestVersion: z.literal('1.10.0'),
    })
    const installer = Installer.parse(read('.installer'))
    expect(installer.Commands).toEqual(['slipway'])
    expect(
      installer.Installers.map((one) => [one.Architecture, one.InstallerUrl.replace(/.*1\.2\.3-/, '')]),
    ).toEqual([
      ['x64', 'win-x64.exe'],
      ['arm64', 'win-arm64.exe'],
    ])
  })

  it('describes the app in English and German', () => {
    expect(Locale.parse(read('.locale.en-US'))).toMatchObject({
      ManifestType: 'defaultLocale',
      ShortDescription: PRODUCT.summary.en,
    })
    expect(Locale.parse(read('.locale.de-DE'))).toMatchObject({
      ManifestType: 'locale',
      ShortDescription: PRODUCT.summary.de,
    })
  })
})

it('Homebrew: a cask with both images, the app and the command line', () => {
  const cask = text('homebrew/slipway.rb')
  expect(cask).toMatch(/^cask "slipway" do\n(?: {2}.*\n|\n)+end\n$/)
  expect(cask).toContain(`arm:   "${sum(4)}"`)
  expect(cask).toContain(`intel: "${sum(3)}"`)
  expect(cask).toContain(
    'url "https://slipway.example/releases/#{version}/slipway-#{version}-mac-#{arch}.dmg"',
  )
  expect(cask).toContain('Contents/Resources/app.asar.unpacked/cli/slipway"')
  // Homebrew refuses descriptions that are longer, end in a full stop, or begin with the name.
  const [, desc = ''] = /^ {2}desc "(.*)"$/m.exec(cask) ?? []
  expect(desc.length).toBeLessThanOrEqual(80)
  expect(desc).toMatch(/^(?!Slipway).*[^.]$/)
})

it('Arch: the pacman package needs what the one of the AUR needs', () => {
  // Without a list of its own it would get electron-builder's, which names a package that Arch has removed.
  const config = load(readTree('electron-builder.yml')) as { pacman: { depends?: unknown } }
  expect(config.pacman.depends).toEqual(ARCH_DEPENDS)
})

describe.runIf(process.platform === 'linux')('AUR', () => {
  const home = mkdtempSync(join(tmpdir(), 'slipway-aur-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, 'PKGBUILD'), text('aur/PKGBUILD'))
  const bash = (script: string): string =>
    execFileSync('bash', ['-euc', `. ./PKGBUILD; ${script}`], { cwd: home, encoding: 'utf8' })

  it('says in .SRCINFO what PKGBUILD says', () => {
    const values = (name: string): string[] => bash(`printf '%s\\n' "\${${name}[@]}"`).trimEnd().split('\n')
    const srcinfo = text('aur/.SRCINFO')
    const listed = (name: string): string[] =>
      [...srcinfo.matchAll(new RegExp(`^\\t${name} = (.*)$`, 'gm'))].map(([, value = '']) => value)
    const names = [
      'pkgdesc',
      'pkgver',
      'pkgrel',
      'url',
      'arch',
      'license',
      'depends',
      'optdepends',
      'provides',
      'conflicts',
      'options',
    ]
    for (const name of [
      ...names,
      'source_x86_64',
      'source_aarch64',
      'sha256sums_x86_64',
      'sha256sums_aarch64',
    ])
      expect([name, listed(name)]).toEqual([name, values(name)])
    expect(srcinfo).toMatch(/^pkgbase = slipway-bin\n/)
    expect(srcinfo).toMatch(/\npkgname = slipway-bin\n$/)
  })

  it('installs what the .deb holds where Arch keeps it', () => {
    const tree = [
      'opt/Slipway/slipway-desktop',
      'opt/Slipway/resources/package-type',
      'usr/share/zsh/vendor-completions/_slipway',
      'usr/share/doc/slipway/copyright',
      'usr/bin/slipway',
    ]
    for (const file of tree) {
      mkdirSync(join(home, 'tree', file, '..'), { recursive: true })
      writeFileSync(join(home, 'tree', file), file)
    }
    mkdirSync(join(home, 'src'))
    execFileSync('tar', ['-czf', '../src/data.tar.gz', '.'], { cwd: join(home, 'tree') })
    mkdirSync(join(home, 'pkg'))
    bash('srcdir="$PWD/src" pkgdir="$PWD/pkg"; package')
    const files = execFileSync('find', ['.', '!', '-type', 'd'], { cwd: join(home, 'pkg'), encoding: 'utf8' })
      .trim()
      .split('\n')
    expect(files.toSorted()).toEqual([
      './opt/Slipway/resources/package-type',
      './opt/Slipway/slipway-desktop',
      './usr/bin/slipway',
      './usr/bin/slipway-desktop',
      './usr/share/licenses/slipway-bin/LICENSE',
      './usr/share/zsh/site-functions/_slipway',
    ])
  })
})

it('Flathub: one module from the .deb of each processor, and no more rights than the app uses', () => {
  const Source = z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('file'),
      url: Url,
      sha256: Sum,
      'dest-filename': z.string(),
      'only-arches': z.array(z.string()),
    }),
    z.strictObject({ type: z.literal('script'), 'dest-filename': z.string(), commands: z.array(z.string()) }),
  ])
  const Manifest = z.strictObject({
    id: z
      .string()
      .regex(/^[a-z]\w*(\.\w+){2,}$/)
      .regex(/(?<!\.desktop)$/),
    runtime: z.string(),
    'runtime-version': z.string(),
    sdk: z.string(),
    base: z.string(),
    'base-version': z.string(),
    command: z.string(),
    'separate-locales': z.boolean(),
    'finish-args': z.array(z.string().regex(/^--(share|socket|device|filesystem|talk-name)=/)),
    modules: z.tuple([
      z.strictObject({
        name: z.string(),
        buildsystem: z.literal('simple'),
        'build-options': z.strictObject({ strip: z.literal(false), 'no-debuginfo': z.literal(true) }),
        'build-commands': z.array(z.string()),
        sources: z.array(Source),
      }),
    ]),
  })
  const manifest = Manifest.parse(JSON.parse(text('flathub/app.slipway.Slipway.json')))
  expect(manifest['finish-args'].filter((one) => one.startsWith('--filesystem'))).toEqual([
    '--filesystem=host:ro',
  ])
  const [module] = manifest.modules
  expect(module.sources.flatMap((one) => (one.type === 'file' ? one['only-arches'] : []))).toEqual([
    'x86_64',
    'aarch64',
  ])
  for (const command of module['build-commands'])
    expect(execFileSync('bash', ['-nc', command], { encoding: 'utf8' })).toBe('')
})

describe.runIf(process.platform === 'linux')('Flathub: the commands', () => {
  const home = mkdtempSync(join(tmpdir(), 'slipway-flathub-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const { id, modules } = JSON.parse(text('flathub/app.slipway.Slipway.json')) as {
    id: string
    modules: { 'build-commands': string[] }[]
  }
  const installed = (file: string): string => readFileSync(join(home, 'app', file), 'utf8')

  itNeeding('binutils', 'give everything that leaves the sandbox the name of the app', () => {
    const metainfo = 'usr/share/metainfo/app.slipway.Slipway.metainfo.xml'
    const entry =
      '[Desktop Entry]\nName=Slipway\nExec=/opt/Slipway/slipway-desktop %F\nIcon=slipway-desktop\nStartupWMClass=slipway\n'
    const tree: Readonly<Record<string, string>> = {
      'opt/Slipway/slipway-desktop': '',
      'usr/share/applications/slipway.desktop': entry,
      [metainfo]: readTree('assets/linux/app.slipway.Slipway.metainfo.xml'),
      ...Object.fromEntries(
        [16, 32, 48, 64, 128, 256, 512].map((size) => [
          `usr/share/icons/hicolor/${size}x${size}/apps/slipway-desktop.png`,
          '',
        ]),
      ),
    }
    for (const [file, content] of Object.entries(tree)) {
      mkdirSync(join(home, 'tree', file, '..'), { recursive: true })
      writeFileSync(join(home, 'tree', file), content)
    }
    execFileSync('tar', ['-czf', '../data.tar.gz', '.'], { cwd: join(home, 'tree') })
    execFileSync('ar', ['rc', 'slipway.deb', 'data.tar.gz'], { cwd: home })
    writeFileSync(join(home, 'slipway-desktop.sh'), '')
    const commands = modules
      .flatMap((one) => one['build-commands'])
      .map((one) => one.replaceAll('/app/', `${home}/app/`))
    mkdirSync(join(home, 'app'))
    execFileSync('bash', ['-euc', commands.join('\n')], {
      cwd: home,
      env: { ...process.env, FLATPAK_ID: id },
    })
    expect(installed(`share/applications/${id}.desktop`)).toBe(
      `[Desktop Entry]\nName=Slipway\nExec=slipway-desktop %F\nIcon=${id}\nStartupWMClass=${id}\n`,
    )
    const about = installed(`share/metainfo/${id}.metainfo.xml`)
    for (const line of [
      `<id>${id}</id>`,
      `<launchable type="desktop-id">${id}.desktop</launchable>`,
      `<icon type="stock">${id}</icon>`,
      '<releases><release version="1.2.3" date="2026-11-22"/></releases>',
    ])
      expect(about).toContain(`  ${line}\n`)
    expect(about).toMatch(/\n<\/component>\n$/)
    expect(readdirSync(join(home, 'app/share/icons/hicolor/512x512/apps'))).toEqual([`${id}.png`])
  })
})

it('all say of the product what electron-builder.yml and the entry of software centres say', () => {
  const config = readTree('electron-builder.yml')
  expect(config).toContain(`\nappId: ${PRODUCT.id}\n`)
  expect(config).toContain(`\nproductName: ${PRODUCT.name}\n`)
  expect(config).toContain(`  homepage: ${PRODUCT.homepage}\n`)
  expect(config).toContain(`  maintainer: ${PRODUCT.maintainer}\n`)
  expect(config).toContain('\nartifactName: slipway-${version}-${os}-${arch}.${ext}\n')
  const metainfo = readTree(`assets/linux/${PRODUCT.component}.metainfo.xml`)
  for (const one of [
    PRODUCT.component,
    PRODUCT.name,
    PRODUCT.homepage,
    PRODUCT.licence,
    PRODUCT.summary.en,
    PRODUCT.summary.de,
  ])
    expect(metainfo).toContain(`>${one.replace(/\.$/, '')}<`)
})
