// Platform-specific steps at the start of the app, before its first window.
// They identify the app to the system and detect a start at login.
import type { App } from 'electron'
import type { Boot } from '../../../src-shared/app.ts'

/**
 * The appId of electron-builder.yml. Windows shows notifications and groups taskbar windows only if this ID matches the installed
 * shortcut's.
 */
export const APP_ID = 'app.slipway.desktop'

export interface SystemStart {
  /** macOS: whether the system started the app at login; then no window opens. Elsewhere false, because `--hidden` is passed instead. */
  readonly atLogin: boolean
}

export function startOnSystem(app: Pick<App, 'setAppUserModelId' | 'getLoginItemSettings'>, platform: Boot['platform']): SystemStart {
  if (platform === 'win32') app.setAppUserModelId(APP_ID)
  // macOS doesn't pass a login item's arguments, so `--hidden` never arrives.
  return { atLogin: platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin }
}
