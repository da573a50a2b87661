// Performs platform-specific steps before the app's first window opens: identifies the app to the system and
// detects a start at login.
import type { App } from 'electron'
import type { Boot } from '../../../src-shared/app.ts'

/**
 * The appId of electron-builder.yml. Windows shows notifications and groups taskbar windows only if this ID
 * matches the installed shortcut's.
 */
export const APP_ID = 'app.slipway.desktop'

export interface SystemStart {
  /**
   * Whether macOS started the app at login, in which case no window opens. False on other systems, where
   * `--hidden` is passed instead.
   */
  readonly atLogin: boolean
}

export function startOnSystem(
  app: Pick<App, 'setAppUserModelId' | 'setDesktopName' | 'getLoginItemSettings'>,
  platform: Boot['platform'],
  env: Readonly<Record<string, string | undefined>> = process.env,
): SystemStart {
  if (platform === 'win32') app.setAppUserModelId(APP_ID)
  // A Flatpak exports only the desktop entry that is named after its ID, not the one that package.json names.
  const flatpak = env['FLATPAK_ID'] ?? ''
  if (platform === 'linux' && flatpak !== '') app.setDesktopName(`${flatpak}.desktop`)
  // macOS starts login items without arguments, so `--hidden` never arrives.
  return { atLogin: platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin }
}
