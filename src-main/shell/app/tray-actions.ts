// What a click in the tray menu does.
// The items themselves are decided in ../tray/tray-view.ts.
import { app } from 'electron'
import type { TrayAction } from '../tray/tray-view.ts'
import type { App } from './app.ts'

export function actOnTray(slipway: App, action: TrayAction): void {
  const { link, shell } = slipway
  switch (action.kind) {
    case 'copy-link':
      void shell.copies.ofTransfers([action.transferId], null)
      return
    case 'open-link':
      void shell.files.openLink(action.transferId)
      return
    case 'show-file':
      void shell.files.showInFolder(action.transferId)
      return
    case 'copy-last-drop':
      shell.copies.ofLastDrop(null)
      return
    case 'upload-files':
      void slipway.chooseAndUpload()
      return
    case 'upload-clipboard':
      void shell.handlers.uploadClipboard({})
      return
    case 'pause':
      void link.call('pause', {})
      return
    case 'resume':
      void link.call('resume', {})
      return
    case 'snooze':
      void shell.handlers.snooze({ minutes: action.minutes }).then(() => slipway.refresh())
      return
    case 'show-problems':
      slipway.show('transfers')
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
