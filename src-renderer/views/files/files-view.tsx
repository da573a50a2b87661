// The home of the window: search, filters, what goes out now, the list, and the details of what is selected. It holds what a person is doing
// (query, selection, panel); rows and actions are the engine's.
import { Copy, ExternalLink, FileSearch, Files, FolderOpen, PanelRight, QrCode, Trash2, Upload } from 'lucide-react'
import { memo, type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Menu, MenuItem, Popover, Separator } from 'react-aria-components'
import type { ListQuery, Selection } from '../../../src-shared/app.ts'
import type { RemoteRow } from '../../../src-shared/model.ts'
import { LinkStyle } from '../../../src-shared/settings.ts'
import { call } from '../../app/client.ts'
import { keyLabel, withMod } from '../../app/keys.ts'
import { failureWords, useLanguage } from '../../app/language.tsx'
import { appStore, notify, useApp } from '../../app/store.ts'
import { useNow } from '../../app/time.ts'
import { Banner } from '../../components/banner.tsx'
import { Button, IconButton } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { ViewHead } from '../../components/view-head.tsx'
import { SelectControl } from '../settings/controls.tsx'
import { FileList } from './file-list.tsx'
import { FILTERS, type Filter, filtered } from './filters.ts'
import { Inspector } from './inspector.tsx'
import { LiveStrip } from './live-strip.tsx'
import { QrDialog } from './qr.tsx'
import { createRows, PAGE, type Rows } from './rows.ts'
import { follow, NOTHING_SELECTED, type RowSelection, selectAll, selectedCount } from './selection.ts'
import './files.css'

/** Kept over a change of views, so that coming back finds the list as it was left. */
let keptRows: Rows | null = null
let keptFilter: Filter = 'all'
let keptSelection: RowSelection = NOTHING_SELECTED
/** From here on the details show by themselves when something is chosen; 1000 pixels at the usual size of text. */
const WIDE_REM = 62.5
/** Lists that change four times a second are asked for twice. */
const RENEW_MS = 500

const NEWEST: Pick<ListQuery, 'sort' | 'descending'> = { sort: 'date', descending: true }

/** The rows of this query; until its first answer those of the one before stay, so that no letter typed makes the list flash. */
function useRows(query: ListQuery): Rows {
  const wanted = useMemo(() => {
    if (keptRows !== null && JSON.stringify(keptRows.query) === JSON.stringify(query)) return keptRows
    return createRows(query)
  }, [query])
  const [shown, setShown] = useState(keptRows ?? wanted)
  useEffect(() => {
    if (wanted === shown) return undefined
    const take = (): void => {
      if (!wanted.get().answered) return
      keptRows = wanted
      setShown(wanted)
    }
    const stop = wanted.subscribe(take)
    wanted.want(0, 0)
    take()
    return stop
  }, [wanted, shown])
  useEffect(() => {
    keptRows = shown
  }, [shown])
  return shown
}

export function FilesView(): ReactNode {
  const language = useLanguage()
  const { t, f } = language
  const [search, setSearch] = useState(keptRows?.query.search ?? '')
  const [filter, setFilter] = useState<Filter>(keptFilter)
  const [sort, setSort] = useState(keptRows === null ? NEWEST : { sort: keptRows.query.sort, descending: keptRows.query.descending })
  const [selection, setSelection] = useState<RowSelection>(keptSelection)
  const [panel, setPanel] = useState<boolean | null>(null)
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number } | null>(null)
  const [qrOf, setQrOf] = useState<RemoteRow | null>(null)
  const wide = useWide()
  const field = useRef<HTMLInputElement>(null)
  const hour = Math.floor(useNow(30_000) / 3_600_000)
  const query = useMemo<ListQuery>(
    () => ({ search: search.trim(), ...filtered(filter, hour * 3_600_000), ...sort }),
    [search, filter, sort, hour],
  )
  const rows = useRows(query)
  const state = useSyncExternalStore(rows.subscribe, rows.get)
  const version = useApp((app) => app.catalogVersion)
  const stored = useApp((app) => app.snapshot?.stored)
  const offline = useApp((app) => app.snapshot?.account.state === 'offline')
  const command = useApp((app) => app.command)
  const now = useNow(30_000)

  useEffect(() => {
    keptFilter = filter
    keptSelection = selection
  }, [filter, selection])

  // The list is asked for anew when the catalog changed: at once, then at most twice a second.
  const renewedAt = useRef(0)
  useEffect(() => {
    const wait = Math.max(0, renewedAt.current + RENEW_MS - Date.now())
    const timer = setTimeout(() => {
      renewedAt.current = Date.now()
      rows.renew()
    }, wait)
    return () => clearTimeout(timer)
  }, [version, rows])

  // Rows that moved keep their selection; where that can't be told it is cleared, since a wrong link is a leak.
  const before = useRef<{ readonly rows: Rows; readonly ids: ReadonlyMap<number, number>; readonly total: number }>({
    rows,
    ids: new Map(),
    total: 0,
  })
  useEffect(() => {
    const ids = new Map<number, number>()
    const places = new Map<number, number>()
    for (const [page, list] of state.pages)
      for (const [i, row] of list.entries()) {
        ids.set(page * PAGE + i, row.fileId)
        places.set(row.fileId, page * PAGE + i)
      }
    const was = before.current
    before.current = { rows, ids, total: state.total }
    if (was.rows !== rows) {
      setSelection(NOTHING_SELECTED)
      return
    }
    if (was.total === 0) return
    setSelection((now2) =>
      selectedCount(now2) === 0 && now2.active < 0
        ? now2
        : follow(now2, { before: was.total, after: state.total }, (index) => {
            const id = was.ids.get(index)
            if (id === undefined) return was.total === state.total ? index : null
            const place = places.get(id)
            if (place !== undefined) return place
            // Not on a page that is known now: gone, or moved out of sight.
            return ids.has(index) && ids.get(index) !== id ? -1 : was.total === state.total ? index : -1
          }),
    )
  }, [rows, state])

  const count = selectedCount(selection)
  const selected = useMemo<Selection | null>(() => {
    if (count === 0) return null
    const ids: number[] = []
    if (count <= 1000)
      for (const [first, last] of selection.ranges)
        for (let i = first; i <= last; i++) {
          const row = rows.at(i)
          if (row === undefined) return { query: rows.query, ranges: selection.ranges.map(([a, b]) => [a, b]) }
          ids.push(row.fileId)
        }
    return count <= 1000 ? { fileIds: ids } : { query: rows.query, ranges: selection.ranges.map(([a, b]) => [a, b]) }
  }, [selection, count, rows, state.version])
  const only = count === 1 ? (rows.at(selection.ranges[0]?.[0] ?? -1) ?? null) : null
  const bytes = useMemo(() => sizeOf(selection, rows, count), [selection, rows, count, state.version])

  const copy = useCallback(
    async (what: Selection | null, style: LinkStyle | null): Promise<void> => {
      if (what === null) return
      const got = await call('copyLinks', { selection: what, style })
      if (!got.ok) notify({ level: 'problem', ...failureWords(language, got.failure) })
      else if (got.value.count !== 1 || got.value.missing > 0)
        // One link says "Copied" in its own row; of many, the number is worth a line.
        notify({
          level: got.value.count > 0 ? 'good' : 'info',
          title:
            got.value.count > 0
              ? t.copiedLinks(got.value.count, f.count(got.value.count))
              : t.missingLinks(got.value.missing, f.count(got.value.missing)),
          hint: got.value.count > 0 && got.value.missing > 0 ? t.missingLinks(got.value.missing, f.count(got.value.missing)) : null,
        })
    },
    [language, t, f],
  )
  const copyRow = useCallback((row: RemoteRow) => void copy({ fileIds: [row.fileId] }, null), [copy])
  const remove = useCallback(
    async (what: Selection | null): Promise<void> => {
      if (what === null) return
      const got = await call('deleteFiles', { selection: what })
      if (!got.ok) notify({ level: 'problem', ...failureWords(language, got.failure) })
    },
    [language],
  )
  const openRow = async (row: RemoteRow): Promise<void> => {
    const got = await call('openLink', { fileId: row.fileId })
    if (!got.ok) notify({ level: 'problem', ...failureWords(language, got.failure) })
  }

  const actions = useMemo<DetailActions>(() => ({ copy, remove, close: () => setPanel(false) }), [copy, remove])

  const toggle = (): void => setPanel((open) => !(open ?? (wide && count > 0)))
  const latest = useRef({ selected, toggle, copy, remove, rows, selection, total: state.total })
  latest.current = { selected, toggle, copy, remove, rows, selection, total: state.total }
  const seen = useRef(command?.n ?? 0)
  useEffect(() => {
    if (command === null || command.n === seen.current) return
    seen.current = command.n
    const at = latest.current
    if (command.name === 'search') {
      field.current?.focus()
      field.current?.select()
    } else if (command.name === 'sort')
      setSort((now3) => ({ sort: command.sort, descending: now3.sort === command.sort ? !now3.descending : command.sort !== 'name' }))
    else if (command.name === 'copy') void at.copy(at.selected, command.style ?? null)
    else if (command.name === 'delete') void at.remove(at.selected)
    else if (command.name === 'select-all') setSelection(selectAll(at.selection, at.total))
    else if (command.name === 'details') at.toggle()
    else if (command.name === 'refresh') {
      void call('catalog', { search: '', sort: 'date', descending: true, offset: 0, limit: 1, fresh: 'need' }).then((got) => {
        if (got.ok) at.rows.renew()
        else notify({ level: 'problem', ...failureWords(language, got.failure) })
      })
    }
  }, [command, language])

  // What a menu opened gives the focus back to the menu, which is gone by then: the list takes it.
  const view = useRef<HTMLElement>(null)
  const covered = menu !== null || qrOf !== null
  const wasCovered = useRef(false)
  useEffect(() => {
    if (covered) wasCovered.current = true
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (covered || !wasCovered.current) return
        wasCovered.current = false
        if (document.activeElement === document.body)
          view.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [covered])

  const showPanel = panel ?? (wide && count > 0)
  const nothing = state.answered && state.total === 0
  // By what is shown, not by what was typed a moment ago.
  const cut = rows.query.search !== '' || rows.query.kind !== null || rows.query.since !== null || rows.query.unopened
  // The whole list, once it was read, counts better than the service's last word.
  const held = state.answered && state.asOf !== null ? state.total : (stored?.files ?? state.total)
  const detail =
    cut && state.answered
      ? t.filesView.found(state.total, f.count(state.total))
      : t.filesView.detail(t.filesCount(held, f.count(held)), stored?.bytes == null ? '' : f.bytes(stored.bytes))

  return (
    <section
      ref={view}
      className="files"
      aria-label={t.views.files}
      onKeyDown={(event) => {
        if (withMod(event) && event.shiftKey && event.key.toLowerCase() === 'c') {
          event.preventDefault()
          void copy(selected, 'markdown')
        }
      }}
    >
      <ViewHead
        title={t.filesView.title}
        detail={offline && state.asOf !== null ? `${detail} · ${t.filesView.asOf(f.ago(state.asOf, now))}` : detail}
      >
        <SearchField
          label={t.search}
          placeholder={t.filesView.searchHint}
          clearLabel={t.clear}
          value={search}
          onChange={setSearch}
          shortcut={keyLabel('mod F')}
          inputRef={field}
        />
        <Button variant="primary" icon={<Upload className="icon" />} onPress={() => void call('uploadChosen', { folders: false })}>
          {t.upload}
        </Button>
      </ViewHead>
      <div className="files-columns">
        <div className="files-main">
          <div className="files-filters" role="group" aria-label={t.filesView.filters}>
            <span className="files-chips">
              {FILTERS.map((one) => (
                <button key={one} type="button" className="files-chip" aria-pressed={filter === one} onClick={() => setFilter(one)}>
                  {t.filesView.filter[one]}
                </button>
              ))}
            </span>
            <span className="files-filter-folded">
              <SelectControl
                label={t.filesView.filters}
                value={filter}
                options={FILTERS.map((one) => ({ value: one, label: t.filesView.filter[one] }))}
                onChange={setFilter}
              />
            </span>
            <span className="files-filters-end">
              <IconButton
                label={t.details}
                icon={<PanelRight className="icon" />}
                onPress={toggle}
                aria-pressed={showPanel}
                isDisabled={count === 0}
              />
            </span>
          </div>
          <LiveStrip />
          {state.failure === null ? null : (
            <div className="files-failure">
              <Banner
                tone="waiting"
                title={t.filesView.loadFailed}
                hint={failureWords(language, state.failure).hint}
                action={
                  <Button size="small" onPress={() => rows.renew()}>
                    {t.retry}
                  </Button>
                }
              />
            </div>
          )}
          {nothing ? (
            cut ? (
              <Empty
                icon={<FileSearch className="icon" />}
                title={t.filesView.nothingTitle}
                hint={t.filesView.nothingHint}
                action={
                  <Button
                    onPress={() => {
                      setSearch('')
                      setFilter('all')
                    }}
                  >
                    {t.filesView.showAll}
                  </Button>
                }
              />
            ) : (
              <Empty
                icon={<Files className="icon" />}
                title={t.filesView.emptyTitle}
                hint={t.filesView.emptyHint}
                action={
                  <Button
                    variant="primary"
                    icon={<Upload className="icon" />}
                    onPress={() => void call('uploadChosen', { folders: false })}
                  >
                    {t.filesView.emptyAction}
                  </Button>
                }
              />
            )
          ) : (
            <FileList
              rows={rows}
              state={state}
              selection={selection}
              onSelection={setSelection}
              onSort={setSort}
              onCopyRow={copyRow}
              onCopy={() => void copy(selected, null)}
              onDelete={() => void remove(selected)}
              onOpen={(row) => void openRow(row)}
              onType={(letter) => {
                setSearch((text) => text + letter)
                field.current?.focus()
              }}
              onMenu={setMenu}
            />
          )}
        </div>
        {showPanel && count > 0 ? <Details only={only} count={count} bytes={bytes} selected={selected} actions={actions} /> : null}
      </div>
      {menu === null ? null : (
        <RowMenu
          at={menu}
          row={only}
          count={count}
          onClose={() => setMenu(null)}
          onCopy={(style) => void copy(selected, style)}
          onOpen={() => only !== null && void openRow(only)}
          onQr={() => setQrOf(only)}
          onDelete={() => void remove(selected)}
          onDetails={() => setPanel(true)}
        />
      )}
      {qrOf?.publicLink == null ? null : <QrDialog link={qrOf.publicLink} name={qrOf.filename ?? ''} onClose={() => setQrOf(null)} />}
    </section>
  )
}

interface DetailActions {
  readonly copy: (what: Selection | null, style: LinkStyle | null) => Promise<void>
  readonly remove: (what: Selection | null) => Promise<void>
  readonly close: () => void
}

interface DetailProps {
  readonly only: RemoteRow | null
  readonly count: number
  readonly bytes: number | null
  readonly selected: Selection | null
  readonly actions: DetailActions
}

/** The panel follows a moment after the rows, so that walking through them is as quick with it as without. Until then it shows, copies and
 * deletes what was chosen before: never one file shown and another one copied. */
function Details(props: DetailProps): ReactNode {
  const { only, count, bytes, selected, actions } = props
  const now = useMemo(() => ({ only, count, bytes, selected, actions }), [only, count, bytes, selected, actions])
  return <LateDetails chosen={useDeferredValue(now)} />
}

const LateDetails = memo(function LateDetails({ chosen }: { readonly chosen: DetailProps }): ReactNode {
  const { only, count, bytes, selected, actions } = chosen
  return (
    <Inspector
      row={only}
      count={count}
      bytes={bytes}
      selection={selected}
      onCopy={(style) => void actions.copy(selected, style)}
      onDelete={() => void actions.remove(selected)}
      onClose={actions.close}
    />
  )
})

/** By the size of text, not by pixels: with large text the panel would cover the list. */
function isWide(): boolean {
  return window.innerWidth >= WIDE_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

function useWide(): boolean {
  return useSyncExternalStore((listener) => {
    window.addEventListener('resize', listener)
    return () => window.removeEventListener('resize', listener)
  }, isWide)
}

/** Null where a row of unknown size is among them, or one that was not seen yet. */
function sizeOf(selection: RowSelection, rows: Rows, count: number): number | null {
  if (count === 0 || count > 1000) return null
  let sum = 0
  for (const [first, last] of selection.ranges)
    for (let i = first; i <= last; i++) {
      const bytes = rows.at(i)?.bytes
      if (bytes == null) return null
      sum += bytes
    }
  return sum
}

function RowMenu(props: {
  readonly at: { readonly x: number; readonly y: number }
  readonly row: RemoteRow | null
  readonly count: number
  readonly onClose: () => void
  readonly onCopy: (style: LinkStyle | null) => void
  readonly onOpen: () => void
  readonly onQr: () => void
  readonly onDelete: () => void
  readonly onDetails: () => void
}): ReactNode {
  const { t, f } = useLanguage()
  const anchor = useRef<HTMLSpanElement>(null)
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  const { row } = props
  return (
    <>
      <span ref={anchor} className="files-menu-anchor" style={{ insetInlineStart: props.at.x, insetBlockStart: props.at.y }} />
      <Popover
        className="files-menu-popover"
        aria-label={t.filesView.actions}
        triggerRef={anchor}
        isOpen={ready}
        onOpenChange={(open) => (open ? undefined : props.onClose())}
        placement="bottom start"
      >
        <Menu className="files-menu" aria-label={t.filesView.actions} autoFocus="first" onClose={props.onClose}>
          <MenuItem
            className="files-menu-item"
            textValue={t.copyLinks(props.count, f.count(props.count))}
            onAction={() => props.onCopy(null)}
          >
            <Copy className="icon" aria-hidden="true" />
            {t.copyLinks(props.count, f.count(props.count))}
            <kbd className="key">{keyLabel('mod C')}</kbd>
          </MenuItem>
          {LinkStyle.options
            .filter((style) => style !== appStore.getState().settings?.linkStyle)
            .map((style) => (
              <MenuItem
                key={style}
                id={style}
                className="files-menu-item"
                textValue={t.copyAs(t.linkStyles[style])}
                onAction={() => props.onCopy(style)}
              >
                <Copy className="icon" aria-hidden="true" />
                {t.copyAs(t.linkStyles[style])}
              </MenuItem>
            ))}
          <Separator className="files-menu-line" />
          {row === null ? null : (
            <MenuItem className="files-menu-item" textValue={t.open} onAction={props.onOpen}>
              <ExternalLink className="icon" aria-hidden="true" />
              {t.open}
              <kbd className="key">{keyLabel('enter')}</kbd>
            </MenuItem>
          )}
          {row === null ? null : (
            <MenuItem className="files-menu-item" textValue={t.qrTitle} onAction={props.onQr}>
              <QrCode className="icon" aria-hidden="true" />
              {t.qrTitle}
            </MenuItem>
          )}
          {row?.transferId == null ? null : (
            <MenuItem
              className="files-menu-item"
              textValue={t.showInFolder}
              onAction={() => row.transferId !== null && void call('showInFolder', { transferId: row.transferId })}
            >
              <FolderOpen className="icon" aria-hidden="true" />
              {t.showInFolder}
            </MenuItem>
          )}
          <MenuItem className="files-menu-item" textValue={t.details} onAction={props.onDetails}>
            <PanelRight className="icon" aria-hidden="true" />
            {t.details}
            <kbd className="key">{keyLabel('mod I')}</kbd>
          </MenuItem>
          <Separator className="files-menu-line" />
          <MenuItem
            className="files-menu-item problem"
            textValue={t.filesView.deleteSome(props.count, f.count(props.count))}
            onAction={props.onDelete}
          >
            <Trash2 className="icon" aria-hidden="true" />
            {t.filesView.deleteSome(props.count, f.count(props.count))}
            <kbd className="key">{keyLabel('delete')}</kbd>
          </MenuItem>
        </Menu>
      </Popover>
    </>
  )
}
