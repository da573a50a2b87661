// What specs can read about the desktop in `app.evaluate`, as `standIn` of the electron module: everything that
// the app did there. The stand-in provides it (stand-in.ts), and on a real Electron the recorder (recorder.ts).
import type { Call } from './desk.ts'

interface SeenItem {
  readonly type: string
  readonly label: string
  readonly enabled: boolean
  readonly submenu?: SeenMenu | undefined
  click(): void
}

interface SeenMenu {
  readonly items: readonly SeenItem[]
}

export interface SeenTray {
  readonly image: Pick<Electron.NativeImage, 'getSize'>
  readonly toolTip: string
  readonly menu: SeenMenu | null
  emit(event: string, ...args: readonly unknown[]): boolean
}

interface SeenNotification {
  readonly title: string
  readonly body: string
  readonly actions: readonly Electron.NotificationAction[]
  emit(event: string, ...args: readonly unknown[]): boolean
}

export interface Records {
  /** Everything that the app requested from the desktop, in order. */
  readonly calls: readonly Call[]
  callsOf(api: string): readonly Call[]
  /** Trays that weren't destroyed. */
  readonly trays: readonly SeenTray[]
  tray(): SeenTray | undefined
  /** In the order in which they were shown. */
  readonly notifications: readonly SeenNotification[]
  /** The clipboard as other programs see it. */
  readonly systemClipboard: { text(): Promise<string> }
  /** Does what the user's key press would do. Returns false if the shortcut isn't registered. */
  pressShortcut(accelerator: string): boolean
  /** Simulates a shutdown of the system. Returns true if the app asked the system to wait. */
  shutDown(): boolean
  /** Simulates the end of a Windows session. Returns true if a window asked Windows to wait. */
  endSession(...reasons: Electron.WindowSessionEndEvent['reasons']): boolean
}
