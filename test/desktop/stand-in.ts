// What tests can query in the stand-in but not in Electron: everything that the app did on a desktop that doesn't exist.
// A spec reads it in `app.evaluate`, as `standIn` of the electron module.
import { systemClipboard } from './clipboard.ts'
import { allowed, type Call, desk } from './desk.ts'
import { notifications } from './notification.ts'
import { powerMonitor, pressShortcut } from './system.ts'
import { trays } from './tray.ts'

export const standIn = {
  /** Everything that the app requested from the desktop, in order. */
  calls: desk.calls,
  callsOf: (api: string): readonly Call[] => desk.calls.filter((call) => call.api === api),
  trays,
  tray: (): (typeof trays)[number] | undefined => trays.at(-1),
  notifications,
  /** The clipboard as other programs see it. On Wayland this can differ from what the app reads. */
  systemClipboard,
  pressShortcut,
  /** Simulates a shutdown of the system. Returns true if the app asked the system to wait, which is possible only on Linux and macOS. */
  shutDown: (): boolean => !allowed(powerMonitor, 'shutdown'),
}

export type StandIn = typeof standIn
