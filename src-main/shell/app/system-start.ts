// Platform differences when the app starts, before its first window: what each system needs to know, and how it shows that it started the
// app at login.
import type { App } from 'electron'
import type { Boot } from '../../../src-shared/app.ts'

/**
 * The appId of electron-builder.yml. Windows shows notifications and groups taskbar windows only under the ID of the installed shortcut.
 */
export const APP_ID = 'app.slipway.desktop'

export interface SystemStart {
  /** Whether the system started the app at login, so that no window should open. */
  readonly atLogin: boolean
}

export function startOnSystem(app: Pick<App, 'setAppUserModelId' | 'getLoginItemSettings'>, platform: Boot['platform']): SystemStart {
  if (platform === 'win32') app.setAppUserModelId(APP_ID)
  // macOS doesn't pass a login item's arguments, so `--hidden` never arrives.
  return { atLogin: platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin }
}
