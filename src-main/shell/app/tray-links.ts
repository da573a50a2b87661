// Carries out the tray menu's actions on links, for the account whose links the menu shows.
import type { Result } from '../../../src-shared/contract.ts'
import type { AccountSession } from '../accounts/account-session.ts'
import type { TrayAction } from '../tray/tray-view.ts'

interface LinkSession extends Pick<AccountSession, 'id'> {
  readonly shell: Pick<AccountSession['shell'], 'copies' | 'files'>
}

/** The parts of the app that these actions use. */
interface TrayApp {
  readonly accounts: { shown(): LinkSession; all(): readonly LinkSession[] }
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
      await slipway.reportFailure(copies.ofTransfers([action.transferId], null))
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
