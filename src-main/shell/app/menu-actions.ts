// What a click in the application menu does.
// The items themselves are decided in menu-template.ts.
import type { View, WindowCommand } from '../../../src-shared/app.ts'
import type { DataPaths } from '../../platform/paths.ts'
import type { Desk } from '../window/desk.ts'
import type { ShellHandlers } from '../window/handlers.ts'
import { builtPath } from '../window/window.ts'
import type { MenuCommand } from './menu-template.ts'

/** What the menu needs of the app. */
interface MenuTarget {
  readonly desk: Pick<Desk, 'openPath' | 'showInFolder'>
  readonly paths: Pick<DataPaths, 'dir' | 'log'>
  readonly shell: Pick<ShellHandlers, 'handlers'>
  command(name: WindowCommand): void
  show(view: View | null): void
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
      slipway.desk.showInFolder(slipway.paths.log)
      return
    case 'open-data':
      void slipway.desk.openPath(slipway.paths.dir)
      return
    case 'open-website':
      void slipway.shell.handlers.openWebsite({})
      return
    case 'licences':
      void slipway.desk.openPath(builtPath('licences.txt'))
      return
    default:
      action satisfies never
  }
}
