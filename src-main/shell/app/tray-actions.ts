// Carries out the actions of the tray menu. ../tray/tray-view.ts defines the menu's items.
import { app } from 'electron'
import type { TrayAction } from '../tray/tray-view.ts'
import type { App } from './app.ts'
import { uploadClipboard } from './outside-uploads.ts'
import { actOnLinks } from './tray-links.ts'

export function actOnTray(slipway: App, action: TrayAction): void {
  switch (action.kind) {
    case 'copy-link':
    case 'open-link':
    case 'show-file':
    case 'copy-last-drop':
      void actOnLinks(slipway, action)
      return
    case 'upload-files':
      void slipway.chooseAndUpload()
      return
    case 'upload-clipboard':
      void uploadClipboard(slipway)
      return
    case 'pause':
      void slipway.accounts.everywhere('pause', action.now)
      return
    case 'resume':
      void slipway.accounts.everywhere('resume', false)
      return
    case 'snooze':
      void slipway.shell.handlers.snooze({ minutes: action.minutes }).then(() => slipway.refresh())
      return
    case 'show-problems':
      slipway.show('transfers')
      return
    case 'use-account':
      void slipway.reportFailure(slipway.accounts.use(action.account))
      return
    case 'add-account':
      slipway.command('add-account')
      return
    case 'manage-accounts':
      slipway.command('manage-accounts')
      return
    case 'open':
      slipway.show(null)
      return
    case 'quit':
      app.quit()
      return
    default:
      action satisfies never
  }
}
