// The packages that linux.test.ts has made, as the tests of each kind get them; and a later version of three,
// to upgrade to.
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pack } from './pack.ts'

export type Kind = 'deb' | 'rpm' | 'pacman'

export interface Made {
  /** An empty folder for the tests of the packages. */
  readonly home: string
  /** The folder that electron-builder has filled. */
  readonly folder: string
  readonly files: Readonly<Record<Kind | 'AppImage', string>>
  readonly later: Readonly<Record<Kind, string>>
  /** Folders of the system that the packages use and don't own. */
  readonly shared: readonly string[]
}

export const LATER = '999.0.0'

/** `app`: a project as `project` makes it. */
export function packagesIn(app: string, version: string): Readonly<Record<Kind | 'AppImage', string>> {
  const out = join(app, 'out')
  const file = (ending: string): string =>
    join(
      out,
      readdirSync(out).find(
        (name) => name.startsWith(`slipway-${version}-`) && name.endsWith(`.${ending}`),
      ) ?? '',
    )
  return { deb: file('deb'), rpm: file('rpm'), pacman: file('pacman'), AppImage: file('AppImage') }
}

/** Packs a later version, whose app is empty but for the two programs that the scripts deal with. */
export async function packLater(app: string, home: string): Promise<Readonly<Record<Kind, string>>> {
  const prepackaged = join(home, 'later')
  mkdirSync(join(prepackaged, 'resources'), { recursive: true })
  for (const name of ['slipway-desktop', 'chrome-sandbox']) {
    writeFileSync(join(prepackaged, name), '')
    chmodSync(join(prepackaged, name), 0o755)
  }
  const as = { electron: prepackaged, system: 'linux', processor: process.arch } as const
  await pack({ ...as, app, targets: ['deb', 'rpm', 'pacman'], prepackaged, version: LATER })
  return packagesIn(app, LATER)
}

/** The folders of other packages, in any distribution, that Slipway's put files into. */
export function sharedFolders(app: string): string[] {
  const tree = join(app, 'dist/system/rpm')
  const system = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map((one) => relative(tree, join(one.parentPath, one.name)))
    .filter((path) => !path.startsWith('opt/') && !path.endsWith('/slipway'))
  const icons = readdirSync(join(app, 'assets/icons')).map((name) => name.replace(/\.png$/, ''))
  return [
    ...system,
    'usr/share/applications',
    ...icons.map((size) => `usr/share/icons/hicolor/${size}x${size}/apps`),
  ]
}
