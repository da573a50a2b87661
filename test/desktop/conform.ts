/// <reference types="electron" />
// Compile-time only: members of the stand-in must match Electron's types, most of its types must have no
// members of their own, and no export of Electron's main process may be missing. Exceptions are listed by
// name. This verifies shapes, not behaviour.
import type { EventEmitter } from 'node:events'
import type * as StandIn from './electron.ts'
import type { NativeImage } from './native-image.ts'
import type { Session } from './session.ts'
import type { UtilityProcess } from './utility-process.ts'
import type { WebContents } from './web-contents.ts'

type Own<Real, Mine> = Exclude<keyof Real & keyof Mine, keyof EventEmitter>
/**
 * Members of Mine that aren't assignable to Real's. `Known` ones contain parts of the stand-in, which are
 * checked separately.
 */
type Misfits<Real, Mine, Known extends keyof Mine = never> = {
  [Name in Exclude<Own<Real, Mine>, Known>]: Mine[Name] extends Real[Name] ? never : Name
}[Exclude<Own<Real, Mine>, Known>]
/**
 * Members of Mine that Real doesn't have, which an app could use by mistake. `Known` ones are used by tests
 * or by the stand-in itself.
 */
type Inventions<Real, Mine, Known extends keyof Mine = never> = Exclude<keyof Mine, keyof Real | Known>
type None<_Names extends never> = true

type Absent = Exclude<keyof typeof Electron.Main | keyof typeof Electron.Common, keyof typeof StandIn>

export type Conforms = readonly [
  None<Absent>,
  None<Inventions<typeof Electron.Main & typeof Electron.Common, typeof StandIn, 'standIn'>>,
  None<Misfits<Electron.App, typeof StandIn.app, 'commandLine' | 'dock'>>,
  None<Inventions<Electron.App, typeof StandIn.app, 'windowGone' | 'becomeReady'>>,
  None<Misfits<Electron.CommandLine, typeof StandIn.app.commandLine>>,
  None<Misfits<Electron.BrowserWindow, StandIn.BrowserWindow, 'webContents'>>,
  None<Inventions<Electron.BrowserWindow, StandIn.BrowserWindow, 'options' | 'pageLoaded'>>,
  None<
    Misfits<
      typeof Electron.BrowserWindow,
      typeof StandIn.BrowserWindow,
      'prototype' | 'getAllWindows' | 'getFocusedWindow' | 'fromId' | 'fromWebContents'
    >
  >,
  None<Inventions<typeof Electron.BrowserWindow, typeof StandIn.BrowserWindow>>,
  None<Misfits<Electron.WebContents, WebContents, 'session'>>,
  None<
    Inventions<
      Electron.WebContents,
      WebContents,
      | 'preferences'
      | 'opened'
      | 'targetId'
      | 'onCdp'
      | 'mayKeep'
      | 'setSize'
      | 'setVisible'
      | 'themeChanged'
      | 'targetGone'
      | 'windowGone'
    >
  >,
  None<Inventions<typeof Electron.WebContents, typeof WebContents>>,
  None<Misfits<Electron.Session, Session, 'protocol'>>,
  None<Inventions<Electron.Session, Session, 'partition' | 'permissionRequest' | 'permissionCheck'>>,
  None<Misfits<Electron.IpcMain, typeof StandIn.ipcMain>>,
  None<Inventions<Electron.IpcMain, typeof StandIn.ipcMain>>,
  None<Misfits<Electron.Protocol, typeof StandIn.protocol>>,
  None<Misfits<Electron.Net, typeof StandIn.net>>,
  None<Misfits<Electron.Menu, StandIn.Menu, 'items' | 'append' | 'insert' | 'getMenuItemById'>>,
  None<Inventions<Electron.Menu, StandIn.Menu, 'radioRowOf'>>,
  None<Misfits<Electron.MenuItem, StandIn.MenuItem, 'click' | 'submenu' | 'menu'>>,
  None<Inventions<Electron.MenuItem, StandIn.MenuItem>>,
  None<Misfits<Electron.Tray, StandIn.Tray, 'setContextMenu' | 'setImage'>>,
  None<Inventions<Electron.Tray, StandIn.Tray, 'image' | 'toolTip' | 'menu'>>,
  None<Misfits<Electron.Notification, StandIn.Notification>>,
  None<Inventions<Electron.Notification, StandIn.Notification, 'options'>>,
  None<Misfits<Electron.NativeImage, NativeImage, 'resize'>>,
  None<Inventions<Electron.NativeImage, NativeImage, 'path'>>,
  None<
    Misfits<
      typeof Electron.NativeImage,
      typeof StandIn.nativeImage,
      'createEmpty' | 'createFromPath' | 'createFromBuffer' | 'createFromDataURL'
    >
  >,
  None<Misfits<Electron.Clipboard, typeof StandIn.clipboard, 'read' | 'write' | 'selection'>>,
  None<Inventions<Electron.Clipboard, typeof StandIn.clipboard>>,
  None<Misfits<Electron.ClipboardItem, StandIn.ClipboardItem, 'getType'>>,
  None<Inventions<Electron.ClipboardItem, StandIn.ClipboardItem>>,
  None<Misfits<Electron.Dialog, typeof StandIn.dialog>>,
  None<Misfits<Electron.Shell, typeof StandIn.shell>>,
  None<Misfits<Electron.NativeTheme, typeof StandIn.nativeTheme>>,
  None<Inventions<Electron.NativeTheme, typeof StandIn.nativeTheme>>,
  None<Misfits<Electron.PowerMonitor, typeof StandIn.powerMonitor>>,
  None<Misfits<Electron.PowerSaveBlocker, typeof StandIn.powerSaveBlocker>>,
  None<Misfits<Electron.GlobalShortcut, typeof StandIn.globalShortcut>>,
  None<Misfits<Electron.SystemPreferences, typeof StandIn.systemPreferences>>,
  None<Misfits<Electron.Screen, typeof StandIn.screen>>,
  None<Misfits<Electron.UtilityProcess, UtilityProcess>>,
  None<Inventions<Electron.UtilityProcess, UtilityProcess>>,
  None<Misfits<typeof Electron.UtilityProcess, typeof StandIn.utilityProcess, 'prototype' | 'fork'>>,
]
