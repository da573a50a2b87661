// Carries out the commands of the application menu. menu-template.ts defines the menu's items.
import type { View, WindowCommand } from '../../../src-shared/app.ts'
import type { DataPaths } from '../../platform/data/paths.ts'
import type { Desk } from '../window/desk.ts'
import type { ShellHandlers } from '../window/handlers.ts'
import { unpackedPath } from '../window/window.ts'
import type { MenuCommand } from './menu-template.ts'

/** The parts of the app that the menu uses. */
interface MenuTarget {
  readonly desk: Pick<Desk, 'openPath'>
  readonly paths: Pick<DataPaths, 'dir'>
  readonly shell: Pick<ShellHandlers, 'handlers'>
  command(name: WindowCommand): void
  show(view: View | null): void
  linkCommandLine(): Promise<void>
}

export function actOnMenu(slipway: MenuTarget, action: MenuCommand): void {
  switch (action.kind) {
    case 'window':
      slipway.command(action.command)
      return
    case 'go':
      slipway.show(action.view)
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
