// Carries out the actions of the tray menu. ../tray/tray-view.ts defines the menu's items.
import type { Result } from '../../../src-shared/engine-contract.ts'
import type { LinkStyle } from '../../../src-shared/settings.ts'
import type { AccountSession } from '../accounts/account-session.ts'
import type { TrayAction } from '../tray/tray-view.ts'
import type { App } from './app.ts'
import { uploadClipboard } from './outside-uploads.ts'

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
    case 'take-region':
      slipway.act('region')
      return
    case 'open-shelf':
      slipway.act('shelf')
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
      slipway.desk.quit()
      return
    default:
      action satisfies never
  }
}

interface LinkSession extends Pick<AccountSession, 'id'> {
  readonly shell: Pick<AccountSession['shell'], 'copies' | 'files'>
}

/** The parts of the app that these actions use. */
interface TrayApp {
  readonly accounts: { shown(): LinkSession; all(): readonly LinkSession[] }
  /** Makes this format the first under "Copy as" in the tray. */
  rememberStyle(style: LinkStyle): void
  reportFailure(work: Promise<Result<unknown>>, doing?: 'openLink' | 'showInFolder'): Promise<unknown>
}

type LinkAction = Extract<TrayAction, { kind: 'copy-link' | 'open-link' | 'show-file' | 'copy-last-drop' }>

/**
 * Acts on the account for which the menu was built. Does nothing if that account isn't in the app any more.
 */
export async function actOnLinks(slipway: TrayApp, action: LinkAction): Promise<void> {
  const { accounts } = slipway
  const session =
    action.account === null ? accounts.shown() : accounts.all().find((one) => one.id() === action.account)
  if (session === undefined) return
  const { copies, files } = session.shell
  switch (action.kind) {
    case 'copy-link':
      if (action.style !== undefined) slipway.rememberStyle(action.style)
      await slipway.reportFailure(copies.ofTransfers([action.transferId], action.style ?? null))
      return
    case 'open-link':
      await slipway.reportFailure(files.openLink(action.transferId), 'openLink')
      return
    case 'show-file':
      await slipway.reportFailure(files.showInFolder(action.transferId), 'showInFolder')
      return
    case 'copy-last-drop':
      await slipway.reportFailure(copies.ofLastDrop(null))
      return
    default:
      action satisfies never
  }
}
