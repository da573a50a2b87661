// The context menu for the selected transfers, with the actions that apply to all of them.
// transfer-actions.ts decides which actions a transfer has.
import type { Texts } from '../../../src-shared/i18n/texts.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import type { MenuEntry, MenuPoint } from '../../components/context-menu.tsx'
import { type Action, actionsOf } from './transfer-actions.ts'

export interface OpenMenu extends MenuPoint {
  readonly transfers: readonly Transfer[]
}

/** Actions that make sense only for a single file. */
const FOR_ONE: ReadonlySet<Action> = new Set(['show', 'open'])

function commonActions(transfers: readonly Transfer[]): readonly Action[] {
  const [first, ...rest] = transfers
  if (first === undefined) return []
  return actionsOf(first).filter(
    (action) =>
      (rest.length === 0 || !FOR_ONE.has(action)) && rest.every((one) => actionsOf(one).includes(action)),
  )
}

/** `copyAs`: the entries of the submenu after "Copy link". */
export function transferMenu(
  t: Texts,
  transfers: readonly Transfer[],
  act: (action: Action, transfers: readonly Transfer[]) => void,
  copyAs: readonly MenuEntry[],
): readonly MenuEntry[] {
  return commonActions(transfers).flatMap((action): MenuEntry[] => [
    { id: action, label: t.transfersView.actions[action], run: () => act(action, transfers) },
    ...(action === 'copy' ? [{ id: 'copy-as', label: t.copyAsMenu, entries: copyAs }] : []),
  ])
}
