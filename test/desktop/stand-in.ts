// What tests can query in the stand-in but not in Electron: everything that the app did on a desktop that
// doesn't exist. A spec reads it in `app.evaluate`, as `standIn` of the electron module.
import { BrowserWindow } from './browser-window.ts'
import { systemClipboard } from './clipboard.ts'
import { allowed, type Call, desk } from './desk.ts'
import { notifications } from './notification.ts'
import type { Records } from './records.ts'
import { powerMonitor, pressShortcut } from './system.ts'
import { trays } from './tray.ts'

/** Returns false if the window prevented it. */
function announceSessionEnd(
  window: BrowserWindow,
  event: 'query-session-end' | 'session-end',
  reasons: Electron.WindowSessionEndEvent['reasons'],
): boolean {
  let defaultPrevented = false
  const carrier: Electron.WindowSessionEndEvent = {
    reasons,
    preventDefault: () => {
      defaultPrevented = true
    },
    get defaultPrevented() {
      return defaultPrevented
    },
  }
  window.emit(event, carrier)
  return !defaultPrevented
}

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
  /**
   * Simulates a shutdown of the system. Returns true if the app asked the system to wait, which is possible
   * only on Linux and macOS.
   */
  shutDown: (): boolean => !allowed(powerMonitor, 'shutdown'),
  /**
   * Simulates the end of a Windows session; Electron emits these events on no other system. Returns true if a
   * window asked Windows to wait, so that the session goes on for now.
   */
  endSession: (...reasons: Electron.WindowSessionEndEvent['reasons']): boolean => {
    const windows = BrowserWindow.getAllWindows()
    const answers = windows.map((window) => announceSessionEnd(window, 'query-session-end', reasons))
    if (answers.includes(false)) return true
    for (const window of windows)
      if (!window.isDestroyed()) announceSessionEnd(window, 'session-end', reasons)
    return false
  },
} satisfies Records

export type StandIn = typeof standIn
