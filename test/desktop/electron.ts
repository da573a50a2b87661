// What `electron` resolves to in an app that the stand-in runs: every name that Electron's main process has. Names that are not built here
// throw when they are used. `standIn` is the stand-in's own and the one thing an app must not touch.
import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { clipboard } from './clipboard.ts'
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
import { WebContents as webContents } from './web-contents.ts'

export {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  screen,
  session,
  shell,
  standIn,
  systemPreferences,
  Tray,
  webContents,
}

export const autoUpdater = absent<Electron.AutoUpdater>('autoUpdater')
export const BaseWindow = absent<typeof Electron.BaseWindow>('BaseWindow')
export const BrowserView = absent<typeof Electron.BrowserView>('BrowserView')
export const ClipboardItem = absent<typeof Electron.ClipboardItem>('ClipboardItem')
export const contentTracing = absent<Electron.ContentTracing>('contentTracing')
export const crashReporter = absent<Electron.CrashReporter>('crashReporter')
export const desktopCapturer = absent<Electron.DesktopCapturer>('desktopCapturer')
export const ImageView = absent<typeof Electron.ImageView>('ImageView')
export const inAppPurchase = absent<Electron.InAppPurchase>('inAppPurchase')
export const IpcMainServiceWorker = absent<typeof Electron.IpcMainServiceWorker>('IpcMainServiceWorker')
export const MessageChannelMain = absent<typeof Electron.MessageChannelMain>('MessageChannelMain')
export const netLog = absent<Electron.NetLog>('netLog')
export const pushNotifications = absent<Electron.PushNotifications>('pushNotifications')
export const safeStorage = absent<Electron.SafeStorage>('safeStorage')
export const sharedTexture = absent<Electron.SharedTexture>('sharedTexture')
export const ShareMenu = absent<typeof Electron.ShareMenu>('ShareMenu')
export const TouchBar = absent<typeof Electron.TouchBar>('TouchBar')
export const utilityProcess = absent<typeof Electron.UtilityProcess>('utilityProcess')
export const View = absent<typeof Electron.View>('View')
export const WebContentsView = absent<typeof Electron.WebContentsView>('WebContentsView')
export const webFrameMain = absent<typeof Electron.WebFrameMain>('webFrameMain')
export const WebSocket = absent<typeof Electron.WebSocket>('WebSocket')
