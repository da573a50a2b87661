// What a test can ask of a run that Electron could not tell: what the app put on a desktop that is not there.
// A spec reads it in `app.evaluate`, as `standIn` of the electron module.
import { systemClipboard } from './clipboard.ts'
import { allowed, type Call, desk } from './desk.ts'
import { notifications } from './notification.ts'
import { powerMonitor, pressShortcut } from './system.ts'
import { trays } from './tray.ts'

export const standIn = {
  /** Everything the app asked of the desktop, in order. */
  calls: desk.calls,
  callsOf: (api: string): readonly Call[] => desk.calls.filter((call) => call.api === api),
  trays,
  tray: (): (typeof trays)[number] | undefined => trays.at(-1),
  notifications,
  /** The clipboard as other programs see it, which on Wayland need not be what the app reads. */
  systemClipboard,
  pressShortcut,
  /** The system shuts down. True: the app asked it to wait, as only the event of Linux and macOS lets it. */
  shutDown: (): boolean => !allowed(powerMonitor, 'shutdown'),
}

export type StandIn = typeof standIn
