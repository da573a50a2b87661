// Handles clicks and keys in the transfer list. The handlers keep a stable identity, so that rows render only
// when their own data changes. Each delegates to the handler created by the latest render.
import { type Dispatch, type SetStateAction, useMemo, useRef } from 'react'
import type { Transfer } from '../../../src-shared/model.ts'
import { type Choice, choose, clear } from '../../lib/key-selection.ts'
import { isKey } from '../../state/keyboard.ts'
import type { ListHandlers } from './list-handlers.ts'
import { mainAction } from './transfer-actions.ts'
import type { OpenMenu } from './transfer-menu.ts'
import type { CopyToday } from './use-copy-today.ts'
import type { TransferActions } from './use-transfer-actions.ts'
import type { TransferItems } from './use-transfer-items.ts'

interface HandlerInput {
  readonly list: TransferItems
  readonly actions: TransferActions
  readonly today: CopyToday | null
  readonly choice: Choice
  readonly setChoice: Dispatch<SetStateAction<Choice>>
  readonly keys: readonly string[]
  readonly chosen: readonly Transfer[]
  readonly meant: readonly Transfer[]
  readonly selectAll: () => void
  readonly setMenu: (menu: OpenMenu) => void
}

function handlersOf({
  list,
  actions,
  today,
  choice,
  setChoice,
  keys,
  chosen,
  meant,
  selectAll,
  setMenu,
}: HandlerInput): ListHandlers {
  const menu: ListHandlers['menu'] = (transfers, at) => {
    const box = at.getBoundingClientRect()
    setMenu({ transfers, x: getComputedStyle(at).direction === 'rtl' ? box.right : box.left, y: box.bottom })
  }
  return {
    act: actions.act,
    menu,
    toggleFold: list.toggleFold,
    rest: list.openRest,
    seen: list.look,
    pick: (key, gesture) => setChoice((had) => choose(had, keys, key, gesture)),
    enter: (item, at) => {
      if (item.kind === 'fold') list.toggleFold(item.key)
      else if (item.kind === 'rest') list.openRest(item)
      else if (item.kind === 'head' && item.group === 'today') today?.run()
      else if (item.kind === 'row') {
        const action = mainAction(item.transfer)
        if (action === 'menu') menu([item.transfer], at)
        else if (action !== null) actions.act(action, [item.transfer])
      }
    },
    key: (event) => {
      if (isKey(event, 'select-all')) selectAll()
      else if (isKey(event, 'copy')) void actions.copy(meant, null)
      else if (isKey(event, 'open')) actions.act('open', meant)
      else if (isKey(event, 'delete')) actions.cancel(meant)
      else if (isKey(event, 'escape') && choice.chosen.size > 0) setChoice(clear)
      else return false
      return true
    },
    contextMenu: (item, x, y) => {
      if (item.kind === 'fold') setMenu({ transfers: item.rows, x, y })
      if (item.kind !== 'row') return
      const isChosen = choice.chosen.has(item.key)
      if (!isChosen) setChoice((had) => choose(had, keys, item.key, 'only'))
      setMenu({ transfers: isChosen && chosen.length > 0 ? chosen : [item.transfer], x, y })
    },
  }
}

export function useListHandlers(input: HandlerInput): ListHandlers {
  const newest = handlersOf(input)
  const latest = useRef(newest)
  latest.current = newest
  return useMemo<ListHandlers>(
    () => ({
      act: (action, transfers) => latest.current.act(action, transfers),
      menu: (transfers, at) => latest.current.menu(transfers, at),
      toggleFold: (key) => latest.current.toggleFold(key),
      rest: (item) => latest.current.rest(item),
      seen: (items) => latest.current.seen(items),
      pick: (key, gesture) => latest.current.pick(key, gesture),
      enter: (item, at) => latest.current.enter(item, at),
      key: (event) => latest.current.key(event),
      contextMenu: (item, x, y) => latest.current.contextMenu(item, x, y),
    }),
    [],
  )
}
