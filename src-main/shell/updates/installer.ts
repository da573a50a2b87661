// Installs a downloaded update in the way that suits this installation. `prepare` does everything that takes
// a long time or is likely to fail, and doesn't change the running version. `commit` is the last step, after
// which the app quits.

import { hasPrevious, placeBeside, putBack, removePrevious, removeUnfinished, swap } from './appimage.ts'
import { checkPublisher, type RunProgram } from './authenticode.ts'
import type { Update } from './feed.ts'
import type { UpdateWay } from './source.ts'
import { giveToSquirrel, type NativeUpdater } from './squirrel.ts'
import type { UpdateDisk } from './update-disk.ts'
import { UpdateError } from './update-error.ts'

export interface Installer {
  /** Extension of the downloaded file. Windows runs only an .exe; Squirrel accepts only a .zip. */
  readonly ending: string
  /**
   * On macOS, passes the package to Squirrel, which then installs it whenever the app quits, even without
   * `commit`. Electron can't take it back, so `tidy` does nothing there.
   */
  prepare(file: string, update: Pick<Update, 'bytes' | 'sha512'>): Promise<void>
  commit(file: string): Promise<void>
  /** Restores and starts the previous version. Rejects with an UpdateError if it isn't kept. */
  goBack(): Promise<void>
  /** Whether the previous version still exists. */
  canGoBack(): boolean
  /** Removes the previous version. */
  forgetPrevious(): Promise<void>
  /** Removes what an interrupted update left outside the data folder. */
  tidy(): Promise<void>
}

/** What an installer needs from the process and the system. */
export interface InstallerParts {
  readonly disk: UpdateDisk
  /** Quits, and starts a program once this process has released everything. */
  readonly quitAndStart: (program: string, args: readonly string[]) => void
  /**
   * Call before the app quits so that an installer can replace it and start the new version; then nothing
   * else starts the app.
   */
  readonly leaveToInstaller: () => void
  /**
   * Call before quitting in any way other than `quitAndStart`; from then on, the app quits without asking.
   */
  readonly quitting: () => void
  readonly run: RunProgram
  /** Electron's own updater; used on macOS only. */
  readonly native: () => NativeUpdater & { quitAndInstall(): void }
}

const NOTHING_KEPT = {
  goBack: () => Promise.reject(new UpdateError('disk', 'The version before is not kept on this system.')),
  canGoBack: () => false,
  forgetPrevious: async () => undefined,
  tidy: async () => undefined,
} as const

export function createInstaller(
  way: UpdateWay,
  { disk, quitAndStart, leaveToInstaller, quitting, run, native }: InstallerParts,
): Installer {
  /** Verifies the checksum again, because the file may have been changed on the disk since its download. */
  const again = async (file: string, sha512: string): Promise<void> => {
    if ((await disk.sha512(file)) !== sha512)
      throw new UpdateError('damaged', 'The downloaded package was changed.')
  }
  switch (way.kind) {
    case 'appimage':
      return {
        ending: '.AppImage',
        prepare: (file, { sha512 }) => placeBeside(way.file, file, sha512, disk),
        commit: async () => {
          await swap(way.file)
          quitAndStart(way.file, [])
        },
        goBack: async () => {
          await putBack(way.file)
          quitAndStart(way.file, [])
        },
        canGoBack: () => hasPrevious(way.file),
        forgetPrevious: () => removePrevious(way.file),
        tidy: () => removeUnfinished(way.file),
      }
    case 'nsis':
      return {
        ...NOTHING_KEPT,
        ending: '.exe',
        prepare: async (file, { sha512 }) => {
          await again(file, sha512)
          await checkPublisher(file, way.publisher, run)
        },
        // Options of electron-builder's installer: update, run silently, and start Slipway afterwards.
        commit: async (file) => {
          leaveToInstaller()
          quitAndStart(file, ['--updated', '/S', '--force-run'])
        },
      }
    default:
      return {
        ...NOTHING_KEPT,
        ending: '.zip',
        prepare: async (file, { sha512, bytes }) => {
          await again(file, sha512)
          await giveToSquirrel(file, bytes, native())
        },
        commit: async () => {
          leaveToInstaller()
          quitting()
          native().quitAndInstall()
        },
      }
  }
}
