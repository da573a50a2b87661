// Defines the application menu of each platform as plain data: items, labels and accelerators. menu.ts turns
// it into Electron's menu. An `&` in a label marks a mnemonic.

import { middleEllipsis, printable } from '../../../src-shared/format.ts'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { Boot, Undoable, View, WindowCommand } from '../../../src-shared/window-contract.ts'

export type MenuCommand =
  /** Sent to the window's page. */
  | { readonly kind: 'window'; readonly command: WindowCommand }
  | { readonly kind: 'go'; readonly view: View }
  | { readonly kind: 'open-log' }
  | { readonly kind: 'open-data' }
  | { readonly kind: 'open-website' }
  | { readonly kind: 'licences' }
  /** macOS only. The Windows installer and the Linux packages put the command line on PATH themselves. */
  | { readonly kind: 'link-command-line' }
  | { readonly kind: 'act'; readonly action: 'region' | 'shelf' }

type MenuRole =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'quit'
  | 'close'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'minimize'
  | 'zoom'
  | 'front'

export type MenuItem =
  | { readonly type: 'separator' }
  /**
   * Electron provides the action and its accelerator. Electron's labels are in English only, so we set our
   * own.
   */
  | { readonly type: 'role'; readonly role: MenuRole; readonly label: string }
  | {
      readonly type: 'command'
      readonly label: string
      readonly command: MenuCommand
      readonly accelerator: string | null
      readonly isDisabled?: boolean
    }

export interface MenuGroup {
  readonly label: string
  /** Null for a menu without a role. With these roles, macOS adds its own items to the menu. */
  readonly role: 'window' | 'help' | null
  readonly items: readonly MenuItem[]
}

const SEPARATOR: MenuItem = { type: 'separator' }

function role(name: MenuRole, label: string): MenuItem {
  return { type: 'role', role: name, label }
}

function command(label: string, what: MenuCommand, accelerator: string | null = null): MenuItem {
  return { type: 'command', label, command: what, accelerator }
}

function window(label: string, what: WindowCommand, accelerator: string | null = null): MenuItem {
  return command(label, { kind: 'window', command: what }, accelerator)
}

function go(label: string, view: View, accelerator: string | null): MenuItem {
  return command(label, { kind: 'go', view }, accelerator)
}

const NAME_MAX = 40

function undoLabel(
  undo: Undoable | null | 'unnamed',
  { undo: words }: ShellTexts,
  formats: Pick<Formats, 'count'>,
): string {
  if (undo === 'unnamed') return words.unnamed
  if (undo === null) return words.nothing
  // A single `&` marks a mnemonic.
  const name = middleEllipsis(printable(undo.name), NAME_MAX).replaceAll('&', '&&')
  return words[undo.what](undo.count, formats.count(undo.count), name)
}

export function menuTemplate({
  platform,
  texts,
  formats,
  undo,
}: {
  readonly platform: Boot['platform']
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count'>
  readonly undo: Undoable | null | 'unnamed'
}): readonly MenuGroup[] {
  const words = texts.menu
  const mac = platform === 'darwin'
  const group = (label: string, items: readonly MenuItem[], as: MenuGroup['role'] = null): MenuGroup => ({
    // macOS has no mnemonics.
    label: mac ? label.replaceAll('&', '') : label,
    role: as,
    items,
  })

  const app = group('Slipway', [
    role('about', words.about),
    window(words.updates, 'updates'),
    SEPARATOR,
    go(words.settings, 'settings', 'Cmd+,'),
    command(words.commandLine, { kind: 'link-command-line' }),
    SEPARATOR,
    role('services', words.services),
    SEPARATOR,
    role('hide', words.hide),
    role('hideOthers', words.hideOthers),
    role('unhide', words.showAll),
    SEPARATOR,
    role('quit', words.quit),
  ])
  const file = group(words.file, [
    window(words.upload, 'upload', 'CmdOrCtrl+U'),
    window(words.uploadFolder, 'upload-folder', 'Shift+CmdOrCtrl+U'),
    window(words.pasteUpload, 'paste', 'Shift+CmdOrCtrl+V'),
    command(words.takeRegion, { kind: 'act', action: 'region' }),
    command(words.openShelf, { kind: 'act', action: 'shelf' }),
    SEPARATOR,
    // These items have no accelerators, because the menu doesn't know where the focus is. On macOS, Cmd+C in
    // a text field would trigger Copy link instead of Edit > Copy. The page knows the focus, so it handles
    // these keys.
    window(words.copyLink, 'copy'),
    window(words.openLink, 'open'),
    window(words.delete, 'delete'),
    SEPARATOR,
    window(words.addAccount, 'add-account'),
    window(words.manageAccounts, 'manage-accounts'),
    SEPARATOR,
    role('close', words.close),
    ...(mac ? [] : [role('quit', words.quit)]),
  ])
  const edit = group(words.edit, [
    role('undo', words.undo),
    role('redo', words.redo),
    SEPARATOR,
    role('cut', words.cut),
    role('copy', words.copy),
    role('paste', words.paste),
    role('selectAll', words.selectAll),
    SEPARATOR,
    // The page handles Ctrl+Z, because in a text field it must undo typing.
    {
      type: 'command',
      label: undoLabel(undo, texts, formats),
      command: { kind: 'window', command: 'undo' },
      accelerator: null,
      isDisabled: undo === null,
    },
    SEPARATOR,
    // This item has no accelerator either: in a text field, Ctrl+A must select the text.
    window(words.selectAllFiles, 'select-all'),
    window(words.find, 'search', 'CmdOrCtrl+F'),
  ])
  const view = group(words.view, [
    go(words.files, 'files', 'CmdOrCtrl+1'),
    go(words.transfers, 'transfers', 'CmdOrCtrl+2'),
    go(words.usage, 'usage', 'CmdOrCtrl+3'),
    // On macOS, the settings item of the app menu has the accelerator.
    go(words.settingsView, 'settings', mac ? null : 'Ctrl+,'),
    SEPARATOR,
    window(words.palette, 'palette', 'CmdOrCtrl+K'),
    window(words.details, 'details', 'CmdOrCtrl+I'),
    window(words.refresh, 'refresh', mac ? 'Cmd+R' : 'F5'),
    SEPARATOR,
    role('resetZoom', words.actualSize),
    role('zoomIn', words.zoomIn),
    role('zoomOut', words.zoomOut),
    SEPARATOR,
    role('togglefullscreen', words.fullScreen),
  ])
  const windows = group(
    words.window,
    [
      role('minimize', words.minimize),
      ...(mac ? [role('zoom', words.zoom), SEPARATOR, role('front', words.front)] : []),
    ],
    'window',
  )
  const help = group(
    words.help,
    [
      window(words.shortcuts, 'shortcuts', mac ? null : 'F1'),
      command(words.website, { kind: 'open-website' }),
      SEPARATOR,
      command(words.log, { kind: 'open-log' }),
      command(words.data, { kind: 'open-data' }),
      SEPARATOR,
      command(words.licences, { kind: 'licences' }),
      ...(mac ? [] : [window(words.updates, 'updates')]),
      ...(mac ? [] : [role('about', words.about)]),
    ],
    'help',
  )
  return [...(mac ? [app] : []), file, edit, view, windows, help]
}
