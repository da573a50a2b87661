// What `electron` resolves to in an app run by the stand-in: every name of Electron's main process. Names
// that aren't implemented here throw when they are used. `standIn` exists only here, and an app must not use
// it.
import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { ClipboardItem, clipboard } from './clipboard.ts'
import { dialog, shell } from './dialog.ts'
import { ipcMain } from './ipc-main.ts'
import { Menu, MenuItem } from './menu.ts'
import { nativeImage } from './native-image.ts'
import { nativeTheme } from './native-theme.ts'
import { Notification } from './notification.ts'
import { net, protocol } from './schemes.ts'
import { screen } from './screen.ts'
import { session } from './session.ts'
import { standIn } from './stand-in.ts'
import { absent } from './strict.ts'
import { globalShortcut, powerMonitor, powerSaveBlocker, systemPreferences } from './system.ts'
import { Tray } from './tray.ts'
import { UtilityProcess as utilityProcess } from './utility-process.ts'
import { WebContents as webContents } from './web-contents.ts'

export {
  app,
  BrowserWindow,
  ClipboardItem,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
  Notification,
  nativeImage,
  nativeTheme,
  net,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  screen,
  session,
  shell,
  standIn,
  systemPreferences,
  Tray,
  utilityProcess,
  webContents,
}

export const autoUpdater: Electron.AutoUpdater = absent('autoUpdater')
export const BaseWindow: typeof Electron.BaseWindow = absent('BaseWindow')
export const BrowserView: typeof Electron.BrowserView = absent('BrowserView')
export const contentTracing: Electron.ContentTracing = absent('contentTracing')
export const crashReporter: Electron.CrashReporter = absent('crashReporter')
export const desktopCapturer: Electron.DesktopCapturer = absent('desktopCapturer')
export const ImageView: typeof Electron.ImageView = absent('ImageView')
export const inAppPurchase: Electron.InAppPurchase = absent('inAppPurchase')
export const IpcMainServiceWorker: typeof Electron.IpcMainServiceWorker = absent('IpcMainServiceWorker')
export const MessageChannelMain: typeof Electron.MessageChannelMain = absent('MessageChannelMain')
export const netLog: Electron.NetLog = absent('netLog')
export const pushNotifications: Electron.PushNotifications = absent('pushNotifications')
export const safeStorage: Electron.SafeStorage = absent('safeStorage')
export const sharedTexture: Electron.SharedTexture = absent('sharedTexture')
export const ShareMenu: typeof Electron.ShareMenu = absent('ShareMenu')
export const TouchBar: typeof Electron.TouchBar = absent('TouchBar')
export const View: typeof Electron.View = absent('View')
export const WebContentsView: typeof Electron.WebContentsView = absent('WebContentsView')
export const webFrameMain: typeof Electron.WebFrameMain = absent('webFrameMain')
export const WebSocket: typeof Electron.WebSocket = absent('WebSocket')
