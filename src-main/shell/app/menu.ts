// Builds Electron's application menu from the data of menu-template.ts, and the context menu of text fields
// and selected text.
import { Menu, type MenuItemConstructorOptions, type WebContents } from 'electron'
import type { ShellTexts } from '../../../src-shared/i18n/en/shell.ts'
import type { Formats } from '../../../src-shared/i18n/formats.ts'
import type { Boot, Undoable, View, WindowCommand } from '../../../src-shared/window-contract.ts'
import type { DataPaths } from '../../platform/data/paths.ts'
import type { Desk } from '../window/desk.ts'
import type { ShellHandlers } from '../window/handlers.ts'
import { unpackedPath } from '../window/window.ts'
import { type MenuCommand, type MenuItem, menuTemplate } from './menu-template.ts'

function itemOf(item: MenuItem, act: (command: MenuCommand) => void): MenuItemConstructorOptions {
  switch (item.type) {
    case 'separator':
      return { type: 'separator' }
    case 'role':
      return { role: item.role, label: item.label }
    case 'command':
      return {
        label: item.label,
        id:
          item.command.kind === 'window'
            ? item.command.command
            : item.command.kind === 'go'
              ? `go-${item.command.view}`
              : item.command.kind === 'act'
                ? item.command.action
                : item.command.kind,
        click: () => act(item.command),
        ...(item.isDisabled === true ? { enabled: false } : {}),
        ...(item.accelerator === null ? {} : { accelerator: item.accelerator }),
      }
    default:
      return item satisfies never
  }
}

export function setMenu(options: {
  readonly platform: Boot['platform']
  readonly texts: ShellTexts
  readonly formats: Pick<Formats, 'count'>
  /** What can be undone; null if there is nothing, `unnamed` if the menu doesn't say. */
  readonly undo: Undoable | null | 'unnamed'
  readonly act: (command: MenuCommand) => void
}): void {
  const groups = menuTemplate(options)
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      groups.map(
        (group): MenuItemConstructorOptions => ({
          label: group.label,
          ...(group.role === null ? {} : { role: group.role }),
          submenu: group.items.map((item) => itemOf(item, options.act)),
        }),
      ),
    ),
  )
}

/**
 * Adds a context menu to text fields and selected text, because Electron has none by default. `texts` is
 * called each time the menu opens, because the language can change.
 */
export function addTextMenu(page: WebContents, texts: () => ShellTexts): void {
  page.on('context-menu', (_event, { isEditable, selectionText, editFlags }) => {
    if (!isEditable && selectionText.trim() === '') return
    const words = texts().menu
    const copy: MenuItemConstructorOptions = { role: 'copy', label: words.copy, enabled: editFlags.canCopy }
    const menu: MenuItemConstructorOptions[] = isEditable
      ? [
          { role: 'cut', label: words.cut, enabled: editFlags.canCut },
          copy,
          { role: 'paste', label: words.paste, enabled: editFlags.canPaste },
          { type: 'separator' },
          { role: 'selectAll', label: words.selectAll, enabled: editFlags.canSelectAll },
        ]
      : [copy]
    Menu.buildFromTemplate(menu).popup()
  })
}

// Carries out the commands of the application menu.

/** The parts of the app that the menu uses. */
interface MenuTarget {
  readonly desk: Pick<Desk, 'openPath'>
  readonly paths: Pick<DataPaths, 'dir'>
  readonly shell: Pick<ShellHandlers, 'handlers'>
  command(name: WindowCommand): void
  show(view: View | null): void
  linkCommandLine(): Promise<void>
  act(action: 'region' | 'shelf'): void
}

export function actOnMenu(slipway: MenuTarget, action: MenuCommand): void {
  switch (action.kind) {
    case 'window':
      slipway.command(action.command)
      return
    case 'go':
      slipway.show(action.view)
      return
    case 'act':
      slipway.act(action.action)
      return
    case 'open-log':
      void slipway.shell.handlers.openLog({})
      return
    case 'open-data':
      void slipway.desk.openPath(slipway.paths.dir)
      return
    case 'open-website':
      void slipway.shell.handlers.openWebsite({})
      return
    case 'licences':
      void slipway.desk.openPath(unpackedPath('licences.txt'))
      return
    case 'link-command-line':
      void slipway.linkCommandLine()
      return
    default:
      action satisfies never
  }
}
