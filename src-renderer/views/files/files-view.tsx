// The files view, which the window shows first by default. It consists of search, filters, running uploads, the list, and the details of
// the selected files. This file combines the parts and passes menu commands to them; each part has its own file.
import { Upload } from 'lucide-react'
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { Banner } from '../../components/banner.tsx'
import { Button } from '../../components/button.tsx'
import type { MenuPoint } from '../../components/context-menu.tsx'
import { onDemand } from '../../components/on-demand.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { ViewHead } from '../../components/view-head.tsx'
import { useLanguage } from '../../hooks/use-language.tsx'
import { useNow } from '../../hooks/use-now.ts'
import { useTopOnChange } from '../../hooks/use-top-on-change.ts'
import { useWideWindow } from '../../hooks/use-wide-window.ts'
import { useWindowCommand } from '../../hooks/use-window-command.ts'
import { failureNow } from '../../state/failures.ts'
import { keyLabel } from '../../state/keyboard.ts'
import { usePlace } from '../../state/place.ts'
import { useApp } from '../../state/store.ts'
import { uploadChosen } from '../../state/uploads.ts'
import { Details } from './details.tsx'
import { FileList } from './file-list.tsx'
import { FileMenu } from './file-menu.tsx'
import { allChosen, chosen, NO_FILES_SELECTED } from './file-selection.ts'
import { FilesEmpty } from './files-empty.tsx'
import { filesStore, selectRows } from './files-store.ts'
import { FilterBar } from './filter-bar.tsx'
import { LiveStrip } from './live-strip.tsx'
import { isEmpty, type OffsetPages, type PagesState } from './offset-pages.ts'
import { useFileActions } from './use-file-actions.ts'
import { isFiltered, useFilesQuery } from './use-files-query.ts'
import { useFilesSelection } from './use-files-selection.ts'
import { useOffsetPages } from './use-offset-pages.ts'
import './files.css'

const QrDialog = onDemand(async () => (await import('./qr-dialog.tsx')).QrDialog, { isDialog: true })

export function FilesView(): ReactNode {
  const words = useLanguage()
  const { t } = words
  const own = t.filesView
  const asked = useFilesQuery()
  const { pages, state, isPending } = useOffsetPages(asked.query)
  const selection = useFilesSelection(pages, state)
  const actions = useFileActions()
  /** Null until the user opens or closes the panel; until then, it opens automatically if there is room and something is selected. */
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

  const togglePanel = (): void => setPanel(!isPanelOpen)
  const closePanel = useCallback(() => setPanel(false), [setPanel])
  const enterList = useEnterList(grid, { pages, isPending })
  const copyRow = useCallback((row: RemoteRow) => void actions.copy({ fileIds: [row.fileId] }, null), [actions])

  useWindowCommand((command) => {
    if (command.name === 'search') {
      field.current?.focus()
      field.current?.select()
    } else if (command.name === 'sort') asked.toggleSort(command.sort)
    else if (command.name === 'copy') void actions.copy(files, command.style ?? null)
    else if (command.name === 'open') void actions.openSelected(files)
    else if (command.name === 'delete') void actions.remove(deletion)
    else if (command.name === 'select-all') selection.setRows(allChosen)
    else if (command.name === 'details') togglePanel()
    else if (command.name === 'refresh') void actions.refresh(pages)
  })

  return (
    <section className="files" aria-label={t.views.files}>
      <ViewHead title={own.title} detail={useDetail(state, cut)}>
        <SearchField
          label={t.search}
          placeholder={own.searchHint}
          clearLabel={t.clear}
          value={asked.search}
          onChange={asked.setSearch}
          shortcut={keyLabel('mod F')}
          inputRef={field}
          onDown={enterList}
        />
        <Button variant="primary" icon={<Upload className="icon" />} onPress={() => void uploadChosen(words, false)}>
          {t.upload}
        </Button>
      </ViewHead>
      <div className="files-columns">
        <div className="files-main">
          <FilterBar
            filter={asked.filter}
            onFilter={asked.setFilter}
            hasSelection={count > 0}
            isDetailsOpen={isPanelOpen}
            onDetails={togglePanel}
          />
          <LiveStrip />
          <LoadFailure state={state} onRetry={pages.renew} />
          {isEmpty(state) ? (
            <FilesEmpty isFiltered={cut} onShowAll={asked.showAll} />
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
        {isPanelOpen && count > 0 ? <Details selection={selection} actions={actions} onClose={closePanel} onQr={setQrOf} /> : null}
      </div>
      <FileMenu
        at={menuAt}
        selection={selection}
        actions={actions}
        onQr={setQrOf}
        onDetails={() => setPanel(true)}
        onClose={() => setMenuAt(null)}
      />
      {qrOf?.publicLink == null ? null : <QrDialog link={qrOf.publicLink} name={qrOf.filename ?? ''} onClose={() => setQrOf(null)} />}
    </section>
  )
}

/**
 * Returns a function that moves from the search field to the list, and selects the first row if no row is active. While a search is in
 * flight, nothing is selected, so that the next key press can't act on a row of an earlier search. The first row is selected once the
 * results have arrived.
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
    else if (filesStore.getState().selection.active < 0) selectRows(chosen(0, 'only'))
  }
}

/**
 * Returns the line next to the title: the number of files and their size, or the number of matches. While the list is being read for the
 * first time, the line shows the progress; while offline, also the age of the list.
 */
function useDetail(state: PagesState, isCut: boolean): string {
  const { t, f } = useLanguage()
  const stored = useApp((app) => app.snapshot?.stored)
  const listing = useApp((app) => app.snapshot?.listing)
  const isOffline = useApp((app) => app.snapshot?.account.state === 'offline')
  const now = useNow(30_000)
  // Once the whole list has been read, show its total, so that the number matches the rows.
  const known = state.answered && state.asOf !== null ? state.total : (stored?.files ?? state.total)
  const reading =
    listing === undefined
      ? ''
      : t.filesView.reading(listing.total ?? listing.read, f.count(listing.read), listing.total === null ? '' : f.count(listing.total))
  if (reading !== '' && !isCut) return reading
  // Nothing has been read yet, or nothing can be read.
  if (stored?.files == null && state.pages.size === 0) return ''
  const found = t.filesView.detail(t.filesView.found(state.total, f.count(state.total)), reading)
  const detail =
    isCut && state.answered
      ? found
      : t.filesView.detail(t.filesCount(known, f.count(known)), stored?.bytes == null ? '' : f.bytes(stored.bytes))
  return isOffline && state.asOf !== null ? `${detail} · ${t.filesView.asOf(f.agoInside(state.asOf, now))}` : detail
}

function LoadFailure({ state, onRetry }: { readonly state: PagesState; readonly onRetry: () => void }): ReactNode {
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
