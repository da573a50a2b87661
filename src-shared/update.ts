// The state of updates as the window shows it. It says who updates this installation, how far an update has
// progressed, and why one failed. The decisions are made in src-main/shell/updates.
import { z } from 'zod/mini'

/**
 * Programs that install Slipway and then also update it. `package`: a package manager that couldn't be
 * determined. `organization`: no program; a policy file turns updates off.
 */
export const UpdateManager = z.enum([
  'deb',
  'rpm',
  'pacman',
  'aur',
  'snap',
  'flatpak',
  'winget',
  'homebrew',
  'package',
  'organization',
])
export type UpdateManager = z.infer<typeof UpdateManager>

/** Why an update failed. In every case, the installed version is unchanged. */
export const UpdateFault = z.enum([
  /** The source of updates can't be reached. */
  'offline',
  /** The source of updates responded with an error. */
  'no-feed',
  /** The response isn't a list of updates: for example HTML, broken JSON, or far too long. */
  'not-a-feed',
  /** The list isn't signed with the pinned key. */
  'bad-signature',
  /** The source of updates points to another server, or to an address without encryption. */
  'redirect',
  /** The list has no package for this system and processor. */
  'no-package',
  /** The download ended early and couldn't be completed. */
  'cut',
  /** The size or checksum differs from the one in the list. */
  'damaged',
  /** Windows and macOS: the package isn't signed by the publisher. */
  'unsigned',
  'disk-full',
  /** Any other disk error. */
  'disk',
  /** Slipway's own folder can't be written to. */
  'read-only',
  /**
   * The old version started again although the installer ran or should have run, or the installer refused for
   * an unknown reason.
   */
  'not-installed',
])
export type UpdateFault = z.infer<typeof UpdateFault>

const version = z.string().check(z.maxLength(40))
const bytes = z.int().check(z.nonnegative())
/** Plain text without control characters. */
const notes = z.string().check(z.maxLength(20_000))

const UpdateStep = z.discriminatedUnion('at', [
  /** This build has no source of updates. */
  z.object({ at: z.literal('no-source') }),
  z.object({ at: z.literal('manager'), manager: UpdateManager }),
  /** The portable version for Windows, which doesn't update itself: the user replaces its file. */
  z.object({ at: z.literal('portable') }),
  /** `staged`: a newer version that hasn't been rolled out to this computer yet. */
  z.object({ at: z.literal('idle'), staged: z.nullable(version) }),
  z.object({ at: z.literal('checking') }),
  z.object({ at: z.literal('available'), version, notes, bytes }),
  z.object({ at: z.literal('downloading'), version, notes, bytes, received: bytes }),
  /** Downloaded and checked. `waits`: it is installed once no upload is in progress. */
  z.object({ at: z.literal('ready'), version, notes, waits: z.boolean() }),
  z.object({ at: z.literal('installing'), version }),
  z.object({ at: z.literal('failed'), fault: UpdateFault }),
])
export type UpdateStep = z.infer<typeof UpdateStep>

export const UpdateView = z.object({
  step: UpdateStep,
  /** Epoch milliseconds of the last successful check; null if there was none yet. */
  checkedAt: z.nullable(z.number()),
  /**
   * The version before the last update, or null. It is reported in every run until the new version has proved
   * stable.
   */
  updatedFrom: z.nullable(version),
})
export type UpdateView = z.infer<typeof UpdateView>

/** `cancel`: stops a download, or cancels an installation that waits for uploads to end. */
export const UpdateAction = z.enum(['check', 'download', 'cancel', 'install'])
export type UpdateAction = z.infer<typeof UpdateAction>
