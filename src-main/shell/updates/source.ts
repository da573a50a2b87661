// Determines who updates this installation: Slipway itself, the program that installed it, or nothing. The
// functions are pure; updates.ts collects the facts. Unless Slipway updates itself, no request is ever sent.
import { z } from 'zod'
import type { UpdateStep } from '../../../src-shared/update.ts'
import { UpdateManager } from '../../../src-shared/update.ts'
import { isLoopback } from '../../api/base-url.ts'
import { isBelow, isInSnap, startFile } from '../app/start-file.ts'
import type { FeedPackage } from './feed-format.ts'

const Subject = z.string().min(1).max(1000)
const Publisher = z.union([Subject, z.array(Subject).min(1).max(10)])
export type Publisher = z.infer<typeof Publisher>

/** The update settings of a build, from dist/updates.json (assets/packaging/prepare.ts). */
const BuildSource = z.object({
  /** URL of the feed. */
  feed: z.url(),
  /** Ed25519 public key, SPKI in DER, in Base64. */
  key: z.string().min(40).max(200),
  /**
   * Windows: the subject of the certificate that signs the installer, or several, because a renewed
   * certificate can have another one.
   */
  publisher: Publisher.optional(),
})

export interface InstallFacts {
  readonly platform: NodeJS.Platform
  readonly isPackaged: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path of the running program. */
  readonly program: string
  /** Content of resources/package-type, a file in the packages; null if it doesn't exist. */
  readonly packageType: string | null
  /** macOS: whether Homebrew has a record of Slipway. */
  readonly hasCask: boolean
  /**
   * Content of dist/updates.json, or, if the app isn't packaged, of the file named by SLIPWAY_UPDATE_SOURCE.
   * Null if there is none.
   */
  readonly build: unknown
}

/** The mechanism by which Slipway updates itself. */
export type UpdateWay =
  | { readonly kind: 'appimage'; readonly file: string }
  | { readonly kind: 'nsis'; readonly publisher: Publisher }
  | { readonly kind: 'squirrel' }

export interface UpdateSource {
  readonly feed: URL
  readonly key: string
  readonly way: UpdateWay
  readonly system: FeedPackage['system']
}

export type WhoUpdates =
  | { readonly kind: 'self'; readonly source: UpdateSource }
  | {
      readonly kind: 'other'
      readonly step: Extract<UpdateStep, { at: 'no-source' | 'manager' | 'portable' }>
    }

const NOBODY: WhoUpdates = { kind: 'other', step: { at: 'no-source' } }

export function whoUpdates(facts: InstallFacts): WhoUpdates {
  const manager = managerOf(facts)
  if (manager !== null) return { kind: 'other', step: { at: 'manager', manager } }
  if (facts.platform === 'win32' && startFile(facts) !== null)
    return { kind: 'other', step: { at: 'portable' } }
  const build = BuildSource.safeParse(facts.build)
  if (!build.success) return NOBODY
  const { feed, key, publisher } = build.data
  const url = new URL(feed)
  // Plain http is allowed only for tests with a server on this computer.
  if (url.protocol !== 'https:' && (facts.isPackaged || !isLoopback(url.hostname))) return NOBODY
  const self = (system: UpdateSource['system'], way: UpdateWay): WhoUpdates => ({
    kind: 'self',
    source: { feed: url, key, way, system },
  })
  if (facts.platform === 'linux') {
    const file = (facts.isPackaged ? startFile(facts) : facts.env['APPIMAGE']) ?? ''
    return file.startsWith('/') ? self('linux', { kind: 'appimage', file }) : NOBODY
  }
  // An installer from an unknown publisher must not be run.
  if (facts.platform === 'win32')
    return publisher === undefined ? NOBODY : self('win', { kind: 'nsis', publisher })
  if (facts.platform === 'darwin') return self('mac', { kind: 'squirrel' })
  return NOBODY
}

function managerOf({
  platform,
  env,
  program,
  packageType,
  hasCask,
  isPackaged,
}: InstallFacts): UpdateManager | null {
  if (!isPackaged) return null
  if (platform === 'linux') {
    if (isInSnap(env, program)) return 'snap'
    if (hasValue(env['FLATPAK_ID']) && isBelow('/app', program)) return 'flatpak'
  }
  if (platform === 'darwin') return hasCask ? 'homebrew' : null
  const type = packageType?.trim() ?? ''
  if (type === '') return null
  return UpdateManager.safeParse(type).data ?? 'package'
}

function hasValue(text: string | undefined): boolean {
  return text !== undefined && text !== ''
}
