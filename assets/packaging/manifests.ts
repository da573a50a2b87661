// The files that package managers ask for (winget, Homebrew, AUR, Flathub), all made from one description of
// the product and one list of what was built. Pure: release.ts writes them. Where they are sent, nothing here
// knows.
import pkg from '../../package.json' with { type: 'json' }

/** What every manifest says of the product. electron-builder.yml says the same; a test compares them. */
export const PRODUCT = {
  /** For macOS and Windows. */
  id: 'app.slipway.desktop',
  /** For AppStream and Flathub, which take no ID that ends as the name of a desktop entry does. */
  component: 'app.slipway.Slipway',
  name: 'Slipway',
  command: 'slipway',
  publisher: 'The Slipway authors',
  maintainer: 'The Slipway authors <authors@slipway.example>',
  homepage: 'https://slipway.example',
  licence: pkg.license,
  summary: {
    en: pkg.description,
    de: 'Datei in einen Ordner speichern, und ihr öffentlicher Link ist bereit zum Einfügen.',
  },
  description:
    'Slipway uploads files to a file-sharing service and gives you their public links. Drop a file on its window, save one into a watched folder, or use its command line.',
  tags: ['file-sharing', 'links', 'sync', 'upload'],
} as const

/** What Electron's binary needs on Arch. */
export const ARCH_DEPENDS = [
  'alsa-lib',
  'at-spi2-core',
  'gtk3',
  'libnotify',
  'libxss',
  'libxtst',
  'nss',
  'util-linux-libs',
  'xdg-utils',
] as const

export interface Release {
  readonly version: string
  /** `2026-11-22` */
  readonly date: string
  /** Folder on the web that holds the packages; no slash at the end. */
  readonly url: string
  /** SHA-256 of each package by its file name, in hexadecimal. */
  readonly sums: ReadonlyMap<string, string>
}

/** File by its path below the folder of all manifests. */
export type Manifests = ReadonlyMap<string, string>

interface Package {
  readonly file: string
  readonly url: string
  readonly sha256: string
}

/** @throws if the package wasn't built: a manifest without it would install nothing on some machines. */
function packageOf(
  release: Release,
  system: 'win' | 'mac' | 'linux',
  processor: string,
  ending: string,
): Package {
  const file = `slipway-${release.version}-${system}-${processor}.${ending}`
  const sha256 = release.sums.get(file)
  if (sha256 === undefined) throw new Error(`${file} is missing, so no manifest can be made.`)
  return { file, url: `${release.url}/${file}`, sha256 }
}

type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml }

/**
 * Strings in double quotes, which YAML reads as JSON does; so nothing depends on what a plain word may look
 * like.
 */
function yaml(value: Yaml, indent = ''): string {
  if (typeof value === 'string') return ` ${JSON.stringify(value)}\n`
  if (Array.isArray(value))
    return `\n${value.map((one: Yaml) => `${indent}-${yaml(one, `${indent}  `).replace(/^\n +/, ' ')}`).join('')}`
  return `\n${Object.entries(value)
    .map(
      ([key, one]) =>
        `${indent}${key}:${yaml(one, typeof one === 'object' && !Array.isArray(one) ? `${indent}  ` : indent)}`,
    )
    .join('')}`
}

function winget(release: Release): [string, string][] {
  const id = 'Slipway.Slipway'
  const head = { PackageIdentifier: id, PackageVersion: release.version }
  const tail = (type: string) => ({ ManifestType: type, ManifestVersion: '1.10.0' })
  const installer = (arch: 'x64' | 'arm64') => {
    const { url, sha256 } = packageOf(release, 'win', arch, 'exe')
    return { Architecture: arch, InstallerUrl: url, InstallerSha256: sha256.toUpperCase() }
  }
  const files: Record<string, Yaml> = {
    [`${id}.yaml`]: { ...head, DefaultLocale: 'en-US', ...tail('version') },
    [`${id}.installer.yaml`]: {
      ...head,
      MinimumOSVersion: '10.0.17763.0',
      InstallerType: 'nullsoft',
      Scope: 'user',
      InstallModes: ['interactive', 'silent'],
      UpgradeBehavior: 'install',
      // The installer notes it, and Slipway leaves updates to winget.
      InstallerSwitches: { Custom: '--winget' },
      Commands: [PRODUCT.command],
      ReleaseDate: release.date,
      Installers: [installer('x64'), installer('arm64')],
      ...tail('installer'),
    },
    [`${id}.locale.en-US.yaml`]: {
      ...head,
      PackageLocale: 'en-US',
      Publisher: PRODUCT.publisher,
      PackageName: PRODUCT.name,
      PackageUrl: PRODUCT.homepage,
      License: PRODUCT.licence,
      ShortDescription: PRODUCT.summary.en,
      Description: PRODUCT.description,
      Tags: PRODUCT.tags,
      ...tail('defaultLocale'),
    },
    [`${id}.locale.de-DE.yaml`]: {
      ...head,
      PackageLocale: 'de-DE',
      Publisher: PRODUCT.publisher,
      PackageName: PRODUCT.name,
      License: PRODUCT.licence,
      ShortDescription: PRODUCT.summary.de,
      ...tail('locale'),
    },
  }
  return Object.entries(files).map(([file, content]) => [`winget/${file}`, yaml(content).trimStart()])
}

function homebrew(release: Release): [string, string] {
  const arm = packageOf(release, 'mac', 'arm64', 'dmg')
  const intel = packageOf(release, 'mac', 'x64', 'dmg')
  const url = arm.url.replaceAll(release.version, '#{version}').replace('arm64', '#{arch}')
  const text = `cask "slipway" do
  arch arm: "arm64", intel: "x64"

  version "${release.version}"
  sha256 arm:   "${arm.sha256}",
         intel: "${intel.sha256}"

  url "${url}"
  name "${PRODUCT.name}"
  desc "${PRODUCT.summary.en.replace(/\.$/, '')}"
  homepage "${PRODUCT.homepage}/"

  app "${PRODUCT.name}.app"
  binary "#{appdir}/${PRODUCT.name}.app/Contents/Resources/app.asar.unpacked/cli/${PRODUCT.command}"

  uninstall quit: "${PRODUCT.id}"

  zap trash: [
    "~/Library/Application Support/${PRODUCT.name}",
    "~/Library/Preferences/${PRODUCT.id}.plist",
    "~/Library/Saved Application State/${PRODUCT.id}.savedState",
  ]
end
`
  return ['homebrew/slipway.rb', text]
}

function aur(release: Release): [string, string][] {
  const x64 = packageOf(release, 'linux', 'amd64', 'deb')
  const arm64 = packageOf(release, 'linux', 'arm64', 'deb')
  const summary = PRODUCT.summary.en.replace(/\.$/, '')
  const optional = ['gnome-keyring: keeps the API key', 'kwallet: keeps the API key']
  const list = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ')
  const pkgbuild = `# Maintainer: ${PRODUCT.maintainer}
pkgname=slipway-bin
pkgver=${release.version}
pkgrel=1
pkgdesc='${summary}'
arch=('x86_64' 'aarch64')
url='${PRODUCT.homepage}'
license=('${PRODUCT.licence}')
depends=(${list(ARCH_DEPENDS)})
optdepends=(${list(optional)})
provides=('slipway')
conflicts=('slipway')
# The command line holds its code in a section of its own, which strip would remove.
options=('!strip' '!debug')
source_x86_64=('${x64.url}')
source_aarch64=('${arm64.url}')
sha256sums_x86_64=('${x64.sha256}')
sha256sums_aarch64=('${arm64.sha256}')

package() {
  # makepkg has opened the .deb already.
  tar -xf "$srcdir"/data.tar.* -C "$pkgdir"
  install -dm755 "$pkgdir/usr/share/zsh" "$pkgdir/usr/share/licenses/$pkgname"
  mv "$pkgdir/usr/share/zsh/vendor-completions" "$pkgdir/usr/share/zsh/site-functions"
  mv "$pkgdir/usr/share/doc/slipway/copyright" "$pkgdir/usr/share/licenses/$pkgname/LICENSE"
  rmdir -p --ignore-fail-on-non-empty "$pkgdir/usr/share/doc/slipway"
  echo aur > "$pkgdir/opt/Slipway/resources/package-type"
  ln -s ../../opt/Slipway/slipway-desktop "$pkgdir/usr/bin/slipway-desktop"
}
`
  const srcinfo = [
    'pkgbase = slipway-bin',
    ...[
      ['pkgdesc', summary],
      ['pkgver', release.version],
      ['pkgrel', '1'],
      ['url', PRODUCT.homepage],
      ['arch', 'x86_64'],
      ['arch', 'aarch64'],
      ['license', PRODUCT.licence],
      ...ARCH_DEPENDS.map((one) => ['depends', one]),
      ...optional.map((one) => ['optdepends', one]),
      ['provides', 'slipway'],
      ['conflicts', 'slipway'],
      ['options', '!strip'],
      ['options', '!debug'],
      ['source_x86_64', x64.url],
      ['sha256sums_x86_64', x64.sha256],
      ['source_aarch64', arm64.url],
      ['sha256sums_aarch64', arm64.sha256],
    ].map(([key, value]) => `\t${key} = ${value}`),
    '',
    'pkgname = slipway-bin',
    '',
  ]
  return [
    ['aur/PKGBUILD', pkgbuild],
    ['aur/.SRCINFO', srcinfo.join('\n')],
  ]
}

function flathub(release: Release): [string, string] {
  const source = (arch: string, deb: Package) => ({
    type: 'file',
    url: deb.url,
    sha256: deb.sha256,
    'dest-filename': 'slipway.deb',
    'only-arches': [arch],
  })
  const manifest = {
    id: PRODUCT.component,
    runtime: 'org.freedesktop.Platform',
    'runtime-version': '25.08',
    sdk: 'org.freedesktop.Sdk',
    base: 'org.electronjs.Electron2.BaseApp',
    'base-version': '25.08',
    command: 'slipway-desktop',
    'separate-locales': false,
    'finish-args': [
      '--share=ipc',
      '--share=network',
      '--socket=fallback-x11',
      '--socket=wayland',
      '--device=dri',
      // Watched folders can be anywhere; nothing but Slipway's own data is written. It includes
      // /run/host/etc, where policy.ts looks for the administrator's policy.
      '--filesystem=host:ro',
      '--talk-name=org.freedesktop.Notifications',
      '--talk-name=org.freedesktop.secrets',
      '--talk-name=org.kde.StatusNotifierWatcher',
    ],
    modules: [
      {
        name: 'slipway',
        buildsystem: 'simple',
        'build-options': { strip: false, 'no-debuginfo': true },
        'build-commands': [
          'ar x slipway.deb',
          'mkdir root',
          'tar -xf data.tar.* -C root',
          'mv root/opt/Slipway /app/slipway',
          'install -Dm755 slipway-desktop.sh /app/bin/slipway-desktop',
          'ln -s ../slipway/resources/app.asar.unpacked/cli/slipway /app/bin/slipway',
          // Names and icons begin with the ID, or they aren't exported from the sandbox.
          'sed -e "s|^Exec=/opt/Slipway/|Exec=|" -e "s|^Icon=.*|Icon=$FLATPAK_ID|" -e "s|^StartupWMClass=.*|StartupWMClass=$FLATPAK_ID|" root/usr/share/applications/slipway.desktop > slipway.desktop',
          'install -Dm644 slipway.desktop /app/share/applications/$FLATPAK_ID.desktop',
          `sed -e "s|>slipway\\.desktop<|>$FLATPAK_ID.desktop<|" -e "s|>slipway-desktop</icon>|>$FLATPAK_ID</icon>|" -e 's|^</component>|  <releases><release version="${release.version}" date="${release.date}"/></releases>\\n&|' root/usr/share/metainfo/$FLATPAK_ID.metainfo.xml > metainfo.xml`,
          'install -Dm644 metainfo.xml /app/share/metainfo/$FLATPAK_ID.metainfo.xml',
          'for size in 16 32 48 64 128 256 512; do install -Dm644 root/usr/share/icons/hicolor/${size}x${size}/apps/slipway-desktop.png /app/share/icons/hicolor/${size}x${size}/apps/$FLATPAK_ID.png; done',
        ],
        sources: [
          source('x86_64', packageOf(release, 'linux', 'amd64', 'deb')),
          source('aarch64', packageOf(release, 'linux', 'arm64', 'deb')),
          {
            type: 'script',
            'dest-filename': 'slipway-desktop.sh',
            commands: ['exec zypak-wrapper /app/slipway/slipway-desktop.bin "$@"'],
          },
        ],
      },
    ],
  }
  return [`flathub/${PRODUCT.component}.json`, `${JSON.stringify(manifest, null, 2)}\n`]
}

export function manifests(release: Release): Manifests {
  return new Map([...winget(release), homebrew(release), ...aur(release), flathub(release)])
}
