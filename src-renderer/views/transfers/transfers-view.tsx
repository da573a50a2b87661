// The view of all transfers, grouped into running, waiting, needing attention, and ended. This file combines the parts; groups.ts decides
// which group a row belongs to, and transfer-actions.ts decides which actions a row has.
import { ArrowUpDown, Pause, Play, SearchX, Upload } from 'lucide-react'
import { type Dispatch, type ReactNode, type RefObject, type SetStateAction, useEffect, useMemo, useRef, useState } from 'react'
import { overviewOf } from '../../../src-shared/overview.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ContextMenu } from '../../components/context-menu.tsx'
import { Empty } from '../../components/empty.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { ViewHead } from '../../components/view-head.tsx'
import { useDebounced } from '../../hooks/use-debounced.ts'
import { HOME } from '../../hooks/use-focus-home.ts'
import { useKeptScroll } from '../../hooks/use-kept-scroll.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { useTopOnChange } from '../../hooks/use-top-on-change.ts'
import { useWindowCommand } from '../../hooks/use-window-command.ts'
import { type Choice, chooseAll, clear, NO_CHOICE } from '../../lib/key-selection.ts'
import { usePlace } from '../../state/place.ts'
import { send, useApp } from '../../state/store.ts'
import { ChangeAnnouncer } from './change-announcer.tsx'
import { CopiesBanner } from './copies-banner.tsx'
import { chosenOf, rowKeys } from './groups.ts'
import { PlanBanner } from './plan-banner.tsx'
import { ask } from './run-actions.ts'
import { SelectionBar } from './selection-bar.tsx'
import { viewDetail } from './sentences.ts'
import { TransferList } from './transfer-list.tsx'
import { type OpenMenu, transferMenu } from './transfer-menu.ts'
import { transfersStore } from './transfers-store.ts'
import { useCopyToday } from './use-copy-today.ts'
import { useListHandlers } from './use-list-handlers.ts'
import { useTransferActions } from './use-transfer-actions.ts'
import { type TransferItems, useTransferItems } from './use-transfer-items.ts'
import './transfers.css'

const SEARCH_PAUSE_MS = 150

export function TransfersView(): ReactNode {
  const { t } = useLanguage()
  const own = t.transfersView
  const now = useNow(30_000)
  const [typed, setTyped] = useState(() => transfersStore.getState().search)
  useEffect(() => transfersStore.setState({ search: typed }), [typed])
  const search = useDebounced(typed.trim(), SEARCH_PAUSE_MS)
  const list = useTransferItems(search, now)
  const [choice, setChoice] = usePlace<Choice>('transfers choice', NO_CHOICE)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const clearChoice = (): void => setChoice(clear)
  const actions = useTransferActions(clearChoice)
  const today = useCopyToday(list.items)
  const keys = useMemo(() => rowKeys(list.items), [list.items])
  const { chosen, meant } = useMemo(() => chosenOf(list.items, choice), [list.items, choice])

  // Select at once, before the rows are rendered, because the next key press may already cancel the selected transfers.
  const selectAll = (): void => {
    const all = list.openAll()
    setChoice((had) => chooseAll(had, all))
  }
  const handlers = useListHandlers({ list, selectAll, actions, today, choice, setChoice, keys, chosen, meant, setMenu })
  useWindowCommand(({ name, style }) => {
    if (name === 'search') searchField.current?.focus()
    if (name === 'copy') void actions.copy(meant, style ?? null)
    if (name === 'open') actions.act('open', meant)
    if (name === 'select-all') selectAll()
    if (name === 'delete') actions.cancel(meant)
  })

  const order = useOrdering(list, grid, setChoice)
  useKeptScroll(grid, 'transfers', list.isLoaded)
  useTopOnChange(grid, search)

  return (
    <section className="transfers" aria-label={own.title}>
      <Head typed={typed} setTyped={setTyped} searchField={searchField} onDown={() => grid.current?.focus({ preventScroll: true })} />
      <PlanBanner now={now} isOrdering={order.isOn} onOrder={order.set} />
      <CopiesBanner />
      {list.emptyFor !== null ? (
        <NoTransfers search={list.emptyFor} />
      ) : (
        <TransferList
          items={list.items}
          choice={choice}
          movedFirst={actions.movedFirst}
          now={now}
          handlers={handlers}
          gridRef={grid}
          tools={{ onFoldWaiting: list.isWaitingOpen ? () => list.setWaitingOpen(false) : null, today }}
        />
      )}
      {chosen.length > (order.isOn ? 0 : 1) ? <SelectionBar transfers={chosen} actions={actions} onClear={clearChoice} /> : null}
      <ContextMenu
        label={t.more}
        at={menu}
        entries={menu === null ? [] : transferMenu(t, menu.transfers, actions.act)}
        onClose={() => setMenu(null)}
      />
      <ConfirmDialog question={actions.question} onClose={actions.closeQuestion} />
      <ChangeAnnouncer />
    </section>
  )
}

/**
 * Lets the user choose which transfers go first: expands all waiting rows and makes the first one active. `set` is null if nothing waits.
 */
function useOrdering(
  list: Pick<TransferItems, 'items' | 'setWaitingOpen'>,
  grid: RefObject<HTMLDivElement | null>,
  setChoice: Dispatch<SetStateAction<Choice>>,
): { readonly isOn: boolean; readonly set: ((isOn: boolean) => void) | null } {
  const [isWanted, setWanted] = useState(false)
  const first = list.items.find((item) => item.kind === 'row' && item.group === 'waiting')
  if (first === undefined) return { isOn: false, set: null }
  return {
    isOn: isWanted,
    set: (isOn) => {
      setWanted(isOn)
      list.setWaitingOpen(isOn)
      setChoice((had) => ({ ...clear(had), active: first.key }))
      grid.current?.focus({ preventScroll: true })
    },
  }
}

function NoTransfers({ search }: { readonly search: string }): ReactNode {
  const { t } = useLanguage()
  const own = t.transfersView
  if (search !== '') return <Empty icon={<SearchX className="icon" />} title={own.nothingFound} hint={own.nothingFoundHint(search)} />
  return (
    <Empty
      icon={<ArrowUpDown className="icon" />}
      title={own.emptyTitle}
      hint={own.emptyHint}
      action={
        <Button {...HOME} variant="primary" icon={<Upload className="icon" />} onPress={() => send('upload')}>
          {t.uploadFiles}
        </Button>
      }
    />
  )
}

function Head(props: {
  readonly typed: string
  readonly setTyped: (value: string) => void
  readonly searchField: RefObject<HTMLInputElement | null>
  readonly onDown: () => void
}): ReactNode {
  const words = useLanguage()
  const { t } = words
  const snapshot = useApp((state) => state.snapshot)
  const isPaused = snapshot?.paused === true
  return (
    <ViewHead title={t.transfersView.title} detail={snapshot === null ? '' : viewDetail(words, overviewOf(snapshot))}>
      <SearchField
        label={t.transfersView.search}
        placeholder={t.transfersView.search}
        clearLabel={t.clear}
        value={props.typed}
        onChange={props.setTyped}
        inputRef={props.searchField}
        onDown={props.onDown}
      />
      <Button
        isDisabled={snapshot === null}
        icon={isPaused ? <Play className="icon" /> : <Pause className="icon" />}
        onPress={() => void ask(words, isPaused ? 'resume' : 'pause', {})}
      >
        {isPaused ? t.resume : t.pauseAll}
      </Button>
    </ViewHead>
  )
}
