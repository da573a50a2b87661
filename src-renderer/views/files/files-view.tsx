// The files view, which the window shows first by default. It consists of search, filters, running uploads,
// the list, and the details of the selected files. This file combines the parts and passes menu commands to
// them; each part has its own file.
import { FileSearch, Files, PanelRight, Upload } from 'lucide-react'
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { printable } from '../../../src-shared/format.ts'
import type { Folder, RemoteRow, Transfer } from '../../../src-shared/model.ts'
import type { Selection } from '../../../src-shared/window-contract.ts'
import { Banner } from '../../components/banner.tsx'
import { Button, IconButton } from '../../components/button.tsx'
import type { MenuPoint } from '../../components/context-menu.tsx'
import { Empty } from '../../components/empty.tsx'
import { LeftOut, useLeftOut } from '../../components/left-out.tsx'
import { onDemand } from '../../components/on-demand.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { ViewHead } from '../../components/view-head.tsx'
import { HOME } from '../../hooks/use-focus-home.ts'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { useOpenTransfers } from '../../hooks/use-open-transfers.ts'
import { useTopOnChange } from '../../hooks/use-top-on-change.ts'
import { useWindowCommand } from '../../hooks/use-window-command.ts'
import { folderName } from '../../lib/path-names.ts'
import { openSentence, readWords } from '../../lib/words.ts'
import { failureNow } from '../../state/failures.ts'
import { firstKey } from '../../state/keyboard.ts'
import { usePlace } from '../../state/saved-place.ts'
import { type RevealedFile, useApp } from '../../state/store.ts'
import { showInTransfers } from '../../state/transfers-store.ts'
import { uploadChosen } from '../../state/uploads.ts'
import { FileList } from './file-list.tsx'
import { FileMenu } from './file-menu.tsx'
import { allChosen, chosen, countOf, NO_FILES_SELECTED } from './file-selection.ts'
import { filesStore, selectRows } from './files-store.ts'
import { FilterBar } from './filter-bar.tsx'
import { Inspector } from './inspector.tsx'
import { LiveStrip } from './live-strip.tsx'
import { indexOf, isEmpty, type OffsetPages, type PagesState, rowAt } from './offset-pages.ts'
import { type FileActions, useFileActions } from './use-file-actions.ts'
import { isFiltered, useFilesQuery } from './use-files-query.ts'
import { type FilesSelection, useFilesSelection } from './use-files-selection.ts'
import { useOffsetPages } from './use-offset-pages.ts'
import './files.css'

const QrDialog = onDemand(async () => (await import('./qr-dialog.tsx')).QrDialog, { isDialog: true })

export function FilesView(): ReactNode {
  const { t } = useLanguage()
  const asked = useFilesQuery()
  const open = useOpenTransfers(asked.search, OPEN_MOST) ?? []
  const { pages, state, isPending } = useOffsetPages(asked.query)
  const results = { pages, isPending }
  const selection = useFilesSelection(pages, state)
  const actions = useFileActions()
  /**
   * Null until the user opens or closes the panel; until then, it opens automatically if there is room and
   * something is selected.
   */
  const [panel, setPanel] = usePlace<boolean | null>('files details', null)
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null)
  const [qrOf, setQrOf] = useState<RemoteRow | null>(null)
  const isWide = useWideWindow()
  const field = useRef<HTMLInputElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  // Each query has its own `pages` object, which stays the same when its rows are read again.
  useTopOnChange(grid, pages)
  const { count, files, deletion } = selection
  const isPanelOpen = panel ?? (isWide && count > 0)
  // Use the query of the rows on screen, because the newest query may still be unanswered.
  const cut = isFiltered(pages.query)
  // Without any files, filters would have nothing to find, and the list's place has the upload button.
  const isUnused = isEmpty(state) && !cut && !isFiltered(asked.query)

  const togglePanel = (): void => setPanel(!isPanelOpen)
  const closePanel = useCallback(() => setPanel(false), [setPanel])
  const enterList = useEnterList(grid, results)
  const copyRow = useCallback(
    (row: RemoteRow) => void actions.copy({ fileIds: [row.fileId] }, null),
    [actions],
  )

  const reveal = useReveal(grid, { pages, state, asked }, () => setPanel(true))

  useWindowCommand((command) => {
    if (command.name === 'search') {
      field.current?.focus()
      field.current?.select()
    } else if (command.name === 'sort') asked.toggleSort(command.sort)
    else if (command.name === 'reveal') reveal(command.file)
    else if (command.name === 'find') asked.find(command.search)
    else if (command.name === 'copy')
      void actions.copy(topOfSearch(field, asked.search, results) ?? files, command.style ?? null)
    else if (command.name === 'open') void actions.openSelected(files)
    else if (command.name === 'delete') void actions.remove(deletion)
    else if (command.name === 'select-all') selection.setRows(allChosen)
    else if (command.name === 'details') togglePanel()
    else if (command.name === 'refresh') void actions.refresh(pages)
  })

  return (
    <section className="files" aria-label={t.views.files}>
      <ViewHead title={t.filesView.title} detail={useDetail(state, cut)}>
        <FilesSearch asked={asked} results={results} actions={actions} inputRef={field} onDown={enterList} />
        {isUnused ? null : (
          <>
            <IconButton
              label={t.details}
              icon={<PanelRight className="icon" />}
              onPress={togglePanel}
              aria-pressed={isPanelOpen}
              isDisabled={count === 0}
            />
            <UploadButton />
          </>
        )}
      </ViewHead>
      <div className="files-columns">
        <div className="files-main">
          {isUnused ? null : <FilterBar asked={asked} />}
          <LiveStrip />
          <LoadFailure state={state} onRetry={pages.renew} />
          <OpenMatches open={open} search={asked.search} />
          {isEmpty(state) ? (
            <FilesEmpty
              isCut={cut}
              isOpen={open.length > 0}
              search={asked.search}
              folder={isFiltered({ ...pages.query, folderId: null }) ? null : asked.folder}
              onShowAll={asked.showAll}
            />
          ) : (
            <FileList
              gridRef={grid}
              pages={pages}
              state={state}
              selection={selection.rows}
              onSelection={selection.setRows}
              onSort={asked.setSort}
              onCopyRow={copyRow}
              onCopy={() => void actions.copy(files, null)}
              onDelete={() => void actions.remove(deletion)}
              onOpen={(row) => void actions.open(row)}
              onType={(letter) => {
                asked.setSearch((search) => search + letter)
                field.current?.focus()
              }}
              onMenu={setMenuAt}
            />
          )}
        </div>
        {isPanelOpen && count > 0 ? (
          <Details selection={selection} actions={actions} onClose={closePanel} onQr={setQrOf} />
        ) : null}
      </div>
      <FileMenu
        at={menuAt}
        selection={selection}
        actions={actions}
        onQr={setQrOf}
        onDetails={() => setPanel(true)}
        onClose={() => setMenuAt(null)}
      />
      {qrOf === null ? null : <QrDialog row={qrOf} onClose={() => setQrOf(null)} />}
    </section>
  )
}

function UploadButton({ isHome = false }: { readonly isHome?: boolean }) {
  const words = useLanguage()
  return (
    <Button
      {...(isHome ? HOME : {})}
      variant="primary"
      icon={<Upload className="icon" />}
      onPress={() => void uploadChosen(words, false)}
    >
      {words.t.upload}
    </Button>
  )
}

/**
 * Returns a function that moves from the search field to the list, and selects the active or first row if none
 * is selected. While a search is in flight, nothing is selected, so that the next key press can't act on a row of
 * an earlier search. The first row is selected once the results have arrived.
 */
function useEnterList(
  grid: RefObject<HTMLDivElement | null>,
  { pages, isPending }: { readonly pages: OffsetPages; readonly isPending: boolean },
): () => void {
  const isAwaited = useRef(false)
  useEffect(() => {
    if (isPending || !isAwaited.current) return
    isAwaited.current = false
    if (document.activeElement === grid.current && pages.get().total > 0) selectRows(chosen(0, 'only'))
  }, [grid, pages, isPending])
  return () => {
    if (grid.current === null || (pages.get().total === 0 && !isPending)) return
    grid.current.focus({ preventScroll: true })
    isAwaited.current = isPending
    if (isPending) selectRows(() => NO_FILES_SELECTED)
    else {
      const { selection } = filesStore.getState()
      if (countOf(selection) === 0) selectRows(chosen(Math.max(0, selection.active), 'only'))
    }
  }
}

/** How long the row of a file may take to appear in the whole list, before its name is searched for. */
const REVEAL_MS = 1000

/**
 * Returns a function that selects a file as soon as its row is in memory, and calls `onFound`. Unless the row is
 * there already, the list is shown without search and filter, and then with a search for the file's name.
 */
function useReveal(
  grid: RefObject<HTMLDivElement | null>,
  {
    pages,
    state: read,
    asked,
  }: {
    readonly pages: OffsetPages
    readonly state: PagesState
    readonly asked: Pick<ReturnType<typeof useFilesQuery>, 'setSearch' | 'showAll'>
  },
  onFound: () => void,
): (file: RevealedFile) => void {
  const awaited = useRef<RevealedFile | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const select = ({ fileId }: RevealedFile): boolean => {
    const state = pages.get()
    const index = indexOf(state, fileId)
    if (index === null) return false
    selectRows(chosen(index, 'only'))
    onFound()
    const list = grid.current
    list?.focus({ preventScroll: true })
    const height = (list?.querySelector('[role=rowgroup]')?.clientHeight ?? 0) / Math.max(1, state.total)
    list?.scrollTo({ top: index * height - list.clientHeight / 2 })
    awaited.current = null
    clearTimeout(timer.current)
    return true
  }
  const selectLate = useEffectEvent(select)
  useEffect(() => {
    if (awaited.current !== null && read.answered) selectLate(awaited.current)
  }, [read])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (file) => {
    if (select(file)) return
    awaited.current = file
    asked.showAll()
    clearTimeout(timer.current)
    timer.current = setTimeout(() => asked.setSearch(file.name), REVEAL_MS)
  }
}

/** Returns the file that Enter in the search field applies to; null if the field isn't in use. */
function topOfSearch(
  field: RefObject<HTMLInputElement | null>,
  search: string,
  { pages, isPending }: { readonly pages: OffsetPages; readonly isPending: boolean },
): Selection | null {
  const isInUse = document.activeElement === field.current && search.trim() !== '' && !isPending
  const row = isInUse ? rowAt(pages.get(), 0) : undefined
  return row === undefined ? null : { fileIds: [row.fileId] }
}

/** The search field. Enter copies the link of the top match, Ctrl+Enter opens it. */
function FilesSearch({
  asked,
  results,
  actions,
  inputRef,
  onDown,
}: {
  readonly asked: Pick<ReturnType<typeof useFilesQuery>, 'search' | 'setSearch'>
  readonly results: { readonly pages: OffsetPages; readonly isPending: boolean }
  readonly actions: FileActions
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly onDown: () => void
}): ReactNode {
  const { t } = useLanguage()
  const topMatch = useTopMatch(results, ({ fileId }, isMod) => {
    const match = { fileIds: [fileId] }
    void (isMod ? actions.openSelected(match) : actions.copy(match, null))
  })
  return (
    <SearchField
      label={t.search}
      placeholder={t.filesView.searchHint}
      clearLabel={t.clear}
      value={asked.search}
      onChange={(search) => {
        topMatch.forget()
        asked.setSearch(search)
      }}
      shortcut={firstKey('search')}
      inputRef={inputRef}
      onDown={onDown}
      onEnter={(isMod) => {
        if (asked.search.trim() !== '') topMatch.take(isMod)
      }}
    />
  )
}

/**
 * `take` passes the first row of the list to `act`; while a search is in flight, once its results have arrived,
 * unless `forget` is called before.
 */
function useTopMatch(
  { pages, isPending }: { readonly pages: OffsetPages; readonly isPending: boolean },
  act: (row: RemoteRow, isMod: boolean) => void,
): { readonly take: (isMod: boolean) => void; readonly forget: () => void } {
  const awaited = useRef<boolean | null>(null)
  const run = (isMod: boolean): void => {
    const row = rowAt(pages.get(), 0)
    if (row !== undefined) act(row, isMod)
  }
  const runLate = useEffectEvent(run)
  useEffect(() => {
    if (isPending || awaited.current === null) return
    runLate(awaited.current)
    awaited.current = null
  }, [isPending])
  return {
    take: (isMod) => {
      if (isPending) awaited.current = isMod
      else run(isMod)
    },
    forget: () => {
      awaited.current = null
    },
  }
}

/**
 * Returns the line next to the title: the number of files and their size, or the number of matches. While the
 * list is being read for the first time, the line shows the progress; while offline, also the age of the
 * list.
 */
function useDetail(state: PagesState, isCut: boolean): string {
  const { t, f } = useLanguage()
  const stored = useApp((app) => app.snapshot?.stored)
  const listing = useApp((app) => app.snapshot?.listing)
  const isOffline = useApp((app) => app.snapshot?.account.state === 'offline')
  const now = useNow(30_000)
  // Once the whole list has been read, show its total, so that the number matches the rows.
  const known = state.answered && state.asOf !== null ? state.total : (stored?.files ?? state.total)
  const reading = listing === undefined ? '' : readWords({ t, f }, listing)
  if (reading !== '' && !isCut) return reading
  // Nothing has been read yet, or nothing can be read.
  if (stored?.files == null && state.pages.size === 0) return ''
  const found = t.filesView.detail(t.filesView.found(state.total, f.count(state.total)), reading)
  const detail =
    isCut && state.answered
      ? found
      : t.filesView.detail(
          t.filesCount(known, f.count(known)),
          stored?.bytes == null ? '' : f.bytes(stored.bytes),
        )
  return isOffline && state.asOf !== null
    ? `${detail} · ${t.filesView.asOf(f.agoInside(state.asOf, now))}`
    : detail
}

function LoadFailure({
  state,
  onRetry,
}: {
  readonly state: PagesState
  readonly onRetry: () => void
}): ReactNode {
  const words = useLanguage()
  const { t } = words
  if (state.failure === null) return null
  return (
    <div className="files-failure">
      <Banner
        tone="waiting"
        title={t.filesView.loadFailed}
        hint={failureNow(words, state.failure).hint}
        action={
          <Button size="small" onPress={onRetry}>
            {t.retry}
          </Button>
        }
      />
    </div>
  )
}

/** 1000 px at the default text size. */
const WIDE_REM = 62.5

function isWindowWide(): boolean {
  return (
    window.innerWidth >= WIDE_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  )
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

/** Returns whether there is room for the panel, and renders again when that changes. */
function useWideWindow(): boolean {
  return useSyncExternalStore(onResize, isWindowWide)
}

interface DetailsProps {
  readonly selection: FilesSelection
  readonly actions: FileActions
  /** Must be a stable reference; otherwise the panel renders whenever the view does. */
  readonly onClose: () => void
  /** Must also be a stable reference. */
  readonly onQr: (row: RemoteRow) => void
}

/**
 * The details beside the list. They render after the rows, so that moving through rows stays fast while the
 * panel is open. Until the panel catches up, its buttons act on the file that it shows, not on the new
 * selection.
 */
function Details({ selection, actions, onClose, onQr }: DetailsProps): ReactNode {
  const { only, count, bytes, files, deletion } = selection
  const shown = useMemo(
    () => ({ only, count, bytes, files, deletion, actions, onClose, onQr }),
    [only, count, bytes, files, deletion, actions, onClose, onQr],
  )
  return <DeferredInspector shown={useDeferredValue(shown)} />
}

type Shown = Pick<FilesSelection, 'only' | 'count' | 'bytes' | 'files' | 'deletion'> &
  Pick<DetailsProps, 'actions' | 'onClose' | 'onQr'>

const DeferredInspector = memo(function DeferredInspector({ shown }: { readonly shown: Shown }): ReactNode {
  return (
    <Inspector
      row={shown.only}
      count={shown.count}
      bytes={shown.bytes}
      onCopy={(style) => void shown.actions.copy(shown.files, style)}
      onDelete={() => void shown.actions.remove(shown.deletion)}
      onClose={shown.onClose}
      onQr={shown.onQr}
    />
  )
})

/** Maximum number of transfers that a search counts. */
const OPEN_MOST = 100

/** Says above the list which transfers without a link match the search, and why the first one has none. */
function OpenMatches({
  open,
  search,
}: {
  readonly open: readonly Transfer[]
  readonly search: string
}): ReactNode {
  const words = useLanguage()
  const { t, f } = words
  const now = useNow(30_000)
  const [first] = open
  if (first === undefined) return null
  const shown = open.length < OPEN_MOST ? f.count(open.length) : `${f.count(OPEN_MOST)}+`
  return (
    <div className="files-open" role="status">
      <span className="strong">{t.filesView.openMatches(open.length, shown)}</span>
      <span className="second cut">
        <bdi>{printable(first.name)}</bdi>: {openSentence(words, first, now)}
      </span>
      <Button size="small" onPress={() => showInTransfers(search.trim())}>
        {t.filesView.showOpen}
      </Button>
    </div>
  )
}

/**
 * Replaces the list if there are no files, or if none matches the search and filter. Each case offers one
 * action.
 */
function FilesEmpty({
  isCut,
  isOpen,
  search,
  folder,
  onShowAll,
}: {
  readonly isCut: boolean
  /** Whether a transfer without a link matches. */
  readonly isOpen: boolean
  readonly search: string
  /** The folder whose files are shown without any other filter. */
  readonly folder: Folder | null
  readonly onShowAll: () => void
}): ReactNode {
  const words = useLanguage()
  const { t } = words
  const own = t.filesView
  const listing = useApp((app) => app.snapshot?.listing)
  const [title, hint] = isOpen
    ? [own.notUploadedTitle, own.notUploadedHint]
    : listing !== undefined
      ? [own.notReadTitle, own.notReadHint(readWords(words, listing))]
      : folder !== null
        ? [own.folderTitle(folderName(folder.path)), own.folderHint]
        : [own.nothingTitle, own.nothingHint]
  const wanted = isCut && !isOpen ? search.trim() : ''
  const leftOut = useLeftOut(wanted)
  const showAll = (
    <Button {...HOME} onPress={onShowAll}>
      {own.showAll}
    </Button>
  )
  if (wanted !== '' && leftOut === null) return null
  if (leftOut !== null && leftOut.length > 0) return <LeftOut found={leftOut} action={showAll} />
  if (isCut)
    return <Empty icon={<FileSearch className="icon" />} title={title} hint={hint} action={showAll} />
  return (
    <Empty
      icon={<Files className="icon" />}
      title={own.emptyTitle}
      hint={own.emptyHint}
      action={<UploadButton isHome />}
    />
  )
}
