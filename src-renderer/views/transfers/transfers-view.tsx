// The view of all transfers, grouped into running, waiting, needing attention, and ended. This file combines
// the parts; groups.ts decides which group a row belongs to, and transfer-actions.ts decides which actions a
// row has.
import { ArrowUpDown, ArrowUpToLine, FileSearch, Pause, Play, SearchX, Upload } from 'lucide-react'
import {
  type Dispatch,
  type ReactNode,
  type RefObject,
  type SetStateAction,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { printable } from '../../../src-shared/format.ts'
import type { Transfer } from '../../../src-shared/model.ts'
import { overviewOf } from '../../../src-shared/overview.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import { CheckAgain } from '../../components/check-again.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ContextMenu } from '../../components/context-menu.tsx'
import { useCopyAs } from '../../components/copy-as.tsx'
import { Empty } from '../../components/empty.tsx'
import { LeftOut, useLeftOut } from '../../components/left-out.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { SecondCopies } from '../../components/second-copies.tsx'
import { useSelectionMenu } from '../../components/selection-menu.ts'
import { ViewHead } from '../../components/view-head.tsx'
import { useAhead } from '../../hooks/use-ahead.ts'
import { useDebounced } from '../../hooks/use-debounced.ts'
import { HOME } from '../../hooks/use-focus-home.ts'
import { useLastFound } from '../../hooks/use-found.ts'
import { useFoundFiles } from '../../hooks/use-found-files.ts'
import { useKeptScroll } from '../../hooks/use-kept-scroll.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { keepSecondCopies, useKeptCopies, useSecondCopies } from '../../hooks/use-second-copies.ts'
import { useTopOnChange } from '../../hooks/use-top-on-change.ts'
import { useWindowCommand } from '../../hooks/use-window-command.ts'
import { isHalted } from '../../lib/causes.ts'
import { type Choice, chooseAll, clear, NO_CHOICE } from '../../lib/key-selection.ts'
import { usePlace } from '../../state/saved-place.ts'
import { send, showInFiles, useApp } from '../../state/store.ts'
import { transfersStore } from '../../state/transfers-store.ts'
import { followChanges } from './follow-changes.ts'
import { chosenOf, rowKeys } from './groups.ts'
import { ask } from './run-actions.ts'
import { changeSentence, planSentence, viewDetail } from './sentences.ts'
import { canCancel, canGoFirst, canPause, canResume, hasLink } from './transfer-actions.ts'
import { TransferList } from './transfer-list.tsx'
import { type OpenMenu, transferMenu } from './transfer-menu.ts'
import { type Plan, planOf } from './upload-plan.ts'
import { useCopyToday } from './use-copy-today.ts'
import { useListHandlers } from './use-list-handlers.ts'
import { type TransferActions, useTransferActions } from './use-transfer-actions.ts'
import { type TransferItems, useTransferItems } from './use-transfer-items.ts'
import './transfers.css'

const SEARCH_PAUSE_MS = 150

export function TransfersView(): ReactNode {
  const { t, f } = useLanguage()
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

  // Select at once, before the rows are rendered, because the next key press may already cancel the selected
  // transfers.
  const selectAll = (): void => {
    const all = list.openAll()
    setChoice((had) => chooseAll(had, all))
  }
  const handlers = useListHandlers({
    list,
    selectAll,
    actions,
    today,
    choice,
    setChoice,
    keys,
    chosen,
    meant,
    setMenu,
  })
  useWindowCommand(({ name, style }) => {
    if (name === 'search') searchField.current?.focus()
    if (name === 'copy') void actions.copy(meant, style ?? null)
    if (name === 'open') actions.act('open', meant)
    if (name === 'select-all') selectAll()
    if (name === 'delete') actions.cancel(meant)
  })

  const meantByMenu = menu?.transfers ?? []
  const copyAs = useCopyAs(meantByMenu.length, (style) => void actions.copy(meantByMenu, style), false)
  useSelectionMenu(
    meant.length === 1 ? printable(meant[0]?.name ?? '') : own.selected(meant.length, f.count(meant.length)),
    transferMenu(t, meant, actions.act, []),
  )
  const order = useOrdering(list, grid, setChoice)
  const plan = usePlan(now)
  useKeptScroll(grid, 'transfers', list.isLoaded)
  useTopOnChange(grid, search)

  return (
    <section className="transfers" aria-label={own.title}>
      <Head
        typed={typed}
        setTyped={setTyped}
        searchField={searchField}
        onDown={() => grid.current?.focus({ preventScroll: true })}
      />
      {plan === null ? null : (
        <PlanBanner plan={plan} now={now} isOrdering={order.isOn} onOrder={order.set} />
      )}
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
          tools={{
            onFoldWaiting: list.isWaitingOpen ? () => list.setWaitingOpen(false) : null,
            today,
            isPlanSaid: plan !== null,
          }}
        />
      )}
      {chosen.length > (order.isOn ? 0 : 1) ? (
        <SelectionBar transfers={chosen} actions={actions} onClear={clearChoice} />
      ) : null}
      <ContextMenu
        label={t.more}
        at={menu}
        entries={menu === null ? [] : transferMenu(t, menu.transfers, actions.act, copyAs)}
        onClose={() => setMenu(null)}
      />
      <ConfirmDialog question={actions.question} onClose={actions.closeQuestion} />
      <ChangeAnnouncer />
    </section>
  )
}

/**
 * Lets the user choose which transfers go first: expands all waiting rows and makes the first one active.
 * `set` is null if nothing waits.
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
  const files = useLastFound(search, useFoundFiles(search, 1))
  const leftOut = useLeftOut(files?.length === 0 ? search : '')
  if (search !== '' && (files === null || (files.length === 0 && leftOut === null))) return null
  if (files !== null && files.length > 0)
    return (
      <Empty
        icon={<FileSearch className="icon" />}
        title={own.inFilesTitle}
        hint={own.inFilesHint}
        action={<Button onPress={() => showInFiles(search)}>{own.showInFiles}</Button>}
      />
    )
  if (leftOut !== null && leftOut.length > 0) return <LeftOut found={leftOut} />
  if (search !== '')
    return (
      <Empty
        icon={<SearchX className="icon" />}
        title={own.nothingFound}
        hint={own.nothingFoundHint(search)}
      />
    )
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
    <ViewHead
      title={t.transfersView.title}
      detail={snapshot === null ? '' : viewDetail(words, overviewOf(snapshot))}
    >
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

/**
 * The banner that is shown above the list when files have duplicates on the service. Once dismissed, it
 * doesn't show these duplicates again until the page is reloaded or another account is shown. The settings
 * still offer to delete them, in the folder's card or under "Uploads".
 */
function CopiesBanner(): ReactNode {
  const all = useSecondCopies()
  const kept = useKeptCopies()
  const copies = all.filter((one) => !kept.has(one.fileId))
  if (copies.length === 0) return null
  return (
    <div className="transfers-banner">
      <SecondCopies copies={copies} onClose={() => keepSecondCopies(copies)} />
    </div>
  )
}

/**
 * Announces changes to screen readers: "3 done, 1 needs attention". Changes within five seconds are announced
 * together, so that the screen reader isn't talking constantly. Renders nothing visible.
 */
function ChangeAnnouncer(): ReactNode {
  const words = useLanguage()
  const latest = useRef(words)
  latest.current = words
  const [text, setText] = useState('')
  useEffect(() => followChanges((changes) => setText(changeSentence(latest.current, changes))), [])
  return (
    <p className="hidden-text" role="status" aria-live="polite">
      {text}
    </p>
  )
}

/** How the daily upload limit splits the open transfers; null while it doesn't, or a banner says what stops all. */
function usePlan(now: number): Plan | null {
  const snapshot = useApp((state) => state.snapshot)
  return snapshot === null || isHalted(snapshot) ? null : planOf(snapshot, now)
}

/**
 * The banner that is shown above the list when the daily upload limit is too low for the open transfers. It
 * says how many are uploaded today and when the others follow, and lets the user choose which go first.
 * `onOrder`: null if no transfer is waiting.
 */
function PlanBanner(props: {
  readonly plan: Plan
  readonly now: number
  readonly isOrdering: boolean
  readonly onOrder: ((isOrdering: boolean) => void) | null
}): ReactNode {
  const { plan, now, isOrdering, onOrder } = props
  const words = useLanguage()
  const from = useAhead(plan.from)
  const { title, hint } = planSentence(words, { ...plan, from }, now)
  const own = words.t.transfersView
  return (
    <div className="transfers-banner">
      <Banner
        tone="waiting"
        title={title}
        hint={isOrdering ? own.orderHint : hint}
        action={
          <>
            {isOrdering || plan.now > 0 ? null : <CheckAgain />}
            {onOrder === null ? null : (
              <Button size="small" onPress={() => onOrder(!isOrdering)}>
                {isOrdering ? own.orderDone : own.chooseOrder}
              </Button>
            )}
          </>
        }
      />
    </div>
  )
}

/**
 * The bar below the list shows the number of selected transfers, and has buttons to copy their links, move
 * them to the front, pause, resume and cancel them. Buttons that apply to none of them are hidden. The bar
 * appears if several transfers are selected; while the user chooses which transfers go first, a single one is
 * enough.
 */
function SelectionBar(props: {
  readonly transfers: readonly Transfer[]
  readonly actions: TransferActions
  readonly onClear: () => void
}): ReactNode {
  const { t, f } = useLanguage()
  const own = t.transfersView
  const { transfers, actions } = props
  const count = (of: (transfer: Transfer) => boolean): number => transfers.filter(of).length
  const [links, movable, cancellable] = [count(hasLink), count(canGoFirst), count(canCancel)]
  const [pausable, resumable] = [count(canPause), count(canResume)]
  const title = own.selected(transfers.length, f.count(transfers.length))
  return (
    <div className="transfers-selection" role="toolbar" aria-label={title}>
      <span className="strong figures">{title}</span>
      {links === 0 ? null : (
        <Button size="small" onPress={() => void actions.copy(transfers, null)}>
          {t.copyLinks(links, f.count(links))}
        </Button>
      )}
      {movable === 0 ? null : (
        <Button
          size="small"
          icon={<ArrowUpToLine className="icon" />}
          onPress={() => void actions.sendFirst(transfers)}
        >
          {own.sendFirst(movable, f.count(movable))}
        </Button>
      )}
      {pausable === 0 ? null : (
        <Button size="small" icon={<Pause className="icon" />} onPress={() => actions.pause(transfers)}>
          {own.pauseMany(pausable, f.count(pausable))}
        </Button>
      )}
      {resumable === 0 ? null : (
        <Button size="small" icon={<Play className="icon" />} onPress={() => actions.resume(transfers)}>
          {own.resumeMany(resumable, f.count(resumable))}
        </Button>
      )}
      {cancellable === 0 ? null : (
        <Button size="small" onPress={() => actions.cancel(transfers)}>
          {own.cancelMany(cancellable, f.count(cancellable))}
        </Button>
      )}
      <Button size="small" variant="quiet" onPress={props.onClear}>
        {own.clearSelection}
      </Button>
    </div>
  )
}
